// Needs NVRTC (no GPU); the tests that compile skip themselves, saying so, where it is missing.
#include "compile/compiler.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <thread>

#include "../needs.h"
#include "base/files.h"
#include "compile/cubin.h"
#include "compile/nvrtc.h"
#include "compile/program_archive.h"
#include "compile/program_store.h"

namespace lanewise {

namespace fs = std::filesystem;

static const Source kScale{"scale.cu",
                           "template <typename T, int BY>\n"
                           "__global__ void scale(T* out) {\n"
                           "    __shared__ T tile[BY];\n"
                           "    tile[threadIdx.x] = out[threadIdx.x];\n"
                           "    __syncthreads();\n"
                           "    out[threadIdx.x] = tile[threadIdx.x ^ 1] * FACTOR;\n"
                           "}\n"};
static const CompileOptions kOptions{"scale<float, 64>", "sm_90", {}, {"FACTOR=3"}};
static const CompileOptions kNoOptions{"k", "sm_90", {}, {}};

// Each test has a cache folder of its own.
class Compiler : public testing::Test {
  protected:
    fs::path cache_ =
        fs::temp_directory_path() / ("lanewise-compile-" + std::to_string(::getpid()));
    void SetUp() override {
        ::setenv("XDG_CACHE_HOME", cache_.c_str(), 1);
        ::unsetenv("LANEWISE_COMPILER");
    }
    void TearDown() override {
        pretend_no_compiler(false);
        choose_compiler("");
        for (const char* set : {"LANEWISE_NO_NVRTC", "LANEWISE_COMPILER"}) ::unsetenv(set);
        fs::remove_all(cache_);
    }
    fs::path only_cached_file() const {
        auto files = fs::directory_iterator(cache_ / "lanewise/programs");
        return files->path();
    }
};

static std::string message_of(const Source& source, const CompileOptions& options, Status status) {
    try {
        compile(source, options);
        return "it compiled";
    } catch (const Error& error) {
        EXPECT_EQ(status, error.status());
        return error.what();
    }
}

TEST_F(Compiler, GivesPtxAndCubinWithTheSourcesName) {
    NEEDS_NVRTC();
    Program program = compile(kScale, kOptions);
    EXPECT_EQ("_Z5scaleIfLi64EEvPT_", program.entry);
    EXPECT_NE(std::string::npos, program.ptx.find(".entry _Z5scaleIfLi64EEvPT_("));
    EXPECT_NE(std::string::npos, program.ptx.find("\t1 \"scale.cu\"\n"));
    EXPECT_NE(std::string::npos, program.ptx.find(".loc"));
    EXPECT_EQ(256, kernel_resources(program.cubin, program.entry).static_shared_bytes);
    EXPECT_EQ("NVRTC " + compiler_status().version, program.compiler);
    EXPECT_EQ(CompilerKind::nvrtc, program.kind);
    EXPECT_EQ(Program::Origin::compiled, program.origin);
    EXPECT_GT(program.milliseconds, 0);
    EXPECT_EQ(std::string::npos, program.ptx.find('\0'));  // C's terminator is not part of it
}

TEST_F(Compiler, ServesTheSecondCallFromTheCache) {
    NEEDS_NVRTC();
    Program first = compile(kScale, kOptions), second = compile(kScale, kOptions);
    EXPECT_EQ(Program::Origin::cached, second.origin);
    EXPECT_EQ(first.ptx, second.ptx);
    EXPECT_EQ(first.cubin, second.cubin);
    EXPECT_EQ(first.entry, second.entry);
    EXPECT_EQ(first.compiler, second.compiler);
    EXPECT_LT(second.milliseconds, first.milliseconds);
    CompileOptions other = kOptions;
    other.defines = {"FACTOR=4"};
    EXPECT_EQ(Program::Origin::compiled, compile(kScale, other).origin);
}

TEST_F(Compiler, RewritesATornCacheFile) {
    NEEDS_NVRTC();
    Program first = compile(kScale, kOptions);
    fs::path file = only_cached_file();
    fs::resize_file(file, fs::file_size(file) / 2);
    Program again = compile(kScale, kOptions);
    EXPECT_EQ(Program::Origin::compiled, again.origin);
    EXPECT_EQ(first.ptx, again.ptx);
    EXPECT_EQ(Program::Origin::cached, compile(kScale, kOptions).origin);
}

TEST_F(Compiler, ACacheThatCannotBeWrittenCostsNothingElse) {
    NEEDS_NVRTC();
    ::setenv("XDG_CACHE_HOME", "/proc/nowhere", 1);
    EXPECT_EQ(Program::Origin::compiled, compile(kScale, kOptions).origin);
    EXPECT_EQ(Program::Origin::compiled, compile(kScale, kOptions).origin);
}

TEST_F(Compiler, ErrorsShowTheLineAndACaret) {
    NEEDS_NVRTC();
    Source bad = kScale;
    bad.text.replace(bad.text.find("tile[threadIdx.x ^ 1]"), 4, "tyle");
    EXPECT_EQ(
        "scale.cu:6:24: error: identifier \"tyle\" is undefined\n"
        "    out[threadIdx.x] = tyle[threadIdx.x ^ 1] * FACTOR;\n"
        "                       ^",
        message_of(bad, kOptions, Status::no_compile));
    EXPECT_FALSE(fs::exists(cache_ / "lanewise/programs"));  // failures are not cached
}

TEST_F(Compiler, AKernelThatIsNotThereIsNamed) {
    NEEDS_NVRTC();
    CompileOptions options = kOptions;
    options.kernel = "scael<float, 64>";
    std::string message = message_of(kScale, options, Status::no_compile);
    EXPECT_EQ(0u, message.find("scale.cu: error: no kernel fits \"scael<float, 64>\": identifier "
                               "\"scael\" is undefined"));
    EXPECT_NE(std::string::npos, message.find("Kernels in this source: scale"));
}

TEST_F(Compiler, TooMuchSharedMemoryIsACompileError) {
    NEEDS_NVRTC();
    CompileOptions options = kOptions;
    options.kernel = "scale<float, 100000>";
    EXPECT_NE(std::string::npos,
              message_of(kScale, options, Status::no_compile).find("too much shared data"));
}

TEST_F(Compiler, AnUnknownArchitectureIsRefusedWithTheKnownOnes) {
    NEEDS_NVRTC();
    CompileOptions options = kOptions;
    options.arch = "sm_12";
    std::string message = message_of(kScale, options, Status::bad_input);
    EXPECT_NE(std::string::npos, message.find("cannot compile for \"sm_12\"; it knows"));
    EXPECT_NE(std::string::npos, message.find("sm_90"));
}

TEST_F(Compiler, WarningsAreKeptAndCachedToo) {
    NEEDS_NVRTC();
    Source source{"w.cu", "__global__ void k(int* out) {\n    int unused;\n    *out = 1;\n}\n"};
    for (Program::Origin origin : {Program::Origin::compiled, Program::Origin::cached}) {
        Program program = compile(source, {"k", "sm_90", {}, {}});
        EXPECT_EQ(origin, program.origin);
        ASSERT_EQ(1u, program.warnings.size());
        EXPECT_EQ(2, program.warnings[0].line);
        EXPECT_EQ(9, program.warnings[0].column);
    }
}

TEST_F(Compiler, FindsTheToolkitsHeaders) {
    NEEDS_NVRTC();
    if (compiler_status().include_folder.empty()) GTEST_SKIP() << "NVRTC without headers";
    Source source{"h.cu", "#include <cuda_fp16.h>\n__global__ void k(half* h) { h[0] = h[1]; }\n"};
    EXPECT_EQ("_Z1kP6__half", compile(source, {"k", "sm_90", {}, {}}).entry);
}

// As nvcc does by itself.
TEST_F(Compiler, KnowsIntegersOf128Bits) {
    NEEDS_NVRTC();
    const char* text =
        "__global__ void k(unsigned long long* p) {\n"
        "    unsigned __int128 a = (unsigned __int128)p[0] * p[1];\n"
        "    p[2] = (unsigned long long)(a >> 64);\n}\n";
    EXPECT_NE(std::string::npos, compile({"wide.cu", text}, kNoOptions).ptx.find("mul.hi.u64"));
}

// A concept is none of C++17's, which every source is tried with at first; of what is wrong under
// both, that is told of which there is less.
TEST_F(Compiler, TakesASourceOfCpp20AsSuch) {
    NEEDS_NVRTC();
    std::string text =
        "template <class T> concept Adds = requires(T a) { a + a; };\n"
        "template <Adds T> __device__ T twice(T a) { return a + a; }\n"
        "__device__ int once(auto a) { return a; }\n"
        "__global__ void k(int* p) { p[0] = twice(p[1]) + once(3); }\n";
    EXPECT_NE(std::string::npos, compile({"new.cu", text}, kNoOptions).ptx.find(".entry"));
    text.replace(text.find("p[0]"), 4, "wrong");
    try {
        compile({"new.cu", text}, kNoOptions);
        FAIL() << "it compiled";
    } catch (const CompileError& error) {
        ASSERT_EQ(1u, error.diagnostics().size()) << error.what();
        EXPECT_EQ(4, error.diagnostics()[0].line);
    }
}

TEST_F(Compiler, ManyThreadsAtOnceGetTheSame) {
    NEEDS_NVRTC();
    std::vector<Program> programs(4);
    std::vector<std::thread> threads;
    for (Program& program : programs)
        threads.emplace_back([&program] { program = compile(kScale, kOptions); });
    for (std::thread& thread : threads) thread.join();
    for (const Program& program : programs) EXPECT_EQ(programs[0].ptx, program.ptx);
}

TEST_F(Compiler, WithoutAnyCompilerSaysWhichPackageToInstall) {
    pretend_no_compiler(true);
    std::string message = message_of(kScale, kOptions, Status::bad_input);
    EXPECT_EQ(0u, message.find("cannot compile scale.cu as scale<float, 64> for sm_90: there is no "
                               "compiler here, and this source is none of those that are shipped. "
                               "Install the package clang-19"))
        << message;
    warm_up_compiler();  // does nothing, and says nothing
}

TEST_F(Compiler, ACompilerThatIsChosenAndNotThereSaysHowToGetIt) {
    pretend_no_compiler(true);
    choose_compiler("nvrtc");
    std::string message = message_of(kScale, kOptions, Status::bad_input);
    EXPECT_EQ(0u, message.find("cannot compile scale.cu as scale<float, 64> for sm_90: there is no "
                               "NVRTC, and it was not compiled before. Install"))
        << message;
    EXPECT_NE(std::string::npos, message.find("nvidia-cuda-toolkit"));
    EXPECT_NE(std::string::npos, message.find("CUDA_HOME"));
    choose_compiler("clang");
    message = message_of(kScale, kOptions, Status::bad_input);
    EXPECT_NE(std::string::npos, message.find("there is no clang, and it was not compiled before. "
                                              "Install the package clang-19"))
        << message;
    choose_compiler("shipped");
    message = message_of(kScale, kOptions, Status::bad_input);
    EXPECT_NE(std::string::npos, message.find("no such program is shipped")) << message;
}

TEST_F(Compiler, TheChoiceIsTheOptionsAndElseTheEnvironments) {
    EXPECT_EQ(std::nullopt, chosen_compiler());
    ::setenv("LANEWISE_COMPILER", "clang", 1);
    EXPECT_EQ(CompilerKind::clang, chosen_compiler());
    choose_compiler("shipped");
    EXPECT_EQ(CompilerKind::shipped, chosen_compiler());
    choose_compiler("");
    EXPECT_EQ(CompilerKind::clang, chosen_compiler());
    ::setenv("LANEWISE_COMPILER", "gcc", 1);
    EXPECT_EQ(0u, message_of(kScale, kOptions, Status::bad_input)
                      .find("LANEWISE_COMPILER wants nvrtc, shipped, clang or nvcc, not \"gcc\""));
    ::unsetenv("LANEWISE_COMPILER");
    EXPECT_THROW(choose_compiler("msvc"), Error);
    EXPECT_EQ(std::nullopt, chosen_compiler());
    for (CompilerKind kind : kCompilerKinds) {
        choose_compiler(std::string(option_name(kind)));
        EXPECT_EQ(kind, chosen_compiler());
    }
}

TEST_F(Compiler, HidesNvrtcWhereTheEnvironmentSaysSo) {
    ::setenv("LANEWISE_NO_NVRTC", "1", 1);
    choose_compiler("nvrtc");
    EXPECT_FALSE(compiler_status().found);
    EXPECT_NE(std::string::npos,
              message_of(kScale, kOptions, Status::bad_input).find("there is no NVRTC"));
}

// What one compiler made is not served where another is wanted.
TEST_F(Compiler, ProgramsOfDifferentCompilersAreKeptApart) {
    Program program;
    program.ptx = "ptx by clang";
    program.compiler = "clang 19.1.7";
    ProgramStore(cache_ / "lanewise/programs-clang")
        .store(program, program_key(kScale, kOptions), "clang-19.1.7");
    pretend_no_compiler(true);
    Program served = compile(kScale, kOptions);
    EXPECT_EQ(CompilerKind::clang, served.kind);
    EXPECT_EQ("clang 19.1.7", served.compiler);
    choose_compiler("nvrtc");
    EXPECT_THROW(compile(kScale, kOptions), Error);
}

TEST_F(Compiler, WithoutNvrtcServesWhatAnyVersionCompiled) {
    Program program;
    program.entry = "_Z5scaleIfLi64EEvPT_";
    program.ptx = "ptx by 12.4";
    program.compiler = "NVRTC 12.4";
    ProgramStore(cache_ / "lanewise/programs")
        .store(program, program_key(kScale, kOptions), "12.4");
    pretend_no_compiler(true);
    Program served = compile(kScale, kOptions);
    EXPECT_EQ("ptx by 12.4", served.ptx);
    EXPECT_EQ(Program::Origin::cached, served.origin);
}

// `program` alone, in a folder of its own.
static void ship(const fs::path& home, const CompileOptions& options, const Program& program) {
    fs::create_directories(home / "kernels");
    fs::path file =
        home / "assets/programs/transpose" / (fs::path(kScale.name).stem().string() + ".programs");
    write_file(file, encode_archive({{program_key(kScale, options), program}}));
    ::setenv("LANEWISE_HOME", home.c_str(), 1);
}

// What is shipped is marked, so that it is seen whether it was taken.
TEST_F(Compiler, WhatNvrtcWouldMakeAgainIsTakenAsItIsShipped) {
    NEEDS_NVRTC();
    Program program = compile_afresh(kScale, kOptions);
    program.ptx += "// shipped\n";
    ship(cache_ / "home", kOptions, program);
    Program taken = compile(kScale, kOptions);
    EXPECT_EQ(program.ptx, taken.ptx);
    EXPECT_EQ(program.cubin, taken.cubin);
    EXPECT_EQ(Program::Origin::shipped, taken.origin);
    EXPECT_EQ(program.compiler + ", shipped", taken.compiler);
    EXPECT_FALSE(fs::exists(cache_ / "lanewise/programs"));  // there is no second copy

    CompileOptions other = kOptions;  // whose cubin is not there
    other.arch = "sm_80";
    EXPECT_EQ(Program::Origin::compiled, compile(kScale, other).origin);
    Source edited = kScale;
    edited.text += "// mine\n";
    EXPECT_EQ(Program::Origin::compiled, compile(edited, kOptions).origin);
    choose_compiler("nvrtc");
    EXPECT_EQ(Program::Origin::compiled, compile(kScale, kOptions).origin);
    ::unsetenv("LANEWISE_HOME");
}

TEST_F(Compiler, WhatAnotherNvrtcMadeIsMadeAnew) {
    NEEDS_NVRTC();
    Program program = compile_afresh(kScale, kOptions);
    program.compiler = "NVRTC 12.4";
    ship(cache_ / "home", kOptions, program);
    Program made = compile(kScale, kOptions);
    EXPECT_EQ(Program::Origin::compiled, made.origin);
    EXPECT_EQ("NVRTC " + compiler_status().version, made.compiler);
    ::unsetenv("LANEWISE_HOME");
}

TEST_F(Compiler, WithoutNvrtcServesWhatIsShipped) {
    NEEDS_NVRTC();
    ship(cache_ / "home", kOptions, compile_afresh(kScale, kOptions));
    fs::remove_all(cache_ / "lanewise");
    pretend_no_compiler(true);
    Program served = compile(kScale, kOptions);
    EXPECT_EQ(Program::Origin::shipped, served.origin);
    EXPECT_EQ(CompilerKind::shipped, served.kind);
    EXPECT_TRUE(served.compiler.ends_with(", shipped")) << served.compiler;
    EXPECT_EQ("_Z5scaleIfLi64EEvPT_", served.entry);
    CompileOptions other = kOptions;
    other.kernel = "scale<float, 32>";  // not shipped
    EXPECT_THROW(compile(kScale, other), Error);
    ::unsetenv("LANEWISE_HOME");
}

TEST_F(Compiler, StatusListsWhereItLooked) {
    CompilerStatus status = compiler_status();
    const char* hidden = std::getenv("LANEWISE_NO_NVRTC");
    EXPECT_EQ(hidden && std::string(hidden) == "1", status.looked_in.empty());
    EXPECT_EQ(status.found, status.advice.empty());
    EXPECT_EQ(status.found, !status.library.empty());
}

// ---- How often NVRTC runs: each time costs whoever types 10 to 100 ms ---------------------------

static const Source kCopy{"copy.cu",
                          "template <class T>\n"
                          "__global__ void copy(const T* in, T* out) {\n"
                          "    out[threadIdx.x] = in[threadIdx.x];\n"
                          "}\n"};
static const CompileOptions kCopyOptions{"copy<float>", "sm_90", {}, {}};

static Source with_mistake(Source source) {
    source.text.insert(source.text.find("    out"), "    oops;\n");
    return source;
}

template <class Work>
static uint64_t runs_of(Work work) {
    const uint64_t before = nvrtc_runs();
    work();
    return nvrtc_runs() - before;
}

TEST_F(Compiler, ATemplateIsReadOnce) {
    NEEDS_NVRTC();
    EXPECT_EQ(1u, runs_of([] { check_source(kCopy, kCopyOptions); }));
    EXPECT_EQ(1u, runs_of([] { compile(kCopy, kCopyOptions); }));
}

// A second time, as a program whose host code is left out, only where that could help.
TEST_F(Compiler, AMistakeThatStaysIsReadOnce) {
    NEEDS_NVRTC();
    auto runs = [](const Source& wrong) {
        return runs_of([&] { EXPECT_THROW(check_source(wrong, kCopyOptions), CompileError); });
    };
    auto with = [](const std::string& before, const std::string& inside) {
        Source source = kCopy;
        source.text.insert(source.text.find("    out"), "    " + inside + "\n");
        source.text.insert(0, before);
        return source;
    };
    EXPECT_EQ(1u, runs(with("", "oops;")));
    EXPECT_EQ(1u, runs(with("", "int a = 1")));                       // expected a ";"
    EXPECT_EQ(1u, runs(with("#include <cuda_fp16.h>\n", "oops;")));  // a header of the toolkit
    EXPECT_EQ(2u, runs(with("", "float a = FLT_MAX + oops;")));       // a macro of the host's
    EXPECT_EQ(2u, runs(with("#include <vector>\n", "oops;")));       // the host's header
    EXPECT_EQ(2u, runs(with("#include <cub/cub.cuh>\n", "oops;")));  // which has a part for devices
    EXPECT_EQ(2u, runs(with("int main() { return 0; }\n", "oops;")));
    EXPECT_EQ(2u, runs(with("", "int* a = 1.5f;")));  // neither a word nor grammar
    // In a function that says neither __host__ nor __device__: it is left out the third time.
    const Source of_the_host = with("int half_of(int n) { return n / oops; }\n", "");
    EXPECT_EQ(3u, runs_of([&] { check_source(of_the_host, kCopyOptions); }));
}

// What is undeclared as the source stands, and declared by what stands in for the host's headers.
TEST_F(Compiler, WhatTheHostsHeadersBringCompiles) {
    NEEDS_NVRTC();
    for (const char* line : {"uint32_t a = 1; out[a] = 1;", "out[1] = std::min(1.f, 2.f);",
                             "out[1] = FLT_MAX;", "static_assert(std::is_pointer<T*>::value, \"\");",
                             "std::tuple<int> a(1);"}) {
        Source source = kCopy;
        source.text.insert(source.text.find("    out"), "    " + std::string(line) + "\n");
        EXPECT_NO_THROW(check_source(source, kCopyOptions)) << line;
    }
}

TEST_F(Compiler, WhatACheckRefusedIsRefusedWithoutReadingItAgain) {
    NEEDS_NVRTC();
    const Source wrong = with_mistake(kCopy);
    std::string said;
    try {
        check_source(wrong, kCopyOptions);
    } catch (const CompileError& error) {
        said = error.what();
    }
    ASSERT_NE("", said);
    EXPECT_EQ(0u, runs_of([&] {
                  EXPECT_EQ(said, message_of(wrong, kCopyOptions, Status::no_compile));
              }));
    CompileOptions others = kCopyOptions;  // with these it may compile
    others.defines = {"oops=0"};
    EXPECT_EQ(1u, runs_of([&] { compile(wrong, others); }));
    EXPECT_EQ(1u, runs_of([] { compile(kCopy, kCopyOptions); }));
}

// Where the compiler could take the kernel for a variable, it is read without an instance first.
TEST_F(Compiler, AParameterOfATypeThatNobodyDeclaresIsAnErrorWhereverItStands) {
    NEEDS_NVRTC();
    for (const char* parameters : {"half* q", "const half* q", "int n, half* q", "Foo<T> q"}) {
        Source source{"k.cu", "template <class T> __global__ void k(" + std::string(parameters) + ") {}\n"};
        std::string said = message_of(source, {"k<float>", "sm_90", {}, {}}, Status::no_compile);
        EXPECT_NE(std::string::npos, said.find("k.cu:1:")) << said;
    }
}

}  // namespace lanewise
