// Products: what they multiply, what must come out, how far off it may be, and whether the stages
// and some wrong kernels are judged so.
#include "lab/product/product.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <nlohmann/json.hpp>

#include "../../needs.h"
#include "../../shipped_stages.h"
#include "base/error.h"
#include "course/catalogue.h"
#include "lab/analysis/analysis.h"
#include "lab/analysis/expected_time.h"
#include "lab/job/needs.h"
#include "lab/json/json.h"
#include "sim/warp/small_float.h"

namespace lanewise {
namespace {

constexpr double kUnit = 0x1p-24;
constexpr double kInfinity = std::numeric_limits<double>::infinity();

Product product(int64_t m, int64_t n, int64_t k, const std::string& type = "f32",
                const std::string& input = "random") {
    SumKind sum = type == "f16" ? SumKind::halves : SumKind::floats;
    return {m, n, k, type, input, sum};
}

TEST(ProductInput, IsExactInItsType) {
    for (const std::string& input : product_inputs())
        for (int64_t row = 0; row < 20; ++row)
            for (int64_t col = 0; col < 20; ++col)
                for (auto element : {a_element, b_element}) {
                    double half = element(product(20, 20, 20, "f16", input), row, col);
                    double single = element(product(20, 20, 20, "f32", input), row, col);
                    if (std::isnan(half)) continue;
                    EXPECT_EQ(half, from_small(to_small(half, kHalf, Modes::rn), kHalf)) << input;
                    EXPECT_EQ(single, static_cast<double>(static_cast<float>(single))) << input;
                }
}

TEST(ProductInput, IsRandomAndTheSameEachTime) {
    Product p = product(64, 64, 64);
    double sum = 0, squares = 0;
    for (int64_t row = 0; row < 64; ++row)
        for (int64_t col = 0; col < 64; ++col) {
            double a = a_element(p, row, col);
            EXPECT_EQ(a, a_element(p, row, col));
            EXPECT_NE(a, b_element(p, row, col));
            EXPECT_TRUE(a >= -1 && a < 1);
            sum += a;
            squares += a * a;
        }
    EXPECT_NEAR(0, sum / 4096, 0.04);            // four standard deviations of the mean
    EXPECT_NEAR(1.0 / 3, squares / 4096, 0.02);  // of numbers spread evenly over [-1, 1)
}

// The second half of a sum takes the first one away, all but its last bits.
TEST(ProductInput, Cancels) {
    for (const char* type : {"f32", "f16"}) {
        ProductReference reference = product_reference(product(8, 8, 64, type, "cancellation"), 1);
        for (size_t i = 0; i < reference.value.size(); ++i)
            EXPECT_LT(std::fabs(reference.value[i]), 0.01 * reference.magnitude[i]);
    }
}

TEST(ProductInput, IsDenormal) {
    Product floats = product(4, 4, 4, "f32", "denormals");
    EXPECT_LT(std::fabs(a_element(floats, 1, 2)), 0x1p-126);
    EXPECT_NE(0, a_element(floats, 1, 2));
    Product halves = product(4, 4, 4, "f16", "denormals");
    EXPECT_LT(std::fabs(a_element(halves, 1, 2)), 0x1p-14);
    EXPECT_NE(0, a_element(halves, 1, 2));
}

TEST(ProductInput, HasAsManyZerosAsItSays) {
    EXPECT_TRUE(is_product_input("zeros:0"));
    EXPECT_TRUE(is_product_input("zeros:93.75"));
    for (const char* wrong : {"zeros:", "zeros:-1", "zeros:101", "zeros:9x", "zeros"})
        EXPECT_FALSE(is_product_input(wrong)) << wrong;
    Job job;
    job.rows = job.cols = job.inner = 100;
    job.knobs["ZEROS"] = 75;
    Product p = product_of(job);
    EXPECT_EQ("zeros:75", p.input);
    int zeros = 0;
    for (int64_t i = 0; i < 10'000; ++i) zeros += a_element(p, i / 100, i % 100) == 0;
    EXPECT_NEAR(7500, zeros, 173);  // four standard deviations
    EXPECT_NE(0, b_element(p, 3, 3));
    p.zero_share = 1;
    EXPECT_EQ(0, a_element(p, 5, 6));
    EXPECT_EQ("A holds nothing but zeros, and so does C.", sentence_on({}, {}, p));
    EXPECT_TRUE(sentence_on({}, {}, product(8, 8, 8)).empty());
    p.input = "zeros:0";
    p.zero_share = 0;
    EXPECT_TRUE(sentence_on({}, {}, p).starts_with("A holds no zeros"));
}

TEST(ProductInput, FillsAsTheKernelReads) {
    Product p = product(2, 5, 3, "f16");
    std::vector<std::byte> bytes(p.b_bytes());
    ASSERT_EQ(30u, bytes.size());
    fill_b(bytes, p, 2);
    uint16_t bits;
    std::memcpy(&bits, &bytes[2 * (1 * 5 + 4)], sizeof bits);
    EXPECT_EQ(b_element(p, 1, 4), from_small(bits, kHalf));
}

TEST(ProductReference, AddsUpRowsTimesColumns) {
    Product p = product(2, 3, 4);
    ProductReference reference = product_reference(p, 2);
    ASSERT_EQ(6u, reference.value.size());
    double value = 0, magnitude = 0;
    for (int64_t k = 0; k < 4; ++k) {
        value += a_element(p, 1, k) * b_element(p, k, 2);
        magnitude += std::fabs(a_element(p, 1, k) * b_element(p, k, 2));
    }
    EXPECT_DOUBLE_EQ(value, reference.value[5]);
    EXPECT_DOUBLE_EQ(magnitude, reference.magnitude[5]);
}

TEST(ProductReference, OfNothingIsZero) {
    ProductReference reference = product_reference(product(2, 2, 0), 1);
    EXPECT_EQ(std::vector<double>(4, 0.0), reference.value);
}

TEST(ProductCount, CountsEachByteOnceAndTwoOperationsAStep) {
    EXPECT_EQ(2.0 * 1024 * 2048 * 1024, flops_of(1024, 2048, 1024));
    EXPECT_EQ(4.0 * (2 * 4 + 4 * 3 + 2 * 3), bytes_once(2, 3, 4, 4));
    EXPECT_EQ(2.0 * (2 * 4 + 4 * 3) + 4.0 * 2 * 3, bytes_once(2, 3, 4, 2));
}

// 8192 cubed by 132 blocks that stay: 4,164,816,771 multiplications each, a quarter of which is
// allowed besides what every block may take.
TEST(ProductCount, LetsABlockTakeAsLongAsItsShare) {
    EXPECT_EQ(64'000'000u + 1'041'204'192u, most_instructions_of_block(8192, 8192, 8192, 132));
    EXPECT_EQ(64'000'000u + 256u, most_instructions_of_block(32, 32, 32, 32));
    EXPECT_EQ(64'000'000u, most_instructions_of_block(32, 32, 0, 0));
}

TEST(ProductTime, IsToldInOneSentence) {
    EXPECT_EQ("about 40 seconds", about_so_long(40.2));
    EXPECT_EQ("about 1 second", about_so_long(0.2));
    EXPECT_EQ("about 2 minutes", about_so_long(100));
    EXPECT_EQ("about 89 minutes", about_so_long(5340));
    EXPECT_EQ("about 2 hours", about_so_long(6000));
    Job job;
    job.stage = shipped_stages().find("matmul/10_naive_product");
    job.knobs = default_knobs(job.stage);
    job.rows = job.cols = 8192, job.inner = 1024;
    // An eighth of the time is half of each side.
    EXPECT_EQ(
        "interpreting all of 8192 x 8192 x 1024 would take about 40 minutes here, and the time "
        "limit is 300 s. Look at some of its blocks with --blocks 64, or choose smaller sides such "
        "as 4000 x 4000 x 500. To run all of it, take a GPU, or allow it with --time-limit 4800",
        sentence_on_long(job, 2400, 300));
}

TEST(ProductTime, IsAskedOfLargeProductsOnly) {
    Job job;
    job.stage = shipped_stages().find("matmul/95_wgmma");
    job.rows = job.cols = job.inner = 2048;
    EXPECT_FALSE(is_long_to_interpret(job));
    job.inner = 2049;
    EXPECT_TRUE(is_long_to_interpret(job));
    job.stage = shipped_stages().find("transpose/30_padded");
    EXPECT_FALSE(is_long_to_interpret(job));
}

TEST(ProductBounds, AreThoseOfTheHeader) {
    ProductBound floats = bound_of(product(8, 8, 100));
    EXPECT_DOUBLE_EQ(102 * kUnit / (1 - 102 * kUnit), floats.per_sum);
    EXPECT_DOUBLE_EQ(100 * 0x1p-149, floats.absolute);
    EXPECT_DOUBLE_EQ(40 * kUnit, floats.norm);
    ProductBound halves = bound_of(product(8, 8, 100, "f16"));
    EXPECT_DOUBLE_EQ(408 * kUnit / (1 - 408 * kUnit), halves.per_sum);
    EXPECT_DOUBLE_EQ(65 * kUnit, halves.norm);
    Product tf32 = product(8, 8, 100);
    tf32.sum = SumKind::tf32;
    EXPECT_DOUBLE_EQ(halves.per_sum + 0x1p-9, bound_of(tf32).per_sum);
    EXPECT_DOUBLE_EQ(65 * kUnit + 0x1p-9, bound_of(tf32).norm);
    EXPECT_EQ(0, bound_of(product(8, 8, 100, "f32", "cancellation")).norm);
}

TEST(ProductBounds, JudgeAnElement) {
    ProductBound bound{0.5, 1, 0};
    EXPECT_TRUE(is_right(12, 10, 2, bound));  // 0.5 * 2 + 1
    EXPECT_FALSE(is_right(12.25f, 10, 2, bound));
    EXPECT_FALSE(is_right(std::nanf(""), 10, 2, bound));
    EXPECT_FALSE(is_right(std::numeric_limits<float>::infinity(), 10, 2, bound));
    EXPECT_TRUE(is_right(std::nanf(""), std::nan(""), kInfinity, bound));
    EXPECT_FALSE(is_right(10, std::nan(""), kInfinity, bound));
    EXPECT_TRUE(is_right(-std::numeric_limits<float>::infinity(), -kInfinity, kInfinity, bound));
    EXPECT_FALSE(is_right(std::numeric_limits<float>::infinity(), -kInfinity, kInfinity, bound));
    EXPECT_FALSE(is_right(3e38f, kInfinity, kInfinity, bound));
}

TEST(ProductBounds, FindWhatWasNeverWritten) {
    for (const std::string& input : product_inputs()) {
        Product p = product(20, 20, 9, "f32", input);
        std::vector<std::byte> c(p.c_bytes());
        for (size_t at = 0; at < c.size(); at += 4) std::memcpy(&c[at], &kProductPoison, 4);
        ProductError error;
        EXPECT_EQ(400u, judge_product(c, product_reference(p, 1), bound_of(p), p.n, error).count)
            << input;
    }
}

TEST(ProductBounds, NameTheFirstWrongElementAndTheError) {
    ProductReference reference{{3, 4, 0, 0}, {3, 4, 1, 1}};
    float values[] = {3, 4.5f, 0, 0.25f};
    std::vector<std::byte> c(sizeof values);
    std::memcpy(c.data(), values, sizeof values);
    ProductError error;
    Mismatch mismatch = judge_product(c, reference, {0.2, 0, 1e-3}, 2, error);
    EXPECT_EQ(1u, mismatch.count);
    EXPECT_EQ(1, mismatch.row);
    EXPECT_EQ(1, mismatch.col);
    EXPECT_EQ("0", mismatch.expected);
    EXPECT_EQ("0.25", mismatch.actual);
    EXPECT_DOUBLE_EQ(std::sqrt(0.25 + 0.0625) / 5, error.relative);
    EXPECT_DOUBLE_EQ(0.25, error.worst);
    EXPECT_FALSE(error.is_small());
}

// ---- Kernels ------------------------------------------------------------------------------------

Stage made(const std::string& body, const std::string& types = "\"f32\"") {
    Stage like;
    like.id = "matmul/made";
    like.operation = "matmul";
    like.file = "made.cu";
    return parse_stage(
        "/*---\ntitle = \"made\"\ntypes = [" + types +
            "]\nblock = [\"16\", \"16\"]\ngrid = [\"ceil_div(N, 16)\", \"ceil_div(M, 16)\"]\n"
            "---*/\n#include <cuda_fp16.h>\ntemplate <typename T = float>\n"
            "__global__ void made(const T* A, const T* B, float* C, int M, int N, int K) {\n"
            "    int col = blockIdx.x * 16 + threadIdx.x, row = blockIdx.y * 16 + threadIdx.y;\n"
            "    if (row >= M || col >= N) return;\n    const T *a = A + row * K, *b = B + col;\n" +
            body + "}\n",
        like);
}

Analysis run(const Stage& stage, int64_t m, int64_t n, int64_t k, const std::string& type = "f32",
             const std::string& input = "random", const KnobValues& knobs = {}, int threads = 1) {
    Job job;
    job.stage = stage;
    job.type = type;
    job.rows = m;
    job.cols = n;
    job.inner = k;
    job.input = input;
    job.knobs = knobs;
    job.arch = "sm_90";
    return analyse(job, threads);
}

TEST(ProductOfKernel, IsRightOnAllData) {
    NEEDS_NVRTC();
    Stage stage = made(
        "float sum = 0;\nfor (int k = 0; k < K; ++k) sum += float(a[k]) * float(b[k * N]);\n"
        "C[row * N + col] = sum;\n",
        "\"f32\", \"f16\"");
    ASSERT_EQ("", stage.error);
    for (const char* type : {"f32", "f16"})
        for (const std::string& input : product_inputs()) {
            Analysis analysis = run(stage, 33, 65, 97, type, input);
            EXPECT_TRUE(analysis.correct)
                << type << " " << input << ": " << analysis.mismatch.count << " wrong, "
                << analysis.mismatch.actual << " for " << analysis.mismatch.expected << "; "
                << analysis.error.relative << " of " << analysis.error.relative_limit;
            EXPECT_EQ(97, analysis.inner);
            EXPECT_EQ(input, analysis.input);
        }
}

TEST(ProductOfKernel, ThatLeavesATermOutIsWrong) {
    NEEDS_NVRTC();
    Analysis analysis = run(made("float sum = 0;\n"
                                 "for (int k = 0; k + 1 < K; ++k) sum += a[k] * b[k * N];\n"
                                 "C[row * N + col] = sum;\n"),
                            33, 65, 97);
    EXPECT_FALSE(analysis.correct);
    EXPECT_GT(analysis.mismatch.count, 2000u);  // of 2,145
}

// Each element may be within the worst case; the matrix as a whole is not.
TEST(ProductOfKernel, ThatCutsItsFloatsIsWrongAsAWhole) {
    NEEDS_NVRTC();
    Analysis analysis =
        run(made("float sum = 0;\nauto cut = [](float v) {\n"
                 "    return __int_as_float(__float_as_int(v) & 0xffffe000); };\n"  // as TF32 does
                 "for (int k = 0; k < K; ++k) sum += cut(a[k]) * cut(b[k * N]);\n"
                 "C[row * N + col] = sum;\n"),
            33, 65, 97);
    EXPECT_FALSE(analysis.correct);
    EXPECT_GT(analysis.error.relative, 20 * analysis.error.relative_limit);
}

TEST(ProductOfKernel, ThatSumsInHalvesOverflows) {
    NEEDS_NVRTC();
    Stage stage = made(
        "__half sum = T(0);\nfor (int k = 0; k < K; ++k) sum = __hfma(a[k], b[k * N], sum);\n"
        "C[row * N + col] = float(sum);\n",
        "\"f16\"");
    Analysis random = run(stage, 33, 65, 97, "f16");
    EXPECT_FALSE(random.correct);
    Analysis special = run(stage, 33, 65, 97, "f16", "special");
    EXPECT_FALSE(special.correct);
    ASSERT_FALSE(special.notes.empty());
    EXPECT_EQ(
        "C holds infinities or NaN where the sum is finite: a half ends at 65,504, so sum in "
        "float.",
        special.notes.back());
}

TEST(ProductOfKernel, OverNothingIsZeroAndSaysSo) {
    Analysis analysis = run(shipped_stages().find("20_shared_tiles"), 33, 65, 0);
    EXPECT_TRUE(analysis.correct);
    ASSERT_FALSE(analysis.notes.empty());
    EXPECT_EQ("K is 0, so that nothing is multiplied: every element of C is 0.",
              analysis.notes.back());
}

// Whether the larger of the ragged sizes is multiplied with these data, which takes its time: both
// types of a stage see what is special, and one of the others each; a stage of one type all three.
// The naive stages, which have no tiles that could hang over, see one a type.
bool is_tried_large(const Stage& stage, const std::string& type, const std::string& input) {
    if (stage.id == "matmul/10_naive_product" || stage.id == "matmul/12_columns_first")
        return input == (type == "f32" ? "special" : "cancellation");
    return stage.types.size() == 1 || input != (type == "f32" ? "denormals" : "cancellation");
}

// At ragged sizes like the article's, where every stage has tiles that hang over: M and K are several of the
// largest, 128, and part of one, and N is less than one. Its very sizes see random numbers in every_knob_test.cpp.
TEST(ProductOfKernel, StagesAreRightOnAdversarialDataOfRaggedSizes) {
    const Catalogue& catalogue = shipped_stages();
    for (const Stage& stage : catalogue.stages()) {
        if (!is_product(stage) || is_exercise(stage) || !cannot_interpret(stage).empty()) continue;
        for (const std::string& type : stage.types)
            for (const std::string input : {"cancellation", "denormals", "special"})
                for (bool large : {false, true}) {
                    if (large && !is_tried_large(stage, type, input)) continue;
                    Analysis analysis = large ? run(stage, 328, 50, 328, type, input, {}, 0)
                                              : run(stage, 33, 65, 97, type, input);
                    EXPECT_TRUE(analysis.correct) << stage.id << " " << type << " " << input << " "
                                                  << large << ": " << analysis.mismatch.count;
                    EXPECT_TRUE(analysis.report.findings.empty()) << stage.id << " " << large;
                }
    }
}

// What a C that reads past the end of A would get from B's rows and the like: nothing may be found.
TEST(ProductOfKernel, StagesAreRightOnAdversarialData) {
    const Catalogue& catalogue = shipped_stages();
    for (const Stage& stage : catalogue.stages()) {
        if (!is_product(stage) || is_exercise(stage) || !cannot_interpret(stage).empty()) continue;
        for (const std::string& type : stage.types)
            for (const char* input : {"cancellation", "denormals", "special"}) {
                Analysis analysis = run(stage, 40, 36, 35, type, input);
                EXPECT_TRUE(analysis.correct) << stage.id << " " << type << " " << input;
                EXPECT_TRUE(analysis.report.findings.empty()) << stage.id;
            }
    }
}

// A card says sm_90, and what multiplies with wgmma has to be compiled for sm_90a: for sm_90
// CUTLASS puts a trap where the instruction belongs.
TEST(ProductOfKernel, IsCompiledForWhatItNeeds) {
    Stage stage;
    stage.kernel = "multiply";
    EXPECT_EQ("sm_90", compile_options(stage, {}, "f16", "sm_90").arch);
    stage.arch = "sm_90a";
    EXPECT_EQ("sm_90a", compile_options(stage, {}, "f16", "sm_90").arch);
    stage.arch = "sm_80";
    EXPECT_EQ("sm_90", compile_options(stage, {}, "f16", "sm_90").arch);
    EXPECT_EQ("sm_80", compile_options(stage, {}, "f16", "sm_75").arch);
}

TEST(ProductJob, RefusesWhatCannotBe) {
    Job job;
    job.stage = shipped_stages().find("10_naive_product");
    auto refusal = [](Job wrong) {
        try {
            validate(wrong);
        } catch (const Error& error) {
            return std::string(error.what());
        }
        return std::string();
    };
    EXPECT_EQ("", refusal(job));
    Job wrong = job;
    wrong.inner = -1;
    EXPECT_EQ("inner is -1; choose a number from 1 to 65,536", refusal(wrong));
    wrong.inner = 65'537;
    EXPECT_EQ("inner is 65537; choose a number from 1 to 65,536", refusal(wrong));
    wrong = job;
    wrong.input = "zeros";
    EXPECT_EQ(
        "there is no input \"zeros\"; choose one of random, cancellation, denormals, special, or "
        "zeros:90 for a matrix A with so many percent zeros",
        refusal(wrong));
    wrong = job;
    wrong.type = "f64";
    EXPECT_EQ("matmul/10_naive_product has no element type \"f64\"; it offers f32, f16",
              refusal(wrong));
}

TEST(ProductJob, TravelsWhole) {
    Job job;
    job.inner = 77;
    job.input = "special";
    Job back = Json(job).get<Job>();
    EXPECT_EQ(77, back.inner);
    EXPECT_EQ("special", back.input);
    Measurement m;
    m.inner = 64;
    m.input = "random";
    m.error = {1, 2, 3, 4};
    m.arithmetic.unit = "FP32";
    m.arithmetic.datasheet_gflop_per_s = 67'000;
    Measurement read = Json(m).get<Measurement>();
    EXPECT_EQ(64, read.inner);
    EXPECT_EQ(2, read.error.relative_limit);
    EXPECT_EQ("FP32", read.arithmetic.unit);
    EXPECT_EQ(67'000, read.arithmetic.datasheet_gflop_per_s);
    EXPECT_EQ(kNoInner, Json(Measurement()).get<Measurement>().inner);
}

TEST(ProductSpeed, IsOperationsOverTime) {
    Measurement m;
    m.rows = m.cols = m.inner = 1000;
    m.time_us.median = 100;  // 2e9 operations
    m.yardstick.time_us.median = 50;
    EXPECT_DOUBLE_EQ(20'000, gflop_per_s(m));
    EXPECT_DOUBLE_EQ(40'000, library_gflop_per_s(m));
    EXPECT_FALSE(is_launch_bound(m));
    m.rows = m.cols = m.inner = 32;
    m.time_us.median = 3;
    EXPECT_TRUE(is_launch_bound(m));
    m.inner = kNoInner;
    EXPECT_EQ(0, gflop_per_s(m));
}

}  // namespace
}  // namespace lanewise
