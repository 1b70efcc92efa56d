// Equality with the hardware: every launch that Nsight Compute counted on an H200
// (tests/golden/h200/take.py) against the machine's totals for the same launch.
#include <gtest/gtest.h>
#include <unistd.h>

#include "../../case_name.h"
#include "../../shipped_stages.h"
#include "base/files.h"
#include "course/catalogue.h"
#include "lab/analysis/analysis.h"
#include "lab/job/needs.h"
#include "lab/record/counted.h"

namespace lanewise {

static std::vector<CountedLaunch> launches() {
    CounterRecording golden = read_counter_recording(TESTS_FOLDER "/golden/h200/counters.csv");
    CounterRecording shown =
        read_counter_recording(CONTENT_FOLDER "/assets/recordings/nvidia-h200-counters.csv");
    for (const CountedLaunch& launch : shown.launches)
        if (launch.rows * launch.cols <= 4096 * 4096) golden.launches.push_back(launch);
    return golden.launches;
}

static std::string in_words(const CountedLaunch& launch) {
    std::string words = launch.stage + " " + launch.type + " " + std::to_string(launch.rows) + "x" +
                        std::to_string(launch.cols);
    for (const auto& [knob, value] : launch.knobs) words += " " + knob + std::to_string(value);
    return words;
}
void PrintTo(const CountedLaunch& launch, std::ostream* to) { *to << in_words(launch); }

class Golden : public testing::TestWithParam<CountedLaunch> {};

TEST_P(Golden, TheMachineCountsWhatTheHardwareCounted) {
    const Catalogue& catalogue = shipped_stages();
    const CountedLaunch& launch = GetParam();
    Job job;
    job.stage = catalogue.find(launch.stage);
    if (std::string why = cannot_interpret(job.stage); !why.empty()) GTEST_SKIP() << why;
    job.knobs = launch.knobs;
    job.type = launch.type;
    job.rows = launch.rows;
    job.cols = launch.cols;
    job.arch = "sm_90";
    Counts totals = analyse(job).report.totals;
    // The profiler's l1tex counters of global loads include cp.async (trace/count/rules.h).
    totals.global_load.requests += totals.async_copy.requests;
    totals.global_load.sectors += totals.async_copy.tag_sectors;
    std::vector<CountRow> rows = count_rows(totals);
    add_measured(rows, launch);
    std::map<std::string, uint64_t> uncounted = launch.counts;
    for (const CountRow& row : rows) {
        EXPECT_TRUE(row.has_measured) << row.name;
        EXPECT_EQ(row.measured, row.counted) << row.name;
        uncounted.erase(row.name);
    }
    for (const auto& [name, count] : uncounted) EXPECT_EQ(0u, count) << name;
}

static std::string launch_name(const testing::TestParamInfo<CountedLaunch>& row) {
    return case_name(std::to_string(row.index) + in_words(row.param));
}

INSTANTIATE_TEST_SUITE_P(H200, Golden, testing::ValuesIn(launches()), launch_name);

static std::string error_of(const std::string& text) {
    std::filesystem::path file = std::filesystem::temp_directory_path() /
                                 ("lanewise-counters-" + std::to_string(::getpid()) + ".csv");
    write_file(file, text);
    std::string message = "read";
    try {
        read_counter_recording(file);
    } catch (const Error& error) {
        message = error.what();
        message.erase(0, file.string().size());
    }
    std::filesystem::remove(file);
    return message;
}

TEST(CounterRecordings, DamageIsNamedWithItsLine) {
    const std::string head = "# CARD, TOOL, 2026-01-01\ncase,global_load_requests\n";
    EXPECT_EQ("read", error_of(head + "transpose/00_copy 4x4 f32 BLOCK_X=32,1\n"));
    EXPECT_EQ(":3: expected 2 columns, found 1; take the recording again",
              error_of(head + "transpose/00_copy 4x4 f32\n"));
    EXPECT_EQ(":3: \"x\" is not a count", error_of(head + "transpose/00_copy 4x4 f32,x\n"));
    EXPECT_EQ(":3: expected STAGE ROWSxCOLS TYPE [KNOB=VALUE …]", error_of(head + "copy,1\n"));
    EXPECT_EQ(":3: expected KNOB=VALUE, not PAD", error_of(head + "copy 4x4 f32 PAD,1\n"));
    EXPECT_EQ(":2: no counts; take the recording again", error_of(head));
}

TEST(CounterRecordings, FindFillsInDefaults) {
    const Catalogue& catalogue = shipped_stages();
    const Stage& padded = catalogue.find("30_padded");
    CounterRecording recording;
    recording.launches = {{{{64, 32}, padded.id, {{"PAD", 0}}, "f32"}, {}},
                          {{{64, 32}, padded.id, {}, "f32"}, {}}};
    EXPECT_EQ(&recording.launches[1], recording.find(padded, {{"PAD", 1}}, "f32", 64, 32));
    EXPECT_EQ(&recording.launches[0], recording.find(padded, {{"PAD", 0}}, "f32", 64, 32));
    EXPECT_EQ(nullptr, recording.find(padded, {{"PAD", 2}}, "f32", 64, 32));
    EXPECT_EQ(nullptr, recording.find(padded, {}, "f64", 64, 32));
}

}  // namespace lanewise
