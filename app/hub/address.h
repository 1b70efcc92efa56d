// Addresses as people type them: where a server listens, and where an engine is.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

namespace lanewise {

// "127.0.0.1:8080", "[::1]:8080", "localhost:8080", "0.0.0.0:80". Port 0: any free one.
struct ListenAddress {
    std::string host;  // an IP address, without brackets
    uint16_t port = 0;
    bool is_loopback() const;
};
// Throws Error(bad_input) for anything else; a name other than localhost is not looked up.
ListenAddress listen_address(const std::string& text);

// Whether it is 127.0.0.0/8 or ::1, also as ::ffff:127.0.0.1.
bool is_loopback_ip(std::string_view ip);

// "ws://HOST[:PORT]/PATH?token=…"; the path is /engine where none is given.
struct EngineAddress {
    bool is_secure = false;  // wss
    std::string host;        // without brackets
    uint16_t port = 0;
    std::string path;   // without the token
    std::string token;  // "": none was given
    // What a request's Host says: the port only where it is not the usual one.
    std::string authority() const;
};
// Whether it begins as such an address does.
bool is_engine_address(std::string_view text);
// Throws Error(bad_input) where it is none.
EngineAddress engine_address(const std::string& text);

// The value of `name` in "a=1&b=2", with %XX decoded; "" where it is not there or is damaged.
std::string query_value(std::string_view query, std::string_view name);
// "%41+" -> "A+". False where a % has no two hexadecimal digits behind it.
bool percent_decoded(std::string_view text, std::string& decoded);

// RFC 4648; what follows the first character that is none of its own is left out.
std::string base64_decoded(std::string_view text);

}  // namespace lanewise
