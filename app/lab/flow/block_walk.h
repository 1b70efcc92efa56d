// Where the blocks of a launch walk: for each of the first N, as the grid numbers them, which part
// of each matrix it touches, and what of it the blocks share. From the machine, every access of
// every one of them, copies by the tensor memory accelerator included.
#pragma once
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "lab/job/job.h"
#include "trace/record/block_life.h"

namespace lanewise {

// A matrix of a stage's operation, as its buffer holds it; a batch one below the other.
struct MatrixShape {
    std::string name;  // of the buffer and the kernel's parameter: "in", "out", "matrix", "A" …
    int64_t rows = 0, cols = 0;
    int element_bytes = 4;
    bool operator==(const MatrixShape&) const = default;
};
// In the order of the buffers; none of a kernel of the user's own, whose shapes are not known.
std::vector<MatrixShape> matrices_of(const Job& job);

inline constexpr uint64_t kMostWalked = 2048;                 // blocks
inline constexpr uint64_t kMostWalkInstructions = 3'000'000;  // of warps; the walk then ends

struct WalkedMatrix {
    MatrixShape shape;
    std::vector<TouchedBox> boxes;  // by block
    // By block: sectors of 32 bytes that this one touches, and those that all up to it touch
    // together. Where the sum of the first is more than the second, blocks share sectors.
    std::vector<uint32_t> sectors;
    std::vector<uint64_t> together;
};

struct BlockWalk {
    std::string stage;
    uint64_t grid = 0, blocks = 0;                 // of the launch; walked, from 0 on
    int resident_per_sm = 0, multiprocessors = 0;  // of the card that the figures are for
    std::string card;
    std::vector<WalkedMatrix> matrices;
    // How many of the first blocks run at the same time, if the card starts them in order.
    uint64_t resident() const;
};

// At least one block. Throws as trace_block(), and Cancelled.
BlockWalk walk_blocks(const Job& job, uint64_t blocks, const CancelFlag* cancel = nullptr);

// "along the rows", "down the columns", "along diagonals", "in another order": how the first
// `count` boxes follow each other; "" for fewer than two that differ.
std::string order_in_words(const std::vector<TouchedBox>& boxes, size_t count);

void to_json(nlohmann::json&, const BlockWalk&);
void from_json(const nlohmann::json&, BlockWalk&);

}  // namespace lanewise
