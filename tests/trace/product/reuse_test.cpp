// Fetches of the elements of small matrices, counted by hand.
#include "trace/product/reuse.h"

#include <gtest/gtest.h>

#include <cstring>

namespace lanewise {
namespace {

using Elements = std::vector<uint32_t>;

class Reuse : public testing::Test {
  protected:
    void access(Space space, std::vector<uint64_t> lanes, uint8_t bytes,
                const std::byte* shared = nullptr, bool is_store = false,
                AccessKind kind = AccessKind::plain) {
        std::array<uint64_t, 32> addresses{};
        std::copy(lanes.begin(), lanes.end(), addresses.begin());
        MemoryEvent event{};
        event.space = space;
        event.is_store = is_store;
        event.bytes_per_lane = bytes;
        event.mask = (1u << lanes.size()) - 1;
        event.addresses = &addresses;
        event.shared = shared;
        event.kind = kind;
        counter_.on_memory(event);
    }
    const uint32_t a_[6] = {1, 2, 3, 4, 5, 6}, b_[3] = {7, 8, 9};
    const ReuseCounter::Matrix matrices_[2] = {
        {2, 3, 4, 0x1000, reinterpret_cast<const std::byte*>(a_)},
        {3, 1, 4, 0x2000, reinterpret_cast<const std::byte*>(b_)}};
    ReuseCounter counter_{matrices_};
};

// Lanes that want the same element are served together; a vector fetches several.
TEST_F(Reuse, CountsEachInstructionOnce) {
    access(Space::global, {0x1000, 0x1000, 0x1004}, 4);
    access(Space::global, {0x1004}, 8);
    access(Space::global, {0x2008, 0x3000}, 4);         // the second is of neither matrix
    access(Space::global, {0x1000}, 4, nullptr, true);  // a store fetches nothing
    EXPECT_EQ((Elements{1, 2, 1, 0, 0, 0}), counter_.maps()[0].global);
    EXPECT_EQ((Elements{0, 0, 1}), counter_.maps()[1].global);
    EXPECT_EQ(Elements(6), counter_.maps()[0].shared);
}

TEST_F(Reuse, KnowsElementsInSharedMemoryByTheirBits) {
    const uint32_t tile[] = {9, 0, 4, 4};  // B[2], a zero of an edge, A[1][0] twice
    auto shared = reinterpret_cast<const std::byte*>(tile);
    access(Space::shared, {0, 4}, 4, shared);
    access(Space::shared, {8}, 8, shared);
    EXPECT_EQ((Elements{0, 0, 0, 2, 0, 0}), counter_.maps()[0].shared);
    EXPECT_EQ((Elements{0, 0, 1}), counter_.maps()[1].shared);
}

// What is written is counted by its stores.
TEST(ReuseOfWhatIsWritten, IsCountedByStores) {
    const ReuseCounter::Matrix matrices[] = {{1, 3, 4, 0x2000, nullptr}};
    ReuseCounter counter(matrices);
    std::array<uint64_t, 32> addresses{0x2000, 0x2004};
    MemoryEvent store{};
    store.space = Space::global;
    store.is_store = true;
    store.bytes_per_lane = 4;
    store.mask = 3;
    store.addresses = &addresses;
    counter.on_memory(store);
    store.is_store = false;
    counter.on_memory(store);
    EXPECT_EQ((Elements{1, 1, 0}), counter.maps()[0].global);
}

// From global memory to shared memory, or back: only the first fetches what a product multiplies.
TEST_F(Reuse, CountsABulkCopyOnce) {
    const uint32_t tile[] = {1, 2, 3, 4};
    auto shared = reinterpret_cast<const std::byte*>(tile);
    access(Space::global, {0x1000, 0x1008}, 8, nullptr, false, AccessKind::bulk_copy);
    access(Space::shared, {0, 8}, 8, shared, true, AccessKind::bulk_copy);
    access(Space::shared, {0, 8}, 8, shared, false, AccessKind::bulk_copy);
    access(Space::shared, {0}, 8, shared, false, AccessKind::barrier);
    EXPECT_EQ((Elements{1, 1, 1, 1, 0, 0}), counter_.maps()[0].global);
    EXPECT_EQ(Elements(6), counter_.maps()[0].shared);
}

// wgmma: each of four warps reads rows of A of its own; of B, which all read, the first tells.
TEST_F(Reuse, CountsAProductOfFourWarpsOnce) {
    const uint32_t tile[] = {1, 2, 3, 4, 7, 8, 9, 0};
    for (uint16_t warp = 4; warp < 8; ++warp) {
        std::array<uint64_t, 32> a{warp == 5 ? 4u : 0u}, b{16};
        MemoryEvent read{};
        read.space = Space::shared;
        read.bytes_per_lane = 4;
        read.warp = warp;
        read.mask = 1;
        read.kind = AccessKind::bulk_copy;
        read.shared = reinterpret_cast<const std::byte*>(tile);
        read.addresses = &a;
        if (warp < 6) counter_.on_matrix_read(read);
        read.addresses = &b;
        read.is_of_warpgroup = true;
        counter_.on_matrix_read(read);
    }
    EXPECT_EQ((Elements{1, 1, 0, 0, 0, 0}), counter_.maps()[0].shared);
    EXPECT_EQ((Elements{1, 0, 0}), counter_.maps()[1].shared);
}

TEST(ReuseRange, IsOfAllElements) {
    ReuseMap::Range range = range_of(Elements{1, 4, 4, 1});
    EXPECT_EQ(1u, range.least);
    EXPECT_EQ(4u, range.most);
    EXPECT_EQ(2.5, range.mean);
    EXPECT_EQ(0u, range_of({}).most);
}

}  // namespace
}  // namespace lanewise
