// A recursive-descent evaluator; each function below carries its rule of the grammar in the header.
#include "course/expression.h"

#include <algorithm>
#include <cctype>
#include <vector>

#include "base/error.h"

namespace lanewise {
namespace {

constexpr int kDeepest = 64;  // nested parentheses and signs, so that no text exhausts the stack

class Evaluator {
  public:
    Evaluator(std::string_view text, const NameLookup& lookup) : text_(text), lookup_(lookup) {}

    int64_t all() {
        int64_t value = any();
        skip_blanks();
        if (at_ != text_.size()) fail(at_, "expected an operator or the end");
        return value;
    }

  private:
    // or = and { "||" and }
    int64_t any() {
        Nesting nesting(*this);
        int64_t value = every();
        while (take("||")) {
            Skipping skipping(*this, value != 0);
            int64_t right = every();
            value = value != 0 || right != 0;
        }
        return value;
    }

    // and = compare { "&&" compare }
    int64_t every() {
        int64_t value = compare();
        while (take("&&")) {
            Skipping skipping(*this, value == 0);
            int64_t right = compare();
            value = value != 0 && right != 0;
        }
        return value;
    }

    // compare = sum [ ("==" | "!=" | "<=" | ">=" | "<" | ">") sum ]
    int64_t compare() {
        int64_t left = sum();
        if (take("==")) return left == sum();
        if (take("!=")) return left != sum();
        if (take("<=")) return left <= sum();
        if (take(">=")) return left >= sum();
        if (take("<")) return left < sum();
        if (take(">")) return left > sum();
        return left;
    }

    // sum = product { ("+" | "-") product }
    int64_t sum() {
        int64_t value = product();
        for (;;) {
            size_t spot = next();
            if (take("+"))
                value = add(spot, value, product());
            else if (take("-"))
                value = subtract(spot, value, product());
            else
                return value;
        }
    }

    // product = unary { ("*" | "/" | "%") unary }
    int64_t product() {
        int64_t value = unary();
        for (;;) {
            size_t spot = next();
            if (take("*"))
                value = multiply(spot, value, unary());
            else if (take("/"))
                value = divide(spot, value, unary());
            else if (take("%"))
                value = remainder(spot, value, unary());
            else
                return value;
        }
    }

    // unary = ["-" | "!"] primary
    int64_t unary() {
        Nesting nesting(*this);
        size_t spot = next();
        if (take("-")) return subtract(spot, 0, unary());
        if (!peek("!=") && take("!")) return unary() == 0;
        return primary();
    }

    // primary = number | name | name "(" expr { "," expr } ")" | "(" expr ")"
    int64_t primary() {
        size_t spot = next();
        if (take("(")) {
            int64_t value = any();
            close(spot);
            return value;
        }
        if (spot == text_.size()) fail(spot, "expected a number or a name");
        char first = text_[spot];
        if (is_digit(first)) return number();
        if (!is_name_start(first)) fail(spot, "expected a number or a name");
        while (at_ < text_.size() && is_name_part(text_[at_])) ++at_;
        std::string_view name = text_.substr(spot, at_ - spot);
        if (take("(")) return call(spot, name);
        int64_t value = 0;
        if (!lookup_(name, value)) fail(spot, "unknown name \"" + std::string(name) + "\"");
        return value;
    }

    int64_t number() {
        size_t spot = at_;
        int64_t value = 0;
        for (; at_ < text_.size() && is_digit(text_[at_]); ++at_)
            if (__builtin_mul_overflow(value, int64_t{10}, &value) ||
                __builtin_add_overflow(value, int64_t{text_[at_] - '0'}, &value))
                fail(spot, "this number does not fit 64 bits");
        if (at_ < text_.size() && is_name_part(text_[at_]))
            fail(at_, "expected an operator after the number");
        return value;
    }

    int64_t call(size_t spot, std::string_view name) {
        std::vector<int64_t> arguments = {any()};
        while (take(",")) arguments.push_back(any());
        close(spot + name.size());
        if (name != "ceil_div" && name != "min" && name != "max")
            fail(spot, "unknown function \"" + std::string(name) +
                           "\"; there are ceil_div(a, b), min(a, b) and max(a, b)");
        if (arguments.size() != 2) fail(spot, std::string(name) + " takes two arguments");
        int64_t a = arguments[0], b = arguments[1];
        if (name == "min") return std::min(a, b);
        if (name == "max") return std::max(a, b);
        int64_t quotient = divide(spot, a, b);
        bool rounds_up = b != 0 && remainder(spot, a, b) != 0 && (a < 0) == (b < 0);
        return rounds_up ? quotient + 1 : quotient;
    }

    int64_t add(size_t spot, int64_t a, int64_t b) {
        int64_t result = 0;
        return __builtin_add_overflow(a, b, &result) ? overflow(spot) : result;
    }

    int64_t subtract(size_t spot, int64_t a, int64_t b) {
        int64_t result = 0;
        return __builtin_sub_overflow(a, b, &result) ? overflow(spot) : result;
    }

    int64_t multiply(size_t spot, int64_t a, int64_t b) {
        int64_t result = 0;
        return __builtin_mul_overflow(a, b, &result) ? overflow(spot) : result;
    }

    int64_t divide(size_t spot, int64_t a, int64_t b) {
        if (b == 0) return skipping_ ? 0 : fail(spot, "division by zero");
        return b == -1 ? subtract(spot, 0, a) : a / b;
    }

    int64_t remainder(size_t spot, int64_t a, int64_t b) {
        if (b == 0) return skipping_ ? 0 : fail(spot, "division by zero");
        return b == -1 ? 0 : a % b;
    }

    int64_t overflow(size_t spot) {
        return skipping_ ? 0 : fail(spot, "the result does not fit 64 bits");
    }

    void close(size_t opened) {
        if (!take(")")) fail(opened, "this parenthesis is not closed");
    }

    void skip_blanks() {
        while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_]))) ++at_;
    }

    size_t next() {
        skip_blanks();
        return at_;
    }

    bool peek(std::string_view token) {
        skip_blanks();
        return text_.substr(at_).starts_with(token);
    }

    bool take(std::string_view token) {
        if (!peek(token)) return false;
        at_ += token.size();
        return true;
    }

    static bool is_digit(char c) { return c >= '0' && c <= '9'; }
    static bool is_name_start(char c) {
        return std::isalpha(static_cast<unsigned char>(c)) || c == '_';
    }
    static bool is_name_part(char c) { return is_name_start(c) || is_digit(c) || c == '.'; }

    [[noreturn]] int64_t fail(size_t spot, const std::string& reason) const {
        throw Error(Status::bad_input, reason + "\n    " + std::string(text_) + "\n    " +
                                           std::string(spot, ' ') + "^");
    }

    // The right side of a decided || or && is read, but may divide by zero or overflow.
    struct Skipping {
        Skipping(Evaluator& e, bool skip) : evaluator(e), before(e.skipping_) {
            evaluator.skipping_ = before || skip;
        }
        ~Skipping() { evaluator.skipping_ = before; }
        Evaluator& evaluator;
        bool before;
    };

    struct Nesting {
        explicit Nesting(Evaluator& e) : evaluator(e) {
            if (++evaluator.depth_ > kDeepest) evaluator.fail(evaluator.at_, "nested too deeply");
        }
        ~Nesting() { --evaluator.depth_; }
        Evaluator& evaluator;
    };

    std::string_view text_;
    const NameLookup& lookup_;
    size_t at_ = 0;
    int depth_ = 0;
    bool skipping_ = false;
};

}  // namespace

int64_t evaluate(std::string_view expression, const NameLookup& lookup) {
    return Evaluator(expression, lookup).all();
}

}  // namespace lanewise
