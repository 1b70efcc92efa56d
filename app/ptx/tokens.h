// PTX text -> tokens, the parser's first step.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace lanewise::ptx {

// A word (an identifier, directive, opcode or number, dots included), a string with its quotes, or
// one punctuation character. Empty at the end of the text.
struct Token {
    std::string_view text;
    int line = 0;       // 1-based
    size_t offset = 0;  // of its first character in the text
};

// Comments are dropped. The last token is the empty one. Throws Error(bad_input) at a character
// that PTX does not have, or an unfinished comment or string.
std::vector<Token> tokens(std::string_view text);

// "PTX line 12: <reason>: <the line's text>" as Error(bad_input).
[[noreturn]] void fail(std::string_view text, int line, const std::string& reason);

}  // namespace lanewise::ptx
