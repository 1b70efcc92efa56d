#include "trace/places.h"

#include <cxxabi.h>

#include <algorithm>
#include <cstdlib>
#include <memory>

#include "sim/warp/warp.h"

namespace lanewise {

// A variable of a function carries the function's name.
std::string source_name(const std::string& symbol) {
    if (!symbol.starts_with("_Z")) return symbol;
    int status = 0;
    std::unique_ptr<char, void (*)(void*)> text(
        abi::__cxa_demangle(symbol.c_str(), nullptr, nullptr, &status), std::free);
    std::string name = status == 0 ? text.get() : symbol;
    size_t colons = name.rfind("::");
    return colons == std::string::npos ? name : name.substr(colons + 2);
}

namespace {

std::string bytes_text(uint64_t bytes) { return std::to_string(bytes) + " bytes"; }

std::string offset_text(const std::string& name, int64_t start, int64_t address) {
    int64_t distance = address - start;
    return name + (distance < 0 ? " - " : " + ") +
           bytes_text(static_cast<uint64_t>(distance < 0 ? -distance : distance));
}

}  // namespace

std::string coordinates(uint64_t linear, const Dim3& extent) {
    uint64_t x = linear % extent.x, y = linear / extent.x % extent.y,
             z = linear / extent.x / extent.y;
    std::string text = "(";
    text.append(std::to_string(x)).append(",").append(std::to_string(y));
    if (extent.z > 1) text.append(",").append(std::to_string(z));
    return text.append(")");
}

ObjectPlace shared_place(const ptx::Kernel& kernel, const LaunchShape& shape, uint64_t address) {
    // An offset below zero has wrapped around, in 32 or 64 bits: it belongs to the first array.
    auto offset =
        address >> 32 == 0 ? static_cast<int32_t>(address) : static_cast<int64_t>(address);
    const ptx::Variable* array = nullptr;
    for (const ptx::Variable& variable : kernel.shared)
        if (variable.offset <= std::max<int64_t>(offset, 0) &&
            (!array || variable.offset >= array->offset))
            array = &variable;
    if (!array)
        return {offset_text("shared memory", 0, offset),
                "the block has " +
                    bytes_text(uint64_t{kernel.shared_bytes} + shape.dynamic_shared_bytes)};
    uint64_t bytes = array->bytes > 0 ? array->bytes : shape.dynamic_shared_bytes;
    std::string name = source_name(array->name);
    return {offset_text(name, array->offset, offset),
            (array->bytes > 0 ? "array " : "dynamic array ") + name + " has " + bytes_text(bytes)};
}

bool is_local(uint64_t address) {
    constexpr uint64_t kAround = uint64_t{1} << 31;  // an index may be negative
    return address - (kLocalWindow - kAround) < 2 * kAround;
}

ObjectPlace local_place(const ptx::Kernel& kernel, uint64_t address) {
    return {offset_text("local memory", 0, static_cast<int64_t>(address - kLocalWindow)),
            "a thread has " + bytes_text(kernel.local_bytes) + " of it"};
}

// A null pointer's neighbourhood: an index into nothing, also a negative one.
constexpr uint64_t kAroundNull = uint64_t{1} << 32;

ObjectPlace global_place(const Memory& memory, uint64_t address) {
    if (address + kAroundNull < 2 * kAroundNull) {
        const auto distance = static_cast<int64_t>(address);
        return {distance == 0 ? "a null pointer" : offset_text("a null pointer", 0, distance),
                "nothing lies there: give that parameter a buffer, or see why it stays null"};
    }
    const Memory::Buffer* buffer = memory.nearest(address);
    if (!buffer) return {"address " + std::to_string(address), "there is no buffer"};
    return {offset_text(buffer->name, static_cast<int64_t>(buffer->address),
                        static_cast<int64_t>(address)),
            "buffer " + buffer->name + " has " + bytes_text(buffer->bytes)};
}

void locate(Finding& finding, const ptx::Kernel& kernel, uint32_t instruction) {
    if (instruction >= kernel.instructions.size()) return;
    const ptx::Position& at = kernel.instructions[instruction].position;
    auto file = static_cast<size_t>(at.file);
    if (file < kernel.files.size()) finding.file = kernel.files[file];
    finding.line = at.line;
    finding.column = at.column;
}

}  // namespace lanewise
