#include "ptx/tokens.h"

#include "base/error.h"
#include "base/text.h"

namespace lanewise::ptx {

namespace {

bool in_word(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '.' || c == '$' || c == '%';
}

class Lexer {
  public:
    explicit Lexer(std::string_view text) : text_(text) {}

    std::vector<Token> run() {
        while (skip_blanks(), at_ < text_.size()) {
            size_t start = at_;
            int line = line_;
            if (in_word(text_[at_]))
                word();
            else if (text_[at_] == '"')
                quoted();
            else
                punctuation();
            result_.push_back({text_.substr(start, at_ - start), line, start});
        }
        result_.push_back({text_.substr(text_.size()), line_, text_.size()});
        return std::move(result_);
    }

  private:
    void skip_blanks() {
        for (; at_ < text_.size(); ++at_) {
            char c = text_[at_];
            if (c == '\n') ++line_;
            if (c == '\n' || c == ' ' || c == '\t' || c == '\r') continue;
            if (text_.substr(at_, 2) == "//")
                skip_to("\n");
            else if (text_.substr(at_, 2) == "/*")
                skip_to("*/");
            else
                return;
            --at_;  // the loop steps over what skip_to stopped behind
        }
    }
    // Behind a block comment's end, but before a line's.
    void skip_to(std::string_view end) {
        size_t found = text_.find(end, at_ + 2);
        if (found == std::string_view::npos) {
            if (end != "\n") fail(text_, line_, "the comment does not end");
            found = text_.size();
        }
        for (size_t i = at_; i < found; ++i) line_ += text_[i] == '\n';
        at_ = end == "\n" ? found : found + end.size();
    }
    // A double colon belongs to the word (L1::no_allocate), a single one ends a label. Directives
    // may stand close together: .reg.b16 is two words.
    void word() {
        bool is_directive = text_[at_] == '.';
        do at_ += in_word(text_[at_]) ? 1 : 2;
        while (at_ < text_.size() && (in_word(text_[at_]) || text_.substr(at_, 2) == "::") &&
               !(is_directive && text_[at_] == '.'));
    }
    void quoted() {
        size_t end = text_.find_first_of("\"\n", at_ + 1);
        if (end == std::string_view::npos || text_[end] == '\n')
            fail(text_, line_, "the string does not end");
        at_ = end + 1;
    }
    void punctuation() {
        constexpr std::string_view known = "{}[]()<>,;:@!|+-=*/&~?^";
        if (known.find(text_[at_]) == std::string_view::npos)
            fail(text_, line_, "there is a character that PTX does not have");
        ++at_;
    }

    std::string_view text_;
    size_t at_ = 0;
    int line_ = 1;
    std::vector<Token> result_;
};

}  // namespace

std::vector<Token> tokens(std::string_view text) { return Lexer(text).run(); }

void fail(std::string_view text, int line, const std::string& reason) {
    auto lines = lines_of(text);
    std::string shown;
    if (line >= 1 && static_cast<size_t>(line) <= lines.size())
        shown = trimmed(lines[static_cast<size_t>(line) - 1]).substr(0, 200);
    throw Error(Status::bad_input,
                "PTX line " + std::to_string(line) + ": " + reason + ": " + shown);
}

}  // namespace lanewise::ptx
