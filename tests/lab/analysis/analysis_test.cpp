#include "lab/analysis/analysis.h"

#include <gtest/gtest.h>

#include <ostream>

#include "../../needs.h"
#include "../../shipped_stages.h"
#include "base/error.h"
#include "base/threads.h"
#include "compile/compiler.h"
#include "course/catalogue.h"

namespace lanewise {

namespace {

const Catalogue& catalogue() {
    return shipped_stages();
}

Job job_for(const std::string& stage, KnobValues knobs = {}, int64_t rows = 4096,
            int64_t cols = 4096) {
    Job job;
    job.stage = catalogue().find(stage);
    job.knobs = std::move(knobs);
    job.rows = rows;
    job.cols = cols;
    job.arch = "sm_90";
    return job;
}

std::string complaint(Job job) {
    try {
        validate(job);
    } catch (const Error& error) {
        EXPECT_EQ(Status::bad_input, error.status());
        return error.what();
    }
    return "none";
}

class AnalysisTest : public testing::Test {};

}  // namespace

TEST(Validate, FillsInDefaults) {
    Job job = job_for("30_padded", {{"PAD", 0}});
    validate(job);
    EXPECT_EQ((KnobValues{{"PAD", 0}, {"ROWS", 8}, {"TILE", 32}}), job.knobs);
}

TEST(Validate, RefusesImpossibleShapes) {
    EXPECT_EQ("rows is 0; choose a number from 1 to 65,536",
              complaint(job_for("30_padded", {}, 0)));
    EXPECT_EQ("cols is -3; choose a number from 1 to 65,536",
              complaint(job_for("30_padded", {}, 4, -3)));
    EXPECT_EQ("rows is 65537; choose a number from 1 to 65,536",
              complaint(job_for("30_padded", {}, 65'537)));
    EXPECT_EQ("rows is -9223372036854775808; choose a number from 1 to 65,536",
              complaint(job_for("30_padded", {}, INT64_MIN)));
    Job job = job_for("30_padded");
    job.batch = 0;
    EXPECT_EQ("batch is 0; choose a number from 1 to 65,536", complaint(job));
    EXPECT_EQ("none", complaint(job_for("30_padded", {}, 65'536, 1)));
}

TEST(Validate, RefusesKnobsAndTypesThatAreNotOffered) {
    EXPECT_NE(std::string::npos, complaint(job_for("30_padded", {{"TIEL", 32}})).find("TILE"));
    EXPECT_NE(std::string::npos, complaint(job_for("30_padded", {{"PAD", 9}})).find("0, 1, 2, 3"));
    Job job = job_for("30_padded");
    job.type = "f23";
    EXPECT_EQ("transpose/30_padded has no element type \"f23\"; it offers f32, f64, f16, u8",
              complaint(job));
    job.stage.error = "30_padded.cu:3: malformed";
    EXPECT_EQ("30_padded.cu:3: malformed", complaint(job));
}

TEST(Validate, RefusesToTurnInPlaceWhatIsNotSquare) {
    EXPECT_EQ("none", complaint(job_for("86_in_place", {}, 50, 50)));
    EXPECT_EQ(
        "transpose/86_in_place turns a matrix where it lies, which must be square; choose as many "
        "columns as rows (50 x 50)",
        complaint(job_for("86_in_place", {}, 50, 30)));
}

TEST_F(AnalysisTest, InPlaceIsComparedInTheBufferItself) {
    NEEDS_NVRTC();
    Job job = job_for("86_in_place", {{"ACROSS", 8}}, 65, 65);
    Analysis analysis = analyse(job);
    EXPECT_TRUE(analysis.correct);
    EXPECT_EQ(4u * 65 * 65, analysis.report.totals.global_load.bytes);
    EXPECT_EQ(4u * 65 * 65, analysis.report.totals.global_store.bytes);
    std::string& source = job.stage.source;  // the mirror image goes to the first row of tiles
    source.replace(source.find("? tile_row : tile_col) * TILE + from"), 2, "? 0 * ");
    analysis = analyse(job);
    EXPECT_FALSE(analysis.correct);
}

TEST_F(AnalysisTest, AMatrixBeyondTheMemorySaysHowMuchItNeeds) {
    Job job = job_for("30_padded", {}, 65'536, 65'536);
    job.stage.grid.push_back("batch");  // so that it takes a batch: 64 of them are 2 TiB of f64
    job.batch = 64;
    job.type = "f64";
    try {
        analyse(job);
        FAIL();
    } catch (const Error& error) {
        EXPECT_EQ(Status::bad_input, error.status());
        EXPECT_NE(std::string::npos, std::string(error.what()).find("2 TiB")) << error.what();
    }
}

TEST_F(AnalysisTest, APictureIsOneBlock) {
    Picture picture = trace_block(job_for("30_padded"), 129);  // block (1, 1) of 128 x 128
    EXPECT_EQ(129u, picture.block.block);
    EXPECT_EQ(8u, picture.block.warps);
    EXPECT_EQ((Dim3{128, 128, 1}), picture.launch.grid);
    // 8 warps, each 4 loads, 4 shared stores, 4 shared loads, 4 stores.
    EXPECT_EQ(8u * 16, picture.block.accesses.size());
    EXPECT_EQ(32u, picture.report.totals.global_load.instructions);
    EXPECT_EQ(128u, picture.report.totals.global_load.sectors);
    EXPECT_EQ(32u, picture.report.totals.shared_load.wavefronts);
    EXPECT_EQ(33, picture.tile.pitch);
    EXPECT_EQ(4, picture.element_bytes);
    EXPECT_EQ(4224, picture.resources.static_shared_bytes);  // 32 x 33 words
    // Every element of the block's tile is loaded once, from the right place: row 32 to 63, column
    // 32 to 63 of a matrix 4096 wide.
    ASSERT_FALSE(picture.block.accesses.empty());
    EXPECT_EQ((32u * 4096 + 32) * 4, picture.block.accesses[0].addresses[0]);
    EXPECT_EQ("compiled before", trace_block(job_for("30_padded"), 0).compiled);
    EXPECT_THROW(trace_block(job_for("30_padded"), 128 * 128), Error);
}

TEST_F(AnalysisTest, CountsDoNotDependOnThreads) {
    for (const char* stage : {"02_copy_wide", "10_naive", "20_tiled", "30_padded"}) {
        Job job = job_for(stage, {}, 1000, 50);
        Analysis one = analyse(job, 1);
        EXPECT_EQ(1, one.threads);
        for (int threads : {2, 5, 8}) {
            Analysis several = analyse(job, threads);
            EXPECT_EQ(threads, several.threads);
            EXPECT_EQ(one.report.totals, several.report.totals) << stage;
            EXPECT_EQ(one.report.warp_instructions, several.report.warp_instructions) << stage;
            ASSERT_EQ(one.report.lines.size(), several.report.lines.size()) << stage;
            for (size_t i = 0; i < one.report.lines.size(); ++i)
                EXPECT_EQ(one.report.lines[i].counts, several.report.lines[i].counts) << stage;
        }
    }
}

// Four blocks, of which two exchange their tiles in one matrix: which of them comes first decides what is lost.
TEST_F(AnalysisTest, WhatAWrongKernelInOneMatrixLosesDoesNotDependOnCores) {
    Job job = job_for("114_in_its_own_place", {}, 64, 64);
    Analysis here = analyse(job), one = analyse(job, 1);
    EXPECT_EQ(1, here.threads);
    // Blocks in their order: (1, 0) reads what it is given and writes over what (0, 1) reads after it.
    EXPECT_EQ(one.mismatch.count, here.mismatch.count);
    EXPECT_LT(0u, here.mismatch.count);
    EXPECT_EQ(core_count(), analyse(job_for("114_in_its_own_place", {}, 2048, 2048)).threads);
    EXPECT_EQ(1, analyse(job_for("30_padded", {}, 256, 256)).threads);  // 64 blocks
    EXPECT_EQ(core_count(), analyse(job_for("30_padded", {}, 256, 257)).threads);
    // A thread that reads beyond its row writes where a block further on writes, too.
    EXPECT_LT(0u, analyse(job_for("113_thousand_by_fifty", {}, 1000, 50)).mismatch.count);
}

TEST_F(AnalysisTest, CancelStops) {
    CancelFlag cancel = true;
    EXPECT_THROW(analyse(job_for("30_padded"), 2, &cancel), Cancelled);
}

TEST_F(AnalysisTest, AWrongKernelIsFoundWrong) {
    NEEDS_NVRTC();
    Job job = job_for("30_padded", {}, 64, 64);
    size_t at = job.stage.source.find("int col = blockIdx.x * TILE");
    ASSERT_NE(std::string::npos, at);
    // Every block reads the first column of tiles.
    job.stage.source.replace(at, 27, "int col = 0          * TILE");
    Analysis analysis = analyse(job, 1);
    EXPECT_FALSE(analysis.correct);
    EXPECT_EQ(32u * 64, analysis.mismatch.count);  // input columns 32 to 63
    EXPECT_EQ(32, analysis.mismatch.row);
    EXPECT_EQ(0, analysis.mismatch.col);
}

TEST_F(AnalysisTest, AKernelThatWritesNothingIsWrongEverywhere) {
    NEEDS_NVRTC();
    for (const char* type : {"f32", "u8"}) {
        Job job = job_for("10_naive", {}, 100, 10);
        job.type = type;
        size_t body = job.stage.source.find(") {", job.stage.source.find("__global__"));
        ASSERT_NE(std::string::npos, body);
        job.stage.source.insert(body + 3, " if (rows > 0) return;");
        EXPECT_EQ(1000u, analyse(job, 1).mismatch.count) << type;
    }
}

TEST_F(AnalysisTest, AnEndlessLoopIsAFindingAndNotAnEndlessWait) {
    NEEDS_NVRTC();
    Job job = job_for("10_naive", {}, 1024, 1024);
    size_t body = job.stage.source.find(") {", job.stage.source.find("__global__"));
    ASSERT_NE(std::string::npos, body);
    job.stage.source.insert(body + 3, " while (*(volatile const T*)in == in[0]) {}");
    Analysis analysis = analyse(job, 1);
    EXPECT_FALSE(analysis.correct);
    ASSERT_EQ(1u, analysis.report.findings.size());
    EXPECT_EQ("runaway", analysis.report.findings[0].kind);
}

TEST_F(AnalysisTest, AMissingBarrierIsARaceAndAReadOutputIsUninitialized) {
    NEEDS_NVRTC();
    Job job = job_for("30_padded", {}, 64, 64);
    size_t barrier = job.stage.source.find("__syncthreads();");
    ASSERT_NE(std::string::npos, barrier);
    job.stage.source.replace(barrier, 16, "                ");
    Analysis analysis = analyse(job, 2);
    ASSERT_EQ(1u, analysis.report.findings.size());
    EXPECT_EQ("race", analysis.report.findings[0].kind);
    EXPECT_EQ("(0,0)", analysis.report.findings[0].block);
    EXPECT_EQ(4u, analysis.report.checked_blocks);
    EXPECT_EQ(1u, trace_block(job, 3).report.findings.size());

    job = job_for("10_naive", {}, 64, 64);
    size_t store = job.stage.source.find(" = in[");
    ASSERT_NE(std::string::npos, store);
    job.stage.source.replace(store, 3, " +=");
    analysis = analyse(job, 2);
    ASSERT_EQ(1u, analysis.report.findings.size());
    EXPECT_EQ("uninitialized_global", analysis.report.findings[0].kind);
    EXPECT_EQ(64u * 64, analysis.report.findings[0].count);
}

TEST_F(AnalysisTest, ASourceThatDoesNotCompileSaysWhere) {
    NEEDS_NVRTC();
    Job job = job_for("30_padded");
    size_t at = job.stage.source.find("__syncthreads();");
    job.stage.source.insert(at, "undeclared_name; ");
    try {
        analyse(job);
        FAIL();
    } catch (const CompileError& error) {
        ASSERT_EQ(1u, error.diagnostics().size());
        EXPECT_EQ("30_padded.cu", error.diagnostics()[0].file);
        EXPECT_NE(std::string::npos, error.diagnostics()[0].text.find("undeclared_name"));
    }
}

// The hardware's own counters for these launches, 4096 x 4096 floats on an H200 (Nsight Compute):
// requests, and sectors of loads and stores, and shared-memory wavefronts of loads and stores.
struct HardwareCounts {
    const char* stage;
    KnobValues knobs;
    uint64_t requests, load_sectors, store_sectors, load_wavefronts, store_wavefronts;
};

void PrintTo(const HardwareCounts& counts, std::ostream* out) { *out << counts.stage; }

class HardwareTest : public testing::TestWithParam<HardwareCounts> {};

TEST_P(HardwareTest, TotalsEqualTheProfilers) {
    const HardwareCounts& expected = GetParam();
    Analysis analysis = analyse(job_for(expected.stage, expected.knobs));
    EXPECT_TRUE(analysis.correct);
    EXPECT_TRUE(analysis.report.findings.empty());
    const Counts& totals = analysis.report.totals;
    EXPECT_EQ(expected.requests, totals.global_load.requests);
    EXPECT_EQ(expected.requests, totals.global_store.requests);
    EXPECT_EQ(expected.load_sectors, totals.global_load.sectors);
    EXPECT_EQ(expected.store_sectors, totals.global_store.sectors);
    EXPECT_EQ(expected.load_wavefronts, totals.shared_load.wavefronts);
    EXPECT_EQ(expected.store_wavefronts, totals.shared_store.wavefronts);
}

INSTANTIATE_TEST_SUITE_P(
    H200, HardwareTest,
    testing::Values(
        HardwareCounts{"00_copy", {}, 524'288, 2'097'152, 2'097'152, 0, 0},
        HardwareCounts{"10_naive", {}, 524'288, 2'097'152, 16'777'216, 0, 0},
        HardwareCounts{"12_naive_write", {}, 524'288, 16'777'216, 2'097'152, 0, 0},
        HardwareCounts{"20_tiled", {}, 524'288, 2'097'152, 2'097'152, 16'777'216, 524'288},
        HardwareCounts{"22_coarsened", {}, 524'288, 2'097'152, 2'097'152, 16'777'216, 524'288},
        HardwareCounts{"30_padded", {}, 524'288, 2'097'152, 2'097'152, 524'288, 524'288}),
    [](const auto& test) { return std::string(test.param.stage).substr(3); });

}  // namespace lanewise
