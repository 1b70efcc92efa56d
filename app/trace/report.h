// What a launch did to memory, counted as the hardware counts it. Plain values, made by
// trace/count/counter.h from the machine's events. Rules and their sources: trace/count/rules.h.
#pragma once
#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "sim/event/event.h"

namespace lanewise {

struct GlobalCounts {
    uint64_t instructions = 0;  // warp instructions with at least one active lane
    uint64_t requests = 0;
    uint64_t sectors = 0;        // distinct 32-byte blocks touched, summed over requests
    uint64_t sectors_ideal = 0;  // the least that the same distinct bytes fit into
    uint64_t bytes = 0;          // asked for by active lanes
    GlobalCounts& operator+=(const GlobalCounts&);
    bool operator==(const GlobalCounts&) const = default;
};

struct SharedCounts {
    uint64_t instructions = 0;
    uint64_t wavefronts = 0;
    uint64_t wavefronts_ideal = 0;  // phases with an active lane: 1, 2, 4 for 4, 8, 16 bytes a lane
    uint64_t bytes = 0;
    SharedCounts& operator+=(const SharedCounts&);
    bool operator==(const SharedCounts&) const = default;
};

// cp.async (LDGSTS): one operation reads global memory and writes shared memory.
struct CopyCounts {
    uint64_t instructions = 0;
    uint64_t requests = 0, sectors = 0, sectors_ideal = 0;  // global, as GlobalCounts
    uint64_t wavefronts = 0, wavefronts_ideal = 0;          // shared, as SharedCounts
    uint64_t bytes = 0;                                     // written to shared memory
    uint64_t tag_sectors = 0;  // `sectors` as L1's tags count them (trace/count/copy_rules.h)
    CopyCounts& operator+=(const CopyCounts&);
    bool operator==(const CopyCounts&) const = default;
};

// Bulk copies (cp.async.bulk and its tensor form), which the tensor memory accelerator does past
// the load/store unit. What lies outside the tensor is neither read nor written.
struct BulkCounts {
    uint64_t instructions = 0;   // one for each thread that issues a copy
    uint64_t sectors = 0;        // of 32 bytes, as the accelerator asks for them (bulk_sectors in
                                 // trace/count/rules.h): zeros for what lies outside among them
    uint64_t sectors_ideal = 0;  // the least that the same bytes fit into
    uint64_t bytes = 0;          // read from or written to global memory
    BulkCounts& operator+=(const BulkCounts&);
    bool operator==(const BulkCounts&) const = default;
};

struct Counts {
    // Plain loads and stores; wmma's too, where the machine code has such for them.
    GlobalCounts global_load, global_store;
    SharedCounts shared_load, shared_store;
    // What the hardware counts apart from these four.
    GlobalCounts global_atomic;     // that give the old value back (ATOMG)
    GlobalCounts global_reduction;  // that do not (RED)
    SharedCounts shared_atomic;     // ATOMS
    CopyCounts async_copy;
    SharedCounts matrix_load;  // ldmatrix, and wmma.load where the machine code has it (LDSM)
    BulkCounts bulk_load, bulk_store;  // to shared memory, and from it
    Counts& operator+=(const Counts&);
    bool operator==(const Counts&) const = default;
};

// One static memory instruction of the kernel, with what all its executions cost.
struct InstructionReport {
    uint32_t instruction = 0;  // index into ptx::Kernel::instructions
    std::string text;          // the PTX, e.g. "ld.global.f32 %f1, [%rd15]"
    std::string file;          // source position from .loc
    int line = 0, column = 0;
    Space space = Space::global;
    bool is_store = false;
    AccessKind kind = AccessKind::plain;  // matrix: wmma's loads and stores as well
    int bytes_per_lane = 4;               // as counted; ldmatrix: of a row, 16
    Counts counts;  // only the members that fit kind, space and is_store are non-zero
};

struct LineReport {
    std::string file;
    int line = 0;
    Counts counts;
};

struct Finding {
    std::string kind;   // out_of_bounds, misaligned, divergent_barrier, deadlock, runaway, …
    std::string space;  // "global", "shared" or ""
    std::string file;
    int line = 0, column = 0;
    std::string block;   // "(1,0)" or "(1,0,0)", first occurrence
    std::string thread;  // "(0,4)", first occurrence
    uint64_t count = 0;
    std::string message;  // one sentence for the user, naming the buffer and its size
};

// What a thread printed with one printf, its line breaks included.
struct Printed {
    std::string block, thread;  // as in Finding
    std::string text;
};
inline constexpr size_t kMostPrinted = 1000;

struct Report {
    Counts totals;
    std::vector<InstructionReport> instructions;  // in PTX order
    std::vector<LineReport> lines;                // in line order
    std::vector<Finding> findings;                // none: the kernel is clean
    std::vector<Printed> printed;  // by block, then in order of execution; the first kMostPrinted
    uint64_t printed_total = 0;
    uint64_t checked_blocks = 0;  // those searched for races and uninitialized reads too
    uint64_t warp_instructions = 0;
};

// One executed access of the block that is being looked at.
struct TracedAccess {
    uint32_t instruction = 0;  // index into Report::instructions (not into the PTX)
    uint32_t warp = 0;
    uint32_t mask = 0;
    std::vector<uint64_t>
        addresses;  // 32; global: byte offset into the buffer; shared: byte offset
    // Global: index into BlockTrace::buffers. A store to shared memory: likewise the one that its
    // values were loaded from, as its registers tell (value_sources.h); else -1.
    int buffer = -1;
    int requests = 0, sectors = 0, sectors_ideal = 0;  // global
    int wavefronts = 0, wavefronts_ideal = 0;          // shared
};

struct TracedBuffer {
    std::string name;  // the kernel's parameter name where known, e.g. "in"
    uint64_t address = 0, bytes = 0;
};

// An array in static shared memory, as the PTX names it.
struct TracedArray {
    std::string name;
    uint32_t offset = 0, bytes = 0;
    bool operator==(const TracedArray&) const = default;
};

// A copy between global and shared memory that goes on by itself once it is issued: a warp's
// cp.async, or a bulk copy of one thread (cp.async.bulk and its tensor form).
struct TracedCopy {
    struct Piece {                // which moves as a whole
        uint64_t offset = 0;      // into the buffer
        uint32_t shared = 0;      // into shared memory
        uint8_t lane = 0;         // that asked for it
        bool is_outside = false;  // of what is copied: zeros come instead, or it is not stored
        bool operator==(const Piece&) const = default;
    };
    uint32_t instruction = 0;  // index into Report::instructions
    uint32_t warp = 0;
    bool is_bulk = false, to_shared = true;
    int buffer = -1;  // index into BlockTrace::buffers; -1: none of them
    int bytes = 16;   // of a piece
    int sectors = 0, sectors_ideal = 0;
    // Of the tensor form: the box, in elements, the innermost dimension first; else empty.
    std::vector<int64_t> start, extent;
    int swizzle_bytes = 0;  // 0, 32, 64, 128
    std::vector<Piece> pieces;
    bool operator==(const TracedCopy&) const = default;
};

// A shuffle of a warp: whose value each lane gets, and what that value is.
struct TracedShuffle {
    uint32_t warp = 0;
    uint32_t mask = 0;               // lanes that take part
    std::array<uint8_t, 32> from{};  // by lane; its own number where no lane's value reaches it
    int buffer = -1;                 // index into BlockTrace::buffers; -1: no value is known
    // By lane: what it gives, where that is an element of the buffer as it was loaded: its offset
    // in bytes; else -1.
    std::array<int64_t, 32> given{};
    bool operator==(const TracedShuffle&) const = default;
};
inline constexpr size_t kMostTracedShuffles = size_t{1} << 13;  // 2.5 MB

// What else a warp of that block did in between, which has no lanes' addresses to draw: a barrier
// that it waited at, or an access of another kind than plain. copy_done: the bytes of a copy are
// where they were to go.
struct TracedMark {
    enum class Kind : uint8_t {
        barrier,
        atomic,
        async_copy,
        matrix,
        mbarrier,
        bulk_copy,
        copy_done,
        shuffle
    };
    Kind kind = Kind::barrier;
    uint32_t warp = 0;
    size_t before = 0;  // index into BlockTrace::accesses of the first access that came after it
    int line = 0;       // of the source; 0 where unknown
    int copy = -1;      // index into BlockTrace::copies; -1: of another kind, or it was not kept
    int shuffle = -1;   // index into BlockTrace::shuffles; likewise
    bool operator==(const TracedMark&) const = default;
};

// Every access of one block, in the order in which it executed (warps interleave at barriers); of a
// block that makes very many, the first kMostTracedAccesses.
inline constexpr size_t kMostTracedAccesses = size_t{1} << 17;  // about 45 MB
inline constexpr size_t kMostTracedPieces = size_t{1} << 18;    // of copies, 4 MB
struct BlockTrace {
    uint64_t block = 0;
    uint32_t warps = 0;
    uint32_t shared_bytes = 0;
    std::vector<TracedBuffer> buffers;
    std::vector<TracedArray> arrays;
    std::vector<TracedAccess> accesses;
    uint64_t left_out = 0;          // accesses that came after the last one kept
    std::vector<TracedMark> marks;  // in order; none after the last access kept
    std::vector<TracedCopy> copies;
    std::vector<TracedShuffle> shuffles;
};

}  // namespace lanewise
