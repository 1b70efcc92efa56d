// The staircase against the fake GPU, whose clock says 20 cycles an access and 2 for each lane that
// wants bank 0.
#include <gtest/gtest.h>

#include <algorithm>

#include "../needs.h"
#include "../shipped_stages.h"
#include "base/error.h"
#include "compile/compiler.h"
#include "course/catalogue.h"
#include "gpu/device.h"
#include "lab/micro/staircase.h"
#include "use_fake_driver.h"

namespace lanewise {

class StaircaseRun : public testing::Test {
  protected:
    FakeDriver& fake_ = fake_driver();
    void SetUp() override {
        NEEDS_NVRTC();
        fake_.launched.clear();
    }
    void TearDown() override { EXPECT_EQ(0u, fake_.allocations + fake_.modules + fake_.events); }
};

TEST_F(StaircaseRun, TheLadderIsClimbedInCyclesPerAccess) {
    Staircase staircase = measure_staircase({});
    ASSERT_EQ(2u * (32 + 16 + 8), staircase.steps.size());
    const StaircaseStep& seventh = staircase.steps[6];
    EXPECT_EQ(7, seventh.access.wavefronts);
    EXPECT_EQ(31u, seventh.samples.size());  // the time of the cold start is none of them
    EXPECT_DOUBLE_EQ(20 + 2 * 7, seventh.cycles.median);
    EXPECT_DOUBLE_EQ(20 + 2 * 7, seventh.cycles.p95);
    EXPECT_DOUBLE_EQ(20, staircase.lines[0].base);
    EXPECT_DOUBLE_EQ(2, staircase.lines[0].per_wavefront.median);
    EXPECT_EQ("Fake GPU", staircase.provenance.card);
    EXPECT_EQ(1u, fake_.grid[0]);
    EXPECT_EQ(32u, fake_.block[0]);
    auto loads = std::count_if(fake_.launched.begin(), fake_.launched.end(), [](auto& name) {
        return name.starts_with("_Z9staircaseILi4ELb0E");
    });
    EXPECT_EQ(32, loads);
}

TEST_F(StaircaseRun, AStagesOwnAccessesAreReplayedToo) {
    const Catalogue& catalogue = shipped_stages();
    StaircaseOptions options;
    options.job.emplace();
    options.job->stage = catalogue.find("30_padded");
    options.job->knobs = {{"PAD", 0}};
    options.job->rows = options.job->cols = 64;
    Staircase staircase = measure_staircase(options);
    EXPECT_EQ("transpose/30_padded", staircase.stage);
    const StaircaseStep& worst = staircase.steps[112];
    EXPECT_TRUE(worst.access.of_stage);
    EXPECT_EQ(32, worst.access.wavefronts);
    // The first load reads column 0: 32 lanes of bank 0.
    EXPECT_DOUBLE_EQ(84, worst.cycles.median);
    EXPECT_DOUBLE_EQ(32, worst.seen);
    EXPECT_EQ("", staircase.note);

    options.job->stage = catalogue.find("10_naive");
    options.job->knobs = {};
    staircase = measure_staircase(options);
    EXPECT_EQ(112u, staircase.steps.size());
    EXPECT_EQ("transpose/10_naive has no plain access of shared memory to replay.", staircase.note);
}

TEST_F(StaircaseRun, CancelStopsIt) {
    CancelFlag cancel = false;
    int said = 0;
    auto progress = [&](double, const std::string&) {
        if (++said == 10) cancel = true;
    };
    EXPECT_THROW(measure_staircase({}, progress, &cancel), Cancelled);
    EXPECT_EQ(10, said);
}

}  // namespace lanewise
