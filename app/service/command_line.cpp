#include "service/command_line.h"

#include "base/error.h"

namespace lanewise {

namespace {

class Splitter {
  public:
    explicit Splitter(std::string_view command) : command_(command) {}

    std::vector<std::string> words() {
        while (at_ < command_.size()) {
            char c = command_[at_++];
            if (c == ' ' || c == '\t' || c == '\n')
                finish_word();
            else if (c == '\'')
                quoted('\'', false);
            else if (c == '"')
                quoted('"', true);
            else if (c == '\\')
                add(next("nothing follows the last backslash"));
            else
                add(c);
        }
        finish_word();
        if (words_.empty()) fail("it is empty");
        return std::move(words_);
    }

  private:
    [[noreturn]] void fail(const std::string& why) const {
        throw Error(Status::bad_input,
                    "cannot use \"" + std::string(command_) + "\" as the engine's command: " + why);
    }
    char next(const char* otherwise) {
        if (at_ == command_.size()) fail(otherwise);
        return command_[at_++];
    }
    void add(char c) {
        word_ += c;
        in_word_ = true;
    }
    void finish_word() {
        if (in_word_) words_.push_back(word_);
        word_.clear();
        in_word_ = false;
    }
    void quoted(char quote, bool escapes) {
        in_word_ = true;  // '' is a word, though an empty one
        for (;;) {
            char c = next("a quote is not closed");
            if (c == quote) return;
            if (escapes && c == '\\') {
                char escaped = next("a quote is not closed");
                if (escaped != '"' && escaped != '\\') word_ += c;
                c = escaped;
            }
            word_ += c;
        }
    }

    std::string_view command_;
    size_t at_ = 0;
    std::vector<std::string> words_;
    std::string word_;
    bool in_word_ = false;
};

}  // namespace

std::vector<std::string> split_command(std::string_view command) {
    return Splitter(command).words();
}

bool is_engine_address(const std::vector<std::string>& words) {
    return !words.empty() && (words[0].starts_with("ws://") || words[0].starts_with("wss://"));
}

}  // namespace lanewise
