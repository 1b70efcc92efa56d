// What the sampler makes of accesses that can be drawn on a napkin.
#include "model/traffic.h"

#include <gtest/gtest.h>

#include <array>

namespace lanewise {
namespace {

using Lanes = std::array<uint64_t, 32>;

// 32 lanes, `stride` bytes from one to the next.
Lanes lanes_from(uint64_t first, uint64_t stride) {
    Lanes lanes;
    for (size_t n = 0; n < 32; ++n) lanes[n] = first + n * stride;
    return lanes;
}

void touch(TrafficSampler& sampler, bool is_store, const Lanes& lanes, uint32_t instruction = 0,
           uint16_t warp = 0, uint32_t mask = 0xffff'ffff) {
    MemoryEvent event = {instruction, Space::global, is_store, 4, 0, warp, mask, &lanes};
    sampler.on_memory(event);
}

// A warp reads 128 bytes in order and writes a column of a matrix with rows of 256 bytes.
TEST(Traffic, CountsLinesAndPartsOfSectors) {
    TrafficSampler sampler(1);
    touch(sampler, false, lanes_from(0, 4));
    touch(sampler, true, lanes_from(4096, 256), 1);
    sampler.on_block_end(0);
    TrafficSample got = sampler.take();
    EXPECT_EQ(4, got.load_sectors);
    EXPECT_EQ(1, got.load_lines);
    EXPECT_EQ(128, got.load_run_bytes);
    EXPECT_EQ(32, got.store_sectors);
    EXPECT_EQ(32, got.store_lines);
    EXPECT_EQ(32, got.store_sectors_in_part);
    EXPECT_EQ(32, got.store_run_bytes);
    EXPECT_EQ(1, got.trips);
}

// 33 words from byte 4 on: the first sector lacks a word, the fifth has one; two lines.
TEST(Traffic, SeesMisalignment) {
    TrafficSampler sampler(1);
    touch(sampler, true, lanes_from(4, 4));
    sampler.on_block_end(0);
    TrafficSample got = sampler.take();
    EXPECT_EQ(5, got.store_sectors);
    EXPECT_EQ(2, got.store_lines);
    EXPECT_EQ(2, got.store_sectors_in_part);
}

// Two warps read the same column of two neighbouring words: L1 has the sectors already.
TEST(Traffic, CountsASectorOfABlockOnce) {
    TrafficSampler sampler(2);
    touch(sampler, false, lanes_from(0, 256), 0, 0);
    touch(sampler, false, lanes_from(4, 256), 0, 1);
    sampler.on_block_end(0);
    touch(sampler, false, lanes_from(8, 256), 0, 0);
    sampler.on_block_end(1);
    TrafficSample got = sampler.take();
    EXPECT_EQ(96, got.load_sectors);
    EXPECT_EQ(64, got.load_sectors_once);      // 32 of each block
    EXPECT_EQ(32, got.load_sectors_together);  // and the same ones
    EXPECT_EQ(4, got.warps);
    EXPECT_EQ(3, got.trips);
}

// Two blocks side by side make one run of 256 bytes; two below each other stay two of 128.
TEST(Traffic, MeasuresRunsOverBlocks) {
    TrafficSampler along(1), down(1);
    for (uint64_t block : {0, 1}) {
        touch(along, true, lanes_from(128 * block, 4));
        along.on_block_end(0);
        touch(down, true, lanes_from(4096 * block, 4));
        down.on_block_end(0);
    }
    EXPECT_EQ(256, along.take().store_run_bytes);
    EXPECT_EQ(128, down.take().store_run_bytes);
}

// Instructions 0 and 1 are issued together, 2 on its own; a loop executes 0 and 1 twice.
TEST(Traffic, CountsHowOftenAWarpWaits) {
    const int together[] = {0, 0, 1};
    TrafficSampler sampler(1, together);
    for (int trip = 0; trip < 2; ++trip)
        for (uint32_t instruction : {0, 1}) touch(sampler, false, lanes_from(0, 4), instruction);
    touch(sampler, false, lanes_from(0, 4), 2);
    sampler.on_block_end(0);
    EXPECT_EQ(3, sampler.take().trips);
}

// Of two warps one executes and waits more: the block is done when that one is. Two blocks.
TEST(Traffic, LooksAtTheBusiestWarp) {
    TrafficSampler sampler(2);
    for (uint32_t block : {0, 1}) {
        touch(sampler, false, lanes_from(0, 4), 0);
        touch(sampler, false, lanes_from(0, 4), 1);
        sampler.on_warp_end(block, 0, 500 + 100 * block);
        sampler.on_warp_end(block, 1, 20);
        sampler.on_block_end(block);
    }
    Counts totals;
    totals.global_load.requests = 40;
    Traffic got = traffic_of(totals, 5200, 10, sampler.take());
    EXPECT_EQ(550, got.busiest_instructions);
    EXPECT_EQ(2, got.busiest_trips);
    EXPECT_EQ(1, got.trips);  // of an average warp
}

TEST(Traffic, IsPerBlockOfTheLaunch) {
    TrafficSampler sampler(1);
    touch(sampler, true, lanes_from(0, 256));
    sampler.on_block_end(0);
    Counts totals;
    totals.global_store = {20, 20, 320, 80, 2560};  // edges: 16 sectors a request, not 32
    totals.shared_load.wavefronts = 30;
    Traffic got = traffic_of(totals, 500, 10, sampler.take());
    EXPECT_EQ(2, got.store_requests);
    EXPECT_EQ(64, got.store_lines);
    EXPECT_EQ(32, got.store_sectors);
    EXPECT_EQ(32, got.store_sectors_in_part);
    EXPECT_EQ(3, got.shared_wavefronts);
    EXPECT_EQ(50, got.warp_instructions);
    EXPECT_EQ(0, got.trips);
    EXPECT_EQ(0, got.load_lines);
}

// 10 requests at 100 steps and 14 at 200: 4 for each 100, so 6 before the first.
TEST(Traffic, GrowsWithTheSum) {
    Traffic shorter, longer;
    shorter.load_requests = 10, longer.load_requests = 14;
    shorter.store_requests = longer.store_requests = 3;
    longer.blocks = 7;
    Traffic got = extrapolated(shorter, longer, 100, 200, 1000);
    EXPECT_DOUBLE_EQ(46, got.load_requests);
    EXPECT_DOUBLE_EQ(3, got.store_requests);
    EXPECT_DOUBLE_EQ(7, got.blocks);
}

// m16n8k16: 16 x 16 halves in 4 registers, 16 x 8 in 2, 16 x 8 floats in 4; and as wgmma reads the
// first two from shared memory. Asynchronous copies are told apart from the other waits.
TEST(Traffic, CountsTheOperationsOfTensorCoresAndTheWaitsForCopies) {
    using enum ProductOperand::Numbers;
    TrafficSampler sampler(1);
    std::array<ProductOperand, 3> operands = {
        {{'a', f16, 4, nullptr}, {'b', f16, 2, nullptr}, {'c', f32, 4, nullptr}}};
    sampler.on_product({0, 0, 0, ~0u, nullptr, operands});
    std::vector<double> a(256), b(128);
    operands[0].registers = operands[1].registers = 0;
    operands[0].shared = a;
    operands[1].shared = b;
    sampler.on_product({0, 0, 0, ~0u, nullptr, operands});
    Lanes lanes = lanes_from(0, 4);
    for (AccessKind kind : {AccessKind::plain, AccessKind::async_copy}) {
        MemoryEvent event = {
            kind == AccessKind::plain ? 1u : 2u, Space::global, false, 4, 0, 0, ~0u, &lanes};
        event.kind = kind;
        sampler.on_memory(event);
    }
    sampler.on_block_end(0);
    TrafficSample got = sampler.take();
    EXPECT_DOUBLE_EQ(2 * 2 * 16 * 8 * 16, got.tensor_operations);
    EXPECT_EQ(2, got.trips);
    EXPECT_EQ(1, got.copy_trips);
}

}  // namespace
}  // namespace lanewise
