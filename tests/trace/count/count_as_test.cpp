// Instructions that count otherwise than the PTX has them: hand-worked accesses of one warp.
#include <gtest/gtest.h>

#include "ptx/parser.h"
#include "trace/count/counter.h"

namespace lanewise {
namespace {

// A store and a load of shared memory, 16 and 4 bytes a lane, and a global load of 4.
const char* kPtx = R"ptx(
.version 9.0
.target sm_90
.address_size 64
.visible .entry k()
{
    .reg .b32 %r<5>;
    .reg .b64 %rd<2>;
    st.shared.v4.u32 [%r1], {%r1, %r2, %r3, %r4};
    ld.shared.u32 %r2, [%r1];
    ld.global.u32 %r3, [%rd1];
    ret;
}
)ptx";

// The totals of one execution of instruction `instruction`, lane n at n * stride + offset.
Counts counts(std::vector<CountAs> count_as, uint32_t instruction, uint8_t bytes, uint64_t stride,
              uint64_t offset = 0, uint32_t mask = ~0u) {
    ptx::Kernel kernel = ptx::parse(kPtx, "k");
    Counter counter(kernel, count_as);
    std::array<uint64_t, 32> addresses;
    for (uint64_t lane = 0; lane < 32; ++lane) addresses[lane] = lane * stride + offset;
    Space space = instruction == 2 ? Space::global : Space::shared;
    counter.on_memory({instruction, space, instruction == 0, bytes, 0, 0, mask, &addresses});
    const Counter* counters[] = {&counter};
    return merge(kernel, counters, {}, Memory()).totals;
}

TEST(CountAs, AsWrittenWhereNothingIsSaid) {
    EXPECT_EQ(counts({}, 1, 4, 4), counts({{}, {}, {}}, 1, 4, 4));
    EXPECT_EQ(1u, counts({}, 1, 4, 4).shared_load.wavefronts);
}

TEST(CountAs, WhatAWiderOneTookOverCountsNothing) {
    EXPECT_EQ(Counts(), counts({{}, {0, 4}, {}}, 1, 4, 4));
}

TEST(CountAs, AWidenedLoadIsRoundedDown) {
    // Lane n reads the word at 128 n + 8: as 16 bytes, those at 128 n. All 8 lanes of a quarter
    // meet in banks 0 to 3, so each of the 4 phases needs 8 wavefronts.
    SharedCounts load = counts({{}, {1, 16}, {}}, 1, 4, 128, 8).shared_load;
    EXPECT_EQ(1u, load.instructions);
    EXPECT_EQ(32u, load.wavefronts);
    EXPECT_EQ(4u, load.wavefronts_ideal);
    EXPECT_EQ(512u, load.bytes);
    // The last word of a sector, as 16 bytes, is still in the sector before the next.
    EXPECT_EQ(1u, counts({{}, {}, {1, 16}}, 2, 4, 0, 28).global_load.sectors);
}

// A loop that reads words 0, 1, 2, … of 16 bytes: one of 16 bytes for four of its turns, until
// there may be something new there.
TEST(CountAs, AWidenedLoadCountsOnceForTheTurnsItServes) {
    ptx::Kernel kernel = ptx::parse(kPtx, "k");
    auto count_of = [&](auto run) {
        std::vector<CountAs> count_as = {{}, {1, 16}, {}};
        Counter counter(kernel, count_as);
        BlockRecorder recorder(kernel, {{1}, {64}, 0}, Memory(), count_as);
        auto event = [&](uint32_t instruction, uint64_t address, uint16_t warp, uint32_t block) {
            std::array<uint64_t, 32> addresses;
            addresses.fill(address);
            MemoryEvent access{instruction, Space::shared, instruction == 0, 4, block,
                               warp,        ~0u,           &addresses};
            counter.on_memory(access);
            recorder.on_memory(access);
        };
        auto barrier = [&] {
            std::array<uint32_t, 32> instructions{};
            counter.on_barrier({0, 3, 0, true, &instructions});
            recorder.on_barrier({0, 3, 0, true, &instructions});
        };
        run([&](uint64_t address, uint16_t warp = 0,
                uint32_t block = 0) { event(1, address, warp, block); },
            [&] { event(0, 64, 0, 0); }, barrier);
        const Counter* counters[] = {&counter};
        uint64_t loads = merge(kernel, counters, {}, Memory()).totals.shared_load.instructions;
        uint64_t drawn = 0;
        for (const TracedAccess& access : recorder.take().accesses)
            drawn += access.instruction == 1;
        EXPECT_EQ(loads, drawn);
        return loads;
    };
    EXPECT_EQ(2u, count_of([](auto load, auto, auto) {
                  for (uint64_t turn = 0; turn < 8; ++turn) load(turn * 4);
              }));
    EXPECT_EQ(2u,
              count_of([](auto load, auto, auto) { load(0), load(4, 1), load(8), load(12, 1); }));
    EXPECT_EQ(3u, count_of([](auto load, auto, auto) { load(0), load(16), load(0); }));
    EXPECT_EQ(2u, count_of([](auto load, auto store, auto) { load(0), store(), load(4); }));
    EXPECT_EQ(2u, count_of([](auto load, auto, auto barrier) { load(0), barrier(), load(4); }));
    EXPECT_EQ(2u, count_of([](auto load, auto, auto) { load(0), load(4, 0, 1); }));
}

TEST(CountAs, ASplitStoreIsSeveralSideBySide) {
    // 16 bytes a lane as two of 8: lane n at 16 n and 16 n + 8. A half-warp's 32 words lie in 16
    // banks twice over, so each of the two phases needs 2 wavefronts.
    SharedCounts store = counts({{2, 8}, {}, {}}, 0, 16, 16).shared_store;
    EXPECT_EQ(2u, store.instructions);
    EXPECT_EQ(8u, store.wavefronts);
    EXPECT_EQ(4u, store.wavefronts_ideal);
    EXPECT_EQ(512u, store.bytes);
}

TEST(CountAs, InactiveLanesStayInactive) {
    SharedCounts load = counts({{}, {1, 16}, {}}, 1, 4, 16, 4, 0x1).shared_load;
    EXPECT_EQ(1u, load.wavefronts);
    EXPECT_EQ(16u, load.bytes);
}

}  // namespace
}  // namespace lanewise
