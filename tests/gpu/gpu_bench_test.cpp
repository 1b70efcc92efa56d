// Verifying and timing, against the fake GPU: its clock moves by known amounts, so that every
// figure is known beforehand. Needs NVRTC, because names and parameters come from compiled code.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "../needs.h"
#include "base/error.h"
#include "gpu/device.h"
#include "lab/json/json.h"
#include "lab/measure/bench.h"
#include "lab/measure/verdict.h"
#include "lab/mismatch/mismatch_map.h"
#include "patience.h"
#include "compile/compiler.h"
#include "sim/memory/memory.h"
#include "stages_under_test.h"
#include "use_fake_driver.h"

namespace lanewise {

class FakeBench : public testing::Test {
  protected:
    FakeDriver& fake_ = fake_driver();
    void SetUp() override {
        NEEDS_NVRTC();
        fake_.calls.clear();
        fake_.launched.clear();
        fake_.gb_per_s = 4000;
        fake_.kernel_gb_per_s = {{"wide_copy", 3500}};
    }
    void TearDown() override {
        EXPECT_EQ(0u, fake_.graphs);
        EXPECT_EQ(0u, fake_.events);
        EXPECT_EQ(0u, fake_.modules);
        EXPECT_EQ(0u, fake_.allocations);
    }
};

TEST_F(FakeBench, SpeedsAreUsefulBytesOverTime) {
    fake_.kernel_gb_per_s["right"] = 1000;
    Measurement m = measure(make_job(kRight, 64, 32), kPatient);
    EXPECT_TRUE(m.correct);
    EXPECT_EQ(0u, m.mismatch.count);
    EXPECT_EQ(40u, m.samples_us.size());
    EXPECT_EQ(40u, m.yardstick.samples_us.size());
    // 2 * 64 * 32 * 4 = 16,384 bytes at 1,000 GB/s: 0.016384 us, so 50 launches to a sample.
    EXPECT_NEAR(0.016384, m.time_us.median, 1e-5);
    EXPECT_EQ(50, m.launches_per_sample);
    EXPECT_NEAR(1000, m.gb_per_s, 1);
    EXPECT_NEAR(4000, m.yardstick.gb_per_s, 4);
    EXPECT_NEAR(0.25, m.yardstick.ratio.median, 1e-3);
    EXPECT_EQ("cudaMemcpy", m.yardstick.kind);
    EXPECT_FALSE(m.beyond_l2);  // 16 KiB of a 1 MiB cache
    EXPECT_EQ("", m.note);
}

// Five matrices of 33 x 65 are verified and counted together; a stage that takes one at a time is
// left out, and refused where it is asked for alone.
TEST_F(FakeBench, ABatchIsMeasuredAsOne) {
    Stage like;
    like.id = "transpose/batched";
    like.operation = "transpose";
    like.file = "batched.cu";
    Stage batched = parse_stage(
        "/*---\ntitle = \"batched\"\nblock = [\"32\", \"8\"]\n"
        "grid = [\"ceil_div(cols, 32)\", \"ceil_div(rows, 8)\", \"batch\"]\n---*/\n"
        "template <typename T = float>\n"
        "__global__ void batched(const T* in, T* out, int rows, int cols, int batch) {\n"
        "    size_t first = size_t(blockIdx.z) * rows * cols;\n"
        "    int col = blockIdx.x * 32 + threadIdx.x, row = blockIdx.y * 8 + threadIdx.y;\n"
        "    if (row < rows && col < cols)\n"
        "        out[first + size_t(col) * rows + row] = in[first + size_t(row) * cols + col];\n"
        "}\n",
        like);
    fake_.kernel_gb_per_s["batched"] = 1000;
    MatrixSize size{33, 65, kNoInner, 5};
    std::vector<Measurement> all = bench({batched, make_stage(kRight)}, {size}, {}, kPatient);
    ASSERT_EQ(1u, all.size());
    EXPECT_EQ(5, all[0].batch);
    EXPECT_TRUE(all[0].correct);
    EXPECT_NEAR(1000, all[0].gb_per_s, 1);
    EXPECT_NEAR(2.0 * 5 * 33 * 65 * 4 / 1e6, all[0].time_us.median, 1e-5);
    EXPECT_NE(std::string::npos,
              left_out(make_stage(kRight), size, "").find("one matrix at a time"));
    EXPECT_EQ("", left_out(batched, size, ""));
    EXPECT_THROW(bench({make_stage(kRight)}, {size}), Error);
}

TEST_F(FakeBench, TheFasterCopyIsTheCeiling) {
    fake_.kernel_gb_per_s["wide_copyILi64ELi4E"] = 5000;
    Measurement m = measure(make_job(kRight, 64, 32), kPatient);
    EXPECT_EQ("tuned 16-byte kernel", m.yardstick.kind);
    EXPECT_NEAR(5000, m.yardstick.gb_per_s, 5);
}

TEST_F(FakeBench, LongLaunchesAreTimedOneByOne) {
    fake_.gb_per_s = 2;
    fake_.kernel_gb_per_s = {{"wide_copy", 1.6}};
    // 4 MiB moved, 4 times the L2 cache.
    Measurement m = measure(make_job(kRight, 1024, 512), kPatient);
    EXPECT_EQ(1, m.launches_per_sample);
    EXPECT_NEAR(2097.15, m.time_us.median, 0.01);
    EXPECT_TRUE(m.beyond_l2);
    EXPECT_EQ("", m.note);
}

TEST_F(FakeBench, OnlyShortLaunchesComeOutOfAGraph) {
    fake_.gb_per_s = 20;
    fake_.kernel_gb_per_s = {{"wide_copy", 16}};
    auto times_launched = [&] {
        return std::count(fake_.calls.begin(), fake_.calls.end(), "cuGraphLaunch");
    };
    Measurement m = measure(make_job(kRight, 1024, 512), kPatient);  // 210 us, so 5 to a sample
    EXPECT_EQ(5, m.launches_per_sample);
    EXPECT_NEAR(209.72, m.time_us.median, 0.01);
    EXPECT_EQ(0, times_launched());
    measure(make_job(kRight, 64, 32), kPatient);  // 0.8 us
    EXPECT_LT(0, times_launched());
}

TEST_F(FakeBench, FasterThanTheCopyIsAFaultOfTheMeasurement) {
    fake_.gb_per_s = 2;
    fake_.kernel_gb_per_s = {{"wide_copy", 1.6}, {"right", 2.4}};
    EXPECT_EQ("A fault of the measurement: 120.0 % of the best copy's speed cannot be.",
              measure(make_job(kRight, 1024, 512), kPatient).note);
    // In the cache that is no wonder.
    EXPECT_EQ("", measure(make_job(kRight, 64, 32), kPatient).note);
}

TEST_F(FakeBench, AQuarterIsFoundOut) {
    Measurement m = measure(make_job(kQuarter, 64, 32), kPatient);
    EXPECT_FALSE(m.correct);
    EXPECT_EQ(64u * 32 * 3 / 4, m.mismatch.count);
    EXPECT_EQ(0, m.mismatch.row);  // of the output: the first row whose column 16 is not written
    EXPECT_EQ(16, m.mismatch.col);
    EXPECT_EQ(fmt::format("{:08x}", unique_word(16 * 32)), m.mismatch.expected);
    EXPECT_EQ(fmt::format("{:08x}", ~unique_word(16 * 32)), m.mismatch.actual);  // the poison
    // And where all of it is wrong, as a map, which travels and is kept.
    ASSERT_TRUE(m.mismatch_map);
    EXPECT_TRUE(m.mismatch_map->on_gpu);
    EXPECT_EQ(m.mismatch.count, m.mismatch_map->wrong);
    EXPECT_EQ(m.mismatch.count, m.mismatch_map->unwritten);
    EXPECT_EQ(
        "The first 32 rows and 16 columns are right, and all beyond is wrong: 25 % of the matrix "
        "was moved. What is wrong was never written.",
        pattern_words(*m.mismatch_map));
    EXPECT_EQ(*m.mismatch_map, *nlohmann::json(m).get<Measurement>().mismatch_map);
    EXPECT_FALSE(measure(make_job(kRight, 64, 32), kPatient).mismatch_map);
}

TEST_F(FakeBench, StaleOutputNeverPasses) {
    for (const char* type : {"f32", "f64", "f16", "u8"}) {
        Measurement m = measure(make_job(kWritesNothing, 33, 65, type), kPatient);
        EXPECT_FALSE(m.correct);
        EXPECT_EQ(33u * 65, m.mismatch.count) << type;
    }
}

TEST_F(FakeBench, BeingRightOnceIsNotEnough) {
    Measurement m = measure(make_job(kOnlyOnce, 64, 32), kPatient);
    EXPECT_FALSE(m.correct);
    EXPECT_EQ(64u * 32, m.mismatch.count);
}

TEST_F(FakeBench, EveryElementSizeAndShapeVerifies) {
    for (const char* type : {"f32", "f64", "f16", "u8"})
        for (auto [rows, cols] : {std::pair{1, 1}, {1, 77}, {77, 1}, {33, 65}}) {
            EXPECT_TRUE(measure(make_job(kRight, rows, cols, type), kPatient).correct)
                << type << rows;
            EXPECT_TRUE(measure(make_job(kAsCopy, rows, cols, type), kPatient).correct)
                << type << rows;
        }
}

// ---- A library's call ---------------------------------------------------------------------------

static Job library_job(int64_t rows, int64_t cols, const std::string& type = "f32") {
    ::setenv("LANEWISE_CUBLAS", FAKE_DRIVER, 1);
    Job job;
    Stage like;
    like.id = "transpose/call";
    like.operation = "transpose";
    like.file = "call.cu";
    job.stage = parse_stage(
        "/*---\ntitle = \"call\"\ntypes = [\"f32\", \"f64\"]\nlibrary = \"cublas_geam\"\n---*/\n",
        like);
    job.type = type;
    job.rows = rows;
    job.cols = cols;
    return job;
}

// Of the bits that other stages are checked with, one word in 128 is no finite number, and this
// cuBLAS changes some of those as the real one does.
TEST_F(FakeBench, ALibrarysCallIsCheckedWithNumbers) {
    for (const char* type : {"f32", "f64"})
        for (auto [rows, cols] : {std::pair{1, 1}, {1, 77}, {77, 1}, {33, 65}, {128, 256}}) {
            Measurement m = measure(library_job(rows, cols, type), kPatient);
            EXPECT_TRUE(m.correct) << type << " " << rows << " x " << cols << ": "
                                   << m.mismatch.expected << " " << m.mismatch.actual;
        }
}

// Its columns are our rows: the last row of the output is not written.
TEST_F(FakeBench, AWrongCallOfALibraryHasItsMap) {
    fake_.library_forgets = true;
    Measurement m = measure(library_job(64, 32), kPatient);
    fake_.library_forgets = false;
    EXPECT_FALSE(m.correct);
    EXPECT_EQ(64u, m.mismatch.count);
    ASSERT_TRUE(m.mismatch_map);
    EXPECT_EQ(64u, m.mismatch_map->wrong);
    EXPECT_EQ(
        "Only the last 1 of 32 rows hold wrong elements: the bottom edge. What is wrong was never "
        "written.",
        pattern_words(*m.mismatch_map));
}

// More than a piece of it, so that it is never in this machine's memory as a whole.
TEST_F(FakeBench, ALargeOutputHasItsMapToo) {
    MeasureOptions hasty;  // it is the map that counts: one round will do
    hasty.time_limit_s = 0.001;
    Measurement m = measure(make_job(kQuarter, 4096, 2048, "u8"), hasty);
    ASSERT_TRUE(m.mismatch_map);
    EXPECT_EQ(m.mismatch.count, m.mismatch_map->wrong);
    EXPECT_EQ(
        "The first 2,048 rows and 1,024 columns are right, and all beyond is wrong: 25 % of the "
        "matrix was moved. What is wrong was never written.",
        pattern_words(*m.mismatch_map));
}

TEST_F(FakeBench, ALibrarysCallIsTimedBesideStages) {
    auto results = measure_together({library_job(64, 32), make_job(kRight, 64, 32)}, kPatient);
    ASSERT_EQ(2u, results.size());
    EXPECT_TRUE(results[0].correct);
    EXPECT_TRUE(results[1].correct);  // with words again
    EXPECT_EQ("cuBLAS 13.1.2", results[0].provenance.compiler);
    EXPECT_NEAR(4000, results[0].gb_per_s, 4);
    EXPECT_EQ(results[0].samples_us.size(), results[1].samples_us.size());
    EXPECT_EQ(50, results[0].launches_per_sample);  // recorded as a graph, as launches are
}

TEST_F(FakeBench, OfSeveralStagesThoseThatCannotRunAreLeftOut) {
    MatrixSize wide{32, 64};
    Stage newer = make_stage(kRight), call = library_job(1, 1).stage;
    newer.arch = "sm_100";
    EXPECT_EQ(
        "transpose/right uses what sm_100 brought, and Fake GPU is sm_90: interpreting it shows "
        "what it does, and the recordings how fast it is",
        left_out(newer, wide, ""));
    EXPECT_EQ("transpose/call has no element type u8", left_out(call, wide, "u8"));
    EXPECT_EQ("", left_out(call, wide, "f64"));
    EXPECT_EQ(1u, bench({newer, make_stage(kRight)}, {wide}, {}, kPatient).size());
    EXPECT_THROW(bench({newer}, {wide}), Error);
}

TEST_F(FakeBench, AStageThatSpoilsItsInputHarmsNoOther) {
    auto results =
        measure_together({make_job(kSpoilsInput, 64, 32), make_job(kRight, 64, 32)}, kPatient);
    ASSERT_EQ(2u, results.size());
    EXPECT_FALSE(results[0].correct);
    EXPECT_TRUE(results[1].correct);
}

TEST_F(FakeBench, EveryRoundRunsEveryStageAndTheCopyInTurningOrder) {
    fake_.gb_per_s = 2;
    fake_.kernel_gb_per_s = {{"wide_copy", 1.6}};
    measure_together({make_job(kRight, 1024, 512), make_job(kQuarter, 1024, 512)}, kPatient);
    std::string order;
    for (const std::string& name : fake_.launched)
        order += name.starts_with("_Z5right")     ? 'r'
                 : name.starts_with("_Z7quarter") ? 'q'
                 : name.starts_with("_Z4hold")    ? '|'
                 : name.starts_with("_Z4fill")    ? '!'
                                                  : 'c';
    // Warm rounds 38, 39, 40 of 40 begin with racer 37 % 3, 38 % 3, 39 % 3 of (right, quarter,
    // copy); then each launch finds a cache full of something else.
    EXPECT_NE(std::string::npos, order.find("|qcr|crq|rqc|!r!q!c|!q!c!r|!c!r!q|")) << order;
}

TEST_F(FakeBench, ColdSamplesAreSingleLaunchesBesideTheWarmOnes) {
    fake_.kernel_gb_per_s["right"] = 1000;
    Measurement m = measure(make_job(kRight, 64, 32), kPatient);
    EXPECT_EQ(30u, m.cold.samples_us.size());
    EXPECT_EQ(30u, m.yardstick.cold.samples_us.size());
    EXPECT_NEAR(1000, m.cold.gb_per_s, 1);
    EXPECT_NEAR(4000, m.yardstick.cold.gb_per_s, 4);
}

TEST_F(FakeBench, ASlowThirdLaunchIsCalledOut) {
    fake_.gb_per_s = 2;
    fake_.kernel_gb_per_s = {{"wide_copy", 1.6}};
    Measurement m = measure(make_job(kEveryThird, 1024, 512), kPatient);
    EXPECT_TRUE(m.correct);
    EXPECT_EQ("Every 3rd launch takes 1.5 times as long as the others; the median hides that.",
              m.note);
    // Two thirds of the samples agree, so the median is soon certain.
    EXPECT_LT(m.samples_us.size(), 60u);
}

TEST_F(FakeBench, AWorkingSetInsideTheCacheIsCalledOut) {
    EXPECT_NE("", about_the_cache(measure(make_job(kRight, 64, 32), kPatient)));
    fake_.gb_per_s = 2;
    fake_.kernel_gb_per_s = {{"wide_copy", 1.6}};
    EXPECT_EQ("", about_the_cache(measure(make_job(kRight, 1024, 512), kPatient)));
}

TEST_F(FakeBench, TheLadderComesSizeBySize) {
    std::vector<std::string> said;
    auto results = bench({make_stage(kRight), make_stage(kAsCopy)}, {{64, 32}, {32, 96}}, {},
                         kPatient, [&](double fraction, const std::string& what) {
                             EXPECT_TRUE(fraction >= 0 && fraction <= 1);
                             said.push_back(what);
                         });
    ASSERT_EQ(4u, results.size());
    EXPECT_EQ("transpose/right", results[0].stage);
    EXPECT_EQ("transpose/as_copy", results[1].stage);
    EXPECT_EQ(96, results[3].cols);
    EXPECT_EQ(results[2].yardstick.samples_us, results[3].yardstick.samples_us);
    EXPECT_EQ("64 x 32: compiling", said.front());
    EXPECT_EQ("32 x 96: measured", said.back());
}

// TILE 8 and 16 with ROWS 4 and 8, of which 16 x 4 is refused.
TEST_F(FakeBench, ASweepTimesEveryCombinationOfKnobs) {
    Stage like;
    like.id = "transpose/right";
    like.operation = "transpose";
    like.file = "right.cu";
    Stage stage = parse_stage(
        "/*---\ntitle = \"Right\"\ntypes = [\"f32\", \"u8\"]\nblock = [\"TILE\", \"ROWS\"]\n"
        "grid = [\"ceil_div(cols, TILE)\", \"ceil_div(rows, ROWS)\"]\n[knob.TILE]\n"
        "choices = [8, 16]\n[knob.ROWS]\nchoices = [4, 8]\n[[require]]\n"
        "expr = \"TILE <= 2 * ROWS\"\nwhy = \"no\"\n---*/\n"
        "template <typename T = float, int TILE = 8, int ROWS = 8>\n__global__ void right("
        "const T* in, T* out, int rows, int cols) {}\n",
        like);
    ASSERT_EQ("", stage.error);
    auto results = bench({stage}, {{64, 32}, {32, 64}}, {"u8", true}, kPatient);
    ASSERT_EQ(6u, results.size());
    EXPECT_EQ((KnobValues{{"ROWS", 4}, {"TILE", 8}}), results[0].knobs);
    EXPECT_EQ("u8", results[5].type);
    EXPECT_EQ(64, results[5].cols);
    for (const Measurement& m : results) {
        EXPECT_TRUE(m.correct);
        EXPECT_NE((KnobValues{{"ROWS", 4}, {"TILE", 16}}), m.knobs);
    }
}

TEST_F(FakeBench, ProvenanceIsComplete) {
    Provenance from = measure(make_job(kRight, 64, 32), kPatient).provenance;
    EXPECT_EQ("Fake GPU", from.card);
    EXPECT_EQ("sm_90", from.arch);
    EXPECT_EQ(0u, from.compiler.find("NVRTC "));
    EXPECT_EQ(16u, from.source_hash.size());
    EXPECT_EQ(20u, from.date.size());
    EXPECT_EQ(1u << 20, from.l2_bytes);
    EXPECT_NEAR(4917, from.datasheet_gb_per_s, 1);  // 3,201 MHz * 2 * 6,144 bits
}

TEST_F(FakeBench, CancelStopsBetweenRounds) {
    CancelFlag cancel = false;
    int last = 0;
    auto progress = [&](double, const std::string& what) {
        if (what.starts_with("round ")) ++last;
        if (what.starts_with("round 5 ")) cancel = true;
    };
    EXPECT_THROW(measure(make_job(kRight, 64, 32), kPatient, progress, &cancel), Cancelled);
    EXPECT_EQ(5, last);
}

TEST_F(FakeBench, DifferentShapesCannotRunTogether) {
    EXPECT_THROW(measure_together({make_job(kRight, 64, 32), make_job(kRight, 32, 64)}), Error);
    EXPECT_THROW(measure_together({make_job(kRight, 64, 32), make_job(kRight, 64, 32, "u8")}),
                 Error);
    EXPECT_TRUE(measure_together({}).empty());
}

// In a process of its own, because the GPU stays lost.
static void measure_endless() {
    MeasureOptions options;
    options.time_limit_s = 0.2;
    try {
        measure(make_job(kEndless, 64, 32), options);
    } catch (const Error& error) {
        std::_Exit(error.status() == Status::out_of_time && Gpu::lost() ? 0 : 1);
    }
    std::_Exit(2);
}

TEST_F(FakeBench, AnEndlessKernelIsGivenUp) {
    EXPECT_EXIT(measure_endless(), testing::ExitedWithCode(0), "");
}

}  // namespace lanewise
