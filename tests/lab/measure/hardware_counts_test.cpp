// The machine's counts beside the hardware's: equal, explained, or different.
#include "lab/measure/hardware_counts.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "gpu/cupti.h"
#include "lab/json/json.h"

namespace lanewise {

namespace {

using Verdict = CountComparison::Verdict;

// The padded tile at 4096 x 4096 f32, as an H200 counted it.
Counts padded() {
    Counts counts;
    counts.global_load = {524'288, 524'288, 2'097'152, 2'097'152, 67'108'864};
    counts.global_store = counts.global_load;
    counts.shared_load = {524'288, 524'288, 524'288, 67'108'864};
    counts.shared_store = counts.shared_load;
    return counts;
}

CounterReading counted() {
    CounterReading reading;
    reading.passes = 5;
    reading.values = {
        {"l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum", 524'288},
        {"l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", 2'097'152},
        {"l1tex__t_sectors_pipe_lsu_mem_global_op_atom.sum", 0},
        {"smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ld.sum", 524'288},
        {"smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_st.sum", 524'290},
        {"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum", 584'183},
        {"dram__bytes_read.sum", 67'500'000},
        {"dram__bytes_write.sum", 20'000'000},
        {"lts__t_bytes.sum", 140'000'000},
        {"gpu__time_duration.sum", 42'100},
    };
    return reading;
}

const CountComparison& row_of(const std::vector<CountComparison>& rows, const std::string& name) {
    for (const CountComparison& row : rows)
        if (row.name == name) return row;
    ADD_FAILURE() << "no row " << name;
    return rows.front();
}

// 1000 x 50 halves are 100,000 bytes. A is 33 x 97 halves, B 97 x 65, C 33 x 65 floats.
TEST(HardwareCounts, KnowTheBytesThatALaunchHasToMove) {
    Job job;
    job.stage.id = "transpose/30_padded";
    job.type = "f16";
    job.rows = 1000;
    job.cols = 50;
    job.batch = 3;
    LaunchFacts moved = launch_facts(job, 7);
    EXPECT_EQ(300'000u, moved.input_bytes);
    EXPECT_EQ(300'000u, moved.output_bytes);
    EXPECT_EQ(7, moved.cold_time_us);
    job.stage.reference = "matmul";
    job.rows = 33;
    job.cols = 65;
    job.inner = 97;
    job.batch = 1;
    LaunchFacts multiplied = launch_facts(job, 0);
    EXPECT_EQ(2u * (33 * 97 + 97 * 65), multiplied.input_bytes);
    EXPECT_EQ(4u * 33 * 65, multiplied.output_bytes);
    job.own.kernel = "mine";
    EXPECT_EQ(0u, launch_facts(job, 7).input_bytes);
}

}  // namespace

TEST(HardwareCounts, EveryDifferenceIsExplainedOrSaidToBeUnknown) {
    auto rows = compare_counts(padded(), counted(), {67'108'864, 67'108'864, 45.2});
    EXPECT_EQ(9u, rows.size());  // atomics: none on either side
    const CountComparison& sectors = row_of(rows, "global load sectors");
    EXPECT_EQ(2'097'152u, sectors.machine);
    EXPECT_EQ(Verdict::equal, sectors.verdict);
    EXPECT_EQ("equal", sectors.words);
    const CountComparison& stores = row_of(rows, "shared store wavefronts");
    EXPECT_EQ(Verdict::differs, stores.verdict);
    EXPECT_EQ("differs, and it is not known why", stores.words);
    const CountComparison& noisy = row_of(rows, "shared load wavefronts, all told");
    EXPECT_EQ(Verdict::explained, noisy.verdict);
    EXPECT_EQ("59,895 more: other accesses had the memory just then (arbitration)", noisy.words);
    EXPECT_EQ("0.6 % more than the input: fetched again after the cache had dropped it",
              row_of(rows, "DRAM read").words);
    EXPECT_EQ("70.2 % less than the output: still in the L2 cache at the end",
              row_of(rows, "DRAM written").words);
    EXPECT_EQ(Verdict::hardware_only, row_of(rows, "L2 traffic").verdict);
    EXPECT_DOUBLE_EQ(42.1, row_of(rows, "time of the launch").hardware);
    EXPECT_EQ("with a cold cache, by the profiler's clock; by events 45.2",
              row_of(rows, "time of the launch").words);
}

TEST(HardwareCounts, CopiesPastTheRegistersAreCountedInByTheProfiler) {
    Counts counts = padded();
    counts.async_copy.requests = 1'000;
    CounterReading reading = counted();
    reading.values = {{"l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum", 525'288}};
    auto rows = compare_counts(counts, reading, {});
    ASSERT_EQ(1u, rows.size());
    EXPECT_EQ("equal; 1,000 of them cp.async, counted apart by the machine", rows[0].words);
}

TEST(HardwareCounts, BoxesOfTheTensorMemoryAcceleratorAreCounted) {
    Counts counts;
    counts.bulk_load.sectors = 1536;
    CounterReading reading;
    reading.values = {{"l1tex__m_xbar2l1tex_read_sectors_mem_global_op_tma_ld.sum", 1536},
                      {"l1tex__m_l1tex2xbar_write_sectors_mem_global_op_tma_st.sum", 8}};
    auto rows = compare_counts(counts, reading, {});
    ASSERT_EQ(2u, rows.size());
    EXPECT_EQ(Verdict::equal, row_of(rows, "bulk load sectors").verdict);
    EXPECT_EQ(Verdict::differs, row_of(rows, "bulk store sectors").verdict);
}

TEST(HardwareCounts, PartlyWrittenSectorsAreNamed) {
    Counts counts = padded();
    counts.global_store.bytes -= 4;
    CounterReading reading = counted();
    auto rows = compare_counts(counts, reading, {67'108'864, 67'108'864, 0});
    EXPECT_NE(std::string::npos, row_of(rows, "DRAM read").words.find("written in part"));
}

TEST(HardwareCounts, AreATableOrAReason) {
    CounterReading reading = counted();
    reading.unknown = {"tensor.sum"};
    std::string text = counts_text(compare_counts(padded(), reading, {}), reading);
    EXPECT_NE(std::string::npos, text.find("524,288          524,288   equal\n")) << text;
    EXPECT_NE(std::string::npos, text.find("This card has no tensor.sum.\n")) << text;
    EXPECT_NE(std::string::npos, text.find("Counted in 5 passes")) << text;
    CounterReading none;
    none.problem = "CUPTI is not here";
    EXPECT_EQ("\nNo hardware counters: CUPTI is not here.\n", counts_text({}, none));
}

TEST(HardwareCounts, TravelAsJson) {
    CounterReading before = counted(), after = Json(before).get<CounterReading>();
    EXPECT_EQ(before.values, after.values);
    EXPECT_EQ(5u, after.passes);
    Json row = compare_counts(padded(), before, {}).front();
    EXPECT_EQ("equal", row["verdict"]);
    EXPECT_EQ(524'288, row["machine"]);
}

// The real library knows, without a GPU, which counters each chip has.
class KnownCounters : public testing::TestWithParam<const char*> {};

TEST_P(KnownCounters, AreAllKnownToTheChip) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    GTEST_SKIP()
        << "NVIDIA's library opens another with RTLD_DEEPBIND, which the sanitizer refuses";
#endif
    std::string problem;
    auto api = load_cupti(cupti_libraries(), problem);
    if (!api) GTEST_SKIP() << problem;
    for (const std::string& metric : counter_metrics()) {
        cupti::HostInitialize host;
        host.size = size_of(host);
        host.chip = GetParam();
        ASSERT_EQ(0, api->HostInitialize(&host));
        const char* name = metric.c_str();
        cupti::HostConfigAddMetrics add;
        add.size = size_of(add);
        add.host = host.host;
        add.names = &name;
        add.count = 1;
        bool of_hopper = metric.find("_tma_") != std::string::npos;
        bool is_older = std::string(GetParam()) == "GA100" || std::string(GetParam()) == "AD102";
        EXPECT_EQ(!(of_hopper && is_older), api->HostConfigAddMetrics(&add) == 0) << metric;
        cupti::HostDeinitialize end;
        end.size = size_of(end);
        end.host = host.host;
        EXPECT_EQ(0, api->HostDeinitialize(&end));
    }
}

INSTANTIATE_TEST_SUITE_P(Chips, KnownCounters, testing::Values("GA100", "AD102", "GH100", "GB100"));

}  // namespace lanewise
