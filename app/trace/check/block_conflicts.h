// Where the outcome of a launch depends on the order of its blocks, which nothing fixes: two blocks
// store different values to a byte of global memory, one loads what another stores, or one loads or
// stores plainly what another changes by atomics.
//
// Each checker keeps what every block that it looks at loaded and stored (trace/check/block_touches.h);
// the sectors of all checkers are compared when the launch is over. A block's loads of what it has
// stored itself are its own affair, stores of one value by several blocks are none, nor are atomics
// among each other, nor what a barrier of the grid orders. Kernels whose blocks may wait for each other are left alone, as it would take
// to know what they mean by it: those that use the old value of an atomic, volatile, acquire or
// release accesses, or fences of the whole device.
//
// Not told of in a launch with accesses out of bounds or uninitialized reads: checker_findings.cpp.
#pragma once
#include <span>

#include "trace/check/block_touches.h"
#include "trace/hazards.h"

namespace lanewise {

// Adds a hazard for each place where blocks conflict. Does not depend on how the blocks were spread
// over the touches.
void add_block_conflicts(std::span<const BlockTouches* const> touches, HazardCounts& hazards);

}  // namespace lanewise
