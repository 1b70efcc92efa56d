// Numbers worked out by hand from the kernels' sources.
#include "lab/product_pictures.h"

#include <gtest/gtest.h>

#include "compile/compiler.h"
#include "course/catalogue.h"

namespace lanewise {
namespace {

ProductPictures pictures_of(const std::string& stage, const std::string& type, int64_t side,
                            KnobValues knobs = {}) {
    Catalogue catalogue = Catalogue::load(CONTENT_FOLDER);
    Job job;
    job.stage = catalogue.find(stage);
    job.knobs = default_knobs(job.stage);
    for (const auto& [name, value] : knobs) job.knobs[name] = value;
    job.type = type;
    job.rows = job.cols = job.inner = side;
    return product_pictures(job);
}

class ProductPicturesTest : public testing::Test {
    void SetUp() override {
        if (!compiler_status().found) GTEST_SKIP() << "no NVRTC: nothing to interpret";
    }
};

// 4 x 4 blocks of 16 x 16 threads. Every element is fetched from global memory by one warp of each
// of 4 blocks. From shared memory an element of A is wanted by the one warp of a block that has its
// row, an element of B by all 8.
TEST_F(ProductPicturesTest, TilesAreFetchedOnceABlock) {
    ProductPictures pictures = pictures_of("matmul/20_shared_tiles", "f32", 64, {{"TILE", 16}});
    EXPECT_FALSE(pictures.fragments.has_value());
    ASSERT_EQ(2u, pictures.reuse.size());
    for (const ReuseMap& map : pictures.reuse) {
        EXPECT_EQ(4u, range_of(map.global).least);
        EXPECT_EQ(4u, range_of(map.global).most);
    }
    EXPECT_EQ(4u, range_of(pictures.reuse[0].shared).most);
    EXPECT_EQ(32u, range_of(pictures.reuse[1].shared).least);
    EXPECT_EQ(32u, range_of(pictures.reuse[1].shared).most);
}

TEST_F(ProductPicturesTest, TensorCoresHaveFragments) {
    ProductPictures pictures = pictures_of("matmul/40_wmma", "f16", 32);
    ASSERT_TRUE(pictures.fragments.has_value());
    EXPECT_EQ((HeldElement{0, 0}), pictures.fragments->a.at(0, 0, 0));
    EXPECT_EQ(2u, pictures.reuse.size());
}

// Tiles of 128 x 256: two blocks, one below the other. Each fetches its own rows of A and all of B,
// by boxes that stick out on both sides. No load or store reads the tiles.
TEST_F(ProductPicturesTest, BoxesAreFetchedOnceABlock) {
    ProductPictures pictures = pictures_of("matmul/95_wgmma", "f16", 136);
    ASSERT_EQ(2u, pictures.reuse.size());
    EXPECT_EQ(1u, range_of(pictures.reuse[0].global).least);
    EXPECT_EQ(1u, range_of(pictures.reuse[0].global).most);
    EXPECT_EQ(2u, range_of(pictures.reuse[1].global).least);
    EXPECT_EQ(2u, range_of(pictures.reuse[1].global).most);
    EXPECT_EQ(0u, range_of(pictures.reuse[0].shared).most);
}

}  // namespace
}  // namespace lanewise
