// The command line of lanewise-engine.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "../needs.h"
#include "outcome.h"

namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

class EngineTest : public testing::Test {
  protected:
    EngineTest()
        : folder_(fs::temp_directory_path() / ("lanewise-engine-" + std::to_string(::getpid()))) {
        fs::create_directories(folder_);
    }
    ~EngineTest() override { fs::remove_all(folder_); }

    std::string read(const std::string& name) {
        std::ifstream file(folder_ / name);
        std::ostringstream text;
        text << file.rdbuf();
        return text.str();
    }
    std::string write(const std::string& name, const std::string& text) {
        std::ofstream(folder_ / name) << text;
        return (folder_ / name).string();
    }
    // `environment`: assignments before the command, as a shell takes them.
    Outcome engine(const std::string& arguments, const std::string& environment = "") {
        std::string out = (folder_ / "out").string(), err = (folder_ / "err").string();
        std::string command = environment + " " PROGRAMS "/lanewise-engine " + arguments + " >'" +
                              out + "' 2>'" + err + "' </dev/null";
        int status = std::system(command.c_str());
        return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, read("out"), read("err")};
    }
    // One clear line on stderr that holds `part`, nothing on stdout, and the status.
    void expect_refused(const std::string& arguments, const std::string& part, int status = 2,
                        const std::string& environment = "") {
        Outcome outcome = engine(arguments, environment);
        EXPECT_EQ(status, outcome.status) << arguments << ": " << outcome.err;
        EXPECT_EQ("", outcome.out) << arguments;
        EXPECT_EQ(0u, outcome.err.find("lanewise-engine: ")) << outcome.err;
        EXPECT_NE(std::string::npos, outcome.err.find(part)) << arguments << ": " << outcome.err;
    }
    bool has(const std::string& name) {
        Outcome outcome = engine("doctor --json");
        for (const Json& check : Json::parse(outcome.out))
            if (check["name"] == name) return check["ok"];
        return false;
    }
    bool have_compiler() { return has("CUDA compiler"); }

    fs::path folder_;
};

const std::string kStage = "trace transpose/30_padded ";

TEST_F(EngineTest, DoctorNamesTheLibrariesOfTheRungs) {
    std::string out = engine("doctor").out;
    for (const char* name : {" cuBLAS ", " cuSPARSE ", " CUTLASS "})
        EXPECT_NE(std::string::npos, out.find(name)) << name;
}

// The start of an exercise does not pass; a rung passes with the settings that its task asks for.
TEST_F(EngineTest, GradesAFile) {
    const std::string padded = CONTENT_FOLDER "/kernels/transpose/30_padded.cu ";
    Outcome start =
        engine("grade 103_wrong_stride " CONTENT_FOLDER "/kernels/pitfalls/103_wrong_stride.cu");
    EXPECT_EQ(1, start.status) << start.err;
    EXPECT_NE(std::string::npos, start.out.find("not yet")) << start.out;
    EXPECT_NE(std::string::npos, start.out.find("Right at 256 x 256, wrong at 128 x 384"));
    Outcome passed = engine("grade 30_padded " + padded + "--set TILE=16 --set PAD=2");
    EXPECT_EQ(0, passed.status) << passed.err;
    EXPECT_NE(std::string::npos, passed.out.find("passed")) << passed.out;
    Json json = Json::parse(engine("grade 30_padded " + padded + "--json").out);
    EXPECT_EQ("transpose/30_padded", json["stage"]);
    EXPECT_EQ(false, json["passed"]);
    EXPECT_EQ("count", json["why"]);
    EXPECT_EQ(256, json["case"]["rows"]);
    EXPECT_NE("", json["catches"]);
}

TEST_F(EngineTest, GradeRefusesWhatItCannotJudge) {
    std::string padded = CONTENT_FOLDER "/kernels/transpose/30_padded.cu ";
    expect_refused("grade 30_paded " + padded, "did you mean");
    expect_refused("grade 30_padded nowhere.cu", "nowhere.cu");
    expect_refused("grade 30_padded " + write("mine.txt", "x"), "give a .cu file");
    expect_refused("grade 30_padded " + write("mine.cu", "int x;"),
                   "begin with a copy of the stage");
    expect_refused("grade 30_padded " + padded + "--set PAD", "--set wants NAME=VALUE");
    expect_refused("grade 30_padded " + padded + "--set PAD=77", "PAD");
    expect_refused("grade 30_padded " + padded + "--type f99", "f99");
}

TEST_F(EngineTest, WritesSlidesAndAGuide) {
    const std::string out = (folder_ / "slides").string();
    Outcome outcome = engine("slides 30_padded --guide --out " + out);
    ASSERT_EQ(0, outcome.status) << outcome.err;
    EXPECT_EQ(out + "/transpose-30_padded-slides.html\n" + out + "/transpose-30_padded-guide.html\n",
              outcome.out);
    EXPECT_TRUE(std::filesystem::exists(out + "/transpose-30_padded-slides.html"));
    expect_refused("slides 30_paded --out " + out, "did you mean");
    expect_refused("slides 30_padded --theme pink --out " + out, "pink");
    const std::string path = std::getenv("PATH");
    ::setenv("PATH", folder_.c_str(), 1);
    expect_refused("slides 30_padded --pdf --out " + out, "--pdf needs Chromium or Chrome");
    ::setenv("PATH", path.c_str(), 1);
}

// Each source is judged in a process of its own: one that passes, one that fails, one that would
// read this machine, and one that was cut.
TEST_F(EngineTest, GradesAClass) {
    const std::string assignment = write("week.assignment",
                                         "title = \"Week 2\"\n[[task]]\nstage = "
                                         "\"103_wrong_stride\"\npoints = 10\n");
    std::ifstream start(CONTENT_FOLDER "/kernels/pitfalls/103_wrong_stride.cu");
    const std::string source{std::istreambuf_iterator<char>(start), {}};
    std::filesystem::create_directories(folder_ / "class");
    write("class/ana.cu", source);
    write("class/cut.lanewise", "{");
    write("class/spy.cu", source + "#include \"/etc/passwd\"\n");
    const std::string command =
        "grade " + (folder_ / "class").string() + " --unsandboxed --assignment " + assignment;
    Outcome outcome = engine(command + " --json --csv " + (folder_ / "marks.csv").string() +
                             " --pages " + (folder_ / "pages").string());
    ASSERT_EQ(0, outcome.status) << outcome.err;
    const Json json = Json::parse(outcome.out);
    ASSERT_EQ(3u, json["students"].size());
    const auto sentence = [&](size_t i) {
        return json["students"][i]["tasks"][0]["sentence"].get<std::string>();
    };
    EXPECT_EQ("ana", json["students"][0]["student"]);
    EXPECT_EQ(0, json["students"][0]["points"]);
    EXPECT_NE(std::string::npos, sentence(0).find("wrong at 128 x 384")) << sentence(0);
    EXPECT_NE(std::string::npos, sentence(1).find("was cut")) << sentence(1);
    EXPECT_NE(std::string::npos, sentence(2).find("only headers by their names")) << sentence(2);
    EXPECT_TRUE(std::filesystem::exists(folder_ / "marks.csv"));
    std::ifstream page(folder_ / "pages" / "ana.html");
    const std::string html{std::istreambuf_iterator<char>(page), {}};
    EXPECT_NE(std::string::npos, html.find("<svg")) << "the page has no picture";
    expect_refused("grade " + (folder_ / "nowhere").string() + " --assignment " + assignment,
                   "no folder of hand-ins");
    expect_refused("grade 30_padded", "a stage and a file");
}

TEST_F(EngineTest, AnAssignmentIsBegunAndChecked) {
    const std::string file = (folder_ / "new.assignment").string();
    EXPECT_EQ(0, engine("assignment new " + file + " 103_wrong_stride").status);
    expect_refused("assignment new " + file + " 103_wrong_stride", "is there already");
    Outcome outcome = engine("assignment check " + file);
    if (!have_compiler()) return;
    EXPECT_EQ(0, outcome.status) << outcome.out << outcome.err;
    EXPECT_NE(std::string::npos, outcome.out.find("the lesson's solution: 10 points"))
        << outcome.out;
    EXPECT_EQ(std::string::npos, outcome.out.find("NOTE")) << outcome.out;
}

TEST_F(EngineTest, TasksOfOneStageThatBeginDifferentlyAreTold) {
    const std::string file = (folder_ / "two.assignment").string();
    std::ofstream(file) << "title = \"Two\"\n[[task]]\nstage = \"30_padded\"\npoints = 1\n"
                           "[[task]]\nstage = \"30_padded\"\nwrite = \"line\"\npoints = 1\n";
    Outcome outcome = engine("assignment check " + file);
    EXPECT_NE(std::string::npos,
              outcome.out.find("NOTE: tasks 1 and 2 are both of transpose/30_padded"))
        << outcome.out << outcome.err;
}

TEST_F(EngineTest, GlossaryExplainsAWordByAnyOfItsForms) {
    Outcome one = engine("glossary 'Bank conflicts'");
    EXPECT_EQ(0, one.status) << one.err;
    EXPECT_TRUE(one.out.starts_with("bank conflict\n  A bank conflict is ")) << one.out;
    Json json = Json::parse(engine("glossary DRAM --json").out);
    EXPECT_EQ("DRAM", json["term"]);
    EXPECT_TRUE(json["measured"].get<std::string>().starts_with("Measured on the NVIDIA H200: "));
    EXPECT_GE(Json::parse(engine("glossary --json").out).size(), 60u);
    expect_refused("glossary warpp", "did you mean \"warp\"?");
}

TEST_F(EngineTest, StagesAreListed) {
    Outcome outcome = engine("stages --json");
    ASSERT_EQ(0, outcome.status) << outcome.err;
    Json stages = Json::parse(outcome.out);
    ASSERT_GE(stages.size(), 7u);
    EXPECT_EQ("zero/01_cpu_and_gpu", stages[0]["id"]);
    for (const Json& stage : stages) {
        for (const char* field : {"id", "title", "knobs", "types", "error"})
            EXPECT_TRUE(stage.contains(field)) << field;
        EXPECT_TRUE(stage["error"].is_null()) << stage["id"];
    }
    EXPECT_NE(std::string::npos, engine("stages").out.find("transpose/30_padded"));
}

TEST_F(EngineTest, TraceJsonHasTheDocumentedShape) {
    LANEWISE_NEEDS(have_compiler(), "there is no NVRTC here");
    Outcome outcome = engine(kStage + "--rows 4096 --cols 4096 --json");
    ASSERT_EQ(0, outcome.status) << outcome.err;
    Json trace = Json::parse(outcome.out);
    for (const char* field : {"stage", "rows", "cols", "params", "correct", "totals", "lines",
                              "findings", "occupancy", "prediction"})
        EXPECT_TRUE(trace.contains(field)) << field;
    EXPECT_EQ(true, trace["correct"]);
    EXPECT_EQ(524288, trace["totals"]["global_load"]["requests"]);
    EXPECT_EQ(2097152, trace["totals"]["global_store"]["sectors"]);
    EXPECT_EQ(524288, trace["totals"]["shared_load"]["wavefronts"]);
    EXPECT_EQ(Json({{"TILE", 32}, {"ROWS", 8}, {"PAD", 1}, {"type", "f32"}}), trace["params"]);
    uint64_t sectors = 0;
    for (const Json& line : trace["lines"])
        sectors += line["global_load"]["sectors"].get<uint64_t>();
    EXPECT_EQ(2097152u, sectors);
}

// 256 threads are 8 of 48 warps on an sm_86, and 4,224 + 1,024 bytes of its 100 KiB: 6 blocks, and
// 30.75 KiB fit 32; an sm_75 has 32 warps, so 4 blocks, and reserves nothing.
TEST_F(EngineTest, OccupancyIsTheArchitectures) {
    LANEWISE_NEEDS(have_compiler(), "there is no NVRTC here");
    Outcome outcome = engine("occupancy transpose/30_padded --arch sm_86 --json");
    ASSERT_EQ(0, outcome.status) << outcome.err;
    Json row = Json::parse(outcome.out).at(0);
    EXPECT_EQ(6, row["occupancy"]["blocks_per_sm"]);
    EXPECT_EQ(32 * 1024, row["carveout_bytes"]);
    outcome = engine("occupancy transpose/30_padded --arch sm_75");
    EXPECT_NE(std::string::npos, outcome.out.find("100.0   threads")) << outcome.out;
    expect_refused("occupancy transpose/30_padded --arch sm_35", "sm_35");
}

// A column of a tile 32 words wide: 32 lanes, one bank, 32 wavefronts; with PAD = 1 a bank each.
TEST_F(EngineTest, PictureDrawsStillAndMoving) {
    const std::string stage = "picture transpose/30_padded --rows 64 --cols 64 --set PAD=0 ";
    const std::string file = (folder_ / "banks.svg").string();
    Outcome still = engine(stage + "--out " + file);
    EXPECT_EQ(0, still.status) << still.err;
    EXPECT_NE(std::string::npos, still.out.find("32 wavefronts, ideal 1")) << still.out;
    EXPECT_NE(std::string::npos, read("banks.svg").find("32-way conflict"));
    EXPECT_EQ(std::string::npos, read("banks.svg").find("animation"));
    Outcome moving = engine(stage + "--to PAD=1 --theme dark --out " + file);
    EXPECT_EQ(0, moving.status) << moving.err;
    EXPECT_NE(std::string::npos, moving.out.find("with PAD = 1: 1 wavefront, ideal 1"));
    for (const char* words : {"32-way conflict", "Conflict-free", "@keyframes go"})
        EXPECT_NE(std::string::npos, read("banks.svg").find(words)) << words;
    Outcome warp = engine("picture 10_naive --rows 64 --cols 64 --store --out " + file);
    EXPECT_EQ(0, warp.status) << warp.err;
    EXPECT_NE(std::string::npos, warp.out.find("32 sectors, ideal 4")) << warp.out;
    expect_refused("picture 10_naive --view banks --out " + file, "no load from shared memory");
    expect_refused(stage + "--to PAD=99 --out " + file, "PAD = 99 is not offered");
    expect_refused(stage + "--to PAD --out " + file, "write NAME=VALUE");
    expect_refused(stage + "--out banks.png", "must end in .svg");
    expect_refused(stage + "--view warps --out " + file, "there are warp and banks");
}

// Neither needs a GPU.
TEST_F(EngineTest, TheModelStandsBesideWhatWasRecorded) {
    LANEWISE_NEEDS(have_compiler(), "there is no NVRTC here");
    Outcome outcome = engine("bench transpose/30_padded --predict --sizes 8192x8192,32x32",
                             "LANEWISE_CARD='NVIDIA H200'");
    ASSERT_EQ(0, outcome.status) << outcome.err;
    EXPECT_NE(std::string::npos, outcome.out.find("limited by"));
    EXPECT_NE(std::string::npos, outcome.out.find("8192 x 8192 f32")) << outcome.out;
    EXPECT_NE(std::string::npos, outcome.out.find("32 x 32 f32")) << outcome.out;
    EXPECT_NE(std::string::npos, outcome.out.find("Beyond the cache: mean error")) << outcome.out;
}

// Of a card that is not in this machine.
TEST_F(EngineTest, TheModelledCardMayBeNamed) {
    LANEWISE_NEEDS(have_compiler(), "there is no NVRTC here");
    const std::string command = "bench transpose/30_padded --predict --sizes 2048x2048";
    Outcome outcome = engine(command, "LANEWISE_CARD='NVIDIA GeForce RTX 2080 Ti'");
    ASSERT_EQ(0, outcome.status) << outcome.err;
    EXPECT_NE(std::string::npos, outcome.out.find("by the bandwidth model for NVIDIA GeForce RTX 2080 Ti"))
        << outcome.out;
    // Nothing was compared with that card, so that there is no range.
    Outcome why = engine("why 30_padded --rows 256 --cols 256", "LANEWISE_CARD='NVIDIA GeForce RTX 2080 Ti'");
    EXPECT_NE(std::string::npos, why.out.find(" us on NVIDIA GeForce RTX 2080 Ti; limited by")) << why.out;
    Outcome unknown = engine(command, "LANEWISE_CARD=2080");
    EXPECT_EQ(2, unknown.status);
    for (const char* part : {"LANEWISE_CARD is \"2080\"", "NVIDIA GeForce RTX 2080 Ti", "NVIDIA H200"})
        EXPECT_NE(std::string::npos, unknown.err.find(part)) << unknown.err;
}

TEST_F(EngineTest, ConstantsAreFittedAnywhere) {
    Outcome outcome =
        engine("calibrate --fit '" CONTENT_FOLDER "/assets/devices/nvidia-h200-calibration.csv'");
    ASSERT_EQ(0, outcome.status) << outcome.err;
    EXPECT_NE(std::string::npos, outcome.out.find("dram_latency_clocks"));
    EXPECT_NE(std::string::npos, outcome.out.find("L2 writes"));
    expect_refused("calibrate --fit '" + write("cut.csv", "name;us\nwalk\n") + "'",
                   "cut.csv:2: 1 cells");
    expect_refused("calibrate --fit nowhere.csv", "nowhere.csv");
}

TEST_F(EngineTest, SettingsReachTheKernel) {
    LANEWISE_NEEDS(have_compiler(), "there is no NVRTC here");
    Outcome outcome =
        engine(kStage + "--rows 33 --cols 65 --set PAD=0 --set TILE=16 --type f64 --json");
    ASSERT_EQ(0, outcome.status) << outcome.err;
    Json trace = Json::parse(outcome.out);
    EXPECT_EQ(Json({{"TILE", 16}, {"ROWS", 8}, {"PAD", 0}, {"type", "f64"}}), trace["params"]);
    EXPECT_EQ(33 * 65 * 8, trace["totals"]["global_load"]["bytes"]);
}

TEST_F(EngineTest, TraceForPeopleQuotesTheSource) {
    LANEWISE_NEEDS(have_compiler(), "there is no NVRTC here");
    Outcome outcome = engine(kStage + "--rows 64 --cols 64 --set PAD=0");
    EXPECT_EQ(0, outcome.status) << outcome.err;
    EXPECT_NE(std::string::npos, outcome.out.find("tile[threadIdx.x][threadIdx.y + j];"));
    EXPECT_NE(std::string::npos, outcome.out.find("32.0 x the ideal"));
    EXPECT_NE(std::string::npos, outcome.out.find("Correct: all 4,096 elements are right."));
}

TEST_F(EngineTest, AFileWithAHeadIsAStage) {
    LANEWISE_NEEDS(have_compiler(), "there is no NVRTC here");
    std::string file = write("mine.cu", R"cu(/*---
title = "Mine"
types = ["f32"]
block = ["32"]
grid = ["ceil_div(cols, 32)", "rows"]
---*/
template <typename T = float>
__global__ void mine(const T* in, T* out, int rows, int cols) {
        int col = blockIdx.x * 32 + threadIdx.x, row = blockIdx.y;
        if (col < cols - 1) out[size_t(col) * rows + row] = in[size_t(row) * cols + col];
}
)cu");
    Outcome outcome = engine("trace " + file + " --rows 2 --cols 40 --json");
    EXPECT_EQ(1, outcome.status) << outcome.err;  // the last column is never moved
    Json trace = Json::parse(outcome.out);
    EXPECT_EQ(false, trace["correct"]);
    EXPECT_EQ(2, trace["mismatch"]["count"]);
    EXPECT_EQ(39, trace["mismatch"]["row"]);
    EXPECT_NE(std::string::npos,
              engine("trace " + file + " --rows 2 --cols 40").out.find("Wrong: 2 of 80 elements"));
}

TEST_F(EngineTest, FindingsHaveAPlaceAndAStatus) {
    LANEWISE_NEEDS(have_compiler(), "there is no NVRTC here");
    std::string file = write("past.cu", R"cu(/*---
title = "Past the end"
types = ["f32"]
block = ["32"]
grid = ["ceil_div(cols, 32)", "rows"]
---*/
template <typename T = float>
__global__ void past(const T* in, T* out, int rows, int cols) {
        int col = blockIdx.x * 32 + threadIdx.x, row = blockIdx.y;
        out[size_t(col) * rows + row] = in[size_t(row) * cols + min(col, cols - 1)];
}
)cu");
    Outcome outcome = engine("trace " + file + " --rows 1 --cols 33 --json");
    EXPECT_EQ(1, outcome.status) << outcome.err;
    Json findings = Json::parse(outcome.out)["findings"];
    ASSERT_EQ(1u, findings.size());
    EXPECT_EQ("out_of_bounds", findings[0]["kind"]);
    EXPECT_EQ("global", findings[0]["space"]);
    EXPECT_EQ(10, findings[0]["line"]);
    EXPECT_EQ(31, findings[0]["count"]);  // columns 33 to 63
    outcome = engine("trace " + file + " --rows 1 --cols 33");
    EXPECT_NE(std::string::npos, outcome.out.find("past.cu:10:")) << outcome.out;
}

TEST_F(EngineTest, ExpectationsDecideTheStatus) {
    LANEWISE_NEEDS(have_compiler(), "there is no NVRTC here");
    std::string check = "check 30_padded --rows 64 --cols 64 ";
    std::string free = "--expect 'shared_load.wavefronts == shared_load.wavefronts_ideal' ";
    EXPECT_EQ(0, engine(check + free).status);
    EXPECT_EQ(1, engine(check + free + "--set PAD=0").status);
    EXPECT_EQ(1, engine(check + free + "--expect 'global_load.sectors < 10'").status);
    EXPECT_EQ(0, engine(check + "--expect 'correct && findings == 0 && TILE == 32'").status);
    EXPECT_EQ(0, engine(check).status);
    Json json = Json::parse(engine(check + free + "--set PAD=0 --json").out);
    EXPECT_EQ(false, json["expectations"][0]["holds"]);
    expect_refused(check + "--expect 'shared_laod.wavefronts > 0'", "shared_laod.wavefronts");
    expect_refused(check + "--expect '1 +'", "1 +");
}

TEST_F(EngineTest, UnknownThingsAreNamedWithWhatWasMeant) {
    expect_refused("trace transpose/30_paded", "30_padded");
    expect_refused("trace nonsense", "nonsense");
    expect_refused(kStage + "--set TIEL=32", "TILE");
    expect_refused(kStage + "--set PAD=7", "0, 1, 2, 3");
    expect_refused(kStage + "--set PAD", "NAME=VALUE");
    expect_refused(kStage + "--set PAD=one", "NAME=VALUE");
    expect_refused(kStage + "--set =1", "NAME=VALUE");
    expect_refused(kStage + "--type f33", "f32, f64, f16, u8");
    expect_refused(kStage + "--arch sm_9999", "sm_9999");
    expect_refused("trace /nowhere/kernel.cu", "/nowhere/kernel.cu");
    expect_refused("tarce", "did you mean \"trace\"?");
    expect_refused("", "--help");
    expect_refused(kStage + "--frobnicate", "--frobnicate");
}

TEST_F(EngineTest, ImpossibleShapesAreRefused) {
    for (const char* rows : {"0", "-1", "65537", "4294967297"})
        expect_refused(kStage + "--rows " + rows, rows);
    for (const std::string rows : {"99999999999999999999", "many", "1.5"})
        expect_refused(kStage + "--rows " + rows, "not \"" + rows + "\"");
    expect_refused(kStage + "--cols 0", "cols is 0");
    expect_refused(kStage + "--batch 2", "one matrix at a time");
    expect_refused("bench 30_padded --sizes 4096", "ROWSxCOLS");
    expect_refused("bench 30_padded --sizes 0x4096", "rows is 0");
    expect_refused("bench 30_paded", "30_padded");
    expect_refused("report --rows 0", "rows is 0");
}

TEST_F(EngineTest, ImpossibleProductsAreRefused) {
    const std::string naive = "trace matmul/10_naive_product ";
    for (const char* inner : {"-1", "65537", "4294967297"})
        expect_refused(naive + "--inner " + inner, inner);
    expect_refused(naive + "--inner 99999999999999999999", "whole number");
    expect_refused(naive + "--input zeros:101", "zeros:90");
    expect_refused(naive + "--blocks 0", "--blocks wants a number of blocks, or all, not \"0\"");
    expect_refused(naive + "--blocks some", "not \"some\"");
    expect_refused("check transpose/30_padded --blocks 4", "only a product is interpreted in part");
    if (have_compiler())
        expect_refused("check matmul/10_naive_product --blocks 4 --expect correct",
                       "some blocks do not tell whether all is correct");
    expect_refused("trace matmul/96_cusparse_product --set ZEROS=100", "50, 75, 90, 95 or 99");
    expect_refused("trace matmul/90_cublas_product", "library's call");
    expect_refused("bench matmul/10_naive_product --sizes 0x4x4", "rows is 0");
}

// One sentence each, and the rest of the answer all the same.
TEST_F(EngineTest, WhatIsStrangeAboutAProductIsSaid) {
    LANEWISE_NEEDS(have_compiler(), "there is no NVRTC here");
    const std::string sides = " --rows 32 --cols 32 --inner ";
    auto says = [&](const std::string& arguments, const std::string& sentence, int status = 0) {
        Outcome outcome = engine("trace " + arguments);
        EXPECT_EQ(status, outcome.status) << arguments << ": " << outcome.err;
        EXPECT_NE(std::string::npos, outcome.out.find(sentence)) << arguments << outcome.out;
        EXPECT_NE(std::string::npos, outcome.out.find("global store")) << arguments;
        return outcome.out;
    };
    says("matmul/20_shared_tiles" + sides + "0", "K is 0, so that nothing is multiplied");
    says("matmul/20_shared_tiles --input zeros:100" + sides + "32", "nothing but zeros");
    says("matmul/20_shared_tiles --input zeros:0" + sides + "32", "A holds no zeros");
    says("pitfalls/123_half_sums --input special" + sides + "32", "a half ends at 65,504", 1);
    std::string out = says("matmul/20_shared_tiles" + sides + "32", "Launch-bound");
    EXPECT_EQ(std::string::npos, out.find("GFLOP/s")) << out;
}

TEST_F(EngineTest, MalformedStagesAreNamedAndStopNothingElse) {
    std::string headless = write("headless.cu", "__global__ void f() {}\n");
    expect_refused("trace " + headless, "headless.cu");
    std::string torn = write("torn.cu", "/*---\ntitle = \"x\n---*/\n__global__ void f() {}\n");
    expect_refused("trace " + torn, "torn.cu");

    fs::create_directories(folder_ / "content/kernels/transpose");
    fs::copy(CONTENT_FOLDER "/kernels/transpose/30_padded.cu",
             folder_ / "content/kernels/transpose");
    write("content/kernels/transpose/99_broken.cu", "nothing\n");
    std::string home = "LANEWISE_HOME=" + (folder_ / "content").string();
    Outcome outcome = engine("stages --json", home);
    EXPECT_EQ(0, outcome.status) << outcome.err;
    Json stages = Json::parse(outcome.out);
    ASSERT_EQ(2u, stages.size());
    EXPECT_TRUE(stages[0]["error"].is_null());
    EXPECT_TRUE(stages[1]["error"].is_string());
    expect_refused("trace 99_broken", "99_broken.cu", 2, home);
    expect_refused("stages", "LANEWISE_HOME", 2, "LANEWISE_HOME=/nowhere");
}

TEST_F(EngineTest, SourceThatDoesNotCompileShowsTheSpot) {
    LANEWISE_NEEDS(have_compiler(), "there is no NVRTC here");
    std::string file = write("typo.cu", R"cu(/*---
title = "Typo"
types = ["f32"]
block = ["32"]
grid = ["1"]
---*/
template <typename T = float>
__global__ void typo(const T* in, T* out, int rows, int cols) {
    out[0] = inn[0];
}
)cu");
    expect_refused("trace " + file, "typo.cu:9", 3);
    Outcome outcome = engine("trace " + file);
    EXPECT_NE(std::string::npos, outcome.err.find("out[0] = inn[0];")) << outcome.err;
    EXPECT_NE(std::string::npos, outcome.err.find("^")) << outcome.err;
}

TEST_F(EngineTest, WithoutAToolkitTheMessageSaysHowToGetIt) {
    std::string none =
        "LANEWISE_NO_NVRTC=1 LANEWISE_NO_CLANG=1 XDG_CACHE_HOME=" + (folder_ / "cache").string();
    expect_refused(kStage + "--compiler nvrtc", "CUDA", 2, none);
    expect_refused(kStage + "--compiler clang", "clang-19", 2, none);
    std::string own = write("own.cu", "__global__ void k(float* out) { *out = 1; }\n");
    std::string launch = "trace " + own + " --kernel k --grid 1 --block 1 --arg 'f32[1]'";
    expect_refused(launch, "clang-19", 2, none);
    expect_refused(launch + " --compiler shipped", "no such program is shipped", 2, none);
    Outcome doctor = engine("doctor", none);
    EXPECT_EQ(0, doctor.status);
    EXPECT_NE(std::string::npos, doctor.out.find("missing  CUDA compiler"));
    EXPECT_NE(std::string::npos, doctor.out.find("missing  clang"));
}

TEST_F(EngineTest, EveryCommandThatCompilesLetsTheCompilerBeChosen) {
    for (const char* command : {"trace", "check", "run", "bench", "probe", "calibrate", "occupancy",
                                "report", "lesson", "serve"})
        EXPECT_NE(std::string::npos,
                  engine(std::string(command) + " --help").out.find("--compiler"))
            << command;
    expect_refused(kStage + "--compiler gcc",
                   "--compiler wants nvrtc, shipped, clang or nvcc, not");
    expect_refused(kStage, "LANEWISE_COMPILER wants nvrtc", 2, "LANEWISE_COMPILER=gcc");
}

TEST_F(EngineTest, WhoCompiledIsSaid) {
    LANEWISE_NEEDS(have_compiler(), "there is no NVRTC here");
    std::string small = kStage + "--rows 64 --cols 64 --compiler nvrtc ";
    EXPECT_EQ(0u, Json::parse(engine(small + "--json").out)["compiler"].get<std::string>().find(
                      "NVRTC "));
    EXPECT_NE(std::string::npos, engine(small).out.find("Compiled by NVRTC "));
}

// clang stops at PTX: what only ptxas knows is not made up.
TEST_F(EngineTest, WithoutMachineCodeRegistersAreNotKnown) {
    if (!has("clang")) GTEST_SKIP() << "no clang here";
    std::string small = "transpose/30_padded --rows 64 --cols 64 --compiler clang ";
    Json json = Json::parse(engine("trace " + small + "--json").out);
    EXPECT_EQ(0u, json["compiler"].get<std::string>().find("clang "));
    EXPECT_TRUE(json["occupancy"]["registers_per_thread"].is_null());
    EXPECT_TRUE(json["occupancy"]["blocks_per_sm"].is_null());
    EXPECT_NE(std::string::npos,
              engine("trace " + small).out.find("registers not known without ptxas"));
    EXPECT_EQ(0, engine("check " + small + "--expect 'shared_bytes == 4224'").status);
    for (const char* unknown : {"registers", "local_bytes", "blocks_per_sm", "occupancy_percent"})
        expect_refused("check " + small + "--expect '" + unknown + " < 256'",
                       std::string(unknown) + " is not known without ptxas");
    EXPECT_NE(std::string::npos, engine("occupancy " + small + "--arch sm_90")
                                     .out.find("registers are not known without ptxas"));
}

TEST_F(EngineTest, AWrittenOffCacheCostsOnlyTime) {
    LANEWISE_NEEDS(have_compiler(), "there is no NVRTC here");
    std::string cache = "XDG_CACHE_HOME=" + (folder_ / "cache").string();
    std::string small = kStage + "--rows 64 --cols 64 --compiler nvrtc";  // not as it is shipped
    EXPECT_EQ(0, engine(small, cache).status);
    for (auto& entry : fs::recursive_directory_iterator(folder_ / "cache"))
        if (entry.is_regular_file()) fs::resize_file(entry.path(), entry.file_size() / 2);
    Outcome outcome = engine(small, cache);
    EXPECT_EQ(0, outcome.status) << outcome.err;
    EXPECT_EQ(0, engine(small, "XDG_CACHE_HOME=/proc/nowhere").status);
}

TEST_F(EngineTest, WithoutAGpuMeasuringSaysSo) {
    Json checks = Json::parse(engine("doctor --json").out);
    if (checks[0]["ok"]) GTEST_SKIP() << "this machine has a GPU";
    EXPECT_EQ("GPU", checks[0]["name"]);
    expect_refused("run transpose/30_padded", "", 4);
    expect_refused("bench", "", 4);
}

TEST_F(EngineTest, RulesCompareATable) {
    Outcome outcome = engine("rules " TESTS_FOLDER "/trace/h200-access-rules.csv");
    EXPECT_EQ(0, outcome.status) << outcome.err;
    EXPECT_EQ("384 cases, 0 mismatches\n", outcome.out);

    std::ifstream table(TESTS_FOLDER "/trace/h200-access-rules.csv");
    std::string header, row;
    std::getline(table, header);
    std::getline(table, row);  // ld.shared, 4 bytes, contiguous: one wavefront
    row.replace(row.find(",,,1,0,"), 7, ",,,2,0,");
    outcome = engine("rules " + write("wrong.csv", header + "\n" + row + "\n"));
    EXPECT_EQ(1, outcome.status);
    EXPECT_NE(std::string::npos, outcome.out.find("1 cases, 1 mismatches")) << outcome.out;
    expect_refused("rules /nowhere.csv", "/nowhere.csv");
    expect_refused("rules " + write("text.csv", "hello\n"), "not an access table");
    expect_refused("rules " + write("torn.csv", header + "\n" + row.substr(0, 30)), "torn.csv:2");
}

TEST_F(EngineTest, DoctorExplains) {
    Outcome outcome = engine("doctor");
    EXPECT_EQ(0, outcome.status);
    for (const char* name :
         {"GPU", "CUDA compiler", "Stages", "Cache", "Recordings", "Font Inter", "EGL"})
        EXPECT_NE(std::string::npos, outcome.out.find(name)) << name;
}

TEST_F(EngineTest, ShippedProgramsServeAMachineWithoutAToolkit) {
    Outcome outcome = engine("prebuild 30_padded --out " + folder_.string(), "LANEWISE_NO_NVRTC=1");
    EXPECT_EQ(2, outcome.status);
    EXPECT_NE(std::string::npos, outcome.err.find("is compiled by NVRTC, which is not here"));
    EXPECT_EQ(2, engine("prebuild").status);
    LANEWISE_NEEDS(have_compiler(), "there is no NVRTC here");
    // The installed layout: share/lanewise holds the content, with nothing shipped yet.
    fs::path home = folder_ / "home";
    fs::create_directories(home);
    for (const char* part : {"kernels", "lessons", "assets"})
        fs::copy(fs::path(CONTENT_FOLDER) / part, home / part, fs::copy_options::recursive);
    fs::remove_all(home / "assets/programs");
    std::string there = " LANEWISE_HOME=" + home.string();
    ASSERT_EQ(0, engine("prebuild 20_tiled", there).status);
    const std::string name = "home/assets/programs/transpose/20_tiled.programs";
    std::string file = read(name);
    ASSERT_EQ(0, engine("prebuild 20_tiled", there).status);
    EXPECT_EQ(file, read(name));
    std::string bare =
        "LANEWISE_NO_NVRTC=1 LANEWISE_NO_CLANG=1 XDG_CACHE_HOME=" + (folder_ / "none").string() +
        there;
    outcome = engine("trace 20_tiled --rows 64 --cols 64 --json", bare);
    EXPECT_EQ(0, outcome.status) << outcome.err;
    EXPECT_NE(std::string::npos, outcome.out.find(", shipped")) << outcome.out;
    outcome = engine("trace 30_padded --rows 64 --cols 64 --json", bare);
    EXPECT_EQ(2, outcome.status);
    // One that is cut is said to be, and costs nothing but itself.
    fs::resize_file(folder_ / name, 1000);
    outcome = engine("trace 20_tiled --rows 64 --cols 64 --json", bare);
    EXPECT_EQ(2, outcome.status);
    EXPECT_NE(std::string::npos, outcome.err.find("is cut or damaged")) << outcome.err;
    EXPECT_NE(std::string::npos, engine("doctor", bare).out.find("is cut or damaged"));
}

TEST_F(EngineTest, ServeEndsWithItsInput) {
    Outcome outcome = engine("serve");
    EXPECT_EQ(0, outcome.status) << outcome.err;
    EXPECT_NE(std::string::npos, outcome.out.find("hello"));
}

TEST_F(EngineTest, HelpAndVersionAreFine) {
    Outcome outcome = engine("--help");
    EXPECT_EQ(0, outcome.status);
    EXPECT_NE(std::string::npos, outcome.out.find("Exit status"));
    EXPECT_EQ(0, engine("trace --help").status);
    EXPECT_NE(std::string::npos, engine("--version").out.find("lanewise-engine 0."));
}

}  // namespace
