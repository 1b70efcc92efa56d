// A call through a pointer with the machine code's places beside it: whether its lanes meet again.
#include "lab/machine/calls_apart.h"

#include <gtest/gtest.h>

#include "ptx/parser.h"

namespace lanewise {
namespace {

using Kind = SassTurn::Kind;

// Calls one of two functions in line 14, by %rd1; a branch of its own in line 12.
const char* kKernel = R"(.version 8.0
.target sm_90
.address_size 64
.func one() { ret; }
.func two() { ret; }
.visible .entry kernel()
{ .reg .pred %p<2>; .reg .b32 %r<2>; .reg .b64 %rd<4>;
  mov.u64 %rd2, one;
  mov.u64 %rd3, two;
  mov.u32 %r1, %tid.x;
  setp.eq.u32 %p1, %r1, 0;
  @%p1 bra $end;
  selp.u64 %rd1, %rd2, %rd3, %p1;
  { proto : .callprototype () _ (); call %rd1, (), proto; }
  $end: ret; })";

// The lines of branches whose lanes stay apart, in their order.
std::vector<int> apart(const std::vector<SassTurn>& turns) {
    ptx::Kernel kernel = ptx::parse(kKernel, "kernel");
    keep_calls_apart(kernel, turns);
    std::vector<int> lines;
    for (const ptx::Instruction& i : kernel.instructions)
        if (i.parts == std::vector<std::string>{"bra", "apart"}) lines.push_back(i.ptx_line);
    return lines;
}

TEST(CallsApart, StayWithoutABarrierBehindTheCall) {
    EXPECT_EQ((std::vector<int>{14, 14}), apart({{0x40, Kind::pointer_call, 14}}));
    EXPECT_EQ((std::vector<int>{14, 14}),
              apart({{0x40, Kind::pointer_call, 14}, {0x60, Kind::meeting, 14}}))
        << "it belongs to something around the call";
}

TEST(CallsApart, MeetAtTheBarrierRightBehindTheCall) {
    std::vector<SassTurn> turns = {{0x40, Kind::pointer_call, 14}, {0x50, Kind::meeting, 14}};
    EXPECT_EQ(std::vector<int>{}, apart(turns));
    turns.push_back({0x90, Kind::pointer_call, 14});
    EXPECT_EQ(std::vector<int>{}, apart(turns)) << "one copy of the call has a barrier";
}

TEST(CallsApart, AreLeftWhereTheMachineCodeDoesNotTell) {
    EXPECT_EQ(std::vector<int>{}, apart({}));
    EXPECT_EQ(std::vector<int>{}, apart({{0x40, Kind::pointer_call, 0}}));
    EXPECT_EQ(std::vector<int>{}, apart({{0x40, Kind::other, 14}})) << "ptxas knew the function";
    EXPECT_EQ(std::vector<int>{}, apart({{0x40, Kind::pointer_call, 12}})) << "no call";
}

}  // namespace
}  // namespace lanewise
