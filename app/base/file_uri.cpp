#include "base/file_uri.h"

#include <string_view>

namespace lanewise {

static int hex_digit(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

std::string path_of_uri(const std::string& text) {
    constexpr std::string_view kScheme = "file:";
    if (!text.starts_with(kScheme)) return text;
    std::string_view path = std::string_view(text).substr(kScheme.size());
    for (std::string_view host : {"//localhost/", "///"})
        if (path.starts_with(host)) {
            path.remove_prefix(host.size() - 1);
            break;
        }
    if (!path.starts_with('/') || path.starts_with("//")) return text;
    std::string result;
    for (size_t i = 0; i < path.size(); ++i) {
        bool escaped = path[i] == '%' && i + 2 < path.size() && hex_digit(path[i + 1]) >= 0 &&
                       hex_digit(path[i + 2]) >= 0;
        result += escaped ? static_cast<char>(hex_digit(path[i + 1]) * 16 + hex_digit(path[i + 2]))
                          : path[i];
        if (escaped) i += 2;
    }
    return result;
}

}  // namespace lanewise
