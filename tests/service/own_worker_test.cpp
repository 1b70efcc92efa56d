// A kernel from outside the catalogue, in a real worker with the fake driver: timed there as stages
// are, and what it breaks is said the same way.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "../needs.h"
#include "lab/json/json.h"
#include "lab/kernel/own_kernel.h"
#include "service/jobs.h"
#include "service/kernel_runs.h"

namespace lanewise {
namespace {

class OwnWorker : public testing::Test {
  protected:
    static void SetUpTestSuite() {
        ::setenv("LANEWISE_CUDA_DRIVER", FAKE_DRIVER, 1);
        ::setenv("FAKE_DEVICES", "2", 1);
        use_gpu_worker("other", true);
    }
    void SetUp() override { NEEDS_NVRTC(); }
    static Json params(const std::string& file, const std::string& kernel) {
        Job job;
        job.stage = own_stage(std::string(TESTS_FOLDER "/programs/hostile/") + file);
        job.own.kernel = kernel;
        job.own.shape = {{3, 5, 1}, {32, 8, 1}, 0};
        job.own.arguments = {"f32[2145]", "f32[2145]", "i32:33", "i32:65"};
        return {{"job", job}, {"options", {{"samples", 30}, {"time_limit_s", 5}}}};
    }
};

TEST_F(OwnWorker, ACrashSaysWhatHappenedAndOnWhichLine) {
    for (int row = 1; row <= 3; ++row) {
        try {
            run_in_worker(gpu_worker(), "measure_own",
                          params("out_of_bounds.cu", "out_of_bounds<float>"), {}, nullptr);
            FAIL() << "no crash";
        } catch (const DetailedError& error) {
            ASSERT_TRUE(error.details().contains("crash")) << error.what();
            const Json& crash = error.details()["crash"];
            EXPECT_EQ("illegal_access", crash["kind"]);
            EXPECT_EQ(13, crash["finding"]["line"]);
            EXPECT_EQ(row, crash["in_a_row"]);
            EXPECT_EQ(row == 3, crash["offer_interpreter"]);
        }
    }
    // Another kernel has a record of its own, of the same file or not.
    try {
        run_in_worker(gpu_worker(), "measure_own", params("misaligned.cu", "misaligned<float>"), {},
                      nullptr);
        FAIL() << "no crash";
    } catch (const DetailedError& error) {
        EXPECT_EQ(1, error.details()["crash"]["in_a_row"]);
    }
}

TEST_F(OwnWorker, ItIsComparedAndTimed) {
    Json result =
        run_in_worker(gpu_worker(), "measure_own", params("fine.cu", "fine<float>"), {}, nullptr);
    OwnMeasurement m = own_run_from(result);
    EXPECT_EQ("fine<float>", m.kernel);
    ASSERT_EQ(2u, m.before.size());
    EXPECT_EQ("in", m.before[0].name);
    EXPECT_EQ(2145u, m.before[1].elements);
    EXPECT_TRUE(m.is_near());
    EXPECT_GE(m.time_us.samples, 30);
    EXPECT_GT(m.time_us.median, 0);
}

}  // namespace
}  // namespace lanewise
