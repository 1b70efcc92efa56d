// wgmma on small numbers, whose products and sums are exact, and where its matrices lie.
#include "sim/async/wgmma.h"

#include <gtest/gtest.h>

#include <bit>

#include "../run_ptx.h"
#include "sim/matrix/product.h"

namespace lanewise {
namespace {

// A is 64 x 16 ones but row 17, which is twos; B is 16 x 8 ones but column 3, which is threes; d is
// 0.5 before. Nothing is swizzled: eight rows of 16 bytes lie together, the next eight of the depth
// 128 bytes further on, the next eight rows 256. A thread writes 16 bytes.
std::string body(const std::string& product) {
    return ".shared .align 1024 .b8 tile[2304];"
           "mov.u64 %rd4, tile; shl.b32 %r4, %r0, 4; cvt.u64.u32 %rd3, %r4;"
           "add.s64 %rd3, %rd3, %rd4;"
           "setp.eq.u32 %p1, %r0, 33; setp.eq.u32 %p2, %r0, 41; or.pred %p1, %p1, %p2;"
           "selp.b32 %r5, 0x40004000, 0x3C003C00, %p1;"
           "st.shared.v4.b32 [%rd3], {%r5, %r5, %r5, %r5};"
           "setp.lt.u32 %p3, %r0, 16; and.b32 %r6, %r0, 7; setp.eq.u32 %p4, %r6, 3;"
           "selp.b32 %r7, 0x42004200, 0x3C003C00, %p4;"
           "@%p3 st.shared.v4.b32 [%rd3+2048], {%r7, %r7, %r7, %r7};"
           "bar.sync 0;"
           "shr.u64 %rd5, %rd4, 4; add.s64 %rd5, %rd5, 0x1000080000; add.s64 %rd6, %rd5, 128;"
           "mov.f32 %f1, 0f3F000000; mov.f32 %f2, %f1; mov.f32 %f3, %f1; mov.f32 %f4, %f1;"
           "setp.eq.u32 %p5, %r0, %r0; not.pred %p6, %p5;"
           "wgmma.fence.sync.aligned;" +
           product +
           "wgmma.commit_group.sync.aligned; wgmma.wait_group.sync.aligned 0;"
           "mov.b64 %rd7, {%f1, %f2}; st.global.u64 [%rd1], %rd7;";
}
const std::string kProduct =
    "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%f1, %f2, %f3, %f4}, %rd5, %rd6, ";

using Pair = std::pair<float, float>;
Pair pair_of(uint64_t word) {
    return {std::bit_cast<float>(static_cast<uint32_t>(word)),
            std::bit_cast<float>(static_cast<uint32_t>(word >> 32))};
}

// A thread's first two numbers are neighbours in row lane / 4 of its warp's sixteen.
TEST(Wgmma, MultipliesFromSharedMemoryAndAdds) {
    auto out = run_block(body(kProduct + "%p5, 1, 1, 0, 0;"), {128}).out;
    EXPECT_EQ(Pair(16.5f, 16.5f), pair_of(out[0]));
    EXPECT_EQ(Pair(16.5f, 48.5f), pair_of(out[1]));   // columns 2 and 3
    EXPECT_EQ(Pair(32.5f, 32.5f), pair_of(out[36]));  // warp 1, lane 4: row 17
    EXPECT_EQ(Pair(32.5f, 96.5f), pair_of(out[37]));
    EXPECT_EQ(Pair(16.5f, 48.5f), pair_of(out[97]));  // warp 3, row 48
}

TEST(Wgmma, CanLeaveTheSumAndTurnSigns) {
    auto out = run_block(body(kProduct + "%p6, -1, 1, 0, 0;"), {128}).out;
    EXPECT_EQ(Pair(-16.f, -48.f), pair_of(out[1]));
    EXPECT_EQ(Pair(-32.f, -96.f), pair_of(out[37]));
}

// Half of a is what registers hold: 1 in all but row lane / 4 = 1 of each warp, which is 2.
TEST(Wgmma, TakesAFromRegisters) {
    auto out = run_block(body("shr.u32 %r8, %r0, 2; and.b32 %r8, %r8, 7; setp.eq.u32 %p7, %r8, 1;"
                              "selp.b32 %r9, 0x40004000, 0x3C003C00, %p7;"
                              "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 "
                              "{%f1, %f2, %f3, %f4}, {%r9, %r9, %r9, %r9}, %rd6, %p6, 1, 1, 0;"),
                         {128})
                   .out;
    EXPECT_EQ(Pair(16.f, 48.f), pair_of(out[1]));
    EXPECT_EQ(Pair(32.f, 96.f), pair_of(out[5]));
}

// Each warp tells of its part: 16 rows of A and all of B, which lie in shared memory, and the sums,
// which its lanes hold. Warp 1 has row 17, of twos: 15 * 16 + 32 in all. B is 7 columns of ones and
// one of threes: 7 * 16 + 48.
TEST(Wgmma, IsAnnounced) {
    struct Products : Observer {
        void on_product(const ProductEvent& event) override {
            if (event.warp != 1) return;
            ++seen;
            const auto& [a, b, c] = event.operands;
            registers = {a.registers, b.registers, c.registers};
            for (double number : a.shared) sum_a += number;
            for (double number : b.shared) sum_b += number;
            c_of_lane_4 = element_of(event, c, 4, 0, 0);
            row_17 = a.place->address(a.first_line + 1, 0);
            column_3 = b.place->address(b.first_line + 3, 8);
        }
        void on_matrix_read(const MemoryEvent& event) override {
            pieces[event.is_of_warpgroup] += std::popcount(event.mask);
            is_without_memory |= event.shared == nullptr;
        }
        int pieces[2] = {};
        bool is_without_memory = false;
        uint64_t row_17 = 0, column_3 = 0;
        int seen = 0;
        std::array<int, 3> registers{};
        double sum_a = 0, sum_b = 0, c_of_lane_4 = 0;
    } products;
    ptx::Kernel kernel =
        ptx::parse(kernel_around(body(kProduct + "%p5, 1, 1, 0, 0;"))).kernels.at(0);
    Memory memory;
    Arguments arguments;
    arguments.add(memory.allocate(128 * 8, "out"));
    Machine(kernel).run({{1, 1, 1}, {128, 1, 1}, 0}, arguments, memory, 0, 1, products);
    EXPECT_EQ(1, products.seen);
    EXPECT_EQ((std::array<int, 3>{0, 0, 4}), products.registers);
    EXPECT_EQ(15 * 16 + 32, products.sum_a);
    EXPECT_EQ(7 * 16 + 48, products.sum_b);
    EXPECT_EQ(32.5, products.c_of_lane_4);  // row 17, column 0
    EXPECT_EQ(2u * 256 + 16, products.row_17);
    EXPECT_EQ(2048u + 128 + 3 * 16, products.column_3);
    // Pieces of 16 bytes: 64 rows of two; and 8 columns of two, of which each warp tells.
    EXPECT_EQ(128, products.pieces[false]);
    EXPECT_EQ(4 * 16, products.pieces[true]);
    EXPECT_FALSE(products.is_without_memory);
}

// As mma_traits_sm90 of CUTLASS puts the manual's 9.7.15.5.1 into formulas.
TEST(SharedMatrix, LiesAsItsDescriptorSays) {
    auto descriptor = [](uint64_t start, uint64_t leading, uint64_t stride, uint64_t swizzle) {
        return start >> 4 | leading >> 4 << 16 | stride >> 4 << 32 | swizzle << 62;
    };
    SharedMatrix plain = SharedMatrix::of(descriptor(0, 128, 256, 0), false);
    EXPECT_EQ(16u + 256 + 128 + 2, plain.address(9, 9));
    // Rows of 128 bytes. Row 1 begins at 0x480: bits 7 to 9 are 1, so chunk 0 lies where 1 would.
    SharedMatrix wide = SharedMatrix::of(descriptor(0x400, 16, 1024, 1), false);
    EXPECT_EQ(128, wide.swizzle);
    EXPECT_EQ(0x490u, wide.address(1, 0));
    EXPECT_EQ(0x880u, wide.address(9, 8));  // 0x890 with its chunk, 1, changed to 0
    // Lines along the memory, 64 to a row of 128 bytes; the next 64 lie 8,192 bytes further on, the
    // next eight of the depth 1,024: 12 + 8,192 + 128 + 1,024 = 0x248c, whose bits 7 to 9 are 1.
    SharedMatrix lines = SharedMatrix::of(descriptor(0, 8192, 1024, 1), true);
    EXPECT_EQ(0x249cu, lines.address(70, 9));
    // 32 bytes: one bit of the row's number, bit 7 of the address.
    SharedMatrix narrow = SharedMatrix::of(descriptor(0, 16, 256, 3), false);
    EXPECT_EQ(32, narrow.swizzle);
    EXPECT_EQ(96u, narrow.address(3, 0));
    EXPECT_EQ(128u + 16, narrow.address(4, 0));
}

TEST(Wgmma, SaysWhatItDoesNotKnow) {
    EXPECT_THROW(run_block(body("wgmma.mma_async.sync.aligned.m64n8k32.f32.e4m3.e4m3 "
                                "{%f1, %f2, %f3, %f4}, %rd5, %rd6, %p5, 1, 1;"),
                           {128}),
                 Error);
}

}  // namespace
}  // namespace lanewise
