// A kernel as the simulation takes it, of PTX and of machine code that are written here.
#include "model/timed_code.h"

#include <gtest/gtest.h>

#include <string>

#include "ptx/parser.h"

namespace lanewise {
namespace {

constexpr const char* kCodeHead = ".version 8.0\n.target sm_90\n.address_size 64\n";

struct At {
    int line;
    MachineUnit unit = MachineUnit::alu;
    MachineInstruction::Flow flow = MachineInstruction::Flow::next;
    uint32_t target = MachineInstruction::kNowhere;
};

TimedCode code_of(const std::string& text, std::vector<At> machine_code) {
    std::vector<MachineInstruction> machine;
    for (const At& at : machine_code) {
        MachineInstruction each;
        each.address = static_cast<uint32_t>(16 * machine.size());
        each.ptx_line = at.line;
        each.unit = at.unit;
        each.flow = at.flow;
        each.target = at.target;
        machine.push_back(each);
    }
    return timed_code(ptx::parse(kCodeHead + text, "k"), std::move(machine));
}

// The second load's address comes from what the first has read, by way of a sum; a parameter's does not.
TEST(TimedCode, ALoadWhoseAddressWasLoadedIsAGather) {
    const TimedCode code = code_of(
        ".visible .entry k(.param .u64 p)\n{\n.reg .b64 %rd<4>;\n.reg .b32 %r<2>;\n"
        "ld.param.u64 %rd1, [p];\nld.global.u64 %rd2, [%rd1];\nadd.s64 %rd3, %rd2, %rd1;\nld.global.u32 %r1, [%rd3];\n"
        "ret;\n}\n",
        {});
    ASSERT_EQ(5u, code.instructions.size());
    EXPECT_FALSE(code.instructions[0].load.is_gather);
    EXPECT_FALSE(code.instructions[1].load.is_gather);
    EXPECT_FALSE(code.instructions[2].load.is_gather);
    EXPECT_TRUE(code.instructions[3].load.is_gather);
}

// Two sums of 64 bits cost two machine instructions each, the product of floats one: ptxas made one copy of it all.
TEST(TimedCode, WideSumsAreNoCopies) {
    const std::string text =
        ".visible .entry k()\n{\n.reg .b64 %rd<3>;\n.reg .f32 %f<3>;\n"  // lines 4 to 7
        "add.s64 %rd1, %rd1, 16;\n"                                       // 8
        "add.s64 %rd2, %rd2, 16;\n"                                       // 9
        "mul.f32 %f2, %f1, %f1;\n"                                        // 10
        "ret;\n}\n";
    using U = MachineUnit;
    TimedCode one = code_of(text, {{8}, {8}, {9}, {9}, {10, U::fma}, {11, U::none, MachineInstruction::Flow::end}});
    EXPECT_EQ(1, one.instructions[2].copies);
    TimedCode two = code_of(text, {{8}, {8}, {9}, {9}, {10, U::fma}, {10, U::fma}, {11, U::none, MachineInstruction::Flow::end}});
    EXPECT_EQ(2, two.instructions[2].copies);
}

// Behind the end stands code that nothing leads to, as for a warp whose lanes are apart: it is no copy either.
TEST(TimedCode, WhatNothingLeadsToIsNoPlace) {
    const std::string text =
        ".visible .entry k()\n{\n.reg .f32 %f<3>;\n"  // lines 4 to 6
        "mul.f32 %f2, %f1, %f1;\n"                     // 7
        "ret;\n}\n";
    using Flow = MachineInstruction::Flow;
    const At work{7, MachineUnit::fma}, end{8, MachineUnit::none, Flow::end};
    TimedCode code = code_of(text, {work, end, work, {8, MachineUnit::none, Flow::branch, 16}});
    EXPECT_EQ((std::vector<uint32_t>{0}), code.instructions[0].places);
    EXPECT_EQ(1, code.instructions[0].copies);
    // A branch leads there.
    code = code_of(text, {{7, MachineUnit::alu, Flow::branch, 32}, end, work, {8, MachineUnit::none, Flow::branch, 16}});
    EXPECT_EQ((std::vector<uint32_t>{0, 32}), code.instructions[0].places);
}

// As many products of halves as take as long: m16n8k8 of tf32 has half as many products, at half the rate; m16n8k32 of
// bytes twice as many at twice the rate. Doubles are counted by m16n8k8: m8n8k4 takes as long as m16n8k4, which has half.
TEST(TimedCode, ProductsAreCountedByHowLongTheyTake) {
    auto products_of = [](const std::string& line) {
        return code_of(".visible .entry k()\n{\n.reg .b32 %r<12>;\n.reg .f32 %f<9>;\n.reg .f64 %fd<9>;\n" + line + "\nret;\n}\n", {})
            .instructions[0]
            .products;
    };
    const std::string four = "{%r1,%r2,%r3,%r4}", two = "{%r5,%r6}";
    EXPECT_DOUBLE_EQ(1, products_of("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%f1,%f2,%f3,%f4}, " + four + ", " + two + ", {%f1,%f2,%f3,%f4};"));
    EXPECT_DOUBLE_EQ(1, products_of("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%f1,%f2,%f3,%f4}, " + four + ", " + two + ", {%f1,%f2,%f3,%f4};"));
    EXPECT_DOUBLE_EQ(1, products_of("mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 {%r7,%r8,%r9,%r10}, " + four + ", " + two + ", {%r7,%r8,%r9,%r10};"));
    EXPECT_DOUBLE_EQ(0.5, products_of("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%fd1,%fd2}, {%fd3}, {%fd4}, {%fd1,%fd2};"));
}

}  // namespace
}  // namespace lanewise
