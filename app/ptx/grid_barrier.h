// Where a kernel waits for its whole grid (cooperative_groups, grid_group::sync()).
//
// The driver gives a cooperative launch 8 bytes of memory, and their address in %envreg1 (its high
// word) and %envreg2 (toolkit, cooperative_groups/details/driver_abi.h). One thread of each block
// adds to the second word (atom.add.release) and then loads it (ld.acquire) until its top bit has
// changed: block (0,0,0) adds 2^31 less the number of other blocks, each other one 1.
#pragma once
#include <cstdint>
#include <vector>

#include "ptx/instruction.h"

namespace lanewise::ptx {

// That memory, as a variable of each module with such a kernel. Its name is none that a user has.
inline constexpr uint64_t kGridWorkspace = 0x6e00'0000'0000;
inline constexpr uint32_t kGridWorkspaceBytes = 8;
inline constexpr const char* kGridWorkspaceName = "$grid_workspace";
ModuleVariable grid_workspace();

struct GridBarrier {
    bool is_used = false;  // the kernel asks where the workspace is
    // By instruction: accesses that go to the workspace, as far as its address is followed: through
    // registers, not through memory.
    std::vector<uint8_t> accesses;
};

GridBarrier grid_barrier(const Kernel& kernel);

// Whether all blocks of the kernel's grid have to be there at once: GridBarrier::is_used.
bool waits_for_grid(const Kernel& kernel);

// Whether the instruction is a load that may see what another block has stored.
bool may_wait(const Instruction& instruction);

}  // namespace lanewise::ptx
