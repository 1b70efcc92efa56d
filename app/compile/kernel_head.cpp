#include "compile/kernel_head.h"

#include <algorithm>
#include <iterator>

#include "base/text.h"
#include "base/words.h"

namespace lanewise {

// A declaration that begins with one of these is no expression, whatever follows. "float(x)" would be
// one; so a bracket behind the word is no declaration.
static constexpr std::string_view kTypeWords[] = {"const", "volatile", "typename", "struct", "void",
                                                  "bool",  "char",     "short",    "int",    "long",
                                                  "float", "double",   "signed",   "unsigned"};

static bool begins_parameters(std::string_view text) {
    text = trimmed(text);
    auto end = std::find_if_not(text.begin(), text.end(), is_word_part);
    const auto length = static_cast<size_t>(end - text.begin());
    const std::string_view word = text.substr(0, length), rest = trimmed(text.substr(length));
    return std::find(std::begin(kTypeWords), std::end(kTypeWords), word) != std::end(kTypeWords) &&
           !rest.starts_with('(') && !rest.starts_with('{');
}

// "scale" of "ns::scale<float, 4>".
static std::string_view last_name(std::string_view kernel) {
    kernel = kernel.substr(0, kernel.find('<'));
    while (!kernel.empty() && !is_word_part(kernel.back())) kernel.remove_suffix(1);
    auto begin = std::find_if_not(kernel.rbegin(), kernel.rend(), is_word_part);
    return kernel.substr(static_cast<size_t>(kernel.rend() - begin));
}

bool is_surely_function(std::string_view text, std::string_view kernel) {
    const std::string_view name = last_name(kernel);
    bool found = false;
    if (name.empty()) return false;
    for (size_t at = text.find(name); at != text.npos; at = text.find(name, at + name.size())) {
        std::string_view behind = text.substr(at + name.size());
        bool is_whole = (at == 0 || !is_word_part(text[at - 1])) &&
                        (behind.empty() || !is_word_part(behind.front()));
        behind = trimmed(behind);
        if (!is_whole || !behind.starts_with('(')) continue;
        if (!begins_parameters(behind.substr(1))) return false;
        found = true;
    }
    return found;
}

}  // namespace lanewise
