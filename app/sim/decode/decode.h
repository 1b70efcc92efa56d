// ptx::Kernel -> ops with everything resolved: functions, rows, branch targets, reconvergence.
// Happens once per kernel; block.cpp then executes the ops.
#pragma once
#include <deque>
#include <vector>

#include "ptx/instruction.h"
#include "sim/async/async_operands.h"
#include "sim/async/wgmma.h"
#include "sim/decode/control_flow.h"
#include "sim/matrix/matrix.h"
#include "sim/matrix/wmma.h"
#include "sim/operation/atomics.h"
#include "sim/warp/saved_registers.h"
#include "sim/warp/special_registers.h"
#include "sim/warp/warp.h"

namespace lanewise {

struct DecodedKernel {
    std::vector<Op> ops;       // one per instruction, and an exit at the end
    bool may_spin = false;     // has loads that can see another thread's store: atom, volatile, …
    Dim3 cluster;              // blocks of one (ptx/cluster.h)
    bool has_cluster = false;  // the kernel says so, or its launch
    uint32_t state_bytes = 0;  // of a warp's rows
    // Where the rows of the kernel's registers begin, by kind.
    uint32_t predicate_rows = 0, word_rows = 0, wide_rows = 0;
    std::vector<uint32_t> targets;  // of indexed branches, one list after another
    // Ways out of loops, in the order of their branches.
    std::vector<ControlFlow::Exit> exits;
    std::vector<uint32_t> loop_of, loop_parents;  // as in ControlFlow
    bool is_within(uint32_t op, uint32_t loop) const;

    // Which ops point to.
    std::deque<MatrixRows> matrices;
    std::deque<WmmaRows> wmmas;
    std::deque<WgmmaRows> wgmmas;
    std::deque<SavedRows> saved_rows;
    std::deque<AtomicVector> atomic_vectors;
    std::deque<AsyncOperands> async_operands;
    struct Constant {
        uint32_t row;
        bool wide;
        uint64_t value;
    };
    std::vector<Constant> constants;
    struct Special {
        uint32_t row;
        bool wide;
        const SpecialRegister* reg;
    };
    std::vector<Special> specials;
    // Rows that may be read before they are written: zero at the start of every block, so that a
    // result never depends on the block before.
    struct Zeroed {
        uint32_t row, bytes;
    };
    std::vector<Zeroed> zeroed;
};

// Throws Error(bad_input) naming the first instruction that is not known, with its source line.
DecodedKernel decode(const ptx::Kernel& kernel);

// The row whose predicate is true in every lane.
inline constexpr uint32_t kAlwaysRow = 0;

}  // namespace lanewise
