#include "trace/count/refetch.h"

#include <set>

#include "trace/count/rules.h"

namespace lanewise {
namespace {

std::set<uint64_t> sectors_of(const BlockTrace& block, const TracedAccess& access, int bytes) {
    uint64_t base = access.buffer >= 0 ? block.buffers[static_cast<size_t>(access.buffer)].address
                                       : uint64_t{0};
    std::set<uint64_t> sectors;
    for (size_t lane = 0; lane < access.addresses.size(); ++lane) {
        if (!(access.mask >> lane & 1)) continue;
        uint64_t first = base + access.addresses[lane];
        uint64_t last = (first + static_cast<uint64_t>(bytes) - 1) / kSectorBytes;
        for (uint64_t sector = first / kSectorBytes; sector <= last; ++sector)
            sectors.insert(sector);
    }
    return sectors;
}

}  // namespace

std::map<uint64_t, int> earlier_touches(const BlockTrace& block, const Report& report, int access) {
    std::map<uint64_t, int> touches;
    if (access < 0 || access >= static_cast<int>(block.accesses.size())) return touches;
    const TracedAccess& chosen = block.accesses[static_cast<size_t>(access)];
    const InstructionReport& instruction = report.instructions[chosen.instruction];
    if (instruction.space == Space::shared) return touches;
    for (uint64_t sector : sectors_of(block, chosen, instruction.bytes_per_lane))
        touches[sector] = 0;
    for (int i = 0; i < access; ++i) {
        const TracedAccess& earlier = block.accesses[static_cast<size_t>(i)];
        const InstructionReport& its = report.instructions[earlier.instruction];
        if (its.space == Space::shared || its.is_store != instruction.is_store ||
            earlier.buffer != chosen.buffer)
            continue;
        for (uint64_t sector : sectors_of(block, earlier, its.bytes_per_lane))
            if (auto found = touches.find(sector); found != touches.end()) ++found->second;
    }
    return touches;
}

}  // namespace lanewise
