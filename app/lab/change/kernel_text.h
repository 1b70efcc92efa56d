// One kernel's text in a source, by its tokens: where its parameters and its body are, and edits of
// it. Private to lab/.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "base/c_expression.h"

namespace lanewise {

// Text in place of [begin, end) of the source.
struct TextEdit {
    size_t begin = 0, end = 0;
    std::string text;
};
// The edits must not overlap.
std::string edited(const std::string& source, std::vector<TextEdit> edits);

class KernelText {
  public:
    // source must outlive it. Without such a kernel, body_begin() == body_end().
    KernelText(const std::string& source, const std::string& kernel);

    const std::vector<CToken>& tokens() const { return tokens_; }
    std::string_view text(size_t token) const {
        return token < tokens_.size() ? tokens_[token].text : std::string_view();
    }
    // Tokens: of the parameters, without the brackets; of the body, likewise.
    size_t parameters_begin() const { return parameters_begin_; }
    size_t parameters_end() const { return parameters_end_; }
    size_t body_begin() const { return body_begin_; }
    size_t body_end() const { return body_end_; }

    // The token of the bracket that closes the one at `open`: ( [ {; tokens().size() where none does.
    size_t closing(size_t open) const;
    size_t begin_of(size_t token) const { return tokens_[token].at; }
    size_t end_of(size_t token) const { return tokens_[token].at + tokens_[token].text.size(); }
    // The source from token `first` to before token `last`; "" where there is none between.
    std::string between(size_t first, size_t last) const;
    // The blanks that the token's line begins with, and where the line begins.
    std::string indentation(size_t token) const;
    size_t line_begin(size_t token) const;
    bool begins_line(size_t token) const;
    bool has_name(std::string_view name) const;  // anywhere in the source

  private:
    const std::string& source_;
    std::vector<CToken> tokens_;
    size_t parameters_begin_ = 0, parameters_end_ = 0, body_begin_ = 0, body_end_ = 0;
};

bool is_assignment(std::string_view sign);  // "=", "+=", …
// A word alone, or in brackets.
std::string in_brackets(const std::string& expression);

}  // namespace lanewise
