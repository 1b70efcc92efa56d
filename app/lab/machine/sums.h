// What the kernels of a sum are given, and what they must leave: odd whole numbers from -7 to 7, in
// an order that looks random and is always the same. Floats and halves hold them, and all their sums
// stay so far below 2^24 that floats add them without rounding: in whatever order a kernel adds, its
// result is exactly the same. An element that is left out or taken twice changes it.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "lab/job/job.h"
#include "lab/job/results.h"

namespace lanewise {

int odd_number(uint64_t index);
int64_t sum_of_odd_numbers(uint64_t count, int threads, const CancelFlag* cancel = nullptr);
// As many as fit, as elements of the type ("f32", "f16"). Both throw Cancelled.
void fill_with_odd_numbers(std::span<std::byte> in, const std::string& type, int threads,
                           const CancelFlag* cancel = nullptr);

// What a launch leaves: one sum, which the kernel adds to and which is zero before, or one for each
// block, wrong before and written by its block.
enum class SumsLeft { one, by_block };
SumsLeft sums_left(const Stage& stage);
int64_t count_of_sums(const Job& job);
void prepare_sums(std::span<std::byte> out, SumsLeft left);
// What was left, added up, against the sum: equal, or one mismatch.
Mismatch judge_sums(std::span<const std::byte> out, int64_t sum);

}  // namespace lanewise
