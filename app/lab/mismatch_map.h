// Where a stage's result is wrong, as a picture: the output in cells, what each holds in place of
// the right elements, and what is evident of the pattern, in words. Of a launch in the machine or
// on a GPU (bench.cpp, product_bench.cpp), compared element by element with what expected.h says,
// of a product with its reference.
#pragma once
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "figure/mismatch_figure.h"
#include "lab/analysis.h"
#include "lab/expected.h"
#include "lab/product.h"

namespace lanewise {

// The element of the input that holds these bytes (little-endian), of `count`; nothing where none
// does, and for elements of 1 and 2 bytes, of which there are too few different ones to tell.
std::optional<uint64_t> input_index_of(std::span<const std::byte> element, uint64_t count);

// Pure: what lies in `output`, against what should. tile_rows, tile_cols: what a block takes of the
// output at a time, for the words; 0 where unknown. `poisoned`: whether the output held the
// complement of the right answer before, so that what was never written can be told. Throws
// Cancelled.
MismatchMap map_mismatches(std::span<const std::byte> output, const ExpectedOutput& expected,
                           int tile_rows, int tile_cols, bool poisoned,
                           const CancelFlag* cancel = nullptr);

// Of a product's C, m x n floats, against its reference: an element is wrong beyond its own bound.
MismatchMap map_product(std::span<const std::byte> c, const ProductReference& reference,
                        const ProductBound& bound, int64_t m, int64_t n,
                        const CancelFlag* cancel = nullptr);

// Larger outputs of a GPU are not fetched for a map: it would take seconds.
inline constexpr uint64_t kMostMapped = uint64_t{1} << 26;         // elements
inline constexpr uint64_t kMostMappedProduct = uint64_t{1} << 24;  // of C, with its reference

// The patterns, one sentence after the other.
std::string pattern_words(const MismatchMap& map);

// Why there is no such map of this job; "" where there is.
std::string cannot_map_mismatches(const Job& job);

// Interprets the whole launch. Throws as analyse(), and Error(bad_input) for cannot_map_mismatches.
MismatchMap find_mismatches(const Job& job, int threads = 0, const CancelFlag* cancel = nullptr);

void to_json(nlohmann::json&, const MismatchMap&);
void from_json(const nlohmann::json&, MismatchMap&);

}  // namespace lanewise
