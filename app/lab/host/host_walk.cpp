// The walk begins and ends here: functions, types, variables; and values by themselves.
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

namespace {

const std::array<const char*, 18> kBasic = {"int",      "float",   "double",  "char",     "bool",
                                            "void",     "short",   "long",    "unsigned", "signed",
                                            "size_t",   "auto",    "int64_t", "uint64_t", "int32_t",
                                            "uint32_t", "uint8_t", "half"};
const std::array<const char*, 13> kQualifiers = {
    "const",    "static", "constexpr",    "volatile",     "register",   "extern",     "inline",
    "typename", "struct", "__restrict__", "__constant__", "__device__", "__managed__"};

template <typename List>
bool holds(const List& list, const std::string& one) {
    return std::find(list.begin(), list.end(), one) != list.end();
}

}  // namespace

HostWalker::HostWalker(const std::vector<Token>& tokens, HostWay way) : t_(tokens), way_(way) {
    scopes_.emplace_back();
    for (const char* zero : {"cudaSuccess", "NULL", "nullptr", "false", "EXIT_SUCCESS", "stdin"})
        set(zero, Value::of(0));
    set("true", Value::of(1));
    set("RAND_MAX", Value::of(2147483647));
    set("CURAND_STATUS_SUCCESS", Value::of(0));
    set("INT_MAX", Value::of(2147483647));
    set("FLT_MAX", Value::of(3.402823e38, true));
    set("warpSize", Value::of(32));
    set("argc", Value::of(1));
}

HostWalk HostWalker::walk() {
    find_functions();
    for (bool more = true; more;) {
        more = false;
        for (HostFunction& function : functions_) {
            if (function.launches || !may_launch(function.body, past(function.body))) continue;
            function.launches = more = true;
        }
    }
    walk_globals();
    const HostFunction* main = function_called("main");
    if (main) call(*main, {}, {});
    if (way_ == HostWay::launches && main) return std::move(out_);
    beyond_main_ = main != nullptr;
    for (const HostFunction* function : uncalled_first())
        if (!called_.contains(function->body)) {
            steps_ = 0;
            call(*function, {}, {});
        }
    std::stable_sort(out_.launches.begin(), out_.launches.end(),
                     [](const auto& a, const auto& b) { return a.line < b.line; });
    return std::move(out_);
}

std::vector<const HostFunction*> HostWalker::uncalled_first() const {
    std::set<std::string> called;
    for (const HostFunction& function : functions_)
        for (size_t i = function.body; function.launches && i < past(function.body); ++i)
            if (is_name(i) && at(i).text != function.name && (is(i + 1, "(") || is(i + 1, "<")))
                called.insert(at(i).text);
    std::vector<const HostFunction*> order;
    for (const bool is_called : {false, true})
        for (const HostFunction& function : functions_)
            if (function.launches && called.contains(function.name) == is_called)
                order.push_back(&function);
    return order;
}

const Token& HostWalker::at(size_t i) const { return t_[std::min(i, t_.size() - 1)]; }

bool HostWalker::is(size_t i, const char* text) const {
    return at(i).text == text && at(i).kind != TokenKind::text;
}

bool HostWalker::is_name(size_t i) const { return at(i).kind == TokenKind::name; }

size_t HostWalker::past(size_t open) const {
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

size_t HostWalker::past_angle(size_t open) const {
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

std::string HostWalker::words(size_t begin, size_t end) const {
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

std::vector<std::pair<size_t, size_t>> HostWalker::pieces(size_t open) const {
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

void HostWalker::find_functions() {
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
        HostFunction function{at(i).text, i + 1, after, parameters_of_template};
        function.count = pieces(i + 1).size();
        for (size_t k = after; k < end; ++k)
            function.launches |= is(k, "<<<") || at(k).text.starts_with("cudaLaunchKernel") ||
                                 at(k).text.starts_with("cuLaunchKernel") ||
                                 at(k).text == "cudaLaunchCooperativeKernel";
        functions_.push_back(function);
        parameters_of_template.clear();
        i = end - 1;
    }
}

void HostWalker::collect_template_names(size_t open, size_t end,
                                        std::vector<std::string>& names) const {
    for (size_t i = open + 1; i < end; ++i)
        if (is_name(i) && (is(i + 1, ",") || is(i + 1, "=") || i + 2 == end))
            names.push_back(at(i).text);
}

bool HostWalker::is_for_device(size_t i) const {
    bool device = false, host = false, kernel = false;
    for (size_t k = i; k-- > 0 && !is(k, ";") && !is(k, "}") && !is(k, "{");) {
        device |= is(k, "__device__");
        host |= is(k, "__host__");
        kernel |= is(k, "__global__");
    }
    return kernel || (device && !host);
}

const HostFunction* HostWalker::function_called(const std::string& name, size_t given) const {
    const HostFunction* first = nullptr;
    for (const HostFunction& function : functions_) {
        if (function.name != name) continue;
        if (function.count == given) return &function;
        if (!first) first = &function;
    }
    return first;
}

size_t HostWalker::alias(size_t i) {
    size_t end = i;
    while (end + 1 < t_.size() && !is(end, ";")) end = is(end, "{") ? past(end) : end + 1;
    if (is(i, "using") && is(i + 2, "="))
        out_.aliases[at(i + 1).text] = words(i + 3, end);
    else if (is(i, "typedef") && end > i + 2 && is_name(end - 1) && !is(i + 1, "struct"))
        out_.aliases[at(end - 1).text] = words(i + 1, end - 1);
    return end + 1;
}

void HostWalker::walk_globals() {
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

bool HostWalker::is_function_at(size_t i) const {
    for (; i + 1 < t_.size() && !is(i, ";") && !is(i, "="); ++i)
        if (is(i, "(")) return true;
    return false;
}

size_t HostWalker::enumeration(size_t i) {
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

HostWalker::Variable HostWalker::find(const std::string& name) const {
    for (auto scope = scopes_.rbegin(); scope != scopes_.rend(); ++scope)
        if (auto found = scope->find(name); found != scope->end()) return found->second;
    return nullptr;
}

HostWalker::Variable HostWalker::declare(const std::string& name, Value value,
                                         const HostTypeName& type) {
    auto made = std::make_shared<HostVariable>();
    made->type = type.name;
    made->stars = type.stars;
    made->value = std::move(value);
    scopes_.back()[name] = made;
    return made;
}

void HostWalker::set(const std::string& name, Value value) { declare(name, std::move(value)); }

bool HostWalker::is_counting_type(const HostTypeName& type) {
    if (type.stars > 0) return false;
    const std::string& n = type.name;
    return n != "void" && n != "auto" && host_type_bytes(n) > 0 && n.find("float2") == n.npos &&
           n.find("float3") == n.npos && n.find("float4") == n.npos;
}

Value HostWalker::assumed(const std::string& name, const std::string& why,
                          const HostTypeName& type) {
    const bool real = type.name == "float" || type.name == "double";
    Value value = Value::of(real ? 1 : type.name == "bool" ? 0 : kAssumedCount, real);
    value.assumed.insert(out_.assumptions.size());
    out_.assumptions.push_back({name, why, fmt::format("{}", value.low)});
    return value;
}

int HostWalker::new_buffer(double bytes, std::set<size_t> assumed, const std::string& type) {
    out_.buffers.push_back({{}, type, bytes, std::move(assumed), {}});
    return static_cast<int>(out_.buffers.size()) - 1;
}

Value HostWalker::pointer_to(int buffer) const {
    Value value;
    value.kind = ValueKind::pointer;
    value.buffer = buffer;
    return value;
}

HostBuffer* HostWalker::buffer_of(const Value& value) {
    return value.kind == ValueKind::pointer && value.buffer >= 0
               ? &out_.buffers[static_cast<size_t>(value.buffer)]
               : nullptr;
}

void HostWalker::name_buffer(const Value& value, const std::string& name) {
    if (HostBuffer* buffer = buffer_of(value); buffer && buffer->name.empty()) buffer->name = name;
}

std::optional<HostTypeName> HostWalker::type_at(size_t i, size_t& end) const {
    HostTypeName type;
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

std::string HostWalker::last_word(const std::string& text) {
    return text.substr(text.rfind(' ') + 1);
}

bool HostWalker::is_declaration(size_t i) const {
    size_t end = i;
    if (!is_name(i) || find(at(i).text)) return false;
    if (function_called(at(i).text)) return false;
    if (!type_at(i, end) || !is_name(end)) return false;
    return is(end + 1, "=") || is(end + 1, ";") || is(end + 1, ",") || is(end + 1, "[") ||
           is(end + 1, "(") || is(end + 1, "{") || is(end + 1, ":") || is(end + 1, ")");
}

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

HostWalk walk_host(const std::vector<HostToken>& tokens, HostWay way) {
    return HostWalker(tokens, way).walk();
}

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
