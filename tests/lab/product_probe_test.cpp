// The products of the second course, asked which lane holds what and how often each element is
// fetched. Expected places are those of the PTX manual's figures, worked out by hand.
#include "lab/product_probe.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "base/files.h"
#include "compile/compiler.h"
#include "ptx/parser.h"

namespace lanewise {
namespace {

struct Ready {
    ptx::Kernel kernel;
    std::unique_ptr<Machine> machine;
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

class ProductProbe : public testing::Test {
    void SetUp() override {
        if (!compiler_status().found) GTEST_SKIP() << "no NVRTC: nothing to interpret";
    }
};

// Warp 5 begins at row 64 and column 64 of the block. Lane 13 is the second of group 3:
// 13 / 4 = 3, 13 % 4 = 1.
TEST_F(ProductProbe, FindsTheElementsOfMmaThroughASwizzledTile) {
    auto made = ready("42_mma_sync.cu", "matmul_mma_sync<__half, 32, 2, 1>");
    LaunchShape shape{{1, 1, 1}, {256, 1, 1}, 2 * 32 * 384 * 2};
    auto map = [&](uint64_t product) {
        return fragment_map(*made->machine, shape, {128, 256, 32}, 2, 0, 5, product);
    };
    FragmentMap first = map(0);
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
    FragmentMap map = fragment_map(*made->machine, shape, {50, 50, 16}, 2, 3, 3, 0);
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
    std::vector<ReuseMap> maps = reuse_maps(*made->machine, shape, {33, 64, 8}, 4);
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
}

TEST_F(ProductProbe, SaysWhatIsTooLarge) {
    auto made = ready("30_register_tiles.cu", "matmul_register_tiles<__half, 8, 8>");
    LaunchShape shape{{1, 1, 1}, {16, 16, 1}, 0};
    EXPECT_THROW(reuse_maps(*made->machine, shape, {256, 256, 200}, 2), Error);
    EXPECT_THROW(fragment_map(*made->machine, shape, {4000, 1, 1}, 2, 0, 0, 0), Error);
    EXPECT_THROW(fragment_map(*made->machine, shape, {16, 16, 16}, 2, 0, 0, 0), Error);  // none
}

}  // namespace
}  // namespace lanewise
