// Statements and declarations: what of the host code is walked, and in what order.
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

size_t HostWalker::end_of_statement(size_t i) const {
    while (i + 1 < t_.size() && !is(i, ";") && !is(i, "}"))
        i = is(i, "(") || is(i, "{") || is(i, "[") ? past(i) : i + 1;
    return is(i, ";") ? i + 1 : i;
}

size_t HostWalker::skip(size_t i) const {
    if (is(i, "{")) return past(i);
    if (is(i, "if")) {
        size_t next = is(i + 1, "constexpr") ? i + 2 : i + 1;
        next = skip(past(next));
        return is(next, "else") ? skip(next + 1) : next;
    }
    if (is(i, "for") || is(i, "while") || is(i, "switch")) return skip(past(i + 1));
    if (is(i, "do")) return end_of_statement(skip(i + 1));
    if (is(i, "else")) return skip(i + 1);
    return end_of_statement(i);
}

size_t HostWalker::block(size_t open, Flow& flow) {
    const size_t end = past(open);
    scopes_.emplace_back();
    size_t i = open + 1;
    while (i + 1 < end && flow == Flow::on && steps_ <= most_steps_) i = statement(i, flow);
    scopes_.pop_back();
    return end;
}

size_t HostWalker::statement(size_t i, Flow& flow) {
    ++steps_;
    if (is(i, "{")) return block(i, flow);
    if (is(i, ";")) return i + 1;
    if (is(i, "if")) return condition(i, flow);
    if (is(i, "for") && is(i + 1, "(")) return for_loop(i, flow);
    if (is(i, "while") && is(i + 1, "(")) return while_loop(i, flow);
    if (is(i, "do")) {
        const size_t after = statement(i + 1, flow);
        if (flow != Flow::leave) flow = Flow::on;
        return end_of_statement(after);
    }
    if (is(i, "switch") && is(i + 1, "(")) return choice(i, flow);
    if (is(i, "case")) {
        while (i + 1 < t_.size() && !is(i, ":") && !is(i, ";")) ++i;
        return i + 1;
    }
    if (is(i, "default") && is(i + 1, ":")) return i + 2;
    if (is(i, "else")) return skip(i);
    if (is(i, "try")) return block(i + 1, flow);
    if (is(i, "catch")) return skip(past(i + 1));
    if (is(i, "break") || is(i, "continue")) {
        if (unsure_ == 0) flow = is(i, "break") ? Flow::leave_loop : Flow::stop_round;
        return end_of_statement(i);
    }
    if (is(i, "return") || is(i, "throw") || is(i, "exit")) {
        const size_t end = end_of_statement(i);
        if (is(i, "return") && end > i + 2) {
            Value value = evaluate(i + 1, end - 1);
            if (unsure_ == 0 || returned_.kind == ValueKind::unknown) returned_ = value;
        }
        if (unsure_ == 0) flow = Flow::leave;
        return end;
    }
    if (is(i, "using") || is(i, "typedef")) return alias(i);
    if (is(i, "enum")) return enumeration(i);
    if ((is(i, "struct") || is(i, "class")) && (is(i + 2, "{") || is(i + 2, ":")))
        return end_of_statement(i);
    if (is_declaration(i)) return declaration(i);
    const size_t end = end_of_statement(i);
    evaluate(i, is(end - 1, ";") ? end - 1 : end);
    return std::max(end, i + 1);
}

std::optional<bool> HostWalker::truth(const Value& value) const {
    if (!value.assumed.empty() && way_ == HostWay::lines) return std::nullopt;
    if (value.kind == ValueKind::pointer) return value.buffer >= 0;
    if (!value.is_exact()) return std::nullopt;
    return value.low != 0;
}

size_t HostWalker::condition(size_t i, Flow& flow) {
    size_t open = is(i + 1, "constexpr") ? i + 2 : i + 1;
    const size_t then = past(open);
    size_t first = open + 1;
    if (is_declaration(first) && is(end_of_statement(first) - 1, ";") &&
        end_of_statement(first) < then)
        first = declaration(first);
    const std::optional<bool> holds_now = truth(evaluate(first, then - 1));
    const size_t otherwise = skip(then);
    const bool has_else = is(otherwise, "else");
    if (!holds_now) ++unsure_;
    if (holds_now.value_or(true)) statement(then, flow);
    if (has_else && !holds_now.value_or(false)) statement(otherwise + 1, flow);
    // A program that wants arguments and ends without them: as though it had got them.
    if (flow == Flow::leave && asks_for_arguments(open, then)) flow = Flow::on;
    if (!holds_now) --unsure_;
    // What a program does not launch by default, its reader may still want to see.
    if (holds_now && !*holds_now && may_launch(then, otherwise)) as_well(then, flow);
    if (holds_now && *holds_now && has_else && may_launch(otherwise, skip(otherwise + 1)))
        as_well(otherwise + 1, flow);
    return has_else ? skip(otherwise + 1) : otherwise;
}

bool HostWalker::asks_for_arguments(size_t begin, size_t end) const {
    for (size_t i = begin; i < end; ++i)
        if (is(i, "argc")) return true;
    return false;
}

bool HostWalker::may_launch(size_t begin, size_t end) const {
    for (size_t i = begin; i < end; ++i) {
        if (is(i, "<<<")) return true;
        if (!is_name(i) || !(is(i + 1, "(") || is(i + 1, "<"))) continue;
        const HostFunction* function = function_called(at(i).text);
        if (function && function->launches) return true;
    }
    return false;
}

void HostWalker::as_well(size_t i, const Flow& flow) {
    if (flow == Flow::leave || way_ == HostWay::launches) return;
    Flow own = Flow::on;
    ++unsure_;
    statement(i, own);
    --unsure_;
}

bool HostWalker::has_launch(size_t begin, size_t end) const {
    for (size_t i = begin; i < end; ++i)
        if (is(i, "<<<")) return true;
    return false;
}

size_t HostWalker::for_loop(size_t i, Flow& flow) {
    const size_t body = past(i + 1), end = skip(body);
    scopes_.emplace_back();
    size_t part = i + 2;
    if (is_declaration(part)) {
        part = declaration(part);
    } else {
        const size_t next = end_of_statement(part);
        evaluate(part, next - 1);
        part = next;
    }
    if (is(part - 1, ";")) {
        const size_t middle = end_of_statement(part);
        rounds(part, middle - 1, middle, body - 1, body, end, flow);
    } else {  // for (auto x : list)
        ++unsure_;
        statement(body, flow);
        --unsure_;
    }
    scopes_.pop_back();
    return end;
}

size_t HostWalker::while_loop(size_t i, Flow& flow) {
    const size_t body = past(i + 1), end = skip(body);
    rounds(i + 2, body - 1, 0, 0, body, end, flow);
    return end;
}

void HostWalker::rounds(size_t from, size_t to, size_t step, size_t step_end, size_t body,
                        size_t end, Flow& flow) {
    const bool launches = may_launch(body, end);
    const size_t within = std::min(static_cast<size_t>(loops_), kRoundsWithin.size() - 1);
    const int most = !launches                   ? kRoundsWithin[within]
                     : way_ == HostWay::launches ? kMostRoundsOfLaunches
                                                 : 1;
    ++loops_;
    struct Leaves {  // however it ends
        int& loops;
        ~Leaves() { --loops; }
    } leaves_loop{loops_};
    for (int round = 0; round < most && steps_ <= most_steps_; ++round) {
        const std::optional<bool> goes_on =
            from < to ? truth(evaluate(from, to)) : std::optional<bool>(true);
        if (goes_on && !*goes_on) break;
        if (!goes_on) {
            if (round > 2) break;
            ++unsure_;
        }
        statement(body, flow);
        if (!goes_on) --unsure_;
        if (flow == Flow::leave) return;
        const bool leaves = flow == Flow::leave_loop;
        flow = Flow::on;
        if (leaves) break;
        if (step < step_end) evaluate(step, step_end);
    }
}

size_t HostWalker::choice(size_t i, Flow& flow) {
    const size_t open = past(i + 1), end = past(open);
    const Value asked = evaluate(i + 2, open - 1);
    size_t from = open + 1;
    if (truth(asked).has_value())
        for (size_t k = open + 1; k < end; ++k) {
            if (is(k, "{") || is(k, "(")) {
                k = past(k) - 1;
            } else if (is(k, "case")) {
                size_t colon = k;
                while (colon < end && !is(colon, ":")) ++colon;
                const Value value = evaluate(k + 1, colon);
                if (value.is_exact() && value.low == asked.low) {
                    from = colon + 1;
                    break;
                }
            } else if (is(k, "default")) {
                from = k;
            }
        }
    else
        ++unsure_;
    scopes_.emplace_back();
    for (size_t k = from; k + 1 < end && flow == Flow::on && steps_ <= most_steps_;)
        k = statement(k, flow);
    if (flow == Flow::leave_loop) flow = Flow::on;
    if (truth(asked).has_value() && may_launch(open + 1, end) &&
        way_ == HostWay::lines) {  // the other cases
        ++unsure_;
        Flow own = Flow::on;
        for (size_t k = open + 1; k + 1 < end && steps_ <= most_steps_;) k = statement(k, own);
        --unsure_;
    }
    scopes_.pop_back();
    if (!truth(asked).has_value()) --unsure_;
    return end;
}

size_t HostWalker::declaration(size_t i) {
    size_t name = i;
    HostTypeName type = *type_at(i, name);
    for (;;) {
        HostTypeName own = type;
        type.stars = 0;  // each name has its own
        type.reference = false;
        while (is(name, "*") || is(name, "&")) {
            own.stars += is(name, "*");
            own.reference |= is(name, "&");
            ++name;
        }
        if (!is_name(name)) return end_of_statement(name);
        const size_t next = one_declared(own, name);
        if (!is(next, ",")) return is(next, ")") ? next + 1 : end_of_statement(next);
        name = next + 1;
    }
}

size_t HostWalker::one_declared(const HostTypeName& type, size_t name) {
    const std::string& word = at(name).text;
    size_t next = name + 1;
    if (is(next, "[")) return array(type, name);
    if (type.stars == 0 && !type.reference && is_config_type(type.name)) {
        size_t open = is(next, "=") ? next + 1 : next;
        if (is_name(open) && is(open + 1, "{")) ++open;  // = cudaLaunchConfig_t{…}
        if (is(open, "{") || is(next, ";") || is(next, ",")) {
            declare(word, Value::not_known("a " + type.name), type);
            declare_config(type.name, word, open);
            return is(open, "{") ? past(open) : next;
        }
    }
    if (is(next, "(") || is(next, "{")) {
        declare(word, constructed(type, next), type);
        name_buffer(find(word)->value, word);
        return past(next);
    }
    if (!is(next, "=")) {
        Value value = Value::not_known("it is set where this cannot be followed");
        if (type.name == "dim3") value = dim({});
        declare(word, value, type);
        return next;
    }
    const size_t begin = next + 1;
    size_t end = begin;
    while (end + 1 < t_.size() && !is(end, ",") && !is(end, ";") && !is(end, ")")) {
        if (is(end, "(") || is(end, "[") || is(end, "{")) {
            end = past(end);
        } else if (is(end, "<") && past_angle(end) > end && !is(past_angle(end), ";")) {
            end = past_angle(end);
        } else {
            ++end;
        }
    }
    Value value = is(begin, "{") ? constructed(type, begin) : evaluate(begin, end);
    if (is(begin, "[")) {  // a lambda: called where it is called
        value = Value::not_known("a lambda");
        value.kind = ValueKind::function;
        value.text = fmt::format("\x01{}", begin);
    }
    declare_as(type, word, value, words(begin, end));
    return end;
}

void HostWalker::declare_as(const HostTypeName& type, const std::string& name, Value value,
                            const std::string& written) {
    if (value.kind == ValueKind::unknown && is_counting_type(type))
        value = assumed(name, "it is " + written, type);
    if (value.is_number() && is_counting_type(type)) value = converted(value, type.name);
    if (type.name == "dim3" && value.is_number()) value = dim({value});
    declare(name, value, type);
    name_buffer(value, name);
}

Value HostWalker::converted(Value value, const std::string& type) {
    const bool real = type.find("float") != type.npos || type.find("double") != type.npos ||
                      type.find("half") != type.npos || type.find("bfloat16") != type.npos;
    if (!real && value.is_real) {
        value.low = std::trunc(value.low);
        value.high = std::trunc(value.high);
    }
    value.is_real = real;
    return value;
}

size_t HostWalker::array(const HostTypeName& type, size_t name) {
    size_t next = name + 1;
    Value count = Value::of(1);
    bool open = false;
    while (is(next, "[")) {
        if (is(next + 1, "]"))
            open = true;
        else
            count = combined("*", count, evaluate(next + 1, past(next) - 1));
        next = past(next);
    }
    const std::string& word = at(name).text;
    if (is(next, "=") && is(next + 1, "{")) ++next;
    if (is(next, "{")) {
        double place = 0;
        for (auto [begin, end] : pieces(next)) {
            const std::string element = fmt::format("{}[{}]", word, place++);
            if (type.stars == 0 && is_config_type(type.name)) continue;  // below
            set(element, evaluate(begin, end));
        }
        if (open) count = Value::of(place);
        next = past(next);
    } else if (is(next, "=")) {
        while (!is(next, ",") && !is(next, ";")) ++next;
    }
    declare(word, allocated(count, type.name, type.stars), type);
    name_buffer(find(word)->value, word);
    if (type.stars == 0 && is_config_type(type.name)) array_of_configs(type, word, count, name);
    return next;
}

// cudaLaunchAttribute attrs[2] = {{…}, {…}};
void HostWalker::array_of_configs(const HostTypeName& type, const std::string& word,
                                  const Value& count, size_t name) {
    constexpr double kMost = 64;
    size_t open = name + 1;
    while (is(open, "[")) open = past(open);
    if (is(open, "=")) ++open;
    std::vector<std::pair<size_t, size_t>> list;
    if (is(open, "{")) list = pieces(open);
    double most = count.is_exact() ? std::min(count.low, kMost) : 0;
    most = std::max(most, std::min(kMost, static_cast<double>(list.size())));
    for (size_t i = 0; i < static_cast<size_t>(most); ++i) {
        const std::string element = fmt::format("{}[{}]", word, i);
        declare(element, Value::not_known("a " + type.name), type);
        size_t begin = i < list.size() ? list[i].first : name;
        if (i < list.size() && is_name(begin) && is(begin + 1, "{")) ++begin;
        declare_config(type.name, element, begin);
    }
}

Value HostWalker::allocated(const Value& count, const std::string& type, int stars) {
    const double size = stars > 0 ? 8 : type.empty() ? 4 : host_type_bytes(type);
    const double bytes = count.is_exact() && size > 0 ? count.low * size : -1;
    return pointer_to(new_buffer(bytes, count.assumed, type));
}

Value HostWalker::constructed(const HostTypeName& type, size_t open) {
    std::vector<Value> values;
    for (auto [begin, end] : pieces(open)) values.push_back(evaluate(begin, end));
    if (type.name == "dim3") return dim(values);
    if (type.name == "vector" || type.name == "device_vector" || type.name == "host_vector" ||
        type.name == "unique_ptr" || type.name == "universal_vector") {
        if (!values.empty() && values[0].kind == ValueKind::pointer) return values[0];
        const std::string of = type.arguments.empty() ? "" : type.arguments[0];
        if (values.empty() || !values[0].is_number()) return allocated({}, plain(of));
        Value made = allocated(values[0], plain(of));
        if (values.size() > 1 && values[1].is_exact()) buffer_of(made)->fill = same(values[1]);
        return made;
    }
    if (values.size() == 1) return converted_if_number(values[0], type.name);
    return Value::not_known("a " + type.name);
}

std::string HostWalker::plain(std::string type) const {
    auto found = types_.find(type);
    if (found != types_.end()) type = found->second;
    auto alias_of = out_.aliases.find(type);
    return alias_of == out_.aliases.end() ? type : alias_of->second;
}

Value HostWalker::converted_if_number(const Value& value, const std::string& type) {
    return value.is_number() && host_type_bytes(type) > 0 ? converted(value, type) : value;
}

Value HostWalker::dim(std::vector<Value> parts) {
    Value value;
    value.kind = ValueKind::dim;
    while (parts.size() < 3) parts.push_back(Value::of(1));
    for (const Value& part : parts) merge(value.assumed, part.assumed);
    value.parts = std::move(parts);
    return value;
}

}  // namespace lanewise
