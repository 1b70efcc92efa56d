// The door: which pages may open a socket here, and what becomes of wrong tokens.
#pragma once
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace lanewise {

// What a request says of itself.
struct Visit {
    std::string host;        // Host
    std::string origin;      // Origin; "": none, as of a program that is no browser
    bool forwarded = false;  // a proxy has added X-Forwarded-For or Forwarded
};

struct DoorRules {
    bool has_tokens = false;
    std::vector<std::string> origins;  // --origin, each "https://lab.example.org[:PORT]"
};

// Why such a visit may not reach an engine; "" where it may. A page's origin must be the host that
// it asks, or one of `origins`. Without tokens the host must be this machine's own name, so that no
// page elsewhere gets in by a name that it lets point here, and no proxy lets others in.
std::string why_refused(const Visit& visit, const DoorRules& rules);

// Throws Error(bad_input) where --origin's text is none.
void check_origin(const std::string& origin);

// Wrong tokens, by the address that they came from.
class WrongTokens {
  public:
    static constexpr int kUntilRefused = 30;  // with less than kForget_s between two
    static constexpr double kRefused_s = 300, kForget_s = 120;
    static constexpr double kLongestWait_s = 8;

    // Notes one; how long the answer is to be held back.
    double note(const std::string& address, double now_s);
    // How long nothing is taken from there any more; 0 where it is.
    double refused_s(const std::string& address, double now_s) const;

  private:
    struct Seen {
        int count = 0;
        double last_s = 0;
    };
    // An IPv6 address stands for its whole network (/64): a host there may choose among them.
    static std::string key_of(const std::string& address);
    void forget(double now_s);
    std::map<std::string, Seen> seen_;
};

}  // namespace lanewise
