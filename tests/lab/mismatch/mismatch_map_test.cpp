// Where wrong results are wrong: outputs made wrong by hand, and the exercises' own.
#include "lab/mismatch/mismatch_map.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <functional>
#include <limits>
#include <nlohmann/json.hpp>

#include "../../shipped_stages.h"
#include "base/error.h"
#include "course/catalogue.h"
#include "lab/analysis/analysis.h"
#include "lab/mismatch/wrong_places.h"
#include "sim/memory/memory.h"

namespace lanewise {
namespace {

// An output of uint32_t whose element (row, col) holds in[from_row][from_col].
struct From {
    int64_t row, col;
};
std::vector<std::byte> output_of(int64_t in_rows, int64_t in_cols,
                                 const std::function<From(int64_t row, int64_t col)>& from) {
    std::vector<std::byte> output(static_cast<size_t>(in_rows * in_cols) * 4);
    for (int64_t row = 0; row < in_cols; ++row)
        for (int64_t col = 0; col < in_rows; ++col) {
            From f = from(row, col);
            uint32_t word = unique_word(static_cast<uint32_t>(f.row * in_cols + f.col));
            std::memcpy(&output[static_cast<size_t>(row * in_rows + col) * 4], &word, 4);
        }
    return output;
}
MismatchMap map_of(int64_t in_rows, int64_t in_cols,
                   const std::function<From(int64_t row, int64_t col)>& from, int tile = 0) {
    return map_mismatches(output_of(in_rows, in_cols, from),
                          {{in_rows, in_cols, 1, 4, false}, tile, tile});
}
bool says(const MismatchMap& map, const std::string& words) {
    for (const std::string& each : map.patterns)
        if (each.find(words) != std::string::npos) return true;
    return false;
}

TEST(MismatchMap, OfARightResultIsEmpty) {
    MismatchMap map = map_of(5, 7, [](int64_t row, int64_t col) { return From{col, row}; });
    EXPECT_EQ(7, map.rows);
    EXPECT_EQ(5, map.cols);
    EXPECT_EQ(0u, map.wrong);
    EXPECT_TRUE(map.patterns.empty());
}

TEST(MismatchMap, FindsWhereAnElementBelongs) {
    MismatchMap map = map_of(5, 7, [](int64_t row, int64_t col) {
        return row == 3 && col == 2 ? From{4, 6} : From{col, row};
    });
    EXPECT_EQ(1u, map.wrong);
    EXPECT_EQ(1u, map.elsewhere);
    ASSERT_EQ(1, map.cell_rows);
    const MismatchCell& cell = map.cells[3 * 5 + 2];
    EXPECT_EQ(1u, cell.wrong);
    EXPECT_EQ(4, cell.from_row);
    EXPECT_EQ(6, cell.from_col);
    EXPECT_TRUE(says(map, "All wrong elements lie in rows 3 to 3, columns 2 to 2."));
    std::vector<std::byte> element(8);
    uint32_t low = unique_word(10), high = unique_word(11);
    std::memcpy(element.data(), &low, 4);
    std::memcpy(element.data() + 4, &high, 4);
    EXPECT_EQ(5u, input_index_of(element, 6));  // of eight bytes: words 10 and 11
    EXPECT_FALSE(input_index_of(element, 5));   // the input has only 0 to 4
    std::swap(element[0], element[4]);
    EXPECT_FALSE(input_index_of(element, 6));
    EXPECT_FALSE(input_index_of(std::span(element).first(2), 100));
}

TEST(MismatchMap, KnowsWhatWasNeverWritten) {
    std::vector<std::byte> output = output_of(4, 4, [](int64_t row, int64_t col) {
        return From{col, row};
    });
    for (size_t i = 8 * 4; i < output.size(); ++i) output[i] = ~output[i];  // rows 2 and 3
    MappedOutput of{{4, 4, 1, 4, false}};
    MismatchMap map = map_mismatches(output, of);
    EXPECT_EQ(8u, map.unwritten);
    EXPECT_TRUE(says(map, "never written"));
    EXPECT_TRUE(says(map, "Only the last 2 of 4 rows hold wrong elements: the bottom edge."));
    of.poisoned = false;
    EXPECT_EQ(0u, map_mismatches(output, of).unwritten);
}

TEST(MismatchMap, NamesThePattern) {
    auto as_it_was = [](int64_t row, int64_t col) { return From{row, col}; };
    EXPECT_TRUE(says(map_of(8, 8, as_it_was, 4), "nothing was turned"));
    auto inside = [](int64_t row, int64_t col) {
        return From{col / 4 * 4 + row % 4, row / 4 * 4 + col % 4};
    };
    EXPECT_TRUE(says(map_of(16, 16, inside, 4), "Every 4 × 4 tile lies in its place"));
    EXPECT_TRUE(says(map_of(16, 16, inside, 4), "The diagonal of every tile is right."));
    auto tiles = [](int64_t row, int64_t col) {
        return From{row / 4 * 4 + col % 4, col / 4 * 4 + row % 4};
    };
    EXPECT_TRUE(says(map_of(16, 16, tiles, 4), "the tiles themselves did not change places"));
    auto shifted = [](int64_t row, int64_t col) { return From{(col + 1) % 64, row}; };
    EXPECT_TRUE(says(map_of(64, 64, shifted),
                     "Every wrong element holds the one 1 row below the right one in the input."));
    auto edge = [](int64_t row, int64_t col) { return From{col < 7 ? col : 0, row}; };
    EXPECT_TRUE(says(map_of(8, 8, edge), "Only the last 1 of 8 columns"));
}

TEST(MismatchMap, GathersLargeMatricesInCells) {
    MismatchMap map = map_of(1000, 50, [](int64_t, int64_t) { return From{0, 0}; });
    EXPECT_EQ(1, map.cell_rows);   // 50 rows in at most 64 cells
    EXPECT_EQ(16, map.cell_cols);  // 1000 columns: the next power of two
    EXPECT_EQ(50, map.down);
    EXPECT_EQ(63, map.across);
    EXPECT_EQ(1000u * 50 - 1, map.wrong);
    uint64_t sum = 0;
    for (const MismatchCell& cell : map.cells) sum += cell.wrong;
    EXPECT_EQ(map.wrong, sum);
    EXPECT_EQ(map, nlohmann::json(map).get<MismatchMap>());
}

// 4,000 x 2,500: ten million elements, of which a piece holds four. In the middle of the output one
// is another, and from row 2,000 down all hold their neighbours: what most have in common is said.
TEST(MismatchMap, IsMadeOfPiecesByAnyNumberOfThreads) {
    std::vector<std::byte> output = output_of(4000, 2500, [](int64_t row, int64_t col) {
        if (row >= 2000) return From{col, row + 1 < 2500 ? row + 1 : row - 1};
        return row == 1500 && col == 77 ? From{0, 0} : From{col, row};
    });
    uint64_t next = 0;
    size_t pieces = 0;
    auto fetch = [&](uint64_t first, uint64_t bytes) {
        EXPECT_EQ(next, first);
        EXPECT_LE(bytes, uint64_t{kPieceElements} * 4);
        next = first + bytes;
        ++pieces;
        return std::span<const std::byte>(output).subspan(first, bytes);
    };
    MappedOutput of{{4000, 2500, 1, 4, false}};
    MismatchMap map = map_mismatches(fetch, of, 1);
    EXPECT_EQ(output.size(), next);
    EXPECT_LE(4u, pieces);  // row 0, and three
    EXPECT_EQ(500u * 4000 + 1, map.wrong);
    EXPECT_TRUE(says(map, "Only the last 1,000 of 2,500 rows hold wrong elements"));
    EXPECT_TRUE(says(map, "holds the one 1 column right of the right one in the input."));
    // Of the cells of 64 x 64 one has the element of row 1,500: rows 1,472 to 1,535.
    EXPECT_EQ(1u, map.cells[23 * 63 + 1].wrong);
    EXPECT_EQ(0, map.cells[23 * 63 + 1].from_row);
    next = 0;
    EXPECT_EQ(map, map_mismatches(fetch, of, 5));
    EXPECT_EQ(map, map_mismatches(output, of, 2));
    CancelFlag cancel = true;
    next = 0;
    EXPECT_THROW(map_mismatches(fetch, of, 1, &cancel), Cancelled);
}

// cuBLAS is given numbers: what is no finite normal one of the words is made one.
TEST(MismatchMap, KnowsTheNumbersThatALibraryIsGiven) {
    constexpr int64_t kRows = 64, kCols = 48;
    std::vector<std::byte> output(kRows * kCols * 4);
    auto put = [&](int64_t row, int64_t col, uint32_t word) {
        std::memcpy(&output[static_cast<size_t>(row * kRows + col) * 4], &word, 4);
    };
    size_t made = 0;
    for (int64_t row = 0; row < kCols; ++row)
        for (int64_t col = 0; col < kRows; ++col) {
            auto index = static_cast<uint32_t>(col * kCols + row);
            put(row, col, input_word(index, Input::numbers));
            made += input_word(index, Input::numbers) != unique_word(index);
        }
    EXPECT_LT(0u, made);  // about one word in 128
    MappedOutput of{{kRows, kCols, 1, 4, false}, 0, 0, true, Input::numbers};
    EXPECT_EQ(0u, map_mismatches(output, of).wrong);
    put(5, 6, input_word(7 * kCols + 8, Input::numbers));  // in[7][8], where in[6][5] belongs
    put(9, 9, ~unique_word(9 * kCols + 9));                // as it was poisoned: by the words
    MismatchMap map = map_mismatches(output, of);
    EXPECT_EQ(2u, map.wrong);
    EXPECT_EQ(1u, map.elsewhere);
    EXPECT_EQ(1u, map.unwritten);
    auto cell = std::find_if(map.cells.begin(), map.cells.end(),
                             [](const MismatchCell& each) { return each.elsewhere == 1; });
    ASSERT_NE(map.cells.end(), cell);
    EXPECT_EQ(7, cell->from_row);
    EXPECT_EQ(8, cell->from_col);
}

TEST(MismatchMap, OfTheExercisesSaysWhatIsWrong) {
    const Catalogue& catalogue = shipped_stages();
    auto find = [&](const std::string& stage, int64_t rows, int64_t cols) {
        Job job;
        job.stage = catalogue.find(stage);
        job.type = job.stage.types.front();
        job.rows = rows;
        job.cols = cols;
        return find_mismatches(job, 1);
    };
    EXPECT_TRUE(says(find("101_blocks_not_swapped", 128, 128), "did not change places"));
    EXPECT_TRUE(says(find("102_tile_not_swapped", 128, 128), "its inside was not turned"));
    EXPECT_FALSE(says(find("102_tile_not_swapped", 128, 128), "all beyond"));
    EXPECT_TRUE(says(find("109_a_quarter_moved", 128, 128), "25 % of the matrix was moved"));
    EXPECT_EQ(0u, find("30_padded", 100, 70).wrong);
}

// ---- products

// A reference of 1, 2, 3 … row by row, and a C of floats made from it.
struct Made {
    ProductReference reference;
    std::vector<std::byte> c;
    int64_t m, n;
    Made(int64_t rows, int64_t cols, const std::function<float(int64_t row, int64_t col)>& of)
        : m(rows), n(cols) {
        for (int64_t i = 0; i < m * n; ++i) {
            reference.value.push_back(double(i + 1));
            reference.magnitude.push_back(double(i + 1));
            float value = of(i / n, i % n);
            auto bytes = std::as_bytes(std::span(&value, 1));
            c.insert(c.end(), bytes.begin(), bytes.end());
        }
    }
    MismatchMap map() const { return map_product(c, reference, {1e-6, 0, 0}, m, n); }
};

TEST(ProductMap, OfARightResultIsEmpty) {
    Made made(6, 4, [](int64_t row, int64_t col) { return float(4 * row + col + 1); });
    EXPECT_EQ(0u, made.map().wrong);
    EXPECT_TRUE(made.map().is_computed);
}

TEST(ProductMap, NamesThePattern) {
    auto right = [](int64_t row, int64_t col) { return float(8 * row + col + 1); };
    auto none = [](int64_t, int64_t) { return 0.f; };
    EXPECT_TRUE(says(Made(8, 8, none).map(), "Every wrong element is 0."));
    EXPECT_TRUE(says(Made(8, 8, none).map(), "Not one element is right."));
    auto twice = [&](int64_t row, int64_t col) { return 2 * right(row, col); };
    EXPECT_TRUE(says(Made(8, 8, twice).map(), "Every wrong element is 2 times the right one."));
    auto turned = [&](int64_t row, int64_t col) { return right(col, row); };
    EXPECT_TRUE(says(Made(8, 8, turned).map(), "C is turned"));
    float poison;
    std::memcpy(&poison, &kProductPoison, sizeof poison);
    auto edge = [&](int64_t row, int64_t col) { return col < 7 ? right(row, col) : poison; };
    MismatchMap map = Made(8, 8, edge).map();
    EXPECT_EQ(8u, map.wrong);
    EXPECT_EQ(8u, map.unwritten);
    EXPECT_TRUE(says(map, "Only the last 1 of 8 columns hold wrong elements: the right edge."));
    EXPECT_TRUE(says(map, "What is wrong was never written."));
    auto one = [&](int64_t row, int64_t col) {
        return row == 3 && col == 2 ? std::numeric_limits<float>::quiet_NaN() : right(row, col);
    };
    map = Made(8, 8, one).map();
    EXPECT_EQ("27 ± 2.7e-05", map.cells[3 * 8 + 2].expected);
    EXPECT_EQ("nan", map.cells[3 * 8 + 2].actual);
    EXPECT_TRUE(says(map, "1 are NaN or infinite where the sum is finite."));
    // Within the bound is right, beyond it the factor is told.
    auto near = [&](int64_t row, int64_t col) {
        return right(row, col) * (row == 0 ? 1 + 5e-7f : row == 1 ? 1 + 1e-4f : 1);
    };
    map = Made(8, 8, near).map();
    EXPECT_EQ(8u, map.wrong);
    EXPECT_TRUE(says(map, "All wrong elements lie in rows 1 to 1, columns 0 to 7."));
    EXPECT_TRUE(says(map, "times what sums in this type allow."));
    EXPECT_EQ(map, nlohmann::json(map).get<MismatchMap>());
    nlohmann::json damaged = map;
    damaged["across"] = 1 << 30;
    EXPECT_THROW(damaged.get<MismatchMap>(), Error);
}

TEST(ProductMap, OfTheExercises) {
    const Catalogue& catalogue = shipped_stages();
    Job job;
    auto find = [&](const std::string& stage) {
        job.stage = catalogue.find(stage);
        job.type = job.stage.types.front();
        job.rows = 64;
        job.cols = 96;
        job.inner = 80;
        return find_mismatches(job, 1);
    };
    EXPECT_EQ(0u, find("matmul/20_shared_tiles").wrong);
    MismatchMap map = find("121_not_cleared");
    EXPECT_LT(0u, map.wrong);
    EXPECT_EQ(analyse(job, 1).mismatch.count, map.wrong);
    EXPECT_FALSE(map.patterns.empty());
    job.rows = job.cols = job.inner = 8192;
    EXPECT_EQ(too_long_to_interpret(8192, 8192, 8192), cannot_map_mismatches(job));
    EXPECT_THROW(find_mismatches(job), Error);
}

}  // namespace
}  // namespace lanewise
