// What is told of atomics from the registers of a kernel, instruction by instruction.
#include "trace/check/atomic_use.h"

#include <gtest/gtest.h>

#include "ptx/parser.h"

namespace lanewise {
namespace {

ptx::Kernel parsed(const std::string& body) {
    return ptx::parse(
        ".version 8.0\n.target sm_90\n.address_size 64\n"
        ".visible .entry k(.param .u64 out)\n{\n"
        ".reg .pred %p<4>;\n.reg .b32 %r<9>;\n.reg .b64 %rd<9>;\n.shared .align 8 .u64 s;\n" +
            body + "\nret;\n}\n",
        "k");
}

std::vector<bool> flags(std::initializer_list<int> set, size_t size) {
    std::vector<bool> result(size);
    for (int index : set) result[static_cast<size_t>(index)] = true;
    return result;
}

TEST(AtomicUse, AnAtomIsUnreadWhereNothingNamesItsOldValue) {
    AtomicUse use =
        atomic_use(parsed("atom.shared.add.u32 %r1, [s], 1;\n"  // 0: unread
                          "atom.shared.add.u32 %r2, [s], 1;\n"  // 1: stored
                          "st.shared.u32 [s+4], %r2;\n"
                          "atom.shared.exch.b32 %r3, [s], 0;\n"  // 3: decides a branch
                          "setp.eq.s32 %p1, %r3, 0;\n"
                          "mov.u32 %r4, 5;\n"
                          "atom.shared.add.u32 %r4, [s], 1;\n"  // 6: overwritten is not read
                          "@%p1 bra END;\nEND:\n"));
    EXPECT_EQ(flags({0, 6}, 9), use.is_unread);
    EXPECT_EQ(flags({}, 9), use.feeds_swap);
}

TEST(AtomicUse, ALoadFeedsASwapOverMoves) {
    AtomicUse use =
        atomic_use(parsed("ld.shared.u64 %rd1, [s];\n"  // 0: over a move, into a loop
                          "mov.u64 %rd2, %rd1;\n"
                          "AGAIN:\nadd.s64 %rd3, %rd2, 1;\n"
                          "atom.shared.cas.b64 %rd4, [s], %rd2, %rd3;\n"
                          "setp.ne.s64 %p1, %rd4, %rd2;\n"
                          "mov.u64 %rd2, %rd4;\n@%p1 bra AGAIN;\n"
                          "ld.shared.u32 %r1, [s];\n"  // 7: what is swapped in
                          "ld.shared.u32 %r2, [s];\n"  // 8: over arithmetic
                          "add.s32 %r3, %r2, 1;\n"
                          "atom.shared.cas.b32 %r4, [s], %r3, %r1;\n"
                          "atom.shared.exch.b32 %r5, [s], %r4;\n"));
    EXPECT_EQ(flags({0}, 13), use.feeds_swap);
    EXPECT_EQ(flags({11}, 13), use.is_unread);
}

TEST(AtomicUse, AKernelWithoutAtomicsHasNothingToTell) {
    AtomicUse use = atomic_use(parsed("ld.shared.u32 %r1, [s];"));
    EXPECT_EQ(flags({}, 2), use.is_unread);
    EXPECT_EQ(flags({}, 2), use.feeds_swap);
}

}  // namespace
}  // namespace lanewise
