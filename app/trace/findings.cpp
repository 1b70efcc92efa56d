#include "trace/findings.h"

#include <tuple>

namespace lanewise {

namespace {

struct KindRow {
    Fault::Kind kind;
    const char* name;
    const char* message;  // null: made from the access
};
constexpr KindRow kKinds[] = {
    {Fault::Kind::out_of_bounds, "out_of_bounds", nullptr},
    {Fault::Kind::misaligned, "misaligned", nullptr},
    {Fault::Kind::divergent_barrier, "divergent_barrier",
     "only some threads of a warp reach this barrier; every thread that has not returned must"},
    {Fault::Kind::deadlock, "deadlock",
     "threads wait at this barrier for others that wait elsewhere or never come"},
    {Fault::Kind::runaway, "runaway",
     "a warp executed more instructions than allowed here; is there a loop that does not end?"},
};
const KindRow& row_of(Fault::Kind kind) { return kKinds[static_cast<size_t>(kind)]; }
static_assert(kKinds[4].kind == Fault::Kind::runaway);

// (x,y), or (x,y,z) where the extent has depth
std::string coordinates(uint64_t linear, const Dim3& extent) {
    uint64_t x = linear % extent.x, y = linear / extent.x % extent.y,
             z = linear / extent.x / extent.y;
    std::string text = "(";
    text.append(std::to_string(x)).append(",").append(std::to_string(y));
    if (extent.z > 1) text.append(",").append(std::to_string(z));
    return text.append(")");
}

// "out + 16384 bytes", "in - 4 bytes"
std::string place_in(const Memory::Buffer& buffer, uint64_t address) {
    bool before = address < buffer.address;
    uint64_t distance = before ? buffer.address - address : address - buffer.address;
    return buffer.name + (before ? " - " : " + ") + std::to_string(distance) + " bytes";
}

std::string access_message(const Fault& fault, uint64_t shared_bytes, const Memory& memory) {
    std::string access = fault.is_store ? "store" : "load";
    std::string place, limit;
    bool shared = fault.space == Space::shared;
    if (shared) {
        place = "shared memory + " + std::to_string(fault.address) + " bytes";
        limit = "the block has " + std::to_string(shared_bytes) + " bytes";
    } else if (const Memory::Buffer* buffer = memory.nearest(fault.address)) {
        place = place_in(*buffer, fault.address);
        bool inside = memory.find(fault.address, fault.bytes) != nullptr;
        limit = std::string("buffer ").append(buffer->name) +
                (inside ? " is read-only" : " has " + std::to_string(buffer->bytes) + " bytes");
    } else {
        place = "address " + std::to_string(fault.address);
        limit = "there is no buffer";
    }
    if (fault.kind == Fault::Kind::misaligned)
        return "misaligned " + access + ": " + place + " is not a multiple of " +
               std::to_string(fault.bytes) + ", the width of the access";
    return "out-of-bounds " + access + ": " + place + ", " + limit;
}

}  // namespace

void FaultCount::add(const Fault& fault, uint64_t times) {
    bool earlier = std::tie(fault.block, fault.thread) < std::tie(first.block, first.thread);
    if (count == 0 || earlier) first = fault;
    count += times;
}

std::vector<Finding> findings(const FaultCounts& faults, const ptx::Kernel& kernel,
                              const LaunchShape& shape, const Memory& memory) {
    std::vector<Finding> result;
    uint64_t shared_bytes = uint64_t{kernel.shared_bytes} + shape.dynamic_shared_bytes;
    for (const auto& [key, fault] : faults) {
        const KindRow& row = row_of(key.second);
        Finding finding;
        finding.kind = row.name;
        if (!row.message) finding.space = fault.first.space == Space::shared ? "shared" : "global";
        if (key.first < kernel.instructions.size()) {
            const ptx::Position& at = kernel.instructions[key.first].position;
            auto file = static_cast<size_t>(at.file);
            if (file < kernel.files.size()) finding.file = kernel.files[file];
            finding.line = at.line;
            finding.column = at.column;
        }
        finding.block = coordinates(fault.first.block, shape.grid);
        finding.thread = coordinates(fault.first.thread, shape.block);
        finding.count = fault.count;
        finding.message =
            row.message ? row.message : access_message(fault.first, shared_bytes, memory);
        result.push_back(std::move(finding));
    }
    return result;
}

}  // namespace lanewise
