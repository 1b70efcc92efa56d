// Calls: of the host code's own functions, of the CUDA runtime and of C; and launches.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <cstdlib>
#include <limits>

#include "base/error.h"
#include "lab/host/host_walker.h"
#include "lab/job/devices.h"
#include "model/device_profile.h"

namespace lanewise {

using Token = HostToken;
using TokenKind = HostToken::Kind;
using Value = HostValue;
using ValueKind = HostValue::Kind;

Value HostWalker::called(const std::string& name, const std::vector<std::string>& types,
                         size_t open) {
    const auto list = pieces(open);
    if (name.starts_with("cudaLaunchKernelEx") && list.size() >= 2)
        return launch_by_config(name, list);
    if (name == "cuLaunchKernelEx" && list.size() >= 3) return launch_by_config(name, list);
    if (name == "cuLaunchKernel" && list.size() >= 9) return launch_by_driver(list);
    if (name.starts_with("cudaLaunch") && list.size() >= 4) return launch_by_call(list);
    if (name == "sizeof") return Value::not_known("a size");
    if (name == "dim3") return constructed({"dim3"}, open);
    if (name == "exit" || name == "abort") return Value::not_known("");
    std::vector<Value> values;
    for (auto [begin, end] : list) values.push_back(evaluate(begin, end));
    if (std::optional<Value> of_runtime = runtime(name, values, types, list)) return *of_runtime;
    if (std::optional<Value> known = arithmetic(name, values)) return *known;
    if (host_type_bytes(name) > 0 && values.size() == 1)
        return converted_if_number(values[0], name);
    if (Variable variable = find(name); variable && variable->value.kind == ValueKind::function &&
                                        variable->value.text.starts_with('\x01'))
        return lambda(std::stoull(variable->value.text.substr(1)), values);
    if (const HostFunction* function = function_called(name, values.size())) {
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

std::optional<Value> HostWalker::arithmetic(const std::string& name, const std::vector<Value>& v) {
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
    // Without arguments on the command line none of these is there.
    if (name.starts_with("checkCmdLine") || name.starts_with("getCmdLineArgument"))
        return Value::of(0);
    if (name == "_ConvertSMVer2Cores") return Value::of(128);
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

std::optional<Value> HostWalker::runtime(const std::string& name, const std::vector<Value>& v,
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
    if (name == "cuMemAlloc" || name == "cuMemAllocManaged") {  // CUdeviceptr says no type
        if (v.size() >= 2 && v[0].kind == ValueKind::address && v[0].target) {
            const double bytes = v[1].is_exact() ? v[1].low : -1;
            v[0].target->value = pointer_to(new_buffer(bytes, v[1].assumed, ""));
            name_buffer(v[0].target->value, path_at(skip_casts(list[0].first), list[0].second));
        }
        return fine;
    }
    if (take_function(name, v, list)) return fine;
    if (name == "malloc" || name == "calloc" || name == "aligned_alloc") {
        Value bytes = v.empty() ? Value{} : v[0];
        if (name != "malloc" && v.size() > 1)
            bytes = name == "calloc" ? combined("*", v[0], v[1]) : v[1];
        const double size = bytes.is_exact() ? bytes.low : -1;
        Value made = pointer_to(new_buffer(size, bytes.assumed, ""));
        if (name == "calloc") buffer_of(made)->fill = same(fine);
        return made;
    }
    if (name.starts_with("cudaMemcpyToSymbol") && v.size() >= 2) {
        set_symbol(v, list);
        return fine;
    }
    if ((name.starts_with("cudaMemcpy") || name.starts_with("cuMemcpy") || name == "memcpy") &&
        v.size() >= 3) {
        HostBuffer *to = buffer_of(v[0]), *from = buffer_of(v[1]);
        if (to && from && name.find("Symbol") == name.npos) {
            to->fill = from->fill;
            if (to->type.empty()) to->type = from->type;
        }
        return fine;
    }
    if ((name.starts_with("cudaMemset") || name.starts_with("cuMemset") || name == "memset") &&
        v.size() >= 3) {
        if (HostBuffer* buffer = buffer_of(v[0]); buffer && v[1].is_exact() && v[1].low == 0)
            buffer->fill = same(fine);
        return fine;
    }
    if ((name == "fill" || name == "fill_n" || name == "iota" || name == "sequence") &&
        !v.empty() && buffer_of(v[0])) {
        const Value& last = v.back();
        if (name == "iota" || name == "sequence")
            buffer_of(v[0])->fill = {HostFill::Kind::sequence, last.is_exact() ? last.low : 0, 1,
                                     last.is_real};
        else if (last.is_exact())
            buffer_of(v[0])->fill = same(last);
        return fine;
    }
    if (name.starts_with("curandGenerateUniform") && v.size() > 1 && buffer_of(v[1])) {
        buffer_of(v[1])->fill = {HostFill::Kind::range, 0, 1, true};
        return fine;
    }
    if (name == "cudaDeviceGetAttribute" && v.size() > 1 && v[0].kind == ValueKind::address &&
        v[0].target) {
        constexpr std::string_view kBefore = "cudaDevAttr";
        std::string asked = at(list[1].first).text;
        if (asked.starts_with(kBefore)) asked = asked.substr(kBefore.size());
        if (!asked.empty())
            asked[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(asked[0])));
        if (std::optional<Value> known = of_the_card(asked)) v[0].target->value = *known;
        return fine;
    }
    if (name.ends_with("scanf")) {
        for (size_t i = 1; i < v.size(); ++i)
            if (v[i].kind == ValueKind::address && v[i].target) {
                HostVariable& variable = *v[i].target;
                const std::string path = path_at(skip_casts(list[i].first), list[i].second);
                if (is_counting_type({variable.type, variable.stars}))
                    variable.value = assumed(path, "it is read by " + name + "()", {variable.type});
            }
        return Value::of(1);
    }
    if (name == "cudaGetDeviceCount" && !v.empty() && v[0].kind == ValueKind::address &&
        v[0].target) {
        v[0].target->value = Value::of(1);
        return fine;
    }
    if (name.starts_with("cudaOccupancyMax")) {
        const bool sizes = name.find("Potential") != name.npos;  // of the grid, and of the block
        for (size_t i = 0; i < std::min<size_t>(v.size(), sizes ? 2 : 1); ++i)
            if (v[i].kind == ValueKind::address && v[i].target) {
                const std::string path = path_at(skip_casts(list[i].first), list[i].second);
                Value given = assumed(path, "it is what " + name + "() says", {"int"});
                given.low = given.high = i == 1 ? 256 : sizes ? 132 : 4;
                out_.assumptions.back().suggestion = fmt::format("{}", given.low);
                v[i].target->value = given;
            }
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

// Nothing where the profiles of cards are not there.
static const DeviceProfile* card_in_use() try { return &device_in_use(); } catch (const Error&) {
    return nullptr;
}

std::optional<Value> HostWalker::of_the_card(const std::string& member) {
    static const DeviceProfile* const profile = card_in_use();
    if (!profile) return {};
    const DeviceProfile& card = *profile;
    const double arch = std::atof(card.arch.c_str() + std::min<size_t>(3, card.arch.size()));
    const std::map<std::string, double> known = {
        {"multiProcessorCount", card.sm_count},
        {"maxThreadsPerBlock", 1024},
        {"maxThreadsPerMultiProcessor", card.max_threads_per_sm},
        {"maxThreadsPerMultiprocessor", card.max_threads_per_sm},
        {"maxBlocksPerMultiProcessor", card.max_blocks_per_sm},
        {"sharedMemPerBlock", 49'152},
        {"sharedMemPerMultiprocessor", card.shared_bytes_per_sm},
        {"sharedMemPerBlockOptin", card.shared_bytes_per_block},
        {"maxSharedMemoryPerBlock", 49'152},
        {"maxSharedMemoryPerBlockOptin", card.shared_bytes_per_block},
        {"regsPerBlock", card.registers_per_sm},
        {"l2CacheSize", card.l2_bytes},
        {"warpSize", 32},
        {"cooperativeLaunch", 1},
        {"concurrentKernels", 1},
        {"managedMemory", 1},
        {"computeCapabilityMajor", std::floor(arch / 10)},
        {"computeCapabilityMinor", arch - 10 * std::floor(arch / 10)},
        {"major", std::floor(arch / 10)},
        {"minor", arch - 10 * std::floor(arch / 10)}};
    auto found = known.find(member);
    if (found == known.end() || found->second < 0) return {};
    return Value::of(found->second);
}

void HostWalker::set_symbol(const std::vector<Value>& v,
                            const std::vector<std::pair<size_t, size_t>>& list) {
    HostSymbol symbol;
    symbol.name = v[0].kind == ValueKind::text ? v[0].text
                                               : path_at(skip_casts(list[0].first), list[0].second);
    if (symbol.name.empty()) return;
    if (Variable known = find(symbol.name)) symbol.type = known->type;
    const bool is_scalar = v[1].kind == ValueKind::address && v[1].target;
    symbol.value = is_scalar ? v[1].target->value : v[1];
    if (const HostBuffer* from = buffer_of(symbol.value); from && !from->type.empty())
        symbol.type = from->type;
    if (v.size() > 2 && v[2].is_exact()) symbol.bytes = v[2].low;
    symbols_[symbol.name] = symbol;
}

size_t HostWalker::skip_casts(size_t i) const {
    while (is(i, "(") || is(i, "&")) {
        if (is(i, "&")) {
            ++i;
            continue;
        }
        size_t end = i + 1;
        const std::optional<HostTypeName> type = type_at(i + 1, end);
        if (!type || !is(end, ")") || type->stars == 0) break;
        i = end + 1;
    }
    return i;
}

Value HostWalker::lambda(size_t open, const std::vector<Value>& values) {
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

Value HostWalker::run_body(size_t body) {
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

void HostWalker::take_parameters(size_t open, const std::vector<Value>& values,
                                 const std::string& whose, bool assumes,
                                 const std::vector<Variable>& variables) {
    size_t place = 0;
    for (auto [begin, end] : pieces(open)) {
        size_t name = begin;
        std::optional<HostTypeName> type = type_at(begin, name);
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

Value HostWalker::call(const HostFunction& function, const std::vector<Value>& values,
                       const std::vector<std::string>& types,
                       const std::vector<Variable>& variables) {
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
    const int most_before = most_steps_;
    if (!function.launches) most_steps_ = std::min(most_steps_, steps_ + kMostStepsWithoutLaunch);
    Value result = run_body(function.body);
    most_steps_ = most_before;
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

void HostWalker::add(HostLaunch launch) {
    if (launch.line == 0) return;
    for (const auto& [name, symbol] : symbols_) launch.symbols.push_back(symbol);
    if (way_ == HostWay::launches && out_.launches.size() >= kMostLaunches) return;
    for (const HostLaunch& known : out_.launches)  // main() knows more of a line
        if (beyond_main_ && known.line == launch.line) return;
    for (const HostLaunch& known : out_.launches)
        if (way_ == HostWay::lines && known.line == launch.line && known.kernel == launch.kernel)
            return;
    out_.launches.push_back(std::move(launch));
}

Value HostWalker::launch(const std::string& kernel, int line) {
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
        if (is(close, ">") && is(close + 1, ">") && is(close + 2, ">") && is(close + 3, "(")) break;
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
    if (Variable variable = find(kernel); variable && variable->value.kind == ValueKind::function)
        made.kernel = variable->value.text;
    add(std::move(made));
    return Value::of(0);
}

Value HostWalker::as_dim(Value value) {
    if (value.is_number()) return dim({value});
    return value;
}

Value HostWalker::launch_by_call(const std::vector<std::pair<size_t, size_t>>& list) {
    HostLaunch made;
    made.line = at(list[0].first).line;
    made.kernel = kernel_in(list[0]);
    made.grid = as_dim(evaluate(list[1].first, list[1].second));
    made.block = as_dim(evaluate(list[2].first, list[2].second));
    take_argument_array(list[3].first, list[3].second, made);
    made.shared = list.size() > 4 ? evaluate(list[4].first, list[4].second) : Value::of(0);
    add(std::move(made));
    return Value::of(0);
}

std::string HostWalker::kernel_in(std::pair<size_t, size_t> piece) {
    const size_t begin = skip_casts(piece.first);
    const Value function = evaluate(begin, piece.second);
    if (function.kind == ValueKind::function) return function.text;
    // The text of a variable that is set elsewhere says why it is not known, and is no name.
    const bool is_name = function.kind == ValueKind::unknown && !find(path_at(begin, piece.second));
    return is_name ? function.text : words(begin, piece.second);
}

void HostWalker::take_argument_array(size_t begin, size_t end, HostLaunch& made) {
    const std::string array = path_at(skip_casts(begin), end);
    for (int i = 0; !array.empty(); ++i) {
        const Variable each = find(fmt::format("{}[{}]", array, i));
        if (!each) break;
        const bool addressed = each->value.kind == ValueKind::address && each->value.target;
        made.arguments.push_back(addressed ? each->value.target->value : each->value);
        made.argument_texts.push_back(fmt::format("{}[{}]", array, i));
    }
}

}  // namespace lanewise
