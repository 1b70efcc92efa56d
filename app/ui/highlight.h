// Colours CUDA C++ source: a line-by-line lexer, good enough for stages of a page or two.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace lanewise::ui {

enum class Token { plain, keyword, cuda, number, text, comment, preprocessor };

struct Span {
    size_t begin = 0, end = 0;  // bytes of the line
    Token token = Token::plain;
};
using SourceLine = std::vector<Span>;  // in order, covering the line

// One entry per line of `source` (as lines_of splits it).
std::vector<SourceLine> highlight(std::string_view source);

}  // namespace lanewise::ui
