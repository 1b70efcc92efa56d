#include "base/percent.h"

#include <cctype>

namespace lanewise {

static bool is_plain(unsigned char c) {
    return std::isalnum(c) ||
           std::string_view("-._~/,").find(static_cast<char>(c)) != std::string_view::npos;
}

static int digit(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    return -1;
}

std::string percent_encoded(std::string_view text) {
    constexpr char kDigits[] = "0123456789ABCDEF";
    std::string result;
    for (char c : text) {
        auto byte = static_cast<unsigned char>(c);
        if (is_plain(byte))
            result += c;
        else
            result += {'%', kDigits[byte >> 4], kDigits[byte & 15]};
    }
    return result;
}

std::optional<std::string> percent_decoded(std::string_view text) {
    std::string result;
    for (size_t i = 0; i < text.size(); ++i) {
        if (text[i] != '%') {
            result += text[i];
            continue;
        }
        bool room = i + 2 < text.size();
        int high = room ? digit(text[i + 1]) : -1, low = room ? digit(text[i + 2]) : -1;
        if (high < 0 || low < 0) return std::nullopt;
        result += static_cast<char>(high * 16 + low);
        i += 2;
    }
    return result;
}

}  // namespace lanewise
