// Atomics, copies and matrices, counted as an H200 counts them: hand-worked accesses of one warp.
#include "trace/other_counts.h"

#include <gtest/gtest.h>

namespace lanewise {
namespace {

using Executed = CountAs::Executed;

// Lane n at n / shared_by * stride + offset.
LaneAddresses addresses(uint64_t stride, uint64_t shared_by = 1, uint64_t offset = 0) {
    LaneAddresses result;
    for (uint64_t lane = 0; lane < 32; ++lane) result[lane] = lane / shared_by * stride + offset;
    return result;
}

ptx::Instruction instruction(std::vector<std::string> parts) {
    ptx::Instruction result;
    result.parts = std::move(parts);
    return result;
}

MemoryEvent event(AccessKind kind, Space space, bool is_store, uint8_t bytes,
                  const LaneAddresses& at, uint32_t mask = ~0u) {
    return {0, space, is_store, bytes, 0, 0, mask, &at, kind};
}

Counts atomic(const char* operation, Executed executed, Space space, uint8_t bytes,
              const LaneAddresses& at, uint32_t mask = ~0u) {
    OtherCounts counts(instruction({"atom", operation}), executed);
    counts.count(event(AccessKind::atomic, space, false, bytes, at, mask));
    return counts.counts();
}

TEST(OtherCounts, AtomicsAreWithOrWithoutTheOldValue) {
    LaneAddresses at = addresses(4);
    Counts kept = atomic("add", Executed::as_written, Space::global, 4, at);
    EXPECT_EQ((GlobalCounts{1, 1, 4, 4, 128}), kept.global_atomic);
    EXPECT_EQ(GlobalCounts(), kept.global_load);
    Counts dropped = atomic("add", Executed::reduction, Space::global, 4, at);
    EXPECT_EQ((GlobalCounts{1, 1, 4, 4, 128}), dropped.global_reduction);
    EXPECT_EQ(GlobalCounts(), dropped.global_atomic);
}

TEST(OtherCounts, LanesAtOneAddressTakeTurns) {
    // 8 words of one sector, each of 4 lanes; one word of all 32; 32 sectors.
    EXPECT_EQ(4, atomic_sectors(addresses(4, 4), 4, ~0u));
    EXPECT_EQ(32, atomic_sectors(addresses(4, 32), 4, ~0u));
    EXPECT_EQ(32, atomic_sectors(addresses(40), 4, ~0u));
    EXPECT_EQ(8, atomic_sectors(addresses(8), 8, ~0u));
    EXPECT_EQ(0, atomic_sectors(addresses(8), 8, 0));
    // One lane for all that have its address, where ptxas sums them up first; else as before.
    LaneAddresses one = addresses(4, 32), four = addresses(4, 4);
    EXPECT_EQ(1u, atomic("add", Executed::elected, Space::global, 4, one).global_reduction.sectors);
    EXPECT_EQ(4u,
              atomic("add", Executed::elected, Space::global, 4, four).global_reduction.sectors);
}

TEST(OtherCounts, SharedAtomicsTakeTurnsByBank) {
    EXPECT_EQ(1, atomic_wavefronts(addresses(4), 4, ~0u, false));
    EXPECT_EQ(32, atomic_wavefronts(addresses(4, 32), 4, ~0u, false));
    EXPECT_EQ(8, atomic_wavefronts(addresses(32), 4, ~0u, false));  // 4 banks, 8 lanes each
    EXPECT_EQ(2, atomic_wavefronts(addresses(4), 4, ~0u, true));    // compare, and swap
    EXPECT_EQ(2, atomic_wavefronts(addresses(4, 4), 4, ~0u, true));
    EXPECT_EQ(4, atomic_wavefronts(addresses(8), 8, ~0u, true));  // of each half-warp
    LaneAddresses one = addresses(4, 32);  // increments of one word go together
    EXPECT_EQ((SharedCounts{1, 1, 1, 128}),
              atomic("add", Executed::increment, Space::shared, 4, one).shared_atomic);
    LaneAddresses at = addresses(4);
    EXPECT_EQ((SharedCounts{1, 2, 2, 128}),
              atomic("cas", Executed::as_written, Space::shared, 4, at).shared_atomic);
}

TEST(OtherCounts, ASwapLoopTurnsUntilEveryLaneHadItsWay) {
    // Four lanes to a word: 4 turns of 32, 24, 16 and 8 lanes, each a load and a swap of 2.
    Counts counts = atomic("add", Executed::swap_loop, Space::shared, 4, addresses(4, 4));
    EXPECT_EQ((SharedCounts{4, 4, 4, 4 * (32 + 24 + 16 + 8)}), counts.shared_load);
    EXPECT_EQ(4u, counts.shared_atomic.instructions);
    EXPECT_EQ(8u, counts.shared_atomic.wavefronts);
    EXPECT_EQ(8u, counts.shared_atomic.wavefronts_ideal);
}

CopyCounts copied(const char* cache, const LaneAddresses& from, uint32_t reading,
                  const LaneAddresses& to) {
    OtherCounts counts(instruction({"cp", "async", cache}), Executed::as_written);
    if (reading != 0)
        counts.count(event(AccessKind::async_copy, Space::global, false, 4, from, reading));
    counts.count(event(AccessKind::async_copy, Space::shared, true, 4, to));
    return counts.counts().async_copy;
}

TEST(OtherCounts, ACopyIsReadAndWritten) {
    LaneAddresses packed = addresses(4), spread = addresses(8);
    EXPECT_EQ((CopyCounts{1, 1, 4, 4, 1, 1, 128}), copied("ca", packed, ~0u, packed));
    EXPECT_EQ(2u, copied("ca", packed, ~0u, spread).wavefronts);
    // Words that lie in the same banks of two lines are read one after the other.
    EXPECT_EQ(2u, copied("ca", spread, ~0u, packed).wavefronts);
    EXPECT_EQ(1u, copied("cg", spread, ~0u, packed).wavefronts);
    // Past the cache, into the middle of sectors: 128 bytes from byte 16 on lie in 5 of them.
    LaneAddresses shifted = addresses(4, 1, 16);
    EXPECT_EQ(5u, copied("cg", packed, ~0u, shifted).sectors);
    EXPECT_EQ(4u, copied("ca", packed, ~0u, shifted).sectors);
    // Lanes that ask for 0 bytes write zeros; where all do, there is no request.
    EXPECT_EQ((CopyCounts{1, 1, 1, 1, 1, 1, 128}), copied("ca", packed, 0xff, packed));
    EXPECT_EQ((CopyCounts{1, 0, 0, 0, 1, 1, 128}), copied("ca", packed, 0, packed));
}

void bulk(OtherCounts& counts, bool is_store, const LaneAddresses& global, uint32_t mask = ~0u) {
    for (bool second : {false, true}) {  // what is read, then what is written
        Space space = second == is_store ? Space::global : Space::shared;
        counts.count(event(AccessKind::bulk_copy, space, second, 16,
                           space == Space::global ? global : addresses(16), mask));
    }
}

TEST(OtherCounts, ABulkCopyCountsTheSectorsThatItTouches) {
    OtherCounts load(instruction({"cp", "async", "bulk", "mbarrier::complete_tx::bytes"}),
                     Executed::as_written);
    LaneAddresses shifted = addresses(16, 1, 16), rest = addresses(16, 1, 528);
    // 33 pieces from byte 16 on, in two events of the global side: sectors 0 to 16.
    load.count(event(AccessKind::bulk_copy, Space::global, false, 16, shifted));
    load.count(event(AccessKind::bulk_copy, Space::global, false, 16, rest, 1));
    load.count(event(AccessKind::bulk_copy, Space::shared, true, 16, shifted));
    load.count(event(AccessKind::bulk_copy, Space::shared, true, 16, rest, 1));
    EXPECT_EQ((BulkCounts{1, 17, 17, 528}), load.counts().bulk_load);
    bulk(load, false, rest, 1);  // the next touches sector 16 again
    EXPECT_EQ((BulkCounts{2, 18, 18, 544}), load.counts().bulk_load);
    // Wholly outside of its tensor: zeros to shared memory alone.
    load.count(event(AccessKind::bulk_copy, Space::shared, true, 16, shifted));
    EXPECT_EQ(2u, load.counts().bulk_load.instructions);
    EXPECT_EQ(BulkCounts(), load.counts().bulk_store);

    OtherCounts store(instruction({"cp", "async", "bulk", "bulk_group"}), Executed::as_written);
    LaneAddresses apart = addresses(64);
    bulk(store, true, apart);  // 16 bytes each in a sector of its own
    bulk(store, true, apart, 0xff);
    EXPECT_EQ((BulkCounts{2, 40, 20, 640}), store.counts().bulk_store);
}

TEST(OtherCounts, LdmatrixReadsRowsOfSixteenBytes) {
    OtherCounts counts(instruction({"ldmatrix"}), Executed::as_written);
    LaneAddresses rows = addresses(32);  // 8 rows over 64 words: 2 to a bank, four matrices
    counts.count(event(AccessKind::matrix, Space::shared, false, 16, rows));
    EXPECT_EQ((SharedCounts{1, 8, 4, 512}), counts.counts().matrix_load);
}

// The 16 x 16 elements of 2 bytes of wmma.load.a, row-major: matrix m of 8 x 8, element half h of
// lane n lies in row n / 4, column 2 (n % 4) + h of it.
void load_a(OtherCounts& counts, Space space, uint64_t row_bytes) {
    for (uint64_t m = 0; m < 4; ++m)
        for (uint64_t half = 0; half < 2; ++half) {
            LaneAddresses at;
            for (uint64_t n = 0; n < 32; ++n)
                at[n] = (n / 4 + m % 2 * 8) * row_bytes + 2 * (n % 4 * 2 + half + m / 2 * 8);
            counts.count(event(AccessKind::matrix, space, false, 2, at));
        }
}

TEST(OtherCounts, WmmaIsWhatTheMachineCodeHasForIt) {
    OtherCounts pairs(instruction({"wmma", "load"}), Executed::pairs);
    load_a(pairs, Space::global, 64);  // 8 rows of 16 bytes, each in a sector of its own
    EXPECT_EQ((GlobalCounts{4, 4, 32, 16, 512}), pairs.counts().global_load);
    OtherCounts elements(instruction({"wmma", "load"}), Executed::elements);
    load_a(elements, Space::global, 64);
    EXPECT_EQ(8u, elements.counts().global_load.requests);
    OtherCounts rows(instruction({"wmma", "load"}), Executed::matrix_rows);
    load_a(rows, Space::shared, 32);  // as ldmatrix above
    EXPECT_EQ((SharedCounts{1, 8, 4, 512}), rows.counts().matrix_load);
    EXPECT_EQ(SharedCounts(), rows.counts().shared_load);
}

}  // namespace
}  // namespace lanewise
