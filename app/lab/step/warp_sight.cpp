#include "lab/step/warp_sight.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <set>

#include "base/error.h"
#include "lab/step/memory_look.h"
#include "sim/warp/special_registers.h"

namespace lanewise {

int WarpSight::line_of(uint32_t instruction) const {
    if (instruction >= kernel_.instructions.size()) return 0;
    const ptx::Instruction& at = kernel_.instructions[instruction];
    if (at.position.file == file_ || file_ < 0) return at.position.line;
    for (int call = at.call; call >= 0; call = kernel_.calls[static_cast<size_t>(call)].outer)
        if (const ptx::Position& from = kernel_.calls[static_cast<size_t>(call)].at;
            from.file == file_)
            return from.line;
    return 0;
}

// Code of no line counts to the line that the warp executed last.
void WarpSight::look_from(uint32_t warp) {
    warp_ = warp;
    const Stepper& stepper = recording_.stepper();
    WarpLook look = stepper.look(warp);
    line_ = look.state == WarpLook::State::finished ? 0 : line_of(look.instruction);
    if (line_ == 0) line_ = line_of(stepper.last(warp));
    uint64_t last = 0;
    uint32_t with_line = 0;
    for (uint32_t i = 0; line_ == 0 && i < kernel_.instructions.size(); ++i)
        if (uint64_t step = stepper.executed(warp, i).step; step > last && line_of(i) != 0)
            last = step, with_line = i;
    if (last > 0) line_ = line_of(with_line);
}

Stepper::Executed WarpSight::latest(const std::vector<uint32_t>& instructions) const {
    Stepper::Executed all;
    for (uint32_t each : instructions) {
        Stepper::Executed one = recording_.stepper().executed(warp_, each);
        all.step = std::max(all.step, one.step);
        all.lanes |= one.lanes;
    }
    return all;
}

Stepper::Executed WarpSight::latest_at(const SourceAssignment& assignment) const {
    return latest(uses_.at_lines(file_, assignment.line, assignment.last_line));
}

bool WarpSight::find_special(std::string_view name, LaneValues& values) const {
    static constexpr struct {
        std::string_view name, reg;
    } kNames[] = {
        {"threadIdx.x", "%tid.x"},  {"threadIdx.y", "%tid.y"},  {"threadIdx.z", "%tid.z"},
        {"blockIdx.x", "%ctaid.x"}, {"blockIdx.y", "%ctaid.y"}, {"blockIdx.z", "%ctaid.z"},
        {"blockDim.x", "%ntid.x"},  {"blockDim.y", "%ntid.y"},  {"blockDim.z", "%ntid.z"},
        {"gridDim.x", "%nctaid.x"}, {"gridDim.y", "%nctaid.y"}, {"gridDim.z", "%nctaid.z"},
        {"lane", "%laneid"},        {"warp", "%warpid"}};
    if (name == "warpSize") return values = same_in_all(NumberType::i32, 32), true;
    if (name == "block") return values = same_in_all(NumberType::u32, recording_.now().block), true;
    std::string_view reg = name;
    for (const auto& each : kNames)
        if (each.name == name) reg = each.reg;
    const SpecialRegister* special = find_special_register(reg);
    if (!special) return false;
    const LaunchShape& shape = recording_.shape();
    uint32_t block = recording_.now().block, x = shape.grid.x, y = shape.grid.y;
    values = {NumberType::u32};
    for (uint32_t n = 0; n < 32; ++n) {
        Standpoint at{&shape,
                      recording_.prepared().machine->static_shared_bytes(),
                      {block % x, block / x % y, block / x / y},
                      warp_ * 32 + n};
        set_integer(values, n, static_cast<int64_t>(special->value(at)));
    }
    return true;
}

const SourceVariable* WarpSight::variable(std::string_view name) const {
    if (const SourceVariable* found = variable_at(scan_, name, line_)) return found;
    for (const SourceVariable& each : changed_parameters_)
        if (each.name == name) return &each;
    return nullptr;
}

bool WarpSight::find(std::string_view name, LaneValues& values) {
    if (name.starts_with("%")) {
        if (find_special(name, values)) return true;
        values = register_named(name).values;
        return true;
    }
    if (const SourceVariable* found = variable(name)) {
        if (find_memory(name, values)) return true;  // a shared array is a variable, too
        try {
            std::string from;
            values = value_of(*found, from);
            return true;
        } catch (const Error& error) {
            throw Error(error.status(), fmt::format("{} is {}", name, error.what()));
        }
    }
    if (find_parameter(name, values) || find_special(name, values)) return true;
    if (auto constant = constants_.find(std::string(name)); constant != constants_.end()) {
        int64_t value = constant->second;
        bool is_wide_value = value != static_cast<int32_t>(value);
        values = same_in_all(
            is_wide_value || name.starts_with("sizeof") ? NumberType::i64 : NumberType::i32, value);
        return true;
    }
    return find_memory(name, values);
}

bool WarpSight::find_parameter(std::string_view name, LaneValues& values) {
    for (size_t i = 0; i < parameters_.size() && i < kernel_.parameters.size(); ++i) {
        const KernelParameter& parameter = parameters_[i];
        if (parameter.name != name || parameter.bytes > 8) continue;
        uint64_t bits = 0;
        std::memcpy(&bits, recording_.launch().arguments().data() + kernel_.parameters[i].offset,
                    parameter.bytes);
        bool is_pointer = false;
        std::string element = element_of_type(parameter.type, is_pointer);
        if (find_memory(name, values)) return true;
        std::array<uint64_t, 32> same;
        same.fill(bits);
        if (element.empty() || is_pointer) element = parameter.bytes == 8 ? "u64" : "i32";
        values = from_elements(element, same, kEveryLane);
        return true;
    }
    return false;
}

bool WarpSight::find_memory(std::string_view name, LaneValues& values) const {
    for (const NamedMemory& memory : memories_) {
        if (memory.name != name) continue;
        values = same_in_all(NumberType::u64, static_cast<int64_t>(memory.address));
        values.pointee = memory.pointee;
        return true;
    }
    return false;
}

LaneValues WarpSight::load(std::string_view element, const LaneValues& addresses, uint32_t lanes) {
    std::array<uint64_t, 32> bits{};
    uint32_t known = 0;
    auto bytes = static_cast<uint32_t>(bytes_of_element(element));
    for (uint32_t n = 0; bytes > 0 && n < 32; ++n)
        if ((lanes >> n & 1) && read_bits(recording_, warp_, n, addresses.bits[n], bytes, bits[n]))
            known |= 1u << n;
    return from_elements(element, bits, known);
}

NamedValues WarpSight::register_named(std::string_view name) const {
    ptx::Register reg;
    if (!uses_.named(name, reg))
        throw Error(
            Status::bad_input,
            fmt::format("the kernel has no register {}; `where` shows its instructions", name));
    const RegisterUse& use = uses_.of(reg);
    LaneValues values =
        from_elements(use.element.empty() ? std::string("i32") : use.element,
                      recording_.stepper().values(warp_, reg), latest(use.writers).lanes);
    if (use.element.empty() && reg.kind == ptx::RegisterKind::wide)
        values = from_elements("i64", recording_.stepper().values(warp_, reg),
                               latest(use.writers).lanes);
    return {std::string(name), values, std::string(name), 0};
}

std::vector<std::string> WarpSight::names(int line) const {
    std::set<std::string> names;
    for (const SourceVariable& each : scan_.variables)
        if (each.is_seen_at(line)) names.insert(each.name);
    for (const KernelParameter& each : parameters_) names.insert(each.name);
    for (const auto& [name, value] : constants_) names.insert(name);
    for (const NamedMemory& each : memories_) names.insert(each.name);
    names.erase("");
    return {names.begin(), names.end()};
}

bool WarpSight::knows(std::string_view name, int line) const {
    LaneValues unused;
    ptx::Register reg;
    if (name == "true" || name == "false" || uses_.named(name, reg)) return true;
    if (find_special(name, unused)) return true;
    std::vector<std::string> all = names(line);
    return std::find(all.begin(), all.end(), name) != all.end();
}

std::vector<int> WarpSight::lines_with_code() const {
    std::set<int> lines;
    for (uint32_t i = 0; i < kernel_.instructions.size(); ++i)
        if (int line = line_of(i)) lines.insert(line);
    return {lines.begin(), lines.end()};
}

}  // namespace lanewise
