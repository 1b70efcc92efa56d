// Faults -> findings: the first occurrence of each, with its place in words.
#pragma once
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "ptx/instruction.h"
#include "sim/event/event.h"
#include "sim/warp/machine.h"
#include "trace/report.h"

namespace lanewise {

// The faults of one kind at one instruction. The first is that of the lowest block, then thread, so
// it does not depend on which thread interpreted what.
struct FaultCount {
    Fault first{};
    uint64_t count = 0;
    void add(const Fault& fault, uint64_t times);
};
using FaultCounts = std::map<std::pair<uint32_t, Fault::Kind>, FaultCount>;  // by instruction, kind

// In the order of the PTX.
std::vector<Finding> findings(const FaultCounts& faults, const ptx::Kernel& kernel,
                              const LaunchShape& shape, const Memory& memory);

}  // namespace lanewise
