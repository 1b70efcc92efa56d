// The products of the second course, asked which lane holds what and how often each element is
// fetched. Expected places are those of the PTX manual's figures, worked out by hand.
#include "lab/product/product_probe.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "base/files.h"
#include "compile/compiler.h"
#include "ptx/parser.h"

namespace lanewise {
namespace {

// A launch of one of them, with buffers as the probes want them.
class Ready {
  public:
    ptx::Kernel kernel;
    std::unique_ptr<Machine> machine;

    ProbedLaunch launch(LaunchShape shape, ProductSize size, uint32_t bytes) {
        auto elements = [](int rows, int cols) {
            return std::max(uint64_t{1}, static_cast<uint64_t>(rows) * static_cast<uint64_t>(cols));
        };
        memory_ = std::make_unique<Memory>();
        arguments_.A = memory_->allocate(elements(size.M, size.K) * bytes, "A");
        arguments_.B = memory_->allocate(elements(size.K, size.N) * bytes, "B");
        arguments_.C = memory_->allocate(elements(size.M, size.N) * 4, "C");
        arguments_.M = size.M, arguments_.N = size.N, arguments_.K = size.K;
        constexpr size_t kPacked = 3 * sizeof(uint64_t) + 3 * sizeof(int);  // without the tail
        return {*machine, shape,    size,
                bytes,    *memory_, std::as_bytes(std::span(&arguments_, 1)).first(kPacked)};
    }

  private:
    struct Arguments {
        uint64_t A = 0, B = 0, C = 0;
        int M = 0, N = 0, K = 0;
    } arguments_;
    std::unique_ptr<Memory> memory_;
};
std::unique_ptr<Ready> ready(const std::string& file, const std::string& kernel) {
    std::string path = std::string(CONTENT_FOLDER) + "/kernels/matmul/" + file;
    CompileOptions options;
    options.kernel = kernel;
    Program program = compile({file, read_file(path)}, options);
    auto made = std::make_unique<Ready>();
    made->kernel = ptx::parse(program.ptx, program.entry);
    made->machine = std::make_unique<Machine>(made->kernel);
    return made;
}

class ProductProbe : public testing::Test {};

// Warp 5 begins at row 64 and column 64 of the block. Lane 13 is the second of group 3:
// 13 / 4 = 3, 13 % 4 = 1.
TEST_F(ProductProbe, FindsTheElementsOfMmaThroughASwizzledTile) {
    auto made = ready("42_mma_sync.cu", "matmul_mma_sync<__half, 32, 2, 1>");
    LaunchShape shape{{1, 1, 1}, {256, 1, 1}, 2 * 32 * 384 * 2};
    auto map = [&](uint64_t product) {
        return fragment_map(made->launch(shape, {128, 256, 32}, 2), 0, 5, product);
    };
    FragmentMap first = map(0);
    EXPECT_EQ(64u, first.products);  // 2 slices of 32
    EXPECT_EQ(4, first.a.registers);
    EXPECT_EQ(2, first.b.registers);
    EXPECT_EQ(1, first.c.per_register);
    EXPECT_EQ((HeldElement{64 + 3, 2 * 1}), first.a.at(13, 0, 0));
    EXPECT_EQ((HeldElement{64 + 3 + 8, 2 * 1 + 8 + 1}), first.a.at(13, 3, 1));
    EXPECT_EQ((HeldElement{2 * 1 + 8, 64 + 3}), first.b.at(13, 1, 0));
    EXPECT_EQ((HeldElement{64 + 3 + 8, 64 + 2 * 1 + 1}), first.c.at(13, 3, 0));
    // Product 8 is the first of the second row of fragments, and they go back: the last column.
    FragmentMap ninth = map(8);
    EXPECT_EQ((HeldElement{80 + 3, 2}), ninth.a.at(13, 0, 0));
    EXPECT_EQ((HeldElement{2, 64 + 56 + 3}), ninth.b.at(13, 0, 0));
    // Product 32 is the first of the second slice of 16 along K.
    EXPECT_EQ((HeldElement{64 + 3, 16 + 2}), map(32).a.at(13, 0, 0));
    EXPECT_THROW(map(64), Error);  // 2 slices of 32 products
}

TEST_F(ProductProbe, FindsTheElementsOfWmma) {
    auto made = ready("40_wmma.cu", "matmul_wmma<__half, 1, 16, 8>");
    LaunchShape shape{{2, 2, 1}, {128, 1, 1}, 0};
    // Warp 3 of block 3: row and column 32 + 16. Of 50 x 50 elements two of its columns are left.
    FragmentMap map = fragment_map(made->launch(shape, {50, 50, 16}, 2), 3, 3, 0);
    EXPECT_EQ((HeldElement{48, 0}), map.a.at(0, 0, 0));
    EXPECT_EQ((HeldElement{49, 1}), map.a.at(4, 0, 1));
    EXPECT_EQ(HeldElement{}, map.a.at(8, 0, 0));  // row 50: a zero
    EXPECT_EQ((HeldElement{48, 48}), map.c.at(0, 0, 0));
    EXPECT_EQ((HeldElement{49, 49}), map.c.at(4, 1, 0));
}

// Tiles of 32 x 32: A has 64 columns of C to serve, so two blocks fetch each element; B has 33
// rows, likewise two.
TEST_F(ProductProbe, CountsFetchesOfEachElement) {
    auto made = ready("30_register_tiles.cu", "matmul_register_tiles<float, 2, 8>");
    LaunchShape shape{{2, 2, 1}, {16, 16, 1}, 0};
    std::vector<ReuseMap> maps = reuse_maps(made->launch(shape, {33, 64, 8}, 4));
    ReuseMap::Range a = range_of(maps[0].global), b = range_of(maps[1].global);
    EXPECT_EQ(2u, a.least);
    EXPECT_EQ(2u, a.most);
    EXPECT_EQ(2u, b.least);
    EXPECT_EQ(2u, b.most);
    // A warp is two rows of threads: each row of A is read by one warp, in both block columns, and
    // each element of B by all eight warps, in both block rows.
    EXPECT_EQ(2u, range_of(maps[0].shared).most);
    EXPECT_EQ(2u, range_of(maps[0].shared).least);
    EXPECT_EQ(16u, range_of(maps[1].shared).least);
    EXPECT_EQ(16u, range_of(maps[1].shared).most);
    ASSERT_EQ(3u, maps.size());
    EXPECT_EQ(1u, range_of(maps[2].global).least);  // every element of C is written once
    EXPECT_EQ(1u, range_of(maps[2].global).most);
}

// 70,000 halves are more than 16 bits can tell apart: they are numbered in two runs, and the counts
// are as above. Four blocks of 128 x 128.
TEST_F(ProductProbe, NumbersManyHalvesInSeveralRuns) {
    auto made = ready("30_register_tiles.cu", "matmul_register_tiles<__half, 8, 8>");
    LaunchShape shape{{2, 2, 1}, {16, 16, 1}, 0};
    std::vector<ReuseMap> maps = reuse_maps(made->launch(shape, {200, 150, 200}, 2));
    for (size_t m : {0u, 1u}) {
        EXPECT_EQ(2u, range_of(maps[m].global).least);
        EXPECT_EQ(2u, range_of(maps[m].global).most);
    }
    EXPECT_EQ(2u, range_of(maps[0].shared).least);
    EXPECT_EQ(2u, range_of(maps[0].shared).most);
    EXPECT_EQ(16u, range_of(maps[1].shared).least);  // all eight warps, in both block rows
    EXPECT_EQ(16u, range_of(maps[1].shared).most);
}

// A block of 16 x 16 elements of C in the last row of blocks, which has 1 row of 33, and the second
// column: 5 steps of 16 k but for the last one, which has 6 of 70. A part is fetched, there is a
// barrier, it is multiplied, there is another one.
TEST_F(ProductProbe, WalksAlongKFromTileToTile) {
    auto made = ready("20_shared_tiles.cu", "matmul_tiled<float, 16>");
    LaunchShape shape{{3, 3, 1}, {16, 16, 1}, 0};
    TileWalk walk = tile_walk(made->launch(shape, {33, 48, 70}, 4), 7);
    EXPECT_TRUE(walk.through_shared);
    EXPECT_EQ((Span{32, 33}), walk.c_rows);
    EXPECT_EQ((Span{16, 32}), walk.c_cols);
    ASSERT_EQ(5u, walk.steps.size());
    EXPECT_EQ((WalkStep{{16, 32}, {32, 33}, {16, 32}, 2, 3}), walk.steps[1]);
    EXPECT_EQ((WalkStep{{64, 70}, {32, 33}, {16, 32}, 8, 9}), walk.steps[4]);
    EXPECT_EQ(0, fetched_ahead(walk, 0));
}

// Each thread goes through K by itself: 12 steps of one k.
TEST_F(ProductProbe, WalksAlongKWithoutTiles) {
    auto made = ready("10_naive_product.cu", "matmul_naive<float, 16>");
    LaunchShape shape{{2, 2, 1}, {16, 16, 1}, 0};
    TileWalk walk = tile_walk(made->launch(shape, {32, 32, 12}, 4), 1);
    EXPECT_FALSE(walk.through_shared);
    ASSERT_EQ(12u, walk.steps.size());
    EXPECT_EQ((WalkStep{{5, 6}, {0, 16}, {16, 32}, 0, 0}), walk.steps[5]);
}

// Two stages of 32: while one is multiplied the next arrives.
TEST_F(ProductProbe, SeesWhatIsFetchedAhead) {
    auto made = ready("42_mma_sync.cu", "matmul_mma_sync<__half, 32, 3, 1>");
    LaunchShape shape{{1, 1, 1}, {256, 1, 1}, 3 * 32 * 384 * 2};
    TileWalk walk = tile_walk(made->launch(shape, {128, 256, 160}, 2), 0);
    ASSERT_EQ(5u, walk.steps.size());
    EXPECT_EQ((Span{0, 128}), walk.steps[0].rows);
    EXPECT_EQ((Span{32, 64}), walk.steps[1].k);
    EXPECT_EQ((Span{0, 128}), walk.steps[1].rows);
    EXPECT_EQ((Span{0, 256}), walk.steps[1].cols);
    EXPECT_EQ(2, fetched_ahead(walk, 0));
    EXPECT_EQ(1, fetched_ahead(walk, 3));
    EXPECT_EQ(0, fetched_ahead(walk, 4));
}

TEST_F(ProductProbe, SaysWhatIsTooLarge) {
    auto made = ready("30_register_tiles.cu", "matmul_register_tiles<__half, 8, 8>");
    LaunchShape shape{{1, 1, 1}, {16, 16, 1}, 0};
    EXPECT_THROW(fragment_map(made->launch(shape, {4000, 1, 1}, 2), 0, 0, 0), Error);
    EXPECT_THROW(fragment_map(made->launch(shape, {16, 16, 16}, 2), 0, 0, 0), Error);  // none
}

}  // namespace
}  // namespace lanewise
