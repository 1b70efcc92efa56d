// malloc and free of a kernel.
#include "sim/memory/heap.h"

#include <gtest/gtest.h>

#include "../run_ptx.h"

namespace lanewise {
namespace {

// %rd2 = malloc(bytes); `then`; what is left in %rd2 is the result.
Outcome with_malloc(const std::string& bytes, const std::string& then) {
    return run_block("{ .param .b64 p0; .param .b64 r0; mov.u64 %rd3, " + bytes +
                     "; st.param.b64 [p0], %rd3; call.uni (r0), malloc, (p0); "
                     "ld.param.b64 %rd2, [r0]; }\n" +
                     then + "\nst.global.u64 [%rd1], %rd2;");
}
const std::string kFree = "{ .param .b64 q0; st.param.b64 [q0], %rd2; call.uni free, (q0); }\n";

TEST(KernelsHeap, EachThreadHasItsOwn) {
    Outcome outcome = with_malloc("8",
                                  "st.u32 [%rd2+4], %r0; ld.u32 %r1, [%rd2+4]; "
                                  "cvt.u64.u32 %rd2, %r1;");
    EXPECT_TRUE(outcome.seen.faults.empty());
    for (uint64_t lane = 0; lane < 32; ++lane) EXPECT_EQ(lane, outcome.out[lane]);
    // The kernel's own accesses are global ones: the store, the load, and the result's store.
    ASSERT_EQ(3u, outcome.seen.accesses.size());
    EXPECT_EQ(Space::global, outcome.seen.accesses[0].event.space);
}

TEST(KernelsHeap, IsAlignedAndSaysNullWhereItIsFull) {
    EXPECT_EQ(0u, with_malloc("40", "").out[3] % 16);
    EXPECT_EQ(0u, with_malloc("0", "").out[0]);
    EXPECT_EQ(0u, with_malloc("8388609", "").out[0]);  // 8 MiB and one
    Outcome halves = with_malloc("4194304", "");       // two threads find room
    EXPECT_NE(0u, halves.out[1]);
    EXPECT_EQ(0u, halves.out[2]);
}

TEST(KernelsHeap, BeyondItAndAfterItAreFaults) {
    Outcome beyond = with_malloc("8", "ld.u32 %r1, [%rd2+8];");
    ASSERT_EQ(32u, beyond.seen.faults.size());
    EXPECT_EQ("out-of-bounds load: byte 8 of the 8 that malloc gave", beyond.seen.faults[0].text);
    Outcome before = with_malloc("8", "st.u32 [%rd2+-4], %r0;");
    EXPECT_EQ("out-of-bounds store: 4 bytes before the 8 bytes that malloc gave",
              before.seen.faults.at(0).text);
    Outcome after = with_malloc("8", "ld.u32 %r1, [%rd2];" + kFree + "ld.u32 %r1, [%rd2+4];");
    ASSERT_EQ(32u, after.seen.faults.size());
    EXPECT_EQ("load after free: byte 4 of the 8 that malloc gave and free took back",
              after.seen.faults[0].text);
    Outcome atomic = with_malloc("8", kFree + "atom.add.u32 %r1, [%rd2], 1;");
    EXPECT_EQ("store after free: byte 0 of the 8 that malloc gave and free took back",
              atomic.seen.faults.at(0).text);
}

TEST(KernelsHeap, FreesWhatItGaveAndOnce) {
    EXPECT_TRUE(with_malloc("8", kFree).seen.faults.empty());
    EXPECT_TRUE(with_malloc("8", "mov.u64 %rd2, 0;" + kFree).seen.faults.empty());
    Outcome twice = with_malloc("8", kFree + kFree);
    ASSERT_EQ(32u, twice.seen.faults.size());
    EXPECT_EQ(Fault::Kind::trap, twice.seen.faults[0].kind);
    EXPECT_EQ("free of what was freed before", twice.seen.faults[0].text);
    Outcome other = with_malloc("8", "add.s64 %rd2, %rd2, 4;" + kFree);
    EXPECT_EQ("free of an address at which no memory of malloc begins",
              other.seen.faults.at(0).text);
}

TEST(Heap, WhatIsFreedIsGivenAgain) {
    Heap heap;
    for (int i = 0; i < 100; ++i) {  // 8 MiB at a time, 800 MiB in all
        uint64_t address = heap.allocate(0, Heap::kBytes);
        ASSERT_NE(0u, address);
        EXPECT_EQ(0u, heap.allocate(1, 1));
        EXPECT_EQ(Heap::Freed::now, heap.release(address));
    }
    // Three pieces, freed in any order, are one again.
    uint64_t a = heap.allocate(0, 1 << 20), b = heap.allocate(0, 1 << 20),
             c = heap.allocate(0, 6 << 20);
    EXPECT_EQ(0u, heap.allocate(0, 16));
    for (uint64_t address : {a, c, b}) EXPECT_EQ(Heap::Freed::now, heap.release(address));
    EXPECT_NE(0u, heap.allocate(0, Heap::kBytes));
}

TEST(Heap, AddressesDependOnTheirBlockAlone) {
    Heap one, other;
    uint64_t first = one.allocate(7, 24);
    other.allocate(3, 100);
    EXPECT_EQ(first, other.allocate(7, 24));
    EXPECT_TRUE(is_on_heap(first));
    EXPECT_TRUE(is_on_heap(one.allocate(0xffffffff, 1)));
}

}  // namespace
}  // namespace lanewise
