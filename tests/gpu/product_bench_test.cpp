// Products on the fake GPU: verified against the reference in doubles, timed beside cuBLAS.
#include <gtest/gtest.h>

#include <cstdlib>
#include <nlohmann/json.hpp>

#include "../needs.h"
#include "base/error.h"
#include "compile/compiler.h"
#include "course/catalogue.h"
#include "lab/json/json.h"
#include "lab/measure/bench.h"
#include "lab/mismatch/mismatch_map.h"
#include "lab/product/product.h"
#include "patience.h"
#include "use_fake_driver.h"

namespace lanewise {
namespace {

class FakeProducts : public testing::Test {
  protected:
    FakeDriver& fake_ = fake_driver();
    void SetUp() override {
        NEEDS_NVRTC();
        ::setenv("LANEWISE_CUBLAS", FAKE_DRIVER, 1);
        ::setenv("LANEWISE_CUSPARSE", FAKE_DRIVER, 1);
        fake_.kernel_gb_per_s = {{"_product", 10'000}};  // 10 TFLOP/s; cuBLAS 50
    }
};

Stage product_stage(const std::string& name) {
    Stage like;
    like.id = "matmul/" + name;
    like.operation = "matmul";
    like.file = name + ".cu";
    std::string head =
        name == "library"  ? "library = \"cublas_gemm\"\n[knob.TF32]\nchoices = [0, 1]\n"
        : name == "sparse" ? "library = \"cusparse_spmm\"\n[knob.ZEROS]\nchoices = [50, 75, 100]\n"
                           : "block = [\"8\", \"8\"]\ngrid = [\"ceil_div(N, 8)\", "
                             "\"ceil_div(M, 8)\"]\n";
    std::string source = "/*---\ntitle = \"" + name + "\"\n" + head + "---*/\n";
    if (name != "library" && name != "sparse")
        source +=
            "template <typename T = float>\n__global__ void " + name +
            "_product(const T* A, const T* B, float* C, int M, int N, int K) {\n"
            "    int col = blockIdx.x * 8 + threadIdx.x, row = blockIdx.y * 8 + threadIdx.y;\n"
            "    if (row >= M || col >= N) return;\n    float sum = 0;\n"
            "    for (int k = 0; k < K; ++k) sum += A[row * K + k] * B[k * N + col];\n"
            "    C[row * N + col] = sum;\n}\n";
    return parse_stage(source, like);
}

Job product_job(const std::string& name, int64_t m, int64_t n, int64_t k) {
    Job job;
    job.stage = product_stage(name);
    job.rows = m;
    job.cols = n;
    job.inner = k;
    return job;
}

TEST_F(FakeProducts, AreVerifiedAndTimedBesideTheLibrary) {
    Measurement m = measure(product_job("right", 9, 7, 5), kPatient);
    EXPECT_TRUE(m.correct) << m.mismatch.count << " " << m.mismatch.actual;
    EXPECT_TRUE(m.note.starts_with("Launch-bound: ")) << m.note;
    EXPECT_NEAR(10'000, gflop_per_s(m), 10);
    EXPECT_NEAR(50'000, library_gflop_per_s(m), 50);
    EXPECT_NEAR(0.2, m.yardstick.ratio.median, 1e-3);
    EXPECT_EQ(m.samples_us.size(), m.yardstick.samples_us.size());
    EXPECT_EQ("cuBLAS, float", m.yardstick.kind);
    EXPECT_EQ("FP32", m.arithmetic.unit);
    EXPECT_EQ(5, m.inner);
    EXPECT_GT(m.error.relative, 0);
    EXPECT_LT(m.error.relative, m.error.relative_limit);
    EXPECT_NEAR(4 * (9 * 5 + 5 * 7 + 9 * 7) / m.time_us.median / 1e3, m.gb_per_s, 1);
}

TEST_F(FakeProducts, ThatWriteNothingAreWrong) {
    Measurement m = measure(product_job("idle", 9, 7, 5), kPatient);
    EXPECT_FALSE(m.correct);
    EXPECT_EQ(9u * 7, m.mismatch.count);
    ASSERT_TRUE(m.mismatch_map);
    EXPECT_TRUE(m.mismatch_map->on_gpu && m.mismatch_map->is_computed);
    EXPECT_EQ("Not one element is right. What is wrong was never written.",
              pattern_words(*m.mismatch_map));
    EXPECT_EQ(*m.mismatch_map, *nlohmann::json(m).get<Measurement>().mismatch_map);
}

TEST_F(FakeProducts, OfTheLibraryAreMappedWhereTheyAreWrong) {
    fake_.library_forgets = true;
    Measurement m = measure(product_job("library", 9, 7, 5), kPatient);
    fake_.library_forgets = false;
    EXPECT_EQ(7u, m.mismatch.count);
    ASSERT_TRUE(m.mismatch_map);
    EXPECT_EQ(
        "Only the last 1 of 9 rows hold wrong elements: the bottom edge. What is wrong was never "
        "written.",
        pattern_words(*m.mismatch_map));
}

TEST_F(FakeProducts, OfNothingAreZeros) {
    Measurement m = measure(product_job("right", 5, 3, 0), kPatient);
    EXPECT_TRUE(m.correct);
    EXPECT_TRUE(m.note.starts_with("K is 0")) << m.note;
}

TEST_F(FakeProducts, OfTheLibraryMayUseTf32AndSaySo) {
    Job plain = product_job("library", 9, 7, 5), cut = plain;
    cut.knobs["TF32"] = 1;
    auto results = measure_together({plain, cut}, kPatient);
    ASSERT_EQ(2u, results.size());
    EXPECT_TRUE(results[0].correct);
    EXPECT_TRUE(results[1].correct);
    EXPECT_EQ("cuBLAS 13.1.2", results[0].provenance.compiler);
    EXPECT_EQ("TF32 tensor cores", results[1].arithmetic.unit);
    EXPECT_GT(results[1].error.relative, 20 * results[0].error.relative);
    EXPECT_GT(results[1].error.relative_limit, results[0].error.relative_limit);
}

// cuSPARSE's time goes with the elements that are not zero, cuBLAS's does not.
TEST_F(FakeProducts, LeaveZerosOut) {
    Job job = product_job("sparse", 10, 8, 16);
    job.knobs["ZEROS"] = 75;
    Measurement m = measure(job, kPatient);
    EXPECT_TRUE(m.correct) << m.mismatch.count;
    EXPECT_EQ("cuSPARSE 12.6.3", m.provenance.compiler);
    EXPECT_NE(std::string::npos, m.note.find("75 % of A are zeros.")) << m.note;
    EXPECT_EQ(0, m.arithmetic.datasheet_gflop_per_s);
    EXPECT_GT(gflop_per_s(m), 2 * 5'000);  // of 160 elements about a quarter is left
    EXPECT_LT(gflop_per_s(m), 8 * 5'000);
    job.knobs["ZEROS"] = 100;
    m = measure(job, kPatient);
    EXPECT_TRUE(m.correct);
    EXPECT_TRUE(m.note.starts_with("A holds nothing but zeros")) << m.note;
    job.knobs.clear();
    job.input = "zeros:0";
    m = measure(job, kPatient);
    EXPECT_TRUE(m.correct);
    EXPECT_NEAR(5'000, gflop_per_s(m), 10);
    EXPECT_TRUE(m.note.starts_with("A holds no zeros")) << m.note;
}

TEST_F(FakeProducts, OfTwoShapesAreNotMeasuredTogether) {
    EXPECT_THROW(measure_together({product_job("right", 8, 8, 8), product_job("right", 8, 8, 16)}),
                 Error);
}

TEST_F(FakeProducts, ASizeSaysK) {
    Stage product = product_stage("right");
    Stage transpose = product;
    transpose.reference = "transpose";
    EXPECT_EQ(64, bench_jobs({product}, {64, 64}, {}).at(0).inner);
    EXPECT_EQ(7, bench_jobs({product}, {64, 64, 7}, {}).at(0).inner);
    EXPECT_EQ("special", bench_jobs({product}, {64, 64}, {"", false, "special"}).at(0).input);
    EXPECT_EQ("matmul/right needs three numbers, MxNxK, where the first two differ",
              left_out(product, {64, 32}, ""));
    EXPECT_EQ("", left_out(product, {64, 32, 16}, ""));
    EXPECT_EQ("matmul/right has two sides, and a size of three is for products",
              left_out(transpose, {64, 64, 64}, ""));
}

}  // namespace
}  // namespace lanewise
