// What a kernel does with the values of its atomics, told from its registers alone: which of them
// order anything depends on it.
#pragma once
#include <vector>

#include "ptx/instruction.h"

namespace lanewise {

struct AtomicUse {
    // By instruction. An atom whose old value nothing reads tells its thread nothing of others.
    std::vector<bool> is_unread;
    // A load whose value, moved and converted at most, is what a compare-and-swap expects to find:
    //   old = *p;  do { assumed = old; old = atomicCAS(p, assumed, …); } while (old != assumed);
    // If the value is stale the swap says so: such a load races with no atomic (CUDA C++
    // Programming Guide, "Atomic Functions", whose examples are written like that).
    std::vector<bool> feeds_swap;
};

AtomicUse atomic_use(const ptx::Kernel& kernel);

}  // namespace lanewise
