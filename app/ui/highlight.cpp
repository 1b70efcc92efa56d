#include "ui/highlight.h"

#include <algorithm>
#include <array>
#include <cctype>

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

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

Token word_kind(std::string_view word) {
    if (std::isdigit(static_cast<unsigned char>(word[0]))) return Token::number;
    if (std::find(kKeywords.begin(), kKeywords.end(), word) != kKeywords.end())
        return Token::keyword;
    if (std::find(kCuda.begin(), kCuda.end(), word) != kCuda.end()) return Token::cuda;
    return Token::plain;
}

SourceLine highlight_line(std::string_view line, bool& in_comment) {
    SourceLine spans;
    auto add = [&](size_t begin, size_t end, Token token) {
        if (begin == end) return;
        if (!spans.empty() && spans.back().token == token)
            spans.back().end = end;
        else
            spans.push_back({begin, end, token});
    };
    size_t at = 0;
    while (at < line.size()) {
        size_t begin = at;
        if (in_comment || line.substr(at, 2) == "/*") {
            size_t close = line.find("*/", in_comment ? at : at + 2);
            in_comment = close == line.npos;
            at = in_comment ? line.size() : close + 2;
            add(begin, at, Token::comment);
        } else if (line.substr(at, 2) == "//") {
            add(begin, at = line.size(), Token::comment);
        } else if (line[at] == '#' && trimmed(line.substr(0, at)).empty()) {
            add(begin, at = line.size(), Token::preprocessor);
        } else if (line[at] == '"' || line[at] == '\'') {
            size_t close = line.find(line[at], at + 1);
            at = close == line.npos ? line.size() : close + 1;
            add(begin, at, Token::text);
        } else if (is_word(line[at])) {
            while (at < line.size() && is_word(line[at])) ++at;
            add(begin, at, word_kind(line.substr(begin, at - begin)));
        } else {
            add(begin, ++at, Token::plain);
        }
    }
    return spans;
}

}  // namespace

std::vector<SourceLine> highlight(std::string_view source) {
    std::vector<SourceLine> lines;
    bool in_comment = false;
    for (std::string_view line : lines_of(source))
        lines.push_back(highlight_line(line, in_comment));
    return lines;
}

}  // namespace lanewise::ui
