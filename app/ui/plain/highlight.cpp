#include "ui/plain/highlight.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <span>

#include "base/text.h"

namespace lanewise::ui {
namespace {

constexpr std::array<std::string_view, 36> kKeywords = {
    "alignas",   "auto",     "bool",   "break",  "case",   "char",      "class",    "const",
    "constexpr", "continue", "do",     "double", "else",   "enum",      "false",    "float",
    "for",       "if",       "inline", "int",    "long",   "namespace", "operator", "return",
    "short",     "signed",   "sizeof", "static", "struct", "switch",    "template", "true",
    "typename",  "unsigned", "void",   "while"};
constexpr std::array<std::string_view, 12> kCuda = {
    "__global__", "__device__", "__shared__", "__restrict__", "__syncthreads", "__launch_bounds__",
    "threadIdx",  "blockIdx",   "blockDim",   "gridDim",      "__syncwarp",    "warpSize"};

constexpr std::array<std::string_view, 33> kPython = {
    "and",  "as",     "assert", "async",  "await",  "break",   "class",    "continue", "def",
    "del",  "elif",   "else",   "except", "False",  "finally", "for",      "from",     "global",
    "if",   "import", "in",     "is",     "lambda", "None",    "nonlocal", "not",      "or",
    "pass", "return", "True",   "while",  "with",   "yield"};
// What Triton and Numba call the GPU by.
constexpr std::array<std::string_view, 4> kPythonCuda = {"tl", "triton", "cuda", "numba"};

struct Language {
    std::span<const std::string_view> keywords = {}, cuda = {};
    std::string_view comment;  // to the line's end
    bool has_block_comments = true;
    bool has_preprocessor = true;   // # lines; of PTX its directives
    bool has_long_strings = false;  // three quotes
    bool has_opcodes = false;
    std::string_view quotes = "\"'";
};
const Language kCpp = {.keywords = kKeywords, .cuda = kCuda, .comment = "//"};
const Language kOfPython = {.keywords = kPython,
                            .cuda = kPythonCuda,
                            .comment = "#",
                            .has_block_comments = false,
                            .has_preprocessor = false,
                            .has_long_strings = true};
const Language kPtx = {.comment = "//", .has_opcodes = true, .quotes = "\""};

const Language& language_of(std::string_view file) {
    return file.ends_with(".py") ? kOfPython : file.ends_with(".ptx") ? kPtx : kCpp;
}

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

TokenKind word_kind(std::string_view word, const Language& language) {
    if (std::isdigit(static_cast<unsigned char>(word[0]))) return TokenKind::number;
    auto is_one_of = [&](auto words) {
        return std::find(words.begin(), words.end(), word) != words.end();
    };
    if (is_one_of(language.keywords)) return TokenKind::keyword;
    return is_one_of(language.cuda) ? TokenKind::cuda : TokenKind::plain;
}

// What a line of PTX begins with, a directive or an opcode, as far as it goes; plain for a label, a
// brace and the like.
TokenKind opening(std::string_view line, size_t at, size_t& end) {
    end = at;
    while (end < line.size() && (is_word(line[end]) || line[end] == '.' || line[end] == ':')) ++end;
    if (end == at || line[end - 1] == ':') return TokenKind::plain;
    return line[at] == '.' ? TokenKind::preprocessor : TokenKind::keyword;
}

// State from line to line: inside of a comment, or of a string of three quotes, which it is.
struct OpenedText {
    bool comment = false;
    std::string_view string;
};

SourceLine highlight_line(std::string_view line, const Language& language, OpenedText& open) {
    SourceLine spans;
    auto add = [&](size_t begin, size_t end, TokenKind token) {
        if (begin == end) return;
        if (!spans.empty() && spans.back().token == token)
            spans.back().end = end;
        else
            spans.push_back({begin, end, token});
    };
    size_t at = 0;
    while (at < line.size()) {
        size_t begin = at;
        bool is_first = trimmed(line.substr(0, at)).empty();
        std::string_view three = line.substr(at, 3);
        bool opens_long = language.has_long_strings && (three == "\"\"\"" || three == "'''");
        if (!open.string.empty() || opens_long) {
            size_t from = open.string.empty() ? at + 3 : at;
            if (open.string.empty()) open.string = three[0] == '"' ? "\"\"\"" : "'''";
            size_t close = line.find(open.string, from);
            at = close == line.npos ? line.size() : close + 3;
            if (close != line.npos) open.string = {};
            add(begin, at, TokenKind::text);
        } else if (open.comment || (language.has_block_comments && line.substr(at, 2) == "/*")) {
            size_t close = line.find("*/", open.comment ? at : at + 2);
            open.comment = close == line.npos;
            at = open.comment ? line.size() : close + 2;
            add(begin, at, TokenKind::comment);
        } else if (line.substr(at).starts_with(language.comment)) {
            add(begin, at = line.size(), TokenKind::comment);
        } else if (line[at] == '#' && language.has_preprocessor && is_first) {
            add(begin, at = line.size(), TokenKind::preprocessor);
        } else if (size_t end = at; language.has_opcodes && is_first && line[at] != ' ' &&
                                    line[at] != '\t' && opening(line, at, end) != TokenKind::plain) {
            add(begin, end, opening(line, at, end));
            at = end;
        } else if (language.quotes.find(line[at]) != std::string_view::npos) {
            size_t close = line.find(line[at], at + 1);
            at = close == line.npos ? line.size() : close + 1;
            add(begin, at, TokenKind::text);
        } else if (is_word(line[at])) {
            while (at < line.size() && is_word(line[at])) ++at;
            add(begin, at, word_kind(line.substr(begin, at - begin), language));
        } else {
            add(begin, ++at, TokenKind::plain);
        }
    }
    return spans;
}

}  // namespace

std::vector<SourceLine> highlight(std::string_view source, std::string_view file) {
    std::vector<SourceLine> lines;
    OpenedText open;
    for (std::string_view line : lines_of(source))
        lines.push_back(highlight_line(line, language_of(file), open));
    return lines;
}

}  // namespace lanewise::ui
