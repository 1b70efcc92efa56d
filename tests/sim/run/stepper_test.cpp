// A block stepped through: stopped before any instruction, looked at, saved, and taken back.
#include "sim/run/stepper.h"

#include <gtest/gtest.h>

#include "../run_ptx.h"

namespace lanewise {
namespace {

// Two warps turn 64 words through shared memory; the lower half of each warp takes a way of its own.
const std::string kBody = R"(
    .shared .align 4 .b8 tile[256];
    mov.u32 %r5, tile;
    shl.b32 %r6, %r0, 2;
    add.s32 %r6, %r6, %r5;
    mov.u32 %r7, 100;
    and.b32 %r8, %r0, 31;
    setp.ge.u32 %p1, %r8, 16;
    @%p1 bra $store;
    mov.u32 %r7, 200;
    $store: add.s32 %r9, %r7, %r0;
    st.shared.u32 [%r6], %r9;
    bar.sync 0;
    xor.b32 %r10, %r0, 63;
    shl.b32 %r11, %r10, 2;
    add.s32 %r11, %r11, %r5;
    ld.shared.u32 %r12, [%r11];
    cvt.u64.u32 %rd2, %r12;
    st.global.u64 [%rd1], %rd2;
)";
// Instructions of the kernel: 4 before the body, which has 17, and ret. The add at $store is where
// both ways meet.
constexpr uint32_t kBranch = 10, kOther = 11, kMeet = 12, kBarrier = 14, kGlobalStore = 20;

struct Stepped {
    Stepped()
        : kernel(ptx::parse(kernel_around(kBody)).kernels.at(0)),
          out(memory.allocate(64 * 8, "out")),
          arguments(Arguments().add(out)),
          stepper(kernel, {{1}, {64}}, arguments, memory, seen, {}, {}) {
        stepper.begin(0);
    }
    std::vector<uint64_t> result() const {
        std::vector<uint64_t> words(64);
        std::memcpy(words.data(), memory.buffers()[0].storage, 64 * 8);
        return words;
    }
    ptx::Kernel kernel;
    Memory memory;
    uint64_t out;
    Arguments arguments;
    Recorder seen;
    Stepper stepper;
};

std::vector<uint64_t> turned() {
    std::vector<uint64_t> words;
    for (uint64_t n = 0; n < 64; ++n) {
        uint64_t from = 63 - n;
        words.push_back((from % 32 < 16 ? 200 : 100) + from);
    }
    return words;
}

TEST(Stepper, DoesWhatTheMachineDoes) {
    Stepped s;
    ASSERT_EQ("st.global.u64 [%rd1], %rd2", s.kernel.instructions[kGlobalStore].text);
    s.stepper.run(~0ull);
    EXPECT_TRUE(s.stepper.has_ended());
    EXPECT_EQ(turned(), s.result());
    EXPECT_EQ(turned(), run_block(kBody, {64}).out);
    EXPECT_EQ(run_block(kBody, {64}).executed, s.stepper.steps());
    EXPECT_EQ(2u * 22, s.stepper.steps());  // all 22 instructions, by both warps
}

TEST(Stepper, ShowsWhereLanesPartAndMeet) {
    Stepped s;
    s.stepper.run(kBranch);
    WarpLook look = s.stepper.look(0);
    EXPECT_EQ(kBranch, look.instruction);
    EXPECT_EQ(kAllLanes, look.lanes);
    EXPECT_EQ(0xffff0000u, look.executing);  // the guard's lanes branch
    s.stepper.run(kBranch + 1);
    look = s.stepper.look(0);
    EXPECT_EQ(kOther, look.instruction);
    EXPECT_EQ(0x0000ffffu, look.lanes);
    EXPECT_EQ(kMeet, look.meets);
    ASSERT_EQ(1u, look.paths.size());  // all of them, where they meet
    EXPECT_EQ(kMeet, look.paths[0].instruction);
    EXPECT_EQ(kAllLanes, look.paths[0].lanes);
    s.stepper.run(kBranch + 2);
    EXPECT_EQ(kAllLanes, s.stepper.look(0).lanes);
    EXPECT_EQ(kMeet, s.stepper.look(0).instruction);
}

TEST(Stepper, TakesWarpsInTurnUpToBarriers) {
    Stepped s;
    s.stepper.run(kBarrier + 1);  // warp 0 waits there
    EXPECT_EQ(1u, s.stepper.warp());
    EXPECT_EQ(WarpLook::State::at_barrier, s.stepper.look(0).state);
    EXPECT_EQ(WarpLook::State::ready, s.stepper.look(1).state);
    EXPECT_EQ(kBarrier, s.stepper.last(0));
    s.stepper.run(2 * (kBarrier + 1));  // warp 1, too: both go on
    EXPECT_EQ(0u, s.stepper.warp());
    EXPECT_EQ(kBarrier + 1, s.stepper.look(0).instruction);
}

TEST(Stepper, StopsBeforeFlaggedInstructions) {
    Stepped s;
    std::vector<uint8_t> flags(s.kernel.instructions.size() + 1, 0);
    flags[kGlobalStore] = 1;
    s.stepper.run(~0ull, flags);
    EXPECT_EQ(0u, s.stepper.warp());
    EXPECT_EQ(kGlobalStore, s.stepper.look(0).instruction);
    // Both warps have stored to the tile, and this one has read from it.
    EXPECT_EQ(3u, s.seen.accesses.size());
    s.stepper.run(~0ull, flags);  // the one before which it stands does not stop it again
    EXPECT_EQ(1u, s.stepper.warp());
    s.stepper.run(~0ull, flags);
    EXPECT_TRUE(s.stepper.has_ended());
}

TEST(Stepper, GivesValuesOfRegistersAndWhoExecutedWhat) {
    Stepped s;
    s.stepper.run(kMeet + 1);
    auto values = s.stepper.values(0, s.kernel.instructions[kMeet].operands[0].reg);
    for (uint64_t n = 0; n < 32; ++n) EXPECT_EQ((n < 16 ? 200 : 100) + n, values[n]);
    auto predicate = s.stepper.values(0, s.kernel.instructions[kBranch].guard.reg);
    EXPECT_EQ(0u, predicate[15]);
    EXPECT_EQ(1u, predicate[16]);
    EXPECT_EQ(kOther + 1, s.stepper.executed(0, kOther).step);
    EXPECT_EQ(0x0000ffffu, s.stepper.executed(0, kOther).lanes);
    EXPECT_EQ(0u, s.stepper.executed(0, kGlobalStore).step);
    EXPECT_EQ(0u, s.stepper.executed(1, kOther).step);
}

// From every moment to the end and back again: the same registers, shared memory and outcome.
TEST(Stepper, GoesBackToAnyMoment) {
    Stepped s;
    for (uint64_t step = 0; step < 44; ++step) {
        s.stepper.run(step);
        ASSERT_EQ(step, s.stepper.steps());
        auto state = s.stepper.save();
        std::vector<std::byte> shared(s.stepper.shared().begin(), s.stepper.shared().end());
        uint32_t warp = s.stepper.warp();
        WarpLook look = s.stepper.look(warp);
        s.stepper.run(~0ull);
        ASSERT_TRUE(s.stepper.has_ended());
        ASSERT_EQ(44u, s.stepper.steps());
        ASSERT_EQ(turned(), s.result()) << step;
        s.stepper.restore(*state);
        ASSERT_EQ(step, s.stepper.steps());
        ASSERT_EQ(warp, s.stepper.warp());
        ASSERT_EQ(look.instruction, s.stepper.look(warp).instruction);
        ASSERT_EQ(look.lanes, s.stepper.look(warp).lanes);
        ASSERT_TRUE(std::equal(shared.begin(), shared.end(), s.stepper.shared().begin()));
    }
}

TEST(Stepper, RefusesALaunchThatTheHardwareRefuses) {
    ptx::Kernel kernel = ptx::parse(kernel_around("")).kernels.at(0);
    Memory memory;
    Recorder seen;
    EXPECT_THROW(Stepper(kernel, {{1}, {2048}}, Arguments().add(uint64_t{0}), memory, seen, {}, {}),
                 Error);
}

}  // namespace
}  // namespace lanewise
