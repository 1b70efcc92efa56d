#include "lab/host/host_walk.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>

namespace lanewise {
namespace {

using Token = HostToken;
using TokenKind = HostToken::Kind;
using Value = HostValue;
using ValueKind = HostValue::Kind;

constexpr int kMostSteps = 300'000, kDeepestCall = 24, kMostRounds = 40;
constexpr double kAssumedCount = 1024;

struct TypeName {
    std::string name;
    int stars = 0;
    bool reference = false;
    std::vector<std::string> arguments{};  // of std::vector<float>: "float"
};

struct Function {
    std::string name;
    size_t parameters = 0, body = 0;  // tokens: "(" and "{"
    std::vector<std::string> template_parameters;
    bool launches = false;
    size_t count = 0;  // of parameters
};

const std::array<const char*, 18> kBasic = {"int",      "float",   "double",  "char",     "bool",
                                            "void",     "short",   "long",    "unsigned", "signed",
                                            "size_t",   "auto",    "int64_t", "uint64_t", "int32_t",
                                            "uint32_t", "uint8_t", "half"};
const std::array<const char*, 10> kQualifiers = {"const",    "static",      "constexpr", "volatile",
                                                 "register", "extern",      "inline",    "typename",
                                                 "struct",   "__restrict__"};

template <typename List>
bool holds(const List& list, const std::string& one) {
    return std::find(list.begin(), list.end(), one) != list.end();
}

void merge(std::set<size_t>& into, const std::set<size_t>& more) {
    into.insert(more.begin(), more.end());
}

class Walker {
  public:
    explicit Walker(const std::vector<Token>& tokens) : t_(tokens) {
        scopes_.emplace_back();
        for (const char* zero :
             {"cudaSuccess", "NULL", "nullptr", "false", "EXIT_SUCCESS", "stdin"})
            set(zero, Value::of(0));
        set("true", Value::of(1));
        set("RAND_MAX", Value::of(2147483647));
        set("CURAND_STATUS_SUCCESS", Value::of(0));
        set("INT_MAX", Value::of(2147483647));
        set("FLT_MAX", Value::of(3.402823e38, true));
        set("warpSize", Value::of(32));
        set("argc", Value::of(1));
    }

    HostWalk walk() {
        find_functions();
        for (bool more = true; more;) {
            more = false;
            for (Function& function : functions_) {
                if (function.launches || !may_launch(function.body, past(function.body))) continue;
                function.launches = more = true;
            }
        }
        walk_globals();
        if (const Function* main = function_called("main")) call(*main, {}, {});
        for (const Function& function : functions_)
            if (function.launches && !called_.contains(function.body)) {
                steps_ = 0;
                call(function, {}, {});
            }
        std::stable_sort(out_.launches.begin(), out_.launches.end(),
                         [](const auto& a, const auto& b) { return a.line < b.line; });
        return std::move(out_);
    }

  private:
    // ------------------------------------------------------------------ tokens

    const Token& at(size_t i) const { return t_[std::min(i, t_.size() - 1)]; }
    bool is(size_t i, const char* text) const {
        return at(i).text == text && at(i).kind != TokenKind::text;
    }
    bool is_name(size_t i) const { return at(i).kind == TokenKind::name; }

    // Just past the bracket that closes the one at `open`.
    size_t past(size_t open) const {
        int depth = 0;
        for (size_t i = open; i + 1 < t_.size(); ++i) {
            if (at(i).kind != TokenKind::sign) continue;
            const char c = at(i).text[0];
            if (at(i).text.size() == 1 && (c == '(' || c == '[' || c == '{')) ++depth;
            if (at(i).text.size() == 1 && (c == ')' || c == ']' || c == '}') && --depth <= 0)
                return i + 1;
        }
        return t_.size() - 1;
    }

    // Just past the ">" that closes the "<" at `open`, or `open` where it opens nothing.
    size_t past_angle(size_t open) const {
        int depth = 0;
        for (size_t i = open; i < std::min(open + 200, t_.size() - 1); ++i) {
            if (is(i, "(") || is(i, "[")) {
                i = past(i) - 1;
                continue;
            }
            if (is(i, "<")) ++depth;
            if (is(i, ">") && --depth == 0) return i + 1;
            if (is(i, ";") || is(i, "{") || is(i, "&&") || is(i, "||") || is(i, "=") || is(i, ")"))
                return open;
        }
        return open;
    }

    std::string words(size_t begin, size_t end) const {
        std::string text;
        for (size_t i = begin; i < end; ++i) {
            const bool part = at(i).kind == TokenKind::name || at(i).kind == TokenKind::number;
            if (!text.empty() && part &&
                (std::isalnum(static_cast<unsigned char>(text.back())) || text.back() == '_' ||
                 text.back() == ','))
                text += ' ';
            text += at(i).kind == TokenKind::text ? "\"" + at(i).text + "\"" : at(i).text;
        }
        return text;
    }

    // The pieces between commas, as ranges of tokens; `open` is the bracket.
    std::vector<std::pair<size_t, size_t>> pieces(size_t open) const {
        std::vector<std::pair<size_t, size_t>> list;
        const size_t close = past(open) - 1;
        size_t begin = open + 1;
        for (size_t i = begin; i <= close; ++i) {
            if (i < close && (is(i, "(") || is(i, "[") || is(i, "{"))) {
                i = past(i) - 1;
                continue;
            }
            if (i < close && is(i, "<")) {
                const size_t past_it = past_angle(i);
                if (past_it > i) i = past_it - 1;
                continue;
            }
            if (i < close && !is(i, ",")) continue;
            if (i > begin) list.emplace_back(begin, i);
            begin = i + 1;
        }
        return list;
    }

    // ------------------------------------------------------------------ functions

    void find_functions() {
        std::vector<std::string> parameters_of_template;
        for (size_t i = 0; i + 2 < t_.size(); ++i) {
            if (is(i, "template") && is(i + 1, "<")) {
                const size_t end = past_angle(i + 1);
                parameters_of_template.clear();
                if (end > i + 1) {
                    collect_template_names(i + 1, end, parameters_of_template);
                    i = end - 1;
                }
                continue;
            }
            if (is(i, "namespace") || is(i, "extern")) {  // its braces hold functions, too
                while (i + 1 < t_.size() && !is(i, "{") && !is(i, ";") && !is(i, "(")) ++i;
                continue;
            }
            if ((is(i, "using") || is(i, "typedef")) && i + 1 < t_.size()) {
                i = alias(i) - 1;
                continue;
            }
            if (is(i, "{")) {  // a class, or what no function was seen of
                i = past(i) - 1;
                parameters_of_template.clear();
                continue;
            }
            if (is(i, ";")) parameters_of_template.clear();
            if (!is_name(i) || !is(i + 1, "(")) continue;
            size_t after = past(i + 1);
            if (at(i).text.starts_with("__")) {  // __launch_bounds__(256)
                i = after - 1;
                continue;
            }
            while (is(after, "const") || is(after, "noexcept") || is(after, "override")) ++after;
            if (!is(after, "{")) {
                i = after - 1;
                continue;
            }
            const size_t end = past(after);
            if (is_for_device(i)) {
                parameters_of_template.clear();
                i = end - 1;
                continue;
            }
            Function function{at(i).text, i + 1, after, parameters_of_template};
            function.count = pieces(i + 1).size();
            for (size_t k = after; k < end; ++k)
                function.launches |= is(k, "<<<") || at(k).text.starts_with("cudaLaunchKernel") ||
                                     at(k).text == "cudaLaunchCooperativeKernel";
            functions_.push_back(function);
            parameters_of_template.clear();
            i = end - 1;
        }
    }

    void collect_template_names(size_t open, size_t end, std::vector<std::string>& names) const {
        for (size_t i = open + 1; i < end; ++i)
            if (is_name(i) && (is(i + 1, ",") || is(i + 1, "=") || i + 2 == end))
                names.push_back(at(i).text);
    }

    // Whether the function whose name is at `i` is a kernel, or of the device alone.
    bool is_for_device(size_t i) const {
        bool device = false, host = false, kernel = false;
        for (size_t k = i; k-- > 0 && !is(k, ";") && !is(k, "}") && !is(k, "{");) {
            device |= is(k, "__device__");
            host |= is(k, "__host__");
            kernel |= is(k, "__global__");
        }
        return kernel || (device && !host);
    }

    // Of overloads the one that takes so many arguments, else the first.
    const Function* function_called(const std::string& name, size_t given = 0) const {
        const Function* first = nullptr;
        for (const Function& function : functions_) {
            if (function.name != name) continue;
            if (function.count == given) return &function;
            if (!first) first = &function;
        }
        return first;
    }

    // "using A = B;" and "typedef B A;"; returns past the semicolon.
    size_t alias(size_t i) {
        size_t end = i;
        while (end + 1 < t_.size() && !is(end, ";")) end = is(end, "{") ? past(end) : end + 1;
        if (is(i, "using") && is(i + 2, "="))
            out_.aliases[at(i + 1).text] = words(i + 3, end);
        else if (is(i, "typedef") && end > i + 2 && is_name(end - 1) && !is(i + 1, "struct"))
            out_.aliases[at(end - 1).text] = words(i + 1, end - 1);
        return end + 1;
    }

    // Constants outside every function.
    void walk_globals() {
        for (size_t i = 0; i + 1 < t_.size();) {
            if (is(i, "template") && is(i + 1, "<")) {
                i = std::max(past_angle(i + 1), i + 2);
            } else if (is(i, "namespace")) {
                while (i + 1 < t_.size() && !is(i, "{") && !is(i, ";")) ++i;
                ++i;
            } else if (is(i, "enum")) {
                i = enumeration(i);
            } else if (is(i, "using") || is(i, "typedef")) {
                i = alias(i);
            } else if (is(i, "{") || is(i, "(")) {
                i = past(i);
            } else if (is_declaration(i) && !is_function_at(i)) {
                i = declaration(i);
            } else {
                ++i;
            }
            if (++steps_ > kMostSteps) return;
        }
        steps_ = 0;
    }

    bool is_function_at(size_t i) const {
        for (; i + 1 < t_.size() && !is(i, ";") && !is(i, "="); ++i)
            if (is(i, "(")) return true;
        return false;
    }

    size_t enumeration(size_t i) {
        while (i + 1 < t_.size() && !is(i, "{") && !is(i, ";")) ++i;
        if (!is(i, "{")) return i + 1;
        double next = 0;
        for (auto [begin, end] : pieces(i)) {
            Value value = is(begin + 1, "=") ? evaluate(begin + 2, end) : Value::of(next);
            if (value.is_exact()) next = value.low + 1;
            set(at(begin).text, value);
        }
        return past(i);
    }

    // ------------------------------------------------------------------ variables

    using Variable = std::shared_ptr<HostVariable>;

    Variable find(const std::string& name) const {
        for (auto scope = scopes_.rbegin(); scope != scopes_.rend(); ++scope)
            if (auto found = scope->find(name); found != scope->end()) return found->second;
        return nullptr;
    }
    Variable declare(const std::string& name, Value value, const TypeName& type = {}) {
        auto made = std::make_shared<HostVariable>();
        made->type = type.name;
        made->stars = type.stars;
        made->value = std::move(value);
        scopes_.back()[name] = made;
        return made;
    }
    void set(const std::string& name, Value value) { declare(name, std::move(value)); }

    static bool is_counting_type(const TypeName& type) {
        if (type.stars > 0) return false;
        const std::string& n = type.name;
        return n != "void" && n != "auto" && host_type_bytes(n) > 0 && n.find("float2") == n.npos &&
               n.find("float3") == n.npos && n.find("float4") == n.npos;
    }

    // A number that the host code does not give away.
    Value assumed(const std::string& name, const std::string& why, const TypeName& type) {
        const bool real = type.name == "float" || type.name == "double";
        Value value = Value::of(real ? 1 : type.name == "bool" ? 0 : kAssumedCount, real);
        value.assumed.insert(out_.assumptions.size());
        out_.assumptions.push_back({name, why, fmt::format("{}", value.low)});
        return value;
    }

    int new_buffer(double bytes, std::set<size_t> assumed, const std::string& type) {
        out_.buffers.push_back({{}, type, bytes, std::move(assumed), {}});
        return static_cast<int>(out_.buffers.size()) - 1;
    }
    Value pointer_to(int buffer) const {
        Value value;
        value.kind = ValueKind::pointer;
        value.buffer = buffer;
        return value;
    }
    HostBuffer* buffer_of(const Value& value) {
        return value.kind == ValueKind::pointer && value.buffer >= 0
                   ? &out_.buffers[static_cast<size_t>(value.buffer)]
                   : nullptr;
    }
    void name_buffer(const Value& value, const std::string& name) {
        if (HostBuffer* buffer = buffer_of(value); buffer && buffer->name.empty())
            buffer->name = name;
    }

    // ------------------------------------------------------------------ types

    // A type at `i`; `end` becomes the place behind it. Nothing where there is none.
    std::optional<TypeName> type_at(size_t i, size_t& end) const {
        TypeName type;
        const size_t begin = i;
        for (;; ++i) {
            if (!is_name(i)) break;
            const std::string& word = at(i).text;
            if (holds(kQualifiers, word)) continue;
            if (type.name.empty()) {
                type.name = word;
            } else if (holds(kBasic, word) && holds(kBasic, last_word(type.name))) {
                type.name += " " + word;
            } else {
                break;
            }
            while (is(i + 1, "::") && is_name(i + 2)) {
                type.name = at(i + 2).text;
                i += 2;
            }
            if (is(i + 1, "<")) {
                const size_t close = past_angle(i + 1);
                if (close == i + 1) break;
                size_t piece = i + 2;
                for (size_t k = i + 2; k < close; ++k)
                    if (is(k, ",") || k + 1 == close) {
                        type.arguments.push_back(words(piece, k));
                        piece = k + 1;
                    }
                i = close - 1;
            }
        }
        if (type.name.empty() || i == begin) return std::nullopt;
        for (;; ++i)
            if (is(i, "*"))
                ++type.stars;
            else if (is(i, "&") || is(i, "&&"))
                type.reference = true;
            else if (!(is_name(i) && holds(kQualifiers, at(i).text)))
                break;
        end = i;
        auto resolved = types_.find(type.name);
        if (resolved != types_.end()) type.name = resolved->second;
        for (int n = 0; n < 4 && out_.aliases.contains(type.name); ++n) {
            type.name = out_.aliases.at(type.name);
            while (type.name.ends_with('*')) {
                type.name.pop_back();
                ++type.stars;
            }
        }
        return type;
    }
    static std::string last_word(const std::string& text) {
        return text.substr(text.rfind(' ') + 1);
    }

    bool is_declaration(size_t i) const {
        size_t end = i;
        if (!is_name(i) || find(at(i).text)) return false;
        if (function_called(at(i).text)) return false;
        if (!type_at(i, end) || !is_name(end)) return false;
        return is(end + 1, "=") || is(end + 1, ";") || is(end + 1, ",") || is(end + 1, "[") ||
               is(end + 1, "(") || is(end + 1, "{") || is(end + 1, ":") || is(end + 1, ")");
    }

    // ------------------------------------------------------------------ statements

    enum class Flow : uint8_t { on, stop_round, leave_loop, leave };

    size_t end_of_statement(size_t i) const {
        while (i + 1 < t_.size() && !is(i, ";") && !is(i, "}"))
            i = is(i, "(") || is(i, "{") || is(i, "[") ? past(i) : i + 1;
        return is(i, ";") ? i + 1 : i;
    }

    // Past the statement at `i`, which is not walked.
    size_t skip(size_t i) const {
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

    size_t block(size_t open, Flow& flow) {
        const size_t end = past(open);
        scopes_.emplace_back();
        size_t i = open + 1;
        while (i + 1 < end && flow == Flow::on && steps_ <= kMostSteps) i = statement(i, flow);
        scopes_.pop_back();
        return end;
    }

    size_t statement(size_t i, Flow& flow) {
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

    // 1 or 0 where it is certain.
    std::optional<bool> truth(const Value& value) const {
        if (!value.assumed.empty()) return std::nullopt;
        if (value.kind == ValueKind::pointer) return value.buffer >= 0;
        if (!value.is_exact()) return std::nullopt;
        return value.low != 0;
    }

    size_t condition(size_t i, Flow& flow) {
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
        if (!holds_now) --unsure_;
        // What a program does not launch by default, its reader may still want to see.
        if (holds_now && !*holds_now && may_launch(then, otherwise)) as_well(then, flow);
        if (holds_now && *holds_now && has_else && may_launch(otherwise, skip(otherwise + 1)))
            as_well(otherwise + 1, flow);
        return has_else ? skip(otherwise + 1) : otherwise;
    }

    // A launch, or a call of a function with one.
    bool may_launch(size_t begin, size_t end) const {
        for (size_t i = begin; i < end; ++i) {
            if (is(i, "<<<")) return true;
            if (!is_name(i) || !(is(i + 1, "(") || is(i + 1, "<"))) continue;
            const Function* function = function_called(at(i).text);
            if (function && function->launches) return true;
        }
        return false;
    }
    void as_well(size_t i, const Flow& flow) {
        if (flow == Flow::leave) return;
        Flow own = Flow::on;
        ++unsure_;
        statement(i, own);
        --unsure_;
    }

    bool has_launch(size_t begin, size_t end) const {
        for (size_t i = begin; i < end; ++i)
            if (is(i, "<<<")) return true;
        return false;
    }

    size_t for_loop(size_t i, Flow& flow) {
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

    size_t while_loop(size_t i, Flow& flow) {
        const size_t body = past(i + 1), end = skip(body);
        rounds(i + 2, body - 1, 0, 0, body, end, flow);
        return end;
    }

    void rounds(size_t from, size_t to, size_t step, size_t step_end, size_t body, size_t end,
                Flow& flow) {
        const int most = has_launch(body, end) ? 1 : kMostRounds;
        for (int round = 0; round < most && steps_ <= kMostSteps; ++round) {
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

    size_t choice(size_t i, Flow& flow) {
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
        for (size_t k = from; k + 1 < end && flow == Flow::on && steps_ <= kMostSteps;)
            k = statement(k, flow);
        if (flow == Flow::leave_loop) flow = Flow::on;
        if (truth(asked).has_value() && may_launch(open + 1, end)) {  // the other cases
            ++unsure_;
            Flow own = Flow::on;
            for (size_t k = open + 1; k + 1 < end && steps_ <= kMostSteps;) k = statement(k, own);
            --unsure_;
        }
        scopes_.pop_back();
        if (!truth(asked).has_value()) --unsure_;
        return end;
    }

    // ------------------------------------------------------------------ declarations

    size_t declaration(size_t i) {
        size_t name = i;
        const TypeName type = *type_at(i, name);
        for (;;) {
            TypeName own = type;
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

    // "n = 5", "grid(4, 4)", "h[N]", "v{…}"; returns past it, at "," or ";".
    size_t one_declared(const TypeName& type, size_t name) {
        const std::string& word = at(name).text;
        size_t next = name + 1;
        if (is(next, "[")) return array(type, name);
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

    void declare_as(const TypeName& type, const std::string& name, Value value,
                    const std::string& written) {
        if (value.kind == ValueKind::unknown && is_counting_type(type))
            value = assumed(name, "it is " + written, type);
        if (value.is_number() && is_counting_type(type)) value = converted(value, type.name);
        if (type.name == "dim3" && value.is_number()) value = dim({value});
        declare(name, value, type);
        name_buffer(value, name);
    }

    static Value converted(Value value, const std::string& type) {
        const bool real = type.find("float") != type.npos || type.find("double") != type.npos ||
                          type.find("half") != type.npos || type.find("bfloat16") != type.npos;
        if (!real && value.is_real) {
            value.low = std::trunc(value.low);
            value.high = std::trunc(value.high);
        }
        value.is_real = real;
        return value;
    }

    size_t array(const TypeName& type, size_t name) {
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
            for (auto [begin, end] : pieces(next))
                set(fmt::format("{}[{}]", word, place++), evaluate(begin, end));
            if (open) count = Value::of(place);
            next = past(next);
        } else if (is(next, "=")) {
            while (!is(next, ",") && !is(next, ";")) ++next;
        }
        declare(word, allocated(count, type.name, type.stars), type);
        name_buffer(find(word)->value, word);
        return next;
    }

    // A buffer of so many elements.
    Value allocated(const Value& count, const std::string& type, int stars = 0) {
        const double size = stars > 0 ? 8 : type.empty() ? 4 : host_type_bytes(type);
        const double bytes = count.is_exact() && size > 0 ? count.low * size : -1;
        return pointer_to(new_buffer(bytes, count.assumed, type));
    }

    // T name(…) and T name{…}
    Value constructed(const TypeName& type, size_t open) {
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
    std::string plain(std::string type) const {
        auto found = types_.find(type);
        if (found != types_.end()) type = found->second;
        auto alias_of = out_.aliases.find(type);
        return alias_of == out_.aliases.end() ? type : alias_of->second;
    }
    static Value converted_if_number(const Value& value, const std::string& type) {
        return value.is_number() && host_type_bytes(type) > 0 ? converted(value, type) : value;
    }

    static Value dim(std::vector<Value> parts) {
        Value value;
        value.kind = ValueKind::dim;
        while (parts.size() < 3) parts.push_back(Value::of(1));
        for (const Value& part : parts) merge(value.assumed, part.assumed);
        value.parts = std::move(parts);
        return value;
    }

    // ------------------------------------------------------------------ expressions

    // Tokens [begin, end) as one expression; what is left of it behind a comma is evaluated, too.
    Value evaluate(size_t begin, size_t end) {
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
    bool here(const char* text) const { return at_ < end_ && is(at_, text); }

    Value assignment() {
        ++steps_;
        const size_t begin = at_;
        Value left = ternary();
        if (at_ >= end_ || at(at_).kind != TokenKind::sign) return left;
        const std::string sign = at(at_).text;
        const bool shifts = sign == ">" && is(at_ + 1, ">=");
        if (sign != "=" &&
            !(sign.size() >= 2 && sign.back() == '=' && sign != "==" && sign != "!=" &&
              sign != "<=" && sign != ">=") &&
            !shifts)
            return left;
        const size_t target_end = at_;
        at_ += shifts ? 2 : 1;
        const size_t value_begin = at_;
        Value right = assignment();
        if (sign != "=")
            right = combined(shifts ? ">>" : sign.substr(0, sign.size() - 1), left, right);
        store(begin, target_end, right, value_begin, at_);
        return right;
    }

    Value ternary() {
        Value asked = binary(0);
        if (!here("?")) return asked;
        ++at_;
        const std::optional<bool> holds_now = truth(asked);
        Value yes = assignment();
        if (here(":")) ++at_;
        Value no = assignment();
        if (holds_now) return *holds_now ? yes : no;
        return asked.is_number() && asked.low != 0 ? yes : no;
    }

    // The operator at `i`, and how many tokens it has.
    static int strength(const std::string& sign) {
        static const std::map<std::string, int> table = {
            {"||", 1}, {"&&", 2}, {"|", 3}, {"^", 4},  {"&", 5},  {"==", 6},
            {"!=", 6}, {"<", 7},  {">", 7}, {"<=", 7}, {">=", 7}, {"<<", 8},
            {">>", 8}, {"+", 9},  {"-", 9}, {"*", 10}, {"/", 10}, {"%", 10}};
        auto found = table.find(sign);
        return found == table.end() ? 0 : found->second;
    }
    std::string operator_here(size_t& length) const {
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

    Value binary(int least) {
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

    static Value combined(const std::string& sign, const Value& a, const Value& b) {
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
        if (!a.is_number() || !b.is_number())
            return Value::not_known(a.is_number() ? b.text : a.text);
        made = Value::of(0, a.is_real || b.is_real);
        made.assumed = a.assumed;
        merge(made.assumed, b.assumed);
        const double ends[4] = {
            apply(sign, a.low, b.low, made.is_real), apply(sign, a.low, b.high, made.is_real),
            apply(sign, a.high, b.low, made.is_real), apply(sign, a.high, b.high, made.is_real)};
        if (std::any_of(std::begin(ends), std::end(ends),
                        [](double e) { return !std::isfinite(e); }))
            return Value::not_known("a division by zero");
        made.low = *std::min_element(std::begin(ends), std::end(ends));
        made.high = *std::max_element(std::begin(ends), std::end(ends));
        if (sign == "%" && a.low != a.high && b.low == b.high) {
            made.low = 0;
            made.high = b.low - 1;
        }
        if (strength(sign) <= 7 && strength(sign) != 3 && strength(sign) != 4 &&
            strength(sign) != 5)
            made.is_real = false;
        return made;
    }

    static double apply(const std::string& sign, double a, double b, bool real) {
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

    Value unary() {
        if (++steps_ > kMostSteps || at_ >= end_) return Value::not_known("too much to follow");
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
            const TypeName type = *type_at(at_ + 1, end);
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

    bool is_cast() const {
        size_t end = at_ + 1;
        const std::optional<TypeName> type = type_at(at_ + 1, end);
        if (!type || !is(end, ")") || end >= end_) return false;
        if (type->stars > 0) return true;
        if (host_type_bytes(type->name) == 0 && type->name != "dim3") return false;
        if (find(at(at_ + 1).text)) return false;
        const Token& next = at(end + 1);
        return next.kind == TokenKind::name || next.kind == TokenKind::number || next.text == "(" ||
               next.text == "-" || next.text == "*" || next.text == "&";
    }

    Value size_of() {
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
        const std::optional<TypeName> type = type_at(inner, end);
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

    Value new_object() {
        ++at_;
        size_t end = at_;
        const std::optional<TypeName> type = type_at(at_, end);
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

    Value postfix() {
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

    Value element_of(const Value& pointer) {
        const HostBuffer* buffer = buffer_of(pointer);
        if (!buffer || buffer->fill.kind == HostFill::Kind::unknown)
            return Value::not_known("what lies in memory");
        Value value = Value::of(buffer->fill.first, buffer->fill.is_real);
        if (buffer->fill.kind == HostFill::Kind::range) value.high = buffer->fill.second;
        return value;
    }

    Value method(const Value& object, const std::string& name, size_t open, size_t begin) {
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
            if ((name == "resize" || name == "reserve") && !values.empty() &&
                values[0].is_exact()) {
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

    // A tensor of PyTorch: its sizes are the caller's, and its data has as many elements as the
    // product of those that the function asks for.
    Value size_of_tensor(const std::string& tensor, size_t begin) {
        const std::string asked = words(begin, at_);
        if (auto known = sizes_.find(asked); known != sizes_.end()) return known->second;
        Value value = assumed(asked, "it is " + asked, {"int64_t"});
        sizes_[asked] = value;
        Value& all = elements_of_[tensor];
        all = all.is_number() ? combined("*", all, value) : value;
        return value;
    }
    Value data_of_tensor(const std::string& tensor) {
        const Value all = elements_of_[tensor];
        return all.is_exact() ? allocated(all, "") : Value::not_known(tensor + ".data_ptr()");
    }
    // Before ".data_ptr<float>(": where the tensor's own name ends.
    size_t data_begin(size_t begin, size_t open) const {
        size_t end = begin;
        for (size_t i = begin; i < open; ++i)
            if (is(i, ".") || is(i, "->")) end = i;
        return end;
    }

    Value primary() {
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
            for (auto [begin, end] : pieces(open)) values.push_back(evaluate(begin, end));
            return values.size() == 1 ? values[0] : Value::not_known("a list");
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

    static Value number(const std::string& text) {
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

    // A name, with its scopes and template arguments: a variable, a call, a launch.
    Value named() {
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
            if (close > at_ &&
                (is(close, "(") || is(close, "<<<") || is(close, "::") || is(close, ")") ||
                 is(close, ",") || is(close, ";") || is(close, "{"))) {
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

    std::vector<std::string> template_arguments(size_t open, size_t close) {
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

    // ------------------------------------------------------------------ storing

    // The path of what is written at [begin, end): "p.n", "d[1]"; empty where it has none.
    std::string path_at(size_t begin, size_t end) {
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
    Variable variable_at(size_t begin, size_t end) {
        const std::string path = path_at(begin, end);
        if (path.empty()) return nullptr;
        if (Variable found = find(path)) return found;
        // A member or an element that was not spoken of: made when somebody takes its address.
        const size_t root_end = path.find_first_of(".[");
        if (root_end == path.npos || !is(begin - 1, "&")) return nullptr;
        return declare(path, Value::not_known(path));
    }

    void store(size_t begin, size_t end, Value value, size_t value_begin, size_t value_end) {
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
            if (value.kind == ValueKind::unknown &&
                is_counting_type({variable->type, variable->stars}))
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
    // The "[" of "h[i]"; `begin` where there is none.
    size_t last_index(size_t begin, size_t end) const {
        size_t open = begin;
        for (size_t i = begin; i < end; ++i)
            if (is(i, "[")) {
                open = i;
                i = past(i) - 1;
            }
        return open;
    }

    static HostFill same(const Value& value) {
        return {HostFill::Kind::same, value.low, value.low, value.is_real};
    }

    // One more element: of a loop's first rounds they come one after the other.
    void fill(HostBuffer& buffer, const Value& value) {
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
                known = {HostFill::Kind::sequence, known.first, value.low - known.first,
                         value.is_real};
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

    // ------------------------------------------------------------------ calls

    Value called(const std::string& name, const std::vector<std::string>& types, size_t open) {
        const auto list = pieces(open);
        if (name.starts_with("cudaLaunch") && list.size() >= 4) return launch_by_call(list);
        if (name == "sizeof") return Value::not_known("a size");
        if (name == "dim3") return constructed({"dim3"}, open);
        if (name == "exit" || name == "abort") return Value::not_known("");
        std::vector<Value> values;
        for (auto [begin, end] : list) values.push_back(evaluate(begin, end));
        if (std::optional<Value> of_runtime = runtime(name, values, types, list))
            return *of_runtime;
        if (std::optional<Value> known = arithmetic(name, values)) return *known;
        if (host_type_bytes(name) > 0 && values.size() == 1)
            return converted_if_number(values[0], name);
        if (Variable variable = find(name); variable &&
                                            variable->value.kind == ValueKind::function &&
                                            variable->value.text.starts_with('\x01'))
            return lambda(std::stoull(variable->value.text.substr(1)), values);
        if (const Function* function = function_called(name, values.size())) {
            std::vector<Variable> variables;  // what a reference may stand for
            for (auto [begin, end] : list) {
                const std::string path = path_at(begin, end);
                variables.push_back(path.empty() ? nullptr : find(path));
            }
            return call(*function, values, types, variables);
        }
        if (name.ends_with("_cast") && values.size() == 1) {
            if (!types.empty() && types[0].find('*') == types[0].npos)
                return converted_if_number(values[0], types[0]);
            return values[0];
        }
        // A check's macro or function that is not here: what it is given is what it gives.
        for (const Value& value : values)
            if (value.kind == ValueKind::pointer) return Value::not_known(name + "(…)");
        if (values.size() == 1 && values[0].is_number() && values[0].low == 0) return values[0];
        return Value::not_known(words(open > 0 ? open - 1 : open, past(open)));
    }

    static std::optional<Value> arithmetic(const std::string& name, const std::vector<Value>& v) {
        if (name == "rand" || name == "random") {
            Value value = Value::of(0);
            value.high = 2147483647;
            return value;
        }
        if (name == "drand48" || name == "curand_uniform") {
            Value value = Value::of(0, true);
            value.high = 1;
            return value;
        }
        auto both = [&](auto function, bool real) -> std::optional<Value> {
            Value made = Value::of(0, real);
            made.low = function(v[0].low);
            made.high = function(v[0].high);
            made.assumed = v[0].assumed;
            if (made.low > made.high) std::swap(made.low, made.high);
            if (!std::isfinite(made.low) || !std::isfinite(made.high)) return std::nullopt;
            return made;
        };
        if (v.size() == 1 && v[0].is_number()) {
            if (name == "ceil" || name == "ceilf")
                return both([](double x) { return std::ceil(x); }, true);
            if (name == "floor" || name == "floorf")
                return both([](double x) { return std::floor(x); }, true);
            if (name == "sqrt" || name == "sqrtf")
                return both([](double x) { return std::sqrt(x); }, true);
            if (name == "log2" || name == "log2f")
                return both([](double x) { return std::log2(x); }, true);
            if (name == "abs" || name == "fabs" || name == "fabsf")
                return both([](double x) { return std::fabs(x); }, v[0].is_real);
            if (name == "sin" || name == "sinf" || name == "cos" || name == "cosf") {
                Value made = Value::of(-1, true);
                made.high = 1;
                return made;
            }
            if (name == "__float2half" || name == "__float2bfloat16" || name == "float2half")
                return v[0];
        }
        if (v.size() != 2 || !v[0].is_number() || !v[1].is_number()) return std::nullopt;
        Value made = v[0];
        merge(made.assumed, v[1].assumed);
        made.is_real |= v[1].is_real;
        if (name == "min" || name == "MIN" || name == "fmin" || name == "fminf")
            made.low = std::min(v[0].low, v[1].low), made.high = std::min(v[0].high, v[1].high);
        else if (name == "max" || name == "MAX" || name == "fmax" || name == "fmaxf")
            made.low = std::max(v[0].low, v[1].low), made.high = std::max(v[0].high, v[1].high);
        else if (name == "pow" || name == "powf")
            made.low = std::pow(v[0].low, v[1].low), made.high = std::pow(v[0].high, v[1].high);
        else
            return std::nullopt;
        return made;
    }

    // What the CUDA runtime and C's library do to memory.
    std::optional<Value> runtime(const std::string& name, const std::vector<Value>& v,
                                 const std::vector<std::string>& types,
                                 const std::vector<std::pair<size_t, size_t>>& list) {
        const Value fine = Value::of(0);
        if ((name == "cudaMalloc" || name == "cudaMallocManaged" || name == "cudaMallocHost" ||
             name == "cudaHostAlloc" || name == "cudaMallocAsync") &&
            v.size() >= 2) {
            if (v[0].kind == ValueKind::address && v[0].target) {
                HostVariable& variable = *v[0].target;
                const std::string type = variable.stars > 1 ? "" : variable.type;
                const double bytes = v[1].is_exact() ? v[1].low : -1;
                variable.value = pointer_to(new_buffer(bytes, v[1].assumed, type));
                name_buffer(variable.value, path_at(skip_casts(list[0].first), list[0].second));
            }
            return fine;
        }
        if (name == "malloc" || name == "calloc" || name == "aligned_alloc") {
            Value bytes = v.empty() ? Value{} : v[0];
            if (name != "malloc" && v.size() > 1)
                bytes = name == "calloc" ? combined("*", v[0], v[1]) : v[1];
            const double size = bytes.is_exact() ? bytes.low : -1;
            Value made = pointer_to(new_buffer(size, bytes.assumed, ""));
            if (name == "calloc") buffer_of(made)->fill = same(fine);
            return made;
        }
        if ((name.starts_with("cudaMemcpy") || name == "memcpy") && v.size() >= 3) {
            HostBuffer *to = buffer_of(v[0]), *from = buffer_of(v[1]);
            if (to && from && name.find("Symbol") == name.npos) {
                to->fill = from->fill;
                if (to->type.empty()) to->type = from->type;
            }
            return fine;
        }
        if ((name.starts_with("cudaMemset") || name == "memset") && v.size() >= 3) {
            if (HostBuffer* buffer = buffer_of(v[0]); buffer && v[1].is_exact() && v[1].low == 0)
                buffer->fill = same(fine);
            return fine;
        }
        if ((name == "fill" || name == "fill_n" || name == "iota" || name == "sequence") &&
            !v.empty() && buffer_of(v[0])) {
            const Value& last = v.back();
            if (name == "iota" || name == "sequence")
                buffer_of(v[0])->fill = {HostFill::Kind::sequence, last.is_exact() ? last.low : 0,
                                         1, last.is_real};
            else if (last.is_exact())
                buffer_of(v[0])->fill = same(last);
            return fine;
        }
        if (name.starts_with("curandGenerateUniform") && v.size() > 1 && buffer_of(v[1])) {
            buffer_of(v[1])->fill = {HostFill::Kind::range, 0, 1, true};
            return fine;
        }
        if (name == "raw_pointer_cast" || name == "move" || name == "forward" || name == "begin" ||
            name == "data")
            return v.empty() ? std::optional<Value>() : v[0];
        if (name == "make_unique" && !types.empty() && !v.empty()) {
            const size_t bracket = types[0].find('[');
            return allocated(v[0], types[0].substr(0, bracket));
        }
        if (name.starts_with("cuda") && !name.starts_with("cudaGetDeviceCount")) return fine;
        return std::nullopt;
    }
    // Past "(void**)" and "&".
    size_t skip_casts(size_t i) const {
        while (is(i, "(") || is(i, "&")) {
            if (is(i, "&")) {
                ++i;
                continue;
            }
            size_t end = i + 1;
            const std::optional<TypeName> type = type_at(i + 1, end);
            if (!type || !is(end, ")") || type->stars == 0) break;
            i = end + 1;
        }
        return i;
    }

    Value lambda(size_t open, const std::vector<Value>& values) {
        size_t parameters = past(open);
        size_t body = is(parameters, "(") ? past(parameters) : parameters;
        while (body + 1 < t_.size() && !is(body, "{") && !is(body, ";")) ++body;
        if (!is(body, "{") || depth_ > kDeepestCall) return Value::not_known("a lambda");
        scopes_.emplace_back();
        if (is(parameters, "(")) take_parameters(parameters, values, "a lambda", false);
        Value result = run_body(body);
        scopes_.pop_back();
        return result;
    }

    Value run_body(size_t body) {
        ++depth_;
        const Value before = returned_;
        const int unsure_before = unsure_;
        unsure_ = 0;
        returned_ = {};
        Flow flow = Flow::on;
        block(body, flow);
        Value result = returned_;
        returned_ = before;
        unsure_ = unsure_before;
        --depth_;
        return result;
    }

    // The values of what is not given are assumed.
    // `assumes`: also those that are given, but not known, of a function that launches.
    void take_parameters(size_t open, const std::vector<Value>& values, const std::string& whose,
                         bool assumes, const std::vector<Variable>& variables = {}) {
        size_t place = 0;
        for (auto [begin, end] : pieces(open)) {
            size_t name = begin;
            std::optional<TypeName> type = type_at(begin, name);
            const Value given = place < values.size() ? values[place] : Value{};
            ++place;
            if (!type || name >= end || !is_name(name)) continue;
            if (is(name + 1, "[")) ++type->stars;
            if (type->reference && place <= variables.size() && variables[place - 1]) {
                scopes_.back()[at(name).text] = variables[place - 1];
                continue;
            }
            Value value = given;
            if (value.kind == ValueKind::unknown && is(name + 1, "=") && place > values.size())
                value = evaluate(name + 2, end);
            if (value.kind == ValueKind::unknown && at(name).text != "argc" &&
                (assumes || place > values.size()) && is_counting_type(*type))
                value = assumed(at(name).text, "it is a parameter of " + whose, *type);
            if (value.kind == ValueKind::unknown && type->stars == 1 && type->name != "char")
                value = pointer_to(new_buffer(-1, {}, type->name == "void" ? "" : type->name));
            if (at(name).text == "argc") value = Value::of(1);
            declare(at(name).text, value, *type);
            name_buffer(value, at(name).text);
        }
    }

    Value call(const Function& function, const std::vector<Value>& values,
               const std::vector<std::string>& types, const std::vector<Variable>& variables = {}) {
        if (depth_ > kDeepestCall) return Value::not_known(function.name + "(…)");
        called_.insert(function.body);
        // Its own names and the global ones, not the caller's.
        std::vector<std::map<std::string, Variable>> others;
        while (scopes_.size() > 1) {
            others.push_back(std::move(scopes_.back()));
            scopes_.pop_back();
        }
        const std::map<std::string, std::string> types_before = types_;
        scopes_.emplace_back();
        for (size_t i = 0; i < std::min(types.size(), function.template_parameters.size()); ++i) {
            const Value value = number(types[i]);
            if (value.is_number())
                declare(function.template_parameters[i], value);
            else
                types_[function.template_parameters[i]] = types[i];
        }
        const std::map<std::string, Value> sizes_before = sizes_, elements_before = elements_of_;
        sizes_.clear();
        elements_of_.clear();
        take_parameters(function.parameters, values, function.name + "()", function.launches,
                        variables);
        Value result = run_body(function.body);
        types_ = types_before;
        sizes_ = sizes_before;
        elements_of_ = elements_before;
        scopes_.pop_back();
        while (!others.empty()) {
            scopes_.push_back(std::move(others.back()));
            others.pop_back();
        }
        return result;
    }

    // ------------------------------------------------------------------ launches

    void add(HostLaunch launch) {
        if (launch.line == 0) return;
        for (const HostLaunch& known : out_.launches)
            if (known.line == launch.line && known.kernel == launch.kernel) return;
        out_.launches.push_back(std::move(launch));
    }

    // At "<<<".
    Value launch(const std::string& kernel, int line) {
        HostLaunch made;
        made.line = line;
        made.kernel = kernel;
        size_t close = at_ + 1;
        std::vector<std::pair<size_t, size_t>> list;
        size_t begin = close;
        for (; close + 2 < t_.size(); ++close) {
            if (is(close, "(") || is(close, "{") || is(close, "[")) {
                close = past(close) - 1;
                continue;
            }
            if (is(close, ">") && is(close + 1, ">") && is(close + 2, ">") && is(close + 3, "("))
                break;
            if (is(close, "<") && past_angle(close) > close && !is(past_angle(close), ">"))
                close = past_angle(close) - 1;
            if (is(close, ",")) {
                list.emplace_back(begin, close);
                begin = close + 1;
            }
            if (is(close, ";")) return Value::not_known("a launch");
        }
        list.emplace_back(begin, close);
        const size_t open = close + 3;
        made.grid = as_dim(evaluate(list[0].first, list[0].second));
        if (list.size() > 1) made.block = as_dim(evaluate(list[1].first, list[1].second));
        made.shared = list.size() > 2 ? evaluate(list[2].first, list[2].second) : Value::of(0);
        for (auto [from, to] : pieces(open)) {
            made.arguments.push_back(evaluate(from, to));
            made.argument_texts.push_back(words(from, to));
        }
        at_ = past(open);
        if (Variable variable = find(kernel);
            variable && variable->value.kind == ValueKind::function)
            made.kernel = variable->value.text;
        add(std::move(made));
        return Value::of(0);
    }

    static Value as_dim(Value value) {
        if (value.is_number()) return dim({value});
        return value;
    }

    // cudaLaunchKernel(kernel, grid, block, args, shared, stream)
    Value launch_by_call(const std::vector<std::pair<size_t, size_t>>& list) {
        HostLaunch made;
        const size_t kernel = skip_casts(list[0].first);
        const Value function = evaluate(kernel, list[0].second);
        made.line = at(list[0].first).line;
        made.kernel = function.kind == ValueKind::function || function.kind == ValueKind::unknown
                          ? function.text
                          : words(kernel, list[0].second);
        made.grid = as_dim(evaluate(list[1].first, list[1].second));
        made.block = as_dim(evaluate(list[2].first, list[2].second));
        const std::string array = path_at(skip_casts(list[3].first), list[3].second);
        for (int i = 0; !array.empty(); ++i) {
            const Variable each = find(fmt::format("{}[{}]", array, i));
            if (!each) break;
            const bool addressed = each->value.kind == ValueKind::address && each->value.target;
            made.arguments.push_back(addressed ? each->value.target->value : each->value);
            made.argument_texts.push_back(fmt::format("{}[{}]", array, i));
        }
        made.shared = list.size() > 4 ? evaluate(list[4].first, list[4].second) : Value::of(0);
        add(std::move(made));
        return Value::of(0);
    }

    const std::vector<Token>& t_;
    HostWalk out_;
    std::vector<Function> functions_;
    std::set<size_t> called_;  // bodies
    std::vector<std::map<std::string, Variable>> scopes_;
    std::map<std::string, std::string> types_;          // of template parameters
    std::map<std::ptrdiff_t, int> fills_;               // elements seen, by buffer; -1: no pattern
    std::map<std::string, Value> sizes_, elements_of_;  // of tensors, as written
    Value returned_;
    size_t at_ = 0, end_ = 0;  // of the expression that is read
    int steps_ = 0, depth_ = 0, unsure_ = 0;
};

}  // namespace

HostValue HostValue::of(double value, bool is_real) {
    HostValue made;
    made.kind = Kind::number;
    made.low = made.high = value;
    made.is_real = is_real;
    return made;
}

HostValue HostValue::not_known(std::string why) {
    HostValue made;
    made.text = std::move(why);
    return made;
}

HostWalk walk_host(const std::vector<HostToken>& tokens) { return Walker(tokens).walk(); }

double host_type_bytes(const std::string& type) {
    static const std::map<std::string, double> table = {{"char", 1},
                                                        {"bool", 1},
                                                        {"signed char", 1},
                                                        {"unsigned char", 1},
                                                        {"uchar", 1},
                                                        {"int8_t", 1},
                                                        {"uint8_t", 1},
                                                        {"short", 2},
                                                        {"unsigned short", 2},
                                                        {"int16_t", 2},
                                                        {"uint16_t", 2},
                                                        {"half", 2},
                                                        {"__half", 2},
                                                        {"nv_bfloat16", 2},
                                                        {"__nv_bfloat16", 2},
                                                        {"int", 4},
                                                        {"unsigned", 4},
                                                        {"unsigned int", 4},
                                                        {"uint", 4},
                                                        {"int32_t", 4},
                                                        {"uint32_t", 4},
                                                        {"float", 4},
                                                        {"half2", 4},
                                                        {"__half2", 4},
                                                        {"long", 8},
                                                        {"unsigned long", 8},
                                                        {"long int", 8},
                                                        {"long long", 8},
                                                        {"unsigned long long", 8},
                                                        {"long long int", 8},
                                                        {"unsigned long long int", 8},
                                                        {"int64_t", 8},
                                                        {"uint64_t", 8},
                                                        {"size_t", 8},
                                                        {"ssize_t", 8},
                                                        {"ptrdiff_t", 8},
                                                        {"double", 8},
                                                        {"float2", 8},
                                                        {"int2", 8},
                                                        {"uint2", 8},
                                                        {"float3", 12},
                                                        {"int3", 12},
                                                        {"uint3", 12},
                                                        {"float4", 16},
                                                        {"int4", 16},
                                                        {"uint4", 16},
                                                        {"double2", 16},
                                                        {"uchar4", 4},
                                                        {"char4", 4}};
    auto found = table.find(type);
    return found == table.end() ? 0 : found->second;
}

}  // namespace lanewise
