// Colours source: a line-by-line lexer, good enough for stages of a page or two. CUDA C++, and
// plainly what PTX may come from: Python, and whatever else looks like C.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace lanewise::ui {

enum class TokenKind { plain, keyword, cuda, number, text, comment, preprocessor };

struct TokenSpan {
    size_t begin = 0, end = 0;  // bytes of the line
    TokenKind token = TokenKind::plain;
};
using SourceLine = std::vector<TokenSpan>;  // in order, covering the line

// One entry per line of `source` (as lines_of splits it). `file`: its name, which says the
// language; what is no .py or .ptx is CUDA C++.
std::vector<SourceLine> highlight(std::string_view source, std::string_view file = "");

}  // namespace lanewise::ui
