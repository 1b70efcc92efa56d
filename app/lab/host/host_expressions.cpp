// Expressions, and where their values are kept.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "lab/host/host_walker.h"

namespace lanewise {

using Token = HostToken;
using TokenKind = HostToken::Kind;
using Value = HostValue;
using ValueKind = HostValue::Kind;

Value HostWalker::evaluate(size_t begin, size_t end) {
    const size_t at_before = at_, end_before = end_;
    at_ = begin;
    end_ = end;
    Value value = begin < end ? assignment() : Value::not_known("nothing");
    while (at_ < end_ && is(at_, ",")) {
        ++at_;
        value = assignment();
    }
    at_ = at_before;
    end_ = end_before;
    return value;
}

bool HostWalker::here(const char* text) const { return at_ < end_ && is(at_, text); }

Value HostWalker::assignment() {
    ++steps_;
    const size_t begin = at_;
    Value left = ternary();
    if (at_ >= end_ || at(at_).kind != TokenKind::sign) return left;
    const std::string sign = at(at_).text;
    const bool shifts = sign == ">" && is(at_ + 1, ">=");
    if (sign != "=" &&
        !(sign.size() >= 2 && sign.back() == '=' && sign != "==" && sign != "!=" && sign != "<=" &&
          sign != ">=") &&
        !shifts)
        return left;
    const size_t target_end = at_;
    at_ += shifts ? 2 : 1;
    const size_t value_begin = at_;
    if (sign == "=" && assign_config(begin, target_end, value_begin))
        return Value::not_known("a configuration");
    Value right = assignment();
    if (sign != "=") right = combined(shifts ? ">>" : sign.substr(0, sign.size() - 1), left, right);
    store(begin, target_end, right, value_begin, at_);
    // m = n = size: what is assumed of n is assumed of m.
    const std::string path = right.kind == ValueKind::unknown ? path_at(begin, target_end) : "";
    if (Variable stored = path.empty() ? nullptr : find(path)) return stored->value;
    return right;
}

Value HostWalker::ternary() {
    Value asked = binary(0);
    if (!here("?")) return asked;
    ++at_;
    const std::optional<bool> holds_now = truth(asked);
    Value yes = assignment();
    if (here(":")) ++at_;
    Value no = assignment();
    if (holds_now) return *holds_now ? yes : no;
    Value chosen = asked.is_number() && asked.low != 0 ? yes : no;
    merge(chosen.assumed, asked.assumed);
    return chosen;
}

int HostWalker::strength(const std::string& sign) {
    static const std::map<std::string, int> table = {
        {"||", 1}, {"&&", 2}, {"|", 3}, {"^", 4},  {"&", 5},  {"==", 6},
        {"!=", 6}, {"<", 7},  {">", 7}, {"<=", 7}, {">=", 7}, {"<<", 8},
        {">>", 8}, {"+", 9},  {"-", 9}, {"*", 10}, {"/", 10}, {"%", 10}};
    auto found = table.find(sign);
    return found == table.end() ? 0 : found->second;
}

std::string HostWalker::operator_here(size_t& length) const {
    length = 1;
    if (at_ >= end_ || at(at_).kind != TokenKind::sign) return {};
    if (is(at_, ">") && at_ + 1 < end_ && is(at_ + 1, ">") && at(at_ + 1).glued) {
        if (at_ + 2 < end_ && is(at_ + 2, ">") && at(at_ + 2).glued) return {};
        length = 2;
        return ">>";
    }
    if (is(at_, ">") && is(at_ + 1, ">=") && at(at_ + 1).glued) return {};
    return at(at_).text;
}

Value HostWalker::binary(int least) {
    Value left = unary();
    for (;;) {
        size_t length = 1;
        const std::string sign = operator_here(length);
        const int strong = strength(sign);
        if (strong == 0 || strong <= least) return left;
        at_ += length;
        if (sign == "<<" && left.kind == ValueKind::unknown && !left.text.empty() &&
            left.text == "cout") {
            binary(strong);
            continue;
        }
        left = combined(sign, left, binary(strong));
    }
}

Value HostWalker::combined(const std::string& sign, const Value& a, const Value& b) {
    Value made;
    if (a.kind == ValueKind::pointer && b.is_exact() && (sign == "+" || sign == "-")) {
        made = a;
        made.offset += (sign == "+" ? 1 : -1) * b.low;  // elements, until it is passed on
        merge(made.assumed, b.assumed);
        return made;
    }
    if (a.kind == ValueKind::pointer && (sign == "==" || sign == "!=")) {
        const bool null = a.buffer < 0;
        return Value::of((sign == "==") == null ? 1 : 0);
    }
    if (!a.is_number() || !b.is_number()) return Value::not_known(a.is_number() ? b.text : a.text);
    made = Value::of(0, a.is_real || b.is_real);
    made.assumed = a.assumed;
    merge(made.assumed, b.assumed);
    const double ends[4] = {
        apply(sign, a.low, b.low, made.is_real), apply(sign, a.low, b.high, made.is_real),
        apply(sign, a.high, b.low, made.is_real), apply(sign, a.high, b.high, made.is_real)};
    if (std::any_of(std::begin(ends), std::end(ends), [](double e) { return !std::isfinite(e); }))
        return Value::not_known("a division by zero");
    made.low = *std::min_element(std::begin(ends), std::end(ends));
    made.high = *std::max_element(std::begin(ends), std::end(ends));
    if (sign == "%" && a.low != a.high && b.low == b.high) {
        made.low = 0;
        made.high = b.low - 1;
    }
    if (strength(sign) <= 7 && strength(sign) != 3 && strength(sign) != 4 && strength(sign) != 5)
        made.is_real = false;
    return made;
}

double HostWalker::apply(const std::string& sign, double a, double b, bool real) {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    auto whole = [](double v) { return static_cast<int64_t>(std::clamp(v, -9e18, 9e18)); };
    if (sign == "+") return a + b;
    if (sign == "-") return a - b;
    if (sign == "*") return a * b;
    if (sign == "/") return b == 0 ? nan : real ? a / b : std::trunc(a / b);
    if (sign == "%") return whole(b) == 0 ? nan : static_cast<double>(whole(a) % whole(b));
    if (sign == "<<") return b < 0 || b > 62 ? nan : a * std::exp2(b);
    if (sign == ">>") return b < 0 || b > 62 ? nan : std::floor(a / std::exp2(b));
    if (sign == "&") return static_cast<double>(whole(a) & whole(b));
    if (sign == "|") return static_cast<double>(whole(a) | whole(b));
    if (sign == "^") return static_cast<double>(whole(a) ^ whole(b));
    if (sign == "==") return a == b;
    if (sign == "!=") return a != b;
    if (sign == "<") return a < b;
    if (sign == ">") return a > b;
    if (sign == "<=") return a <= b;
    if (sign == ">=") return a >= b;
    if (sign == "&&") return a != 0 && b != 0;
    if (sign == "||") return a != 0 || b != 0;
    return nan;
}

Value HostWalker::unary() {
    if (++steps_ > most_steps_ || at_ >= end_) return Value::not_known("too much to follow");
    if (here("-") || here("+") || here("!") || here("~")) {
        const std::string sign = at(at_++).text;
        Value value = unary();
        if (!value.is_number()) return value;
        if (sign == "-") {
            std::swap(value.low, value.high);
            value.low = -value.low;
            value.high = -value.high;
        }
        if (sign == "!" && value.is_exact()) value.low = value.high = value.low == 0;
        if (sign == "~" && value.is_exact()) value.low = value.high = -value.low - 1;
        return value;
    }
    if (here("++") || here("--")) {
        const double by = is(at_, "++") ? 1 : -1;
        const size_t begin = ++at_;
        Value value = combined("+", unary(), Value::of(by));
        store(begin, at_, value, begin, at_);
        return value;
    }
    if (here("&")) {
        const size_t begin = ++at_;
        unary();
        Value value;
        value.kind = ValueKind::address;
        value.target = variable_at(begin, at_);
        return value.target ? value : Value::not_known("an address");
    }
    if (here("*")) {
        ++at_;
        Value value = unary();
        if (value.kind == ValueKind::address && value.target) return value.target->value;
        return Value::not_known("what lies in memory");
    }
    if (here("new")) return new_object();
    if (here("sizeof")) return size_of();
    if (here("(") && is_cast()) {
        size_t end = at_ + 1;
        const HostTypeName type = *type_at(at_ + 1, end);
        at_ = end + 1;
        Value value = unary();
        if (type.stars == 0) return converted_if_number(value, type.name);
        if (HostBuffer* buffer = buffer_of(value);
            buffer && buffer->type.empty() && type.stars == 1 && type.name != "void")
            buffer->type = type.name;
        return value;
    }
    return postfix();
}

bool HostWalker::is_cast() const {
    size_t end = at_ + 1;
    const std::optional<HostTypeName> type = type_at(at_ + 1, end);
    if (!type || !is(end, ")") || end >= end_) return false;
    if (type->stars > 0) return true;
    if (host_type_bytes(type->name) == 0 && type->name != "dim3") return false;
    if (find(at(at_ + 1).text)) return false;
    const Token& next = at(end + 1);
    return next.kind == TokenKind::name || next.kind == TokenKind::number || next.text == "(" ||
           next.text == "-" || next.text == "*" || next.text == "&";
}

Value HostWalker::size_of() {
    ++at_;
    if (!here("(")) return Value::not_known("a size");
    const size_t close = past(at_) - 1;
    size_t end = at_ + 1;
    const size_t inner = at_ + 1;
    at_ = close + 1;
    if (is_name(inner))
        if (Variable variable = find(at(inner).text)) {
            if (inner + 1 < close && is(inner + 1, "[")) {
                if (HostBuffer* buffer = buffer_of(variable->value))
                    return Value::of(host_type_bytes(buffer->type));
            }
            if (HostBuffer* buffer = buffer_of(variable->value);
                buffer && variable->stars == 0 && buffer->bytes >= 0)
                return Value::of(buffer->bytes);
            return Value::of(variable->stars > 0 ? 8 : host_type_bytes(variable->type));
        }
    const std::optional<HostTypeName> type = type_at(inner, end);
    if (!type) {
        if (is(inner, "*")) {
            if (Variable variable = find(at(inner + 1).text))
                return Value::of(host_type_bytes(variable->type));
        }
        return Value::not_known("a size");
    }
    const double bytes = type->stars > 0 ? 8 : host_type_bytes(type->name);
    return bytes > 0 ? Value::of(bytes) : Value::not_known("the size of " + type->name);
}

Value HostWalker::new_object() {
    ++at_;
    size_t end = at_;
    const std::optional<HostTypeName> type = type_at(at_, end);
    at_ = end;
    if (!type || !here("[")) return Value::not_known("an object");
    const size_t open = at_;
    at_ = past(open);
    Value made = allocated(evaluate(open + 1, past(open) - 1), type->name, type->stars);
    if (here("(") || here("{")) {
        at_ = past(at_);
        if (HostBuffer* buffer = buffer_of(made)) buffer->fill = same(Value::of(0));
    }
    return made;
}

Value HostWalker::postfix() {
    const size_t begin = at_;
    Value value = primary();
    while (at_ < end_) {
        if (here("[")) {
            const size_t open = at_;
            at_ = past(open);
            const Value index = evaluate(open + 1, at_ - 1);
            Variable element = variable_at(begin, at_);
            if (element) {
                value = element->value;
            } else if (value.kind == ValueKind::pointer) {
                value = element_of(value);
            } else {
                value = Value::not_known(words(begin, at_));
            }
        } else if (here(".") || here("->")) {
            at_ += 2;
            const std::string member = at(at_ - 1).text;
            if (here("<") && past_angle(at_) > at_) at_ = past_angle(at_);
            if (here("(")) {
                const size_t open = at_;
                at_ = past(open);
                value = method(value, member, open, begin);
            } else if (value.kind == ValueKind::dim && member.size() == 1) {
                const Value part =
                    value.parts[static_cast<size_t>(std::clamp(member[0] - 'x', 0, 2))];
                value = part;
            } else if (Variable variable = variable_at(begin, at_)) {
                value = variable->value;
            } else if (std::optional<Value> known = of_the_card(member)) {
                value = *known;
            } else {
                value = Value::not_known(words(begin, at_));
            }
        } else if (here("++") || here("--")) {
            const Value more = combined("+", value, Value::of(is(at_, "++") ? 1 : -1));
            store(begin, at_, more, begin, at_);
            ++at_;
        } else {
            break;
        }
    }
    return value;
}

Value HostWalker::element_of(const Value& pointer) {
    const HostBuffer* buffer = buffer_of(pointer);
    if (!buffer || buffer->fill.kind == HostFill::Kind::unknown)
        return Value::not_known("what lies in memory");
    Value value = Value::of(buffer->fill.first, buffer->fill.is_real);
    if (buffer->fill.kind == HostFill::Kind::range) value.high = buffer->fill.second;
    return value;
}

Value HostWalker::method(const Value& object, const std::string& name, size_t open, size_t begin) {
    std::vector<Value> values;
    for (auto [from, to] : pieces(open)) values.push_back(evaluate(from, to));
    HostBuffer* buffer = object.kind == ValueKind::pointer && object.buffer >= 0
                             ? &out_.buffers[static_cast<size_t>(object.buffer)]
                             : nullptr;
    if (buffer) {
        const double size = host_type_bytes(buffer->type);
        if (name == "size" && size > 0 && buffer->bytes >= 0) {
            Value count = Value::of(buffer->bytes / size);
            count.assumed = buffer->assumed;
            return count;
        }
        if ((name == "resize" || name == "reserve") && !values.empty() && values[0].is_exact()) {
            buffer->bytes = values[0].low * size;
            buffer->assumed = values[0].assumed;
        }
        return object;  // data(), begin(), get()
    }
    if (name == "size" || name == "numel") return size_of_tensor(words(begin, open - 2), begin);
    if (name.starts_with("data_ptr") || name == "data" || name == "mutable_data_ptr")
        return data_of_tensor(words(begin, data_begin(begin, open)));
    return Value::not_known(words(begin, at_));
}

Value HostWalker::size_of_tensor(const std::string& tensor, size_t begin) {
    const std::string asked = words(begin, at_);
    if (auto known = sizes_.find(asked); known != sizes_.end()) return known->second;
    Value value = assumed(asked, "the tensor comes from the caller", {"int64_t"});
    sizes_[asked] = value;
    Value& all = elements_of_[tensor];
    all = all.is_number() ? combined("*", all, value) : value;
    return value;
}

Value HostWalker::data_of_tensor(const std::string& tensor) {
    const Value all = elements_of_[tensor];
    return all.is_exact() ? allocated(all, "") : Value::not_known(tensor + ".data_ptr()");
}

size_t HostWalker::data_begin(size_t begin, size_t open) const {
    size_t end = begin;
    for (size_t i = begin; i < open; ++i)
        if (is(i, ".") || is(i, "->")) end = i;
    return end;
}

Value HostWalker::primary() {
    if (at_ >= end_) return Value::not_known("nothing");
    const Token& token = at(at_);
    if (token.kind == TokenKind::number) {
        ++at_;
        return number(token.text);
    }
    if (token.kind == TokenKind::text) {
        ++at_;
        Value value;
        value.kind = ValueKind::text;
        value.text = token.text;
        return value;
    }
    if (here("(")) {
        const size_t open = at_;
        at_ = past(open);
        return evaluate(open + 1, at_ - 1);
    }
    if (here("{")) {
        const size_t open = at_;
        at_ = past(open);
        std::vector<Value> values;
        for (auto [begin, end] : pieces(open)) {
            const bool is_named = is(begin, ".") && is(begin + 2, "=");  // .x = 2
            values.push_back(evaluate(is_named ? begin + 3 : begin, end));
        }
        if (values.size() == 1) return values[0];
        const bool is_dim = (values.size() == 2 || values.size() == 3) &&
                            std::all_of(values.begin(), values.end(),
                                        [](const Value& value) { return value.is_number(); });
        return is_dim ? dim(std::move(values)) : Value::not_known("a list");
    }
    if (here("[")) {  // a lambda where it stands
        at_ = past(at_);
        if (here("(")) at_ = past(at_);
        while (at_ < end_ && !here("{")) ++at_;
        if (here("{")) at_ = past(at_);
        return Value::not_known("a lambda");
    }
    if (token.kind == TokenKind::name) return named();
    ++at_;
    return Value::not_known(token.text);
}

Value HostWalker::number(const std::string& text) {
    const bool hex = text.starts_with("0x") || text.starts_with("0X");
    const bool real = !hex && (text.find('.') != text.npos ||
                               text.find_first_of("eE") != text.npos || text.ends_with('f'));
    try {
        if (real) return Value::of(std::stod(text), true);
        return Value::of(static_cast<double>(std::stoull(text, nullptr, 0)));
    } catch (const std::exception&) {
        return Value::not_known(text);
    }
}

Value HostWalker::named() {
    const size_t begin = at_;
    std::string name = at(at_++).text, whole = name;
    while (here("::") && is_name(at_ + 1)) {
        name = at(at_ + 1).text;
        whole += "::" + name;
        at_ += 2;
    }
    std::vector<std::string> arguments;
    if (here("<")) {
        const size_t close = past_angle(at_);
        if (close > at_ && (is(close, "(") || is(close, "<<<") || is(close, "::") ||
                            is(close, ")") || is(close, ",") || is(close, ";") || is(close, "{"))) {
            arguments = template_arguments(at_, close);
            at_ = close;
            while (here("::")) at_ += 2;
        }
    }
    std::string with = whole;
    for (size_t i = 0; i < arguments.size(); ++i) with += (i == 0 ? "<" : ", ") + arguments[i];
    if (!arguments.empty()) with += ">";
    if (here("<<<")) return launch(with, at(begin).line);
    if (here("(")) {
        const size_t open = at_;
        at_ = past(open);
        return called(name, arguments, open);
    }
    if (here("{") && host_type_bytes(name) > 0) {
        const size_t open = at_;
        at_ = past(open);
        return constructed({name, 0, false, arguments}, open);
    }
    if (Variable variable = find(name)) return variable->value;
    Value value = Value::not_known(with);
    if (function_called(name)) {
        value.kind = ValueKind::function;
        value.text = with;
    }
    return value;
}

std::vector<std::string> HostWalker::template_arguments(size_t open, size_t close) {
    std::vector<std::string> arguments;
    size_t piece = open + 1;
    int depth = 0;
    for (size_t i = open + 1; i < close; ++i) {
        if (is(i, "<") || is(i, "(")) ++depth;
        if ((is(i, ">") && i + 1 < close) || is(i, ")")) --depth;
        if (!(is(i, ",") && depth == 0) && i + 1 != close) continue;
        const std::string text = words(piece, i);
        const Value value = piece < i ? evaluate(piece, i) : Value{};
        auto type = types_.find(text);
        if (type != types_.end())
            arguments.push_back(type->second);
        else if (value.is_exact() && !value.is_real)
            arguments.push_back(fmt::format("{}", static_cast<int64_t>(value.low)));
        else
            arguments.push_back(text);
        piece = i + 1;
    }
    return arguments;
}

std::string HostWalker::path_at(size_t begin, size_t end) {
    std::string path;
    for (size_t i = begin; i < end; ++i) {
        if (is_name(i)) {
            path += at(i).text;
        } else if (is(i, ".") || is(i, "->")) {
            path += ".";
        } else if (is(i, "[")) {
            const size_t close = past(i) - 1;
            const Value index = evaluate(i + 1, close);
            if (!index.is_exact()) return {};
            path += fmt::format("[{}]", index.low);
            i = close;
        } else if (is(i, "(") && i == begin && past(i) == end) {
            return path_at(begin + 1, end - 1);
        } else if (!is(i, "::")) {
            return {};
        }
    }
    return path;
}

HostWalker::Variable HostWalker::variable_at(size_t begin, size_t end) {
    const std::string path = path_at(begin, end);
    if (path.empty()) return nullptr;
    if (Variable found = find(path)) return found;
    // A member or an element that was not spoken of: made when somebody takes its address.
    const size_t root_end = path.find_first_of(".[");
    if (root_end == path.npos || !is(begin - 1, "&")) return nullptr;
    return declare(path, Value::not_known(path));
}

void HostWalker::store(size_t begin, size_t end, Value value, size_t value_begin,
                       size_t value_end) {
    if (is(begin, "*")) {  // *p = …
        Value address = evaluate(begin + 1, end);
        if (address.kind == ValueKind::address && address.target) address.target->value = value;
        return;
    }
    const std::string path = path_at(begin, end);
    if (Variable variable = path.empty() ? nullptr : find(path)) {
        if (value.kind == ValueKind::unknown && variable->stars == 0 &&
            is_counting_type({variable->type}) && variable->value.is_number())
            return;  // what it was is the better guess
        if (value.kind == ValueKind::unknown && is_counting_type({variable->type, variable->stars}))
            value = assumed(path, "it is " + words(value_begin, value_end), {variable->type});
        if (value.is_number() && is_counting_type({variable->type, variable->stars}))
            value = converted(value, variable->type);
        variable->value = value;
        name_buffer(value, path);
        return;
    }
    const size_t open = last_index(begin, end);
    if (open > begin) {
        const Value pointer = evaluate(begin, open);
        if (HostBuffer* buffer = buffer_of(pointer);
            buffer && host_type_bytes(buffer->type) > 0 && value.kind != ValueKind::pointer)
            return fill(*buffer, value);
    }
    if (!path.empty()) {
        declare(path, value);
        name_buffer(value, path);
    }
}

size_t HostWalker::last_index(size_t begin, size_t end) const {
    size_t open = begin;
    for (size_t i = begin; i < end; ++i)
        if (is(i, "[")) {
            open = i;
            i = past(i) - 1;
        }
    return open;
}

HostFill HostWalker::same(const Value& value) {
    return {HostFill::Kind::same, value.low, value.low, value.is_real};
}

void HostWalker::fill(HostBuffer& buffer, const Value& value) {
    auto& seen = fills_[&buffer - out_.buffers.data()];
    constexpr double kPlain = 1e12;  // more is no plain filling
    if (!value.is_number() || std::max(std::fabs(value.low), std::fabs(value.high)) > kPlain) {
        buffer.fill = {};
        seen = -1;
        return;
    }
    HostFill& known = buffer.fill;
    if (seen < 0) return;
    if (value.low != value.high || known.kind == HostFill::Kind::range) {
        const bool had = known.kind == HostFill::Kind::range;
        known = {HostFill::Kind::range, had ? std::min(known.first, value.low) : value.low,
                 had ? std::max(known.second, value.high) : value.high,
                 known.is_real || value.is_real};
    } else if (seen == 0) {
        known = same(value);
    } else if (seen == 1) {
        if (value.low != known.first)
            known = {HostFill::Kind::sequence, known.first, value.low - known.first, value.is_real};
    } else {
        const double step = known.kind == HostFill::Kind::sequence ? known.second : 0;
        if (value.low != known.first + step * seen) {
            known = {};
            seen = -1;
            return;
        }
    }
    ++seen;
}

}  // namespace lanewise
