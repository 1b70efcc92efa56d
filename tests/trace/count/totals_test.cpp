// Whole launches of 4096 x 4096 floats against what the hardware counted (design of the table:
// one H200, Nsight Compute; "exact metric" for shared memory), and independence from the threads.
#include <gtest/gtest.h>

#include <chrono>

#include "run_ptx.h"
#include "trace/count/counter.h"

namespace lanewise {
namespace {

Report count(const std::string& file, uint32_t rows, uint32_t cols, Dim3 grid, Dim3 block,
             size_t threads) {
    ptx::Kernel kernel = fixture(file);
    Machine machine(kernel);
    Memory memory;
    Arguments arguments;
    arguments.add(memory.allocate_unique_words(uint64_t{rows} * cols * 4, "in"))
        .add(memory.allocate(uint64_t{rows} * cols * 4, "out"))
        .add(rows)
        .add(cols);
    std::vector<std::unique_ptr<Counter>> counters;
    std::vector<Observer*> observers;
    for (size_t i = 0; i < threads; ++i) {
        counters.push_back(std::make_unique<Counter>(kernel));
        observers.push_back(counters.back().get());
    }
    LaunchShape shape{grid, block};
    uint64_t executed = machine.run_all(shape, arguments, memory, observers, {});
    std::vector<const Counter*> results;
    for (const auto& counter : counters) results.push_back(counter.get());
    Report report = merge(kernel, results, shape, memory);
    report.warp_instructions = executed;
    return report;
}

struct Row {
    const char* file;
    Dim3 grid, block;
    uint64_t load_sectors, store_sectors, shared_load, shared_store;  // shared: wavefronts
};
const Row kTable[] = {
    {"copy.ptx", {128, 512}, {32, 8}, 2'097'152, 2'097'152, 0, 0},
    {"naive.ptx", {128, 128}, {32, 32}, 2'097'152, 16'777'216, 0, 0},
    {"naive_write.ptx", {128, 128}, {32, 32}, 16'777'216, 2'097'152, 0, 0},
    {"tiled.ptx", {128, 128}, {32, 8}, 2'097'152, 2'097'152, 16'777'216, 524'288},
    {"padded.ptx", {128, 128}, {32, 8}, 2'097'152, 2'097'152, 524'288, 524'288},
};

TEST(Totals, EqualTheHardwaresOf4096) {
    for (const Row& row : kTable) {
        Counts totals = count(row.file, 4096, 4096, row.grid, row.block, 2).totals;
        EXPECT_EQ(524'288u, totals.global_load.requests) << row.file;
        EXPECT_EQ(524'288u, totals.global_store.requests) << row.file;
        EXPECT_EQ(row.load_sectors, totals.global_load.sectors) << row.file;
        EXPECT_EQ(row.store_sectors, totals.global_store.sectors) << row.file;
        EXPECT_EQ(2'097'152u, totals.global_load.sectors_ideal) << row.file;
        EXPECT_EQ(67'108'864u, totals.global_load.bytes) << row.file;
        EXPECT_EQ(row.shared_load, totals.shared_load.wavefronts) << row.file;
        EXPECT_EQ(row.shared_store, totals.shared_store.wavefronts) << row.file;
    }
}

TEST(Totals, DoNotDependOnTheNumberOfThreads) {
    // 1000 columns: rows begin at different places of a sector, and the last blocks are partial.
    Report one = count("padded.ptx", 50, 1000, {32, 2}, {32, 8}, 1);
    for (size_t threads : {2u, 8u}) {
        Report many = count("padded.ptx", 50, 1000, {32, 2}, {32, 8}, threads);
        EXPECT_EQ(one.totals, many.totals);
        EXPECT_EQ(one.warp_instructions, many.warp_instructions);
        ASSERT_EQ(one.lines.size(), many.lines.size());
        for (size_t i = 0; i < one.lines.size(); ++i)
            EXPECT_EQ(one.lines[i].counts, many.lines[i].counts);
    }
}

}  // namespace
}  // namespace lanewise
