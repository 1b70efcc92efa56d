// What blocks do to each other, in launches that touch more than is kept; kernels are in planted/.
#include "trace/check/block_conflicts.h"

#include <gtest/gtest.h>

#include "../../sim/run_ptx.h"

namespace lanewise {
namespace {

// 600 blocks store to 1,024 sectors each, one word in every one: block b stores b. The eleventh and
// the 301st sector that each touches are the same for all, the rest its own.
struct ManyBlocks {
    static constexpr uint32_t kBlocks = 600, kSectors = 1024;
    ptx::Kernel kernel = ptx::parse(kernel_around("st.global.u32 [%rd1], %r0;")).kernels.at(0);
    AtomicUse use = atomic_use(kernel);
    Memory memory;
    uint64_t base = memory.allocate(uint64_t{kBlocks} * kSectors * 32 + 64, "data");
    uint64_t shared_by_all = base + uint64_t{kBlocks} * kSectors * 32;
    uint32_t store = 0;

    ManyBlocks() {
        while (kernel.instructions[store].parts[0] != "st") ++store;
    }
    void touch(BlockTouches& touches, uint32_t block) const {
        const uint32_t rows[1] = {0};
        for (uint32_t i = 0; i < kSectors; ++i) {
            std::array<uint64_t, 32> addresses{};
            addresses[5] = base + (uint64_t{block} * kSectors + i) * 32;
            if (i == 10) addresses[5] = shared_by_all;
            if (i == 300) addresses[5] = shared_by_all + 32;
            std::array<uint32_t, 32> values;
            values.fill(block);
            MemoryEvent event{store, Space::global, true, 4, block, 0, 1u << 5, &addresses};
            event.registers = reinterpret_cast<const std::byte*>(values.data());
            event.rows = rows;
            touches.add(event, false);
        }
        touches.end_block();
    }
    // The blocks dealt out to so many touches.
    HazardCounts conflicts(size_t count) const {
        std::vector<BlockTouches> touches(count, BlockTouches(kernel, use, memory, {}));
        for (uint32_t block = 0; block < kBlocks; ++block) touch(touches[block % count], block);
        std::vector<const BlockTouches*> all;
        for (const BlockTouches& one : touches) all.push_back(&one);
        HazardCounts hazards;
        add_block_conflicts(all, hazards);
        return hazards;
    }
};

// 512 sectors of each would be 307,200, more than the 262,144 that are kept: 256 it is. So the
// 301st is not looked at, and of the eleventh the first 64 blocks, which make 2,016 pairs.
TEST(BlockConflicts, KeepTheFirstSectorsOfEveryBlock) {
    ManyBlocks blocks;
    for (size_t count : {1u, 2u, 3u}) {
        HazardCounts hazards = blocks.conflicts(count);
        ASSERT_EQ(1u, hazards.size()) << count;
        const HazardCount& found = hazards.begin()->second;
        EXPECT_EQ(2016u, found.count) << count;
        EXPECT_EQ(HazardKind::block_order, found.first.kind);
        EXPECT_EQ(blocks.shared_by_all, found.first.address);
        EXPECT_EQ(1u, found.first.block);
        EXPECT_EQ(0u, found.first.other_block);
        EXPECT_EQ(5u, found.first.thread);
    }
}

// Two blocks that touch the first bytes of one buffer.
struct TwoBlocks {
    ptx::Kernel kernel = ptx::parse(kernel_around("st.global.u32 [%rd1], %r0;")).kernels.at(0);
    AtomicUse use = atomic_use(kernel);
    Memory memory;
    uint64_t base = memory.allocate(4096, "data");
    BlockTouches touches{kernel, use, memory, {}};

    void store(uint32_t block, const std::array<uint64_t, 32>& addresses,
               const std::array<uint32_t, 32>& values) {
        const uint32_t rows[1] = {0};
        MemoryEvent event{0, Space::global, true, 4, block, 0, ~0u, &addresses};
        event.registers = reinterpret_cast<const std::byte*>(values.data());
        event.rows = rows;
        touches.add(event, false);
    }
    HazardCounts conflicts() const {
        HazardCounts hazards;
        const BlockTouches* all[] = {&touches};
        add_block_conflicts(all, hazards);
        return hazards;
    }
};

// All lanes store to one word, and the last one's value stays: two blocks whose last lanes agree do
// the same, whatever the others store.
TEST(BlockConflicts, OfLanesAtOnePlaceTheLastCounts) {
    for (bool agree : {true, false}) {
        TwoBlocks blocks;
        std::array<uint64_t, 32> addresses;
        addresses.fill(blocks.base + 8);
        for (uint32_t block = 0; block < 2; ++block) {
            std::array<uint32_t, 32> values;
            values.fill(block);
            if (agree) values[31] = 7;
            blocks.store(block, addresses, values);
            blocks.touches.end_block();
        }
        HazardCounts hazards = blocks.conflicts();
        ASSERT_EQ(agree ? 0u : 1u, hazards.size());
        if (agree) continue;
        const Hazard& found = hazards.begin()->second.first;
        EXPECT_EQ(31u, found.thread);
        EXPECT_EQ(31u, found.other_thread);
        EXPECT_EQ(blocks.base + 8, found.address);
    }
}

// A bulk copy of 96 bytes in pieces of 16 by lane 3 of warp 1, from the middle of a sector on; the
// next block reads the words before it, at its first and last, and behind it.
TEST(BlockConflicts, ABulkCopyIsAllItsThreads) {
    TwoBlocks blocks;
    BulkCut cut;
    for (uint32_t at = 0; at < 96; at += 16) cut.add({at, 16 + at});
    BulkPieces pieces(std::make_shared<const BulkCut>(cut), blocks.base);
    blocks.touches.add({0, Space::global, true, 0, 1, 3, pieces});
    blocks.touches.end_block();
    std::array<uint64_t, 32> words{};
    size_t lane = 0;
    for (uint64_t at : {12, 16, 108, 112}) words[lane++] = blocks.base + at;
    blocks.touches.add({0, Space::global, false, 4, 1, 0, 0xf, &words}, false);
    blocks.touches.end_block();
    HazardCounts hazards = blocks.conflicts();
    ASSERT_EQ(1u, hazards.size());
    const HazardCount& found = hazards.begin()->second;
    EXPECT_EQ(2u, found.count);
    EXPECT_EQ(1u, found.first.block);
    EXPECT_EQ(1u, found.first.thread);
    EXPECT_EQ(35u, found.first.other_thread);
    EXPECT_EQ(blocks.base + 16, found.first.address);
}

// One of 320 bytes: a line of 128 that the block had not touched, one of which lane 2 of warp 0 had
// stored a word, and half a line. The next block reads a word of each, and the one behind.
TEST(BlockConflicts, ABulkCopyIsAllOfItsLines) {
    TwoBlocks blocks;
    ASSERT_EQ(0u, blocks.base % 128);
    std::array<uint64_t, 32> words{};
    words[2] = blocks.base + 160;
    blocks.touches.add({0, Space::global, true, 4, 0, 0, 1u << 2, &words}, false);
    BulkCut cut;
    for (uint32_t at = 0; at < 320; at += 16) cut.add({at, at});
    BulkPieces pieces(std::make_shared<const BulkCut>(cut), blocks.base);
    blocks.touches.add({0, Space::global, true, 0, 1, 3, pieces});
    EXPECT_EQ(10u, blocks.touches.sectors().size());
    blocks.touches.end_block();
    size_t lane = 0;
    for (uint64_t at : {124, 160, 316, 320}) words[lane++] = blocks.base + at;
    blocks.touches.add({0, Space::global, false, 4, 1, 0, 0xf, &words}, false);
    blocks.touches.end_block();
    HazardCounts hazards = blocks.conflicts();
    ASSERT_EQ(1u, hazards.size());
    const HazardCount& found = hazards.begin()->second;
    EXPECT_EQ(3u, found.count);
    EXPECT_EQ(0u, found.first.thread);
    EXPECT_EQ(35u, found.first.other_thread);
    EXPECT_EQ(blocks.base + 124, found.first.address);
}

// One acquire load, and nothing is told of: blocks may wait for each other.
TEST(BlockConflicts, KernelsWhoseBlocksMayWaitAreLeftAlone) {
    ManyBlocks blocks;
    blocks.kernel =
        ptx::parse(
            kernel_around("st.global.u32 [%rd1], %r0; ld.acquire.gpu.global.u32 %r1, [%rd0];"))
            .kernels.at(0);
    blocks.use = atomic_use(blocks.kernel);
    BlockTouches touches(blocks.kernel, blocks.use, blocks.memory, {});
    blocks.touch(touches, 0);
    EXPECT_TRUE(touches.sectors().empty());
}

}  // namespace
}  // namespace lanewise
