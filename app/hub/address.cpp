#include "hub/address.h"

#include <arpa/inet.h>

#include <array>

#include "base/error.h"
#include "base/text.h"

namespace lanewise {

namespace {

constexpr uint16_t kHttpPort = 80, kHttpsPort = 443;
constexpr int64_t kLastPort = 65535;

bool is_ip(const std::string& text) {
    std::array<unsigned char, sizeof(in6_addr)> bytes;
    return ::inet_pton(AF_INET, text.c_str(), bytes.data()) == 1 ||
           ::inet_pton(AF_INET6, text.c_str(), bytes.data()) == 1;
}

// "host:port", "[v6]:port", "host": false where it is none of these.
bool split_port(std::string_view text, std::string& host, std::string& port) {
    if (text.starts_with('[')) {
        size_t end = text.find(']');
        if (end == text.npos) return false;
        host = text.substr(1, end - 1);
        text.remove_prefix(end + 1);
        if (text.empty()) return !host.empty();
        if (text[0] != ':') return false;
        port = text.substr(1);
        return !host.empty() && !port.empty();
    }
    size_t colon = text.find(':');
    if (colon != text.rfind(':')) return false;  // an IPv6 address wants brackets
    host = text.substr(0, colon);
    if (colon != text.npos) port = text.substr(colon + 1);
    return !host.empty() && (colon == text.npos || !port.empty());
}

bool port_of(const std::string& text, uint16_t& port) {
    int64_t number = 0;
    if (text.empty() || text[0] == '+' || !parse_integer(text, number)) return false;
    if (number < 0 || number > kLastPort) return false;
    port = static_cast<uint16_t>(number);
    return true;
}

int hex_digit(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return -1;
}

// The query without `name`, to be kept.
std::string query_without(std::string_view query, std::string_view name) {
    std::string kept;
    for (std::string_view piece : split(query, '&'))
        if (!piece.empty() && piece.substr(0, piece.find('=')) != name)
            kept += (kept.empty() ? "?" : "&") + std::string(piece);
    return kept;
}

}  // namespace

bool is_loopback_ip(std::string_view ip) {
    std::string text(ip);
    in_addr four;
    if (::inet_pton(AF_INET, text.c_str(), &four) == 1) return (::ntohl(four.s_addr) >> 24) == 127;
    in6_addr six;
    if (::inet_pton(AF_INET6, text.c_str(), &six) != 1) return false;
    if (IN6_IS_ADDR_V4MAPPED(&six)) return six.s6_addr[12] == 127;
    return IN6_IS_ADDR_LOOPBACK(&six);
}

bool ListenAddress::is_loopback() const { return is_loopback_ip(host); }

ListenAddress listen_address(const std::string& text) {
    ListenAddress address;
    std::string port;
    bool fits = split_port(text, address.host, port) && port_of(port, address.port);
    if (fits && address.host == "localhost") address.host = "127.0.0.1";
    if (!fits || !is_ip(address.host))
        throw Error(Status::bad_input,
                    "--http wants an address of this machine and a port, for example "
                    "127.0.0.1:8080 or [::1]:8080, not \"" +
                        text + "\"");
    return address;
}

bool is_engine_address(std::string_view text) {
    return text.starts_with("ws://") || text.starts_with("wss://");
}

std::string EngineAddress::authority() const {
    std::string name = host.find(':') == host.npos ? host : "[" + host + "]";
    uint16_t usual = is_secure ? kHttpsPort : kHttpPort;
    return port == usual ? name : name + ":" + std::to_string(port);
}

EngineAddress engine_address(const std::string& text) {
    auto fail = [&](const std::string& why) {
        throw Error(Status::bad_input, "the engine's address " + why +
                                           "; write it as ws://HOST:PORT/engine?token=TOKEN");
    };
    EngineAddress address;
    if (!is_engine_address(text)) fail("begins with neither ws:// nor wss://");
    for (char c : text)
        if (c <= ' ' || c == 0x7f || c == '\\' || c == '#')
            fail("holds a character that an address cannot have");
    address.is_secure = text.starts_with("wss://");
    address.port = address.is_secure ? kHttpsPort : kHttpPort;
    std::string_view rest = std::string_view(text).substr(text.find("//") + 2);
    size_t query = rest.find('?'), slash = std::min(rest.find('/'), query);
    std::string port;
    std::string_view place = rest.substr(0, slash);
    if (place.find('@') != place.npos) fail("holds a user's name, which no server here knows");
    if (!split_port(place, address.host, port)) fail("names no host");
    if (!port.empty() && (!port_of(port, address.port) || address.port == 0))
        fail("has the port \"" + port + "\", which is no number from 1 to 65535");
    if (slash < query) address.path = rest.substr(slash, query - slash);
    if (address.path.empty() || address.path == "/") address.path = "/engine";
    if (query != rest.npos) {
        address.token = query_value(rest.substr(query + 1), "token");
        address.path += query_without(rest.substr(query + 1), "token");
    }
    return address;
}

bool percent_decoded(std::string_view text, std::string& decoded) {
    decoded.clear();
    for (size_t at = 0; at < text.size(); ++at) {
        if (text[at] != '%') {
            decoded += text[at];
            continue;
        }
        if (text.size() - at < 3) return false;
        int high = hex_digit(text[at + 1]), low = hex_digit(text[at + 2]);
        if (high < 0 || low < 0) return false;
        decoded += static_cast<char>(16 * high + low);
        at += 2;
    }
    return true;
}

std::string query_value(std::string_view query, std::string_view name) {
    for (std::string_view piece : split(query, '&')) {
        size_t equals = piece.find('=');
        std::string value;
        if (equals == piece.npos || piece.substr(0, equals) != name) continue;
        return percent_decoded(piece.substr(equals + 1), value) ? value : "";
    }
    return "";
}

std::string base64_decoded(std::string_view text) {
    constexpr std::string_view kDigits =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string bytes;
    unsigned bits = 0, value = 0;
    for (char c : text) {
        size_t digit = kDigits.find(c);
        if (digit == kDigits.npos) break;
        value = (value << 6 | static_cast<unsigned>(digit)) & 0xfff;
        bits += 6;
        if (bits < 8) continue;
        bits -= 8;
        bytes += static_cast<char>(value >> bits & 0xff);
    }
    return bytes;
}

}  // namespace lanewise
