// Whole programs: what is hidden of their host code, and that the rest compiles.
#include "compile/host_code.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "../needs.h"
#include "base/text.h"
#include "compile/compiler.h"

namespace lanewise {
namespace {

// The line without what was hidden.
std::string line_of(const DeviceCode& code, size_t line) {
    return std::string(trimmed(lines_of(code.text()).at(line - 1)));
}

TEST(DeviceCode, KeepsEveryPlaceAndHidesWhatIsTheHosts) {
    std::string source =
        "#include <vector>\n"
        "#include \"mine.h\"\n"
        "#define CHECK(x) do { if (x) exit(1); } while (0)\n"
        "__global__ void k(float* p) { p[0] = '{'; }  // }\n"
        "int helper(int i) { return i / 2; }\n"
        "__host__ void fill(float* p) { *p = 1; }\n"
        "void launch(float* p) {\n"
        "    k<<<1, 32>>>(p);\n"
        "}\n"
        "int main() { const char* s = \"}\"; launch(nullptr); return s[0]; }\n"
        "__constant__ float table[2] = {1, 2};\n";
    DeviceCode code(source);
    ASSERT_EQ(source.size(), code.text().size());
    EXPECT_EQ("", line_of(code, 1));
    EXPECT_EQ("#include \"mine.h\"", line_of(code, 2));
    EXPECT_EQ("__global__ void k(float* p) { p[0] = '{'; }  // }", line_of(code, 4));
    EXPECT_EQ("int helper(int i) { return i / 2; }", line_of(code, 5));
    for (size_t line : {6, 7, 8, 9, 10}) EXPECT_EQ("", line_of(code, line)) << line;
    EXPECT_EQ("__constant__ float table[2] = {1, 2};", line_of(code, 11));
}

TEST(DeviceCode, HidesWhatHasAnErrorUnlessItIsTheDevices) {
    DeviceCode code(
        "namespace a {\n"
        "std::ofstream log;\n"
        "template <class T = int> struct Pair {\n"
        "    T one;\n"
        "    void print() { std::cout << one; }\n"
        "    __device__ T get() { return one; }\n"
        "};\n"
        "}  // namespace a\n"
        "double now() { return 1'000 * (x = R\"(})\", y); }\n"
        "__global__ void k() { undefined(); }\n");
    EXPECT_TRUE(code.hide_at(2));
    EXPECT_FALSE(code.hide_at(2));  // nothing is left
    EXPECT_TRUE(code.hide_at(5));
    EXPECT_FALSE(code.hide_at(6));
    EXPECT_TRUE(code.hide_at(9));
    EXPECT_FALSE(code.hide_at(10));
    EXPECT_FALSE(code.hide_at(400));
    EXPECT_EQ("", line_of(code, 2));
    EXPECT_EQ("T one;", line_of(code, 4));
    EXPECT_EQ("", line_of(code, 5));
    EXPECT_EQ("__device__ T get() { return one; }", line_of(code, 6));
    EXPECT_EQ("", line_of(code, 9));
    EXPECT_EQ("__global__ void k() { undefined(); }", line_of(code, 10));
}

TEST(DeviceCode, SaysWhichLinesItHides) {
    const std::string source =
        "#include <vector>\n\n#include <map>\nint kept;\nint main() {\n\n}\nint kept_too;\n"
        "int twice() { return 2 * main(); }\n";
    DeviceCode code(source);
    EXPECT_EQ("1-3, 5-7 and 9", hidden_lines(source, code.text()));
    EXPECT_EQ("", hidden_lines(source, source));
    EXPECT_EQ("2", hidden_lines("a\nb\nc\n", "a\n \nc\n"));
    std::string many, none;
    for (int i = 0; i < 9; ++i) many += "x\ny\n", none += " \ny\n";
    EXPECT_EQ("1, 3, 5, 7, 9, 11 and 3 more", hidden_lines(many, none));

    EXPECT_EQ("5-7 and 9", hidden_in_log("k.cu(2): note" + log_of_hidden("5-7 and 9")));
    EXPECT_EQ("", hidden_in_log("k.cu(2): note\n"));
    EXPECT_EQ("", log_of_hidden(""));
}

TEST(DeviceCode, HeadersOfTheUsersOwnStayWhateverTheirName) {
    auto is_local = [](const IncludeLine& include) {
        return include.is_quoted && (include.name == "queue" || include.name == "memory.h");
    };
    DeviceCode code(
        "#include \"queue\"\n#  include <queue>\n#include \"memory.h\"\n#include \"omp.h\"\n",
        is_local);
    EXPECT_EQ("#include \"queue\"", line_of(code, 1));
    EXPECT_EQ("", line_of(code, 2));
    EXPECT_EQ("#include \"memory.h\"", line_of(code, 3));
    EXPECT_EQ("", line_of(code, 4));
}

TEST(DeviceCode, TextThatIsNoProgramDoesNoHarm) {
    for (const char* text :
         {"", "}", "{", "}}}}", "((((;", "#include <", "\"", "'", "R\"(", "/*", "template <",
          "template <int> {", "main", "#\\\n#\\", "<<<", "__device__", "cudaX", "a;b{;c};"}) {
        DeviceCode code(text);
        for (int line = 0; line < 4; ++line) code.hide_at(line);
        EXPECT_EQ(std::string(text).size(), code.text().size()) << text;
    }
}

// As downloaded: headers of the host, a macro around calls, unannotated helpers, main.
TEST(WholeProgram, CompilesAsItIs) {
    NEEDS_NVRTC();
    Source source{"program.cu", R"(#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <iostream>
#include <limits>
#include <vector>
#include <cuda.h>
#include <cuda_runtime.h>

#define CHECK(call) if (call != cudaSuccess) { fprintf(stderr, "failed\n"); exit(1); }
using std::cout;
using namespace std;
inline int wrapped(int i, int n) { return i < 0 ? i + n : i; }
struct Timer {
    std::chrono::steady_clock::time_point start;
    double seconds() { return (std::chrono::steady_clock::now() - start).count(); }
};
template <int BLOCK>
__global__ void smallest(const float* in, float* out, int n) {
    float least = std::numeric_limits<float>::max();
    for (uint32_t i = threadIdx.x; i < n; i += BLOCK) least = min(least, in[wrapped(i - 1, n)]);
    out[threadIdx.x] = std::min(least, FLT_MAX);
}
static double reference(const std::vector<float>& in) {
    return *std::min_element(in.begin(), in.end());
}
int main(int argc, char** argv) {
    std::vector<float> host(1 << 20);
    float *in, *out;
    CHECK(cudaMalloc(&in, host.size() * sizeof(float)));
    smallest<64><<<1, 64>>>(in, out, 1 << 20);
    cout << reference(host) << endl;
}
)"};
    CompileOptions options;
    options.kernel = "smallest<64>";
    Program program = compile(source, options);
    EXPECT_NE(std::string::npos, program.ptx.find("program.cu"));
    EXPECT_NE(std::string::npos, program.ptx.find(".entry " + program.entry));
    EXPECT_EQ(std::string::npos, program.ptx.find("reference"));
    EXPECT_TRUE(program.warnings.empty()) << program.log;
}

// What nvcc's headers declare without being included: programmatic dependent launch.
TEST(WholeProgram, WaitsForTheLaunchBefore) {
    NEEDS_NVRTC();
    CompileOptions options;
    options.kernel = "k";
    Program program = compile({"next.cu",
                               "__global__ void k(int* p) {\n"
                               "    cudaGridDependencySynchronize();\n"
                               "    p[0] = 1;\n"
                               "    cudaTriggerProgrammaticLaunchCompletion();\n"
                               "}\n"},
                              options);
    EXPECT_NE(std::string::npos, program.ptx.find("griddepcontrol.wait;"));
    EXPECT_NE(std::string::npos, program.ptx.find("griddepcontrol.launch_dependents;"));
}

// cuBLAS's header stays outside; the narrow floats that it brings along do not.
TEST(WholeProgram, HasTheTypesThatCublasBringsAndTheHostsConstants) {
    NEEDS_NVRTC();
    if (compiler_status().include_folder.empty()) GTEST_SKIP() << "needs the toolkit's headers";
    CompileOptions options;
    options.kernel = "k";
    Program program =
        compile({"blas.cu",
                 "#include <cublas_v2.h>\n#include <bit>\n#include <execution>\n"
                 "__global__ void k(half* a, __nv_bfloat16* b, double* c) {\n"
                 "    a[0] = __float2half(1.0f);\n    b[0] = __float2bfloat16(2.0f);\n"
                 "    c[0] = RAND_MAX * M_2_SQRTPI * M_LOG2E + EXIT_FAILURE;\n}\n"
                 "int main() { cublasHandle_t h; cublasCreate(&h); }\n"},
                options);
    EXPECT_NE(std::string::npos, program.ptx.find(".entry"));
}

// uint64_t is unsigned long with nvcc on Linux, also where libcu++ or the helpers of asynchronous
// barriers would have it otherwise.
TEST(WholeProgram, HasTheIntegersOfNvcc) {
    NEEDS_NVRTC();
    if (compiler_status().include_folder.empty()) GTEST_SKIP() << "needs the toolkit's headers";
    CompileOptions options;
    options.kernel = "k";
    for (const char* header : {"", "#include <cuda/std/cstdint>\n", "#include <cuda_pipeline.h>\n",
                               "#include <cooperative_groups.h>\n"}) {
        Program program = compile(
            {"integers.cu", "#include <cstdint>\n#include <vector>\n" + std::string(header) +
                                "template <class T> struct Is;\n"
                                "template <> struct Is<unsigned long> { int x; };\n"
                                "__global__ void k(int* p) { Is<uint64_t> is{3};\n"
                                "    Is<std::uint64_t> also{4}; p[0] = is.x + also.x; }\n"},
            options);
        EXPECT_NE(std::string::npos, program.ptx.find(".entry")) << header;
    }
}

// What the few lines of host_headers.cpp lack is libcu++'s.
TEST(WholeProgram, HasTheStandardLibraryOfTheDevice) {
    NEEDS_NVRTC();
    CompileOptions options;
    options.kernel = "k<float>";
    Program program =
        compile({"std.cu",
                 "#include <array>\n#include <type_traits>\n#include <utility>\n#include <vector>\n"
                 "template <class T> T half_of(T x) {\n"
                 "    if constexpr (std::is_integral<T>::value) return x / T(2);\n"
                 "    else return x * T(0.5);\n}\n"
                 "template <class T> __global__ void k(T* p) {\n"
                 "    static_assert(std::is_floating_point_v<T>);\n"
                 "    std::array<T, 2> a = {T(1), T(2)};\n"
                 "    std::pair<int, T> q = std::make_pair(3, a[1]);\n"
                 "    using Sum = decltype(std::declval<T>() + 1.0);\n"
                 "    p[0] = half_of(q.second) + T(Sum(q.first)) + std::nearbyint(2.5f);\n}\n"
                 "int main() { std::vector<int> v(3); }\n"},
                options);
    EXPECT_NE(std::string::npos, program.ptx.find(".entry"));
    EXPECT_TRUE(is_of_whole_std("namespace \"std\" has no member \"is_integral\""));
    EXPECT_TRUE(is_of_whole_std("namespace \"std\" has no member class \"pair\""));
    EXPECT_TRUE(is_of_whole_std("no template named 'array' in namespace 'std'"));
    EXPECT_FALSE(is_of_whole_std("namespace \"std\" has no member \"vector\""));
    EXPECT_FALSE(is_of_whole_std("identifier \"is_integral\" is undefined"));
}

// PyTorch's, too, bring them; an extension's template says half without an include of its own.
TEST(WholeProgram, HasTheTypesThatTorchBrings) {
    NEEDS_NVRTC();
    if (compiler_status().include_folder.empty()) GTEST_SKIP() << "needs the toolkit's headers";
    CompileOptions options;
    options.kernel = "scale<64>";
    Program program =
        compile({"extension.cu",
                 "#include <torch/extension.h>\n#include <ATen/cuda/CUDAContext.h>\n"
                 "#include <c10/util/Optional.h>\n"
                 "template <const int kSide> __global__ void scale(half* q, float s) {\n"
                 "    q[threadIdx.x] = __float2half(s * kSide);\n}\n"
                 "void go(torch::Tensor q) { scale<64><<<1, 64>>>((half*)q.data_ptr(), 1.0f); }\n"},
                options);
    EXPECT_NE(std::string::npos, program.ptx.find(".entry"));
}

// NVRTC 13.0 crashes here, where it is asked for the instance at once.
TEST(WholeProgram, ATypeThatIsMissingInATemplatesParametersIsAnError) {
    NEEDS_NVRTC();
    CompileOptions options;
    options.kernel = "scale<64>";
    try {
        compile({"half.cu",
                 "template <const int kSide> __global__ void scale(half* q) { q[0] = kSide; }\n"},
                options);
        FAIL() << "it compiled";
    } catch (const CompileError& error) {
        EXPECT_NE(std::string::npos, std::string(error.what()).find("\"half\" is undefined"));
    }
}

// The toolkit's headers that mix host and device code.
TEST(WholeProgram, HasWhatBlocksShareOfCubAndRandomNumbers) {
    NEEDS_NVRTC();
    if (compiler_status().include_folder.empty()) GTEST_SKIP() << "needs the toolkit's headers";
    CompileOptions options;
    options.kernel = "k";
    auto ptx = [&](const std::string& text) { return compile({"mixed.cu", text}, options).ptx; };
    EXPECT_NE(std::string::npos,
              ptx("#include <cub/cub.cuh>\n"
                  "__global__ void k(int* p) {\n"
                  "    using Reduce = cub::BlockReduce<int, 64>;\n"
                  "    __shared__ Reduce::TempStorage storage;\n"
                  "    int sum = Reduce(storage).Sum(p[threadIdx.x]);\n"
                  "    if (threadIdx.x == 0) p[0] = sum;\n"
                  "}\n"
                  "void run(int* p) { size_t n; cub::DeviceReduce::Sum(nullptr, n, p, p, 9); }\n")
                  .find("redux.sync"));
    EXPECT_NE(std::string::npos, ptx("#include <curand_kernel.h>\n#include <iostream>\n"
                                     "__global__ void k(float* p) {\n"
                                     "    curandState state;\n"
                                     "    curand_init(1234, threadIdx.x, 0, &state);\n"
                                     "    p[threadIdx.x] = curand_uniform(&state);\n"
                                     "}\n")
                                     .find(".entry"));
}

// Errors of device code are told as of the source as it is.
TEST(WholeProgram, ErrorsOfTheKernelAreTold) {
    NEEDS_NVRTC();
    CompileOptions options;
    options.kernel = "k";
    std::string kernel = "__global__ void k(float* p) {\n    p[0] = nothing;\n}\n";
    for (const std::string& before : {std::string(), std::string("#include <iostream>\n")}) {
        try {
            compile({"wrong.cu", before + kernel + "int main() { k<<<1, 1>>>(nullptr); }\n"},
                    options);
            FAIL() << "it compiled";
        } catch (const CompileError& error) {
            ASSERT_EQ(1u, error.diagnostics().size()) << error.what();
            EXPECT_EQ(before.empty() ? 2 : 3, error.diagnostics()[0].line);
            EXPECT_EQ(12, error.diagnostics()[0].column);
        }
    }
}

// As it is, the source lacks CUDA's C++ library; with it, the error is the kernel's own.
TEST(WholeProgram, ErrorsBehindAHeaderOfTheLibraryAreTold) {
    NEEDS_NVRTC();
    CompileOptions options;
    options.kernel = "k";
    try {
        compile({"wrong.cu",
                 "#include <cuda/std/cstdint>\n__global__ void k(float* p) {\n    p[0] = "
                 "nothing;\n}\n"},
                options);
        FAIL() << "it compiled";
    } catch (const CompileError& error) {
        ASSERT_EQ(1u, error.diagnostics().size()) << error.what();
        EXPECT_EQ(3, error.diagnostics()[0].line);
        EXPECT_NE(std::string::npos, error.diagnostics()[0].text.find("nothing"));
    }
}

}  // namespace
}  // namespace lanewise
