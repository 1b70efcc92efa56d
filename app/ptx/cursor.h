// Where the parser stands in the token stream.
#pragma once
#include <algorithm>
#include <charconv>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "ptx/tokens.h"

namespace lanewise::ptx {

class Cursor {
  public:
    explicit Cursor(std::string_view text) : text_(text), tokens_(tokens(text)) {}

    std::string_view peek() const { return tokens_[at_].text; }
    std::string_view peek_next() const { return tokens_[std::min(at_ + 1, last())].text; }
    int line() const { return tokens_[at_].line; }
    bool at_end() const { return at_ == last(); }
    std::string_view next() { return tokens_[at_ == last() ? at_ : at_++].text; }
    bool accept(std::string_view token) {
        if (at_end() || peek() != token) return false;
        ++at_;
        return true;
    }
    void expect(std::string_view token) {
        if (!accept(token)) fail("expected '" + std::string(token) + "'" + but_found());
    }
    [[noreturn]] void fail(const std::string& reason) const { ptx::fail(text_, line(), reason); }
    [[noreturn]] void fail(const std::string& reason, int line) const {
        ptx::fail(text_, line, reason);
    }

    // A decimal, hexadecimal or octal integer, or a float's bits (0f3F800000, 0d…), with its sign.
    uint64_t number() {
        bool negative = accept("-");
        uint64_t value = 0;
        if (!read_number(peek(), value)) fail("expected a number" + but_found());
        next();
        return negative ? 0 - value : value;
    }
    // A number from 0 to `most`.
    uint32_t small_number(uint32_t most) {
        uint64_t value = number();
        if (value > most) fail("the number is too large");
        return static_cast<uint32_t>(value);
    }
    bool at_number() const { return !peek().empty() && peek()[0] >= '0' && peek()[0] <= '9'; }

    // Steps over everything up to and including `token`, whatever is nested in braces.
    void skip_past(std::string_view token) {
        int depth = 0;
        while (!at_end()) {
            std::string_view passed = next();
            depth += (passed == "{") - (passed == "}");
            if (depth <= 0 && passed == token) return;
        }
        fail("the text ends before '" + std::string(token) + "'");
    }
    // To read a part of the text once more, later.
    size_t mark() const { return at_; }
    void return_to(size_t mark) { at_ = mark; }
    size_t offset() const { return tokens_[at_].offset; }
    // Source text from `offset` to here, runs of blanks made one.
    std::string text_since(size_t offset) const {
        std::string result;
        for (char c : text_.substr(offset, tokens_[at_].offset - offset)) {
            bool blank = c == ' ' || c == '\t' || c == '\n' || c == '\r';
            if (!blank) result += c;
            if (blank && !result.empty() && result.back() != ' ') result += ' ';
        }
        if (!result.empty() && result.back() == ' ') result.pop_back();
        return result;
    }

  private:
    size_t last() const { return tokens_.size() - 1; }
    std::string but_found() const {
        return at_end() ? " but the text ends" : " but found '" + std::string(peek()) + "'";
    }
    static bool read_number(std::string_view word, uint64_t& value) {
        if (word.size() > 1 && word.back() == 'U') word.remove_suffix(1);
        int base = 10;
        if (word.size() > 2 && word[0] == '0') {
            if (word[1] == 'x' || word[1] == 'X' || word[1] == 'f' || word[1] == 'F' ||
                word[1] == 'd' || word[1] == 'D')
                base = 16;
            if (word[1] == 'b' || word[1] == 'B') base = 2;
        }
        if (base != 10) word.remove_prefix(2);
        auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value, base);
        return error == std::errc() && end == word.data() + word.size() && !word.empty();
    }

    std::string_view text_;
    std::vector<Token> tokens_;
    size_t at_ = 0;
};

}  // namespace lanewise::ptx
