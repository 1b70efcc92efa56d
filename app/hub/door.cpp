#include "hub/door.h"

#include <arpa/inet.h>

#include <algorithm>
#include <cctype>
#include <cmath>

#include "base/error.h"
#include "hub/address.h"

namespace lanewise {

namespace {

constexpr size_t kMostAddresses = 10'000;  // that are remembered

std::string lower(std::string_view text) {
    std::string result(text);
    for (char& c : result) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return result;
}

// "https://Host:443" -> "host": what is usual is left out, so that both sides look the same.
std::string host_of_origin(std::string_view origin) {
    size_t scheme = origin.find("://");
    if (scheme == origin.npos) return "";
    std::string host = lower(origin.substr(scheme + 3));
    std::string usual = lower(origin.substr(0, scheme)) == "https" ? ":443" : ":80";
    if (host.ends_with(usual)) host.erase(host.size() - usual.size());
    return host;
}

std::string without_usual_port(std::string host) {
    for (const char* usual : {":443", ":80"})
        if (host.ends_with(usual)) return host.substr(0, host.size() - std::string(usual).size());
    return host;
}

// "localhost:8080", "127.0.0.1", "[::1]:8080"
bool is_this_machine(std::string_view host) {
    std::string name = lower(host);
    if (name.starts_with('[')) {
        size_t end = name.find(']');
        return end != name.npos && is_loopback_ip(name.substr(1, end - 1));
    }
    name = name.substr(0, name.find(':'));
    return name == "localhost" || is_loopback_ip(name);
}

}  // namespace

void check_origin(const std::string& origin) {
    std::string host = host_of_origin(origin);
    bool is_web = origin.starts_with("https://") || origin.starts_with("http://");
    if (!is_web || host.empty() || host.find_first_of("/?#@ *") != host.npos)
        throw Error(Status::bad_input,
                    "--origin wants a page's scheme and host, for example "
                    "https://lab.example.org, not \"" +
                        origin + "\"");
}

std::string why_refused(const Visit& visit, const DoorRules& rules) {
    auto is_known = [&](const std::string& host) {
        return std::any_of(rules.origins.begin(), rules.origins.end(), [&](const std::string& one) {
            return host_of_origin(one) == without_usual_port(lower(host));
        });
    };
    if (visit.host.empty()) return "the request names no host";
    if (!rules.has_tokens && visit.forwarded)
        return "behind a proxy everybody comes from this machine, so that tokens are needed: "
               "start the server with --token-file";
    if (!rules.has_tokens && !is_this_machine(visit.host) && !is_known(visit.host))
        return "without tokens the server answers only to localhost, not to \"" + visit.host + "\"";
    if (visit.origin.empty()) return "";
    std::string origin = lower(visit.origin);
    for (const std::string& one : rules.origins)
        if (lower(one) == origin) return "";
    bool is_web = origin.starts_with("http://") || origin.starts_with("https://");
    std::string asked = lower(visit.host);
    if (is_web &&
        (host_of_origin(origin) == asked || host_of_origin(origin) == without_usual_port(asked)))
        return "";
    return "a page of another host may not use this server's engines; if it is yours, start the "
           "server with --origin";
}

std::string WrongTokens::key_of(const std::string& address) {
    in6_addr six;
    if (::inet_pton(AF_INET6, address.c_str(), &six) != 1 || IN6_IS_ADDR_V4MAPPED(&six))
        return address;
    return std::string(reinterpret_cast<const char*>(six.s6_addr), 8);
}

void WrongTokens::forget(double now_s) {
    std::erase_if(seen_, [&](const auto& one) { return now_s - one.second.last_s > kForget_s; });
    while (seen_.size() > kMostAddresses)
        seen_.erase(std::min_element(seen_.begin(), seen_.end(), [](auto& a, auto& b) {
            return a.second.last_s < b.second.last_s;
        }));
}

double WrongTokens::note(const std::string& address, double now_s) {
    Seen& seen = seen_[key_of(address)];
    if (now_s - seen.last_s > kForget_s) seen.count = 0;
    int count = ++seen.count;
    seen.last_s = now_s;
    forget(now_s);
    return std::min(kLongestWait_s, 0.25 * std::exp2(count - 1));
}

double WrongTokens::refused_s(const std::string& address, double now_s) const {
    auto found = seen_.find(key_of(address));
    if (found == seen_.end() || found->second.count < kUntilRefused) return 0;
    return std::max(0.0, found->second.last_s + kRefused_s - now_s);
}

}  // namespace lanewise
