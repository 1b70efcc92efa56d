// What a launch leaves in the parts of L2, and what a warp has under way, of events and of machine code that are
// written here: counted by hand.
#include "model/launch_record.h"

#include <gtest/gtest.h>

#include <cstring>
#include <memory>
#include <string>

#include "ptx/parser.h"
#include "sim/warp/machine.h"

namespace lanewise {
namespace {

constexpr const char* kRecordHead = ".version 8.0\n.target sm_90\n.address_size 64\n";

// One load and one store; blocks read and write whole sectors by their first lane alone.
class L2 {
  public:
    // Of so many parts, each for 16 sectors (four lines); between two launches all of up to `kept` stay.
    explicit L2(int parts, double kept = 16, const std::string& load = "ld.global.u32", double changed_kept = 0, double changed_lost = 0) {
        kernel = ptx::parse(std::string(kRecordHead) +
                                ".visible .entry k(.param .u64 p)\n{\n.reg .b64 %rd<2>;\n.reg .b32 %r<2>;\n"
                                "ld.param.u64 %rd1, [p];\n" + load + " %r1, [%rd1];\nst.global.u32 [%rd1], %r1;\nret;\n}\n",
                            "k");
        code = timed_code(kernel, {});
        base = memory.allocate(1 << 20, "data");
        RecordLimits limits;
        limits.l2_sectors = 16;
        limits.l2_kept = kept;
        limits.l2_parts = parts;
        limits.store_sector_clocks = limits.store_line_clocks = 1;
        limits.changed_kept = changed_kept;
        limits.changed_lost = changed_lost;
        recorder = std::make_unique<LaunchRecorder>(kernel, code, memory, std::span<const CountAs>{}, std::span<const int>{}, 1, limits);
        recorder->keep(true);
    }
    void touch(uint32_t block, uint64_t line, bool is_store = false, uint8_t bytes = 32) {
        std::array<uint64_t, 32> addresses{};
        for (uint64_t sector = 0; sector < 4; ++sector) {
            addresses[0] = base + 128 * line + 32 * sector;
            MemoryEvent event{is_store ? 2u : 1u, Space::global, is_store, bytes, block, 0, 1, &addresses};
            recorder->on_memory(event);
        }
    }
    // One load by a lane for each of these sectors.
    void load(uint32_t block, std::initializer_list<uint64_t> sectors) {
        std::array<uint64_t, 32> addresses{};
        size_t lanes = 0;
        for (uint64_t sector : sectors) addresses[lanes++] = base + 32 * sector;
        MemoryEvent event{1u, Space::global, false, 4, block, 0, (1u << lanes) - 1, &addresses};
        recorder->on_memory(event);
    }
    LaunchRecord take() {
        recorder->on_block_end(0);
        return recorder->take(1);
    }

    ptx::Kernel kernel;
    TimedCode code;
    Memory memory;
    uint64_t base = 0;
    std::unique_ptr<LaunchRecorder> recorder;
};

// Eight rows of 64 bytes, one behind the other in global memory, which a warp copies by 16 bytes a lane to rows `pitch` bytes
// apart in shared memory. At 64 bytes four lines are four requests of four sectors. At 80 every other row begins in the middle
// of a sector of shared memory, so that its two sectors go to three, in four pieces: 24 sectors come. By bits 4 and 5 of where
// 16 bytes are moved to, and by lines, there are 1, 3, 1, 3, 1, 2, 2 and 2 requests for the rows. At 96 all sectors stay whole;
// of the second and sixth row the halves go to two lines.
TEST(LaunchRecord, CopiesAskByWhereTheyGoInSharedMemory) {
    auto copied = [](uint64_t pitch) {
        L2 l2(1, 16, "cp.async.cg.shared.global [%rd1], [%rd1], 16; ld.global.cg.u32");
        std::array<uint64_t, 32> from{}, to{};
        for (uint64_t lane = 0; lane < 32; ++lane) {
            from[lane] = l2.base + 16 * lane;
            to[lane] = lane / 4 * pitch + lane % 4 * 16;
        }
        MemoryEvent event{1u, Space::global, false, 16, 0, 0, ~0u, &from};
        event.kind = AccessKind::async_copy;
        l2.recorder->on_memory(event);
        event.space = Space::shared;
        event.is_store = true;
        event.addresses = &to;
        l2.recorder->on_memory(event);
        const LaunchRecord record = l2.take();
        EXPECT_EQ(1u, record.accesses.size());
        EXPECT_EQ(16, record.accesses[0].sectors);
        return std::pair(record.accesses[0].requests, record.accesses[0].sent_sectors);
    };
    EXPECT_EQ(std::pair(uint16_t{4}, uint16_t{16}), copied(64));
    EXPECT_EQ(std::pair(uint16_t{15}, uint16_t{24}), copied(80));
    EXPECT_EQ(std::pair(uint16_t{10}, uint16_t{16}), copied(96));
}

// Four lines fit: the first is there again after four others, and not after five.
TEST(LaunchRecord, OneL2LosesWhatWasTouchedLongestAgo) {
    L2 l2(1);
    for (uint64_t line : {0, 1, 2, 3, 4, 0}) l2.touch(0, line);
    for (uint64_t line : {5, 6, 7, 8, 9, 0}) l2.touch(0, line);
    LaunchRecord record = l2.take();
    EXPECT_EQ(10 * 4, record.read_sectors);
    EXPECT_EQ(4, record.again_sectors);
}

// Two blocks load sectors 8 and 40. Kept apart from 40 on, the second block's is another one, whose first bit still says
// that it comes from DRAM; 8 stays the same.
TEST(LaunchRecord, BlocksCanBeKeptApart) {
    LaunchRecord record;
    record.sectors = {8 << 1, 40 << 1 | 1, 8 << 1, 40 << 1 | 1, 64 << 1};
    record.accesses.resize(2);
    for (uint32_t i = 0; i < 2; ++i) {
        record.accesses[i].sectors = static_cast<uint16_t>(2 + i);
        record.accesses[i].first_sector = 2 * i;
        record.blocks.push_back({i, 1, {{{0, RecordedStep::kNone}, {1, i}, {1, RecordedStep::kOff}}}});
    }
    keep_apart(record, 32, 32);
    EXPECT_EQ((std::vector<uint64_t>{16, 81, 16}), std::vector<uint64_t>(record.sectors.begin(), record.sectors.begin() + 3));
    EXPECT_NE(81u, record.sectors[3]);
    EXPECT_EQ(1u, record.sectors[3] & 1);
    EXPECT_EQ(1u << 7, record.sectors[4]);  // beyond them
}

// Blocks of different multiprocessors read the same six lines in turn. In one L2 of 16 sectors nothing stays; with two
// parts, whichever each block belongs to, there is room for eight lines, but what both read takes it up twice: no
// block finds all, and a block that reads on its own finds no more than its own part holds.
TEST(LaunchRecord, EachPartOfL2KeepsWhatItsOwnMultiprocessorsRead) {
    auto again_of = [](int parts, std::initializer_list<uint32_t> blocks) {
        L2 l2(parts);
        for (uint32_t block : blocks)
            for (uint64_t line = 0; line < 6; ++line) l2.touch(block, line);
        LaunchRecord record = l2.take();
        EXPECT_EQ(6 * 4, record.read_sectors);
        return record.again_sectors;
    };
    EXPECT_EQ(6 * 4, again_of(1, {0, 1}));
    EXPECT_EQ(6 * 4, again_of(2, {0, 0}));
    // What the far part has read just now is found there: of its 16 sectors the latest half. So a block of the other
    // part that comes next misses the first lines and not the last.
    double most = 0;
    for (uint32_t other = 1; other < 12; ++other) most = std::max(most, 6 * 4 - again_of(2, {0, other}));
    EXPECT_GT(most, 0);
    EXPECT_LT(most, 6 * 4);
}

// Blocks 0 to 15 have one GPC, which sends up to four requests for a line to L2 as one: of five blocks' loads of a line's
// four sectors the second to the fourth go with the first. Those of block 16 have another way, and so has who comes late.
TEST(LaunchRecord, MultiprocessorsOfAGpcAskTogether) {
    auto together = [](std::initializer_list<uint32_t> blocks, uint64_t lines_before = 0) {
        L2 l2(1);
        for (uint32_t block : blocks) {
            if (block == *(blocks.end() - 1))
                for (uint64_t line = 0; line < lines_before; ++line) l2.touch(block, 100 + line);
            l2.touch(block, 0);
        }
        LaunchRecord record = l2.take();
        EXPECT_EQ(4.0 * static_cast<double>(blocks.size() + lines_before), record.by_instruction.asked[1]);
        return record.by_instruction.together[1];
    };
    EXPECT_EQ(0, together({3}));
    EXPECT_EQ(3 * 4, together({0, 1, 2, 3}));
    EXPECT_EQ(3 * 4, together({0, 1, 2, 3, 4}));
    EXPECT_EQ(4 * 4, together({0, 1, 2, 3, 4, 5}));
    EXPECT_EQ(0, together({15, 16}));
    EXPECT_EQ(4, together({0, 1}, 4));
    EXPECT_EQ(0, together({0, 1}, 12));  // 48 sectors later
    L2 again(1);
    again.touch(0, 0), again.touch(0, 0);  // L1 has it
    EXPECT_EQ(4, again.take().by_instruction.asked[1]);
}

// As many places as 256 bytes that are stored to: 16 take 4.5 times as long, 256 take 2.3 times, 64 what lies between.
// One half of a launch's blocks that stores to 256 of as many more tells of 512.
TEST(LaunchRecord, StoresToFewPlacesCrowd) {
    auto crowded = [](uint64_t pieces, double of_blocks = 1) {
        L2 l2(1);
        for (uint64_t piece = 0; piece < pieces; ++piece)
            for (uint64_t line = 0; line < 2; ++line) l2.touch(0, 2 * piece + line, true);
        l2.recorder->on_block_end(0);
        return l2.recorder->take(of_blocks).crowded_stores;
    };
    EXPECT_EQ(1, crowded(0));
    EXPECT_NEAR(4.5, crowded(16), 0.01);
    EXPECT_NEAR((4.5 + 2.3) / 2, crowded(64), 0.15);  // the buffer begins within one
    EXPECT_NEAR(2.3, crowded(256), 0.05);
    EXPECT_NEAR(2.3 - 1.3 / 4, crowded(256, 2), 0.05);
    EXPECT_NEAR(1, crowded(4096), 0.05);
}

// Of 32 lanes 16 each have one of two words: of the lanes beside it half change the same as a lane does. Who compares with
// a constant claims a place and does not go round, and a sum is no swap.
TEST(LaunchRecord, SwapsThatOthersMaySpoilAreFound) {
    auto record_of = [](const std::string& swap) {
        ptx::Kernel kernel = ptx::parse(std::string(kRecordHead) +
                                            ".visible .entry k(.param .u64 p)\n{\n.reg .b64 %rd<2>;\n.reg .b32 %r<4>;\n"
                                            ".reg .pred %p<2>;\nld.param.u64 %rd1, [p];\nld.global.u32 %r1, [%rd1];\nAgain:\n"
                                            "mov.u32 %r2, %r1;\nadd.u32 %r3, %r2, 1;\n" +
                                            swap + "\nsetp.ne.u32 %p1, %r1, %r2;\n@%p1 bra Again;\nret;\n}\n",
                                        "k");
        TimedCode code = timed_code(kernel, {});
        Memory memory;
        const uint64_t base = memory.allocate(4096, "data");
        RecordLimits limits;
        limits.at_once = 10;
        LaunchRecorder recorder(kernel, code, memory, {}, {}, 1, limits);
        std::array<uint64_t, 32> addresses{};
        for (uint64_t lane = 0; lane < 32; ++lane) addresses[lane] = base + lane % 2 * 4;
        recorder.on_memory({4, Space::global, false, 4, 0, 0, ~0u, &addresses, AccessKind::atomic});
        recorder.on_block_end(0);
        return recorder.take(100);
    };
    LaunchRecord record = record_of("atom.global.cas.b32 %r1, [%rd1], %r2, %r3;");
    ASSERT_EQ(1u, record.swaps.loops.size());
    EXPECT_EQ(4u, record.swaps.loops[0].instruction);
    EXPECT_EQ(2u, record.swaps.loops[0].head);
    EXPECT_EQ(6u, record.swaps.loops[0].back);
    EXPECT_EQ(&record.swaps.loops[0], record.swaps.of(4));
    EXPECT_EQ(nullptr, record.swaps.of(3));
    EXPECT_DOUBLE_EQ(10 * 32 * 0.5, record.swaps.beside);  // ten blocks at once
    EXPECT_EQ(0u, record_of("atom.global.cas.b32 %r1, [%rd1], 0, %r3;").swaps.loops.size());
    EXPECT_EQ(0u, record_of("atom.global.add.u32 %r1, [%rd1], %r3;").swaps.loops.size());
}

// Both halves of 64 bytes come for a load of either: of five single sectors the other halves are fetched for nothing;
// asked for by a block that comes later they are found; by the same warp at once they come with the first ones.
TEST(LaunchRecord, L2FetchesBothHalvesOf64Bytes) {
    struct Told {
        double fetched, alone, second;
        bool operator==(const Told&) const = default;
    };
    auto told = [](L2& l2) {
        LaunchRecord record = l2.take();
        return Told{record.fetched_sectors, record.halves.alone, record.halves.second};
    };
    L2 singles(1);
    singles.load(0, {0, 2, 5, 6});
    singles.load(0, {8});
    EXPECT_EQ((Told{5, 5, 0}), told(singles));
    L2 later(1);
    later.load(0, {0, 2, 5, 6});
    later.load(3, {1, 3, 4});
    EXPECT_EQ((Told{7, 1, 3}), told(later));
    L2 at_once(1);
    at_once.load(0, {0, 2, 5, 6});
    at_once.load(0, {1, 3, 4, 7});
    EXPECT_EQ((Told{8, 0, 0}), told(at_once));
    L2 together(1);
    together.load(0, {0, 1, 2, 3});
    EXPECT_EQ((Told{4, 0, 0}), told(together));
    L2 lost(1);  // five other lines come between
    lost.load(0, {0});
    lost.load(0, {4, 8, 12, 16, 20});
    lost.load(3, {1});
    EXPECT_EQ((Told{7, 7, 0}), told(lost));
}

// Atomics on a buffer, one warp's after another.
class Atomics {
  public:
    explicit Atomics(const std::string& instruction, uint64_t bytes = 4 << 20) {
        kernel = ptx::parse(std::string(kRecordHead) +
                                ".visible .entry k(.param .u64 p)\n{\n.reg .b64 %rd<2>;\n.reg .b32 %r<2>;\n.reg .f32 %f<2>;\n"
                                "ld.param.u64 %rd1, [p];\n" +
                                instruction + "\nret;\n}\n",
                            "k");
        code = timed_code(kernel, {});
        base = (memory.allocate(bytes, "data") + 1023) / 1024 * 1024;
        RecordLimits limits;
        limits.slices = 64;
        limits.word_clocks = 3;
        limits.float_word_clocks = 7;
        limits.whole_sector_clocks = 2;
        limits.returned_sector_clocks = 0.5;
        recorder = std::make_unique<LaunchRecorder>(kernel, code, memory, std::span<const CountAs>{}, std::span<const int>{}, 1, limits);
    }
    // By lanes whose words lie side by side from this byte on, and begin again after so many.
    Atomics& add(uint64_t byte, uint32_t mask = ~0u, uint64_t words = 32, bool is_needed = false) {
        std::array<uint64_t, 32> addresses{};
        for (uint64_t lane = 0; lane < 32; ++lane) addresses[lane] = base + byte + lane % words * 4;
        recorder->on_memory({1, Space::global, !is_needed, 4, 0, 0, mask, &addresses, AccessKind::atomic});
        return *this;
    }
    double busiest() {
        recorder->on_block_end(0);
        return recorder->take(1).atomics.busiest_clocks;
    }

    ptx::Kernel kernel;
    TimedCode code;
    Memory memory;
    uint64_t base = 0;
    std::unique_ptr<LaunchRecorder> recorder;
};

constexpr const char* kAddOne = "red.global.add.u32 [%rd1], 1;";

// Reductions of 32 words side by side. A KB is two slices': its first and its third 256 bytes are one's, its second and
// its fourth the other's. A buffer of less than a MB begins, so to say, in the middle of a KB.
TEST(LaunchRecord, PiecesOfAKilobyteAreTwoSlices) {
    auto busiest = [](uint64_t buffer, std::initializer_list<uint64_t> lines) {
        Atomics atomics(kAddOne, buffer);
        for (uint64_t line : lines) atomics.add(128 * line);
        return atomics.busiest();
    };
    constexpr uint64_t kLarge = 4 << 20, kSmall = 4 << 10, kLine = 4 * 2;
    EXPECT_EQ(kLine, busiest(kLarge, {0}));
    EXPECT_EQ(2 * kLine, busiest(kLarge, {0, 1}));
    EXPECT_EQ(kLine, busiest(kLarge, {0, 2}));
    EXPECT_EQ(2 * kLine, busiest(kLarge, {0, 4}));
    EXPECT_EQ(kLine, busiest(kLarge, {0, 6}));
    EXPECT_EQ(kLine, busiest(kLarge, {0, 8}));
    EXPECT_EQ(4 * kLine, busiest(kLarge, {0, 1, 2, 3, 4, 5, 6, 7}));
    EXPECT_EQ(2 * kLine, busiest(kSmall, {0, 1, 2, 3, 4, 5, 6, 7}));
}

// Two lanes on each of 16 words are two sectors of two turns of three clocks; all on one word 32 turns.
TEST(LaunchRecord, LanesOnOneWordTakeTurns) {
    EXPECT_EQ(2 * 2 * 3, Atomics(kAddOne).add(0, ~0u, 16).busiest());
    EXPECT_EQ(32 * 3, Atomics(kAddOne).add(0, ~0u, 1).busiest());
    EXPECT_EQ(3 * 3, Atomics(kAddOne).add(0, 1).add(0, 1).add(0, 1).busiest());
}

// Sums of floats wait for the one before where nothing else comes between: of one lane of each warp, and of lanes.
TEST(LaunchRecord, FloatsOnOneWordWaitForEachOther) {
    const char* add = "red.global.add.f32 [%rd1], %f1;";
    EXPECT_EQ(3 + 2 * 7, Atomics(add).add(0, 1).add(0, 1).add(0, 1).busiest());
    EXPECT_EQ(4 * 3, Atomics(add).add(0, 1).add(32, 1).add(0, 1).add(32, 1).busiest());
    EXPECT_EQ(4 * 3, Atomics(add).add(0, 1).add(4, 1).add(8, 1).add(0, 1).busiest());  // words of one sector
    EXPECT_EQ(32 * 7, Atomics(add).add(0, ~0u, 1).busiest());
    EXPECT_EQ(2 * 4 * 2, Atomics(add).add(0).add(0).busiest());  // whole lines
}

// The way back of old values is all slices' together: of 64 sectors far from each other, half a clock each.
TEST(LaunchRecord, OldValuesComeBackOneAfterAnother) {
    auto busiest = [](bool is_needed) {
        Atomics atomics(is_needed ? "atom.global.add.u32 %r1, [%rd1], 1;" : kAddOne);
        for (uint64_t at = 0; at < 64; ++at) atomics.add(1024 * at, 1, 32, is_needed);
        return atomics.busiest();
    };
    EXPECT_EQ(32, busiest(true));
    EXPECT_LT(busiest(false), 32);
}

// Of two words of a sector one message brings both values, which takes a fifth longer; two lanes of one word are two.
TEST(LaunchRecord, AMessageHasALaneOfEachWord) {
    auto busiest = [](uint64_t words, uint32_t mask) {
        Atomics atomics("atom.global.add.u32 %r1, [%rd1], 1;");
        for (uint64_t at = 0; at < 64; ++at) atomics.add(1024 * at, mask, words, true);
        return atomics.busiest();
    };
    EXPECT_NEAR(64 * 0.5 * 1.2, busiest(2, 0b11), 1e-9);
    EXPECT_NEAR(64 * 0.5 * 2, busiest(1, 0b11), 1e-9);
    EXPECT_NEAR(64 * 0.5 * (1.2 + 1), busiest(2, 0b111), 1e-9);  // words 0, 1 and 0
}

// Rows of halves, each lane's pair from two of them: four loads of eight rows by four words. Rows of 128 bytes lie in
// the same banks, so that each load takes eight wavefronts; of 144 bytes in different ones. Where pairs lie side by
// side (a matrix by columns), a load has eight columns.
TEST(LaunchRecord, APairOfTwoRowsTakesTheWordsOfBoth) {
    auto wavefronts = [](const std::string& layout, int stride) {
        ptx::Kernel kernel = ptx::parse(std::string(kRecordHead) +
                                            ".visible .entry k(.param .u64 p)\n{\n.reg .b64 %rd<2>;\n.reg .b32 %r<9>;\n"
                                            "ld.param.u64 %rd1, [p];\nwmma.load.b.sync.aligned." +
                                            layout +
                                            ".m16n16k16.global.f16 {%r1, %r2, %r3, %r4, %r5, %r6, %r7, %r8}, [%rd1], " +
                                            std::to_string(stride) + ";\nret;\n}\n",
                                        "k");
        TimedCode code = timed_code(kernel, {});
        Memory memory;
        uint64_t base = memory.allocate(8192, "data");
        const CountAs as = {1, 0, CountAs::Executed::pairs};
        const std::vector<int> access_of = {-1, 0, -1};
        LaunchRecorder recorder(kernel, code, memory, std::span(&as, 1), access_of, 1, {});
        recorder.keep(true);
        std::vector<std::byte> arguments(8);
        std::memcpy(arguments.data(), &base, 8);
        Machine(kernel).run({{1}, {32}}, arguments, memory, 0, 1, recorder);
        LaunchRecord record = recorder.take(1);
        EXPECT_EQ(1u, record.accesses.size());
        return record.accesses.empty() ? 0 : record.accesses[0].wavefronts;
    };
    EXPECT_EQ(4 * 8, wavefronts("row", 64));
    EXPECT_EQ(4 * 1, wavefronts("row", 72));
    EXPECT_EQ(4 * 8, wavefronts("col", 64));
    EXPECT_EQ(4 * 1, wavefronts("col", 72));
}

// A sector that is written in part is read from DRAM before, but not where a load has brought it.
TEST(LaunchRecord, APartOfWhatIsThereIsWrittenWithoutReadingIt) {
    L2 l2(1);
    l2.touch(0, 0, true, 4);
    l2.touch(0, 1);
    l2.touch(0, 1, true, 4);
    EXPECT_EQ(4, l2.take().part_sectors);
}

// Three lines and the same launch once more: all of it is still there. Of six, with room for four, nothing is; where
// up to two lines stay for certain, half of what three lines before it pushed towards the end does.
TEST(LaunchRecord, WhatTheLaunchBeforeLeftIsToldFromTheTouches) {
    auto left_of = [](uint64_t lines, double kept, bool is_store = false) {
        L2 l2(1, kept);
        for (uint64_t line = 0; line < lines; ++line) l2.touch(0, line, is_store);
        LaunchRecord record = l2.take();
        EXPECT_EQ(is_store ? 0 : lines * 4, record.read_sectors);
        return is_store ? record.left.writes : record.left.reads;
    };
    EXPECT_EQ(3 * 4, left_of(3, 16));
    EXPECT_EQ(0, left_of(6, 16));
    EXPECT_EQ(3 * 4, left_of(3, 16, true));
    EXPECT_GT(left_of(3, 4), 0);
    EXPECT_LT(left_of(3, 4), 3 * 4);
}

// L2 has 16 sectors, and four that are written stay; of eight half do, and of twelve none.
TEST(LaunchRecord, OfWhatIsWrittenLessIsLeft) {
    auto left = [](uint64_t lines) {
        L2 l2(1, 16, "ld.global.u32", 4, 12);
        for (uint64_t line = 0; line < lines; ++line) l2.touch(0, line, true);
        return l2.take().left.writes;
    };
    EXPECT_DOUBLE_EQ(4, left(1));
    EXPECT_DOUBLE_EQ(8 * 0.5, left(2));
    EXPECT_DOUBLE_EQ(0, left(3));
}

// What is loaded to be used once is the first to go, also where there is room for it.
TEST(LaunchRecord, WhatIsNeededOnceIsNotLeft) {
    for (const char* load : {"ld.global.cs.u32", "ld.global.L2::evict_first.u32"}) {
        L2 l2(1, 16, load);
        for (uint64_t line = 0; line < 3; ++line) l2.touch(0, line);
        EXPECT_EQ(0, l2.take().left.reads) << load;
    }
}

// A warp's steps in the order of the machine code: lines are PTX lines, and each stands at its addresses.
std::vector<uint32_t> order_of(const std::string& body, std::vector<std::pair<int, MachineUnit>> machine_lines) {
    ptx::Kernel kernel = ptx::parse(kRecordHead + body, "k");
    std::vector<MachineInstruction> machine;
    for (auto [line, unit] : machine_lines) {
        MachineInstruction each;
        each.address = static_cast<uint32_t>(16 * machine.size());
        each.ptx_line = line;
        each.unit = unit;
        machine.push_back(each);
    }
    machine.back().flow = MachineInstruction::Flow::end;
    TimedCode code = timed_code(kernel, machine);
    Memory memory;
    LaunchRecorder recorder(kernel, code, memory, {}, {}, 1, {});
    recorder.keep(true);
    recorder.on_steps(0, 0, static_cast<uint32_t>(kernel.instructions.size()));
    recorder.on_warp_end(0, 0, 1);
    recorder.on_block_end(0);
    std::vector<uint32_t> lines;
    const LaunchRecord record = recorder.take(1);
    for (const RecordedStep& step : record.blocks[0].warps[0])
        if (!code.instructions[step.instruction].places.empty())
            lines.push_back(static_cast<uint32_t>(kernel.instructions[step.instruction].ptx_line));
    return lines;
}

// ptxas works out the second load's address before the first load's use, but loads only behind it: the load is where
// it is made.
TEST(LaunchRecord, ALoadStandsWhereItIsMadeAndNotWhereItsAddressIs) {
    const std::string body =
        ".visible .entry k()\n{\n.reg .b64 %rd<3>;\n.reg .f32 %f<4>;\n"  // lines 4 to 7
        "ld.global.f32 %f1, [%rd1];\n"                                    // 8
        "add.f32 %f2, %f1, %f1;\n"                                        // 9
        "ld.global.f32 %f3, [%rd2];\n"                                    // 10
        "ret;\n}\n";
    using U = MachineUnit;
    EXPECT_EQ((std::vector<uint32_t>{8, 9, 10, 11}),
              order_of(body, {{8, U::memory}, {10, U::alu}, {9, U::fma}, {10, U::memory}, {11, U::none}}));
    EXPECT_EQ((std::vector<uint32_t>{8, 10, 9, 11}),
              order_of(body, {{8, U::memory}, {10, U::alu}, {10, U::memory}, {9, U::fma}, {11, U::none}}));
}

}  // namespace
}  // namespace lanewise
