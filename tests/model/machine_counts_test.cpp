// How often machine instructions are executed, of small programs that are written here: what is to come out
// is counted by hand.
#include "model/machine_counts.h"

#include <gtest/gtest.h>

namespace lanewise {
namespace {

using Flow = MachineInstruction::Flow;

// A program of one PTX instruction a line, and its machine code.
class Program {
  public:
    // A PTX instruction; floats are never moved or merged, whole numbers may be.
    int line(MachineUnit unit = MachineUnit::fma, bool is_branch = false) {
        TimedInstruction timed;
        timed.unit = is_branch ? Unit::branch : unit == MachineUnit::alu ? Unit::integer : Unit::single;
        timed.is_simple = !is_branch;
        if (unit != MachineUnit::alu && !is_branch) timed.known_unit = unit, timed.known = 1;
        code.instructions.push_back(timed);
        return static_cast<int>(code.instructions.size()) - 1;
    }
    // A machine instruction of a line, or of none.
    uint32_t add(int line, MachineUnit unit = MachineUnit::fma, bool is_guarded = false) {
        MachineInstruction machine;
        machine.address = static_cast<uint32_t>(16 * code.machine.size());
        machine.ptx_line = line + 1;
        machine.unit = unit;
        machine.is_guarded = is_guarded;
        machine.stall = 2;
        if (line >= 0) code.instructions[static_cast<size_t>(line)].places.push_back(machine.address);
        code.machine.push_back(machine);
        return machine.address;
    }
    void turn(int line, Flow flow, uint32_t target = MachineInstruction::kNowhere, bool is_guarded = true) {
        add(line, MachineUnit::none, is_guarded);
        code.machine.back().flow = flow;
        code.machine.back().target = target;
    }
    uint32_t here() const { return static_cast<uint32_t>(16 * code.machine.size()); }
    std::vector<double> counts(std::vector<double> executed, std::vector<LoopTurns> loops = {},
                               std::vector<double> long_way = {}) const {
        return machine_counts(code, executed, loops, long_way);
    }
    TimedCode code;
};

// A branch became guards: a quarter of the warps go past lines 1 and 2, the machine takes all of them
// through. The instruction that belongs to no line is executed with the rest.
TEST(MachineCounts, ABlockIsExecutedAsAWhole) {
    Program p;
    int first = p.line(), inner = p.line(), stored = p.line(MachineUnit::memory), last = p.line();
    p.add(first);
    p.add(-1, MachineUnit::alu);
    p.add(inner, MachineUnit::fma, true);
    p.add(stored, MachineUnit::memory, true);
    p.add(last);
    p.turn(-1, Flow::end, MachineInstruction::kNowhere, false);
    EXPECT_EQ(std::vector<double>(6, 8), p.counts({8, 6, 6, 8}));
}

// A loop of one line that ptxas unrolled four times, with a rest that it goes round singly: two visits of
// ten turns, one of three, are four times the long block and seven times the short one.
TEST(MachineCounts, ARestTakesTheTurnsThatAreLeft) {
    Program p;
    int before = p.line(), body = p.line(), back = p.line(MachineUnit::none, true), after = p.line();
    p.add(before);
    p.turn(before, Flow::branch, 7 * 16);  // to the rest
    uint32_t fours = p.here();
    for (int i = 0; i < 4; ++i) p.add(body);
    p.turn(back, Flow::branch, fours);
    uint32_t rest = p.here();
    ASSERT_EQ(7u * 16, rest);
    p.add(body);
    p.turn(back, Flow::branch, rest);
    p.add(after);
    p.turn(-1, Flow::end, MachineInstruction::kNowhere, false);
    std::vector<LoopTurns> loops = {{1, 2, {{10, 2}, {3, 1}}}};
    std::vector<double> counts = p.counts({3, 23, 23, 3}, loops);
    EXPECT_EQ(3, counts[0]);
    EXPECT_EQ(4, counts[2]);  // 2 * floor(10 / 4)
    EXPECT_EQ(4, counts[6]);
    EXPECT_EQ(7, counts[7]);  // 2 * 2 + 3
    EXPECT_EQ(3, counts[9]);
}

// What calls a function stands for rare operands, and the function is not come to otherwise.
TEST(MachineCounts, WhatIsRareIsNotExecuted) {
    Program p;
    int root = p.line(MachineUnit::alu), after = p.line();
    p.code.instructions[0].unit = Unit::function;
    p.code.instructions[0].is_simple = false;
    p.add(root, MachineUnit::alu);
    p.turn(root, Flow::branch, 5 * 16);
    p.add(root, MachineUnit::alu);
    p.turn(root, Flow::call, 8 * 16, false);
    p.turn(root, Flow::branch, 6 * 16, false);
    p.add(root, MachineUnit::special);  // 5: the quick way
    p.add(after);                       // 6
    p.turn(-1, Flow::end, MachineInstruction::kNowhere, false);
    p.add(root, MachineUnit::alu);  // 8: the function
    p.turn(root, Flow::back, MachineInstruction::kNowhere, false);
    auto expect = [&](const std::vector<double>& expected, const std::vector<double>& counts) {
        ASSERT_EQ(expected.size(), counts.size());
        for (size_t i = 0; i < expected.size(); ++i) EXPECT_NEAR(expected[i], counts[i], 1e-6) << i;
    };
    expect({5, 5, 0, 0, 0, 5, 5, 5, 0, 0}, p.counts({5, 5}));
    // Two of the five warps have such an operand, and the function is the root's work.
    const std::vector<double> long_way = {2, 0};
    expect({5, 5, 2, 2, 2, 3, 5, 5, 2, 2}, p.counts({5, 5}, {}, long_way));
    count_machine_instructions(p.code, std::vector<double>{5, 5}, std::vector<double>(2), {}, long_way);
    const TimedInstruction& first = p.code.instructions[0];
    EXPECT_NEAR(5 * 2 + 3 * 2 + 3 + 2 * 2, 5 * (first.issues + first.beside), 1e-6);
}

// A quotient of whole numbers of 64 bits has no short way in the machine code: each is a call.
TEST(MachineCounts, AWideQuotientIsAFunction) {
    Program p;
    int quotient = p.line(MachineUnit::alu), after = p.line();
    p.code.instructions[0].unit = Unit::convert;
    p.code.instructions[0].is_simple = false;
    p.code.instructions[0].is_wide = true;
    p.add(quotient, MachineUnit::alu);
    p.turn(quotient, Flow::call, 5 * 16, false);
    p.add(after);
    p.add(after);
    p.turn(-1, Flow::end, MachineInstruction::kNowhere, false);
    p.add(-1, MachineUnit::alu);  // 5: the function
    p.turn(-1, Flow::branch, 8 * 16);
    p.add(-1, MachineUnit::alu);
    p.turn(-1, Flow::back, MachineInstruction::kNowhere, false);
    p.code.instructions[1].known = 2;
    // Half of them go past what its branch leaves out.
    EXPECT_EQ((std::vector<double>{7, 7, 7, 7, 7, 7, 7, 3.5, 7}), p.counts({7, 7}));
}

// A call that leads behind the code, as in a file that is cut, is counted where it stands and followed nowhere.
TEST(MachineCounts, ACallMayLeadNowhere) {
    for (uint32_t target : {uint32_t{16 * 3}, uint32_t{16 * 100}, MachineInstruction::kNowhere}) {
        Program p;
        int quotient = p.line(MachineUnit::alu);
        p.code.instructions[0].unit = Unit::convert;
        p.code.instructions[0].is_wide = true;
        p.add(quotient, MachineUnit::alu);
        p.turn(quotient, Flow::call, target, false);
        p.turn(-1, Flow::end, MachineInstruction::kNowhere, false);
        for (double count : p.counts({7})) EXPECT_NEAR(7, count, 1e-6) << target;
    }
}

// A loop of sums of 64 bits, each of two machine instructions, one of which stands in the next block as well:
// nothing of it is certain, but its lines say how often it went round.
TEST(MachineCounts, MostLinesOfABlockSayHowOften) {
    Program p;
    int before = p.line(), first = p.line(MachineUnit::alu), second = p.line(MachineUnit::alu),
        third = p.line(MachineUnit::alu), back = p.line(MachineUnit::none, true), after = p.line();
    for (int wide : {first, second, third}) p.code.instructions[static_cast<size_t>(wide)].is_wide = true;
    p.add(before);
    uint32_t head = p.here();
    for (int wide : {first, first, second, second, third}) p.add(wide, MachineUnit::alu);
    p.turn(back, Flow::branch, head);
    p.add(third, MachineUnit::alu);
    p.add(after);
    p.turn(-1, Flow::end, MachineInstruction::kNowhere, false);
    std::vector<double> counts = p.counts({4, 200, 200, 200, 200, 4}, {{1, 4, {{50, 4}}}});
    EXPECT_NEAR(200, counts[1], 2);
    EXPECT_EQ(4, counts[8]);
}

// A switch by a table: nobody's branch says where it leads, but what stands there was executed.
TEST(MachineCounts, ATablesCasesAreCounted) {
    Program p;
    int before = p.line(), first = p.line(), second = p.line(), after = p.line();
    p.add(before);
    p.turn(before, Flow::branch, MachineInstruction::kNowhere, false);
    p.add(first);
    p.turn(first, Flow::branch, 6 * 16, false);
    p.add(second);
    p.turn(second, Flow::branch, 6 * 16, false);
    p.add(after);
    p.turn(-1, Flow::end, MachineInstruction::kNowhere, false);
    p.turn(-1, Flow::branch, 8 * 16, false);
    EXPECT_EQ((std::vector<double>{7, 7, 3, 3, 4, 4, 7, 7, 0}), p.counts({7, 3, 4, 7}));
}

// An address that ptxas computes once before the loop is of a line that is executed in every turn of it.
TEST(MachineCounts, WhatIsMovedOutOfALoopDoesNotCountForItsBlock) {
    Program p;
    int before = p.line(), address = p.line(MachineUnit::alu), body = p.line(),
        back = p.line(MachineUnit::none, true);
    p.add(before);
    p.turn(before, Flow::branch, 7 * 16);
    for (int i = 0; i < 3; ++i) p.add(address, MachineUnit::alu);  // before the loop
    uint32_t loop = p.here();
    p.add(body);
    p.turn(back, Flow::branch, loop);
    p.turn(-1, Flow::end, MachineInstruction::kNowhere, false);
    std::vector<LoopTurns> loops = {{1, 3, {{20, 2}}}};
    std::vector<double> counts = p.counts({2, 40, 40, 40}, loops);
    EXPECT_NEAR(2, counts[3], 0.1);
    EXPECT_EQ(40, counts[5]);
}

// Two PTX instructions on one line, as of inline assembly, in a loop of 10 turns: both have both places, and
// each turn executes them once. On the next line two have become one.
TEST(MachineCounts, InstructionsOnOneLineShareItsPlaces) {
    Program p;
    int before = p.line(), first = p.line(MachineUnit::alu), second = p.line(MachineUnit::alu),
        third = p.line(MachineUnit::alu), fourth = p.line(MachineUnit::alu), back = p.line(MachineUnit::none, true);
    p.add(before);
    p.turn(before, Flow::branch, 6 * 16);
    uint32_t loop = p.here();
    p.add(first, MachineUnit::alu);
    p.add(first, MachineUnit::alu);
    p.add(third, MachineUnit::alu);
    p.turn(back, Flow::branch, loop);
    p.turn(-1, Flow::end, MachineInstruction::kNowhere, false);
    p.code.instructions[static_cast<size_t>(second)].places = p.code.instructions[static_cast<size_t>(first)].places;
    p.code.instructions[static_cast<size_t>(fourth)].places = p.code.instructions[static_cast<size_t>(third)].places;
    std::vector<LoopTurns> loops = {{1, 5, {{10, 2}}}};
    std::vector<double> counts = p.counts({2, 20, 20, 20, 20, 20}, loops);
    for (size_t m = 2; m < 6; ++m) EXPECT_EQ(20, counts[m]) << m;
}

// The first block of two warps: line 1 is executed by one of them, and the other goes past it with the guard
// off. The costs of all steps are those of the machine: two clocks for each instruction.
TEST(MachineCounts, TheStepsCostWhatTheMachineTakes) {
    Program p;
    int first = p.line(), inner = p.line();
    p.add(first);
    p.add(-1, MachineUnit::alu);
    p.add(inner, MachineUnit::fma, true);
    p.turn(-1, Flow::end, MachineInstruction::kNowhere, false);
    std::vector<double> executed = {2, 1}, off = {0, 1};
    count_machine_instructions(p.code, executed, off, {});
    const TimedInstruction &a = p.code.instructions[0], &b = p.code.instructions[1];
    EXPECT_DOUBLE_EQ(1, a.issues);
    EXPECT_DOUBLE_EQ(1, b.issues);
    EXPECT_DOUBLE_EQ(0, b.beside);
    EXPECT_DOUBLE_EQ(2, a.beside);  // the one of no line, and the exit
    EXPECT_DOUBLE_EQ(2, a.stalls);
    EXPECT_DOUBLE_EQ(4, a.stalls_beside);
    EXPECT_DOUBLE_EQ(2, b.stalls);
    double all = 2 * (a.issues + a.beside) + 2 * b.issues;
    EXPECT_DOUBLE_EQ(8, all);
    EXPECT_TRUE(a.is_scheduled);
}

// Without machine code each instruction is one, as timed_code() left it.
TEST(MachineCounts, WithoutMachineCodeNothingChanges) {
    TimedCode code;
    code.instructions.resize(1);
    std::vector<double> executed = {7}, off = {0};
    count_machine_instructions(code, executed, off, {});
    EXPECT_EQ(1, code.instructions[0].issues);
    EXPECT_EQ(0, code.instructions[0].stalls);
}

}  // namespace
}  // namespace lanewise
