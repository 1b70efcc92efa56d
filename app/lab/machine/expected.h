// What a stage's output must be, element by element; for verifying a launch without holding a
// second matrix. The input is the stream of unique words (sim/memory/memory.h), little-endian, whatever
// the element size.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>

#include "lab/job/job.h"
#include "lab/job/results.h"

namespace lanewise {

// What the input holds: the byte stream of unique_word(0), unique_word(1), … (sim/memory/memory.h),
// little-endian; or, for a library that computes with its floats, the same words made finite and
// normal numbers, which multiplying by one does not change. Those are not all different: of 128
// words one has a twin somewhere.
enum class Input { words, numbers };
uint32_t input_word(uint32_t index, Input input);

struct ExpectedOutput {
    int64_t rows = 0, cols = 0, batch = 1;  // of the input
    int element_bytes = 4;                  // 1, 2, 4, 8 or 16
    bool is_copy = false;                   // else the transpose
    uint64_t bytes() const;
};

// Both throw Cancelled soon after `cancel` is set.

// Fills `output` with the complement of the right answer: an element that is never written is then
// wrong for certain, which no constant pattern can promise for one-byte elements.
void poison(std::span<std::byte> output, const ExpectedOutput& expected, int threads,
            const CancelFlag* cancel = nullptr);

// Compares every element; a mismatch's row and col are in the output's coordinates.
Mismatch compare(std::span<const std::byte> output, const ExpectedOutput& expected, int threads,
                 const CancelFlag* cancel = nullptr);

}  // namespace lanewise
