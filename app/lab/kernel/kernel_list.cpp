// A small scan, not a C++ parser: what it misreads costs a name in a message, never a result.
#include "lab/kernel/kernel_list.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <set>

#include "base/text.h"
#include "base/words.h"
#include "compile/local_headers.h"
#include "course/kernel_signature.h"

namespace lanewise {

namespace {

constexpr auto npos = std::string_view::npos;
constexpr std::string_view kGlobal = "__global__";

bool is_blank(char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; }

std::string_view last_word_of(std::string_view text) {
    size_t start = text.size();
    while (start > 0 && is_word_part(text[start - 1])) --start;
    return text.substr(start);
}

// Every run of blanks and line ends as one blank.
std::string in_one_line(std::string_view text) {
    std::string line;
    for (char c : trimmed(text))
        if (!is_blank(c))
            line += c;
        else if (!line.ends_with(' '))
            line += ' ';
    return line;
}

// The index just past the bracket that closes the one at `open`, or npos.
size_t past_closing(std::string_view text, size_t open) {
    int depth = 0;
    for (size_t at = open; at < text.size(); ++at) {
        if (text[at] == '(') ++depth;
        if (text[at] == ')' && --depth == 0) return at + 1;
    }
    return npos;
}

// "template <…>" where one ends right before `kernel`.
std::string template_before(std::string_view source, size_t kernel) {
    std::string_view before = trimmed(source.substr(0, kernel));
    for (std::string_view word : {"static", "inline"})
        if (before.ends_with(word)) before = trimmed(before.substr(0, before.size() - word.size()));
    if (!before.ends_with('>')) return {};
    int depth = 0;
    for (size_t at = before.size(); at-- > 0;) {
        if (before[at] == '>') ++depth;
        if (before[at] == '<' && --depth == 0) {
            bool is_template = last_word_of(trimmed(before.substr(0, at))) == "template";
            return is_template ? "template " + in_one_line(before.substr(at)) : "";
        }
    }
    return {};
}

// The kernel whose __global__ is at `kernel`; without a name where it cannot be read or is only
// declared.
KernelInSource kernel_at(std::string_view source, size_t kernel) {
    KernelInSource found;
    size_t at = kernel + kGlobal.size();
    for (;;) {  // past __launch_bounds__(…) and its like
        size_t open = source.find('(', at);
        size_t close = open == npos ? npos : past_closing(source, open);
        if (close == npos) return found;
        std::string_view name = last_word_of(trimmed(source.substr(at, open - at)));
        at = close;
        if (name.starts_with("__")) continue;
        size_t body = source.find_first_not_of(" \t\r\n", close);
        if (body == npos || source[body] != '{') return found;
        found.name = name;
        found.parameters = comma_separated(source.substr(open + 1, close - open - 2));
        break;
    }
    found.template_line = template_before(source, kernel);
    found.line = 1 + static_cast<int>(std::count(source.begin(),
                                                 source.begin() + static_cast<long>(kernel), '\n'));
    return found;
}

// Follows the text and knows which namespaces are open.
class Scopes {
  public:
    explicit Scopes(std::string_view text) : text_(text) {}

    // "a::b::" at this place, which lies behind the one asked for before.
    std::string at(size_t place) {
        for (; at_ < place; ++at_) {
            if (text_[at_] == '{') open(namespace_before(at_));
            if (text_[at_] == '}' && !names_.empty()) names_.pop_back();
        }
        std::string scope;
        for (const std::string& name : names_)
            if (!name.empty()) scope += name + "::";
        return scope;
    }

  private:
    void open(std::string name) { names_.push_back(std::move(name)); }
    // "a::b" of "namespace a::b {"; "" of any other brace.
    std::string namespace_before(size_t brace) const {
        constexpr std::string_view kWord = "namespace";
        size_t begin = text_.find_last_of(";{}", brace == 0 ? 0 : brace - 1);
        begin = begin == npos ? 0 : begin + 1;
        std::string_view head = trimmed(text_.substr(begin, brace - begin));
        while (head.starts_with('#')) {  // a line of the preprocessor before it
            size_t end = head.find('\n');
            if (end == npos) return {};
            head = trimmed(head.substr(end));
        }
        if (head.starts_with("inline ")) head = trimmed(head.substr(7));
        if (!head.starts_with(kWord)) return {};
        return std::string(trimmed(head.substr(kWord.size())));
    }

    std::string_view text_;
    size_t at_ = 0;
    std::vector<std::string> names_;  // of open braces; "" of those that are no namespace
};

}  // namespace

std::vector<KernelInSource> kernels_in_source(std::string_view source) {
    std::string text = without_comments(source);
    std::vector<KernelInSource> kernels;
    Scopes scopes(text);
    for (size_t at = text.find(kGlobal); at != npos; at = text.find(kGlobal, at + kGlobal.size())) {
        KernelInSource kernel = kernel_at(text, at);
        if (kernel.name.empty()) continue;
        kernel.scope = scopes.at(at);
        kernels.push_back(std::move(kernel));
    }
    return kernels;
}

std::string in_words(const KernelInSource& kernel) {
    std::string text = kernel.template_line.empty() ? "" : kernel.template_line + " ";
    text += kernel.scope + kernel.name + "(";
    for (size_t i = 0; i < kernel.parameters.size(); ++i)
        text += (i == 0 ? "" : ", ") + kernel.parameters[i];
    return text + ")";
}

// Those of one text, without what `listed` has already.
static std::string lines_of_kernels(std::string_view source, const std::string& place,
                                    std::set<std::string>& listed) {
    std::string text;
    for (const KernelInSource& kernel : kernels_in_source(source)) {
        std::string words = in_words(kernel);
        if (!listed.insert(words).second) continue;
        text += "\n    " + words + "   " + place + std::to_string(kernel.line);
    }
    return text;
}

static std::vector<LocalHeader> own_headers(std::string_view source,
                                            const std::vector<std::string>& folders) {
    return folders.empty() ? std::vector<LocalHeader>() : local_headers(source, folders);
}

std::string list_of_kernels(std::string_view source, const std::vector<std::string>& folders) {
    std::set<std::string> listed;
    std::string text = lines_of_kernels(source, "line ", listed);
    for (const LocalHeader& header : own_headers(source, folders)) {
        std::string file = std::filesystem::path(header.path).filename().string();
        text += lines_of_kernels(header.text, file + ":", listed);
    }
    if (text.empty()) return "The source has no __global__ function";
    return "The source's kernels:" + text;
}

std::string with_own_headers(const std::string& source, const std::vector<std::string>& folders) {
    std::string text = source;
    for (const LocalHeader& header : own_headers(source, folders)) text += "\n" + header.text;
    return text;
}

std::string parameter_name(std::string_view parameter) {
    std::string_view text = trimmed(parameter.substr(0, parameter.find('=')));
    text = trimmed(text.substr(0, text.find('[')));
    std::string_view name = last_word_of(text);
    bool is_whole = name.size() == text.size();  // a type alone
    static constexpr std::array<std::string_view, 12> kTypeWords = {
        "int",    "float", "double", "char",     "short",        "long",
        "signed", "bool",  "const",  "unsigned", "__restrict__", "__restrict"};
    bool is_type = std::find(kTypeWords.begin(), kTypeWords.end(), name) != kTypeWords.end();
    return is_whole || is_type ? std::string() : std::string(name);
}

std::string parameter_type(const std::string& parameter) {
    std::string name = parameter_name(parameter);
    size_t at = name.empty() ? std::string::npos : parameter.rfind(name);
    if (at == std::string::npos) return parameter;
    std::string type = parameter.substr(0, at) + parameter.substr(at + name.size());
    return std::string(trimmed(type));
}

std::vector<std::string> comma_separated(std::string_view text) {
    std::vector<std::string> pieces;
    int depth = 0;
    size_t start = 0;
    for (size_t at = 0; at <= text.size(); ++at) {
        char c = at < text.size() ? text[at] : ',';
        if (c == '(' || c == '<' || c == '[' || c == '{') ++depth;
        if (c == ')' || c == '>' || c == ']' || c == '}') --depth;
        if (at < text.size() && (c != ',' || depth > 0)) continue;
        pieces.push_back(in_one_line(text.substr(start, at - start)));
        start = at + 1;
    }
    bool is_empty = pieces.size() == 1 && (pieces[0].empty() || pieces[0] == "void");
    return is_empty ? std::vector<std::string>() : pieces;
}

std::string base_name(std::string_view name_expression) {
    std::string_view name = trimmed(name_expression);
    if (name.starts_with('(')) name = name.substr(std::min(name.rfind(')') + 1, name.size()));
    name = trimmed(name.substr(0, name.find('<')));
    return std::string(last_word_of(name));
}

}  // namespace lanewise
