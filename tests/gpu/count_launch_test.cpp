// Counting a launch with the fake driver and the fake CUPTI: what runs in a pass, and in which
// state.
#include <gtest/gtest.h>

#include <algorithm>

#include "../needs.h"
#include "fake_cupti.h"
#include "compile/compiler.h"
#include "gpu/device.h"
#include "lab/measure/hardware_counts.h"
#include "stages_under_test.h"
#include "use_fake_driver.h"

namespace lanewise {

class CountLaunch : public testing::Test {
  protected:
    FakeDriver& fake_ = fake_driver();
    FakeCupti& cupti_ = fake_cupti();
    void SetUp() override {
        NEEDS_NVRTC();
        fake_.launched.clear();
        cupti_ = FakeCupti();
        for (const std::string& metric : counter_metrics()) cupti_.values[metric] = 8;
    }
    void TearDown() override {
        EXPECT_EQ(0u, fake_.allocations + fake_.modules + fake_.events);
        EXPECT_EQ(0, cupti_.hosts + cupti_.profilers);
    }
};

TEST_F(CountLaunch, EachPassStartsFromTheSameMemoryAndASettledCache) {
    cupti_.passes = 3;
    CounterReading reading = count_launch(make_job(kRight, 64, 32));
    EXPECT_EQ("", reading.problem);
    EXPECT_EQ(counter_metrics().size(), reading.values.size());
    EXPECT_EQ(3u + 1, reading.passes);
    std::string order;
    for (const std::string& name : fake_.launched)
        order += name.starts_with("_Z5right")      ? 'r'
                 : name.starts_with("_Z4fill")     ? 'f'
                 : name.starts_with("_Z6poison")   ? 'p'
                 : name.starts_with("_Z7compareI") ? 's'
                                                   : '?';
    // The rig fills its input once; then per pass: input, output, the flush, reading it, the
    // launch, and whether it was right. The last one is for the time.
    EXPECT_EQ("ffpfsrsfpfsrsfpfsrsfpfsrs", order);
}

TEST_F(CountLaunch, WithoutCountersThereIsAReasonAndNoError) {
    cupti_.fail = {{"cuptiRangeProfilerEnable", 35}};
    CounterReading reading = count_launch(make_job(kRight, 33, 65));
    EXPECT_TRUE(reading.values.empty());
    EXPECT_NE(std::string::npos, reading.problem.find("RmProfilingAdminOnly")) << reading.problem;
}

TEST_F(CountLaunch, AKernelOfTheUsersOwnIsCountedToo) {
    Job job;
    job.stage.file = job.stage.id = "own.cu";
    job.stage.source =
        "__global__ void own_counted(float* out, const float* in, int n) {\n"
        "    if (threadIdx.x < n) out[threadIdx.x] = 2 * in[threadIdx.x];\n}\n";
    job.own.kernel = "own_counted";
    job.own.shape.block = {64};
    job.own.arguments = {"f32[50]", "f32[51]", "i32:40"};
    CounterReading reading = count_launch(job);
    EXPECT_EQ("", reading.problem);
    EXPECT_EQ(2u + 1, reading.passes);
    EXPECT_EQ(2 + 1,
              std::count(fake_.launched.begin(), fake_.launched.end(), "_Z11own_countedPfPKfi"));
}

// As a transpose: A and B anew and C poisoned before each launch, and the result looked at.
TEST_F(CountLaunch, AProductIsCountedToo) {
    Stage like;
    like.id = "matmul/right";
    like.operation = "matmul";
    like.file = "right.cu";
    Job job;
    job.stage = parse_stage(
        "/*---\ntitle = \"right\"\nblock = [\"8\", \"8\"]\n"
        "grid = [\"ceil_div(N, 8)\", \"ceil_div(M, 8)\"]\n---*/\n"
        "template <typename T = float>\n"
        "__global__ void right_product(const T* A, const T* B, float* C, int M, int N, int K) {\n"
        "    int col = blockIdx.x * 8 + threadIdx.x, row = blockIdx.y * 8 + threadIdx.y;\n"
        "    if (row >= M || col >= N) return;\n    float sum = 0;\n"
        "    for (int k = 0; k < K; ++k) sum += A[row * K + k] * B[k * N + col];\n"
        "    C[row * N + col] = sum;\n}\n",
        like);
    job.rows = 9, job.cols = 7, job.inner = 5;
    cupti_.passes = 3;
    CounterReading reading = count_launch(job);
    EXPECT_EQ("", reading.problem);
    EXPECT_EQ(counter_metrics().size(), reading.values.size());
    EXPECT_EQ(3u + 1, reading.passes);
    EXPECT_EQ(3 + 1, std::count_if(fake_.launched.begin(), fake_.launched.end(),
                                   [](const std::string& name) {
                                       return name.starts_with("_Z13right_product");
                                   }));
}

TEST_F(CountLaunch, CancelStopsBetweenPasses) {
    CancelFlag cancel = true;
    EXPECT_THROW(count_launch(make_job(kRight, 64, 32), 5, &cancel), Cancelled);
}

}  // namespace lanewise
