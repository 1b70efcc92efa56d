// Sums: what they are given, what they must leave, and kernels that leave something else.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "../../needs.h"
#include "base/error.h"
#include "course/catalogue.h"
#include "lab/analysis/analysis.h"
#include "lab/analysis/prediction.h"
#include "lab/job/operation_code.h"
#include "lab/machine/sums.h"
#include "lab/mismatch/mismatch_map.h"
#include "sim/warp/small_float.h"

namespace lanewise {
namespace {

// 64 threads a block, each of which has `mine`; `leave` says what becomes of a block's sum.
Stage made(const std::string& mine, const std::string& reference = "block_sums",
           const std::string& leave = "out[blockIdx.x] = sums[0];") {
    Stage like;
    like.id = "reduction/made";
    like.operation = "reduction";
    like.file = "made.cu";
    return parse_stage(
        "/*---\ntitle = \"made\"\ntypes = [\"f32\", \"f16\"]\nreference = \"" + reference +
            "\"\nblock = [\"64\"]\ngrid = [\"ceil_div(n, 64)\"]\n---*/\n#include <cuda_fp16.h>\n"
            "template <typename T = float>\n"
            "__global__ void made(const T* in, float* out, int n) {\n"
            "    __shared__ float sums[64];\n"
            "    int i = blockIdx.x * 64 + threadIdx.x;\n"
            "    sums[threadIdx.x] = " +
            mine +
            ";\n"
            "    for (int step = 32; step > 0; step /= 2) {\n        __syncthreads();\n"
            "        if (threadIdx.x < step) sums[threadIdx.x] += sums[threadIdx.x + step];\n    "
            "}\n"
            "    if (threadIdx.x == 0) " +
            leave + "\n}\n",
        like);
}
const char* kMine = "i < n ? float(in[i]) : 0.f";

Job job_of(const Stage& stage, int64_t rows, int64_t cols, const std::string& type = "f32") {
    Job job;
    job.stage = stage;
    job.type = type;
    job.rows = rows;
    job.cols = cols;
    return job;
}

Stage one_sum() { return made(kMine, "sum", "atomicAdd(out, sums[0]);"); }

TEST(OddNumbers, AreOddSmallAndExactInBothTypes) {
    int64_t sum = 0;
    std::array<int, 8> seen{};
    for (uint64_t i = 0; i < 8000; ++i) {
        int number = odd_number(i);
        ASSERT_TRUE(number % 2 != 0 && number >= -7 && number <= 7) << i;
        ++seen[static_cast<size_t>(number + 7) / 2];
        sum += number;
    }
    for (int times : seen) EXPECT_NEAR(1000, times, 150);  // five standard deviations
    EXPECT_LT(std::abs(sum), 5 * 4.6 * std::sqrt(8000.0));
    EXPECT_EQ(sum, sum_of_odd_numbers(8000, 2));
    std::vector<std::byte> floats(8000 * 4), halves(8000 * 2);
    fill_with_odd_numbers(floats, "f32", 2);
    fill_with_odd_numbers(halves, "f16", 1);
    for (uint64_t i = 0; i < 8000; ++i) {
        float value;
        uint16_t half;
        std::memcpy(&value, &floats[i * sizeof value], sizeof value);
        std::memcpy(&half, &halves[i * sizeof half], sizeof half);
        ASSERT_EQ(static_cast<float>(odd_number(i)), value) << i;
        ASSERT_EQ(odd_number(i), from_small(half, kHalf)) << i;
    }
}

TEST(Sums, AreJudgedExactly) {
    std::vector<std::byte> left(3 * sizeof(float));
    auto put = [&](std::vector<float> values) {
        std::memcpy(left.data(), values.data(), left.size());
    };
    put({5, -3, 40});
    EXPECT_EQ(0u, judge_sums(left, 42).count);
    Mismatch off = judge_sums(left, 43);
    EXPECT_EQ(1u, off.count);
    EXPECT_EQ("43", off.expected);
    EXPECT_EQ("42", off.actual);
    put({5, NAN, 40});
    EXPECT_EQ(1u, judge_sums(left, 45).count);
    prepare_sums(left, SumsLeft::one);
    EXPECT_EQ(0u, judge_sums(left, 0).count);  // zeros: a kernel adds to them
    prepare_sums(left, SumsLeft::by_block);
    EXPECT_EQ(1u, judge_sums(left, 0).count);  // a block that leaves nothing is seen
}

TEST(Sums, TellWhatTheirKernelsAreGiven) {
    Job job = job_of(made(kMine), 10, 13, "f16");
    const OperationCode& code = code_of(job.stage);
    std::vector<KernelBuffer> buffers = code.buffers(job);
    ASSERT_EQ(2u, buffers.size());
    EXPECT_EQ(260u, buffers[0].bytes());
    EXPECT_EQ("f32", buffers[1].type);
    EXPECT_EQ(3, buffers[1].cols);  // 130 numbers, 64 a block
    EXPECT_EQ(130, code.scalars(job).front().value);
    EXPECT_EQ(260u, code.useful_bytes(job));
    EXPECT_EQ(1, count_of_sums(job_of(one_sum(), 10, 13)));
    EXPECT_EQ(3, count_of_sums(job));
    EXPECT_EQ("A sum is one number: there is no map of where it is wrong.",
              cannot_map_mismatches(job));
}

class Sum : public testing::Test {
  protected:
    void SetUp() override { NEEDS_NVRTC(); }
};

TEST_F(Sum, IsRightAtAwkwardSizesInBothTypes) {
    for (const Stage& stage : {made(kMine), one_sum()})
        for (const char* type : {"f32", "f16"})
            for (auto [rows, cols] : {std::pair{1, 1}, {1, 63}, {1, 64}, {5, 13}, {33, 65}}) {
                Analysis analysis = analyse(job_of(stage, rows, cols, type), 2);
                EXPECT_TRUE(analysis.correct)
                    << rows << " x " << cols << " " << type << ": " << result_in_words(analysis);
                EXPECT_TRUE(analysis.report.findings.empty()) << stage.reference;
            }
}

TEST_F(Sum, IsWrongWhereAnElementIsLeftOutOrTakenTwice) {
    for (const char* mine : {"i < n - 1 ? float(in[i]) : 0.f", "i < n ? float(in[i / 2 * 2]) : 0.f",
                             "i < n ? float(in[i]) : 1.f"}) {
        Analysis analysis = analyse(job_of(made(mine), 5, 13), 1);
        EXPECT_FALSE(analysis.correct) << mine;
        EXPECT_EQ(1u, analysis.mismatch.count);
        EXPECT_EQ("What the launch wrote adds up to " + analysis.mismatch.actual +
                      "; it should be " + analysis.mismatch.expected + ".",
                  result_in_words(analysis));
    }
}

TEST_F(Sum, IsWrongWhereABlockLeavesNone) {
    Stage last_silent =
        made(kMine, "block_sums", "if (blockIdx.x + 1 < gridDim.x) out[blockIdx.x] = sums[0];");
    EXPECT_FALSE(analyse(job_of(last_silent, 5, 13), 1).correct);
    // One sum that is written, not added to, is the last block's alone.
    EXPECT_FALSE(analyse(job_of(made(kMine, "sum", "out[0] = sums[0];"), 5, 13), 1).correct);
}

TEST_F(Sum, RefusesMoreThanItsKernelsCount) {
    try {
        analyse(job_of(made(kMine), 65'536, 65'536), 1);
        FAIL() << "no error";
    } catch (const Error& error) {
        EXPECT_TRUE(
            std::string(error.what())
                .find("is more than the 1,073,741,824 elements that these kernels can count") !=
            std::string::npos)
            << error.what();
    }
}

// A sum reads each byte once: the model counts these bytes, not twice as many.
TEST_F(Sum, IsModelledByWhatItReads) {
    Job job = job_of(made(kMine), 4096, 4096);
    BandwidthPrediction model = predict(job);
    double bytes = 4096.0 * 4096 * 4;
    EXPECT_NEAR(bytes / model.time_us / 1e3, model.gb_per_s, 0.01 * model.gb_per_s);
    EXPECT_GT(model.gb_per_s, 100);
    EXPECT_LT(model.gb_per_s, model.peak_gb_per_s);
}

}  // namespace
}  // namespace lanewise
