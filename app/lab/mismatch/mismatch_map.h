// Where a stage's result is wrong, as a picture: the output in cells, what each holds in place of
// the right elements, and what is evident of the pattern, in words. Of a launch in the machine or
// on a GPU (transpose_bench.cpp, product_bench.cpp), compared element by element with what
// expected.h says, of a product with its reference.
#pragma once
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "figure/product/mismatch_figure.h"
#include "lab/job/job.h"
#include "lab/machine/expected.h"
#include "lab/product/product.h"

namespace lanewise {

// The element of the input that holds these bytes (little-endian), of `count`; nothing where none
// does or two do, and for elements of 1 and 2 bytes, of which there are too few different ones to
// tell.
std::optional<uint64_t> input_index_of(std::span<const std::byte> element, uint64_t count,
                                       Input input = Input::words);

// What an output is held against.
struct MappedOutput {
    ExpectedOutput expected;
    int tile_rows = 0, tile_cols = 0;  // what a block takes of it at a time, for the words; 0 where
                                       // unknown
    // Whether it held the complement of the right answer before (of the words, whatever the input),
    // so that what was never written can be told.
    bool poisoned = true;
    Input input = Input::words;
};
// These bytes of it, valid until the next call. In order, a few megabytes at a time: an output on a
// GPU may be larger than this machine's memory.
using FetchBytes = std::function<std::span<const std::byte>(uint64_t first_byte, uint64_t bytes)>;

// What lies in the output, against what should. Throws Cancelled.
MismatchMap map_mismatches(const FetchBytes& fetch, const MappedOutput& of, int threads,
                           const CancelFlag* cancel = nullptr);
// Of one that lies in memory.
MismatchMap map_mismatches(std::span<const std::byte> output, const MappedOutput& of,
                           int threads = 1, const CancelFlag* cancel = nullptr);

// Rows of a product's C and of its reference; likewise piece by piece.
struct ProductRows {
    std::span<const float> c;
    std::span<const double> value, magnitude;
};
using FetchProduct = std::function<ProductRows(int64_t first_row, int64_t rows)>;

// Of a product's C, m x n floats, against its reference: an element is wrong beyond its own bound.
// `whole`: the reference's values where all of them are at hand, else empty: only then can it be
// told that C is turned.
MismatchMap map_product(const FetchProduct& fetch, const ProductBound& bound, int64_t m, int64_t n,
                        const ProductReference* whole, int threads,
                        const CancelFlag* cancel = nullptr);
MismatchMap map_product(std::span<const std::byte> c, const ProductReference& reference,
                        const ProductBound& bound, int64_t m, int64_t n,
                        const CancelFlag* cancel = nullptr);

// A larger C is fetched from a GPU piece by piece, with its reference.
inline constexpr uint64_t kMostHeldProduct = uint64_t{1} << 24;  // elements

// The patterns, one sentence after the other.
std::string pattern_words(const MismatchMap& map);

// Why there is no such map of this job; "" where there is.
std::string cannot_map_mismatches(const Job& job);

// Interprets the whole launch. Throws as analyse(), and Error(bad_input) for cannot_map_mismatches.
MismatchMap find_mismatches(const Job& job, int threads = 0, const CancelFlag* cancel = nullptr);

void to_json(nlohmann::json&, const MismatchMap&);
void from_json(const nlohmann::json&, MismatchMap&);

}  // namespace lanewise
