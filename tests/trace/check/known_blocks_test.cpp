// Blocks that the checker does not search because one before them did the same: nothing may be lost
// by it, whatever order blocks of several kinds come in.
#include "trace/check/known_blocks.h"

#include <gtest/gtest.h>

#include <deque>

#include "run_ptx.h"
#include "trace/check/checker.h"

namespace lanewise {
namespace {

constexpr uint32_t kBlocks = 256;

std::string written_out(const std::vector<Finding>& findings) {
    std::string text;
    for (const Finding& f : findings)
        text += f.kind + " " + std::to_string(f.line) + " " + f.block + " " + f.thread + " " +
                std::to_string(f.count) + " " + f.message + "\n";
    return text;
}

// The findings where each checker looks at so many blocks; one that looks at a single block knows
// none.
std::string findings_with(const std::string& body, uint32_t blocks_each) {
    ptx::Kernel kernel = ptx::parse(kernel_around(body)).kernels.at(0);
    Machine machine(kernel);
    Memory memory;
    LaunchShape shape{{kBlocks}, {64}};
    Arguments arguments;
    arguments.add(memory.allocate(64 * 8, "out"));
    std::deque<Checker> checkers;
    std::vector<const Checker*> all;
    for (uint32_t block = 0; block < kBlocks; block += blocks_each) {
        all.push_back(&checkers.emplace_back(kernel, memory, std::span<const size_t>{}));
        machine.run(shape, arguments, memory, block, block + blocks_each, checkers.back());
    }
    Report report;
    add_findings(report, kernel, all, shape, memory);
    return written_out(report.findings);
}

void expect_nothing_is_lost(const std::string& body) {
    std::string searched = findings_with(body, 1);
    EXPECT_FALSE(searched.empty());
    for (uint32_t each : {kBlocks, kBlocks / 2, 8u}) EXPECT_EQ(searched, findings_with(body, each));
}

// Three rounds of store, barrier, load of the other warp's, barrier. Bits of the block's number, in
// an order that mixes them, leave out barriers and make warps look at their own.
TEST(KnownBlocks, LoseNoRaceOfBlocksOfManyKinds) {
    std::string body =
        ".shared .align 4 .b8 s[256];\nmov.u64 %rd3, s;\nmul.wide.u32 %rd4, %r0, 4;\n"
        "add.s64 %rd4, %rd3, %rd4;\nmov.u32 %r9, %ctaid.x;\nmul.lo.u32 %r9, %r9, 93;\n";
    for (int round = 0; round < 3; ++round) {
        body +=
            "and.b32 %r2, %r9, 3;\nsetp.ne.u32 %p1, %r2, 0;\nand.b32 %r3, %r9, 4;\n"
            "shl.b32 %r3, %r3, 3;\nxor.b32 %r4, %r0, %r3;\nmul.wide.u32 %rd5, %r4, 4;\n"
            "add.s64 %rd5, %rd3, %rd5;\nst.shared.u32 [%rd4], %r0;\n"
            "@%p1 bar.sync 0;\nld.shared.u32 %r5, [%rd5];\nbar.sync 0;\n"
            "shr.u32 %r9, %r9, 2;\n";
    }
    expect_nothing_is_lost(body);
}

// One block reads what it has not stored, all others do not.
TEST(KnownBlocks, LoseNoUninitializedReadOfOneBlock) {
    expect_nothing_is_lost(
        ".shared .align 4 .b8 s[512];\nmov.u64 %rd3, s;\nmul.wide.u32 %rd4, %r0, 4;\n"
        "add.s64 %rd4, %rd3, %rd4;\nmov.u32 %r9, %ctaid.x;\nsetp.eq.u32 %p1, %r9, 200;\n"
        "st.shared.u32 [%rd4], %r0;\n@%p1 add.s64 %rd4, %rd4, 256;\nld.shared.u32 %r1, [%rd4];\n");
}

// Both warps store to the same places, in most blocks the same, in block 77 what differs: the
// events are the same and the values are not.
TEST(KnownBlocks, LookAtTheValuesOfEveryBlock) {
    expect_nothing_is_lost(
        ".shared .align 4 .b8 s[256];\nmov.u64 %rd3, s;\nand.b32 %r1, %r0, 31;\n"
        "mul.wide.u32 %rd4, %r1, 4;\nadd.s64 %rd4, %rd3, %rd4;\nmov.u32 %r9, %ctaid.x;\n"
        "setp.eq.u32 %p1, %r9, 77;\nmov.u32 %r2, 5;\n@%p1 mov.u32 %r2, %r0;\n"
        "st.shared.u32 [%rd4], %r2;\n");
}

// A store that misses shared memory, in one block: what was put off is searched then.
TEST(KnownBlocks, LoseNoRaceBeforeAFault) {
    expect_nothing_is_lost(
        ".shared .align 4 .b8 s[256];\nmov.u64 %rd3, s;\nmul.wide.u32 %rd4, %r0, 4;\n"
        "add.s64 %rd4, %rd3, %rd4;\nmov.u32 %r9, %ctaid.x;\nsetp.eq.u32 %p1, %r9, 99;\n"
        "st.shared.u32 [%rd4], %r0;\n@!%p1 bar.sync 0;\nld.shared.u32 %r1, [%rd3+252];\n"
        "bar.sync 0;\n@%p1 st.shared.u32 [%rd3+65536], %r1;\n");
}

SharedEvent load(uint32_t instruction) {
    SharedEvent event{SharedEvent::What::access};
    event.instruction = instruction;
    event.lanes = ~0u;
    return event;
}

// How many events of a block were put off, and are asked for at its end.
struct Follower {
    KnownBlocks known;
    size_t searched = 0;
    bool block(std::initializer_list<uint32_t> instructions, uint64_t address = 0) {
        auto missed = [this](const SharedEvent&, std::span<const EventWords>) { ++searched; };
        std::array<uint64_t, 32> addresses;
        addresses.fill(address);
        searched = 0;
        for (uint32_t instruction : instructions)
            searched += !known.follow(load(instruction), &addresses, missed);
        bool is_known = known.end(missed);
        known.start_next(true);
        return is_known;
    }
};

TEST(KnownBlocks, FollowWhatWasSearched) {
    Follower f;
    EXPECT_FALSE(f.block({1, 2, 3}));
    EXPECT_EQ(3u, f.searched);
    EXPECT_TRUE(f.block({1, 2, 3}));
    EXPECT_EQ(0u, f.searched);
    EXPECT_FALSE(f.block({1, 2, 4}));  // two were put off
    EXPECT_EQ(3u, f.searched);
    EXPECT_TRUE(f.block({1, 2, 3}));  // both are known now
    EXPECT_TRUE(f.block({1, 2, 4}));
    EXPECT_FALSE(f.block({1, 2}));  // ends before
    EXPECT_EQ(2u, f.searched);
    EXPECT_TRUE(f.block({1, 2}));
    EXPECT_FALSE(f.block({1, 2, 3}, 4));  // at other addresses
    EXPECT_TRUE(f.block({1, 2, 3}, 4));
    EXPECT_TRUE(f.block({1, 2, 3}));
    EXPECT_FALSE(f.block({9}));  // the fifth: the first is forgotten
    EXPECT_FALSE(f.block({1, 2, 3}));
}

// 40 pieces of 16 bytes in shared memory from `first` on, but for the last, which lies at `last`.
BulkPieces pieces_at(uint32_t first, uint32_t last, uint64_t pattern) {
    BulkCut cut;
    for (uint32_t n = 0; n < 39; ++n) cut.add({first + 16 * n, 16 * n});
    cut.add({last, 16 * 39});
    cut.pattern = pattern;
    return cut;
}

// Bulk copies are told of whole. Those of one pattern are alike; others where their pieces are.
TEST(KnownBlocks, FollowBulkCopiesByTheirPieces) {
    KnownBlocks known;
    std::vector<uint32_t> missed_words;
    auto block = [&](std::initializer_list<BulkPieces> copies) {
        auto missed = [&](const SharedEvent& event, std::span<const EventWords> words) {
            EXPECT_EQ(2u, words.size());
            missed_words.push_back(words[1][event.pieces - 33]);
        };
        missed_words.clear();
        for (const BulkPieces& pieces : copies) {
            BulkAccess access{7, Space::shared, true, 0, 0, 0, pieces};
            known.follow(SharedEvent::of(access, SharedEvent::What::access), &access, missed);
        }
        bool is_known = known.end(missed);
        known.start_next(true);
        return is_known;
    };
    EXPECT_FALSE(block({pieces_at(0, 1024, 5)}));
    EXPECT_TRUE(block({pieces_at(0, 1024, 5)}));
    EXPECT_TRUE(block({pieces_at(0, 1024, 6)}));   // of another pattern, but where those were
    EXPECT_FALSE(block({pieces_at(0, 1040, 7)}));  // the last piece lies elsewhere
    EXPECT_TRUE(block({pieces_at(0, 1024, 0)}));   // of none
    EXPECT_FALSE(block({pieces_at(0, 1024, 6), pieces_at(0, 2048, 8)}));
    EXPECT_EQ(std::vector<uint32_t>{1024}, missed_words);  // the first was put off
}

}  // namespace
}  // namespace lanewise
