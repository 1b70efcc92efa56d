// A warp's registers and one decoded instruction: the ground that decode.cpp, block.cpp and the
// operations stand on. Private to sim/.
//
// A warp's state is one piece of memory, made of rows. A row holds one register of all 32 lanes:
// 32 x 8 bytes (wide), 32 x 4 bytes (word), or one mask (predicate). Constants and special
// registers are rows that are filled once per launch or block, so an operand is always just an
// offset. A value narrower than its row lies in the low bits.
#pragma once
#include <array>
#include <cstdint>
#include <cstring>
#include <vector>

#include "sim/event/event.h"
#include "sim/memory/memory.h"

namespace lanewise {

inline constexpr int kLanes = 32;
inline constexpr uint32_t kAllLanes = 0xffffffffu;
inline constexpr uint32_t kWideRow = 8 * kLanes, kWordRow = 4 * kLanes, kPredicateRow = 4;

// Generic addresses of shared and local memory; global buffers lie elsewhere (memory.cpp).
// Addresses of the kernel's parameters are the same in their own space.
inline constexpr uint64_t kParameterWindow = 0x7d00'0000'0000;
inline constexpr uint64_t kSharedWindow = 0x7e00'0000'0000, kLocalWindow = 0x7f00'0000'0000;
inline constexpr uint64_t kWindowBytes = 1ull << 32;

class AsyncCopies;
struct BlockCluster;  // sim/warp/cluster.h

// The block that a warp belongs to, as memory instructions see it.
struct BlockMemory {
    Memory* global = nullptr;
    const Memory::Buffer* recent = nullptr;  // the buffer of the last global access
    std::byte* shared = nullptr;
    uint64_t shared_bytes = 0;
    const std::byte* arguments = nullptr;
    uint64_t argument_bytes = 0;
    Observer* observer = nullptr;
    AsyncCopies* copies = nullptr;
    uint32_t block = 0;
    uint32_t rank = 0;                // in its cluster
    BlockCluster* cluster = nullptr;  // of several blocks; else null
    uint64_t work = 0;  // that the block's instructions did besides: work.h
};

struct Warp {
    std::byte* state = nullptr;
    uint32_t lanes = 0;  // those that execute the present instruction
    uint32_t index = 0;  // within the block
    BlockMemory* memory = nullptr;
    std::byte* local = nullptr;  // local_bytes per lane
    uint64_t local_bytes = 0;
    uint64_t executed = 0;                     // instructions so far
    bool waits = false;                        // Flow::wait: no lane may go on
    std::vector<std::vector<uint32_t>> saved;  // by lane: saved_registers.h; empty where unused

    uint32_t* words(uint32_t offset) { return reinterpret_cast<uint32_t*>(state + offset); }
    uint64_t* wides(uint32_t offset) { return reinterpret_cast<uint64_t*>(state + offset); }
    uint32_t& predicate(uint32_t offset) { return *words(offset); }
};

struct Op;
using Execute = void (*)(Warp&, const Op&);

// What the executor itself must do; everything else is `plain`.
// converge: an instruction that the lanes named by the row Op::target execute together.
// wait: one that may set Warp::waits; other warps then have their turn.
// stop: the lanes are gone, and `execute` says why.
enum class Flow : uint8_t { plain, branch, branch_indexed, exit, barrier, converge, wait, stop };

// What a barrier does besides; in Op::elements.
enum class Barrier : uint8_t { sync, arrive, popc, all, any };

// By what an instruction's time depends on its operands: sim/operation/long_way.h.
enum class OperandRule : uint8_t {
    none, quotient, root, inverse, real_quotient, real_root, real_inverse, values, wide_values
};

inline constexpr uint32_t kNoReconvergence = 0xffffffffu, kNoExit = 0xffffffffu;
inline constexpr uint32_t kGathersNobody = 0xfffffffeu;

struct Op {
    Execute execute = nullptr;
    uint32_t d = 0, d2 = 0, a = 0, b = 0, c = 0;  // offsets of rows in Warp::state
    uint32_t guard = 0, guard_flip = 0;           // runs where state[guard] ^ guard_flip
    uint32_t c_flip = 0;                          // setp's third operand, negated
    uint32_t instruction = 0;                     // index into ptx::Kernel::instructions
    Flow flow = Flow::plain;
    OperandRule operand_rule = OperandRule::none;
    uint8_t bytes = 0;      // memory: of one element; mov of vectors likewise
    uint8_t elements = 1;   // memory, mov: length of the vector
    bool has_base = false;  // memory: a is the row of addresses
    bool wide_base = true;  // and has 64 bits a lane
    bool is_store = false;
    bool only_meets = false;           // bar.warp: converges and does nothing else
    bool stays_apart = false;          // bra.apart (FlowInstruction)
    uint64_t immediate = 0;            // memory: displacement
    std::array<uint32_t, 8> vector{};  // memory, mov: the elements' rows
    uint32_t target = 0;               // branch; branch_indexed: the first of its targets
    uint32_t targets = 0;              // branch_indexed: how many
    // Where lanes that went different ways go on together.
    struct Meeting {
        uint32_t reconverge = 0;        // branch: where its paths meet again
        uint32_t first_exit = kNoExit;  // branch: the first of its ways out of loops
        // Lanes that come here on different ways, and meet there at the latest, go on together.
        uint32_t gathers_before = kGathersNobody;
    } meeting;
    // plain: how many plain ops follow each other from here, at none of which but the first lanes
    // of several ways may meet.
    uint32_t straight = 0;
};

}  // namespace lanewise
