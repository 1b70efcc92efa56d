// Launches whose blocks wait for each other: all alive at once, whatever the number of threads, and no
// barrier that waits for ever.
#include <gtest/gtest.h>

#include "../grid_ptx.h"
#include "../run_ptx.h"
#include "ptx/grid_barrier.h"
#include "sim/run/stepper.h"
#include "sim/run/together.h"

namespace lanewise {
namespace {

// Thread 0 of each block stores 10 * (block + 1) to out[block] (words of 64 bits), and after the barrier
// the sum of all of them to out[blocks + block].
std::string sums(const std::string& barrier) {
    return R"(
    mov.u32 %r1, %ctaid.x;
    mov.u32 %r2, %nctaid.x;
    mul.wide.u32 %rd3, %r1, 8;
    add.s64 %rd3, %rd0, %rd3;
    mul.wide.u32 %rd4, %r2, 8;
    setp.ne.u32 %p1, %r0, 0;
    add.s32 %r3, %r1, 1;
    mul.lo.s32 %r3, %r3, 10;
    cvt.u64.u32 %rd5, %r3;
    @!%p1 st.global.u64 [%rd3], %rd5;
)" + barrier + R"(
    @%p1 bra $end;
    mov.u64 %rd6, 0;
    mov.u64 %rd7, %rd0;
    mov.u32 %r4, 0;
    $loop:
    ld.global.u64 %rd8, [%rd7];
    add.s64 %rd6, %rd6, %rd8;
    add.s64 %rd7, %rd7, 8;
    add.s32 %r4, %r4, 1;
    setp.lt.u32 %p2, %r4, %r2;
    @%p2 bra $loop;
    add.s64 %rd9, %rd3, %rd4;
    st.global.u64 [%rd9], %rd6;
    $end:
)";
}

struct Grid {
    explicit Grid(const std::string& body, uint64_t words = 64)
        : kernel(ptx::parse(kernel_around(body)).kernels.at(0)),
          machine(kernel),
          out(memory.allocate(words * 8, "out")),
          arguments(Arguments().add(out)) {}
    // One recorder for each block.
    std::vector<Recorder> run(uint32_t blocks, uint32_t threads_of_block, int threads,
                              const Machine::Limits& limits = {}) {
        std::vector<Recorder> seen(blocks);
        std::vector<Observer*> by_block;
        for (Recorder& one : seen) by_block.push_back(&one);
        executed = run_together(kernel, {{blocks}, {threads_of_block}}, arguments, memory, by_block,
                                        threads, limits);
        return seen;
    }
    uint64_t word(size_t index) const {
        uint64_t word = 0;
        std::memcpy(&word, memory.buffers()[0].storage + 8 * index, 8);
        return word;
    }
    ptx::Kernel kernel;
    Machine machine;
    Memory memory;
    uint64_t out, executed = 0;
    Arguments arguments;
};

size_t loads_of_barrier(const Recorder& seen) {
    size_t count = 0;
    for (const Recorder::Access& access : seen.accesses)
        count += !access.event.is_store && access.event.kind == AccessKind::plain &&
                 access.addresses[0] == ptx::kGridWorkspace + 4;
    return count;
}

TEST(GridBarrier, IsFoundInThePtx) {
    ptx::Kernel kernel = ptx::parse(kernel_around(grid_sync("a"))).kernels.at(0);
    ptx::GridBarrier found = ptx::grid_barrier(kernel);
    EXPECT_TRUE(found.is_used);
    for (size_t i = 0; i < kernel.instructions.size(); ++i) {
        const std::string& opcode = kernel.instructions[i].parts[0];
        bool is_param = kernel.instructions[i].parts.size() > 1 && kernel.instructions[i].parts[1] == "param";
        EXPECT_EQ((opcode == "atom" || opcode == "ld") && !is_param, found.accesses[i] != 0) << i;
    }
    EXPECT_FALSE(ptx::grid_barrier(ptx::parse(kernel_around("")).kernels.at(0)).is_used);
    ASSERT_EQ(1u, kernel.variables.size());
    EXPECT_EQ(ptx::kGridWorkspace, kernel.variables[0].address);
}

// 10 + 20 + 30 = 60, in every block; each looks at the barrier once.
TEST(GridBarrier, ShowsWhatAllBlocksStoredBefore) {
    for (int threads : {1, 3}) {
        Grid grid(sums(grid_sync("a")));
        std::vector<Recorder> seen = grid.run(3, 40, threads);
        for (size_t block = 0; block < 3; ++block) {
            EXPECT_EQ(10 * (block + 1), grid.word(block));
            EXPECT_EQ(60u, grid.word(3 + block)) << block;
            EXPECT_EQ(1u, loads_of_barrier(seen[block]));
            EXPECT_TRUE(seen[block].faults.empty());
        }
    }
}

// The sum of 10, 20, … 1200 is 10 * 120 * 121 / 2.
TEST(GridBarrier, DoesNotDependOnTheNumberOfThreads) {
    std::vector<uint64_t> executed;
    for (int threads : {1, 2, 5}) {
        Grid grid(sums(grid_sync("a")), 240);
        grid.run(120, 64, threads);
        executed.push_back(grid.executed);
        for (size_t block = 0; block < 120; ++block) EXPECT_EQ(72'600u, grid.word(120 + block));
    }
    EXPECT_EQ(executed[0], executed[1]);
    EXPECT_EQ(executed[0], executed[2]);
}

// Without the barrier the machine's order shows: block 0 runs before the others have stored anything.
TEST(GridBarrier, IsWhatMakesTheDifference) {
    Grid grid(sums("mov.u32 %r10, %envreg1;"));
    grid.run(3, 40, 1);
    EXPECT_EQ(10u, grid.word(3));
    EXPECT_EQ(30u, grid.word(4));
}

TEST(GridBarrier, OpensAsOftenAsAllCome) {
    std::string three = grid_sync("a") + grid_sync("b") + grid_sync("c");
    Grid grid(sums(three));
    for (int launch = 0; launch < 2; ++launch) {  // an odd number leaves the word changed
        std::vector<Recorder> seen = grid.run(5, 32, 2);
        for (const Recorder& one : seen) EXPECT_EQ(3u, loads_of_barrier(one));
        EXPECT_EQ(150u, grid.word(5));
    }
}

// Machine::run gives one block of the grid to its observer, and all of them take part.
TEST(GridBarrier, RunsTheWholeGridForOneBlock) {
    Grid grid(sums(grid_sync("a")));
    Recorder seen;
    uint64_t one = grid.machine.run({{4}, {32}}, grid.arguments, grid.memory, 2, 3, seen);
    EXPECT_EQ(100u, grid.word(4 + 2));
    EXPECT_EQ(100u, grid.word(4 + 3));
    for (const Recorder::Access& access : seen.accesses) EXPECT_EQ(2u, access.event.block);
    grid.run(4, 32, 1);
    EXPECT_LT(one, grid.executed);
}

TEST(GridBarrier, ThatABlockDoesNotReachIsOneDeadlock) {
    // Block 2 returns before it.
    std::string leaves = "mov.u32 %r9, %ctaid.x;\nsetp.eq.u32 %p5, %r9, 2;\n@%p5 ret;\n";
    for (int threads : {1, 3}) {
        Grid grid(sums(leaves + grid_sync("a")));
        std::vector<Recorder> seen = grid.run(4, 64, threads);
        ASSERT_EQ(1u, seen[0].faults.size());
        const Fault& fault = seen[0].faults[0];
        EXPECT_EQ(Fault::Kind::deadlock, fault.kind);
        EXPECT_EQ("ld", grid.kernel.instructions[fault.instruction].parts[0]);
        EXPECT_EQ("3 of 4 blocks wait at this barrier of the grid for ever: block (2) has ended "
                  "without it; every thread of every block must come to each grid.sync()",
                  fault.text);
        for (size_t block = 1; block < 4; ++block) EXPECT_TRUE(seen[block].faults.empty());
        EXPECT_EQ(0u, grid.word(4)) << "nobody went past it";
    }
}

// Whose first thread has left: the block never arrives, and goes on without waiting.
TEST(GridBarrier, WithoutABlocksFirstThreadIsADeadlock) {
    std::string leaves =
        "mov.u32 %r9, %ctaid.x;\nsetp.eq.u32 %p5, %r9, 1;\n"
        "setp.lt.u32 %p6, %r0, 32;\nand.pred %p5, %p5, %p6;\n@%p5 ret;\n";
    Grid grid(sums(leaves + grid_sync("a")));
    std::vector<Recorder> seen = grid.run(3, 64, 1);
    ASSERT_EQ(1u, seen[0].faults.size());
    EXPECT_NE(std::string::npos, seen[0].faults[0].text.find("block (1) has ended"));
}

// What ends a block before its time is told of, and not that others wait for it.
TEST(GridBarrier, IsNotBlamedForAnotherFault) {
    std::string traps = "mov.u32 %r9, %ctaid.x;\nsetp.eq.u32 %p5, %r9, 1;\n@%p5 trap;\n";
    Grid trap(sums(traps + grid_sync("a")));
    std::vector<Recorder> seen = trap.run(3, 32, 2);
    EXPECT_TRUE(seen[0].faults.empty());
    EXPECT_EQ(32u, seen[1].faults.size());
    std::string spins = "mov.u32 %r9, %ctaid.x;\n$ever: setp.eq.u32 %p5, %r9, 1;\n@%p5 bra $ever;\n";
    Grid endless(sums(spins + grid_sync("a")));
    Machine::Limits limits;
    limits.instructions_per_block = 100'000;
    seen = endless.run(3, 32, 2, limits);
    ASSERT_EQ(1u, seen[1].faults.size());
    EXPECT_EQ(Fault::Kind::runaway, seen[1].faults[0].kind);
    EXPECT_TRUE(seen[0].faults.empty());
}

TEST(GridBarrier, IsForNoMoreBlocksThanACardHolds) {
    Grid grid(sums(grid_sync("a")));
    Recorder nobody;
    try {
        grid.machine.run({{6000}, {32}}, grid.arguments, grid.memory, 0, 1, nobody);
        FAIL();
    } catch (const Error& error) {
        EXPECT_NE(std::string::npos, std::string(error.what()).find("no card holds 6,000 of them"));
    }
    // 1,024 threads with so much local memory each: 64 KiB * 1,024 * 100 blocks is 6 GiB.
    Grid large(".local .align 8 .b8 much[65536];\n" + sums(grid_sync("a")));
    EXPECT_THROW(large.run(100, 1024, 1), Error);
}

// Of a stepper: the block that is looked at waits for the others, and goes on with what they stored.
TEST(GridBarrier, IsSteppedOverWithAllBlocks) {
    Grid grid(sums(grid_sync("a")));
    Recorder seen;
    Stepper stepper(grid.kernel, {{3}, {64}}, grid.arguments, grid.memory, seen, {}, {});
    for (uint32_t block : {1u, 0u, 2u}) {
        std::memset(grid.memory.buffers()[0].storage, 0, 64 * 8);
        stepper.begin(block);
        while (!stepper.has_ended()) {
            uint64_t before = stepper.steps();
            stepper.run(before + 1);
            ASSERT_TRUE(stepper.has_ended() || stepper.steps() == before + 1);
        }
        for (size_t each = 0; each < 3; ++each) EXPECT_EQ(60u, grid.word(3 + each)) << block;
        EXPECT_TRUE(seen.faults.empty());
    }
}

TEST(GridBarrier, IsADeadlockForAStepperToo) {
    std::string leaves = "mov.u32 %r9, %ctaid.x;\nsetp.eq.u32 %p5, %r9, 2;\n@%p5 ret;\n";
    Grid grid(sums(leaves + grid_sync("a")));
    for (uint32_t block : {0u, 2u}) {  // one that waits, and the one that it waits for
        Recorder seen;
        Stepper stepper(grid.kernel, {{3}, {32}}, grid.arguments, grid.memory, seen, {}, {});
        stepper.begin(block);
        stepper.run(~0ull);
        EXPECT_TRUE(stepper.has_ended());
        ASSERT_EQ(1u, seen.faults.size()) << block;
        EXPECT_EQ(Fault::Kind::deadlock, seen.faults[0].kind);
        EXPECT_EQ(0u, seen.faults[0].block);
    }
}

}  // namespace
}  // namespace lanewise
