// What the engine itself read through CUPTI on an H200 (`run STAGE --counters --json`), launch by
// launch: every counter that can be equalled is, and every other difference is explained.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "../../shipped_stages.h"
#include "base/files.h"
#include "course/catalogue.h"
#include "lab/analysis/analysis.h"
#include "lab/json/json.h"
#include "lab/json/staircase_json.h"
#include "lab/measure/hardware_counts.h"

namespace lanewise {

class GoldenCupti : public testing::TestWithParam<std::string> {};

TEST_P(GoldenCupti, EveryCountIsEqualOrExplained) {
    const Catalogue& catalogue = shipped_stages();
    Json launches = Json::parse(read_file(TESTS_FOLDER "/golden/h200/" + GetParam() + ".json"));
    EXPECT_GE(launches.size(), 3u);
    for (const Json& launch : launches) {
        Job job;
        job.stage = catalogue.find(launch.at("stage").get<std::string>());
        job.knobs = launch.at("knobs").get<KnobValues>();
        job.type = launch.at("type");
        job.rows = launch.at("rows");
        job.cols = launch.at("cols");
        job.arch = "sm_90";
        SCOPED_TRACE(launch.at("stage").get<std::string>() + " " + job.type);
        auto rows =
            compare_counts(analyse(job).report.totals, launch.at("reading").get<CounterReading>(),
                           launch_facts(job, 0));
        size_t equal = 0;
        for (const CountComparison& row : rows) {
            EXPECT_NE(CountComparison::Verdict::differs, row.verdict)
                << row.name << ": " << row.machine << ", hardware " << row.hardware;
            equal += row.verdict == CountComparison::Verdict::equal;
        }
        EXPECT_GE(equal, 4u);  // requests and sectors, loads and stores
    }
}
INSTANTIATE_TEST_SUITE_P(Launches, GoldenCupti, testing::Values("cupti", "reductions", "squares"));

// The recorded staircase: two cycles a wavefront, and the machine's counts of the stage's accesses
// are those that the card's cycles say.
TEST(GoldenStaircase, TheCardsCyclesSayTheMachinesWavefronts) {
    std::vector<std::string> problems;
    auto recorded = read_staircases(CONTENT_FOLDER "/assets/recordings/staircase", problems);
    EXPECT_EQ(std::vector<std::string>{}, problems);
    ASSERT_FALSE(recorded.empty());
    for (const Staircase& staircase : recorded) {
        EXPECT_EQ(6u, staircase.lines.size());
        for (const StaircaseLine& line : staircase.lines)
            EXPECT_NEAR(2, line.per_wavefront.median, 0.01) << in_words(line);
        for (const StaircaseStep& step : staircase.steps)
            EXPECT_NEAR(step.access.wavefronts, step.seen, 0.5) << step.access.name;
    }
}

}  // namespace lanewise
