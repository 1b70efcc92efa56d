// Where the blocks of the stages walk, worked out by hand for small matrices.
#include "lab/flow/block_walk.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "../../shipped_stages.h"
#include "base/error.h"
#include "course/catalogue.h"

namespace lanewise {
namespace {

Job job_of(const std::string& stage, int64_t rows, int64_t cols, KnobValues knobs = {},
           const std::string& type = "f32") {
    const Catalogue& catalogue = shipped_stages();
    Job job;
    job.stage = catalogue.find(stage);
    job.rows = rows;
    job.cols = cols;
    job.knobs = std::move(knobs);
    job.type = type;
    return job;
}

class Walk : public testing::Test {};

TEST(Matrices, AreThoseOfTheOperation) {
    std::vector<MatrixShape> turned = {{"in", 50, 70, 4}, {"out", 70, 50, 4}};
    EXPECT_EQ(turned, matrices_of(job_of("30_padded", 50, 70)));
    std::vector<MatrixShape> copied = {{"in", 50, 70, 4}, {"out", 50, 70, 4}};
    EXPECT_EQ(copied, matrices_of(job_of("00_copy", 50, 70)));
    std::vector<MatrixShape> in_place = {{"matrix", 64, 64, 8}};
    EXPECT_EQ(in_place, matrices_of(job_of("86_in_place", 64, 64, {}, "f64")));
    Job product = job_of("matmul/20_shared_tiles", 50, 70);
    product.inner = 33;
    std::vector<MatrixShape> factors = {{"A", 50, 33, 4}, {"B", 33, 70, 4}, {"C", 50, 70, 4}};
    EXPECT_EQ(factors, matrices_of(product));
}

// 64 x 96 floats in tiles of 32: blocks 0 to 2 along the first 32 rows; a tile's row is 4 sectors.
TEST_F(Walk, OfATileFollowsTheRowsInAndTheColumnsOut) {
    BlockWalk walk = walk_blocks(job_of("22_coarsened", 64, 96), 100);
    EXPECT_EQ(6u, walk.grid);
    ASSERT_EQ(6u, walk.blocks);
    ASSERT_EQ(2u, walk.matrices.size());
    const WalkedMatrix &in = walk.matrices[0], &out = walk.matrices[1];
    EXPECT_EQ((TouchedBox{0, 32, 32, 32}), in.boxes[1]);
    EXPECT_EQ((TouchedBox{32, 0, 32, 32}), out.boxes[1]);
    EXPECT_EQ((TouchedBox{32, 0, 32, 32}), in.boxes[3]);
    EXPECT_EQ(128u, in.sectors[5]);
    EXPECT_EQ(6u * 128, in.together[5]);
    EXPECT_EQ("along the rows", order_in_words(in.boxes, 6));
    EXPECT_EQ("down the columns", order_in_words(out.boxes, 3));
    EXPECT_EQ("", order_in_words(in.boxes, 1));
}

// Rows of 33 floats: a tile's rows begin anywhere in a sector, and neighbours share some.
TEST_F(Walk, NeighboursShareSectorsWhereRowsAreNotWhole) {
    BlockWalk walk = walk_blocks(job_of("22_coarsened", 32, 33), 100);
    const WalkedMatrix& in = walk.matrices[0];
    ASSERT_EQ(2u, walk.blocks);
    EXPECT_EQ((TouchedBox{0, 32, 32, 1}), in.boxes[1]);
    EXPECT_EQ((32u * 33 * 4 + 31) / 32, in.together[1]);  // the whole matrix, once
    EXPECT_GT(in.sectors[0] + in.sectors[1], in.together[1]);
}

TEST_F(Walk, KnowsOtherOrders) {
    // ORDER 2 numbers the tiles column by column.
    BlockWalk walk = walk_blocks(job_of("50_diagonal", 128, 128, {{"ORDER", 2}}), 100);
    EXPECT_EQ("down the columns", order_in_words(walk.matrices[0].boxes, 16));
    // ORDER 1 takes them along the diagonals, of 4 x 4 tiles; block 4 begins the second.
    walk = walk_blocks(job_of("50_diagonal", 128, 128, {{"ORDER", 1}}), 100);
    const std::vector<TouchedBox>& in = walk.matrices[0].boxes;
    EXPECT_EQ((TouchedBox{32, 32, 32, 32}), in[1]);
    EXPECT_EQ((TouchedBox{96, 96, 32, 32}), in[3]);
    EXPECT_EQ((TouchedBox{0, 32, 32, 32}), in[4]);
    EXPECT_EQ((TouchedBox{32, 64, 32, 32}), in[5]);
    EXPECT_EQ("along diagonals", order_in_words(in, 16));
    std::vector<TouchedBox> diagonal, back;
    for (int i = 0; i < 5; ++i) {
        diagonal.push_back({i, i, 1, 1});
        back.push_back({-i, 0, 1, 1});
    }
    EXPECT_EQ("along diagonals", order_in_words(diagonal, 5));
    EXPECT_EQ("in another order", order_in_words(back, 5));
}

// Copies by the accelerator, asynchronous ones, vectors, products, in place: each block's part.
TEST_F(Walk, SeesEveryKindOfAccess) {
    for (const char* stage : {"84_tma", "82_async", "80_register_tiles", "86_in_place"}) {
        BlockWalk walk = walk_blocks(job_of(stage, 256, 256), 100);
        uint64_t sectors = walk.matrices[0].together.back();
        if (walk.blocks == walk.grid) {
            EXPECT_EQ(256u * 256 * 4 / 32, sectors) << stage;
        }
    }
    Job product = job_of("matmul/20_shared_tiles", 64, 64);
    product.inner = 64;
    BlockWalk walk = walk_blocks(product, 1);
    EXPECT_EQ(1u, walk.blocks);
    EXPECT_EQ(64, walk.matrices[0].boxes[0].cols);  // all of K
    EXPECT_EQ(64, walk.matrices[1].boxes[0].rows);
}

TEST_F(Walk, TravelsWhole) {
    BlockWalk walk = walk_blocks(job_of("22_coarsened", 64, 96), 3);
    EXPECT_EQ(3u, walk.blocks);
    auto back = nlohmann::json(walk).get<BlockWalk>();
    EXPECT_EQ(walk.grid, back.grid);
    EXPECT_EQ(walk.resident(), back.resident());
    EXPECT_EQ(walk.matrices[1].shape, back.matrices[1].shape);
    EXPECT_EQ(walk.matrices[1].boxes, back.matrices[1].boxes);
    EXPECT_EQ(walk.matrices[1].together, back.matrices[1].together);
    CancelFlag cancel = true;
    EXPECT_THROW(walk_blocks(job_of("22_coarsened", 64, 96), 3, &cancel), Cancelled);
}

}  // namespace
}  // namespace lanewise
