// Launches whose grid, block and attributes stand in a configuration: cudaLaunchKernelEx. Its members are
// variables by their paths, "config.gridDim" and "attrs[0].val.clusterDim.x", as they are assigned.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>

#include "lab/host/host_walker.h"

namespace lanewise {

using Value = HostValue;
using ValueKind = HostValue::Kind;

namespace {

constexpr const char* kConfig = "cudaLaunchConfig_t";
constexpr const char* kAttribute = "cudaLaunchAttribute";
constexpr const char* kClusterId = "cudaLaunchAttributeClusterDimension";
constexpr int kMostAttributes = 16;

// In the order of the CUDA Runtime API's documentation, which a list without names follows.
const std::array<const char*, 6> kMembers = {"gridDim", "blockDim", "dynamicSmemBytes",
                                             "stream",  "attrs",    "numAttrs"};

}  // namespace

bool HostWalker::is_config_type(const std::string& type) {
    return type == kConfig || type == kAttribute;
}

void HostWalker::declare_config(const std::string& type, const std::string& path, size_t open) {
    // Members of another variable of this name, further out, are not this one's.
    auto unset = [&](const std::string& member, Value value) {
        set(path + "." + member, std::move(value));
    };
    if (type == kConfig) {
        for (const char* member : {"gridDim", "blockDim"})
            unset(member, Value::not_known("not set where this can be followed"));
        for (const char* member : {"dynamicSmemBytes", "attrs", "numAttrs"}) unset(member, Value::of(0));
    } else {
        unset("id", Value::not_known(""));
        unset("val.clusterDim", Value::not_known("not set where this can be followed"));
    }
    for (const char* dimension : {"gridDim", "blockDim", "val.clusterDim"})
        for (const char* side : {".x", ".y", ".z"}) scopes_.back().erase(path + "." + dimension + side);
    if (!is(open, "{")) return;
    size_t place = 0;
    for (auto [begin, end] : pieces(open)) {
        if (is(begin, ".") && is_name(begin + 1)) {  // .gridDim = 4, .val = {.clusterDim = {2, 1, 1}}
            std::string member = at(begin + 1).text;
            size_t value = begin + (is(begin + 2, "=") ? 3 : 2);
            if (member == "val" && is(value, "{") && is(value + 1, ".") && is_name(value + 2)) {
                member += "." + at(value + 2).text;
                end = past(value) - 1;
                value += is(value + 3, "=") ? 4 : 3;
            }
            set(path + "." + member, evaluate(value, end));
        } else if (type == kConfig && place < kMembers.size()) {
            const Value value = evaluate(begin, end);
            // {0} is how C clears all of it.
            const bool clears = pieces(open).size() == 1 && value.is_exact() && value.low == 0;
            if (!clears) set(path + "." + kMembers[place], value);
        }
        ++place;
    }
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

std::string HostWalker::attribute_path(const Value& list, int i) const {
    if (list.kind == ValueKind::pointer && list.buffer >= 0) {
        const std::string& name = out_.buffers[static_cast<size_t>(list.buffer)].name;
        return name.empty() ? "" : fmt::format("{}[{:.0f}]", name, list.offset + i);
    }
    if (list.kind != ValueKind::address) return "";
    for (auto scope = scopes_.rbegin(); scope != scopes_.rend(); ++scope)
        for (const auto& [path, variable] : *scope) {
            if (variable != list.target) continue;
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
        if (id && id->value.text == kClusterId) return member_dim(path + ".val.clusterDim");
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
    made.grid = member_dim(config + ".gridDim");
    made.block = member_dim(config + ".blockDim");
    const Variable shared = find(config + ".dynamicSmemBytes");
    made.shared = shared ? shared->value : Value::not_known("not known");
    made.cluster = cluster_of(config);
    if (call.ends_with("C")) {
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

}  // namespace lanewise
