// Launches read from host code: programs as people write them, with the commands worked out by hand.
#include "lab/host/launch_proposals.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "base/error.h"
#include "lab/kernel/kernel_arguments.h"

namespace lanewise {
namespace {

namespace fs = std::filesystem;

const std::string kKernels = R"(
template <typename T, int BLOCK>
__global__ void histogram(const T* in, int* bins, int n) { bins[in[blockIdx.x * BLOCK] % 64] = n; }
__global__ void scale(float* x, float by, int n) { x[n - 1] *= by; }
)";

class Proposals : public testing::Test {
  protected:
    Proposals() { fs::create_directories(folder_); }
    ~Proposals() override { fs::remove_all(folder_); }
    fs::path write(const std::string& name, const std::string& text) const {
        std::ofstream(folder_ / name) << text;
        return folder_ / name;
    }
    std::vector<LaunchProposal> of(const std::string& host) const {
        return propose_launches(write("a.cu", kKernels + host), {});
    }
    // What comes behind "trace FILE".
    static std::string words(const LaunchProposal& proposal) {
        return shell_line({proposal.command.begin() + 3, proposal.command.end()});
    }
    static std::string blanks(const LaunchProposal& proposal) {
        std::string text;
        for (const LaunchBlank& blank : proposal.blanks)
            text += blank.name + ": " + blank.why + " (" + blank.suggestion + "); ";
        return text;
    }
    fs::path folder_ = fs::temp_directory_path() / ("launches" + std::to_string(getpid()));
};

TEST_F(Proposals, AWholeProgram) {
    const auto found = of(R"(
#include <vector>
#define CHECK(call) do { cudaError_t e = (call); if (e != cudaSuccess) { exit(1); } } while (0)
#define CEIL_DIV(a, b) (((a) + (b) - 1) / (b))
constexpr int kBins = 64;
void run(int n, float by) {
    float* x;
    CHECK(cudaMalloc(&x, n * sizeof(float)));
    dim3 block(128), grid(CEIL_DIV(n, block.x), 2);
    scale<<<grid, block, 0, nullptr>>>(x, by, n);
}
int main(int argc, char** argv) {
    int n = 1 << 20;
    if (argc > 1) n = atoi(argv[1]);
    std::vector<int> host(n);
    for (int i = 0; i < n; i++) host[i] = rand() % 1000;
    int *in, *bins;
    CHECK(cudaMalloc((void**)&in, n * sizeof(int)));
    CHECK(cudaMalloc((void**)&bins, kBins * sizeof(int)));
    CHECK(cudaMemcpy(in, host.data(), n * sizeof(int), cudaMemcpyHostToDevice));
    CHECK(cudaMemset(bins, 0, kBins * sizeof(int)));
    const int block = 256;
    histogram<int, block><<<(n + block - 1) / block, block, block * sizeof(float)>>>(in, bins, n);
    run(n / 2, 0.5f);
}
)");
    ASSERT_EQ(2u, found.size());
    EXPECT_EQ(
        "--kernel scale --grid 4096,2 --block 128 --arg 'f32[524288]' --arg f32:0.5 --arg "
        "i32:524288",
        words(found[0]));
    EXPECT_EQ(14, found[0].line);
    EXPECT_EQ(
        "--kernel 'histogram<int, 256>' --grid 4096 --block 256 --dynamic-shared 1024 --arg "
        "'i32[1048576]=0..999' --arg 'i32[64]=0' --arg i32:1048576",
        words(found[1]));
    for (const LaunchProposal& proposal : found) EXPECT_EQ("", blanks(proposal) + proposal.problem);
}

TEST_F(Proposals, WhatTheHostCodeDoesNotSayIsNamed) {
    const auto found = of(R"(
void launch(float* out, int n, float by) { scale<<<(n + 255) / 256, 256>>>(out, by, n); }
)");
    ASSERT_EQ(1u, found.size());
    EXPECT_EQ("--kernel scale --grid 4 --block 256 --arg 'f32[1024]' --arg f32:1 --arg i32:1024",
              words(found[0]));
    EXPECT_EQ(
        "n: it is a parameter of launch() (1024); by: it is a parameter of launch() (1); "
        "elements of x: where it is allocated was not found (1024); ",
        blanks(found[0]));
}

TEST_F(Proposals, ContentsThatAreFilledPlainly) {
    const auto found = of(R"(
int main() {
    float *a = new float[100], *d; int *b = (int*)malloc(400), *e; int* f;
    for (int i = 0; i < 100; ++i) { a[i] = 0.5f; b[i] = 3 * i + 1; }
    cudaMalloc(&d, 400); cudaMalloc(&e, 400); cudaMallocManaged(&f, 40);
    cudaMemcpy(d, a, 400, cudaMemcpyHostToDevice);
    cudaMemcpy(e, b, 400, cudaMemcpyHostToDevice);
    scale<<<1, 32>>>(d, 2, 100);
    histogram<int, 32><<<1, 32>>>(e, f, 100);
}
)");
    ASSERT_EQ(2u, found.size());
    EXPECT_NE(std::string::npos, words(found[0]).find("'f32[100]=0.5' --arg f32:2"));
    EXPECT_NE(std::string::npos, words(found[1]).find("'i32[100]=1+3' --arg 'i32[10]' "));
}

TEST_F(Proposals, RandomFloatsAreARange) {
    const auto found = of(R"(
int main() {
    float* h = (float*)malloc(64 * sizeof(float)); float* d;
    for (int i = 0; i < 64; i++) h[i] = (float)rand() / RAND_MAX * 2 - 1;
    cudaMalloc(&d, 64 * sizeof(*d));
    cudaMemcpy(d, h, 64 * sizeof(*d), cudaMemcpyHostToDevice);
    scale<<<dim3(2), dim3(32)>>>(d, 1.5f, 64);
}
)");
    ASSERT_EQ(1u, found.size());
    EXPECT_EQ("--kernel scale --grid 2 --block 32 --arg 'f32[64]=-1..1' --arg f32:1.5 --arg i32:64",
              words(found[0]));
}

TEST_F(Proposals, EveryCaseOfASwitchAndTheOtherBranch) {
    const auto found = of(R"(
int main() {
    int kind = 1; float* x; cudaMalloc(&x, 1 << 10);
    switch (kind) {
        case 0: scale<<<1, 32>>>(x, 1, 1); break;
        case 1: scale<<<2, 32>>>(x, 1, 2); break;
    }
    if (kind == 3) scale<<<3, 32>>>(x, 1, 3);
    else scale<<<4, 32>>>(x, 1, 4);
}
)");
    ASSERT_EQ(4u, found.size());
    for (size_t i = 0; i < 4; ++i) {
        EXPECT_NE(std::string::npos, words(found[i]).find("--grid " + std::to_string(i + 1) + " "))
            << i;
        EXPECT_EQ("", blanks(found[i]));
    }
}

TEST_F(Proposals, LoopsThatComputeASizeAreFollowed) {
    const auto found = of(R"(
int main() {
    int n = 1000, threads = 1;
    while (threads < n) threads *= 2;
    float* x; cudaMalloc(&x, threads * 4);
    for (int s = threads / 2; s > 0; s >>= 1) scale<<<1, s>>>(x, 1, s);
}
)");
    ASSERT_EQ(1u, found.size());
    EXPECT_EQ("--kernel scale --grid 1 --block 512 --arg 'f32[1024]' --arg f32:1 --arg i32:512",
              words(found[0]));
}

TEST_F(Proposals, LaunchesByTheRuntimesCall) {
    const auto found = of(R"(
int main() {
    float* x; cudaMalloc(&x, 4096); float by = 3; int n = 1024;
    void* args[] = {&x, &by, &n};
    cudaLaunchKernel((void*)scale, dim3(4), dim3(256), args, 0, 0);
}
)");
    ASSERT_EQ(1u, found.size());
    EXPECT_EQ("--kernel scale --grid 4 --block 256 --arg 'f32[1024]' --arg f32:3 --arg i32:1024",
              words(found[0]));
}

// As the CUDA Programming Guide writes a launch in clusters.
TEST_F(Proposals, LaunchesWithAConfigurationHaveTheirClusters) {
    const auto found = of(R"(
int main() {
    float* x; cudaMalloc(&x, 4096); const int n = 1024;
    cudaLaunchConfig_t config = {0};
    config.gridDim = n / 256;
    config.blockDim = dim3(128, 2);
    config.dynamicSmemBytes = 64 * sizeof(float);
    cudaLaunchAttribute attribute[2];
    attribute[0].id = cudaLaunchAttributePriority;
    attribute[0].val.priority = 1;
    attribute[1].id = cudaLaunchAttributeClusterDimension;
    attribute[1].val.clusterDim.x = 2;
    attribute[1].val.clusterDim.y = 1;
    attribute[1].val.clusterDim.z = 1;
    config.attrs = attribute;
    config.numAttrs = 2;
    cudaLaunchKernelEx(&config, scale, x, 0.5f, n);
}
)");
    ASSERT_EQ(1u, found.size());
    EXPECT_EQ(
        "--kernel scale --grid 4 --block 128,2 --cluster 2 --dynamic-shared 256 --arg 'f32[1024]' "
        "--arg f32:0.5 --arg i32:1024",
        words(found[0]));
    EXPECT_EQ("", blanks(found[0]) + found[0].problem);
}

TEST_F(Proposals, AConfigurationInBraces) {
    const auto found = of(R"(
int main() {
    int *in, *bins; cudaMalloc(&in, 400); cudaMalloc(&bins, 256);
    cudaLaunchAttribute size{.id = cudaLaunchAttributeClusterDimension,
                             .val = {.clusterDim = {.x = 2, .y = 2, .z = 1}}};
    cudaLaunchConfig_t named = {.gridDim = {4, 2}, .blockDim = 32, .attrs = &size, .numAttrs = 1};
    if (cudaLaunchKernelEx(&named, histogram<int, 32>, in, bins, 100) != cudaSuccess) return 1;
    cudaLaunchConfig_t in_order{dim3(6), dim3(64), 0, nullptr, nullptr, 0};
    int n = 50; void* args[] = {&in, &bins, &n};
    cudaLaunchKernelExC(&in_order, (void*)histogram<int, 64>, args);
}
)");
    ASSERT_EQ(2u, found.size());
    EXPECT_EQ(
        "--kernel 'histogram<int, 32>' --grid 4,2 --block 32 --cluster 2,2 --arg 'i32[100]' --arg "
        "'i32[64]' --arg i32:100",
        words(found[0]));
    EXPECT_EQ(
        "--kernel 'histogram<int, 64>' --grid 6 --block 64 --arg 'i32[100]' --arg 'i32[64]' --arg "
        "i32:50",
        words(found[1]));
    for (const LaunchProposal& proposal : found) EXPECT_EQ("", blanks(proposal) + proposal.problem);
}

// Each variable has members of its own, whatever another of its name had before.
TEST_F(Proposals, TwoConfigurationsOfOneName) {
    const auto found = of(R"(
void first(float* x) {
    cudaLaunchAttribute a; a.id = cudaLaunchAttributeClusterDimension;
    a.val.clusterDim = {4, 1, 1};
    cudaLaunchConfig_t c{}; c.gridDim.x = 8; c.blockDim = 64; c.attrs = &a; c.numAttrs = 1;
    cudaLaunchKernelEx(&c, scale, x, 1.0f, 64);
}
int main() {
    float* x; cudaMalloc(&x, 256);
    first(x);
    cudaLaunchConfig_t c; c.gridDim = dim3(2); c.blockDim = dim3(32);
    cudaLaunchKernelEx(&c, scale, x, 2.0f, 64);
}
)");
    ASSERT_EQ(2u, found.size());
    EXPECT_EQ("--kernel scale --grid 8 --block 64 --cluster 4 --arg 'f32[64]' --arg f32:1 --arg i32:64",
              words(found[0]));
    EXPECT_EQ("--kernel scale --grid 2 --block 32 --arg 'f32[64]' --arg f32:2 --arg i32:64",
              words(found[1]));
}

TEST_F(Proposals, WhatAConfigurationDoesNotSayIsABlank) {
    const auto found = of(R"(
void fill(cudaLaunchAttribute* list);
int main(int argc, char** argv) {
    float* x; cudaMalloc(&x, 256);
    cudaLaunchAttribute list[4]; fill(list);
    cudaLaunchConfig_t c = {}; c.blockDim = 64; c.attrs = list; c.numAttrs = 1;
    cudaLaunchKernelEx(&c, scale, x, 1.0f, 64);
    cudaLaunchAttribute one[1]; one[0].id = cudaLaunchAttributeClusterDimension;
    int blocks = atoi(argv[1]);
    one[0].val.clusterDim.x = blocks;
    c.gridDim = 1024; c.attrs = one;
    cudaLaunchKernelEx(&c, scale, x, 1.0f, 32);
}
)");
    ASSERT_EQ(2u, found.size());
    EXPECT_EQ("--kernel scale --grid 1 --block 64 --cluster 1 --arg 'f32[64]' --arg f32:1 --arg i32:64",
              words(found[0]));
    EXPECT_EQ(
        "grid: it is not set where this can be followed (1); cluster: it is among attributes that are "
        "set where this cannot be followed (1); ",
        blanks(found[0]));
    EXPECT_EQ(
        "--kernel scale --grid 1024 --block 64 --cluster 1 --arg 'f32[64]' --arg f32:1 --arg i32:32",
        words(found[1]));
    EXPECT_EQ("cluster: it depends on blocks (1); ", blanks(found[1]));
    const auto wrong = of(R"(
int main() {
    float* x; cudaMalloc(&x, 256);
    cudaLaunchAttribute a; a.id = cudaLaunchAttributeClusterDimension; a.val.clusterDim.x = 32;
    cudaLaunchConfig_t c{}; c.gridDim = 64; c.blockDim = 32; c.attrs = &a; c.numAttrs = 1;
    cudaLaunchKernelEx(&c, scale, x, 1.0f, 64);
}
)");
    ASSERT_EQ(1u, wrong.size());
    EXPECT_EQ("--cluster 32: a cluster is X[,Y[,Z]] blocks, 1 to 8 in all, and on some cards 16.",
              wrong[0].problem);
}

// Attributes in a list, some set again afterwards, and one as a whole.
TEST_F(Proposals, AttributesInAList) {
    const auto found = of(R"(
int main() {
    float* x; cudaMalloc(&x, 256);
    cudaLaunchAttribute attrs[] = {
        {.id = cudaLaunchAttributePriority, .val = {.priority = 1}},
        {cudaLaunchAttributeClusterDimension, {}, {.clusterDim = {4, 1, 1}}}};
    cudaLaunchConfig_t c = {dim3(8), dim3(64), 0, nullptr, attrs, 2};
    cudaLaunchKernelEx(&c, scale, x, 1.0f, 64);
    if (x) attrs[1] = {.id = cudaLaunchAttributeClusterDimension, .val = {.clusterDim = {2, 2, 1}}};
    c.gridDim = dim3(8, 2);
    cudaLaunchKernelEx(&c, scale, x, 2.0f, 64);
    attrs[1].val.clusterDim.y = 1;
    cudaLaunchKernelEx(&c, scale, x, 3.0f, 64);
    cudaLaunchAttribute two[2];
    two[0] = cudaLaunchAttribute{.id = cudaLaunchAttributeCooperative, .val.cooperative = 1};
    two[1] = attrs[1];
    c.attrs = two; c.numAttrs = 1;
    cudaLaunchKernelEx(&c, scale, x, 4.0f, 64);
}
)");
    ASSERT_EQ(4u, found.size());
    const std::string begin = "--kernel scale --grid 8", end = " --arg 'f32[64]' --arg f32:";
    EXPECT_EQ(begin + " --block 64 --cluster 4" + end + "1 --arg i32:64", words(found[0]));
    EXPECT_EQ(begin + ",2 --block 64 --cluster 2,2" + end + "2 --arg i32:64", words(found[1]));
    EXPECT_EQ(begin + ",2 --block 64 --cluster 2" + end + "3 --arg i32:64", words(found[2]));
    EXPECT_EQ(begin + ",2 --block 64" + end + "4 --arg i32:64", words(found[3]));
    for (const LaunchProposal& proposal : found) EXPECT_EQ("", blanks(proposal) + proposal.problem);
}

// A list without names fills the padding of the value's union, not the cluster.
TEST_F(Proposals, AListWithoutNamesSaysNoCluster) {
    const auto found = of(R"(
int main() {
    float* x; cudaMalloc(&x, 256);
    cudaLaunchAttribute attrs[1] = {{cudaLaunchAttributeClusterDimension, {2, 1, 1}}};
    cudaLaunchConfig_t c = {dim3(8), dim3(64), 0, nullptr, attrs, 1};
    cudaLaunchKernelEx(&c, scale, x, 1.0f, 64);
}
)");
    ASSERT_EQ(1u, found.size());
    EXPECT_EQ("cluster: it is not set where this can be followed (1); ", blanks(found[0]));
}

TEST_F(Proposals, LaunchesOfTheDriversApi) {
    const auto found = of(R"(
extern "C" __global__ void turn(float* out, const float* in) {}
int main() {
    cuInit(0);
    CUmodule module; CUfunction function, other;
    cuModuleLoad(&module, "a.cubin");
    cuModuleGetFunction(&function, module, "turn");
    cuModuleGetFunction(&other, module, "_Z9histogramIiLi32EEvPKT_PS0_i");
    CUdeviceptr in, out;
    const int n = 4096;
    cuMemAlloc(&in, n * sizeof(float));
    cuMemAlloc(&out, n * sizeof(float));
    cuMemsetD32(out, 0, n);
    CUlaunchAttribute attrs[2] = {};
    attrs[0].id = CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION;
    attrs[0].value.clusterDim.x = 2;
    attrs[0].value.clusterDim.y = attrs[0].value.clusterDim.z = 1;
    CUlaunchConfig config = {0};
    config.gridDimX = n / 256; config.gridDimY = 2;
    config.blockDimX = 256;
    config.sharedMemBytes = 1024;
    config.attrs = attrs;
    config.numAttrs = 1;
    void* args[] = {&out, &in};
    if (cuLaunchKernelEx(&config, function, args, NULL) != CUDA_SUCCESS) return 1;
    attrs[0] = {.id = CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION, .value = {.clusterDim = {4, 1, 1}}};
    config = {16, 1, 1, 32, 1, 1, 0, nullptr, attrs, 1};
    int count = 100;
    void* more[] = {&in, &out, &count};
    cuLaunchKernelEx(&config, other, more, 0);
    cuLaunchKernel(function, 4, 3, 1, 64, 1, 1, 0, 0, args, 0);
}
)");
    ASSERT_EQ(3u, found.size());
    EXPECT_EQ(
        "--kernel turn --grid 16,2 --block 256 --cluster 2 --dynamic-shared 1024 --arg "
        "'f32[4096]=0' --arg 'f32[4096]'",
        words(found[0]));
    EXPECT_EQ(
        "--kernel 'histogram<int, 32>' --grid 16 --block 32 --cluster 4 --arg 'i32[4096]' --arg "
        "'i32[4096]=0' --arg i32:100",
        words(found[1]));
    EXPECT_EQ("--kernel turn --grid 4,3 --block 64 --arg 'f32[4096]=0' --arg 'f32[4096]'",
              words(found[2]));
    for (const LaunchProposal& proposal : found) EXPECT_EQ("", blanks(proposal) + proposal.problem);
}

// Which kernel a function is, only another file says; a reason is no name.
TEST_F(Proposals, AFunctionThatIsSetElsewhereKeepsItsName) {
    auto found = of(R"(
int main() {
    CUfunction f;
    cuLaunchKernel(f, 4, 1, 1, 64, 1, 1, 0, 0, 0, 0);
}
)");
    ASSERT_EQ(1u, found.size());
    EXPECT_EQ("f", found[0].kernel);
    EXPECT_NE(std::string::npos, found[0].problem.find("The kernel f is not in this file"));
}

// A sequence keeps the clusters among its launches' variables, as a .launch file has them.
TEST_F(Proposals, ASequenceKeepsItsClusters) {
    const fs::path file = write("a.cu", kKernels + R"(
int main() {
    float* x; cudaMalloc(&x, 64);
    cudaLaunchAttribute a; a.id = cudaLaunchAttributeClusterDimension;
    a.val.clusterDim.x = 2; a.val.clusterDim.y = a.val.clusterDim.z = 1;
    cudaLaunchConfig_t c{}; c.gridDim = 4; c.blockDim = 32; c.attrs = &a; c.numAttrs = 1;
    cudaLaunchKernelEx(&c, scale, x, 2.0f, 16);
}
)");
    EXPECT_EQ(std::vector<std::string>{"$cluster=2,1,1"}, propose_sequence(file, {}).last.variables);
}

TEST_F(Proposals, HeadersBesideItAndTypesOfItsOwn) {
    write("common.cuh",
          "#pragma once\n#ifdef HALVES\ntypedef __half real;\n#else\nusing real = double;\n"
          "#endif\ntemplate <class A> __global__ void turn(A* out, const A* in) {}\n");
    const auto found = of(R"(
#include "common.cuh"
int main() {
    real *a, *b; const int n = 32;
    cudaMalloc(&a, n * n * sizeof(real)); cudaMalloc(&b, sizeof(real) * n * n);
    turn<<<n, n>>>(a, b);
}
)");
    ASSERT_EQ(1u, found.size());
    EXPECT_EQ("--kernel 'turn<double>' --grid 32 --block 32 --arg 'f64[1024]' --arg 'f64[1024]'",
              words(found[0]));
    EXPECT_EQ("", blanks(found[0]));
}

TEST_F(Proposals, WhatCannotBeRightSaysSo) {
    const auto found = of(R"(
int main() {
    float* x; cudaMalloc(&x, 0);
    scale<<<100 / 256, 256>>>(x, 1, 100);
    missing<<<1, 1>>>(x);
}
)");
    ASSERT_EQ(2u, found.size());
    EXPECT_NE("", found[0].problem);
    EXPECT_EQ("The kernel missing is not in this file or in a header beside it.", found[1].problem);
    const auto none =
        of("int main() { float* x; cudaMalloc(&x, 4); scale<<<1 / 2, 1>>>(x, 1, 1); }");
    ASSERT_EQ(1u, none.size());
    EXPECT_EQ("The grid has 0 blocks, so nothing would run.", none[0].problem);
}

TEST_F(Proposals, FunctionsThatAllocateForTheirCallers) {
    const auto found = of(R"(
void by_reference(float*& x, int& n) { n = 512; cudaMalloc(&x, n * sizeof(float)); }
void by_pointer(int** x, int n) { cudaMalloc((void**)x, n * sizeof(int)); }
int main() {
    float* a; int n, *b, *c;
    by_reference(a, n);
    by_pointer(&b, n); by_pointer(&c, 8);
    scale<<<n / 64, 64>>>(a, 1, n);
    histogram<int, 64><<<1, 64>>>(b, c, n);
}
)");
    ASSERT_EQ(2u, found.size());
    EXPECT_EQ("--kernel scale --grid 8 --block 64 --arg 'f32[512]' --arg f32:1 --arg i32:512",
              words(found[0]));
    EXPECT_EQ(
        "--kernel 'histogram<int, 64>' --grid 1 --block 64 --arg 'i32[512]' --arg 'i32[8]' "
        "--arg i32:512",
        words(found[1]));
    EXPECT_EQ("", blanks(found[0]) + blanks(found[1]));
}

TEST_F(Proposals, ATemplateArgumentThatIsOnlyANameIsABlank) {
    const auto found = of(R"(
template <int kSide> void run(int* in, int* bins) { histogram<int, kSide><<<4, kSide>>>(in, bins, 8); }
)");
    ASSERT_EQ(1u, found.size());
    EXPECT_EQ("histogram<int, 1>", found[0].kernel);
    EXPECT_EQ("kSide", found[0].blanks[0].name);
}

TEST_F(Proposals, ASumOverTheRoundsOfALoopIsNoPlainFilling) {
    const auto found = of(R"(
int main() {
    float *h = new float[64], *d;
    for (int i = 0; i < 64; i++) h[i] = (float)rand() / RAND_MAX;
    for (int r = 0; r < 64; r++) h[0] *= 1000.0f;
    cudaMalloc(&d, 256); cudaMemcpy(d, h, 256, cudaMemcpyHostToDevice);
    scale<<<2, 32>>>(d, 1, 64);
}
)");
    ASSERT_EQ(1u, found.size());
    EXPECT_NE(std::string::npos, words(found[0]).find(" 'f32[64]' "));
}

TEST_F(Proposals, TensorsOfPyTorchAskForTheirSizes) {
    const auto found = of(R"(
void scaled(torch::Tensor x) {
    const int n = x.size(0);
    scale<<<(n + 255) / 256, 256>>>(reinterpret_cast<float*>(x.data_ptr()), 2.f, n);
}
)");
    ASSERT_EQ(1u, found.size());
    EXPECT_EQ("--kernel scale --grid 4 --block 256 --arg 'f32[1024]' --arg f32:2 --arg i32:1024",
              words(found[0]));
    ASSERT_EQ(1u, found[0].blanks.size());
}

// Whatever stands there, it ends, and every argument is one that --arg takes.
// It wants a file, ends without, and reads its size from there: m and n are one thing not known.
TEST_F(Proposals, AProgramThatWantsArgumentsGoesOn) {
    const auto found = of(R"(
int main(int argc, char** argv) {
    if (argc != 2) { printf("which file?"); exit(1); }
    int size, m, n; float* x;
    fscanf(fopen(argv[1], "r"), "%d", &size);
    m = n = size;
    cudaMalloc(&x, m * sizeof(float));
    scale<<<n / 256, 256>>>(x, 1, m);
}
)");
    ASSERT_EQ(1u, found.size());
    EXPECT_EQ("--kernel scale --grid 4 --block 256 --arg 'f32[1024]' --arg f32:1 --arg i32:1024",
              words(found[0]));
    EXPECT_EQ("size: it is read by fscanf() (1024); ", blanks(found[0]));
}

// A reference on the CPU takes more steps than the walk has.
TEST_F(Proposals, AReferenceOnTheCpuIsLeftEarly) {
    const auto found = of(R"(
void reference(float* x, int n) {
    for (int i = 0; i < n; ++i) for (int j = 0; j < n; ++j) for (int k = 0; k < n; ++k)
        for (int l = 0; l < n; ++l) x[i] += x[j] * x[k] + l;
}
int main() {
    float* h = new float[512]; float* x;
    for (int i = 0; i < 9; ++i) reference(h, 512);
    cudaMalloc(&x, 2048);
    scale<<<2, 256>>>(x, 1, 512);
}
)");
    ASSERT_EQ(1u, found.size());
    EXPECT_EQ("--kernel scale --grid 2 --block 256 --arg 'f32[512]' --arg f32:1 --arg i32:512",
              words(found[0]));
}

// What main() stands for in another file of the folder, and a macro that is a type there.
TEST_F(Proposals, MainMayStandInAnotherFile) {
    write("main.cpp", "void run(int n);\nint main() { run(3000); }\n");
    const auto found = of(R"(
#define real float
__global__ void move(real* x, real by) { *x = by; }
void run(int n) { real* x; cudaMalloc(&x, n * sizeof(float)); move<<<n / 100, 64>>>(x, 2); }
)");
    ASSERT_EQ(1u, found.size());
    EXPECT_EQ("--kernel move --grid 30 --block 64 --arg 'f32[3000]' --arg f32:2", words(found[0]));
    EXPECT_EQ("", blanks(found[0]));
}

TEST_F(Proposals, EveryLaunchInItsOrder) {
    const fs::path file = write("a.cu", kKernels + R"(
int main() {
    float *a, *b; cudaMalloc(&a, 64); cudaMalloc(&b, 256);
    cudaMemset(b, 0, 256);
    for (int i = 0; i < 2; ++i) {
        scale<<<1, 32>>>(a, i, 16);
        scale<<<2, 32>>>(b + 16, 0.5f, 48 - i);
    }
}
)");
    const LaunchSequence sequence = propose_sequence(file, {});
    ASSERT_EQ(3u, sequence.last.before.size());
    using Words = std::vector<std::string>;
    EXPECT_EQ((Words{"a=f32[16]", "b=f32[64]=0"}), sequence.last.before[0].buffers);
    EXPECT_EQ((Words{"a", "f32:0", "i32:16"}), sequence.last.before[0].arguments);
    EXPECT_EQ((Words{"b+16", "f32:0.5", "i32:48"}), sequence.last.before[1].arguments);
    EXPECT_EQ((Words{"a", "f32:1", "i32:16"}), sequence.last.before[2].arguments);
    EXPECT_EQ((Words{"b+16", "f32:0.5", "i32:47"}), sequence.last.arguments);
    EXPECT_EQ(2u, sequence.last.shape.grid.x);
    EXPECT_TRUE(sequence.blanks.empty());
}

TEST_F(Proposals, BrokenAndEndlessTextEnds) {
    const char* texts[] = {
        "int main() { while (true) { } scale<<<1, 1>>>(0, 0, 0); }",
        "int f(int n) { return f(n + 1); } int main() { scale<<<f(1), 1>>>(nullptr, 1, 2); }",
        "#define A B\n#define B A\nint main() { scale<<<A, B>>>(A, B); }",
        "int main() { scale<<<1, 1>>>(",
        "}}}} ((( <<< >>> scale<<<",
        "#if 1\n#else\n",
        "int main() { scale<<<1/0, 7%0>>>(0, 1.0/0, 1<<99); }",
        "#include \"a.cu\"\nint main() { scale<<<1, 32>>>(NULL, 1, 1); }"};
    for (const char* text : texts)
        for (const LaunchProposal& proposal : of(text)) {
            const std::vector<std::string>& words = proposal.command;
            for (size_t i = 0; i + 1 < words.size(); ++i) {
                if (words[i] != "--arg") continue;
                EXPECT_NO_THROW(parse_argument(words[i + 1])) << text;
            }
        }
}

TEST_F(Proposals, AFileThatIsNotThereIsNamed) {
    EXPECT_THROW(propose_launches(folder_ / "none.cu", {}), Error);
}

TEST(ShellLine, QuotesWhatAShellWouldRead) {
    EXPECT_EQ("a 'b c' 'f32[4]' 'it'\\''s' ''", shell_line({"a", "b c", "f32[4]", "it's", ""}));
}

}  // namespace
}  // namespace lanewise
