// Where the bytes of a launch go, from counts that were made up by hand.
#include "lab/flow/bytes_path.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace lanewise {
namespace {

using L = BytesLevel;

const BytesPipe* pipe(const BytesFigureInput& input, L from, L to) {
    auto found = std::find_if(input.pipes.begin(), input.pipes.end(),
                              [&](const BytesPipe& p) { return p.from == from && p.to == to; });
    return found == input.pipes.end() ? nullptr : &*found;
}

// Loads 4 sectors a request, and stores 32 where 4 would do, all of it in line 26; shared memory is
// read with 8 wavefronts a load where 1 would do (line 18).
Analysis launch() {
    Analysis a;
    LineReport read, write;
    read.line = 18;
    read.counts.shared_load = {10, 80, 10, 1280};
    read.counts.shared_store = {10, 10, 10, 1280};
    write.line = 26;
    write.counts.global_load = {10, 10, 40, 40, 1280};
    write.counts.global_store = {10, 10, 320, 40, 1280};
    a.report.lines = {read, write};
    a.report.totals = read.counts;
    a.report.totals += write.counts;
    a.prediction.time_us = 5;
    a.prediction.l2_read_bytes = 1280;
    a.prediction.dram_read_bytes = a.prediction.dram_written_bytes = 1000;
    return a;
}

TEST(BytesPath, IsWhatTheCountsSay) {
    BytesFigureInput input = bytes_of(launch(), nullptr);
    const BytesPipe* read = pipe(input, L::shared, L::registers);
    ASSERT_TRUE(read);
    EXPECT_EQ(10 * 128, read->useful);
    EXPECT_EQ(70 * 128, read->vain);
    EXPECT_EQ(18, read->line);
    EXPECT_EQ("Counted: 80 wavefronts of loads, 10 at best", read->tooltip);
    EXPECT_EQ(0, pipe(input, L::registers, L::shared)->vain);
    EXPECT_EQ(10 * 128, pipe(input, L::registers, L::shared)->useful);
    EXPECT_EQ(40 * 32, pipe(input, L::l1, L::registers)->moved());
    for (auto [from, to] : {std::pair{L::registers, L::l1}, std::pair{L::l1, L::l2}}) {
        EXPECT_EQ(40 * 32, pipe(input, from, to)->useful);  // L1 writes through
        EXPECT_EQ(280 * 32, pipe(input, from, to)->vain);
        EXPECT_EQ(26, pipe(input, from, to)->line);
    }
    EXPECT_EQ(0, pipe(input, L::l1, L::shared)->moved());
    EXPECT_EQ("8.0 wavefronts a load", input.notes[0]);
    EXPECT_EQ("4.0 sectors a load", input.notes[2]);
    // 70 * 128 = 280 * 32 = 8,960 bytes are in vain in each; the first of them is told.
    EXPECT_EQ("88 % of what goes from shared memory to the registers is wasted: line 18.",
              words_of(input));
}

// Below L1 the model speaks: what is needed at least in memory, what L1 asks of L2.
TEST(BytesPath, BelowL1IsTheModels) {
    BytesFigureInput input = bytes_of(launch(), nullptr);
    EXPECT_EQ(1280, pipe(input, L::l2, L::l1)->moved());
    EXPECT_EQ(0, pipe(input, L::l2, L::l1)->vain);
    EXPECT_TRUE(pipe(input, L::memory, L::l2)->at_least);
    EXPECT_EQ(1000, pipe(input, L::memory, L::l2)->useful);
    EXPECT_EQ(1000, pipe(input, L::l2, L::memory)->useful);

    Analysis strided = launch();  // loads 32 sectors where 4 would do, which L1 does not keep
    strided.report.totals.global_load.sectors = 320;
    strided.prediction.l2_read_bytes = 320 * 32;
    input = bytes_of(strided, nullptr);
    EXPECT_EQ(40 * 32, pipe(input, L::l2, L::l1)->useful);
    EXPECT_EQ(280 * 32, pipe(input, L::l2, L::l1)->vain);
}

// Copies past the registers are pipes of their own, and L1 asks L2 for them, too.
TEST(BytesPath, CopiesGoPastTheRegisters) {
    Analysis a = launch();
    a.report.totals.async_copy.sectors = 64;
    a.report.totals.async_copy.sectors_ideal = 32;
    a.report.totals.bulk_load.sectors = a.report.totals.bulk_load.sectors_ideal = 16;
    BytesFigureInput input = bytes_of(a, nullptr);
    EXPECT_EQ(32 * 32, pipe(input, L::l1, L::shared)->vain);
    EXPECT_EQ(16 * 32, pipe(input, L::l2, L::shared)->useful);
    EXPECT_EQ(1280 + 64 * 32, pipe(input, L::l2, L::l1)->moved());
}

// What a kernel of one's own needs of memory nobody knows; without a model nothing is said below L1.
TEST(BytesPath, SaysNothingThatNobodyKnows) {
    Analysis a = launch();
    a.has_reference = false;
    BytesFigureInput input = bytes_of(a, nullptr);
    EXPECT_TRUE(pipe(input, L::l2, L::l1));
    EXPECT_FALSE(pipe(input, L::memory, L::l2));
    a.prediction = {};
    EXPECT_FALSE(pipe(bytes_of(a, nullptr), L::l2, L::l1));
    DeviceProfile card;
    card.l2_bytes = 1024.0 * 1024;
    card.datasheet_gb_per_s = 4800;
    EXPECT_EQ("1 MiB", bytes_of(a, &card).notes[3]);
    EXPECT_EQ("4,800 GB/s", bytes_of(a, &card).notes[4]);
}

}  // namespace
}  // namespace lanewise
