// Knob settings and launch shapes of the stages that ship.
#include "course/stage.h"

#include <gtest/gtest.h>

#include "../case_name.h"
#include "../shipped_stages.h"
#include "base/error.h"
#include "course/catalogue.h"

namespace lanewise {
namespace {

std::string launch_error(const Stage& stage, const KnobValues& knobs, int64_t rows, int64_t cols,
                         int64_t batch = 1) {
    try {
        launch_shape(stage, knobs, "f32", rows, cols, batch);
    } catch (const Error& error) {
        return error.what();
    }
    return "no error";
}

TEST(Stages, AllParse) {
    ASSERT_GE(shipped_stages().stages().size(), 7u);
    for (const Stage& stage : shipped_stages().stages()) EXPECT_EQ("", stage.error) << stage.id;
}

TEST(Stages, NameTheirInstantiation) {
    const Stage& padded = shipped_stages().find("30_padded");
    EXPECT_EQ("transpose_padded<float, 32, 8, 1>", name_expression(padded, {}, "f32"));
    EXPECT_EQ("transpose_padded<unsigned short, 64, 8, 0>",
              name_expression(padded, {{"PAD", 0}, {"TILE", 64}}, "f16"));
    Stage plain;
    plain.kernel = "go";
    EXPECT_EQ("go", name_expression(plain, {}, "f32"));
}

TEST(Stages, OfferOnlyWhatTheHardwareRuns) {
    for (const Stage& stage : shipped_stages().stages())
        for (const std::string& type : stage.types) {
            if (is_library_call(stage)) continue;  // it launches what it likes
            std::vector<KnobValues> all = knob_combinations(stage, type);
            EXPECT_FALSE(all.empty());
            for (const KnobValues& knobs : all) {
                EXPECT_EQ("", knob_problem(stage, knobs, type));
                // Every offered setting also launches at the largest matrix.
                LaunchShape shape = launch_shape(stage, knobs, type, 65'536, 65'536);
                EXPECT_LE(shape.block.count(), 1024u);
                EXPECT_GE(shape.block.count(), 32u);
                if (!stage.has_tile) continue;
                TileShape tile = tile_shape(stage, knobs, type);
                EXPECT_LE(tile.rows * tile.pitch * element_bytes(type), 48 * 1024);
            }
        }
}

TEST(Stages, CountTheirCombinations) {
    // BLOCK_X in 4..128, BLOCK_Y in 2..32, 32 <= product <= 1024: 3 + 4 + 5 + 5 + 4 + 3.
    EXPECT_EQ(24u, knob_combinations(shipped_stages().find("00_copy"), "f32").size());
    EXPECT_EQ(16u, knob_combinations(shipped_stages().find("02_copy_wide"), "u8").size());
    EXPECT_EQ(3u, knob_combinations(shipped_stages().find("20_tiled"), "f32").size());
    // TILE 8: ROWS 4, 8; 16: 4, 8, 16; 32: 4, 8, 16, 32; 64: 4, 8, 16.
    EXPECT_EQ(12u, knob_combinations(shipped_stages().find("22_coarsened"), "f64").size());
    EXPECT_EQ(60u, knob_combinations(shipped_stages().find("30_padded"), "f32").size());
}

TEST(Stages, SayWhyASettingIsRefused) {
    const Stage& padded = shipped_stages().find("30_padded");
    EXPECT_EQ("", knob_problem(padded, {{"TILE", 64}, {"ROWS", 16}}, "f32"));
    EXPECT_EQ("transpose/30_padded has no knob \"PADS\"; did you mean \"PAD\"?",
              knob_problem(padded, {{"PADS", 1}}, "f32"));
    EXPECT_EQ("PAD = 9 is not offered; choose 0, 1, 2, 3 or 4",
              knob_problem(padded, {{"PAD", 9}}, "f32"));
    EXPECT_TRUE(knob_problem(padded, {{"TILE", 64}, {"ROWS", 32}}, "f32")
                    .starts_with("A block holds at most 1,024 threads"));
    EXPECT_TRUE(knob_problem(padded, {{"TILE", 8}, {"ROWS", 16}}, "f32")
                    .starts_with("ROWS must divide TILE"));
}

struct LaunchCase {
    const char* stage;
    int64_t rows, cols;
    Dim3 grid, block;
};
std::string launch_words(const LaunchCase& shape) {
    return std::string(shape.stage) + " " + std::to_string(shape.rows) + "x" +
           std::to_string(shape.cols);
}
void PrintTo(const LaunchCase& shape, std::ostream* to) { *to << launch_words(shape); }

class LaunchShapes : public testing::TestWithParam<LaunchCase> {};

TEST_P(LaunchShapes, CoverTheMatrix) {
    const LaunchCase& want = GetParam();
    LaunchShape got = launch_shape(shipped_stages().find(want.stage), {}, "f32", want.rows, want.cols);
    EXPECT_EQ(want.grid, got.grid) << got.grid.x << " x " << got.grid.y;
    EXPECT_EQ(want.block, got.block);
    EXPECT_EQ(0u, got.dynamic_shared_bytes);
}

INSTANTIATE_TEST_SUITE_P(
    ByHand, LaunchShapes,
    testing::Values(
        LaunchCase{"00_copy", 1, 1, {1, 1}, {32, 8}}, LaunchCase{"00_copy", 1, 4096, {128, 1}, {32, 8}},
        LaunchCase{"00_copy", 33, 65, {3, 5}, {32, 8}}, LaunchCase{"00_copy", 1000, 50, {2, 125}, {32, 8}},
        LaunchCase{"00_copy", 4096, 4096, {128, 512}, {32, 8}},
        LaunchCase{"00_copy", 65536, 65536, {2048, 8192}, {32, 8}},
        // 16 bytes, 256 threads, 1 load: 4 KiB a block.
        LaunchCase{"02_copy_wide", 1, 1, {1}, {256}}, LaunchCase{"02_copy_wide", 1, 4096, {4}, {256}},
        LaunchCase{"02_copy_wide", 33, 65, {3}, {256}},     // 8,580 bytes
        LaunchCase{"02_copy_wide", 1000, 50, {49}, {256}},  // 200,000 bytes, 48.8 blocks
        LaunchCase{"02_copy_wide", 4096, 4096, {16384}, {256}},
        LaunchCase{"02_copy_wide", 65536, 65536, {4194304}, {256}},
        LaunchCase{"10_naive", 1000, 50, {2, 32}, {32, 32}},
        LaunchCase{"12_naive_write", 1000, 50, {32, 2}, {32, 32}},
        LaunchCase{"12_naive_write", 65536, 65536, {2048, 2048}, {32, 32}},
        LaunchCase{"20_tiled", 33, 65, {3, 2}, {32, 32}},
        LaunchCase{"22_coarsened", 1, 4096, {128, 1}, {32, 8}},
        LaunchCase{"30_padded", 1, 1, {1, 1}, {32, 8}}, LaunchCase{"30_padded", 1000, 50, {2, 32}, {32, 8}},
        LaunchCase{"30_padded", 65536, 65536, {2048, 2048}, {32, 8}}),
    [](const auto& test) { return "of_" + case_name(launch_words(test.param)); });

TEST(Stages, RefuseALaunchBeyondTheHardware) {
    Stage tall = shipped_stages().find("00_copy");
    tall.grid = {"cols", "rows"};
    EXPECT_EQ(
        "the grid's y would be 65,536; the hardware's limit is 65,535: choose a larger block or a "
        "smaller matrix",
        launch_error(tall, {}, 65'536, 1));
    EXPECT_EQ("no error", launch_error(tall, {}, 65'535, 1));
    EXPECT_EQ("the grid's x is 0 from \"cols\"; it must be at least 1", launch_error(tall, {}, 1, 0));
}

TEST(Stages, RefuseANumberOfElementsBeyond64Bits) {
    int64_t value = 0;  // 2^31 * 2^31 = 2^62 fits, 2^32 * 2^31 = 2^63 does not
    const int64_t side = int64_t{1} << 31;
    EXPECT_TRUE(launch_names({}, "f32", side, side, 1)("n", value));
    EXPECT_EQ(int64_t{1} << 62, value);
    EXPECT_THROW(launch_names({}, "f32", 2 * side, side, 1)("n", value), Error);
}

TEST(Stages, TakeABatchOnlyWhereTheGridNamesIt) {
    Stage stage = shipped_stages().find("30_padded");
    EXPECT_FALSE(takes_batch(stage));
    EXPECT_EQ(
        "transpose/30_padded: The kernel takes one matrix at a time: its launch has no dimension "
        "for a "
        "batch. Leave batch at 1.",
        launch_error(stage, {}, 64, 64, 3));
    stage.grid.push_back("batch");
    EXPECT_TRUE(takes_batch(stage));
    EXPECT_EQ(3u, launch_shape(stage, {}, "f32", 64, 64, 3).grid.z);
}

TEST(Stages, LayOutTheirTile) {
    TileShape tile = tile_shape(shipped_stages().find("30_padded"), {{"TILE", 16}, {"PAD", 2}}, "f32");
    EXPECT_EQ(16, tile.rows);
    EXPECT_EQ(16, tile.cols);
    EXPECT_EQ(18, tile.pitch);
}

TEST(ElementTypes, HaveSizesAndCudaNames) {
    EXPECT_EQ((std::vector<std::string>{"f32", "f64", "f16", "u8", "f32x4"}), element_types());
    EXPECT_EQ(4, element_bytes("f32"));
    EXPECT_EQ(8, element_bytes("f64"));
    EXPECT_EQ(2, element_bytes("f16"));
    EXPECT_EQ(1, element_bytes("u8"));
    EXPECT_EQ(16, element_bytes("f32x4"));
    EXPECT_EQ(0, element_bytes("f8"));
    EXPECT_EQ("double", cuda_type("f64"));
    EXPECT_EQ("float4", cuda_type("f32x4"));
    EXPECT_THROW(cuda_type("f8"), Error);
}

}  // namespace
}  // namespace lanewise
