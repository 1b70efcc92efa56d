// Equality with the hardware for kernels that are no stages: every launch that Nsight Compute
// counted on an H200 (tests/golden/h200/own_counters.csv, taken by take.py) against the machine's
// totals. So with PTX that others wrote (ptx/counters.csv).
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <ostream>

#include "../case_name.h"
#include "../needs.h"
#include "base/files.h"
#include "lab/analysis/analysis.h"
#include "own_job.h"

namespace lanewise {

namespace {

struct OwnCounts {
    std::string command;
    std::map<std::string, uint64_t> counts;  // by the profiler's name for the counter
};

void PrintTo(const OwnCounts& launch, std::ostream* out) { *out << launch.command; }

// Lines of "command",n,n,… under a line of names; the command has quotes where it needs them.
std::vector<OwnCounts> launches_in(const std::string& file) {
    std::vector<OwnCounts> launches;
    std::vector<std::string> names;
    std::string text = read_file(TESTS_FOLDER "/golden/h200/" + file);
    for (std::string_view line : lines_of(text)) {
        if (line.empty() || line.front() == '#') continue;
        std::string command;
        size_t at = 0;
        bool quoted = line.front() == '"';
        for (at = quoted; at < line.size(); ++at) {
            bool doubled = quoted && line.substr(at, 2) == "\"\"";
            if (!doubled && line[at] == (quoted ? '"' : ',')) break;
            command += line[at];
            at += doubled;
        }
        std::vector<std::string_view> cells = split(line.substr(at), ',');
        if (names.empty()) {
            names.assign(cells.begin(), cells.end());
            continue;
        }
        OwnCounts launch{command, {}};
        for (size_t i = 1; i < cells.size(); ++i) {
            int64_t count = 0;
            if (parse_integer(cells[i], count))
                launch.counts[names.at(i)] = static_cast<uint64_t>(count);
        }
        launches.push_back(std::move(launch));
    }
    return launches;
}

std::vector<OwnCounts> own_launches() { return launches_in("own_counters.csv"); }

#define SASS "smsp__sass_"

// What each of the profiler's counters is called here.
const std::map<std::string, uint64_t (*)(const Counts&)> kCounters = {
#define COUNTER(name, expression)                                      \
    {                                                                  \
        name, [](const Counts& c) -> uint64_t { return c.expression; } \
    }
    COUNTER("l1tex__t_requests_pipe_lsu_mem_global_op_ld",
            global_load.requests + c.async_copy.requests),
    COUNTER("l1tex__t_requests_pipe_lsu_mem_global_op_st", global_store.requests),
    COUNTER("l1tex__t_requests_pipe_lsu_mem_global_op_atom", global_atomic.requests),
    COUNTER("l1tex__t_requests_pipe_lsu_mem_global_op_red", global_reduction.requests),
    COUNTER("l1tex__t_sectors_pipe_lsu_mem_global_op_ld",
            global_load.sectors + c.async_copy.tag_sectors),
    COUNTER("l1tex__t_sectors_pipe_lsu_mem_global_op_st", global_store.sectors),
    COUNTER("l1tex__t_sectors_pipe_lsu_mem_global_op_atom", global_atomic.sectors),
    COUNTER("l1tex__t_sectors_pipe_lsu_mem_global_op_red", global_reduction.sectors),
    COUNTER(SASS "l1tex_t_requests_pipe_lsu_mem_global_op_ldgsts", async_copy.requests),
    COUNTER(SASS "l1tex_t_sectors_pipe_lsu_mem_global_op_ldgsts", async_copy.sectors),
    COUNTER(SASS "l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ld", shared_load.wavefronts),
    COUNTER(SASS "l1tex_data_pipe_lsu_wavefronts_mem_shared_op_st", shared_store.wavefronts),
    COUNTER(SASS "l1tex_data_pipe_lsu_wavefronts_mem_shared_op_atom", shared_atomic.wavefronts),
    COUNTER(SASS "l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ldgsts", async_copy.wavefronts),
    COUNTER(SASS "l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ldsm", matrix_load.wavefronts),
    COUNTER(SASS "inst_executed_op_global_ld", global_load.instructions),
    COUNTER(SASS "inst_executed_op_global_st", global_store.instructions),
    COUNTER(SASS "inst_executed_op_global_atom", global_atomic.instructions),
    COUNTER(SASS "inst_executed_op_global_red", global_reduction.instructions),
    COUNTER(SASS "inst_executed_op_shared_ld", shared_load.instructions),
    COUNTER(SASS "inst_executed_op_shared_st", shared_store.instructions),
    COUNTER(SASS "inst_executed_op_shared_atom", shared_atomic.instructions),
    COUNTER(SASS "inst_executed_op_ldgsts", async_copy.instructions),
    COUNTER(SASS "inst_executed_op_ldsm", matrix_load.instructions),
    COUNTER(SASS "inst_executed_op_tma_ld", bulk_load.instructions),
    COUNTER(SASS "inst_executed_op_tma_st", bulk_store.instructions),
    COUNTER("l1tex__m_xbar2l1tex_read_sectors_mem_global_op_tma_ld", bulk_load.sectors),
    // whole sectors, whatever part of them is wanted
    COUNTER("l1tex__m_xbar2l1tex_read_bytes_mem_global_op_tma_ld", bulk_load.sectors * 32),
    COUNTER("l1tex__m_l1tex2xbar_write_sectors_mem_global_op_tma_st", bulk_store.sectors),
    COUNTER("l1tex__m_l1tex2xbar_write_bytes_mem_global_op_tma_st", bulk_store.sectors * 32),
#undef COUNTER
#undef SASS
};

// Where the profiler's own patches of the machine code (smsp__sass_…) are at odds with the
// hardware, and one that is not explained.
struct NotTheHardwares {
    const char *command, *counter;  // parts of them
};
constexpr NotTheHardwares kNotTheHardwares[] = {
    // For a copy that is predicated off in all lanes the patch takes the addresses that registers
    // happen to hold, and sectors of shared memory it does not know; …t_sectors…op_ld is right.
    {"--kernel pipeline<", "smsp__sass_l1tex_t_sectors_pipe_lsu_mem_global_op_ldgsts"},
    {"--kernel pipeline<", "wavefronts_mem_shared_op_ldgsts"},
    // 5,888, and 5,632 here, as the PTX has it. Its last copies fill in zeros, for which the
    // counter
    // depends on the machine code (trace/count/copy_rules.h); but with Triton's own cubin the rules there
    // make it 4,352, so this one is not explained. The copies' requests and sectors are equal.
    {"triton_product.ptx", "wavefronts_mem_shared_op_ldgsts"},
    // 5 under a sparse mask; l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld, which is exact for
    // the one warp of this launch, says 6.
    {"broadcast_masked<float4>", "wavefronts_mem_shared_op_ld"},
};
bool is_the_hardwares(const std::string& command, const std::string& counter) {
    return std::none_of(std::begin(kNotTheHardwares), std::end(kNotTheHardwares), [&](auto& row) {
        return command.find(row.command) != std::string::npos && counter.ends_with(row.counter);
    });
}

}  // namespace

// Who waits at a barrier of the grid looks again and again whether it has opened; the machine looks once.
static bool polls(const std::string& command, const std::string& counter) {
    bool loads = counter.ends_with("global_op_ld") || counter.ends_with("op_global_ld");
    return command.starts_with("grid_sync.cu") && loads;
}

static void expect_counts(const OwnCounts& launch, const std::string& folder) {
    Analysis analysis = analyse(own_job_of(launch.command, folder), 1);
    // Triton multiplies what cp.async has copied without the fence that the PTX manual asks for.
    bool lacks_fence = launch.command.starts_with("triton_product.ptx");
    for (const Finding& finding : analysis.report.findings)
        EXPECT_TRUE(lacks_fence &&
                    finding.message.ends_with("has copied with no fence.proxy.async between; "
                                              "dynamic array global_smem has 24576 bytes"))
            << finding.message;
    EXPECT_EQ(lacks_fence ? 1u : 0u, analysis.report.findings.size());
    for (const auto& [name, count] : launch.counts) {
        auto counter = kCounters.find(name);
        ASSERT_NE(kCounters.end(), counter) << name << " is nothing that is counted here";
        if (!is_the_hardwares(launch.command, name)) continue;
        const uint64_t counted = counter->second(analysis.report.totals);
        if (polls(launch.command, name))
            EXPECT_GE(count, counted) << name;
        else
            EXPECT_EQ(count, counted) << name;
    }
}

class GoldenOwn : public testing::TestWithParam<OwnCounts> {};

TEST_P(GoldenOwn, TheMachineCountsWhatTheHardwareCounted) {
    NEEDS_NVRTC();
    expect_counts(GetParam(), TESTS_FOLDER "/golden/h200");
}

// Kernels of Triton and Numba, as these compiled them; nothing is compiled here.
class GoldenPtx : public testing::TestWithParam<OwnCounts> {};

TEST_P(GoldenPtx, TheMachineCountsWhatTheHardwareCounted) {
    expect_counts(GetParam(), TESTS_FOLDER "/golden/h200/ptx");
}

static std::string own_name(const testing::TestParamInfo<OwnCounts>& row) {
    std::vector<std::string> words = words_of(row.param.command);
    std::string name = std::to_string(row.index) + "_" + words.at(0) + "_" + words.at(2);
    return case_name(name);
}

INSTANTIATE_TEST_SUITE_P(H200, GoldenOwn, testing::ValuesIn(own_launches()), own_name);

// Launches in clusters, bulk copies for im2col, grid-wide barriers, textures, surfaces, and variables of the device,
// counted on an H100. (Requests for textures are no counter here.)
class GoldenNewer : public testing::TestWithParam<OwnCounts> {};

TEST_P(GoldenNewer, TheMachineCountsWhatTheHardwareCounted) {
    NEEDS_NVRTC();
    expect_counts(GetParam(), TESTS_FOLDER "/programs/fixtures");
}

INSTANTIATE_TEST_SUITE_P(Clusters, GoldenNewer, testing::ValuesIn(launches_in("cluster_counters.csv")), own_name);
INSTANTIATE_TEST_SUITE_P(Grids, GoldenNewer, testing::ValuesIn(launches_in("grid_counters.csv")), own_name);

INSTANTIATE_TEST_SUITE_P(H200, GoldenPtx, testing::ValuesIn(launches_in("ptx/counters.csv")),
                         own_name);

// Launches whose counts are no function of the program alone, for the reasons that are given there:
// the hardware counts at least what the machine does.
class GoldenDiffering : public testing::TestWithParam<OwnCounts> {};

TEST_P(GoldenDiffering, TheMachineCountsNoMoreThanTheHardware) {
    NEEDS_NVRTC();
    Analysis analysis = analyse(own_job_of(GetParam().command, TESTS_FOLDER "/golden/h200"), 1);
    EXPECT_TRUE(analysis.report.findings.empty());
    bool all_equal = true;
    for (const auto& [name, count] : GetParam().counts) {
        uint64_t counted = kCounters.at(name)(analysis.report.totals);
        EXPECT_GE(count, counted) << name;
        all_equal = all_equal && count == counted;
    }
    EXPECT_FALSE(all_equal) << "the row belongs into own_counters.csv";
}

INSTANTIATE_TEST_SUITE_P(H200, GoldenDiffering, testing::ValuesIn(launches_in("own_differing.csv")),
                         own_name);

// So that a file that cannot be read is no silence.
TEST(GoldenOwnCounters, AreOfEveryCase) {
    size_t cases = 0;
    std::string text = read_file(TESTS_FOLDER "/golden/h200/own_cases.txt");
    for (std::string_view line : lines_of(text)) cases += !line.empty() && line.front() != '#';
    EXPECT_EQ(cases, own_launches().size());
    EXPECT_EQ(37u, launches_in("cluster_counters.csv").size());
    EXPECT_EQ(32u, launches_in("grid_counters.csv").size());
    EXPECT_EQ(10u, launches_in("ptx/counters.csv").size());
}

}  // namespace lanewise
