// What is tried to make a launch faster, how it changes a source, and that nothing that changes the
// result is proposed.
#include "lab/change/fixes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "../../needs.h"
#include "../../shipped_stages.h"
#include "../own_job.h"
#include "compile/compiler.h"
#include "course/catalogue.h"
#include "lab/json/fix_table_json.h"

namespace lanewise {
namespace {

const std::string kTurnInSteps =
    "__global__ void other(float* p) {\n"
    "    for (int i = 0; i < 2; ++i) p[i] = 0;\n"
    "}\n"
    "__global__ void turn(const float* in, float* out, int n) {\n"
    "    __shared__ float tile[32][32];\n"
    "    #pragma unroll\n"
    "    for (int j = 0; j < 32; j += 8)\n"
    "        tile[threadIdx.y + j][threadIdx.x] = in[(threadIdx.y + j) * n + threadIdx.x];\n"
    "    __syncthreads();\n"
    "    for (int j = 0; j < 32; j += 8)\n"
    "        out[(threadIdx.y + j) * n + threadIdx.x] = tile[threadIdx.x][threadIdx.y + j];\n"
    "}\n";

Job turning_in_steps(const std::string& source) {
    return own_job(source, "turn", {1}, {32, 8}, {"f32[1024]", "f32[1024]", "i32:32"});
}

std::vector<std::string> titles(const std::vector<Fix>& fixes) {
    std::vector<std::string> all;
    for (const Fix& fix : fixes) all.push_back(fix.title);
    return all;
}

TEST(Fixes, OfASourceAreOfItsKernelAlone) {
    const Job job = turning_in_steps(kTurnInSteps);
    const std::vector<Fix> fixes = fixes_of(job, true);
    ASSERT_EQ(
        (std::vector<std::string>{"Each row of tile is one element longer",
                                  "The columns of tile are swizzled by their row",
                                  "Its loop is unrolled", "Its pointers do not overlap: __restrict__"}),
        titles(fixes));
    EXPECT_EQ(
        "@@ line 4 @@\n"
        " __global__ void turn(const float* in, float* out, int n) {\n"
        "-    __shared__ float tile[32][32];\n"
        "+    __shared__ float tile[32][32 + 1];\n"
        "     #pragma unroll\n",
        diff_of(job, fixes[0]));
    EXPECT_EQ(
        "@@ line 9 @@\n"
        "     __syncthreads();\n"
        "+    #pragma unroll\n"
        "     for (int j = 0; j < 32; j += 8)\n",
        diff_of(job, fixes[2]));
    EXPECT_EQ(
        "@@ line 3 @@\n"
        " }\n"
        "-__global__ void turn(const float* in, float* out, int n) {\n"
        "+__global__ void turn(const float* __restrict__ in, float* __restrict__ out, int n) {\n"
        "     __shared__ float tile[32][32];\n",
        diff_of(job, fixes[3]));
    EXPECT_EQ(2u, fixes_of(job, false).size());  // without conflicts there is nothing to pad
}

// Each of several arrays that one declaration has, and all of them; of bytes by a word, too.
TEST(Fixes, OfSeveralArraysAreOneForEach) {
    const Job job = own_job(
        "__global__ void two(char* out) {\n"
        "    __shared__ char a[32][32], b[16][64];\n"
        "    a[0][0] = 1, b[0][0] = 2;\n"
        "}\n",
        "two", {1}, {32}, {"u8[32]"});
    const std::vector<Fix> fixes = fixes_of(job, true);
    ASSERT_LE(5u, fixes.size());
    EXPECT_EQ("Each row of a is one word longer", fixes[1].title);
    EXPECT_NE(std::string::npos,
              fixes[1].job.stage.source.find("a[32][32 + 4 / sizeof(char)], b[16][64];"));
    EXPECT_EQ("Each row of b is one element longer", fixes[2].title);
    EXPECT_NE(std::string::npos, fixes[2].job.stage.source.find("a[32][32], b[16][64 + 1];"));
    EXPECT_EQ("Each row of every tile is one element longer", fixes[4].title);
    EXPECT_NE(std::string::npos, fixes[4].job.stage.source.find("a[32][32 + 1], b[16][64 + 1];"));
}

// The model has no time for a launch that reads out of bounds.
TEST(Fixes, OfALaunchThatFailsAreNotTried) {
    NEEDS_NVRTC();
    const FixTrial trial =
        try_fixes(own_job(kTurnInSteps, "turn", {1}, {32, 8}, {"f32[4]", "f32[1024]", "i32:32"}));
    EXPECT_FALSE(trial.before.holds);
    EXPECT_TRUE(trial.fixes.empty());
}

// PAD from 1, and ROWS and TILE of the padded tile; a knob as it is is no change.
TEST(Fixes, OfAStageAreItsKnobsToo) {
    Job job;
    job.stage = shipped_stages().find("transpose/30_padded");
    job.knobs = default_knobs(job.stage);
    const std::vector<Fix> fixes = fixes_of(job, false);
    for (const Fix& fix : fixes) {
        if (fix.changes_source) continue;
        EXPECT_NE(job.knobs, fix.job.knobs) << fix.title;
        EXPECT_EQ("", diff_of(job, fix));
    }
    const std::vector<std::string> names = titles(fixes);
    EXPECT_EQ(1, std::count(names.begin(), names.end(), "PAD = 0"));
    EXPECT_EQ(0, std::count(names.begin(), names.end(), "PAD = 1"));
}

// 32 wavefronts become one for each read of a column, and a read is half of what the tile is for.
TEST(Fixes, PaddingIsFoundToBeTheFastest) {
    NEEDS_NVRTC();
    Job job;
    job.stage = shipped_stages().find("transpose/20_tiled");
    job.arch = "sm_90";
    job.rows = job.cols = 1024;
    job.knobs = {{"TILE", 32}};
    const FixTrial trial = try_fixes(job);
    ASSERT_TRUE(trial.before.holds);
    const auto padded =
        std::find_if(trial.fixes.begin(), trial.fixes.end(), [](const TriedFix& tried) {
            return tried.fix.title == "Each row of tile is one element longer";
        });
    ASSERT_NE(trial.fixes.end(), padded);
    EXPECT_EQ("", padded->problem);
    EXPECT_LT(padded->time.time_us, 0.7 * trial.before.time_us);
    EXPECT_LE(trial.fixes.front().time.time_us, padded->time.time_us);
}

// This one reads the tile as one long row, so that longer rows move what it reads.
TEST(Fixes, ThatChangeWhatIsComputedAreNone) {
    NEEDS_NVRTC();
    std::string flat = kTurnInSteps;
    const std::string read = "tile[threadIdx.x][threadIdx.y + j];";
    flat.replace(flat.find(read), read.size(),
                 "(&tile[0][0])[threadIdx.x * 32 + threadIdx.y + j];");
    for (const TriedFix& tried : try_fixes(turning_in_steps(flat)).fixes)
        EXPECT_EQ(tried.fix.title.starts_with("Each row")
                      ? "it leaves something else in the buffers"
                      : "",
                  tried.problem)
            << tried.fix.title;
    for (const TriedFix& tried : try_fixes(turning_in_steps(kTurnInSteps)).fixes) EXPECT_EQ("", tried.problem);
}

TEST(Fixes, ThatDoNotCompileSayWhy) {
    NEEDS_NVRTC();
    std::string checked = kTurnInSteps;
    checked.insert(checked.find("    #pragma unroll"),
                   "    static_assert(sizeof(tile) == 4096, \"as it is\");\n");
    const FixTrial trial = try_fixes(turning_in_steps(checked));
    EXPECT_TRUE(trial.fixes.front().problem.empty());
    EXPECT_NE(std::string::npos, trial.fixes.back().problem.find("as it is"))
        << trial.fixes.back().problem;
}

// 10 of 1000 us are worth a change, 9 are not; what is listed travels whole.
TEST(Fixes, AsATableSayWhichAreFaster) {
    const Job job = turning_in_steps(kTurnInSteps);
    FixTrial trial;
    trial.before.holds = true;
    trial.before.time_us = 1000;
    for (const Fix& fix : fixes_of(job, true)) trial.fixes.push_back({fix, "", {}});
    ASSERT_EQ(4u, trial.fixes.size());
    trial.fixes[0].time.holds = trial.fixes[1].time.holds = true;
    trial.fixes[0].time.time_us = 989;
    trial.fixes[1].time.time_us = 991;
    trial.fixes[2].problem = "it leaves something else in the buffers";
    const FixTable table = fix_table(job, trial);
    EXPECT_EQ(1000, table.before_us);
    EXPECT_TRUE(table.fixes[0].faster);
    EXPECT_FALSE(table.fixes[1].faster);
    EXPECT_FALSE(table.fixes[2].faster);
    EXPECT_EQ(trial.fixes[0].fix.job.stage.source, table.fixes[0].source);
    EXPECT_EQ(diff_of(job, trial.fixes[2].fix), table.fixes[2].diff);
    EXPECT_EQ(table, nlohmann::json(table).get<FixTable>());
    trial.before.holds = false;
    trial.before.sentence = "It does not end.";
    EXPECT_EQ("It does not end.", fix_table(job, trial).sentence);
    EXPECT_TRUE(fix_table(job, trial).fixes.empty());
}

}  // namespace
}  // namespace lanewise
