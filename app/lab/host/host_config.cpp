// Launches whose grid, block and attributes stand in a configuration: cudaLaunchKernelEx, and
// cuLaunchKernelEx of the driver's API. Its members are variables by their paths, "config.gridDim" and
// "attrs[0].val.clusterDim.x", as they are assigned.
#include <cxxabi.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <memory>
#include <span>

#include "lab/host/host_walker.h"

namespace lanewise {

using Value = HostValue;
using ValueKind = HostValue::Kind;

namespace {

constexpr int kMostAttributes = 16;

// What the two APIs call the same things.
struct ConfigNames {
    const char *config, *attribute, *value, *cluster_id;
    // In the order of the API's documentation, which a list without names follows.
    std::span<const char* const> members;
    std::span<const char* const> zero;  // of these, which are 0 where nothing is said
    std::span<const char* const> sides;
};
constexpr const char* kMembers[] = {"gridDim", "blockDim", "dynamicSmemBytes",
                                    "stream",  "attrs",    "numAttrs"};
constexpr const char* kDriverMembers[] = {"gridDimX",  "gridDimY",       "gridDimZ", "blockDimX",
                                          "blockDimY", "blockDimZ",      "sharedMemBytes",
                                          "hStream",   "attrs",          "numAttrs"};
constexpr const char* kZero[] = {"dynamicSmemBytes", "attrs", "numAttrs"};
constexpr const char* kDriverZero[] = {"sharedMemBytes", "attrs", "numAttrs"};
constexpr const char* kSides[] = {"gridDim", "blockDim"};
constexpr const char* kDriverSides[] = {"gridDimX",  "gridDimY",  "gridDimZ",
                                        "blockDimX", "blockDimY", "blockDimZ"};
constexpr ConfigNames kNames[] = {
    {"cudaLaunchConfig_t", "cudaLaunchAttribute", "val", "cudaLaunchAttributeClusterDimension",
     kMembers, kZero, kSides},
    {"CUlaunchConfig", "CUlaunchAttribute", "value", "CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION",
     kDriverMembers, kDriverZero, kDriverSides},
};

// Of a configuration or an attribute; null for other types.
const ConfigNames* names_of(const std::string& type) {
    for (const ConfigNames& names : kNames)
        if (type == names.config || type == names.attribute) return &names;
    return nullptr;
}

}  // namespace

bool HostWalker::is_config_type(const std::string& type) { return names_of(type) != nullptr; }

void HostWalker::declare_config(const std::string& type, const std::string& path, size_t open) {
    clear_config(type, path, true);
    if (is(open, "{")) take_config(type, path, open);
}

void HostWalker::clear_config(const std::string& type, const std::string& path, bool is_new) {
    const ConfigNames& names = *names_of(type);
    const std::string cluster = fmt::format(".{}.clusterDim", names.value);
    const Value unset = Value::not_known("not set where this can be followed");
    // Members of another variable of this name, further out, are not a new one's.
    auto put = [&](const std::string& member, const Value& value) {
        if (is_new)
            declare(path + member, value);
        else
            put_member(path + member, value);
    };
    if (type == names.config) {
        for (const char* member : names.sides) put(std::string(".") + member, unset);
        for (const char* member : names.zero) put(std::string(".") + member, Value::of(0));
    } else {
        put(".id", Value::not_known(""));
        put(cluster, unset);
    }
    for (const std::string& dimension : {std::string(".gridDim"), std::string(".blockDim"), cluster})
        for (const char* side : {".x", ".y", ".z"}) {
            const std::string member = path + dimension + side;
            if (is_new) {
                if (find(member)) scopes_.back()[member] = nullptr;
                continue;
            }
            for (auto& scope : scopes_) scope.erase(member);
        }
}

void HostWalker::put_member(const std::string& path, Value value) {
    if (const Variable there = find(path))
        there->value = std::move(value);
    else
        declare(path, std::move(value));
}

void HostWalker::take_config(const std::string& type, const std::string& path, size_t open) {
    const ConfigNames& names = *names_of(type);
    const bool is_config = type == names.config;
    size_t place = 0;
    for (auto [begin, end] : pieces(open)) {
        if (is(begin, ".") && is_name(begin + 1)) {  // .gridDim = 4, .val = {.clusterDim = {2, 1, 1}}
            std::string member = at(begin + 1).text;
            size_t value = begin + (is(begin + 2, "=") ? 3 : 2);
            // .val.clusterDim = {2, 1, 1}
            if (is(begin + 2, ".") && is_name(begin + 3)) {
                member += "." + at(begin + 3).text;
                value = begin + (is(begin + 4, "=") ? 5 : 4);
            }
            if ((member == "val" || member == "value") && is(value, "{"))
                take_value(path + "." + member, value);
            else
                put_member(path + "." + member, evaluate(value, end));
        } else if (is_config && place < names.members.size()) {
            const Value value = evaluate(begin, end);
            // {0} is how C clears all of it.
            const bool clears = pieces(open).size() == 1 && value.is_exact() && value.low == 0;
            if (!clears) put_member(path + "." + names.members[place], value);
        } else if (!is_config && place == 0) {  // {cudaLaunchAttributeClusterDimension, …}
            put_member(path + ".id", evaluate(begin, end));
        } else if (!is_config && is(begin, "{")) {  // {id, {}, {…}}: the padding comes between
            take_value(fmt::format("{}.{}", path, names.value), begin);
        }
        ++place;
    }
}

// What a list in braces says of an attribute's value: {.clusterDim = {2, 1, 1}}. The value is a union
// whose first member is padding, which is what a list without names would fill.
void HostWalker::take_value(const std::string& path, size_t open) {
    const auto list = pieces(open);
    if (list.empty()) return;
    auto [begin, end] = list[0];
    if (is(begin, ".") && is_name(begin + 1)) {
        const size_t value = begin + (is(begin + 2, "=") ? 3 : 2);
        put_member(path + "." + at(begin + 1).text, evaluate(value, end));
    }
}

bool HostWalker::assign_config(size_t begin, size_t end, size_t value) {
    size_t open = is_name(value) && is(value + 1, "{") ? value + 1 : value;  // = CUlaunchConfig{…}
    if (!is(open, "{")) return false;
    const std::string path = path_at(begin, end);
    const Variable variable = path.empty() ? nullptr : find(path);
    if (!variable || variable->stars > 0 || !is_config_type(variable->type)) return false;
    const std::string type = variable->type;
    clear_config(type, path, false);
    take_config(type, path, open);
    at_ = past(open);
    return true;
}

Value HostWalker::member_dim(const std::string& path) const {
    const Variable whole = find(path);
    Value made = whole ? as_dim(whole->value) : Value::not_known("not known");
    std::vector<Value> sides = made.kind == ValueKind::dim
                                   ? made.parts
                                   : std::vector<Value>(3, Value::of(1));
    bool is_given = false;
    for (size_t i = 0; i < 3; ++i)
        if (const Variable side = find(path + "." + "xyz"[i])) {
            sides[i] = side->value;
            is_given = true;
        }
    return is_given ? dim(std::move(sides)) : made;
}

// gridDimX, gridDimY and gridDimZ
Value HostWalker::driver_dim(const std::string& path) const {
    std::vector<Value> sides;
    for (const char* side : {"X", "Y", "Z"}) {
        const Variable found = find(path + side);
        const bool is_known = found && found->value.kind != ValueKind::unknown;
        if (!is_known && sides.empty())
            return found ? found->value : Value::not_known("not set where this can be followed");
        sides.push_back(is_known ? found->value : Value::of(1));
    }
    return dim(std::move(sides));
}

// cuModuleGetFunction(&function, module, "name") and its like, and cudaGetFuncBySymbol(&function,
// kernel): the variable stands for the kernel from now on.
bool HostWalker::take_function(const std::string& call, const std::vector<Value>& v,
                               const std::vector<std::pair<size_t, size_t>>& list) {
    const bool by_symbol = call == "cudaGetFuncBySymbol";
    const bool by_name = call == "cuModuleGetFunction" || call == "cuLibraryGetKernel";
    const size_t at_place = by_symbol ? 1 : 2;
    if ((!by_symbol && !by_name) || v.size() <= at_place) return false;
    if (v[0].kind != ValueKind::address || !v[0].target) return true;
    Value& function = v[0].target->value;
    if (by_name && v[2].kind != ValueKind::text) {
        function = Value::not_known("the kernel that " + call + "() is asked for");
        return true;
    }
    function = Value{};
    function.kind = ValueKind::function;
    function.text = by_symbol ? kernel_in(list[1]) : kernel_of_symbol(v[2].text);
    return true;
}

// "_Z5scaleIfEvPT_" -> "scale<float>"; a name in C stays as it is.
std::string HostWalker::kernel_of_symbol(const std::string& symbol) {
    int status = 0;
    const std::unique_ptr<char, decltype(&std::free)> whole(
        abi::__cxa_demangle(symbol.c_str(), nullptr, nullptr, &status), std::free);
    if (status != 0 || !whole) return symbol;
    std::string name = whole.get();
    int depth = 0;
    size_t begin = 0;
    for (size_t i = 0; i < name.size(); ++i) {
        depth += name[i] == '<' ? 1 : name[i] == '>' ? -1 : 0;
        if (depth > 0) continue;
        if (name[i] == ' ') begin = i + 1;  // behind the type that a template gives
        if (name[i] == '(') return name.substr(begin, i - begin);
    }
    return name;
}

std::string HostWalker::attribute_path(const Value& list, int i) const {
    if (list.kind == ValueKind::pointer && list.buffer >= 0) {
        const std::string& name = out_.buffers[static_cast<size_t>(list.buffer)].name;
        return name.empty() ? "" : fmt::format("{}[{:.0f}]", name, list.offset + i);
    }
    if (list.kind != ValueKind::address) return "";
    for (auto scope = scopes_.rbegin(); scope != scopes_.rend(); ++scope)
        for (const auto& [path, variable] : *scope) {
            if (!variable || variable != list.target) continue;
            if (i == 0) return path;
            const size_t open = path.rfind('[');  // &attrs[0]
            if (open == path.npos || !path.ends_with(']')) return "";
            return fmt::format("{}[{}]", path.substr(0, open), std::atoi(path.c_str() + open + 1) + i);
        }
    return "";
}

std::optional<Value> HostWalker::cluster_of(const std::string& config) const {
    const Variable list = find(config + ".attrs"), count = find(config + ".numAttrs");
    if (!list || !count) return Value::not_known("set where this cannot be followed");
    if (count->value.is_exact() && count->value.low < 1) return std::nullopt;
    const int most = count->value.is_exact()
                         ? static_cast<int>(std::min<double>(count->value.low, kMostAttributes))
                         : kMostAttributes;
    bool all_known = count->value.is_exact();
    for (int i = 0; i < most; ++i) {
        const std::string path = attribute_path(list->value, i);
        const Variable id = path.empty() ? nullptr : find(path + ".id");
        all_known = all_known && id && !id->value.text.empty();
        if (!id) continue;
        for (const ConfigNames& names : kNames)
            if (id->value.text == names.cluster_id)
                return member_dim(fmt::format("{}.{}.clusterDim", path, names.value));
    }
    if (all_known) return std::nullopt;  // others: a priority, a policy
    return Value::not_known("among attributes that are set where this cannot be followed");
}

Value HostWalker::launch_by_config(const std::string& call,
                                   const std::vector<std::pair<size_t, size_t>>& list) {
    const std::string config = path_at(skip_casts(list[0].first), list[0].second);
    HostLaunch made;
    made.line = at(list[0].first).line;
    made.kernel = kernel_in(list[1]);
    const bool is_driver = !call.starts_with("cuda");
    made.grid = is_driver ? driver_dim(config + ".gridDim") : member_dim(config + ".gridDim");
    made.block = is_driver ? driver_dim(config + ".blockDim") : member_dim(config + ".blockDim");
    const Variable shared = find(config + (is_driver ? ".sharedMemBytes" : ".dynamicSmemBytes"));
    made.shared = shared ? shared->value : Value::not_known("not known");
    made.cluster = cluster_of(config);
    if (call.ends_with("C") || is_driver) {
        if (list.size() > 2) take_argument_array(list[2].first, list[2].second, made);
    } else {
        for (size_t i = 2; i < list.size(); ++i) {
            made.arguments.push_back(evaluate(list[i].first, list[i].second));
            made.argument_texts.push_back(words(list[i].first, list[i].second));
        }
    }
    add(std::move(made));
    return Value::of(0);
}

Value HostWalker::launch_by_driver(const std::vector<std::pair<size_t, size_t>>& list) {
    HostLaunch made;
    made.line = at(list[0].first).line;
    made.kernel = kernel_in(list[0]);
    std::vector<Value> sides;
    for (size_t i = 1; i < 8; ++i) sides.push_back(evaluate(list[i].first, list[i].second));
    made.grid = dim({sides[0], sides[1], sides[2]});
    made.block = dim({sides[3], sides[4], sides[5]});
    made.shared = sides[6];
    if (list.size() > 9) take_argument_array(list[9].first, list[9].second, made);
    add(std::move(made));
    return Value::of(0);
}

}  // namespace lanewise
