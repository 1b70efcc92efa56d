// A text becomes a tree once and is then evaluated as often as a breakpoint asks.
#include "lab/step/lane_expression.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>

#include "base/c_expression.h"
#include "base/error.h"
#include "lab/step/lane_arithmetic.h"

namespace lanewise {

struct LaneExpression::Node {
    enum class Kind : uint8_t {
        number,
        name,
        unary,
        binary,
        ternary,
        cast,
        index,
        follow,      // *p
        address_of,  // &x
        call
    } kind = Kind::number;
    size_t at = 0, end = 0;   // in the text
    std::string name;         // name, call: as written; unary, binary: the sign; cast: the element
    LaneValues value = {};    // number
    bool is_pointer = false;  // cast
    std::vector<Node> parts = {};
};

namespace {

using Node = LaneExpression::Node;
constexpr int kMostNesting = 64;

struct BinarySign {
    std::string_view sign;
    int level;  // higher binds tighter
};
constexpr BinarySign kSigns[] = {{"||", 1}, {"&&", 2}, {"|", 3}, {"^", 4},  {"&", 5},  {"==", 6},
                                 {"!=", 6}, {"<", 7},  {">", 7}, {"<=", 7}, {">=", 7}, {"<<", 8},
                                 {">>", 8}, {"+", 9},  {"-", 9}, {"*", 10}, {"/", 10}, {"%", 10}};

[[noreturn]] void refuse(std::string_view text, size_t at, const std::string& why) {
    throw Error(Status::bad_input, fmt::format("{}\n  {}\n  {}^", why, text,
                                               std::string(std::min(at, text.size()), ' ')));
}

bool is_type_word(std::string_view word) {
    return word == "const" || word == "unsigned" || word == "signed" || word == "long" ||
           !element_of(word).empty();
}

class Parser {
  public:
    explicit Parser(std::string_view text) : text_(text), tokens_(c_tokens(text)) {}

    Node all() {
        if (token().kind == CToken::Kind::end)
            refuse(text_, 0, "an expression is missing here: \"row + 1\", \"tile[3]\"");
        Node root = ternary();
        if (token().kind != CToken::Kind::end)
            refuse(text_, token().at, fmt::format("\"{}\" does not belong here", token().text));
        return root;
    }

  private:
    const CToken& token(size_t ahead = 0) const {
        return tokens_[std::min(next_ + ahead, tokens_.size() - 1)];
    }
    bool is(std::string_view sign, size_t ahead = 0) const {
        return token(ahead).kind == CToken::Kind::sign && token(ahead).text == sign;
    }
    bool take(std::string_view sign) {
        if (!is(sign)) return false;
        ++next_;
        return true;
    }
    void want(std::string_view sign) {
        if (!take(sign)) refuse(text_, token().at, fmt::format("\"{}\" is missing here", sign));
    }
    size_t end_of_last() const {
        const CToken& last = tokens_[next_ - 1];
        return std::max(number_end_, last.at + last.text.size());
    }
    Node made(Node::Kind kind, size_t at, std::string name, std::vector<Node> parts) const {
        Node node;
        node.kind = kind;
        node.at = at;
        node.end = end_of_last();
        node.name = std::move(name);
        node.parts = std::move(parts);
        return node;
    }

    Node ternary() {
        if (++depth_ > kMostNesting) refuse(text_, token().at, "this is nested too deeply");
        size_t at = token().at;
        Node condition = binary(1);
        if (take("?")) {
            Node yes = ternary();
            want(":");
            Node no = ternary();
            std::vector<Node> parts;
            parts.push_back(std::move(condition));
            parts.push_back(std::move(yes));
            parts.push_back(std::move(no));
            condition = made(Node::Kind::ternary, at, "?", std::move(parts));
        }
        --depth_;
        return condition;
    }

    Node binary(int level) {
        size_t at = token().at;
        Node left = unary();
        for (;;) {
            auto found = std::find_if(std::begin(kSigns), std::end(kSigns), [&](const auto& each) {
                return is(each.sign) && each.level >= level;
            });
            if (found == std::end(kSigns)) return left;
            ++next_;
            std::vector<Node> parts;
            parts.push_back(std::move(left));
            parts.push_back(binary(found->level + 1));
            left = made(Node::Kind::binary, at, std::string(found->sign), std::move(parts));
        }
    }

    Node unary() {
        if (++depth_ > kMostNesting) refuse(text_, token().at, "this is nested too deeply");
        size_t at = token().at;
        Node result = unary_or_cast(at);
        --depth_;
        return result;
    }

    Node unary_or_cast(size_t at) {
        for (std::string_view sign : {"-", "+", "~", "!", "*", "&"}) {
            if (!take(sign)) continue;
            Node::Kind kind = sign == "*"   ? Node::Kind::follow
                              : sign == "&" ? Node::Kind::address_of
                                            : Node::Kind::unary;
            std::vector<Node> parts;
            parts.push_back(unary());
            return made(kind, at, std::string(sign), std::move(parts));
        }
        if (is("(") && token(1).kind == CToken::Kind::name && is_type_word(token(1).text)) {
            size_t begin = next_++;
            Node cast;
            if (type(cast) && take(")")) return cast_of(std::move(cast), at, unary());
            next_ = begin;
        }
        return postfix();
    }

    // "unsigned char", "float*", "const int *".
    bool type(Node& cast) {
        std::string words;
        while (token().kind == CToken::Kind::name && is_type_word(token().text)) {
            if (token().text != "const")
                words += (words.empty() ? "" : " ") + std::string(token().text);
            ++next_;
        }
        cast.name = element_of(words);
        cast.is_pointer = take("*");
        return !cast.name.empty();
    }

    Node cast_of(Node cast, size_t at, Node of) const {
        cast.kind = Node::Kind::cast;
        cast.at = at;
        cast.end = of.end;
        cast.parts.push_back(std::move(of));
        return cast;
    }

    Node postfix() {
        size_t at = token().at;
        Node result = primary();
        while (take("[")) {
            std::vector<Node> parts;
            parts.push_back(std::move(result));
            parts.push_back(ternary());
            want("]");
            result = made(Node::Kind::index, at, "[]", std::move(parts));
        }
        return result;
    }

    Node primary() {
        size_t at = token().at;
        if (take("(")) {
            Node inside = ternary();
            want(")");
            return inside;
        }
        if (is("%") && token(1).kind == CToken::Kind::name) {
            next_ += 2;
            return made(Node::Kind::name, at, "%" + std::string(tokens_[next_ - 1].text), {});
        }
        bool is_number = token().kind == CToken::Kind::number ||
                         (is(".") && token(1).kind == CToken::Kind::number);
        if (is_number) return number(at);
        if (token().kind != CToken::Kind::name)
            refuse(text_, at, "a name or a number is missing here");
        std::string name(token().text);
        ++next_;
        if (name == "static_cast" && take("<")) return static_cast_to(at);
        if (is("(") && !element_of(name).empty()) {
            Node cast;
            cast.name = element_of(name);
            want("(");
            Node of = ternary();
            want(")");
            return cast_of(std::move(cast), at, std::move(of));
        }
        if (take("(")) return call(at, name);
        return made(Node::Kind::name, at, name, {});
    }

    Node static_cast_to(size_t at) {
        Node cast;
        if (!type(cast)) refuse(text_, token().at, "this type is not known here");
        want(">");
        want("(");
        Node of = ternary();
        want(")");
        return cast_of(std::move(cast), at, std::move(of));
    }

    Node call(size_t at, const std::string& name) {
        if (name == "sizeof") {
            std::string type_name(token().text);
            ++next_;
            want(")");
            return made(Node::Kind::name, at, "sizeof(" + type_name + ")", {});
        }
        std::vector<Node> given;
        if (!take(")")) {
            do given.push_back(ternary());
            while (take(","));
            want(")");
        }
        if (!is_lane_function(name, given.size()))
            refuse(text_, at,
                   fmt::format("the function {} of {} is not known here", name, given.size()));
        return made(Node::Kind::call, at, name, std::move(given));
    }

    // "31", "0x1fu", "0.5f", "1e-3": the tokens that it takes are skipped.
    Node number(size_t at) {
        std::string rest(text_.substr(at));
        char* end = nullptr;
        bool is_hex = rest.starts_with("0x") || rest.starts_with("0X");
        uint64_t whole = std::strtoull(rest.c_str(), &end, is_hex ? 16 : 10);
        auto length = static_cast<size_t>(end - rest.c_str());
        double real = 0;
        bool has_point =
            !is_hex && (rest[length] == '.' || rest[length] == 'e' || rest[length] == 'E');
        if (has_point) {
            real = std::strtod(rest.c_str(), &end);
            length = static_cast<size_t>(end - rest.c_str());
        }
        std::string suffix;
        while (length < rest.size() && std::isalpha(static_cast<unsigned char>(rest[length])))
            suffix += static_cast<char>(std::tolower(static_cast<unsigned char>(rest[length++])));
        number_end_ = at + length;
        while (token().kind != CToken::Kind::end && token().at < number_end_) ++next_;
        Node node = made(Node::Kind::number, at, {}, {});
        node.end = number_end_;
        if (has_point)
            node.value = same_float(suffix == "f" ? NumberType::f32 : NumberType::f64, real);
        else
            node.value = whole_number(whole, suffix);
        return node;
    }

    static LaneValues whole_number(uint64_t whole, const std::string& suffix) {
        bool is_unsigned = suffix.find('u') != suffix.npos;
        bool wide = suffix.find('l') != suffix.npos || whole > 0xffffffffull ||
                    (!is_unsigned && whole > 0x7fffffffull);
        NumberType type = wide ? (is_unsigned || whole >> 63 ? NumberType::u64 : NumberType::i64)
                               : (is_unsigned ? NumberType::u32 : NumberType::i32);
        return same_in_all(type, static_cast<int64_t>(whole));
    }

    std::string_view text_;
    std::vector<CToken> tokens_;
    size_t next_ = 0, number_end_ = 0;
    int depth_ = 0;
};

class Evaluator {
  public:
    Evaluator(std::string_view text, LaneNames& names) : text_(text), names_(names) {}
    uint32_t divided_by_zero = 0;

    LaneValues value(const Node& node, uint32_t lanes) {
        LaneValues values = any_value(node, lanes);
        values.known &= lanes;
        return values;
    }

    LaneValues address(const Node& node, uint32_t lanes) {
        if (node.kind == Node::Kind::follow) return within(pointer(node.parts[0], lanes));
        if (node.kind == Node::Kind::name) {
            LaneValues values = name(node);
            if (!values.pointee.element.empty()) return values;
        }
        if (node.kind != Node::Kind::index)
            refuse(text_, node.at, "this has no address; say \"tile[3]\" or \"in[i]\"");
        LaneValues base = pointer(node.parts[0], lanes);
        LaneValues index = value(node.parts[1], lanes);
        return within(moved(base, index, 1));
    }

  private:
    // The first of the array's further subscripts is used up.
    static LaneValues within(LaneValues values) {
        std::vector<int64_t>& extents = values.pointee.extents;
        if (!extents.empty()) extents.erase(extents.begin());
        return values;
    }

    LaneValues any_value(const Node& node, uint32_t lanes) {
        switch (node.kind) {
            case Node::Kind::number:
                return node.value;
            case Node::Kind::name:
                return name(node);
            case Node::Kind::unary:
                return lane_unary(node.name[0], value(node.parts[0], lanes));
            case Node::Kind::binary:
                return binary(node, lanes);
            case Node::Kind::ternary:
                return ternary(node, lanes);
            case Node::Kind::cast:
                return cast(node, lanes);
            case Node::Kind::address_of:
                return address(node.parts[0], lanes);
            case Node::Kind::index:
            case Node::Kind::follow:
                return element(node, lanes);
            case Node::Kind::call:
                break;
        }
        std::vector<LaneValues> given;
        for (const Node& part : node.parts) given.push_back(value(part, lanes));
        return lane_function(node.name, given);
    }

    LaneValues name(const Node& node) {
        if (node.name == "true" || node.name == "false")
            return same_in_all(NumberType::i32, node.name == "true");
        LaneValues values;
        if (names_.find(node.name, values)) return values;
        refuse(text_, node.at,
               fmt::format("nothing here is called {}; `values` lists what is", node.name));
    }

    LaneValues pointer(const Node& node, uint32_t lanes) {
        LaneValues values = value(node, lanes);
        if (values.pointee.element.empty())
            refuse(text_, node.at, "this is no pointer and no array");
        return values;
    }

    LaneValues element(const Node& node, uint32_t lanes) {
        LaneValues known;
        if (names_.loaded(text_.substr(node.at, node.end - node.at), known)) return known;
        // An array within an array is a pointer to its first element.
        LaneValues base = pointer(node.parts[0], lanes);
        LaneValues addresses = address(node, lanes);
        if (!base.pointee.extents.empty()) return addresses;
        return names_.load(addresses.pointee.element, addresses, lanes & addresses.known);
    }

    LaneValues cast(const Node& node, uint32_t lanes) {
        LaneValues of = value(node.parts[0], lanes);
        if (node.is_pointer) {
            of = converted(of, NumberType::u64);
            of.pointee = {node.name, {}};
            return of;
        }
        of.pointee = {};
        LaneValues result = converted(of, number_type_of_element(node.name));
        return narrowed(std::move(result), node.name);
    }

    LaneValues ternary(const Node& node, uint32_t lanes) {
        LaneValues condition = value(node.parts[0], lanes);
        uint32_t yes = condition.true_lanes(), no = condition.known & ~yes;
        return lane_choice(yes, value(node.parts[1], yes), value(node.parts[2], no));
    }

    LaneValues binary(const Node& node, uint32_t lanes) {
        const std::string& sign = node.name;
        LaneValues left = value(node.parts[0], lanes);
        if (sign == "&&" || sign == "||") {
            uint32_t yes = left.true_lanes();
            uint32_t asked = sign == "&&" ? yes : left.known & ~yes;
            LaneValues right = value(node.parts[1], asked);
            uint32_t known = (left.known & ~asked) | right.known;
            uint32_t result = sign == "&&" ? right.true_lanes() : yes | right.true_lanes();
            return lane_truth(result, known);
        }
        LaneValues right = value(node.parts[1], lanes);
        bool is_sum = sign == "+" || sign == "-";
        if (is_sum && !left.pointee.element.empty() && right.pointee.element.empty())
            return moved(left, right, sign == "+" ? 1 : -1);
        if (sign == "+" && !right.pointee.element.empty()) return moved(right, left, 1);
        return lane_binary(sign, left, right, divided_by_zero);
    }

    static LaneValues moved(const LaneValues& base, const LaneValues& by, int64_t sign) {
        int64_t bytes = bytes_of_element(base.pointee.element);
        for (int64_t extent : base.pointee.extents) bytes *= extent;
        LaneValues result = base;
        for (size_t n = 0; n < result.bits.size(); ++n)
            result.bits[n] += static_cast<uint64_t>(sign * bytes * by.integer(n));
        result.known &= by.known;
        return result;
    }

    std::string_view text_;
    LaneNames& names_;
};

void add_names(const Node& node, std::vector<std::string>& names) {
    if (node.kind == Node::Kind::name &&
        std::find(names.begin(), names.end(), node.name) == names.end())
        names.push_back(node.name);
    for (const Node& part : node.parts) add_names(part, names);
}

}  // namespace

LaneExpression::LaneExpression(std::string_view text)
    : text_(text), root_(std::make_unique<const Node>(Parser(text_).all())) {}
LaneExpression::~LaneExpression() = default;
LaneExpression::LaneExpression(LaneExpression&&) noexcept = default;
LaneExpression& LaneExpression::operator=(LaneExpression&&) noexcept = default;

LaneResult LaneExpression::evaluate(LaneNames& names, uint32_t lanes) const {
    Evaluator evaluator(text_, names);
    LaneValues values = evaluator.value(*root_, lanes);
    return {values, evaluator.divided_by_zero};
}

LaneResult LaneExpression::address(LaneNames& names, uint32_t lanes) const {
    Evaluator evaluator(text_, names);
    LaneValues values = evaluator.address(*root_, lanes);
    return {values, evaluator.divided_by_zero};
}

std::vector<std::string> LaneExpression::names() const {
    std::vector<std::string> found;
    add_names(*root_, found);
    return found;
}

}  // namespace lanewise
