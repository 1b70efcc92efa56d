// A scanner that knows of TOML only quotes, comments and lines.
#include "course/foreign_letters.h"

#include <algorithm>

namespace lanewise {
namespace {

class Scanner {
  public:
    explicit Scanner(std::string_view text) : text_(text) {}

    int line() {
        while (at_ < text_.size()) {
            if (is_foreign()) return line_now();
            if (text_[at_] == '#')
                at_ = std::min(text_.find('\n', at_), text_.size());
            else if (text_[at_] != '"' && text_[at_] != '\'')
                ++at_;
            else if (!skip_quoted(text_[at_]))
                return line_now();
        }
        return -1;
    }

  private:
    // From the opening quote to behind the closing one. False where it stops at a foreign letter.
    bool skip_quoted(char quote) {
        const std::string_view three = quote == '"' ? R"(""")" : "'''";
        const bool many_lines = text_.substr(at_).starts_with(three);
        at_ += many_lines ? 3 : 1;
        while (at_ < text_.size()) {
            if (quote == '"' && text_[at_] == '\\') {
                ++at_;
                if (many_lines) skip_blanks();
                if (is_foreign()) return false;
                // What is escaped, a quote for one; blanks escape nothing.
                if (at_ < text_.size() && !is_blank(text_[at_ - 1])) ++at_;
            } else if (!many_lines && text_[at_] == '\n') {
                return true;  // toml++ refuses it here
            } else if (text_.substr(at_).starts_with(many_lines ? three : three.substr(0, 1))) {
                at_ += many_lines ? 3 : 1;
                // Up to two quotes more belong to the text between triple quotes.
                for (int i = 0; many_lines && i < 2 && at_ < text_.size() && text_[at_] == quote;
                     ++i)
                    ++at_;
                return true;
            } else {
                ++at_;
            }
        }
        return true;
    }

    static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }
    void skip_blanks() {
        while (at_ < text_.size() && is_blank(text_[at_])) ++at_;
    }
    bool is_foreign() const {
        return at_ < text_.size() && static_cast<unsigned char>(text_[at_]) > 127;
    }
    int line_now() const {
        return static_cast<int>(
            std::count(text_.begin(), text_.begin() + static_cast<long>(at_), '\n'));
    }

    std::string_view text_;
    size_t at_ = 0;
};

}  // namespace

int line_of_foreign_letter(std::string_view toml) { return Scanner(toml).line(); }

}  // namespace lanewise
