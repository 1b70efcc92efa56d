// Sums on the fake GPU: judged exactly, their input counted once, timed beside the best copy.
#include <gtest/gtest.h>

#include <map>

#include "../needs.h"
#include "compile/compiler.h"
#include "course/catalogue.h"
#include "lab/machine/sums.h"
#include "lab/measure/bench.h"
#include "patience.h"
#include "use_fake_driver.h"

namespace lanewise {
namespace {

class FakeSums : public testing::Test {
  protected:
    FakeDriver& fake_ = fake_driver();
    void SetUp() override {
        NEEDS_NVRTC();
        fake_.gb_per_s = 4000;
        fake_.kernel_gb_per_s = {{"wide_copy", 3500}, {"_sum", 4400}};
    }
};

Job sum_job(const std::string& name, int64_t rows, int64_t cols) {
    Stage like;
    like.id = "reduction/" + name;
    like.operation = "reduction";
    like.file = name + ".cu";
    Job job;
    job.stage = parse_stage(
        "/*---\ntitle = \"" + name +
            "\"\nreference = \"sum\"\nblock = [\"64\"]\ngrid = [\"ceil_div(n, 64)\"]\n---*/\n"
            "template <typename T = float>\n__global__ void " +
            name +
            "_sum(const T* in, float* out, int n) {\n"
            "    int i = blockIdx.x * 64 + threadIdx.x;\n"
            "    if (i < n) atomicAdd(out, float(in[i]));\n}\n",
        like);
    job.rows = rows;
    job.cols = cols;
    return job;
}

TEST_F(FakeSums, CountTheirInputOnce) {
    Measurement m = measure(sum_job("right", 64, 32), kPatient);
    EXPECT_TRUE(m.correct) << m.mismatch.actual << " instead of " << m.mismatch.expected;
    EXPECT_NEAR(64 * 32 * 4 / 4400e3, m.time_us.median, 1e-5);
    EXPECT_NEAR(4400, m.gb_per_s, 5);
    EXPECT_NEAR(4000, m.yardstick.gb_per_s, 4);  // in and out
    // A sum that reads faster than a copy copies is no fault: it writes nothing.
    EXPECT_NEAR(1.1, m.yardstick.ratio.median, 1e-3);
    EXPECT_EQ("", m.note);
}

TEST_F(FakeSums, ThatForgetAnElementAreWrong) {
    Measurement m = measure(sum_job("forgets", 5, 13), kPatient);
    EXPECT_FALSE(m.correct);
    EXPECT_EQ(1u, m.mismatch.count);
    int64_t sum = sum_of_odd_numbers(5 * 13, 1);
    EXPECT_EQ(std::to_string(sum), m.mismatch.expected);
    EXPECT_EQ(std::to_string(sum - odd_number(5 * 13 - 1)), m.mismatch.actual);
}

// One spoils nothing for the next: each check begins with the same input and zeros.
TEST_F(FakeSums, AreJudgedEachOnItsOwn) {
    std::vector<Measurement> all =
        measure_together({sum_job("forgets", 33, 65), sum_job("right", 33, 65)}, kPatient);
    ASSERT_EQ(2u, all.size());
    EXPECT_FALSE(all[0].correct);
    EXPECT_TRUE(all[1].correct);
}

}  // namespace
}  // namespace lanewise
