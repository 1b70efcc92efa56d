// Faults as findings, counts per instruction and line, and the recorded block.
#include <gtest/gtest.h>

#include "run_ptx.h"
#include "trace/count/counter.h"

namespace lanewise {
namespace {

struct Traced {
    Report report;
    BlockTrace block;  // the first one
};

// `body` within run_ptx.h's kernel, over a grid; `out` has 8 bytes for each thread of one block.
Traced trace(const std::string& body, const LaunchShape& shape, size_t threads = 1) {
    ptx::Kernel kernel = ptx::parse(kernel_around(".loc 1 7 3\n" + body)).kernels.at(0);
    Machine machine(kernel);
    Memory memory;
    Arguments arguments;
    arguments.add(memory.allocate(shape.block.count() * 8, "out"));
    std::vector<std::unique_ptr<Counter>> counters;
    std::vector<Observer*> observers;
    std::vector<const Counter*> results;
    for (size_t i = 0; i < threads; ++i) {
        counters.push_back(std::make_unique<Counter>(kernel));
        observers.push_back(counters.back().get());
        results.push_back(counters.back().get());
    }
    machine.run_all(shape, arguments, memory, observers, {});
    BlockRecorder recorder(kernel, shape, memory);
    machine.run(shape, arguments, memory, 0, 1, recorder);
    return {merge(kernel, results, shape, memory), recorder.take()};
}

TEST(Findings, OutOfBoundsNamesTheBufferAndTheFirstThread) {
    // threads 28 … 31 of each of 6 blocks store beyond the 256 bytes
    for (size_t threads : {1u, 2u, 8u}) {
        Traced traced = trace("st.global.u64 [%rd1+32], %rd0;", {{3, 2}, {32}}, threads);
        ASSERT_EQ(1u, traced.report.findings.size());
        const Finding& finding = traced.report.findings[0];
        EXPECT_EQ("out_of_bounds", finding.kind);
        EXPECT_EQ("global", finding.space);
        EXPECT_EQ("kernel.cu", finding.file);
        EXPECT_EQ(7, finding.line);
        EXPECT_EQ(3, finding.column);
        EXPECT_EQ("(0,0)", finding.block);
        EXPECT_EQ("(28,0)", finding.thread);
        EXPECT_EQ(24u, finding.count);
        EXPECT_EQ("out-of-bounds store: out + 256 bytes, buffer out has 256 bytes",
                  finding.message);
    }
}

// Endless: a load and a branch in turn, until the budget ends it.
TEST(Recorder, KeepsTheFirstAccessesOfABlockThatMakesVeryMany) {
    ptx::Kernel kernel =
        ptx::parse(kernel_around("$loop: ld.global.u32 %r1, [%rd0]; bra.uni $loop;")).kernels.at(0);
    LaunchShape shape{{1}, {32}};
    Memory memory;
    uint64_t out = memory.allocate(8, "out");
    BlockRecorder recorder(kernel, shape, memory);
    Machine(kernel).run(shape, Arguments().add(out), memory, 0, 1, recorder,
                        {.instructions_per_warp = 2 * kMostTracedAccesses + 14});
    BlockTrace trace = recorder.take();
    EXPECT_EQ(kMostTracedAccesses, trace.accesses.size());
    EXPECT_EQ(5u, trace.left_out);  // kernel_around() has four instructions before these
}

// Thread t stores 7 t to word 2 t and loads it again; lane l then gets what lane l ^ 1 has loaded.
TEST(Recorder, KnowsWhichElementAShuffleHandsOn) {
    const std::string load =
        "mul.lo.u32 %r1, %r0, 7;\nst.global.u32 [%rd1], %r1;\nld.global.u32 %r2, [%rd1];\n";
    BlockTrace block =
        trace(load + ".loc 1 9 3\nshfl.sync.bfly.b32 %r3, %r2, 1, 31, -1;", {{1}, {32}}).block;
    ASSERT_EQ(1u, block.shuffles.size());
    const TracedShuffle& shuffle = block.shuffles[0];
    EXPECT_EQ(~0u, shuffle.mask);
    EXPECT_EQ(0, shuffle.buffer);
    for (size_t lane = 0; lane < 32; ++lane) {
        EXPECT_EQ(lane ^ 1, shuffle.from[lane]);
        EXPECT_EQ(static_cast<int64_t>(8 * lane), shuffle.given[lane]);
    }
    ASSERT_EQ(1u, block.marks.size());
    EXPECT_EQ(TracedMark::Kind::shuffle, block.marks[0].kind);
    EXPECT_EQ(2u, block.marks[0].before);
    EXPECT_EQ(9, block.marks[0].line);
    EXPECT_EQ(0, block.marks[0].shuffle);
    // What was computed is no element, and neither is a value that two elements have.
    const std::string doubled = "add.u32 %r2, %r2, 1;\nshfl.sync.bfly.b32 %r3, %r2, 1, 31, -1;";
    EXPECT_EQ(-1, trace(load + doubled, {{1}, {32}}).block.shuffles.at(0).buffer);
    const std::string alike =
        "st.global.u32 [%rd1], 5;\nld.global.u32 %r2, [%rd1];\n"
        "shfl.sync.bfly.b32 %r3, %r2, 1, 31, -1;";
    EXPECT_EQ(-1, trace(alike, {{1}, {32}}).block.shuffles.at(0).buffer);
}

// Two warps store, wait for each other, and store again.
TEST(Recorder, KeepsBarriersBetweenTheAccesses) {
    Traced traced = trace(
        "st.global.u32 [%rd0], 1;\n.loc 1 8 3\nbar.sync 0;\nst.global.u32 [%rd0], 2;\n"
        "red.global.add.u32 [%rd0], 1;",
        {{1}, {64}});
    using Kind = TracedMark::Kind;
    ASSERT_EQ(4u, traced.block.accesses.size());
    ASSERT_EQ(4u, traced.block.marks.size());
    EXPECT_EQ((TracedMark{Kind::barrier, 0, 2, 8}), traced.block.marks[0]);
    EXPECT_EQ((TracedMark{Kind::barrier, 1, 2, 8}), traced.block.marks[1]);
    EXPECT_EQ(Kind::atomic, traced.block.marks[2].kind);
}

TEST(Findings, AThreadsOwnMemoryIsNoBuffer) {
    Traced traced = trace(".local .align 4 .b8 d[32];\nst.local.u32 [d+32], 7;", {{1}, {32}});
    ASSERT_EQ(1u, traced.report.findings.size());
    EXPECT_EQ("local", traced.report.findings[0].space);
    EXPECT_EQ("out-of-bounds store: local memory + 32 bytes, a thread has 32 bytes of it",
              traced.report.findings[0].message);
}

TEST(Findings, OtherKindsInWords) {
    auto first = [](const std::string& body, Dim3 block = {32}) {
        Report report = trace(body, {{1, 1, 2}, block}).report;
        return report.findings.empty() ? Finding{} : report.findings[0];
    };
    Finding misaligned = first("ld.global.u32 %r1, [%rd0+2];");
    EXPECT_EQ("misaligned", misaligned.kind);
    EXPECT_EQ("(0,0,0)", misaligned.block);  // the grid has depth, the block has not
    EXPECT_EQ("(0,0)", misaligned.thread);
    EXPECT_EQ(64u, misaligned.count);
    EXPECT_EQ("misaligned load: out + 2 bytes is not a multiple of 4, the width of the access",
              misaligned.message);
    Finding shared =
        first(".shared .b8 s[8]; mul.wide.u32 %rd3, %r0, 4; st.shared.u32 [%rd3], %r0;");
    EXPECT_EQ("out-of-bounds store: s + 8 bytes, array s has 8 bytes", shared.message);
    EXPECT_EQ("(2,0)", shared.thread);
    EXPECT_EQ("shared", shared.space);
    Finding before = first("ld.global.u32 %r1, [%rd0+-4];");
    EXPECT_EQ("out-of-bounds load: out - 4 bytes, buffer out has 256 bytes", before.message);
    Finding barrier = first("setp.lt.u32 %p1, %r0, 3; @%p1 bar.sync 0;");
    EXPECT_EQ("divergent_barrier", barrier.kind);
    EXPECT_EQ("", barrier.space);
}

TEST(Counts, PerInstructionAndLine) {
    Report report = trace(
                        "ld.global.u64 %rd2, [%rd1];\n.loc 1 8 1\nst.global.u32 [%rd1], %r0;\n"
                        "st.global.u32 [%rd0], %r0;",
                        {{5}, {40}})
                        .report;
    ASSERT_EQ(3u, report.instructions.size());
    EXPECT_EQ("ld.global.u64 %rd2, [%rd1]", report.instructions[0].text);
    EXPECT_EQ(8, report.instructions[0].bytes_per_lane);
    // a block: warp 0 reads 256 bytes, warp 1 reads 64
    EXPECT_EQ((GlobalCounts{10, 10, 5 * (8 + 2), 5 * (8 + 2), 5 * 320}),
              report.instructions[0].counts.global_load);
    // every other word of the same 10 sectors; half as many would do
    EXPECT_EQ((GlobalCounts{10, 10, 50, 5 * (4 + 1), 800}),
              report.instructions[1].counts.global_store);
    EXPECT_EQ((GlobalCounts{10, 10, 10, 10, 800}), report.instructions[2].counts.global_store);
    ASSERT_EQ(2u, report.lines.size());
    EXPECT_EQ(7, report.lines[0].line);
    EXPECT_EQ((GlobalCounts{20, 20, 60, 35, 1600}), report.lines[1].counts.global_store);
    EXPECT_EQ(report.lines[1].counts.global_store, report.totals.global_store);
    EXPECT_TRUE(report.findings.empty());
}

TEST(Recorder, KeepsOneBlocksAccessesInOrder) {
    BlockTrace block = trace(
                           ".shared .align 4 .b8 s[256]; mul.wide.u32 %rd3, %r0, 4;"
                           "st.shared.u32 [%rd3], %r0; bar.sync 0; ld.shared.u32 %r1, [%rd3];"
                           "st.global.u32 [%rd1+4], %r1;",
                           {{2}, {48}})
                           .block;
    EXPECT_EQ(2u, block.warps);
    EXPECT_EQ(256u, block.shared_bytes);
    ASSERT_EQ(1u, block.buffers.size());
    EXPECT_EQ("out", block.buffers[0].name);
    ASSERT_EQ(6u, block.accesses.size());
    EXPECT_EQ(0u, block.accesses[0].instruction);
    EXPECT_EQ(1u, block.accesses[1].warp);
    EXPECT_EQ(0xffffu, block.accesses[1].mask);
    EXPECT_EQ(1u, block.accesses[2].instruction);  // warp 0 behind the barrier
    EXPECT_EQ(-1, block.accesses[2].buffer);
    EXPECT_EQ(1, block.accesses[2].wavefronts);
    const TracedAccess& store = block.accesses[3];
    EXPECT_EQ(2u, store.instruction);
    EXPECT_EQ(0, store.buffer);
    EXPECT_EQ(12u, store.addresses[1]);  // bytes into the buffer
    EXPECT_EQ(8, store.sectors);
    EXPECT_EQ(4, store.sectors_ideal);
}

}  // namespace
}  // namespace lanewise
