#include "base/c_expression.h"

#include <algorithm>
#include <array>
#include <cctype>

#include "base/text.h"

namespace lanewise {
namespace {

constexpr int kMostDepth = 64;

bool is_name_begin(char c) { return std::isalpha(static_cast<unsigned char>(c)) || c == '_'; }
bool is_name(char c) { return is_name_begin(c) || std::isdigit(static_cast<unsigned char>(c)); }

// The end of the blank or comment that begins at `at`; `at` where there is none.
size_t end_of_blank(std::string_view text, size_t at) {
    if (std::isspace(static_cast<unsigned char>(text[at]))) return at + 1;
    std::string_view rest = text.substr(at);
    if (rest.starts_with("//")) return std::min(text.find('\n', at), text.size());
    if (!rest.starts_with("/*")) return at;
    size_t end = text.find("*/", at + 2);
    return end == std::string_view::npos ? text.size() : end + 2;
}

size_t end_of_name(std::string_view text, size_t at) {
    while (at < text.size()) {
        if (is_name(text[at]))
            ++at;
        else if (text[at] == '.' && at + 1 < text.size() && is_name_begin(text[at + 1]))
            ++at;
        else if (text.substr(at).starts_with("::"))
            at += 2;
        else
            break;
    }
    return at;
}

constexpr std::string_view kLongSigns[] = {
    "<<=", ">>=", "||", "&&", "==", "!=", "<=", ">=", "<<", ">>",
    "+=",  "-=",  "*=", "/=", "&=", "|=", "^=", "++", "--", "->"};

size_t end_of_sign(std::string_view text, size_t at) {
    for (std::string_view sign : kLongSigns)
        if (text.substr(at).starts_with(sign)) return at + sign.size();
    return at + 1;
}

struct Operator {
    std::string_view sign;
    int level;  // higher binds tighter
    std::optional<int64_t> (*apply)(int64_t, int64_t);
};
// Overflow is nobody's index: it gives nothing.
template <bool (*F)(int64_t, int64_t, int64_t*)>
std::optional<int64_t> checked(int64_t a, int64_t b) {
    int64_t result = 0;
    if (F(a, b, &result)) return std::nullopt;
    return result;
}
bool add(int64_t a, int64_t b, int64_t* r) { return __builtin_add_overflow(a, b, r); }
bool subtract(int64_t a, int64_t b, int64_t* r) { return __builtin_sub_overflow(a, b, r); }
bool multiply(int64_t a, int64_t b, int64_t* r) { return __builtin_mul_overflow(a, b, r); }

using Value = std::optional<int64_t>;
constexpr Operator kOperators[] = {
    {"||", 1, [](int64_t a, int64_t b) -> Value { return a || b; }},
    {"&&", 2, [](int64_t a, int64_t b) -> Value { return a && b; }},
    {"|", 3, [](int64_t a, int64_t b) -> Value { return a | b; }},
    {"^", 4, [](int64_t a, int64_t b) -> Value { return a ^ b; }},
    {"&", 5, [](int64_t a, int64_t b) -> Value { return a & b; }},
    {"==", 6, [](int64_t a, int64_t b) -> Value { return a == b; }},
    {"!=", 6, [](int64_t a, int64_t b) -> Value { return a != b; }},
    {"<", 7, [](int64_t a, int64_t b) -> Value { return a < b; }},
    {">", 7, [](int64_t a, int64_t b) -> Value { return a > b; }},
    {"<=", 7, [](int64_t a, int64_t b) -> Value { return a <= b; }},
    {">=", 7, [](int64_t a, int64_t b) -> Value { return a >= b; }},
    {"<<", 8,
     [](int64_t a, int64_t b) -> Value {
         if (b < 0 || b > 62 || a < 0 || a > (int64_t{1} << 62) >> b) return std::nullopt;
         return a << b;
     }},
    {">>", 8,
     [](int64_t a, int64_t b) -> Value {
         if (b < 0 || b > 63) return std::nullopt;
         return a >> b;
     }},
    {"+", 9, checked<add>},
    {"-", 9, checked<subtract>},
    {"*", 10, checked<multiply>},
    {"/", 10,
     [](int64_t a, int64_t b) -> Value {
         if (b == 0 || b == -1) return b == 0 ? Value() : checked<subtract>(0, a);
         return a / b;
     }},
    {"%", 10,
     [](int64_t a, int64_t b) -> Value {
         if (b == 0) return std::nullopt;
         return b == -1 ? 0 : a % b;
     }},
};

// Conversions that leave an index as it is.
constexpr std::string_view kTypes[] = {"int",       "unsigned", "size_t",   "long",    "short",
                                       "char",      "int32_t",  "uint32_t", "int64_t", "uint64_t",
                                       "ptrdiff_t", "signed",   "const"};
bool is_type(std::string_view name) {
    if (name.starts_with("std::")) name.remove_prefix(5);
    return std::find(std::begin(kTypes), std::end(kTypes), name) != std::end(kTypes);
}

// Throws Unknown where it cannot go on.
struct Unknown {};

class Evaluator {
  public:
    Evaluator(std::string_view text, const CNames& names, int depth)
        : tokens_(c_tokens(text)), names_(names), depth_(depth) {}

    int64_t all() {
        int64_t value = ternary();
        if (token().kind != CToken::Kind::end) throw Unknown{};
        return value;
    }

  private:
    const CToken& token() const { return tokens_[next_]; }
    bool take(std::string_view sign) {
        if (token().kind != CToken::Kind::sign || token().text != sign) return false;
        ++next_;
        return true;
    }
    void want(std::string_view sign) {
        if (!take(sign)) throw Unknown{};
    }

    int64_t ternary() {
        if (++depth_ > kMostDepth) throw Unknown{};
        int64_t condition = binary(1);
        if (take("?")) {
            int64_t yes = ternary();
            want(":");
            int64_t no = ternary();
            condition = condition ? yes : no;
        }
        --depth_;
        return condition;
    }

    int64_t binary(int level) {
        int64_t left = unary();
        for (;;) {
            const Operator* found = nullptr;
            for (const Operator& each : kOperators)
                if (token().kind == CToken::Kind::sign && token().text == each.sign &&
                    each.level >= level)
                    found = &each;
            if (!found) return left;
            ++next_;
            int64_t right = binary(found->level + 1);
            Value result = found->apply(left, right);
            if (!result) throw Unknown{};
            left = *result;
        }
    }

    int64_t unary() {
        if (++depth_ > kMostDepth) throw Unknown{};
        int64_t value = 0;
        if (take("-"))
            value = 0 - unary();
        else if (take("+"))
            value = unary();
        else if (take("~"))
            value = ~unary();
        else if (take("!"))
            value = !unary();
        else
            value = primary();
        --depth_;
        return value;
    }

    int64_t primary() {
        if (take("(")) return in_brackets();
        CToken token = tokens_[next_];
        if (token.kind == CToken::Kind::number) {
            ++next_;
            return number(token.text);
        }
        if (token.kind != CToken::Kind::name) throw Unknown{};
        ++next_;
        if (take("(")) return call(token.text);
        auto found = names_.values.find(token.text);
        if (found == names_.values.end()) throw Unknown{};
        return found->second;
    }

    // "(expression)", or "(type) unary".
    int64_t in_brackets() {
        if (token().kind == CToken::Kind::name && is_type(token().text)) {
            while (token().kind == CToken::Kind::name && is_type(token().text)) ++next_;
            if (take(")")) return unary();
            throw Unknown{};
        }
        int64_t value = ternary();
        want(")");
        return value;
    }

    static int64_t number(std::string_view text) {
        while (!text.empty() &&
               std::string_view("uUlL").find(text.back()) != std::string_view::npos)
            text.remove_suffix(1);
        int64_t value = 0;
        int base = text.starts_with("0x") || text.starts_with("0X") ? 16 : 10;
        if (base == 16) text.remove_prefix(2);
        if (text.empty() || text.size() > 15) throw Unknown{};
        for (char c : text) {
            int digit = std::isdigit(static_cast<unsigned char>(c)) ? c - '0'
                        : std::isxdigit(static_cast<unsigned char>(c))
                            ? std::tolower(static_cast<unsigned char>(c)) - 'a' + 10
                            : 99;
            if (digit >= base) throw Unknown{};
            value = value * base + digit;
        }
        return value;
    }

    int64_t call(std::string_view name) {
        if (name == "sizeof") {
            std::string type(token().text);
            ++next_;
            want(")");
            auto found = names_.values.find("sizeof(" + type + ")");
            if (found == names_.values.end()) throw Unknown{};
            return found->second;
        }
        std::vector<int64_t> given;
        if (!take(")")) {
            do given.push_back(ternary());
            while (take(","));
            want(")");
        }
        if (is_type(name) && given.size() == 1) return given[0];
        if ((name == "min" || name == "max") && given.size() == 2)
            return name == "min" ? std::min(given[0], given[1]) : std::max(given[0], given[1]);
        auto found = names_.functions.find(name);
        if (found == names_.functions.end() || found->second.parameters.size() != given.size())
            throw Unknown{};
        CNames inside = names_;
        for (size_t i = 0; i < given.size(); ++i)
            inside.values[found->second.parameters[i]] = given[i];
        Value value = c_evaluate(found->second.body, inside, depth_ + 8);
        if (!value) throw Unknown{};
        return *value;
    }

    std::vector<CToken> tokens_;
    const CNames& names_;
    int depth_;
    size_t next_ = 0;
};

}  // namespace

std::vector<CToken> c_tokens(std::string_view text) {
    std::vector<CToken> tokens;
    for (size_t at = 0; at < text.size();) {
        if (size_t end = end_of_blank(text, at); end != at) {
            at = end;
            continue;
        }
        CToken token{CToken::Kind::sign, {}, at};
        size_t end = at;
        if (is_name_begin(text[at])) {
            token.kind = CToken::Kind::name;
            end = end_of_name(text, at);
        } else if (std::isdigit(static_cast<unsigned char>(text[at]))) {
            token.kind = CToken::Kind::number;
            while (end < text.size() && is_name(text[end])) ++end;
        } else {
            end = end_of_sign(text, at);
        }
        token.text = text.substr(at, end - at);
        tokens.push_back(token);
        at = end;
    }
    tokens.push_back({CToken::Kind::end, {}, text.size()});
    return tokens;
}

std::optional<int64_t> c_evaluate(std::string_view text, const CNames& names, int depth) {
    try {
        return Evaluator(text, names, depth).all();
    } catch (const Unknown&) {
        return std::nullopt;
    }
}

}  // namespace lanewise
