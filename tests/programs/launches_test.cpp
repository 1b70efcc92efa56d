// The command line on what surrounds a kernel: the values of its module's variables, several launches in
// one memory, .launch files, the layout of structs, nvcc where NVRTC refuses, and the export of stages.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "../needs.h"
#include "outcome.h"

namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

std::vector<double> numbers_of(const fs::path& path) {
    std::ifstream file(path);
    std::vector<double> numbers;
    for (double number; file >> number;) numbers.push_back(number);
    return numbers;
}

bool holds(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

class LaunchesProgram : public testing::Test {
  protected:
    LaunchesProgram()
        : folder_(fs::temp_directory_path() / ("lanewise-launches-" + std::to_string(::getpid()))) {
        fs::create_directories(folder_);
    }
    ~LaunchesProgram() override { fs::remove_all(folder_); }
    void SetUp() override {
        Json checks = Json::parse(engine("doctor --json").out);
        for (const Json& check : checks)
            if (check["name"] == "CUDA compiler")
                LANEWISE_NEEDS(check["ok"].get<bool>(), "there is no NVRTC here");
    }
    Outcome shell(const std::string& script) {
        std::ofstream(folder_ / "script") << "cd '" CONTENT_FOLDER "'\n" << script << "\n";
        std::string command = "sh '" + (folder_ / "script").string() + "' >'" +
                              (folder_ / "out").string() + "' 2>'" + (folder_ / "err").string() +
                              "' </dev/null";
        int status = std::system(command.c_str());
        return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, text_of(folder_ / "out"),
                text_of(folder_ / "err")};
    }
    Outcome engine(const std::string& arguments) {
        return shell(PROGRAMS "/lanewise-engine " + arguments);
    }
    std::string written(const std::string& name, const std::string& text) {
        std::ofstream(folder_ / name) << text;
        return (folder_ / name).string();
    }

    fs::path folder_;
};

const std::string kFixtures = "tests/programs/fixtures/";
const std::string kBlur = "trace " + kFixtures +
                          "blur.cu --kernel blur --grid 8 --block 128 --arg 'f32[1000]=1' "
                          "--arg 'f32[1000]=0' --arg i32:1000 ";

}  // namespace

// ---- variables of the module

TEST_F(LaunchesProgram, AFilterThatNobodySetIsTold) {
    Outcome outcome = engine(kBlur + "--save out=" + (folder_ / "out.txt").string());
    EXPECT_EQ(0, outcome.status) << outcome.err;
    EXPECT_TRUE(
        holds(outcome.out, "filter, a __constant__ variable of 20 bytes, which was never set"))
        << outcome.out;
    // The kernel itself counts there: 4 of 1,000 elements lie at the borders.
    EXPECT_FALSE(holds(outcome.out, "borders, a __device__")) << outcome.out;
    EXPECT_EQ(0, numbers_of(folder_ / "out.txt").at(500));
}

TEST_F(LaunchesProgram, AFilterHasTheValueThatIsGiven) {
    Outcome outcome = engine(kBlur +
                             "--constant 'filter=f32[5]=0+0.5' --device borders=i32:7 "
                             "--save out=" +
                             (folder_ / "out.txt").string());
    EXPECT_EQ(0, outcome.status) << outcome.err;
    EXPECT_FALSE(holds(outcome.out, "never set")) << outcome.out;
    const std::vector<double> out = numbers_of(folder_ / "out.txt");
    EXPECT_EQ(5, out.at(500));  // 0 + 0.5 + 1 + 1.5 + 2
    EXPECT_EQ(1, out.at(0));    // copied at the border
}

TEST_F(LaunchesProgram, AVariableThatDoesNotFitSaysWhatThereIs) {
    auto refused = [&](const std::string& options, const std::string& why) {
        Outcome outcome = engine(kBlur + options);
        EXPECT_EQ(2, outcome.status) << options;
        EXPECT_TRUE(holds(outcome.err, why)) << options << ": " << outcome.err;
    };
    refused(
        "--constant 'filtr=f32[5]=0.2'",
        "blur has no __constant__ or __device__ variable \"filtr\"; those that it can use are:\n"
        "    filter, a __constant__ variable of 20 bytes");
    refused("--constant 'filter=f32[6]=0.2'",
            "\"f32[6]=0.2\" has 24 bytes, and filter, a __constant__ variable of 20 bytes");
    refused("--constant filter", "\"filter\" says no value");
    refused("--constant 'filter=f33[5]'", "there is no type \"f33\"");
}

TEST_F(LaunchesProgram, APointerAmongTheVariablesGetsABuffer) {
    const std::string file =
        written("table.cu",
                "__device__ float* table;\n__constant__ struct { int n; float by; } "
                "how;\n__global__ void pick(float* out) {\n"
                "    out[threadIdx.x] = table[how.n + threadIdx.x] * how.by;\n}\n");
    Outcome outcome = engine("trace " + file +
                             " --kernel pick --grid 1 --block 4 --arg 'f32[4]=0' --device "
                             "'table=f32[64]=0+1' --constant 'how={i32:10,f32:2}' --save out=" +
                             (folder_ / "out.txt").string());
    EXPECT_EQ(0, outcome.status) << outcome.err << outcome.out;
    EXPECT_EQ((std::vector<double>{20, 22, 24, 26}), numbers_of(folder_ / "out.txt"));
}

TEST_F(LaunchesProgram, HostCodeThatSetsAVariableIsProposed) {
    Outcome outcome = engine("launches " + kFixtures + "blur.cu --json");
    ASSERT_EQ(0, outcome.status) << outcome.err;
    Json launch = Json::parse(outcome.out).at(0);
    std::string command;
    for (const std::string word : launch["command"])
        command += (command.empty() ? "" : " ") + ("'" + word + "'");
    EXPECT_TRUE(holds(command, "'--constant' 'filter=f32[5]=0.200000003'") ||
                holds(command, "'--constant' 'filter=f32[5]=0.2'"))
        << command;
    EXPECT_TRUE(launch["blanks"].empty()) << launch["blanks"].dump();
    Outcome run = shell(PROGRAMS "/" + command.substr(1, std::string("lanewise-engine").size()) +
                        command.substr(std::string("'lanewise-engine'").size()));
    EXPECT_EQ(0, run.status) << run.err;
    EXPECT_FALSE(holds(run.out, "never set")) << run.out;
}

// ---- several launches

TEST_F(LaunchesProgram, TheSecondLaunchFindsWhatTheFirstHasLeft) {
    const std::string sum = (folder_ / "sum.txt").string();
    Outcome outcome =
        engine("trace " + kFixtures +
               "two_passes.cu --kernel block_sums --grid 64 --block 256 --arg "
               "'f32[65536]=1' --arg 'f32[64]' --arg i32:65536 --then block_sums "
               "--grid 1 --block 256 --arg out --arg 'f32[1]=0' --arg i32:64 --save out=" +
               sum);
    EXPECT_EQ(0, outcome.status) << outcome.err << outcome.out;
    EXPECT_EQ((std::vector<double>{65536}), numbers_of(sum));
    EXPECT_TRUE(holds(outcome.out, "== Launch 2 of 2")) << outcome.out;
    EXPECT_TRUE(holds(outcome.out, "== All 2 launches")) << outcome.out;
}

TEST_F(LaunchesProgram, ALaunchFileCountsEachAndAll) {
    Outcome outcome = engine("trace " + kFixtures + "two_passes.launch --json --save total=" +
                             (folder_ / "sum.txt").string());
    ASSERT_EQ(0, outcome.status) << outcome.err;
    EXPECT_EQ((std::vector<double>{65536}), numbers_of(folder_ / "sum.txt"));
    Json all = Json::parse(outcome.out);
    ASSERT_EQ(2u, all["launches"].size());
    auto loads = [](const Json& json) {
        return json["totals"]["global_load"]["instructions"].get<int>();
    };
    EXPECT_EQ(65536 / 32, loads(all["launches"][0]));
    EXPECT_EQ(2, loads(all["launches"][1]));  // 64 elements
    EXPECT_EQ(65536 / 32 + 2, loads(all));
    EXPECT_EQ(0, engine("check " + kFixtures +
                        "two_passes.launch --expect 'findings == 0 && global_load.instructions == "
                        "65536 / 32 + 2'")
                     .status);
}

// Ax = b by the same steps in doubles.
static std::vector<double> steps_of_gradients(int n, int steps) {
    std::vector<double> x(n, 0), r(n, 1), p(n, 1), q(n);
    auto dot = [](const auto& a, const auto& b) {
        double sum = 0;
        for (size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
        return sum;
    };
    double rr = dot(r, r);
    for (int step = 0; step < steps; ++step) {
        for (int i = 0; i < n; ++i)
            q[i] = 2 * p[i] - (i > 0 ? p[i - 1] : 0) - (i + 1 < n ? p[i + 1] : 0);
        const double a = rr / dot(p, q);
        for (int i = 0; i < n; ++i) x[i] += a * p[i], r[i] -= a * q[i];
        const double next = dot(r, r), b = next / rr;
        for (int i = 0; i < n; ++i) p[i] = r[i] + b * p[i];
        rr = next;
    }
    return x;
}

TEST_F(LaunchesProgram, AProgramsLaunchesAreWrittenInItsOrder) {
    const std::string file = (folder_ / "cg.launch").string();
    Outcome outcome = engine("launches " + kFixtures + "cg.cu --launch-file " + file);
    ASSERT_EQ(0, outcome.status) << outcome.err;
    EXPECT_TRUE(holds(outcome.out, "21 launches in one memory\n")) << outcome.out;  // 1 + 4 * 5
    outcome = engine("trace " + file + " --json --save x=" + (folder_ / "x.txt").string());
    ASSERT_EQ(0, outcome.status) << outcome.err << outcome.out;
    EXPECT_EQ(21u, Json::parse(outcome.out)["launches"].size());
    const std::vector<double> x = numbers_of(folder_ / "x.txt");
    const std::vector<double> wanted = steps_of_gradients(200, 4);
    ASSERT_EQ(wanted.size(), x.size());
    for (size_t i = 0; i < x.size(); ++i) EXPECT_NEAR(wanted[i], x[i], 1e-3 * wanted[i]) << i;
}

TEST_F(LaunchesProgram, TheFactorsMultiplyToTheMatrix) {
    const std::string launches = (folder_ / "lu.launch").string();
    const std::string before = (folder_ / "before.txt").string(),
                      after = (folder_ / "after.txt").string();
    ASSERT_EQ(0, engine("launches " + kFixtures + "lu.cu --launch-file " + launches).status);
    Outcome outcome = engine("trace " + launches + " --save A=" + after);
    ASSERT_EQ(0, outcome.status) << outcome.err << outcome.out;
    EXPECT_TRUE(holds(outcome.out, "== All 30 launches")) << outcome.out;  // two for 15 columns
    // A launch that leaves A as it is: behind the last column.
    ASSERT_EQ(0, engine("trace " + kFixtures +
                        "lu.cu --kernel scale_column --grid 1 --block 32 --arg 'f32[256]=0..1' "
                        "--arg i32:16 --arg i32:15 --save A=" +
                        before)
                     .status);
    const std::vector<double> lu = numbers_of(after), a = numbers_of(before);
    ASSERT_EQ(256u, lu.size());
    for (int row = 0; row < 16; ++row)
        for (int col = 0; col < 16; ++col) {
            double sum = row <= col ? lu[row * 16 + col] : 0;
            for (int k = 0; k < std::min(row, col + 1); ++k)
                sum += lu[row * 16 + k] * lu[k * 16 + col];
            EXPECT_NEAR(a[row * 16 + col], sum, 1e-2) << row << ", " << col;
        }
}

TEST_F(LaunchesProgram, SeveralLaunchesSayWhatIsWrongWithOne) {
    const std::string first = "trace " + kFixtures +
                              "two_passes.cu --kernel block_sums --grid 64 --block 256 --arg "
                              "'f32[65536]=1' --arg 'f32[64]' --arg i32:65536 ";
    auto refused = [&](const std::string& options, const std::string& why) {
        Outcome outcome = engine(options);
        EXPECT_EQ(2, outcome.status) << options << outcome.out;
        EXPECT_TRUE(holds(outcome.err, why)) << options << ": " << outcome.err;
    };
    refused(first + "--then", "--then wants the kernel that is launched next");
    refused(first + "--then block_sums --grid 1", "--block is missing");
    refused(
        first + "--then block_sums --grid 1 --block 32 --arg nothing --arg 'f32[1]' --arg i32:1",
        "launch 2 of 2, block_sums: --arg \"nothing\": there is no buffer \"nothing\" from "
        "before; those that there are: in, out");
    refused(
        "trace " + kFixtures +
            "two_passes.cu --kernel block_sums --grid 1 --block 32 --arg out "
            "--arg 'f32[1]' --arg i32:1",
        "--arg \"out\": an argument is a buffer such as f32[16777216] or a value such as i32:4096");
    const std::string broken =
        written("broken.launch", "file = \"x.cu\"\n[[launch]]\nkernl = \"k\"\n");
    refused("trace " + broken, "broken.launch:3: ");
    refused("trace " + written("none.launch", "file = \"x.cu\"\n"), "there is no launch");
}

// ---- what a kernel takes

TEST_F(LaunchesProgram, TheLayoutOfAStructIsTold) {
    const std::string file =
        written("bodies.cu",
                "struct Body { float x, y, z; int cell; };\nstruct Point { float x, y; };\n"
                "__global__ void move(Body* bodies, Point* points, float by) { bodies[0].x += by; "
                "points[0].x = 1; }\n");
    Outcome outcome = engine("trace " + file + " --struct Body");
    EXPECT_EQ(0, outcome.status) << outcome.err;
    EXPECT_EQ(
        "struct Body: 16 bytes, aligned to 4\n     0  f32    x\n     4  f32    y\n     8  f32    "
        "z\n"
        "    12  i32    cell\nby value: --arg \"{f32:VALUE,f32:VALUE,f32:VALUE,i32:VALUE}\"\n",
        outcome.out);
    outcome = engine("trace " + file + " --kernel move --grid 1 --block 1");
    EXPECT_EQ(2, outcome.status);
    EXPECT_TRUE(holds(outcome.err, "u8[BYTES] with 16 for each struct")) << outcome.err;
    EXPECT_TRUE(holds(outcome.err, "--arg f32[COUNT], 2 for each struct of 8 bytes"))
        << outcome.err;
    outcome = engine("trace " + file + " --struct Bodi");
    EXPECT_EQ(2, outcome.status);
    EXPECT_TRUE(holds(outcome.err, "the source writes out no such struct")) << outcome.err;
}

TEST_F(LaunchesProgram, ANullPointerIsCalledOne) {
    const std::string file =
        written("null.cu", "__global__ void k(float* out, int i) { out[i] = 1; }\n");
    Outcome outcome =
        engine("trace " + file + " --kernel k --grid 1 --block 1 --arg u64:0 --arg i32:2");
    EXPECT_EQ(1, outcome.status) << outcome.err;
    EXPECT_TRUE(holds(outcome.out, "a null pointer + 8 bytes")) << outcome.out;
}

TEST_F(LaunchesProgram, KernelsOfHeadersAndNamespacesAreListedOnce) {
    written("deep.cuh", "namespace deep::er {\n__global__ void inner(int* p) { *p = 1; }\n}\n");
    const std::string file = written("outer.cu",
                                     "#include \"deep.cuh\"\nnamespace near {\n#ifdef FAST\n"
                                     "__global__ void outer(int* p) { *p = 2; }\n#else\n"
                                     "__global__ void outer(int* p) { *p = 3; }\n#endif\n}\n");
    Outcome outcome = engine("trace " + file);
    EXPECT_EQ(2, outcome.status);
    EXPECT_TRUE(holds(outcome.err,
                      "The source's kernels:\n    near::outer(int* p)   line 4\n"
                      "    deep::er::inner(int* p)   deep.cuh:2"))
        << outcome.err;
    outcome =
        engine("trace " + file + " --kernel deep::er::inner --grid 1 --block 1 --arg 'i32[1]'");
    EXPECT_EQ(0, outcome.status) << outcome.err;
}

// ---- nvcc

// The host's struct tm is not there for NVRTC.
const char* const kRefusedByNvrtc =
    "#include <ctime>\n__global__ void k(int* out) { struct tm day = {}; day.tm_mday = 3; "
    "*out = day.tm_mday; }\n";

TEST_F(LaunchesProgram, NvccCompilesWhatNvrtcRefuses) {
    LANEWISE_NEEDS(shell("nvcc --version").status == 0, "there is no nvcc here");
    const std::string trace = "trace " + written("day.cu", kRefusedByNvrtc) +
                              " --kernel k --grid 1 --block 1 --arg 'i32[1]=0' --save out=" +
                              (folder_ / "day.txt").string();
    Outcome outcome = engine(trace);
    EXPECT_EQ(0, outcome.status) << outcome.err;
    EXPECT_TRUE(holds(outcome.out, "compiled this file, because the others refuse it (day.cu:2:"))
        << outcome.out;
    EXPECT_EQ((std::vector<double>{3}), numbers_of(folder_ / "day.txt"));
    EXPECT_EQ(3, shell("LANEWISE_NO_NVCC=1 " PROGRAMS "/lanewise-engine " + trace).status);
}

TEST_F(LaunchesProgram, WhatNvccSaysIsShownWhereItRefusesToo) {
    fs::create_directories(folder_ / "bin");
    std::ofstream(folder_ / "bin/nvcc")
        << "#!/bin/sh\n[ \"$1\" = --version ] && { echo 'release 99.1, V99.1.2'; exit; }\n"
           "echo 'day.cu(2): error: not on a Wednesday' >&2\nexit 1\n";
    fs::permissions(folder_ / "bin/nvcc", fs::perms::owner_all);
    Outcome outcome =
        shell("PATH='" + (folder_ / "bin").string() +
              "':$PATH " PROGRAMS "/lanewise-engine trace " + written("day.cu", kRefusedByNvrtc) +
              " --kernel k --grid 1 --block 1 --arg 'i32[1]' --arch sm_80");
    EXPECT_EQ(3, outcome.status);
    EXPECT_TRUE(holds(outcome.err, "not on a Wednesday")) << outcome.err;
    EXPECT_TRUE(holds(outcome.err, "These are the words of nvcc 99.1; NVRTC")) << outcome.err;
}

// ---- export

TEST_F(LaunchesProgram, ExportedStagesAreBuiltByNvccAlone) {
    LANEWISE_NEEDS(shell("nvcc --version").status == 0, "there is no nvcc here");
    for (const std::string stage :
         {"transpose", "matmul/22_padded_tiles", "reduction/60_atomics"}) {
        const std::string out = (folder_ / "export").string();
        fs::remove_all(out);
        Outcome outcome = engine("export " + stage + " --out " + out + " --rows 256 --cols 256");
        if (stage.starts_with("reduction")) outcome = engine("export " + stage + " --out " + out);
        ASSERT_EQ(0, outcome.status) << stage << outcome.err;
        EXPECT_EQ(text_of(CONTENT_FOLDER "/LICENSE"), text_of(out + "/LICENSE"));
        outcome = shell("cd " + out +
                        " && nvcc -Werror all-warnings -ptx -o a.ptx test.cu && nvcc -Werror "
                        "all-warnings -ptx -o b.ptx bench.cu");
        EXPECT_EQ(0, outcome.status) << stage << outcome.err;
        EXPECT_TRUE(holds(text_of(out + "/README.md"), "## Measured"));
    }
}

TEST_F(LaunchesProgram, WhatCannotBeExportedSaysWhy) {
    auto refused = [&](const std::string& what, const std::string& why) {
        Outcome outcome = engine("export " + what + " --out " + (folder_ / "export").string());
        EXPECT_EQ(2, outcome.status) << what;
        EXPECT_TRUE(holds(outcome.err, why)) << what << ": " << outcome.err;
    };
    refused("transpose/84_tma", "its kernel takes tensor maps");
    refused("transpose/90_cublas", "it is a library's call");
    refused("transpose/86_in_place", "it works in its matrix's own place");
    refused(kFixtures + "turn.cu --kernel turn --grid 1 --block 1", "export is for stages");
    EXPECT_FALSE(fs::exists(folder_ / "export"));
}
