// PTX with the machine code's places beside it: where each load ends up.
#include "lab/machine/sunk_loads.h"

#include <gtest/gtest.h>

#include "ptx/parser.h"

namespace lanewise {
namespace {

using Kind = SassTurn::Kind;

// Its first instruction is in line 6.
ptx::Kernel kernel(const std::string& body) {
    return ptx::parse(
        ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry kernel()\n"
        "{ .reg .pred %p<4>; .reg .b32 %r<9>; .reg .b64 %rd<5>;\n" +
            body + "\nret;\n}\n",
        "kernel");
}

// The PTX lines in the order in which they are executed then, with what leads where.
std::string order(ptx::Kernel kernel, const std::vector<SassMemoryOperation>& operations,
                  const std::vector<SassTurn>& turns) {
    sink_loads(kernel, operations, turns);
    std::string result;
    for (const ptx::Instruction& i : kernel.instructions) {
        result += (result.empty() ? "" : " ") + std::to_string(i.ptx_line);
        if (i.guarded && i.parts[0] == "ld") result += "?";
        if (i.parts[0] == "bra")
            result += ">" + std::to_string(kernel.instructions[i.operands[0].value].ptx_line);
    }
    return result;
}

SassMemoryOperation load(uint32_t address, int ptx_line, MemoryKind kind) {
    SassMemoryOperation op;
    op.address = address;
    op.ptx_line = ptx_line;
    op.kind = kind;
    return op;
}
const MemoryKind kGlobal = MemoryKind::global_load, kShared = MemoryKind::shared_load;

// if (%p1) goto L; r2 += r1; L: store r2
const char* kOnlyWhoStays =
    "ld.global.u32 %r1, [%rd1];\nsetp.eq.s32 %p1, %r3, 0;\n@%p1 bra L;\n"
    "add.s32 %r2, %r2, %r1;\nL: st.global.u32 [%rd2], %r2;";

TEST(SunkLoads, GoWithTheLanesThatStay) {
    ptx::Kernel given = kernel(kOnlyWhoStays);
    std::vector<SassTurn> turns = {{0x40, Kind::branch, 8}, {0x90, Kind::exit, 11}};
    EXPECT_EQ("7 8>10 6 9 10 11", order(given, {load(0x50, 6, kGlobal)}, turns));
    EXPECT_EQ("6 7 8>10 9 10 11", order(given, {load(0x30, 6, kGlobal)}, turns)) << "before it";
    EXPECT_EQ("6 7 8>10 9 10 11", order(given, {load(0xa0, 6, kGlobal)}, turns))
        << "something else lies between";
    EXPECT_EQ("6 7 8>10 9 10 11",
              order(given, {load(0x50, 6, kGlobal), load(0x60, 6, kGlobal)}, turns))
        << "in two places";
}

// if (!%p1) { store r2; return; } L: store r1
TEST(SunkLoads, GoWithTheLanesThatBranch) {
    std::string text =
        "ld.shared.u32 %r1, [%r4];\nsetp.eq.s32 %p1, %r3, 0;\n@%p1 bra L;\n"
        "st.global.u32 [%rd2], %r2;\nret;\nL: st.global.u32 [%rd2], %r1;";
    std::vector<SassTurn> turns = {{0x40, Kind::branch, 8}};
    EXPECT_EQ("7 8>6 9 10 6 11 12", order(kernel(text), {load(0x80, 6, kShared)}, turns));
    // others fall into L, who made the load before
    text =
        "ld.shared.u32 %r1, [%r4];\nsetp.eq.s32 %p1, %r3, 0;\n@%p1 bra L;\n"
        "mov.u32 %r1, 5;\nL: st.global.u32 [%rd2], %r1;";
    EXPECT_EQ("6 7 8>10 9 10 11", order(kernel(text), {load(0x80, 6, kShared)}, turns));
}

TEST(SunkLoads, StayWhereBothSidesWantThemOrSomethingIsInTheWay) {
    std::vector<SassTurn> turns = {{0x40, Kind::branch, 8}};
    std::vector<SassMemoryOperation> operations = {load(0x50, 6, kGlobal)};
    for (const char* between : {"st.global.u32 [%rd2], %r3;", "bar.sync 0;", "mov.u64 %rd1, %rd2;",
                                "add.s32 %r3, %r1, 1;", "atom.shared.add.u32 %r3, [%r4], 1;"}) {
        ptx::Kernel given = kernel(std::string("ld.global.u32 %r1, [%rd1];\n") + between +
                                   "\n@%p1 bra L;\nadd.s32 %r2, %r2, %r1;\n"
                                   "L: st.global.u32 [%rd2], %r2;");
        EXPECT_EQ("6 7 8>10 9 10 11", order(given, operations, turns)) << between;
    }
    ptx::Kernel both = kernel(
        "ld.global.u32 %r1, [%rd1];\nsetp.eq.s32 %p1, %r3, 0;\n@%p1 bra L;\n"
        "add.s32 %r2, %r2, %r1;\nL: st.global.u32 [%rd2], %r1;");
    EXPECT_EQ("6 7 8>10 9 10 11", order(both, operations, turns));
}

// The last store of a kernel under a predicate: who does not make it has nothing left to do.
TEST(SunkLoads, GoToTheStoreThatAloneWantsThem) {
    std::string text =
        "ld.shared.u32 %r1, [%r4];\nsetp.ne.s32 %p1, %r3, 0;\n"
        "@%p2 st.global.u32 [%rd1], %r5;\n@%p1 st.global.u32 [%rd2], %r1;";
    std::vector<SassTurn> turns = {{0x40, Kind::exit, 9}};
    EXPECT_EQ("7 8 6? 9 10", order(kernel(text), {load(0x50, 6, kShared)}, turns));
    EXPECT_EQ("6 7 8 9 10 11", order(kernel(text + "\nst.global.u32 [%rd1], %r1;"),
                                     {load(0x50, 6, kShared)}, turns));
}

}  // namespace
}  // namespace lanewise
