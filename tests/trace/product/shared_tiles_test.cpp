// Which part of shared memory belongs to which matrix, of a block put together by hand.
#include "trace/product/shared_tiles.h"

#include <gtest/gtest.h>

namespace lanewise {
namespace {

// Instructions: 0 global load, 1 shared store, 2 shared load.
struct Block {
    Report report;
    BlockTrace trace;
    Block() {
        for (int i = 0; i < 3; ++i) {
            InstructionReport instruction;
            instruction.space = i == 0 ? Space::global : Space::shared;
            instruction.is_store = i == 1;
            report.instructions.push_back(instruction);
        }
        trace.shared_bytes = 256;
        trace.buffers.resize(3);
    }
    // Four lanes, a word each, from `first` on.
    void access(uint32_t instruction, int buffer, uint64_t first) {
        TracedAccess made;
        made.instruction = instruction;
        made.buffer = buffer;
        made.mask = 0xf;
        made.addresses.assign(32, 0);
        for (uint64_t lane = 0; lane < 4; ++lane) made.addresses[lane] = first + 4 * lane;
        trace.accesses.push_back(made);
    }
};

// Two rows of A (100 bytes each) go to bytes 0 and 20, of B to 64 and 80; sums to 128.
TEST(SharedTiles, AreOneForEachMatrixAndOneForTheRest) {
    Block made;
    for (int row : {0, 1}) {
        made.access(0, 0, 100u * static_cast<unsigned>(row));
        made.access(0, 1, 40 + 100u * static_cast<unsigned>(row));
        made.access(1, 0, 20u * static_cast<unsigned>(row));
        made.access(1, 1, 64 + 16u * static_cast<unsigned>(row));
    }
    made.access(2, -1, 20);
    made.access(1, -1, 128);
    made.access(2, -1, 128);
    SharedTiles found = shared_tiles(made.trace, made.report, {100, 100}, 32);
    ASSERT_EQ(3u, found.tiles.size());
    EXPECT_EQ(0, found.tiles[0].buffer);
    EXPECT_EQ(0u, found.tiles[0].begin);
    EXPECT_EQ(20, found.tiles[0].pitch_bytes);  // 16 of data and 4 of padding
    EXPECT_EQ((std::vector<int64_t>{0, 1}), found.tiles[0].rows);
    EXPECT_EQ(64u, found.tiles[1].begin);
    EXPECT_EQ(16, found.tiles[1].pitch_bytes);
    EXPECT_EQ(-1, found.tiles[2].buffer);
    EXPECT_EQ(128u, found.tiles[2].begin);
    EXPECT_EQ(32, found.tiles[2].pitch_bytes);  // nothing tells
    EXPECT_EQ((std::vector<int>{-1, -1, 0, 1, -1, -1, 0, 1, 0, 2, 2}), found.of_access);
    EXPECT_EQ(1, found.tiles[0].row_of(20));
    EXPECT_EQ(1, found.tiles[0].row_of(39));
    EXPECT_EQ(-1, found.tiles[0].row_of(40));
    EXPECT_EQ(-1, found.tiles[1].row_of(63));
}

// What was A's is overwritten with sums, and read as such.
TEST(SharedTiles, BelongToWhoWroteThereLast) {
    Block made;
    made.access(0, 0, 0);
    made.access(1, 0, 0);
    made.access(2, -1, 0);
    made.access(1, -1, 0);
    made.access(2, -1, 0);
    SharedTiles found = shared_tiles(made.trace, made.report, {100}, 32);
    EXPECT_EQ((std::vector<int>{-1, 0, 0, 1, 1}), found.of_access);
}

// Two stages of a ring: 32 bytes of A at 0 and 64, 32 of B at 32 and 96; a bulk store takes B's.
TEST(SharedTiles, AreWhatCopiesFill) {
    Block made;
    auto copy = [&](int buffer, uint32_t shared, bool to_shared) {
        TracedCopy added;
        added.is_bulk = true;
        added.to_shared = to_shared;
        added.buffer = buffer;
        added.pieces = {{0, shared, 0}, {100, shared + 16, 0}};
        auto index = static_cast<int>(made.trace.copies.size());
        made.trace.copies.push_back(added);
        made.trace.marks.push_back({TracedMark::Kind::bulk_copy, 0, 0, 7, index});
        made.trace.marks.push_back({TracedMark::Kind::copy_done, 0, 0, 7, index});
    };
    copy(0, 0, true);
    copy(1, 32, true);
    copy(0, 64, true);
    copy(1, 96, true);
    copy(2, 96, false);
    SharedTiles found = shared_tiles(made.trace, made.report, {100, 100, 100}, 128);
    ASSERT_EQ(2u, found.tiles.size());
    EXPECT_EQ((std::vector<int>{0, 1, 0, 1, 1}), found.of_copy);
    EXPECT_EQ(16, found.tiles[0].pitch_bytes);
    EXPECT_EQ((std::vector<int64_t>{0, 1, 4, 5}), found.tiles[0].rows);
    EXPECT_EQ(2, found.tiles[1].row_of(96));  // the third of those in use
}

// Behind the last tile of B: instruction 7 fills its other stage with zeros, 8 overwrites the
// first.
TEST(SharedTiles, TakeInTheZerosFromBeyondAMatrix) {
    Block made;
    auto copy = [&](uint32_t instruction, int buffer, uint32_t shared) {
        TracedCopy added;
        added.instruction = instruction;
        added.buffer = buffer;
        added.pieces = {{0, shared, 0, buffer < 0}};
        auto index = static_cast<int>(made.trace.copies.size());
        made.trace.copies.push_back(added);
        made.trace.marks.push_back({TracedMark::Kind::async_copy, 0, 0, 7, index});
    };
    copy(7, 1, 32);
    copy(7, -1, 96);
    copy(8, -1, 32);
    copy(9, -1, 160);  // nothing tells whose
    SharedTiles found = shared_tiles(made.trace, made.report, {100, 100}, 32);
    ASSERT_EQ(2u, found.tiles.size());
    EXPECT_EQ((std::vector<int>{0, 0, 0, 1}), found.of_copy);
    EXPECT_EQ(1, found.tiles[0].buffer);
    EXPECT_EQ(-1, found.tiles[1].buffer);
}

}  // namespace
}  // namespace lanewise
