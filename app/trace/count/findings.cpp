#include "trace/count/findings.h"

#include <tuple>

#include "trace/places.h"

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
     "its block executed more instructions than allowed here; is there a loop that does not end?"},
    {Fault::Kind::trap, "trap", "the kernel stops itself here"},
};
const KindRow& row_of(Fault::Kind kind) { return kKinds[static_cast<size_t>(kind)]; }
static_assert(kKinds[5].kind == Fault::Kind::trap);

std::string access_message(const Fault& fault, const ptx::Kernel& kernel, const LaunchShape& shape,
                           const Memory& memory) {
    std::string access = fault.is_store ? "store" : "load";
    bool shared = fault.space == Space::shared;
    ObjectPlace object = shared                    ? shared_place(kernel, shape, fault.address)
                         : is_local(fault.address) ? local_place(kernel, fault.address)
                                                   : global_place(memory, fault.address);
    if (fault.kind == Fault::Kind::misaligned)
        return "misaligned " + access + ": " + object.place + " is not a multiple of " +
               std::to_string(fault.bytes) + ", the width of the access";
    const Memory::Buffer* inside = shared ? nullptr : memory.find(fault.address, fault.bytes);
    if (inside) object.size = "buffer " + inside->name + " is read-only";
    return "out-of-bounds " + access + ": " + object.place + ", " + object.size;
}

}  // namespace

void FaultCount::add(const Fault& fault, uint64_t times) {
    bool earlier = std::tie(fault.block, fault.thread) < std::tie(first.block, first.thread);
    if (count == 0 || earlier) first = fault;
    count += times;
}

std::vector<Finding> findings(const FaultCounts& faults, const ptx::Kernel& kernel,
                              const LaunchShape& shape, const Memory& memory) {
    // A loop that the compiler unrolled has several instructions at one place of the source.
    using Place = std::tuple<int, int, int, Fault::Kind>;
    std::map<Place, size_t> index;
    std::vector<FaultCount> merged;
    for (const auto& [key, fault] : faults) {
        ptx::Position at;
        if (key.first < kernel.instructions.size()) at = kernel.instructions[key.first].position;
        auto [it, is_new] =
            index.try_emplace({at.file, at.line, at.column, key.second}, merged.size());
        if (is_new) merged.emplace_back();
        merged[it->second].add(fault.first, fault.count);
    }
    std::vector<Finding> result;
    for (const FaultCount& fault : merged) {
        const KindRow& row = row_of(fault.first.kind);
        Finding finding;
        finding.kind = row.name;
        if (!row.message)
            finding.space = fault.first.space == Space::shared ? "shared"
                            : is_local(fault.first.address)    ? "local"
                                                               : "global";
        locate(finding, kernel, fault.first.instruction);
        finding.block = coordinates(fault.first.block, shape.grid);
        finding.thread = coordinates(fault.first.thread, shape.block);
        finding.count = fault.count;
        finding.message =
            row.message ? row.message : access_message(fault.first, kernel, shape, memory);
        if (!fault.first.text.empty()) finding.message = fault.first.text;
        result.push_back(std::move(finding));
    }
    return result;
}

}  // namespace lanewise
