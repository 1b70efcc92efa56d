// cp.async, ldmatrix, mma and wmma, on small integers, whose products and sums are exact.
#include <gtest/gtest.h>

#include "../run_ptx.h"

namespace lanewise {
namespace {

const std::string kStore = "\ncvt.u64.u32 %rd2, %r1; st.global.u64 [%rd1], %rd2;";
// A tile of 512 bytes whose 16-bit element i is i; each lane writes 16 bytes at a time.
const std::string kTile =
    ".shared .align 16 .b8 tile[512];"
    "mul.lo.u32 %r2, %r0, 8; mad.lo.u32 %r3, %r2, 65537, 65536; shl.b32 %r4, %r0, 4;"
    "cvt.u64.u32 %rd3, %r4; mov.u64 %rd4, tile; add.s64 %rd3, %rd3, %rd4;"
    "add.u32 %r5, %r3, 0x20002; add.u32 %r6, %r3, 0x40004; add.u32 %r7, %r3, 0x60006;"
    "st.shared.v4.b32 [%rd3], {%r3, %r5, %r6, %r7};\n";

TEST(AsyncCopy, CopiesAndFillsWithZeros) {
    auto outcome = run_block(
        ".shared .align 16 .b8 tile[512]; mov.u64 %rd2, %rd1; st.global.u64 [%rd1], %rd2;"
        "cvt.u32.u64 %r2, %rd1; sub.u64 %rd3, %rd1, %rd0; cvt.u32.u64 %r3, %rd3;"
        "cp.async.ca.shared.global [%r3], [%rd1], 8, 4; cp.async.commit_group;"
        "cp.async.wait_group 0; ld.shared.u64 %rd2, [%rd3]; st.global.u64 [%rd1], %rd2;");
    // the lower half of each thread's own address, 0x700000000000 + 8 n
    for (uint64_t n = 0; n < 32; ++n) EXPECT_EQ(8 * n, outcome.out[n]);
    ASSERT_EQ(5u, outcome.seen.accesses.size());
    const MemoryEvent &load = outcome.seen.accesses[1].event,
                      &store = outcome.seen.accesses[2].event;
    EXPECT_EQ(AccessKind::async_copy, load.kind);
    EXPECT_EQ(Space::global, load.space);
    EXPECT_FALSE(load.is_store);
    EXPECT_EQ(AccessKind::async_copy, store.kind);
    EXPECT_EQ(Space::shared, store.space);
    EXPECT_TRUE(store.is_store);
    EXPECT_EQ(8, store.bytes_per_lane);
}

TEST(LoadMatrix, RowsAndTransposed) {
    // each matrix has 8 rows of 8 elements, the lane's own 16 bytes
    auto out = run_block(kTile +
                         "ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r8, %r9, %r10, %r1}, "
                         "[%rd3];" +
                         kStore)
                   .out;
    EXPECT_EQ(0x00c100c0u, out[0]);              // matrix 3 begins at 192
    EXPECT_EQ(0x00010000u * 207 + 206, out[7]);  // row 1, elements 6 and 7
    auto turned =
        run_block(kTile + "ldmatrix.sync.aligned.m8n8.x1.trans.shared.b16 {%r1}, [%rd3];" + kStore);
    EXPECT_EQ(0x00080000u, turned.out[0]);            // column 0: elements 0 and 8
    EXPECT_EQ(0x00010000u * 57 + 49, turned.out[7]);  // column 1, rows 6 and 7
    const MemoryEvent& event = turned.seen.accesses.at(1).event;
    EXPECT_EQ(AccessKind::matrix, event.kind);
    EXPECT_EQ(0xffu, event.mask);
    EXPECT_EQ(16, event.bytes_per_lane);
}

// a is all ones but row 9, which is twos; b is ones but column 3, which is threes; c is 0.5.
TEST(Mma, MultipliesAndAdds) {
    const std::string factors =
        "mov.b32 %r2, 0x3C003C00; mov.b32 %r3, %r2; shr.u32 %r4, %r0, 2;"
        "setp.eq.u32 %p1, %r4, 1; @%p1 mov.b32 %r3, 0x40004000;"
        "mov.b32 %r5, %r2; setp.eq.u32 %p2, %r4, 3; @%p2 mov.b32 %r5, 0x42004200;";
    auto result = [&](const std::string& which, size_t lane) {
        return run_block(factors +
                         "mov.f32 %f1, 0f3F000000;"
                         "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%f2, %f3, %f4, %f5}, "
                         "{%r2, %r3, %r2, %r3}, {%r5, %r5}, {%f1, %f1, %f1, %f1};"
                         "mov.b32 %r1, " +
                         which + ";" + kStore)
            .out[lane];
    };
    EXPECT_EQ(0x41840000u, result("%f2", 0));  // 16 + 0.5
    EXPECT_EQ(0x42020000u, result("%f4", 4));  // row 9: 32 + 0.5
    EXPECT_EQ(0x42420000u, result("%f3", 1));  // column 3: 48 + 0.5
    EXPECT_EQ(0x42C10000u, result("%f5", 5));  // row 9, column 3: 96 + 0.5
    auto halves = run_block(factors +
                            "mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16 {%r1, %r6}, "
                            "{%r2, %r3, %r2, %r3}, {%r5, %r5}, {%r2, %r2};" +
                            kStore)
                      .out;
    EXPECT_EQ(0x4C404C40u, halves[0]);  // 17
    EXPECT_EQ(0x52204C40u, halves[1]);  // columns 2 and 3: 17, 49
}

// a[i][k] = 16 i + k as halves times the unit matrix gives a, whatever the fragments' layout.
TEST(Wmma, TimesTheUnitMatrix) {
    const std::string fragments =
        ".shared .align 16 .b8 a[512]; .shared .align 16 .b8 b[512]; .shared .align 16 .b8 d[1024];"
        ".reg .b32 %a<8>; .reg .b32 %b<8>; .reg .f32 %d<8>; .reg .b32 %i;"
        "mov.u32 %i, 0; mov.b16 %h3, 0x3C00; mov.b16 %h4, 0;"
        "$fill: mad.lo.u32 %r2, %i, 32, %r0; cvt.rn.f16.u32 %h1, %r2; mul.wide.u32 %rd3, %r2, 2;"
        "mov.u64 %rd4, a; add.s64 %rd4, %rd4, %rd3; st.shared.b16 [%rd4], %h1;"
        "rem.u32 %r3, %r2, 17; setp.eq.u32 %p1, %r3, 0; selp.b16 %h2, %h3, %h4, %p1;"
        "mov.u64 %rd4, b; add.s64 %rd4, %rd4, %rd3; st.shared.b16 [%rd4], %h2;"
        "add.u32 %i, %i, 1; setp.lt.u32 %p2, %i, 8; @%p2 bra $fill;"
        "mov.u64 %rd5, a; mov.u64 %rd6, b; mov.u64 %rd7, d; mov.f32 %f1, 0f00000000;";
    auto product = [&](const std::string& layout, const std::string& read) {
        return run_block(fragments + "wmma.load.a.sync.aligned." + layout +
                         ".m16n16k16.shared.f16 {%a0,%a1,%a2,%a3,%a4,%a5,%a6,%a7}, [%rd5], 16;"
                         "wmma.load.b.sync.aligned.col.m16n16k16.shared.f16 "
                         "{%b0,%b1,%b2,%b3,%b4,%b5,%b6,%b7}, [%rd6], 16;"
                         "wmma.mma.sync.aligned.row.col.m16n16k16.f32.f32 "
                         "{%d0,%d1,%d2,%d3,%d4,%d5,%d6,%d7}, {%a0,%a1,%a2,%a3,%a4,%a5,%a6,%a7}, "
                         "{%b0,%b1,%b2,%b3,%b4,%b5,%b6,%b7}, {%f1,%f1,%f1,%f1,%f1,%f1,%f1,%f1};"
                         "wmma.store.d.sync.aligned.row.m16n16k16.shared.f32 [%rd7], "
                         "{%d0,%d1,%d2,%d3,%d4,%d5,%d6,%d7}, 16;"
                         "ld.shared.b32 %r1, [d+" +
                         read + "];" + kStore)
            .out[0];
    };
    // 4 (16 i + k): element (5, 11) is 91, (11, 5) is 181
    EXPECT_EQ(0x42B60000u, product("row", "364"));
    EXPECT_EQ(0x43350000u, product("row", "724"));
    EXPECT_EQ(0x43350000u, product("col", "364"));  // transposed
}

// A is all ones but for its first row, which is all twos; B is all ones, and c is 5.
TEST(Products, OfEveryShape) {
    const std::string stores = "cvt.u64.u32 %rd2, %r10; st.global.u64 [%rd1], %rd2;";
    auto with = [&](const std::string& one, const std::string& two, const std::string& c,
                    const std::string& mma) {
        // lanes 0-3 hold row 0, in the registers of even number (%r2, %r4)
        return run_block("mov.b32 %r3, " + one + "; mov.b32 %r5, " + one + "; mov.b32 %r6, " + one +
                         "; setp.lt.u32 %p1, %r0, 4; selp.b32 %r2, " + two + ", " + one +
                         ", %p1; mov.b32 %r4, %r2; mov.b32 %r7, " + c + ";" + mma + stores)
            .out;
    };
    auto check = [](const std::vector<uint64_t>& out, uint64_t first, uint64_t others) {
        EXPECT_EQ(first, out[3]);
        EXPECT_EQ(others, out[4]);
    };
    const std::string d = "{%r10,%r11,%r12,%r13}, ", c = ", {%r7,%r7,%r7,%r7};";
    // 2 * 8 + 5 = 21 and 8 + 5 = 13 as floats
    check(with("0x3c003c00", "0x40004000", "0f40a00000",
               "mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 " + d + "{%r2,%r3}, {%r6}" + c),
          0x41a80000, 0x41500000);
    check(with("0x3f803f80", "0x40004000", "0f40a00000",
               "mma.sync.aligned.m16n8k8.row.col.f32.bf16.bf16.f32 " + d + "{%r2,%r3}, {%r6}" + c),
          0x41a80000, 0x41500000);
    check(with("0x3f800000", "0x40000000", "0f40a00000",
               "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 " + d +
                   "{%r2,%r3,%r4,%r5}, {%r6,%r6}" + c),
          0x41a80000, 0x41500000);
    // 2 * 4 + 5 = 13, 4 + 5 = 9
    check(with("0x3f800000", "0x40000000", "0f40a00000",
               "mma.sync.aligned.m16n8k4.row.col.f32.tf32.tf32.f32 " + d + "{%r2,%r3}, {%r6}" + c),
          0x41500000, 0x41100000);
    // bytes: 2 * 32 + 5 and 32 + 5; 255 as a signed byte is -1
    check(with("0x01010101", "0x02020202", "5",
               "mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 " + d +
                   "{%r2,%r3,%r4,%r5}, {%r6,%r6}" + c),
          69, 37);
    check(with("0x01010101", "0xffffffff", "5",
               "mma.sync.aligned.m16n8k16.row.col.s32.s8.u8.s32 " + d + "{%r2,%r3}, {%r6}" + c),
          0xfffffff5, 21);
    check(with("0x01010101", "0xffffffff", "5",
               "mma.sync.aligned.m16n8k16.row.col.s32.u8.s8.s32 " + d + "{%r2,%r3}, {%r6}" + c),
          255 * 16 + 5, 21);
    auto doubles = run_block(
        "cvt.rn.f64.u32 %fd1, %r0; mov.f64 %fd2, 0d3FF0000000000000; mov.f64 %fd3, "
        "0d4014000000000000;"
        "mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%fd4,%fd5}, {%fd1}, {%fd2}, {%fd3,%fd3};"
        "cvt.rzi.u64.f64 %rd2, %fd5; st.global.u64 [%rd1], %rd2;");
    EXPECT_EQ(0u + 1 + 2 + 3 + 5, doubles.out[0]);  // row 0 lies in lanes 0 to 3
    EXPECT_EQ(28u + 29 + 30 + 31 + 5, doubles.out[31]);
}

// 8 rows of a only: the second row is twos.
TEST(Mma, OfBytesWithEightRows) {
    auto out = run_block(
                   "mov.u32 %r2, 0x01010101; and.b32 %r3, %r0, 28; setp.eq.u32 %p1, %r3, 4;"
                   "@%p1 mov.u32 %r2, 0x02020202; mov.u32 %r4, -1; mov.u32 %r5, 5;"
                   "mma.sync.aligned.m8n8k16.row.col.s32.s8.s8.s32 {%r6, %r1}, {%r2}, {%r4}, "
                   "{%r5, %r5};" +
                   kStore)
                   .out;
    EXPECT_EQ(uint32_t(5 - 16), out[0]);
    EXPECT_EQ(uint32_t(5 - 32), out[4]);
    EXPECT_EQ(uint32_t(5 - 16), out[8]);
}

// Registers of a go down by 8 rows first, then on by 4 columns; lane n holds the number n in the
// first.
TEST(Mma, OfDoublesWithSixteenRows) {
    auto result = [](const std::string& shape, const std::string& a, const std::string& b,
                     const std::string& which, size_t lane) {
        return run_block(
                   "cvt.rn.f64.u32 %fd1, %r0; mov.f64 %fd2, 0d3FF0000000000000;"          // n, 1
                   "mov.f64 %fd3, 0d4014000000000000; mov.f64 %fd4, 0d4059000000000000;"  // 5, 100
                   "mma.sync.aligned." +
                   shape + ".row.col.f64.f64.f64.f64 {%fd6,%fd7,%fd8,%fd9}, " + a + ", " + b +
                   ", {%fd3,%fd3,%fd3,%fd3}; cvt.rzi.u64.f64 %rd2, " + which +
                   "; st.global.u64 [%rd1], %rd2;")
            .out[lane];
    };
    EXPECT_EQ(28u + 29 + 30 + 31 + 5, result("m16n8k4", "{%fd1,%fd2}", "{%fd2}", "%fd7", 31));
    EXPECT_EQ(4u + 5, result("m16n8k4", "{%fd1,%fd2}", "{%fd2}", "%fd8", 31));
    // row 0: 0 + 1 + 2 + 3, and four times 100 * 5; row 8: four times 1, and 5 * 5
    const std::string a = "{%fd1,%fd2,%fd4,%fd3}", b = "{%fd2,%fd3}";
    EXPECT_EQ(6u + 2000 + 5, result("m16n8k8", a, b, "%fd6", 0));
    EXPECT_EQ(4u + 100 + 5, result("m16n8k8", a, b, "%fd9", 0));
    const std::string deep = "{%fd1,%fd2,%fd1,%fd2,%fd1,%fd2,%fd4,%fd3}",
                      ones = "{%fd2,%fd2,%fd2,%fd3}";
    EXPECT_EQ(3u * 6 + 2000 + 5, result("m16n8k16", deep, ones, "%fd6", 0));
    EXPECT_EQ(3u * 4 + 100 + 5, result("m16n8k16", deep, ones, "%fd8", 7));
}

// Lane n holds elements (n / 4, n % 4 * 2) and the next; each is 16 * row + column.
TEST(Matrices, MovedAndStoredTransposed) {
    const std::string fill =
        "shr.u32 %r2, %r0, 2; shl.b32 %r2, %r2, 4; and.b32 %r3, %r0, 3;"
        "shl.b32 %r3, %r3, 1; add.u32 %r2, %r2, %r3; add.u32 %r3, %r2, 1;"
        "shl.b32 %r3, %r3, 16; or.b32 %r2, %r2, %r3;";
    // lane 9 is row 2, columns 2 and 3: transposed (2, 2) and (3, 2)
    EXPECT_EQ(0x00320022u, run_block(fill + "movmatrix.sync.aligned.m8n8.trans.b16 %r1, %r2;"
                                            "cvt.u64.u32 %rd2, %r1; st.global.u64 [%rd1], %rd2;")
                               .out[9]);
    // stored as it is, lane n's word is word n of the 128 bytes
    auto stored = [&](const std::string& how) {
        return run_block(
            ".shared .align 16 .b8 tile[128];" + fill +
            "and.b32 %r4, %r0, 7; shl.b32 %r4, %r4, 4; mov.u32 %r5, tile;"
            "add.u32 %r4, %r4, %r5; stmatrix.sync.aligned.m8n8.x1" +
            how +
            ".shared.b16 [%r4], {%r2}; shl.b32 %r6, %r0, 2; add.u32 %r6, %r6, %r5;"
            "ld.shared.u32 %r1, [%r6]; cvt.u64.u32 %rd2, %r1; st.global.u64 [%rd1], %rd2;");
    };
    EXPECT_EQ(0x00230022u, stored("").out[9]);
    EXPECT_EQ(0x00320022u, stored(".trans").out[9]);
    EXPECT_EQ(0xffu, stored("").seen.accesses.at(0).event.mask);
}

// Every e4m3 of a is 1.5 (0x3c), every e5m2 of b -2 (0xc0): 32 products of -3, and c is 100.
TEST(Mma, FloatsOfEightBits) {
    auto out = run_block(
                   "mov.b32 %r2, 0x3c3c3c3c; mov.b32 %r3, 0xc0c0c0c0; mov.f32 %f1, 0f42C80000;"
                   "mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e5m2.f32 {%f2, %f3, %f4, %f5}, "
                   "{%r2, %r2, %r2, %r2}, {%r3, %r3}, {%f1, %f1, %f1, %f1};"
                   "mov.b32 %r1, %f4;" +
                   kStore)
                   .out;
    for (uint64_t lane : {0, 13, 31}) EXPECT_EQ(0x40800000u, out[lane]);  // 4
}

}  // namespace
}  // namespace lanewise
