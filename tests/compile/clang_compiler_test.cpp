// Needs clang (16 or newer), no GPU and nothing of NVIDIA's.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <thread>

#include "base/files.h"
#include "compile/backend.h"
#include "compile/child_process.h"
#include "compile/clang_search.h"
#include "compile/compiler.h"

namespace lanewise {

namespace fs = std::filesystem;

static const Source kAlignedScale{"scale.cu",
                                  "template <typename T, int N>\n"
                                  "__global__ void scale(T* out) {\n"
                                  "    __shared__ alignas(16) T tile[N];\n"
                                  "    tile[threadIdx.x] = out[threadIdx.x];\n"
                                  "    __syncthreads();\n"
                                  "    out[threadIdx.x] = tile[threadIdx.x ^ 1] * FACTOR;\n"
                                  "}\n"};

class ClangCompiler : public testing::Test {
  protected:
    void SetUp() override {
        if (!clang_backend()) GTEST_SKIP() << "no clang here: " << how_to_get_clang();
        cache_ = fs::temp_directory_path() / ("lanewise-clang-" + std::to_string(::getpid()));
        ::setenv("XDG_CACHE_HOME", cache_.c_str(), 1);
        choose_compiler("clang");
    }
    void TearDown() override {
        choose_compiler("");
        if (!cache_.empty()) fs::remove_all(cache_);
    }
    static CompileOptions options_for(const std::string& kernel) {
        CompileOptions options;
        options.kernel = kernel;
        return options;
    }
    static Program compiled(const std::string& text, const std::string& kernel = "k") {
        return compile({"k.cu", text}, options_for(kernel));
    }
    static std::string message_of(const Source& source, const CompileOptions& options,
                                  Status status = Status::no_compile) {
        try {
            compile(source, options);
            return "it compiled";
        } catch (const Error& error) {
            EXPECT_EQ(status, error.status());
            return error.what();
        }
    }
    static size_t count(const Program& program, const std::string& part) {
        size_t found = 0;
        for (size_t at = program.ptx.find(part); at != std::string::npos;
             at = program.ptx.find(part, at + 1))
            ++found;
        return found;
    }
    fs::path cache_;
};

TEST_F(ClangCompiler, GivesPtxWithTheSourcesNameAndNoCubin) {
    CompileOptions options = options_for("scale<float, 64>");
    options.defines = {"FACTOR=3"};
    Program program = compile(kAlignedScale, options);
    EXPECT_EQ("_Z5scaleIfLi64EEvPT_", program.entry);
    EXPECT_EQ(1u, count(program, ".entry _Z5scaleIfLi64EEvPT_("));
    EXPECT_EQ(1u, count(program, "\t1 \"scale.cu\"\n"));
    EXPECT_EQ(1u, count(program, ".loc\t1 5 5"));
    EXPECT_EQ(1u, count(program, ".target sm_90\n"));
    EXPECT_EQ(0u, count(program, "lanewise"));
    EXPECT_TRUE(program.cubin.empty());
    EXPECT_EQ("clang " + find_clang().version, program.compiler);
    EXPECT_EQ(CompilerKind::clang, program.kind);
    EXPECT_TRUE(program.warnings.empty()) << program.warnings[0].text;
    EXPECT_EQ(Program::Origin::cached, compile(kAlignedScale, options).origin);
}

TEST_F(ClangCompiler, ACopyOfAVectorIsOneAccessWhateverIsUsedOfIt) {
    Program program = compiled(
        "__global__ void k(const float4* in, float* out) {\n"
        "    float4 v = in[threadIdx.x];\n"
        "    out[0] = v.x;\n"
        "    if (out[1] > 0) out[2] = v.w;\n"
        "}\n");
    EXPECT_EQ(1u, count(program, "ld.global.v4."));
    // One member alone is one, and stays one.
    program = compiled("__global__ void k(const float4* in, float4* out) { out->y = in->x; }");
    EXPECT_EQ(0u, count(program, ".v4."));
    EXPECT_EQ(0u, count(program, ".v2."));
}

TEST_F(ClangCompiler, HeaderFunctionsCountForTheLineThatCallsThem) {
    Program program = compiled(
        "__global__ void k(int* out) {\n"
        "    int n = 0;\n"
        "    n += __shfl_xor_sync(~0u, out[0], 1);\n"
        "    out[1] = atomicAdd(out, n);\n"
        "}\n");
    EXPECT_EQ(1u, count(program, ".file\t"));
    EXPECT_GE(count(program, ".loc\t1 3 "), 1u);
    EXPECT_GE(count(program, ".loc\t1 4 "), 1u);
}

TEST_F(ClangCompiler, FindsTheKernelThatTheExpressionNames) {
    std::string text =
        "namespace a { namespace { template <class T, int N = 3> __global__ void t(T*, const T*) {}"
        " } }\n"
        "__global__ void o(int* p) { *p = 1; }\n"
        "__global__ void o(float* p) { *p = 1; }\n"
        "extern \"C\" __global__ void plain(int* p) { *p = 1; }\n"
        "static __global__ void hidden(int* p) { *p = 1; }\n";
    EXPECT_EQ("_ZN1a12_GLOBAL__N_11tI6float4Li3EEEvPT_PKS3_", compiled(text, "a::t<float4>").entry);
    EXPECT_EQ("_Z1oPf", compiled(text, "(void (*)(float*))o").entry);
    EXPECT_EQ("plain", compiled(text, "plain").entry);
    EXPECT_EQ("plain", compiled(text, "&plain").entry);
    EXPECT_NE(std::string::npos, compiled(text, "hidden").entry.find("hidden"));
}

TEST_F(ClangCompiler, ErrorsShowTheLineAndACaret) {
    Source bad = kAlignedScale;
    bad.text.replace(bad.text.find("tile[threadIdx.x ^ 1]"), 4, "tyle");
    CompileOptions options = options_for("scale<float, 64>");
    options.defines = {"FACTOR=3"};
    EXPECT_EQ(
        "scale.cu:6:24: error: use of undeclared identifier 'tyle'; did you mean 'tile'?\n"
        "    out[threadIdx.x] = tyle[threadIdx.x ^ 1] * FACTOR;\n"
        "                       ^",
        message_of(bad, options));
    EXPECT_THROW(check_source(bad, options), CompileError);
    check_source(kAlignedScale, options);
}

TEST_F(ClangCompiler, AnErrorInATemplateNamesTheLineInIt) {
    std::string message = message_of({"k.cu",
                                      "template <class T>\n"
                                      "__device__ void f(T v) { v.nothing(); }\n"
                                      "__global__ void k(int* p) { f(*p); }\n"},
                                     options_for("k"));
    EXPECT_EQ(0u, message.find("k.cu:2:27: error: member reference base type 'int'")) << message;
    EXPECT_NE(std::string::npos, message.find("(line 3: in instantiation of")) << message;
}

TEST_F(ClangCompiler, AKernelThatIsNotThereIsNamed) {
    CompileOptions options = options_for("scael<float, 64>");
    options.defines = {"FACTOR=3"};
    std::string message = message_of(kAlignedScale, options);
    EXPECT_EQ(0u, message.find("scale.cu: error: no kernel fits \"scael<float, 64>\": "))
        << message;
    EXPECT_NE(std::string::npos, message.find("Kernels in this source: scale")) << message;
    message = message_of({"k.cu", "__device__ void f(int*) {}"}, options_for("f"));
    EXPECT_NE(std::string::npos, message.find("not the name of a __global__ function")) << message;
}

TEST_F(ClangCompiler, ACacheThatCannotBeWrittenIsNoObstacle) {
    ::setenv("XDG_CACHE_HOME", "/proc/nowhere", 1);  // not even root may write there
    Program program = compiled("#include <algorithm>\n__global__ void k(float* o) { *o = 1; }\n");
    EXPECT_EQ(1u, count(program, ".entry"));
}

// What is kept of the headers changes nothing of what is compiled; where it was spoiled or is gone, it is made anew.
TEST_F(ClangCompiler, PrecompiledHeadersGiveTheSameProgram) {
    const std::string text =
        "__global__ void k(float* o) { o[0] = __fdividef(__shfl_xor_sync(~0u, o[1], 1), 3); }\n";
    auto files = [&] { return files_in(cache_ / "lanewise/clang-headers", ".pch"); };
    const Program first = compiled(text);
    ASSERT_EQ(1u, files().size());
    const fs::path kept = files().front();
    EXPECT_TRUE(kept.filename().string().starts_with("sm_")) << kept;
    const std::string right = read_file(kept);
    EXPECT_NE("", right);

    // A word of the headers themselves is defined: they are read as text, and nothing is kept.
    CompileOptions options = options_for("k");
    options.arch = "sm_80";
    options.defines = {"__fdividef=quotient"};
    EXPECT_NE("", compile({"k.cu", text}, options).ptx);
    EXPECT_EQ(1u, files().size());
    options.defines = {"PAD=1"};
    compile({"k.cu", text}, options);
    EXPECT_EQ(2u, files().size());

    // Each time another comment, so that no program is taken from the cache.
    write_file(kept, right.substr(0, right.size() / 2));
    EXPECT_EQ(first.ptx, compiled(text + "// cut\n").ptx);
    EXPECT_EQ(right.size(), read_file(kept).size()) << "it was not made anew";
    write_file(kept, "no such thing");
    EXPECT_EQ(first.ptx, compiled(text + "// other\n").ptx);
    fs::remove(kept);
    EXPECT_EQ(first.ptx, compiled(text + "// gone\n").ptx);
    EXPECT_TRUE(fs::exists(kept));

    // An error is told as ever.
    std::string message =
        message_of({"k.cu", "__global__ void k(float* o) { *o = nowhere; }"}, options_for("k"));
    EXPECT_NE(std::string::npos, message.find("nowhere")) << message;
    EXPECT_EQ(std::string::npos, message.find("pch")) << message;
}

TEST_F(ClangCompiler, AnUnknownArchitectureIsRefused) {
    for (const char* arch : {"sm_42x", "compute_90", "sm_9999", "--version"}) {
        CompileOptions options = options_for("k");
        options.arch = arch;
        std::string message =
            message_of({"k.cu", "__global__ void k() {}"}, options, Status::bad_input);
        EXPECT_NE(std::string::npos, message.find("it knows architectures from sm_75")) << message;
    }
}

TEST_F(ClangCompiler, AWholeProgramIsCompiledWithoutItsHostCode) {
    Program program = compiled(
        "#include <cstdio>\n"
        "#include <vector>\n"
        "#include <cuda_runtime.h>\n"
        "int twice(int v) { return 2 * v; }\n"
        "__global__ void k(uint32_t* p) { *p = std::min<uint32_t>(twice(p[1]), 7u); }\n"
        "int main() {\n"
        "    std::vector<int> v(7);\n"
        "    uint32_t* p;\n"
        "    cudaMalloc(&p, 8);\n"
        "    k<<<1, 1>>>(p);\n"
        "    return cudaDeviceSynchronize();\n"
        "}\n");
    EXPECT_EQ(1u, count(program, ".entry _Z1kPj("));
}

TEST_F(ClangCompiler, HeadersOfTheUsersOwnAreFound) {
    fs::path folder = cache_ / "own";
    write_file(folder / "seven.h", "__device__ inline int seven() { return 7; }\n");
    CompileOptions options = options_for("k");
    options.include_folders = {folder.string()};
    Program program = compile(
        {"k.cu", "#include \"seven.h\"\n__global__ void k(int* p) { *p = seven(); }"}, options);
    EXPECT_EQ("_Z1kPi", program.entry);
}

TEST_F(ClangCompiler, EveryHeaderCompilesForEveryArchitecture) {
    for (const char* arch : {"sm_75", "sm_80", "sm_86", "sm_89", "sm_90"}) {
        CompileOptions options = options_for("k");
        options.arch = arch;
        Program program = compile(
            {"k.cu",
             "#include <cooperative_groups.h>\n#include <cooperative_groups/reduce.h>\n"
             "#include <cooperative_groups/scan.h>\n#include <cooperative_groups/memcpy_async.h>\n"
             "#include <cuda_pipeline.h>\n#include <cuda_fp16.h>\n#include <cuda_bf16.h>\n"
             "#include <mma.h>\n#include <cuda_runtime.h>\n#include <math_constants.h>\n"
             "__global__ void k(float* p, half* h, __nv_bfloat16* b) {\n"
             "    auto tile = cooperative_groups::tiled_partition<32>(\n"
             "        cooperative_groups::this_thread_block());\n"
             "    *p = cooperative_groups::reduce(tile, *p, cooperative_groups::plus<float>());\n"
             "    h[0] = hexp(h[1] * h[2]);\n"
             "    b[0] = __hfma(b[0], b[1], b[2]);\n"
             "}\n"},
            options);
        EXPECT_EQ(1u, count(program, ".entry")) << arch;
    }
}

TEST_F(ClangCompiler, RoundingHasPtxsOwnNamesAndMemcpyIsNoCall) {
    Program program = compiled(
        "#include <cuda_fp16.h>\n"
        "__global__ void k(float* p, double* d, int* i, __half* h) {\n"
        "    p[0] = __fadd_ru(p[1], __fmul_rd(p[2], p[3]));\n"
        "    d[0] = __dsqrt_rd(__dadd_ru(d[1], d[2]));\n"
        "    i[0] = __float2int_ru(p[4]) + __double2int_rd(d[3]);\n"
        "    h[0] = __float2half_rd(__int2float_ru(i[1]));\n"
        "    memcpy(&p[7], &i[2], 4);\n"
        "}\n");
    for (const char* wrong : {".ru.", ".rd.", ".rui.", ".rdi.", "call"})
        EXPECT_EQ(0u, count(program, wrong)) << wrong;
    for (const char* right : {"add.rp.f32", "mul.rm.f32", "sqrt.rm.f64", "cvt.rpi.s32.f32",
                              "cvt.rmi.s32.f64", "cvt.rm.f16.f32", "cvt.rp.f32.s32"})
        EXPECT_EQ(1u, count(program, right)) << right;
}

TEST_F(ClangCompiler, ManyThreadsMayCompileAtOnce) {
    std::vector<std::thread> threads;
    std::vector<std::string> entries(6);
    for (size_t i = 0; i < entries.size(); ++i)
        threads.emplace_back([&, i] {
            std::string name = "k" + std::to_string(i);
            entries[i] = compiled("__global__ void " + name + "(int* p) { *p = 1; }", name).entry;
        });
    for (std::thread& thread : threads) thread.join();
    for (size_t i = 0; i < entries.size(); ++i)
        EXPECT_EQ("_Z2k" + std::to_string(i) + "Pi", entries[i]);
}

TEST(ClangSearch, ReadsTheVersionOfEveryVendor) {
    EXPECT_EQ("19.1.7", clang_version_in("Debian clang version 19.1.7 (3~deb12u1)\nTarget: x\n"));
    EXPECT_EQ("18.1.3", clang_version_in("Ubuntu clang version 18.1.3 (1ubuntu1)\n"));
    EXPECT_EQ("20.1.0", clang_version_in("clang version 20.1.0\n"));
    EXPECT_EQ("", clang_version_in("g++ (Debian 12.2.0-14+deb12u1) 12.2.0\n"));
}

TEST(ChildProcess, GivesBackWhatItReadsAndHowItEnded) {
    std::string long_text(3 << 20, 'x');
    EXPECT_EQ(long_text, run_child({"cat"}, long_text, std::chrono::seconds(20)).out);
    EXPECT_EQ(1, run_child({"false"}, long_text, std::chrono::seconds(20)).status);
    EXPECT_FALSE(run_child({"cat", "/nowhere"}, "", std::chrono::seconds(20)).err.empty());
    EXPECT_TRUE(run_child({"sleep", "20"}, "", std::chrono::milliseconds(50)).timed_out);
    EXPECT_THROW(run_child({"/nowhere/at-all"}, "", std::chrono::seconds(1)), Error);
}

}  // namespace lanewise
