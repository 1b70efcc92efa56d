// What the machine tells its observers: one event per executed warp instruction that accesses
// memory. The machine never judges; trace/ turns events into counts and findings.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/event/bulk_pieces.h"

namespace lanewise {

enum class Space : uint8_t { global, shared };

// What kind of instruction accesses memory. The hardware counts each apart from the others: plain
// loads and stores, atomics (atom, which is a load here, and red, which is a store), cp.async's
// copies (a load of global memory, then a store to shared memory, both when they are issued; see
// on_copy_complete), matrix loads (ldmatrix, where each address is that of one row of 16 bytes),
// mbarriers (init and inval are stores, all others loads), and bulk copies (cp.async.bulk and its
// tensor form: a load of one space and a store to the other, when they are issued), which are not
// the load/store unit's at all.
enum class AccessKind : uint8_t { plain, atomic, async_copy, matrix, barrier, bulk_copy };

struct MemoryEvent {
    uint32_t instruction;  // index into ptx::Kernel::instructions
    Space space;
    bool is_store;
    uint8_t bytes_per_lane;  // 1, 2, 4, 8, 16 or 32: element size times vector length
    uint32_t block;          // linear: x + gridDim.x * (y + gridDim.y * z)
    uint16_t warp;           // within the block
    uint32_t mask;           // bit n: lane n is active; never 0
    // Per lane: the device address (global), or the byte offset into the block's shared memory
    // (shared). Entries of inactive lanes are unspecified.
    const std::array<uint64_t, 32>* addresses;
    AccessKind kind = AccessKind::plain;
    // Shared: the block's shared memory as it is before the access. Null for other spaces.
    const std::byte* shared = nullptr;
    // Store: element e of lane n is the low bytes at registers + rows[e] + n * register_bytes.
    // Null where the values are not in registers.
    const std::byte* registers = nullptr;
    const uint32_t* rows = nullptr;
    uint8_t elements = 1, register_bytes = 4;
    // Bulk copies: the lane that issued it. The mask and the addresses are then those of up to 32
    // pieces of the copy, not of lanes.
    uint8_t issuing_lane = 0;
    // A matrix read (on_matrix_read) of what all four warps of a warpgroup multiply: each of them
    // tells of it, and the hardware reads it once.
    bool is_of_warpgroup = false;
    // wmma tells of one element of each lane after the other: which of its lane's this is.
    uint8_t element = 0;
};

// Warps that leave a barrier together: what each did before it is ordered before what the others do
// after it.
struct BarrierEvent {
    uint32_t block;
    uint32_t warps;     // bit w: warp w waited and goes on
    uint32_t finished;  // a barrier of the whole block also counts warps that have returned
    bool whole_block;
    const std::array<uint32_t, 32>* instructions;  // by warp: the barrier at which it waited
    uint32_t barrier = 0;  // its number: what warps did before they arrived at it (on_arrive) since
                           // it last opened comes before, too
};

// mbarriers order as barriers do, but in two steps: what a warp did before it arrived comes before
// what another does after it has found the phase over (pass). `lanes` take part.
struct MbarrierEvent {
    enum class What : uint8_t { arrive, phase_ends, pass };
    uint32_t block;
    uint16_t warp;
    uint32_t lanes;
    uint32_t instruction;
    uint32_t address;  // in shared memory
    What what;
};

struct TensorBox;  // sim/memory/tensor_map.h

// A bulk copy as one thread issues it, before the accesses that it is (on_memory). Not told of one
// that moves nothing.
struct BulkCopyEvent {
    uint32_t instruction;
    uint32_t block;
    uint16_t warp;
    uint8_t lane;
    bool to_shared;
    const BulkPieces& pieces;
    const TensorBox* box;  // of the tensor form; else null
    uint64_t number;       // of this copy among the block's
};

// One side of a bulk copy: what it reads, or what it stores. At least one piece is accessed: what
// lies outside the tensor is not, but for the zeros that go to shared memory.
struct BulkAccess {
    uint32_t instruction;
    Space space;
    bool is_store;
    uint32_t block;
    uint16_t warp;
    uint8_t lane;  // that issued it
    const BulkPieces& pieces;
    bool is_accessed(const BulkPiece& piece) const {
        return !piece.is_outside || (is_store && space == Space::shared);
    }
    // How many pieces are.
    size_t count() const {
        return is_store && space == Space::shared ? pieces.size() : pieces.cut().inside;
    }
};

// What went wrong inside the kernel itself. The lane's access is skipped (a load gives 0).
struct Fault {
    // trap: the kernel stopped itself, by __trap() or an assertion, or called what is no function.
    enum class Kind : uint8_t {
        out_of_bounds,
        misaligned,
        divergent_barrier,
        deadlock,
        runaway,
        trap
    };
    Kind kind;
    Space space;  // where the kind concerns memory
    bool is_store;
    uint8_t bytes;  // the access's width
    uint32_t instruction;
    uint32_t block;
    uint32_t thread;        // within the block: x + blockDim.x * (y + blockDim.y * z)
    uint64_t address;       // as in MemoryEvent
    std::string text = {};  // instead of the kind's own words: an assertion's, or a box's place
};

struct SharedMatrix;

// A product of matrices by a whole warp: the registers that hold its operands, after it.
struct ProductOperand {
    char matrix;  // 'a', 'b', or 'c' for the sums
    enum class Numbers : uint8_t { f16, bf16, f32 } numbers;
    int registers;  // of each lane
    const uint32_t*
        rows;  // register r of lane n: the word at ProductEvent::registers + rows[r] + 4 n
    // Of an operand that wgmma reads from shared memory, where registers is 0: the numbers of this
    // warp's part, of a row by row along the depth of 16, of b depth by depth along its columns;
    // and where they lie (sim/async/wgmma.h): the part's first line is number `first_line` there.
    std::span<const double> shared = {};
    const SharedMatrix* place = nullptr;
    int first_line = 0;
    int per_register() const { return numbers == Numbers::f32 ? 1 : 2; }
};
struct ProductEvent {
    uint32_t instruction, block;
    uint16_t warp;
    uint32_t lanes;
    const std::byte* registers;
    const std::array<ProductOperand, 3>& operands;  // a, b, c
};

// A shuffle (shfl) by a whole warp: whose value each lane gets.
struct ShuffleEvent {
    uint32_t instruction, block;
    uint16_t warp;
    uint32_t lanes;                  // that execute it
    std::array<uint8_t, 32> from;    // by lane; its own number where no lane's value reaches it
    std::array<uint32_t, 32> given;  // by lane: what it gives
};

// What a thread printed with printf.
struct Print {
    uint32_t block, thread;  // as in Fault
    std::string_view text;   // valid during the call
};

// One observer per interpreting thread; its methods are called by that thread alone.
class Observer {
  public:
    virtual ~Observer() = default;
    virtual void on_memory(const MemoryEvent&) {}
    // Copies that stores of kind async_copy announced (same instruction and addresses, some of the
    // lanes) are done: the threads have waited for them, and shared memory changes now.
    // With an mbarrier: it was that barrier's phase that was waited for, by whatever threads.
    virtual void on_copy_complete(const MemoryEvent&, std::optional<uint32_t> /*mbarrier*/) {}
    // wgmma reads shared memory: no load/store unit does, and nothing counts it. Pieces as of a
    // bulk copy, with shared memory as it is then; on_copy_complete says when its warp has waited
    // for it.
    virtual void on_matrix_read(const MemoryEvent&) {}
    virtual void on_bulk_copy(const BulkCopyEvent&) {}
    // Both sides of a bulk copy, when it is issued; and of shared memory's side that it is done, as
    // on_copy_complete. Who does not take them whole gets them as events of up to 32 pieces, in
    // on_memory and on_copy_complete (bulk_access.h).
    virtual void on_bulk_access(const BulkAccess&);
    virtual void on_bulk_complete(const BulkAccess&, std::optional<uint32_t> mbarrier);
    // Its bytes are where they were to go: a thread has found its mbarrier's phase over, or waited
    // for its group, or the block has ended.
    virtual void on_bulk_done(uint32_t /*block*/, uint64_t /*number*/) {}
    virtual void on_mbarrier(const MbarrierEvent&) {}
    // fence.proxy.async, before the warp goes on.
    virtual void on_proxy_fence(uint32_t /*block*/, uint32_t /*warp*/, uint32_t /*lanes*/) {}
    virtual void on_fault(const Fault&) {}
    virtual void on_print(const Print&) {}
    // mma and wmma.mma of 16-bit floats and tf32 (sim/matrix/product.h), and wgmma.
    virtual void on_product(const ProductEvent&) {}
    virtual void on_shuffle(const ShuffleEvent&) {}
    virtual void on_barrier(const BarrierEvent&) {}
    // A warp has arrived at a barrier for which it does not wait.
    virtual void on_arrive(uint32_t /*block*/, uint32_t /*warp*/, uint32_t /*barrier*/) {}
    // __syncwarp(lanes), before the warp goes on.
    virtual void on_warp_sync(uint32_t /*block*/, uint32_t /*warp*/, uint32_t /*lanes*/) {}
    // Of each warp of a block once all are done, in order: how many instructions it executed.
    virtual void on_warp_end(uint32_t /*block*/, uint32_t /*warp*/, uint64_t /*executed*/) {}
    // The block is finished; every event of it has been given. Blocks never interleave on a thread.
    virtual void on_block_end(uint32_t /*block*/) {}
};

}  // namespace lanewise
