// Walks of a block through matrices of 2 x 4 and 4 x 2, told access by access.
#include "trace/product/tile_walk.h"

#include <gtest/gtest.h>

#include <cstring>

namespace lanewise {
namespace {

constexpr uint64_t kA = 0x1000, kB = 0x2000, kC = 0x3000;

class Walk : public testing::Test {
  protected:
    void access(Space space, std::vector<uint64_t> lanes, uint8_t bytes, bool is_store = false) {
        std::array<uint64_t, 32> addresses{};
        std::copy(lanes.begin(), lanes.end(), addresses.begin());
        MemoryEvent event{};
        event.space = space;
        event.is_store = is_store;
        event.bytes_per_lane = bytes;
        event.mask = (1u << lanes.size()) - 1;
        event.addresses = &addresses;
        event.block = 6;
        event.shared = reinterpret_cast<const std::byte*>(shared_);
        walker_.on_memory(event);
    }
    void load(std::vector<uint64_t> lanes, uint8_t bytes = 4) {
        access(Space::global, std::move(lanes), bytes);
    }
    void read(std::vector<uint32_t> marks) {
        std::copy(marks.begin(), marks.end(), shared_);
        std::vector<uint64_t> lanes;
        for (size_t i = 0; i < marks.size(); ++i) lanes.push_back(4 * i);
        access(Space::shared, lanes, 4);
    }
    void barrier(bool whole_block = true) {
        BarrierEvent event{};
        event.whole_block = whole_block;
        walker_.on_barrier(event);
    }
    uint32_t shared_[8] = {};
    TileWalker walker_{{2, 2, 4, 4, kA, kB, kC}};
};

// Two phases of an mbarrier: k 0 is there after the first, k 1 after the second; then the tensor
// cores read the first.
TEST_F(Walk, CountsPhasesOfMbarriersAndReadsOfTensorCores) {
    MbarrierEvent ends{};
    ends.what = MbarrierEvent::What::phase_ends;
    load({kA, kA + 16});
    load({kB, kB + 4});
    walker_.on_mbarrier(ends);
    load({kA + 4, kA + 20});
    load({kB + 8, kB + 12});
    walker_.on_mbarrier(ends);
    ends.what = MbarrierEvent::What::arrive;
    walker_.on_mbarrier(ends);
    shared_[0] = mark_of(true, 0, 4), shared_[1] = mark_of(false, 0, 4);
    std::array<uint64_t, 32> addresses{0};
    MemoryEvent read{};
    read.space = Space::shared;
    read.kind = AccessKind::bulk_copy;
    read.bytes_per_lane = 16;
    read.mask = 1;
    read.addresses = &addresses;
    read.shared = reinterpret_cast<const std::byte*>(shared_);
    walker_.on_matrix_read(read);
    TileWalk walk = walker_.walk();
    EXPECT_TRUE(walk.through_shared);
    ASSERT_EQ(2u, walk.steps.size());
    EXPECT_EQ((WalkStep{{1, 2}, {0, 2}, {0, 2}, 1, 1}), walk.steps[0]);  // never read
    EXPECT_EQ((WalkStep{{0, 1}, {0, 2}, {0, 2}, 0, 2}), walk.steps[1]);
}

// Two k at a time, the second pair while the first is multiplied. What a warp fetches at once of A
// is one part, though the lanes' rows differ.
TEST_F(Walk, IsReadOffWhatIsFetchedAndWhatIsMultiplied) {
    load({kA, kA + 4, kA + 16, kA + 20});  // A[0..1][0..1]
    load({kB, kB + 4});                    // B[0][0..1]
    load({kB + 8, kB + 12});               // B[1]
    barrier();
    barrier(false);               // of some warps: no step of the block
    load({kA + 8, kA + 24}, 8);   // A[0..1][2..3] as vectors
    load({kB + 16, kB + 24}, 8);  // B[2..3]
    read({mark_of(true, 0, 4), mark_of(true, 1, 4), mark_of(false, 0, 4), mark_of(false, 1, 4), 0});
    barrier();
    read({mark_of(true, 3, 4), mark_of(false, 2, 4), mark_of(false, 3, 4), mark_of(true, 2, 4)});
    access(Space::global, {kC + 8, kC + 12}, 4, true);  // C[1][0..1]
    TileWalk walk = walker_.walk();
    EXPECT_EQ(6u, walk.block);
    EXPECT_TRUE(walk.through_shared);
    EXPECT_EQ((Span{1, 2}), walk.c_rows);
    EXPECT_EQ((Span{0, 2}), walk.c_cols);
    ASSERT_EQ(2u, walk.steps.size());
    EXPECT_EQ((WalkStep{{0, 2}, {0, 2}, {0, 2}, 0, 1}), walk.steps[0]);
    EXPECT_EQ((WalkStep{{2, 4}, {0, 2}, {0, 2}, 1, 2}), walk.steps[1]);
    EXPECT_EQ(1, fetched_ahead(walk, 0));
    EXPECT_EQ(0, fetched_ahead(walk, 1));
}

// Without shared memory each k is a step, as nothing keeps them together.
TEST_F(Walk, GoesFromIndexToIndexWithoutTiles) {
    for (uint64_t k = 0; k < 4; ++k) {
        load({kA + 4 * k, kA + 4 * k});
        load({kB + 8 * k, kB + 8 * k + 4});
    }
    TileWalk walk = walker_.walk();
    EXPECT_FALSE(walk.through_shared);
    ASSERT_EQ(4u, walk.steps.size());
    EXPECT_EQ((WalkStep{{3, 4}, {0, 1}, {0, 2}, 0, 0}), walk.steps[3]);
    EXPECT_EQ(0, fetched_ahead(walk, 0));
}

TEST_F(Walk, OfBulkCopiesIsTheirs) {
    std::array<uint64_t, 32> addresses{kA, kA + 16};
    MemoryEvent copy{};
    copy.space = Space::global;
    copy.bytes_per_lane = 16;
    copy.mask = 3;
    copy.addresses = &addresses;
    copy.kind = AccessKind::bulk_copy;
    walker_.on_memory(copy);
    TileWalk walk = walker_.walk();
    EXPECT_TRUE(walk.by_bulk_copies);
    ASSERT_EQ(1u, walk.steps.size());
    EXPECT_EQ((WalkStep{{0, 4}, {0, 2}, {}, 0, 0}), walk.steps[0]);
}

TEST_F(Walk, OfNothingHasNoSteps) { EXPECT_TRUE(walker_.walk().steps.empty()); }

TEST(SpanOfIndices, Grows) {
    Span span;
    EXPECT_TRUE(span.is_empty());
    span.add(5);
    span.add({2, 4});
    span.add({9, 9});  // empty
    EXPECT_EQ((Span{2, 6}), span);
    EXPECT_EQ(4, span.size());
}

}  // namespace
}  // namespace lanewise
