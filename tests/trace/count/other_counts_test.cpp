// Atomics, copies and matrices, counted as an H200 counts them: hand-worked accesses of one warp.
#include "trace/count/other_counts.h"

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
    // Of 2 bytes: of the words that they lie in, each of two lanes here.
    EXPECT_EQ((GlobalCounts{1, 1, 4, 2, 128}),
              atomic("add", Executed::as_written, Space::global, 2, addresses(2)).global_atomic);
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
    EXPECT_EQ((CopyCounts{1, 1, 4, 4, 1, 1, 128, 4}), copied("ca", packed, ~0u, packed));
    EXPECT_EQ(2u, copied("ca", packed, ~0u, spread).wavefronts);
    // Words that lie in the same banks of two lines are read one after the other.
    EXPECT_EQ(2u, copied("ca", spread, ~0u, packed).wavefronts);
    // Lanes that ask for 0 bytes write zeros; where all do, there is no request.
    EXPECT_EQ((CopyCounts{1, 1, 1, 1, 1, 1, 128, 1}), copied("ca", packed, 0xff, packed));
    EXPECT_EQ((CopyCounts{1, 0, 0, 0, 1, 1, 128, 0}), copied("ca", packed, 0, packed));
}

// A row of a box: 16 bytes at a time, of which the first `inside` bytes lie in the tensor.
void add_row(BulkCut& cut, uint64_t global, uint32_t bytes, uint32_t inside) {
    uint32_t shared = cut.all.empty() ? 0 : cut.all.back().shared + 16;
    uint32_t row = cut.all.empty() ? 0 : cut.all.back().row + 1;
    for (uint32_t at = 0; at < bytes; at += 16)
        cut.add({shared + at, global + at, at >= inside, row});
}

// Counted on an H200: tests/golden/h200/own_counters.csv, load_1d and load_2d.
TEST(OtherCounts, ABulkCopyAsksForSectorsALineAtATime) {
    BulkCut range;
    add_row(range, 3600, 1024, 400);
    // Of the range's eight lines of 128 bytes three lie in 5 sectors each, as they begin in the
    // middle of one; the fourth has 16 bytes of a sector and zeros in 4; the rest is zeros.
    EXPECT_EQ(3 * 5 + 1 + 4 + 4 * 4, bulk_sectors(range, true));
    EXPECT_EQ(3 * 5 + 1, bulk_sectors(range, false));
    BulkCut box;
    for (uint64_t from : {8400, 8672, 8944}) add_row(box, from, 48, 32);
    for (uint64_t from : {9216, 9488}) add_row(box, from, 48, 0);
    // 2 sectors and zeros in 1; 1 and 1; 2 and, in the next line, 1; twice zeros in 2.
    EXPECT_EQ(3 + 2 + 3 + 2 + 2, bulk_sectors(box, true));
    EXPECT_EQ(2 + 1 + 2, bulk_sectors(box, false));
    EXPECT_EQ(0, bulk_sectors(BulkPieces(), true));
    // 20 bytes inside, in pieces of 4: the 16 bytes that are there in part bring no zeros.
    BulkCut words;
    for (uint32_t at = 0; at < 48; at += 4) words.add({at, 8400 + at, at >= 20, 0});
    EXPECT_EQ(3, bulk_sectors(words, true));
}

TEST(OtherCounts, ABulkCopyCountsOnceWhereItIsWritten) {
    BulkCut cut;
    add_row(cut, 16, 528, 512);
    BulkPieces pieces = cut;
    auto side = [&](Space space, bool is_store) {
        return BulkAccess{0, space, is_store, 0, 0, 0, pieces};
    };
    OtherCounts load(instruction({"cp", "async", "bulk", "mbarrier::complete_tx::bytes"}),
                     Executed::as_written);
    load.count(side(Space::global, false));
    load.count(side(Space::shared, true));
    EXPECT_EQ((BulkCounts{1, 4 * 5 + 1, 16, 512}), load.counts().bulk_load);
    EXPECT_EQ(BulkCounts(), load.counts().bulk_store);
    // A multicast's second block: the same bytes come, and nothing is read for it.
    OtherCounts both(instruction({"cp", "async", "bulk", "mbarrier::complete_tx::bytes", "multicast::cluster"}),
                     Executed::as_written);
    both.count(side(Space::global, false));
    both.count(side(Space::shared, true));
    both.count(side(Space::shared, true));
    EXPECT_EQ((BulkCounts{1, 2 * (4 * 5 + 1), 2 * 16, 2 * 512}), both.counts().bulk_load);

    OtherCounts store(instruction({"cp", "async", "bulk", "bulk_group"}), Executed::as_written);
    store.count(side(Space::shared, false));
    store.count(side(Space::global, true));
    store.count(side(Space::shared, false));
    store.count(side(Space::global, true));
    EXPECT_EQ((BulkCounts{2, 40, 32, 1024}), store.counts().bulk_store);
}

// Of a store wholly outside its tensor no access is told.
TEST(OtherCounts, ABulkStoreOutsideItsTensorIsAnInstruction) {
    ptx::Kernel kernel;
    kernel.instructions = {instruction({"cp", "async", "bulk", "tensor", "bulk_group"})};
    Counter counter(kernel);
    BulkCut outside, half;
    add_row(outside, 128, 32, 0);
    add_row(half, 128, 32, 16);  // on_bulk_access is told of what this one accesses
    counter.on_bulk_copy({0, 0, 0, 0, false, BulkPieces(outside), nullptr, 0});
    counter.on_bulk_copy({0, 0, 0, 0, false, BulkPieces(half), nullptr, 1});
    const Counter* counters[] = {&counter};
    Report report = merge(kernel, counters, {}, Memory());
    EXPECT_EQ((BulkCounts{1, 0, 0, 0}), report.totals.bulk_store);
}

// 32 bytes lie in one sector, or in the middle of one in two. Two patterns whose numbers differ by
// the size of what is remembered take each other's place.
TEST(OtherCounts, BoxesOfOnePatternCostTheSameWithinSectors) {
    OtherCounts store(instruction({"cp", "async", "bulk", "bulk_group"}), Executed::as_written);
    auto copy = [&](uint64_t pattern, uint64_t global, uint32_t bytes) {
        BulkCut cut;
        add_row(cut, 0, bytes, bytes);
        cut.pattern = pattern;
        BulkPieces pieces(std::make_shared<const BulkCut>(cut), global);
        store.count(BulkAccess{0, Space::global, true, 0, 0, 0, pieces});
    };
    copy(5, 64, 32);
    copy(5, 128, 32);
    copy(5, 144, 32);
    copy(21, 64, 48);
    copy(5, 64, 32);
    EXPECT_EQ((BulkCounts{5, 1 + 1 + 2 + 2 + 1, 1 + 1 + 1 + 2 + 1, 4 * 32 + 48}),
              store.counts().bulk_store);
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

// 16 x 16 bytes, row-major: element i of register r lies in row n / 4 + 8 r, column 4 (n % 4) + i.
TEST(OtherCounts, WmmaReadsFourBytesAtOnce) {
    OtherCounts quads(instruction({"wmma", "load"}), Executed::quads);
    for (uint64_t r = 0; r < 2; ++r)
        for (uint64_t i = 0; i < 4; ++i) {
            LaneAddresses at;
            for (uint64_t n = 0; n < 32; ++n) at[n] = (n / 4 + 8 * r) * 64 + n % 4 * 4 + i;
            quads.count(event(AccessKind::matrix, Space::global, false, 1, at));
        }
    // each of 8 rows of 16 bytes, in a sector of its own
    EXPECT_EQ((GlobalCounts{2, 2, 16, 8, 256}), quads.counts().global_load);
}

}  // namespace
}  // namespace lanewise
