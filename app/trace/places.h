// Places in words: threads, blocks, buffers, shared arrays, source lines.
#pragma once
#include <cstdint>
#include <string>

#include "ptx/instruction.h"
#include "sim/memory/memory.h"
#include "sim/warp/machine.h"
#include "trace/report.h"

namespace lanewise {

// "(x,y)", or "(x,y,z)" where the extent has depth.
std::string coordinates(uint64_t linear, const Dim3& extent);

// "tile" of "_ZZ4copyPKfPfE4tile", a shared array's name in the PTX.
std::string source_name(const std::string& symbol);

// An object in memory and a byte of it: "tile + 132 bytes", "array tile has 4224 bytes".
struct ObjectPlace {
    std::string place, size;
};
// The shared array at this offset (the last one that begins before it), or the block's shared
// memory where it declares none.
ObjectPlace shared_place(const ptx::Kernel& kernel, const LaunchShape& shape, uint64_t address);
// Whether the address (as in Fault) lies in a thread's own memory, or near it; and what lies there.
bool is_local(uint64_t address);
ObjectPlace local_place(const ptx::Kernel& kernel, uint64_t address);
// The buffer nearest to the address.
ObjectPlace global_place(const Memory& memory, uint64_t address);

// Sets file, line and column.
void locate(Finding& finding, const ptx::Kernel& kernel, uint32_t instruction);

}  // namespace lanewise
