// Lines and bytes of the editor's text.
#include <algorithm>

#include "base/text.h"
#include "ui/code/editor.h"

namespace lanewise::ui {

size_t find_from(const std::string& text, const std::string& what, size_t from) {
    if (what.empty()) return std::string::npos;
    size_t found = text.find(what, from);
    return found != std::string::npos ? found : text.find(what);
}

int line_at(const std::string& text, size_t byte) {
    auto end = text.begin() + static_cast<std::ptrdiff_t>(std::min(byte, text.size()));
    return 1 + static_cast<int>(std::count(text.begin(), end, '\n'));
}

size_t begin_of_line(const std::string& text, int line) {
    size_t at = 0;
    while (--line > 0) {
        at = text.find('\n', at);
        if (at == std::string::npos) return text.size();
        ++at;
    }
    return at;
}

size_t indent_after(const std::string& text, size_t newline) {
    size_t begin = newline == 0 ? 0 : text.rfind('\n', newline - 1);
    begin = begin == std::string::npos || newline == 0 ? 0 : begin + 1;
    if (begin > newline) return 0;
    std::string_view line(text.data() + begin, newline - begin);
    size_t blanks = std::min(line.find_first_not_of(' '), line.size());
    return blanks + (trimmed(line).ends_with('{') ? 4 : 0);
}

}  // namespace lanewise::ui
