// Numbers worked out by hand from the kernels' sources.
#include "lab/flow/product_pictures.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "../../shipped_stages.h"
#include "base/error.h"
#include "compile/compiler.h"
#include "course/catalogue.h"

namespace lanewise {
namespace {

ProductPictures pictures_of(const std::string& stage, const std::string& type, int64_t side,
                            KnobValues knobs = {}) {
    const Catalogue& catalogue = shipped_stages();
    Job job;
    job.stage = catalogue.find(stage);
    job.knobs = default_knobs(job.stage);
    for (const auto& [name, value] : knobs) job.knobs[name] = value;
    job.type = type;
    job.rows = job.cols = job.inner = side;
    return product_pictures(job);
}

class ProductPicturesTest : public testing::Test {};

// 4 x 4 blocks of 16 x 16 threads. Every element is fetched from global memory by one warp of each
// of 4 blocks. From shared memory an element of A is wanted by the one warp of a block that has its
// row, an element of B by all 8.
TEST_F(ProductPicturesTest, TilesAreFetchedOnceABlock) {
    ProductPictures pictures = pictures_of("matmul/20_shared_tiles", "f32", 64, {{"TILE", 16}});
    EXPECT_FALSE(pictures.fragments.has_value());
    ASSERT_EQ(3u, pictures.reuse.size());
    for (size_t i : {0u, 1u}) {
        EXPECT_EQ(4u, range_of(pictures.reuse[i].global).least);
        EXPECT_EQ(4u, range_of(pictures.reuse[i].global).most);
    }
    EXPECT_EQ(1u, range_of(pictures.reuse[2].global).most);  // C is written once
    EXPECT_EQ(4u, pictures.walk.steps.size());
    EXPECT_EQ(4u, range_of(pictures.reuse[0].shared).most);
    EXPECT_EQ(32u, range_of(pictures.reuse[1].shared).least);
    EXPECT_EQ(32u, range_of(pictures.reuse[1].shared).most);
}

TEST_F(ProductPicturesTest, TensorCoresHaveFragments) {
    ProductPictures pictures = pictures_of("matmul/40_wmma", "f16", 32);
    ASSERT_TRUE(pictures.fragments.has_value());
    EXPECT_EQ((HeldElement{0, 0}), pictures.fragments->a.at(0, 0, 0));
    EXPECT_EQ(3u, pictures.reuse.size());
    EXPECT_TRUE(pictures.instruction.starts_with("wmma.mma.sync")) << pictures.instruction;
}

// Eight of its twelve warps multiply, and the ninth fetches for them.
TEST_F(ProductPicturesTest, AWarpThatFetchesSaysWhoMultiplies) {
    const Catalogue& catalogue = shipped_stages();
    Job job;
    job.stage = catalogue.find("matmul/95_wgmma");
    job.knobs = default_knobs(job.stage);
    job.type = "f16";
    job.rows = job.cols = job.inner = 128;
    ProductPictures pictures = product_pictures(job, {0, 8, 0}, false);
    EXPECT_FALSE(pictures.fragments.has_value());
    EXPECT_EQ(0xffu, pictures.multiplying);
    nlohmann::json json = pictures;
    EXPECT_EQ(0xffu, json.get<ProductPictures>().multiplying);
    job.stage = catalogue.find("matmul/20_shared_tiles");
    job.knobs = default_knobs(job.stage);
    EXPECT_EQ(0u, product_pictures(job, {}, false).multiplying);
}

// What does not exist is clamped: there is one block of 4 warps, and at 32 deep a warp makes a few
// products only.
TEST_F(ProductPicturesTest, LooksWhereThereIsSomething) {
    const Catalogue& catalogue = shipped_stages();
    Job job;
    job.stage = catalogue.find("matmul/40_wmma");
    job.type = "f16";
    job.rows = job.cols = job.inner = 32;
    ProductPictures pictures = product_pictures(job, {1000, 1000, 1000}, false);
    EXPECT_TRUE(pictures.reuse.empty());
    EXPECT_EQ((ProductPlace{0, 3, 0}), pictures.place);
    ASSERT_TRUE(pictures.fragments.has_value());
    EXPECT_GT(pictures.fragments->products, 0u);
    EXPECT_FALSE(pictures.walk.steps.empty());
}

TEST_F(ProductPicturesTest, TravelsAsJson) {
    ProductPictures sent = pictures_of("matmul/42_mma_sync", "f16", 70);
    ProductPictures got = nlohmann::json(sent).get<ProductPictures>();
    EXPECT_EQ(sent.stage, got.stage);
    EXPECT_EQ(sent.size, got.size);
    EXPECT_EQ(sent.instruction, got.instruction);
    ASSERT_EQ(3u, got.reuse.size());
    for (size_t i = 0; i < 3; ++i) {
        EXPECT_EQ(sent.reuse[i].cols, got.reuse[i].cols);
        EXPECT_EQ(sent.reuse[i].global, got.reuse[i].global);
        EXPECT_EQ(sent.reuse[i].shared, got.reuse[i].shared);
    }
    EXPECT_EQ(sent.walk.steps, got.walk.steps);
    EXPECT_EQ(sent.walk.c_cols, got.walk.c_cols);
    EXPECT_TRUE(got.walk.through_shared);
    ASSERT_TRUE(got.fragments.has_value());
    EXPECT_EQ(sent.fragments->products, got.fragments->products);
    EXPECT_EQ(sent.fragments->b.held, got.fragments->b.held);
    nlohmann::json cut = sent;
    cut["reuse"][0]["global"] = nlohmann::json::array({1, 1});
    EXPECT_THROW(cut.get<ProductPictures>(), Error);
}

// 8,192 = 64 x 128: no edge is left over. 8,191 leaves 127.
TEST(PicturedSize, KeepsTheEdgesOfWhatIsTooLarge) {
    Job job;
    job.type = "f32";
    job.rows = 8192, job.cols = 8191, job.inner = 50;
    EXPECT_EQ((ProductSize{256, 255, 50}), pictured_size(job));
    job.rows = 1000, job.cols = 50, job.inner = 1000;
    EXPECT_EQ((ProductSize{1000, 50, 1000}), pictured_size(job));
    job.type = "f16";  // a million halves: too many runs to number them
    EXPECT_EQ((ProductSize{128 + 104, 50, 128 + 104}), pictured_size(job));
}

// Tiles of 128 x 256: two blocks, one below the other. Each fetches its own rows of A and all of B,
// by boxes that stick out on both sides. wgmma of four warps reads its own rows of A, and all of B:
// two warpgroups in each block.
TEST_F(ProductPicturesTest, BoxesAreFetchedOnceABlock) {
    ProductPictures pictures = pictures_of("matmul/95_wgmma", "f16", 136);
    ASSERT_EQ(3u, pictures.reuse.size());
    EXPECT_EQ(1u, range_of(pictures.reuse[0].global).least);
    EXPECT_EQ(1u, range_of(pictures.reuse[0].global).most);
    EXPECT_EQ(2u, range_of(pictures.reuse[1].global).least);
    EXPECT_EQ(2u, range_of(pictures.reuse[1].global).most);
    EXPECT_EQ(1u, range_of(pictures.reuse[0].shared).least);
    EXPECT_EQ(1u, range_of(pictures.reuse[0].shared).most);
    EXPECT_EQ(4u, range_of(pictures.reuse[1].shared).least);
    EXPECT_EQ(4u, range_of(pictures.reuse[1].shared).most);
    EXPECT_TRUE(reuse_caption(pictures).ends_with("four warps that reads it there."));
    // 136 along K are three steps, all of which there is room for.
    ASSERT_EQ(3u, pictures.walk.steps.size());
    EXPECT_TRUE(pictures.walk.through_shared);
    EXPECT_EQ(2, fetched_ahead(pictures.walk, 0));
}

// Lane 5 is the second of group 1 of eight; register 6 is in the second block of eight columns, in
// its lower half. A's row 17 is the second of its eight, so that its piece 0 lies where 1 would.
TEST_F(ProductPicturesTest, AWarpgroupsFactorsLieWhereTheSwizzlePutsThem) {
    ProductPictures pictures = pictures_of("matmul/95_wgmma", "f16", 64, {{"COLS", 64}});
    ASSERT_TRUE(pictures.fragments.has_value());
    const FragmentMap& map = *pictures.fragments;
    ASSERT_EQ(4u, map.group.size());
    const auto& [a, c] = map.group[1];
    EXPECT_EQ((HeldElement{17, 0}), a.held[16]);
    EXPECT_EQ(17u * 128 + 16, a.addresses[16]);
    EXPECT_EQ(128, a.swizzle);
    EXPECT_EQ((HeldElement{16 + 1 + 8, 8 + 2}), c.at(5, 6, 0));
    EXPECT_EQ(32, c.registers);
    // Column 8 of B at k 1, behind four tiles of A: its piece 1 lies where 0 would.
    EXPECT_EQ((HeldElement{1, 8}), map.b.held[8 * 16 + 1]);
    EXPECT_EQ(4u * 128 * 64 * 2 + 128, map.b.addresses[8 * 16 + 1]);
    nlohmann::json json = pictures;
    ProductPictures got = json.get<ProductPictures>();
    ASSERT_TRUE(got.fragments.has_value());
    ASSERT_EQ(4u, got.fragments->group.size());
    EXPECT_EQ(map.b.addresses, got.fragments->b.addresses);
    EXPECT_EQ(128, got.fragments->b.swizzle);
    EXPECT_EQ(c.held, got.fragments->group[1].c.held);
    json["fragments"]["b"]["addresses"] = {1, 2};
    EXPECT_THROW(json.get<ProductPictures>(), Error);
}

}  // namespace
}  // namespace lanewise
