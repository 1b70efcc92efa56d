#include "compile/host_code.h"

#include <algorithm>
#include <cctype>

#include "base/text.h"
#include "base/words.h"

namespace lanewise {

namespace {

constexpr auto npos = std::string_view::npos;

bool has_word(std::string_view text, std::string_view word) {
    for (size_t at = text.find(word); at != npos; at = text.find(word, at + 1)) {
        bool begins = at == 0 || !is_word_part(text[at - 1]);
        size_t end = at + word.size();
        if (begins && (end == text.size() || !is_word_part(text[end]))) return true;
    }
    return false;
}

void blank(std::string& text, size_t begin, size_t end) {
    for (size_t at = begin; at < std::min(end, text.size()); ++at)
        if (text[at] != '\n') text[at] = ' ';
}

// The end of a literal or comment that begins at `at`; `at` itself where none does.
size_t past_literal(std::string_view text, size_t at) {
    auto past = [&](std::string_view closing, size_t from) {
        size_t found = text.find(closing, from);
        return found == npos ? text.size() : found + closing.size();
    };
    std::string_view rest = text.substr(at);
    if (rest.starts_with("//")) return std::min(text.find('\n', at), text.size());
    if (rest.starts_with("/*")) return past("*/", at + 2);
    bool in_word = at > 0 && is_word_part(text[at - 1]);  // 1'000
    if (rest.starts_with("R\"") && !in_word) {
        size_t open = std::min(text.find('(', at), text.size());
        return past(")" + std::string(text.substr(at + 2, open - at - 2)) + "\"", open);
    }
    if (text[at] != '"' && (text[at] != '\'' || in_word)) return at;
    size_t end = at + 1;
    while (end < text.size() && text[end] != text[at] && text[end] != '\n')
        end += text[end] == '\\' ? 2 : 1;
    return std::min(end + 1, text.size());
}

// Without comments, literals and lines of the preprocessor, each as so many blanks.
std::string bare(std::string text) {
    bool line_begins = true;
    for (size_t at = 0; at < text.size();) {
        size_t end = past_literal(text, at);
        if (text[at] == '#' && line_begins) {
            do end = std::min(text.find('\n', end + 1), text.size());
            while (end < text.size() && text[end - 1] == '\\');
        }
        if (text[at] == '\n')
            line_begins = true;
        else if (!std::isspace(static_cast<unsigned char>(text[at])))
            line_begins = false;
        blank(text, at, end);
        at = std::max(end, at + 1);
    }
    return text;
}

// "template <…>" at the start of a declaration left away.
std::string_view without_template(std::string_view head) {
    head = trimmed(head);
    while (head.starts_with("template")) {
        int depth = 0;
        size_t at = head.find('<');
        for (; at < head.size(); ++at) {
            depth += head[at] == '<' ? 1 : head[at] == '>' ? -1 : 0;
            if (depth == 0) break;
        }
        if (at >= head.size()) return {};
        head = trimmed(head.substr(at + 1));
    }
    return head;
}

// What stands before an opening brace.
enum class Scope { function, members, other };
Scope scope_of(std::string_view head) {
    head = without_template(head);
    size_t equals = head.find('='), bracket = head.find('(');
    if (bracket != npos && (equals > bracket || has_word(head, "operator"))) return Scope::function;
    if (head == "extern" || head.empty()) return Scope::members;  // "C" is blank
    bool is_type = has_word(head, "struct") || has_word(head, "class") || has_word(head, "union");
    bool has_members = has_word(head, "namespace") || (is_type && equals == npos);
    return has_members ? Scope::members : Scope::other;
}

bool is_for_device(std::string_view declaration) {
    static constexpr std::string_view marks[] = {"__device__", "__global__", "__constant__",
                                                 "__managed__", "__shared__"};
    return std::any_of(std::begin(marks), std::end(marks),
                       [&](std::string_view mark) { return has_word(declaration, mark); });
}

// cudaMalloc(…) and its like; in device code only functions of the runtime's own device part.
bool calls_runtime(std::string_view declaration) {
    for (size_t at = declaration.find("cuda"); at != npos; at = declaration.find("cuda", at + 1)) {
        bool begins = at == 0 || !is_word_part(declaration[at - 1]);
        size_t end = at + 4;
        bool is_call_name =
            end < declaration.size() && std::isupper(static_cast<unsigned char>(declaration[end]));
        while (end < declaration.size() && is_word_part(declaration[end])) ++end;
        if (begins && is_call_name && declaration.substr(end).starts_with('(')) return true;
    }
    return false;
}

bool is_host_function(std::string_view declaration) {
    return has_word(declaration, "__host__") || has_word(declaration, "main") ||
           declaration.find("<<<") != npos || calls_runtime(declaration);
}

constexpr const char* kHostHeaders[] = {"algorithm",
                                        "array",
                                        "atomic",
                                        "bit",
                                        "bitset",
                                        "cassert",
                                        "cctype",
                                        "cerrno",
                                        "cfloat",
                                        "chrono",
                                        "climits",
                                        "cmath",
                                        "complex",
                                        "condition_variable",
                                        "csignal",
                                        "cstdarg",
                                        "cstddef",
                                        "cstdint",
                                        "cstdio",
                                        "cstdlib",
                                        "cstring",
                                        "ctime",
                                        "deque",
                                        "exception",
                                        "execution",
                                        "filesystem",
                                        "fstream",
                                        "functional",
                                        "future",
                                        "initializer_list",
                                        "iomanip",
                                        "ios",
                                        "iostream",
                                        "istream",
                                        "iterator",
                                        "limits",
                                        "list",
                                        "locale",
                                        "map",
                                        "memory",
                                        "mutex",
                                        "new",
                                        "numeric",
                                        "optional",
                                        "ostream",
                                        "queue",
                                        "random",
                                        "ratio",
                                        "regex",
                                        "set",
                                        "sstream",
                                        "stack",
                                        "stdexcept",
                                        "streambuf",
                                        "string",
                                        "string_view",
                                        "system_error",
                                        "thread",
                                        "tuple",
                                        "type_traits",
                                        "typeinfo",
                                        "unordered_map",
                                        "unordered_set",
                                        "utility",
                                        "valarray",
                                        "variant",
                                        "vector",
                                        "assert.h",
                                        "ctype.h",
                                        "errno.h",
                                        "fcntl.h",
                                        "float.h",
                                        "getopt.h",
                                        "inttypes.h",
                                        "limits.h",
                                        "malloc.h",
                                        "math.h",
                                        "memory.h",
                                        "omp.h",
                                        "pthread.h",
                                        "signal.h",
                                        "stdarg.h",
                                        "stdbool.h",
                                        "stddef.h",
                                        "stdint.h",
                                        "stdio.h",
                                        "stdlib.h",
                                        "string.h",
                                        "strings.h",
                                        "time.h",
                                        "unistd.h",
                                        "windows.h",
                                        "cufft.h",
                                        "cusolverDn.h",
                                        "cusparse.h",
                                        "cuda_profiler_api.h",
                                        "helper_cuda.h",
                                        "helper_functions.h",
                                        "helper_image.h",
                                        "helper_string.h",
                                        "helper_timer.h"};

// Of these folders, too, no device code needs anything.
constexpr std::string_view kHostFolders[] = {"sys/",     "cub/device/", "thrust/", "nvtx3/",
                                             "opencv2/", "boost/",      "gtest/",  "benchmark/",
                                             "torch/",   "ATen/",       "c10/",    "pybind11/"};

bool is_host_header(std::string_view name) {
    for (const PartialHeader& header : partial_headers())
        if (header.name == name) return false;
    auto begins = [&](std::string_view folder) { return name.starts_with(folder); };
    return std::find(std::begin(kHostHeaders), std::end(kHostHeaders), name) !=
               std::end(kHostHeaders) ||
           std::any_of(std::begin(kHostFolders), std::end(kHostFolders), begins);
}

}  // namespace

std::span<const char* const> host_headers() { return kHostHeaders; }

std::string hidden_lines(const std::string& source, const std::string& device) {
    constexpr size_t kMost = 6;
    auto before = lines_of(source), after = lines_of(device);
    struct Stretch {
        size_t first, last;
    };
    std::vector<Stretch> stretches;
    bool joins = false;
    for (size_t i = 0; i < std::min(before.size(), after.size()); ++i) {
        bool hidden = before[i] != after[i];
        if (hidden && joins)
            stretches.back().last = i + 1;
        else if (hidden)
            stretches.push_back({i + 1, i + 1});
        joins = hidden || (joins && trimmed(before[i]).empty());
    }
    std::vector<std::string> words;
    for (const Stretch& s : stretches)
        if (words.size() < kMost)
            words.push_back(std::to_string(s.first) +
                            (s.last > s.first ? "-" + std::to_string(s.last) : ""));
    if (stretches.size() > kMost)
        words.push_back(std::to_string(stretches.size() - kMost) + " more");
    std::string text;
    for (size_t i = 0; i < words.size(); ++i)
        text += (i == 0 ? "" : i + 1 == words.size() ? " and " : ", ") + words[i];
    return text;
}

constexpr std::string_view kHiddenInLog = "hidden host code: ";

std::string log_of_hidden(const std::string& hidden) {
    return hidden.empty() ? "" : "\n" + std::string(kHiddenInLog) + hidden + "\n";
}

std::string hidden_in_log(std::string_view log) {
    for (std::string_view line : lines_of(log))
        if (line.starts_with(kHiddenInLog)) return std::string(line.substr(kHiddenInLog.size()));
    return {};
}

DeviceCode::DeviceCode(std::string source, const std::function<bool(const IncludeLine&)>& is_local)
    : text_(std::move(source)) {
    hide_headers(is_local);
    std::string plain = bare(text_);
    find_declarations(plain);
    for (const Declaration& declaration : declarations_) {
        std::string_view words =
            std::string_view(plain).substr(declaration.begin, declaration.end - declaration.begin);
        if (declaration.is_function && !is_for_device(words) && is_host_function(words))
            hide(declaration.begin, declaration.end);
    }
}

// Brackets open namespaces and classes, whose members are declarations of their own, or the body of
// a function, or else a part of the declaration that ends with the next semicolon.
void DeviceCode::find_declarations(const std::string& plain) {
    size_t begin = 0;
    int depth = 0, round = 0;  // brackets that are open within a declaration
    bool is_function = false;
    auto end_at = [&](size_t end) {
        while (begin < end && std::isspace(static_cast<unsigned char>(plain[begin]))) ++begin;
        bool ends_a_class = end == begin + 1 && plain[begin] == ';';
        if (begin < end && !ends_a_class) declarations_.push_back({begin, end, is_function});
        begin = end;
        is_function = false;
    };
    for (size_t at = 0; at < plain.size(); ++at) {
        char c = plain[at];
        if (c == '(') ++round;
        if (c == ')') --round;
        if (c == '{' && depth > 0) ++depth;
        if (c == '{' && depth == 0) {
            Scope scope = scope_of(std::string_view(plain).substr(begin, at - begin));
            if (scope == Scope::members) {
                begin = at + 1;
            } else {
                is_function = scope == Scope::function;
                depth = 1;
            }
            round = 0;
        } else if (c == '}' && depth > 0) {
            if (--depth == 0 && is_function) end_at(at + 1);
        } else if (c == '}') {
            begin = at + 1;
        } else if (c == ';' && depth == 0 && round <= 0) {
            end_at(at + 1);
        }
    }
}

void DeviceCode::hide_headers(const std::function<bool(const IncludeLine&)>& is_local) {
    for (size_t at = 0; at < text_.size();) {
        size_t end = std::min(text_.find('\n', at), text_.size());
        std::optional<IncludeLine> include =
            include_in(std::string_view(text_).substr(at, end - at));
        if (include && is_host_header(include->name) && !is_local(*include)) hide(at, end);
        at = end + 1;
    }
}

// Where the line (1-based) begins in the text; npos where it has none such.
static size_t begin_of_line(const std::string& text, int line) {
    size_t begin = 0;
    for (int before = 1; before < line && begin != npos; ++before) {
        begin = text.find('\n', begin);
        if (begin != npos) ++begin;
    }
    return begin;
}

bool DeviceCode::hide_include_at(int line) {
    size_t begin = begin_of_line(text_, line);
    if (begin == npos) return false;
    size_t end = std::min(text_.find('\n', begin), text_.size());
    std::optional<IncludeLine> include =
        include_in(std::string_view(text_).substr(begin, end - begin));
    if (!include || include->is_quoted) return false;
    hide(begin, end);
    return true;
}

bool DeviceCode::hide_at(int line) {
    size_t begin = begin_of_line(text_, line);
    if (begin == npos) return false;
    size_t end = std::min(text_.find('\n', begin), text_.size());
    bool hidden = false;
    for (const Declaration& declaration : declarations_) {
        if (declaration.end <= begin || declaration.begin >= end) continue;
        std::string part =
            bare(text_.substr(declaration.begin, declaration.end - declaration.begin));
        if (trimmed(part).empty() || is_for_device(part)) continue;
        hide(declaration.begin, declaration.end);
        hidden = true;
    }
    return hidden;
}

void DeviceCode::hide(size_t begin, size_t end) { blank(text_, begin, end); }

}  // namespace lanewise
