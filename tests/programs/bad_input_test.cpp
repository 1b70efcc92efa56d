// What a person gets who gives the engine something wrong: one clear message, the documented exit
// status, in bounded time and memory. Each engine here runs in 2 GiB of address space per attempt.
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>

#include "../needs.h"

namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

struct TimedOutcome {
    int status = -1;
    std::string out, err;
    double seconds = 0;  // of processor time, which does not depend on what else the machine does
};

double children_seconds() {
    rusage used{};
    ::getrusage(RUSAGE_CHILDREN, &used);
    auto seconds = [](const timeval& t) {
        return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_usec) / 1e6;
    };
    return seconds(used.ru_utime) + seconds(used.ru_stime);
}

class BadInput : public testing::Test {
  protected:
    BadInput()
        : folder_(fs::temp_directory_path() / ("lanewise-bad-" + std::to_string(::getpid()))) {
        fs::create_directories(folder_);
    }
    ~BadInput() override { fs::remove_all(folder_); }

    std::string text_of(const char* name) {
        std::ifstream file(folder_ / name);
        std::ostringstream text;
        text << file.rdbuf();
        return text.str();
    }
    // Its path, quoted for the shell.
    std::string write(const std::string& name, const std::string& text) {
        std::ofstream(folder_ / name, std::ios::binary) << text;
        return "'" + (folder_ / name).string() + "'";
    }
    TimedOutcome engine(const std::string& arguments) {
        std::string command = std::string(kMemoryLimit) + PROGRAMS "/lanewise-engine " + arguments +
                              " >'" + (folder_ / "out").string() + "' 2>'" +
                              (folder_ / "err").string() + "' </dev/null";
        double before = children_seconds();
        int status = std::system(command.c_str());
        return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, text_of("out"), text_of("err"),
                children_seconds() - before};
    }
    void expect_refused(const std::string& arguments, const std::string& part, int status = 2) {
        TimedOutcome outcome = engine(arguments);
        EXPECT_EQ(status, outcome.status) << arguments << ": " << outcome.err;
        EXPECT_EQ("", outcome.out) << arguments;
        EXPECT_EQ(0u, outcome.err.find("lanewise-engine: ")) << outcome.err;
        EXPECT_NE(std::string::npos, outcome.err.find(part)) << arguments << ": " << outcome.err;
        EXPECT_GT(kMostSeconds, outcome.seconds) << arguments;
    }
    void SetUp() override {
        for (const Json& check : Json::parse(engine("doctor --json").out))
            if (check["name"] == "CUDA compiler")
                LANEWISE_NEEDS(check["ok"].get<bool>(), "there is no NVRTC here");
    }

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    static constexpr bool kHasMemoryLimit = false;  // sanitizers map terabytes
    static constexpr const char* kMemoryLimit = "";
    static constexpr double kMostSeconds = 300;
#else
    static constexpr bool kHasMemoryLimit = true;
    static constexpr const char* kMemoryLimit = "ulimit -v 2097152; ";
    static constexpr double kMostSeconds = 30;
#endif
    fs::path folder_;
};

const std::string kOne = " --grid 1 --block 1 ";
const std::string kTwoKernels =
    "__global__ void scale(float* p) { p[0] = 1; }\n"
    "__global__ void scale(int* p) { p[0] = 1; }\n"
    "__global__ void shift(float* p, int n) { p[n] = 1; }\n";

}  // namespace

TEST_F(BadInput, AMissingOrAmbiguousKernelListsTheCandidates) {
    std::string file = write("two.cu", kTwoKernels);
    for (const char* name : {"scale", "scael"}) {
        std::string arguments = "trace " + file + " --kernel " + name + kOne + "--arg 'f32[4]'";
        expect_refused(arguments, "scale(float* p)   line 1");
        expect_refused(arguments, "scale(int* p)   line 2");
        expect_refused(arguments, "shift(float* p, int n)   line 3");
    }
    // Either way of saying which; its own mistakes are then found.
    EXPECT_EQ(
        0, engine("trace " + file + " --kernel '(void (*)(int*))scale'" + kOne + "--arg 'i32[4]'")
               .status);
    expect_refused("trace " + file + " --kernel shift" + kOne + "--arg i32:4 --arg i32:4",
                   "--arg f32[COUNT]");
    expect_refused("trace " + file + " --kernel shift" + kOne + "--arg 'f32[4]' --arg i32:1e9",
                   "no whole number");
    expect_refused("trace " + file + " --kernel shift" + kOne + "--arg 'f32[-4]' --arg i32:0",
                   "1 to 1,099,511,627,776 elements");
    expect_refused("trace " + file + " --kernel shift" + kOne +
                       "--arg 'f32[18446744073709551616]' --arg i32:0",
                   "1 to 1,099,511,627,776 elements");
}

TEST_F(BadInput, BuffersLargerThanMemorySayHowMuchThereIs) {
    if (!kHasMemoryLimit) GTEST_SKIP() << "a sanitizer has all of the address space";
    std::string shift = "trace " + write("two.cu", kTwoKernels) + " --kernel shift" + kOne;
    expect_refused(shift + "--arg 'f32[1099511627776]' --arg i32:0", " free; choose smaller");
    // More than the address space, though perhaps not more than the machine's memory.
    expect_refused(shift + "--arg 'f32[1073741824]' --arg i32:0", "memory");
}

TEST_F(BadInput, LaunchesBeyondTheHardwareSayItsLimits) {
    std::string shift = "trace " + write("two.cu", kTwoKernels) +
                        " --kernel shift --arg 'f32[4]' "
                        "--arg i32:0 ";
    expect_refused(shift + "--grid 2147483648 --block 1", "1 to 2,147,483,647");
    expect_refused(shift + "--grid 1,1,65536 --block 1", "1 to 65,535");
    expect_refused(shift + "--grid 2147483647,65535 --block 1", "at most 4,294,967,295");
    expect_refused(shift + "--grid 1 --block 1,1,65", "1 to 64");
    expect_refused(shift + "--grid 1 --block 33,32", "at most 1,024");
    expect_refused(shift + "--grid 0 --block 1", "1 to 2,147,483,647");
    expect_refused(shift + "--grid 1 --block -1", "1 to 1,024");
    expect_refused(shift + "--grid 1,2,3,4 --block 1", "X,Y,Z");
    expect_refused(shift + "--grid 1 --block 1 --dynamic-shared -1", "232,448");
    expect_refused(shift + "--grid 1 --block 1 --dynamic-shared 99999999999", "232,448");
}

TEST_F(BadInput, AMissingHeaderSaysWhichOptionFindsIt) {
    std::string file = write("own.cu", "#include \"mine.h\"\n__global__ void k(float* p) {}\n");
    std::string arguments = "trace " + file + " --kernel k" + kOne + "--arg 'f32[4]'";
    expect_refused(arguments, "--include FOLDER with the folder that holds mine.h", 3);
    fs::create_directories(folder_ / "include");
    write("include/mine.h", "");
    expect_refused(arguments, "--include " + (folder_ / "include").string() + " to find", 3);
    EXPECT_EQ(0, engine(arguments + " --include '" + (folder_ / "include").string() + "'").status);
}

// Each of 1,024 threads, on one thread of this machine.
TEST_F(BadInput, EndlessLoopsOfAFullBlockAreFoundInTime) {
    std::string file = write("loops.cu", R"(
__global__ void flag(volatile int* p) { while (*p != 12345) {} }
__global__ void barrier(volatile int* p) {
    while (*p != 12345) __syncthreads();
}
__global__ void atomic(int* p) { while (true) atomicAdd(p, 1); }
__global__ void outside(float* p) { for (int i = 0;; ++i) p[100000 + i + threadIdx.x] = 1; }
)");
    for (const char* kernel : {"flag", "barrier", "atomic", "outside"}) {
        std::string type = std::string(kernel) == "outside" ? "f32" : "i32";
        TimedOutcome outcome = engine("trace " + file + " --kernel " + kernel +
                                      " --grid 1 --block 1024 --json --arg '" + type + "[64]'");
        ASSERT_EQ(1, outcome.status) << kernel << outcome.err;
        bool found = false;
        Json trace = Json::parse(outcome.out);
        for (const Json& finding : trace["findings"]) found = found || finding["kind"] == "runaway";
        EXPECT_TRUE(found) << kernel << outcome.out;
        EXPECT_GT(kMostSeconds, outcome.seconds) << kernel;  // about 1 in a release build
    }
}

// Said before it begins, not after all of the limit: hours on any machine of today.
TEST_F(BadInput, AProductThatTakesTooLongIsNotBegun) {
    for (const char* command : {"trace", "check"}) {
        TimedOutcome outcome = engine(std::string(command) +
                                      " matmul/10_naive_product --rows 8192 --cols 8192 --inner 8192"
                                      " --time-limit 60");
        EXPECT_EQ(5, outcome.status) << outcome.err;
        EXPECT_EQ("", outcome.out);
        for (const char* words :
             {"interpreting all of 8192 x 8192 x 8192 would take about ", "the time limit is 60 s",
              "with --blocks 64", "choose smaller sides such as "})
            EXPECT_NE(std::string::npos, outcome.err.find(words)) << outcome.err;
        EXPECT_GT(kMostSeconds, outcome.seconds);
    }
}

TEST_F(BadInput, FilesThatAreNoTextAreNamed) {
    std::string zero = write("zero.cu", std::string("__global__ void k(float* p) {}\n//\0\n", 35));
    expect_refused("trace " + zero + " --kernel k" + kOne + "--arg 'f32[4]'",
                   "zero.cu:2: there is a zero byte");
    std::string noise;
    for (uint32_t word = 1; noise.size() < 100'000; word = word * 1664525u + 1013904223u)
        noise += static_cast<char>(word >> 24 | 1);
    expect_refused("trace " + write("noise.cu", noise) + " --kernel k" + kOne, "noise.cu:", 3);
    expect_refused("trace " + write("empty.cu", ""), "no __global__ function");
    fs::create_directories(folder_ / "folder.cu");
    expect_refused("trace '" + (folder_ / "folder.cu").string() + "'", "is a folder, not a file");
    expect_refused("trace '" + (folder_ / "nowhere.cu").string() + "'", "No such file");
    expect_refused("rules '" + folder_.string() + "'", "is a folder, not a file");
    expect_refused("rules /proc/self/mem", "cannot read /proc/self/mem");
    expect_refused("rules /dev/zero", "larger than any file");
    if (::geteuid() == 0) return;  // root may read everything
    std::string closed = write("closed.cu", kTwoKernels);
    fs::permissions(folder_ / "closed.cu", fs::perms::none);
    expect_refused("trace " + closed, "Permission denied");
}

// Before minutes of modelling.
TEST_F(BadInput, WhatRangesAreToComeFromIsReadFirst) {
    const std::string predict = "bench --predict --set making ";
    expect_refused(predict + "--unseen nowhere.json", "name the file for them with --ranges FILE");
    const std::string out = "--ranges '" + (folder_ / "ranges.json").string() + "' --unseen ";
    expect_refused(predict + out + "'" + (folder_ / "nowhere.json").string() + "'", "No such file");
    expect_refused(predict + out + write("rows.json", R"([{"launch": "a/b"}])"), "is not what `bench --predict --set … --json` prints");
    expect_refused(predict + out + write("few.json", R"([{"card": "C", "measured_us": 2, "time_us": 1}, {"card": "C", "measured_us": 2, "time_us": 0}])"),
                   "has 1 times that hold; a range needs 19");
    EXPECT_FALSE(fs::exists(folder_ / "ranges.json"));
}

TEST_F(BadInput, SizesAndKnobsOutsideTheirRanges) {
    std::string padded = "trace transpose/30_padded ";
    expect_refused(padded + "--set TILE=99999999999999999999", "wants NAME=VALUE");
    expect_refused(padded + "--set TILE=9223372036854775807", "choose 8, 16, 32 or 64");
    expect_refused(padded + "--set TILE=-32", "choose 8, 16, 32 or 64");
    expect_refused(padded + "--rows -1", "from 1 to 65,536");
    expect_refused(padded + "--cols 4294967297", "from 1 to 65,536");  // 1, in 32 bits
    expect_refused(padded + "--rows 18446744073709551617", "wants a whole number");
    expect_refused(padded + "--batch 9223372036854775807", "from 1 to 65,536");
    // 32 GiB of output: more than the address space, whatever memory the machine has.
    if (kHasMemoryLimit) expect_refused(padded + "--rows 65536 --cols 65536 --type f64", "memory");
    // 16 GiB for each of A, B and C, and more for the sums that C is held against.
    const std::string product = "trace matmul/10_naive_product ";
    if (kHasMemoryLimit)
        expect_refused(product + "--rows 65536 --cols 65536 --inner 65536 --time-limit 0",
                       "memory");
    expect_refused(product + "--rows 4294967297", "rows is 4294967297");
    expect_refused(product + "--inner 18446744073709551616", "wants a whole number");
    expect_refused("bench matmul/10_naive_product --sizes 65536x65536x65537", "65,536");
    expect_refused("bench matmul/10_naive_product --sizes 99999999999999999999x4x4", "MxNxK");
    expect_refused("bench --sizes 65536x65537", "65,536");
    expect_refused("bench --sizes 99999999999x99999999999", "65,536");
}

// A compiler of an older year crashes at what a newer one takes: one sentence, not its stack.
TEST_F(BadInput, ACompilerThatCrashesIsNamed) {
    write("clang++",
          "#!/bin/sh\n"
          "[ \"$1\" != --version ] || exec echo 'clang version 17.0.3'\n"
          "echo 'PLEASE submit a bug report to the authors' >&2\n"
          "echo 'Stack dump:' >&2\n"
          "exit 134\n");
    fs::permissions(folder_ / "clang++", fs::perms::owner_all);
    std::string file = write("mine.cu", "__global__ void mine(float* p) { p[0] = 1; }\n");
    ::setenv("LANEWISE_CLANG", (folder_ / "clang++").c_str(), 1);
    expect_refused("trace " + file + " --kernel mine --arg 'f32[32]' --compiler clang" + kOne,
                   "clang 17.0.3 itself crashed at ");
    ::unsetenv("LANEWISE_CLANG");
    EXPECT_EQ(std::string::npos, text_of("err").find("Stack dump"));
}
