// How a block walks along K when it multiplies: which part of A and of B serves each step, when it
// is fetched, and when it is multiplied. Read off the machine's execution of one block.
//
// A part is what the kernel itself keeps together: indices of K that one warp instruction fetches
// of a row of A belong to one step, and so do those that are fetched between the same two barriers
// and read from shared memory between the same two. Barriers are those of the whole block, and
// phases of mbarriers that end, in the order in which the machine came to them. Which k a word of
// shared memory has come from the words say themselves: the block is run on matrices whose bits are
// mark_of() (lab/product/product_probe.h).
#pragma once
#include <cstdint>
#include <vector>

#include "sim/event/event.h"

namespace lanewise {

struct Span {
    int begin = 0, end = 0;  // of rows or columns; empty where they are equal
    bool is_empty() const { return begin >= end; }
    int size() const { return end - begin; }
    void add(int index);
    void add(const Span& other);
    bool operator==(const Span&) const = default;
};

struct WalkStep {
    Span k;              // columns of A, and rows of B
    Span rows, cols;     // of A and of B: all that was fetched of them for these k
    int fetched = 0;     // how many barriers came before its first fetch
    int multiplied = 0;  // likewise before its first read from shared memory; = fetched where the
                         // operands go straight from global memory to the registers
    bool operator==(const WalkStep&) const = default;
};

struct TileWalk {
    int M = 0, N = 0, K = 0;
    uint32_t block = 0;
    Span c_rows, c_cols;          // what the block writes of C
    std::vector<WalkStep> steps;  // in the order in which they are multiplied
    bool through_shared = false;  // whether its reads of shared memory were found
    bool by_bulk_copies = false;  // whether the tensor memory accelerator fetches
};

// How many later steps' parts are on their way, or there already, while `step` is multiplied.
int fetched_ahead(const TileWalk& walk, size_t step);

// The bits of an element of A (is_a) or of B whose index along K is k, of so many: all different,
// and none 0, which is what kernels put beyond the edges. Fits 16 bits where `depth` is at most
// 32,767.
inline uint32_t mark_of(bool is_a, int k, int depth) {
    return static_cast<uint32_t>(k + 1 + (is_a ? 0 : depth));
}

// Watches one block.
class TileWalker : public Observer {
  public:
    struct Matrices {
        int M, N, K;
        uint32_t element_bytes;  // of A and B, 2 or 4; C's have 4
        uint64_t a, b, c;        // addresses in the machine's memory
    };
    explicit TileWalker(const Matrices& matrices);
    void on_memory(const MemoryEvent& event) override;
    void on_matrix_read(const MemoryEvent& event) override { read_shared(event); }
    void on_barrier(const BarrierEvent& event) override { phase_ += event.whole_block; }
    void on_mbarrier(const MbarrierEvent& event) override {
        phase_ += event.what == MbarrierEvent::What::phase_ends;
    }
    TileWalk walk() const;

  private:
    struct Index {      // of K
        int with = -1;  // another of the same step; -1: none, as it stands for its step
        int fetched = -1, read = -1;  // phases; -1: never
        Span rows, cols;
    };
    void fetch(const MemoryEvent& event);
    void take(uint64_t address, uint32_t bytes);
    void take_a(uint64_t element);
    void take_b(uint64_t element);
    void read_shared(const MemoryEvent& event);
    void write(const MemoryEvent& event);
    void mark_fetched(int k);
    void join(int k, int other);
    int root_of(int k) const;

    Matrices m_;
    int phase_ = 0;
    int last_a_ = -1;  // k of the element of A that this instruction has fetched last
    TileWalk found_;
    std::vector<Index> indices_;
};

}  // namespace lanewise
