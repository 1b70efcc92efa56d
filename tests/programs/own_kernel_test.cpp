// The command line on kernels from outside the catalogue, and the commands of docs/your-kernel.md as they stand.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <regex>
#include <string>
#include <vector>

#include "../needs.h"
#include "outcome.h"

namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

class OwnKernelProgram : public testing::Test {
  protected:
    OwnKernelProgram()
        : folder_(fs::temp_directory_path() / ("lanewise-own-" + std::to_string(::getpid()))) {
        fs::create_directories(folder_);
    }
    ~OwnKernelProgram() override { fs::remove_all(folder_); }
    void SetUp() override {
        Json checks = Json::parse(shell("build/bin/lanewise-engine doctor --json").out);
        for (const Json& check : checks)
            if (check["name"] == "CUDA compiler")
                LANEWISE_NEEDS(check["ok"].get<bool>(), "there is no NVRTC here");
    }

    // A script in the source tree's folder; build/bin/ stands for the programs under test.
    Outcome shell(std::string script) {
        const std::string readme = "build/bin/", here = PROGRAMS "/";  // `here` may end in `readme`
        for (size_t at = 0; (at = script.find(readme, at)) != std::string::npos; at += here.size())
            script.replace(at, readme.size(), here);
        std::ofstream(folder_ / "script") << "cd '" CONTENT_FOLDER "'\n" << script;
        std::string command = "sh '" + (folder_ / "script").string() + "' >'" +
                              (folder_ / "out").string() + "' 2>'" + (folder_ / "err").string() +
                              "' </dev/null";
        int status = std::system(command.c_str());
        return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, text_of(folder_ / "out"),
                text_of(folder_ / "err")};
    }
    Outcome engine(const std::string& arguments) {
        return shell("build/bin/lanewise-engine " + arguments + "\n");
    }
    void expect_refused(const std::string& arguments, const std::string& part, int status = 2) {
        Outcome outcome = engine(arguments);
        EXPECT_EQ(status, outcome.status) << arguments << ": " << outcome.err;
        EXPECT_EQ("", outcome.out) << arguments;
        EXPECT_EQ(0u, outcome.err.find("lanewise-engine: ")) << outcome.err;
        EXPECT_NE(std::string::npos, outcome.err.find(part)) << arguments << ": " << outcome.err;
    }

    fs::path folder_;
};

// PTX that others wrote: no compiler is asked for.
class PtxProgram : public OwnKernelProgram {
  protected:
    void SetUp() override {}
    Outcome bare(const std::string& arguments) {  // where there is none
        return shell("LANEWISE_NO_NVRTC=1 LANEWISE_NO_CLANG=1 build/bin/lanewise-engine " +
                     arguments + "\n");
    }
};
const std::string kReal = "tests/golden/h200/ptx/";

const std::string kFile = "tests/programs/fixtures/turn.cu ";
const std::string kTurn = kFile + "--kernel 'turn<float>' --grid 2,3 --block 32,8 ";
const std::string kArguments = "--arg 'f32[6144]' --arg 'f32[6144]' --arg i32:96 --arg i32:64 ";

// The fenced blocks of the document about one's own kernel, in order.
std::vector<std::string> documented_commands() {
    std::string section = text_of(CONTENT_FOLDER "/docs/your-kernel.md");
    std::vector<std::string> blocks;
    std::regex fence("```[a-z]*\n([^`]*)```");
    for (std::sregex_iterator it(section.begin(), section.end(), fence), end; it != end; ++it)
        blocks.push_back((*it)[1]);
    return blocks;
}

}  // namespace

TEST_F(OwnKernelProgram, TheDocumentsTraceWorks) {
    auto blocks = documented_commands();
    ASSERT_EQ(7u, blocks.size());
    Outcome outcome = shell(blocks[0]);
    EXPECT_EQ(0, outcome.status) << outcome.err;
    EXPECT_NE(std::string::npos, outcome.out.find("out[(row + j) * rows + col] = tile["));
    EXPECT_NE(std::string::npos, outcome.out.find("Not verified"));
}

// The document's command, and then each command that it prints.
TEST_F(OwnKernelProgram, TheDocumentsLaunchesRunAsTheyAre) {
    auto blocks = documented_commands();
    ASSERT_EQ(7u, blocks.size());
    Outcome outcome = shell(blocks[1]);
    ASSERT_EQ(0, outcome.status) << outcome.err;
    const std::string begin = "  lanewise-engine ";
    const size_t at = outcome.out.find(begin);
    ASSERT_NE(std::string::npos, at) << outcome.out;
    const std::string command = outcome.out.substr(at + begin.size());
    EXPECT_EQ(
        "trace tests/programs/fixtures/histogram.cu --kernel 'histogram<int>' --grid 256 "
        "--block 256 --arg 'i32[65536]=0..999' --arg 'i32[64]=0' --arg i32:65536\n",
        command);
    Outcome traced = shell("build/bin/lanewise-engine " + command);
    EXPECT_EQ(0, traced.status) << traced.err << traced.out;
    EXPECT_NE(std::string::npos, traced.out.find("atomicAdd(&own[in[i] % kBins], 1)"));
}

// A header of kernels is traced as a source is, and a comment that only looks like a stage's head is
// a comment.
TEST_F(OwnKernelProgram, HeadersAndFirstCommentsAreNoStages) {
    const std::string header = (folder_ / "twice.cuh").string();
    std::ofstream(header) << "/*---------\n twice = double\n---------*/\n"
                             "__global__ void twice(float* x) { x[threadIdx.x] *= 2; }\n";
    Outcome outcome =
        engine("trace " + header + " --kernel twice --grid 1 --block 32 --arg 'f32[32]'");
    EXPECT_EQ(0, outcome.status) << outcome.err;
    EXPECT_NE(std::string::npos, outcome.out.find("x[threadIdx.x] *= 2"));
    expect_refused("trace " + header, "say which kernel with --kernel NAME");
    // The only kernel need not be named, but its launch must.
    Outcome unnamed = engine("trace " + header + " --grid 1 --block 32 --arg 'f32[32]'");
    EXPECT_EQ(0, unnamed.status) << unnamed.err;
    EXPECT_TRUE(unnamed.out.starts_with("twice.cuh  twice")) << unnamed.out;
    expect_refused("trace " + header + " --block 32", "--grid is missing");
    std::ofstream(header, std::ios::app) << "__global__ void thrice(float* x) { x[threadIdx.x] *= 3; }\n";
    expect_refused("trace " + header + " --grid 1 --block 32", "say which kernel with --kernel NAME");
}

TEST_F(OwnKernelProgram, WhoSaysNoLaunchIsToldWhereOneStands) {
    const std::string file = "tests/programs/fixtures/histogram.cu ";
    const std::string way = "`lanewise-engine launches tests/programs/fixtures/histogram.cu`";
    expect_refused("trace " + file, way);
    expect_refused("trace " + file + "--kernel 'histogram<int>'", way);
    Outcome none = engine("trace " + kFile);
    EXPECT_EQ(std::string::npos, none.err.find("launches")) << "it has no host code";
}

TEST_F(OwnKernelProgram, LaunchesSaysWhatItCannotFind) {
    Outcome none = engine("launches " + kFile);
    EXPECT_EQ(2, none.status);
    EXPECT_NE(std::string::npos, none.err.find("no launch was found"));
    EXPECT_NE(std::string::npos, none.err.find("turn(const T* in"));
    EXPECT_EQ("[]\n", engine("launches --json " + kFile).out);
    EXPECT_EQ(2, engine("launches nowhere.cu").status);
    Json list = Json::parse(engine("launches --json tests/programs/fixtures/histogram.cu").out);
    ASSERT_EQ(1u, list.size());
    EXPECT_EQ(39, list[0]["line"]);
    EXPECT_EQ("lanewise-engine", list[0]["command"][0]);
    EXPECT_TRUE(list[0]["blanks"].empty());
}

TEST_F(OwnKernelProgram, TheDocumentsSixLinesFailABuildOnABankConflict) {
    auto blocks = documented_commands();
    ASSERT_EQ(7u, blocks.size());
    std::string script = blocks[6];
    EXPECT_EQ(6, std::count(script.begin(), script.end(), '\n'));
    size_t build = script.find("./lanewise build\n");  // has happened, or this would not run
    ASSERT_NE(std::string::npos, build);
    script.erase(build, 17);
    Outcome outcome = shell(script + "echo built\n");
    EXPECT_EQ(0, outcome.status) << outcome.err << outcome.out;
    EXPECT_NE(std::string::npos, outcome.out.find("built"));
    size_t kernel = script.find("--kernel");
    outcome = shell(script.insert(kernel, "--define PAD=0 ") + "echo built\n");
    EXPECT_EQ(1, outcome.status) << outcome.err;
    EXPECT_EQ(0u, outcome.out.find("failed  shared_load.wavefronts")) << outcome.out;
    EXPECT_EQ(std::string::npos, outcome.out.find("built"));
}

TEST_F(OwnKernelProgram, TheDocumentsClustersAreTraced) {
    auto blocks = documented_commands();
    ASSERT_EQ(7u, blocks.size());
    Outcome outcome = shell(blocks[4]);
    EXPECT_EQ(0, outcome.status) << outcome.err;
    EXPECT_NE(std::string::npos, outcome.out.find("0 findings in all"));
}

TEST_F(OwnKernelProgram, TraceJsonHasCountsAndNoVerdict) {
    Outcome outcome = engine("trace " + kTurn + kArguments + "--json");
    ASSERT_EQ(0, outcome.status) << outcome.err;
    Json trace = Json::parse(outcome.out);
    EXPECT_TRUE(trace["correct"].is_null());
    EXPECT_EQ("turn<float>", trace["params"]["kernel"]);
    EXPECT_NE(std::string::npos, trace["notes"][0].get<std::string>().find("Not verified"));
    // 96 x 64 floats: 192 warp rows of 32.
    EXPECT_EQ(192, trace["totals"]["global_load"]["requests"]);
    EXPECT_EQ(768, trace["totals"]["global_load"]["sectors"]);
    EXPECT_EQ(192, trace["totals"]["shared_load"]["wavefronts"]);
    trace = Json::parse(engine("trace " + kTurn + kArguments + "--define PAD=0 --json").out);
    EXPECT_EQ(192 * 32, trace["totals"]["shared_load"]["wavefronts"]);
}

TEST_F(OwnKernelProgram, ExpectationsKnowWhatThereIs) {
    std::string check = "check " + kTurn + kArguments;
    EXPECT_EQ(0, engine(check + "--expect 'global_load.requests == 192 && findings == 0'").status);
    EXPECT_EQ(1, engine(check + "--expect 'global_load.requests == 191'").status);
    EXPECT_EQ(0, engine(check).status);
    expect_refused(check + "--expect 'correct'", "correct");
    expect_refused(check + "--expect 'rows > 0'", "rows");
    EXPECT_EQ(0, engine(check + "--expect 'global_atomic.sectors + async_copy.bytes + "
                                "matrix_load.wavefronts + shared_atomic.bytes == 0' "
                                "--expect 'findings.race == 0 && local_bytes == 0' "
                                "--expect 'registers > 8 && occupancy_percent == 100 && "
                                "blocks_per_sm == 8 && shared_bytes >= 32 * 33 * 4'")
                     .status);
}

// Both lines of turn that touch shared memory; only one has conflicts without the padding.
TEST_F(OwnKernelProgram, AnExpectationOfLinesNamesThoseWhereItFails) {
    std::string any = "check " + kTurn + kArguments;
    std::string check =
        any +
        "--expect 'line.shared_load.wavefronts + line.shared_store.wavefronts <= "
        "2 * (line.shared_load.wavefronts_ideal + line.shared_store.wavefronts_ideal)' ";
    EXPECT_EQ(0, engine(check).status);
    Outcome outcome = engine(check + "--define PAD=0 --json");
    EXPECT_EQ(1, outcome.status);
    Json expectation = Json::parse(outcome.out)["expectations"][0];
    EXPECT_EQ(false, expectation["holds"]);
    EXPECT_EQ(Json::array({"turn.cu:18"}), expectation["lines"]);
    outcome = engine(check + "--define PAD=0");
    EXPECT_NE(std::string::npos, outcome.out.find("   at turn.cu:18\n")) << outcome.out;
    expect_refused(any + "--expect 'line.findings == 0'", "line.findings");
    expect_refused(any + "--expect 'line.rows == 0'", "line.rows");
}

TEST_F(OwnKernelProgram, WhyTriesWhatMayHelpAndWritesIt) {
    const std::string file = (folder_ / "turn.cu").string();
    const std::string better = (folder_ / "better.cu").string();
    std::ofstream(file) << "__global__ void turn(const float* in, float* out) {\n"
                           "    __shared__ float tile[32][32];\n"
                           "    tile[threadIdx.y][threadIdx.x] = in[threadIdx.y * 32 + threadIdx.x];\n"
                           "    __syncthreads();\n"
                           "    out[threadIdx.y * 32 + threadIdx.x] = tile[threadIdx.x][threadIdx.y];\n"
                           "}\n";
    const std::string why = "why " + file +
                            " --kernel turn --grid 512 --block 32,32 --arg 'f32[1024]' --arg "
                            "'f32[1024]' --json --apply ";
    Outcome outcome = engine(why + better);
    ASSERT_EQ(0, outcome.status) << outcome.err;
    const std::string first = text_of(better);
    EXPECT_NE(std::string::npos, first.find("tile[32][32 + 1]")) << first;
    const Json fixes = Json::parse(outcome.out.substr(outcome.out.find('{'))).at("fixes");
    EXPECT_EQ("Each row of tile is one element longer", fixes[0]["title"]);
    EXPECT_EQ("", fixes[0]["problem"]);
    EXPECT_NE(std::string::npos,
              fixes[0]["diff"].get<std::string>().find("+    __shared__ float tile[32][32 + 1];"));
}

// What `why`, the counts' JSON and its text say of one launch; a stage's time is the other model's, and
// says so.
TEST_F(OwnKernelProgram, OneLaunchHasOneTime) {
    const std::string file = (folder_ / "twice.cu").string();
    std::ofstream(file) << "__global__ void twice(const float* in, float* out) {\n"
                           "    int i = blockIdx.x * 64 + threadIdx.x;\n"
                           "    out[i] = 2 * in[i];\n"
                           "}\n";
    const std::string launch =
        file + " --kernel twice --grid 4 --block 64 --arg 'f32[256]' --arg 'f32[256]'";
    const Json why = Json::parse(engine("why " + launch + " --json").out);
    ASSERT_EQ(true, why["holds"]) << why["sentence"];
    ASSERT_EQ(1u, why["lines"].size());
    EXPECT_EQ(3, why["lines"][0]["line"]);
    EXPECT_EQ(32, why["lines"][0]["l1_sectors"]);
    EXPECT_EQ(0, why["lines"][0]["l1_hit"]);
    ASSERT_EQ(3u, why["time_by_line"].size()) << why["time_by_line"];  // the last is that of the return
    EXPECT_EQ(3, why["time_by_line"][1]["line"]);
    EXPECT_GT(why["time_by_line"][1]["share"], 0.8);
    EXPECT_NEAR(why["without_us"].get<double>(),
                why["launch_us"].get<double>() + why["unexplained_us"].get<double>(), 1e-9);
    const Json trace = Json::parse(engine("trace " + launch + " --json").out);
    EXPECT_EQ("launch", trace["prediction"]["model"]);
    EXPECT_EQ(why["time_us"], trace["prediction"]["time_us"]);
    ASSERT_EQ(why["causes"].size(), trace["issues"].size());
    for (size_t i = 0; i < why["causes"].size(); ++i)
        EXPECT_EQ(why["causes"][i]["us"], trace["issues"][i]["us"]);
    const std::string text = engine("trace " + launch).out;
    EXPECT_NE(std::string::npos, text.find("Model of launches, " + why["card"].get<std::string>())) << text;
    const Json stage = Json::parse(engine("trace transpose/00_copy --rows 64 --cols 64 --json").out);
    EXPECT_EQ("bandwidth", stage["prediction"]["model"]);
}

TEST_F(OwnKernelProgram, FindingsDecideTheStatus) {
    Outcome outcome =
        engine("trace " + kTurn + "--arg 'f32[6144]' --arg 'f32[6143]' --arg i32:96 --arg i32:64");
    EXPECT_EQ(1, outcome.status);
    EXPECT_NE(std::string::npos, outcome.out.find("turn.cu:18:")) << outcome.out;
    EXPECT_NE(std::string::npos, outcome.out.find("buffer out has 24572 bytes")) << outcome.out;
}

TEST_F(OwnKernelProgram, AStructByValueIsTypedInBraces) {
    std::ofstream(folder_ / "move.cu") << "struct Params { const float* in; float* out; int n; };\n"
                                          "__global__ void move(Params p, float3 by) {\n"
                                          "    int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                                          "    if (i < p.n) p.out[i] = p.in[i] + by.y;\n"
                                          "}\n";
    std::string move = (folder_ / "move.cu").string() + " --kernel move --grid 2 --block 64 ";
    std::string params = "--arg '{f32[100],f32[100],i32:100}' ", by = "--arg '{f32:1,f32:2,f32:3}'";
    EXPECT_EQ(0, engine("check " + move + params + by +
                        " --expect 'global_load.bytes == 400 && findings == 0'")
                     .status);
    Outcome outcome = engine("trace " + move + "--arg '{f32[100],f32[99],i32:100}' " + by);
    EXPECT_EQ(1, outcome.status);
    EXPECT_NE(std::string::npos, outcome.out.find("buffer p.out has 396 bytes")) << outcome.out;
    expect_refused("trace " + move, "--arg \"{f32[COUNT],f32[COUNT],i32:VALUE}\"");
    expect_refused("trace " + move + params + "--arg '{f32:1,f32:2}'",
                   "parameter 2, float3 by: that has 12 bytes, and this struct 8\n");
    expect_refused("trace " + move + params + "--arg '{f32:1,f32:2'", "a brace is not closed");
}

TEST_F(OwnKernelProgram, BadInputSaysWhatToType) {
    expect_refused("trace " + kFile, "turn(const T* in, T* out, int rows, int cols)   line 8");
    expect_refused("trace " + kFile + "--grid 1 --block 1", "wait_for(volatile int* flag)");
    expect_refused("trace " + kFile + "--kernel trun --grid 1 --block 1", "\"trun\" is undefined");
    expect_refused("trace " + kFile + "--kernel turn --grid 1 --block 1", "'turn<float>'");
    expect_refused("trace " + kFile + "--kernel wait_for --block 1", "--grid is missing");
    expect_refused("trace " + kFile + "--kernel wait_for --grid 1", "--block is missing");
    expect_refused("trace " + kTurn, "turn<float> takes 4 arguments, not 0");
    expect_refused("trace " + kTurn + "--arg i32:1 " + kArguments, "not 5");
    expect_refused("trace " + kTurn + "--arg 'f32[4]' --arg 'f64[4]' --arg i32:2 --arg i32:2",
                   "parameter 2, float* out: that points to f32");
    expect_refused("trace " + kTurn + "--arg tensor:f32:4x4:box=4x4 " + kArguments.substr(18),
                   "that has 8 bytes, and the map of a tensor 128");
    expect_refused("trace " + kTurn + "--arg tensor:f32:4x5:box=4x4 " + kArguments.substr(18),
                   "say pitch=8");
    expect_refused("trace " + kTurn +
                       "--arg 'f32[999999999999]' --arg 'f32[4]' --arg i32:2 "
                       "--arg i32:2",
                   "of memory");
    expect_refused("trace " + kTurn + kArguments + "--include /nowhere", "/nowhere");
    expect_refused("trace " + kTurn + kArguments + "--rows 4", "--rows belongs to a stage");
    expect_refused("trace 30_padded --kernel turn --grid 1 --block 1",
                   "for a .cu, .cuh or .ptx file");
    expect_refused("trace " + kTurn + kArguments + "--cluster 17", "1 to 8 in all");
    expect_refused("trace " + kTurn + kArguments + "--cluster 7",
                   "each side of the grid must be a multiple of the cluster's");
    expect_refused("trace " + kTurn + kArguments + "--dynamic-shared 232449", "227 KiB");
    expect_refused("trace " + kTurn + kArguments + "--dynamic-shared 230000", "shared memory");
    expect_refused("trace " + kFile + "--kernel wait_for --grid 1 --block 2048 --arg 'i32[1]'",
                   "1 to 1,024");
    expect_refused("trace " + kFile + "--kernel wait_for --grid 1,65536 --block 1 --arg 'i32[1]'",
                   "1 to 65,535");
}

TEST_F(OwnKernelProgram, RunsOnTheGpuWhereThereIsOne) {
    Outcome outcome = engine("run " + kTurn + kArguments + "--json");
    if (outcome.status == 4) {
        EXPECT_NE("", outcome.err);
        return;
    }
    ASSERT_EQ(0, outcome.status) << outcome.err;
    Json json = Json::parse(outcome.out);
    EXPECT_EQ(0, json["buffers"][1]["different"]);
    EXPECT_EQ("out", json["buffers"][1]["name"]);
}

TEST_F(OwnKernelProgram, AnEndlessLoopEndsInAFindingOrByItsTimeLimit) {
    std::string endless = "trace " + kFile + "--kernel wait_for --arg 'i32[1]' ";
    auto start = std::chrono::steady_clock::now();
    Outcome outcome = engine(endless + "--block 64 --grid 1000000 --json");
    EXPECT_EQ(1, outcome.status) << outcome.err;
    EXPECT_EQ("runaway", Json::parse(outcome.out)["findings"][0]["kind"]);
    // Two thousand million blocks take any machine longer than the limit; none of them is endless.
    outcome = engine("trace " + kFile + "--kernel 'turn<float>' --block 32,8 --grid 2000000000 " +
                     kArguments + "--time-limit 0.2");
    EXPECT_EQ(5, outcome.status) << outcome.out;
    EXPECT_NE(std::string::npos, outcome.err.find("time limit of 0.2 s")) << outcome.err;
    EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(60));
}

TEST_F(PtxProgram, IsTracedByTheLinesOfItsPython) {
    Outcome outcome = bare("trace " + kReal +
                           "triton_transpose.ptx --grid 5,3 "
                           "--dynamic-shared 8192 --arg 'f32[30720]' --arg 'f32[30720]' "
                           "--arg i32:192 --arg i32:160 --json");
    ASSERT_EQ(0, outcome.status) << outcome.err;
    Json trace = Json::parse(outcome.out);
    EXPECT_EQ("transpose", trace["params"]["kernel"]);
    EXPECT_EQ(240, trace["totals"]["global_load"]["requests"]);
    EXPECT_EQ("triton_kernels.py", trace["lines"][0]["file"]);
    EXPECT_EQ(19, trace["lines"][0]["line"]);
    EXPECT_EQ("LLVM (PTX 8.7)", trace["compiler"]);
    outcome = bare("check " + kReal +
                   "numba_tiled_transpose.ptx --kernel tiled_transpose "
                   "--grid 2,3 --block 32,8 --arg u64:0 --arg u64:0 --arg i64:6144 --arg i64:4 "
                   "--arg 'f32[6144]' --arg i64:96 --arg i64:64 --arg i64:256 --arg i64:4 "
                   "--arg u64:0 --arg u64:0 --arg i64:6144 --arg i64:4 --arg 'f32[6144]' "
                   "--arg i64:64 --arg i64:96 --arg i64:384 --arg i64:4 "
                   "--expect 'line.shared_load.wavefronts == line.shared_load.wavefronts_ideal'");
    EXPECT_EQ(1, outcome.status) << outcome.err;
    EXPECT_NE(std::string::npos, outcome.out.find("   at numba_kernels.py:")) << outcome.out;
}

TEST_F(PtxProgram, TheDocumentsTraceWorks) {
    auto blocks = documented_commands();
    ASSERT_EQ(7u, blocks.size());
    Outcome outcome = shell(blocks[5]);
    EXPECT_EQ(0, outcome.status) << outcome.err;
    EXPECT_NE(std::string::npos, outcome.out.find("tile = tl.load(source"));
}

TEST_F(PtxProgram, BadInputSaysWhatToType) {
    const std::string add = "trace " + kReal + "triton_add.ptx ";
    expect_refused(add, "--grid is missing");
    expect_refused(add + "--grid 5",
                   "add takes 6 arguments, not 0\nadd takes, one --arg each:\n"
                   "    8 bytes x, looks like float*");
    expect_refused(add + "--grid 5 --block 64", "say --block 128,1,1");
    expect_refused(add + "--grid 5 --kernel sub", "there is no kernel \"sub\"");
    expect_refused(add + "--grid 5 --define N=1", "--define is for a source");
    expect_refused(add + "--grid 5 --arch sm_80", "--arch is for a source");
    expect_refused(add + "--grid 5 --rows 5", "--rows belongs to a stage");
    expect_refused("trace nowhere.ptx --grid 1", "nowhere.ptx");
    expect_refused("trace " + kReal +
                       "triton_softmax.ptx --grid 1 --arg 'f32[64]' "
                       "--arg 'f32[64]' --arg i32:64",
                   "say --dynamic-shared BYTES");
    std::string text = text_of(CONTENT_FOLDER "/" + kReal + "triton_add.ptx");
    fs::path cut = folder_ / "cut.ptx";
    std::ofstream(cut) << text.substr(0, 2000);
    expect_refused("trace " + cut.string() + " --grid 5", "cut.ptx is cut off");
}
