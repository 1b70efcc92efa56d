// A kernel from outside the catalogue on the fake GPU, beside what the machine makes of it.
#include "lab/measure/own_run.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <nlohmann/json.hpp>

#include "../needs.h"
#include "gpu/device.h"
#include "lab/json/json.h"
#include "patience.h"
#include "compile/compiler.h"
#include "sim/memory/memory.h"
#include "use_fake_driver.h"

namespace lanewise {

namespace {

Job doubling(const std::string& name) {
    Job job;
    job.stage.file = job.stage.id = "own.cu";
    job.stage.source = "__global__ void " + name +
                       "(float* out, const float* in, int n) {\n"
                       "    if (threadIdx.x < n) out[threadIdx.x] = 2 * in[threadIdx.x];\n}\n";
    job.own.kernel = name;
    job.own.shape.block = {64};
    job.own.arguments = {"f32[50]", "f32[51]", "i32:40"};
    return job;
}

template <typename T>
BufferDifference compared(const char* type, std::vector<T> machine, std::vector<T> gpu) {
    return compare_buffer(type, reinterpret_cast<const std::byte*>(machine.data()),
                          reinterpret_cast<const std::byte*>(gpu.data()),
                          machine.size() * sizeof(T));
}

}  // namespace

class OwnRun : public testing::Test {
  protected:
    FakeDriver& fake_ = fake_driver();
    void SetUp() override {
        NEEDS_NVRTC();
        fake_.launched.clear();
        fake_.gb_per_s = 4000;
        fake_.kernel_gb_per_s = {{"own_", 100}};
    }
    void TearDown() override { EXPECT_EQ(0u, fake_.allocations + fake_.modules + fake_.events); }
};

TEST_F(OwnRun, EqualBuffersAreSaidToBeEqual) {
    OwnMeasurement m = measure_own(doubling("own_right"), kPatient);
    ASSERT_EQ(2u, m.before.size());
    EXPECT_EQ("out", m.before[0].name);
    EXPECT_EQ(50u, m.before[0].elements);  // those that the kernel leaves alone are compared too
    EXPECT_EQ("in", m.before[1].name);
    EXPECT_TRUE(m.before[0].is_equal() && m.before[1].is_equal());
    EXPECT_EQ(m.before, m.after);
    EXPECT_TRUE(m.is_near());
    EXPECT_EQ(0u, m.findings);
    EXPECT_EQ(40, m.time_us.samples);
    EXPECT_NEAR(0.0032, m.time_us.median, 1e-5);  // 8 * 40 bytes at 100 GB/s
    EXPECT_EQ(50, m.launches_per_sample);
    EXPECT_EQ("Fake GPU", m.provenance.card);
    Json json = own_run_json(m);
    EXPECT_EQ(true, json["agrees"]);
    EXPECT_TRUE(json["buffers"][0]["first"].is_null());
}

TEST_F(OwnRun, BlocksThatWaitForEachOtherAreLaunchedTogether) {
    NEEDS_CUDA_HEADERS();
    Job job = doubling("own_right");
    job.stage.source =
        "#include <cooperative_groups.h>\n"
        "__global__ void own_right(float* out, const float* in, int n) {\n"
        "    cooperative_groups::this_grid().sync();\n"
        "    if (threadIdx.x < n) out[threadIdx.x] = 2 * in[threadIdx.x];\n}\n";
    fake_.argument_bytes = 20;
    fake_.calls.clear();
    MeasureOptions once;
    once.samples = 0;
    OwnMeasurement m = measure_own(job, once);
    ASSERT_EQ(2u, m.before.size());
    EXPECT_TRUE(m.before[0].is_equal());
    EXPECT_EQ(1u, fake_.count("cuLaunchCooperativeKernel"));
}

// The launch says how many blocks a cluster has, or the kernel does.
TEST_F(OwnRun, ClustersAreLaunchedAsSuch) {
    NEEDS_CUDA_HEADERS();
    for (bool by_kernel : {false, true}) {
        Job job = doubling("own_right");
        if (by_kernel)
            job.stage.source =
                "__global__ void __cluster_dims__(2, 1, 1) own_right(float* out, const float* in, int n) {\n"
                "    if (blockIdx.x == 0 && threadIdx.x < n) out[threadIdx.x] = 2 * in[threadIdx.x];\n}\n";
        else
            job.own.variables = {"$cluster=2,1,1"};
        job.own.shape.grid = {2};
        fake_.argument_bytes = 20;
        fake_.calls.clear();
        MeasureOptions once;
        once.samples = 0;
        OwnMeasurement m = measure_own(job, once);
        ASSERT_EQ(2u, m.before.size());
        EXPECT_TRUE(m.before[0].is_equal());
        EXPECT_EQ(1u, fake_.count("cuLaunchKernelEx"));
        EXPECT_EQ(2u, fake_.cluster[0]);
        // And its result says so, wherever it is read.
        EXPECT_EQ(2u, m.cluster.x);
        EXPECT_EQ((Json{2, 1, 1}), own_run_json(m)["cluster"]);
        EXPECT_EQ(2u, own_run_from(own_run_json(m)).cluster.count());
        // Timed, it is launched so again and again, from a graph.
        if (by_kernel) continue;
        fake_.cluster[0] = fake_.cluster[1] = fake_.cluster[2] = 0;
        fake_.calls.clear();
        EXPECT_EQ(40, measure_own(job, kPatient).time_us.samples);
        EXPECT_EQ(2u, fake_.cluster[0]);
        EXPECT_LT(1u, fake_.count("cuLaunchKernelEx"));
    }
    Job plain = doubling("own_right");
    MeasureOptions once;
    once.samples = 0;
    OwnMeasurement m = measure_own(plain, once);
    EXPECT_EQ(0u, m.cluster.x);
    EXPECT_FALSE(own_run_json(m).contains("cluster"));
}

TEST_F(OwnRun, WithoutSamplesItIsLaunchedOnce) {
    MeasureOptions once;
    once.samples = 0;
    OwnMeasurement m = measure_own(doubling("own_right"), once);
    EXPECT_TRUE(m.before[0].is_equal());
    EXPECT_TRUE(m.after.empty() && m.samples_us.empty());
    EXPECT_EQ(1, std::count(fake_.launched.begin(), fake_.launched.end(), "_Z9own_rightPfPKfi"));
}

// As another compiler would have written it: nothing is compiled here but by the driver.
TEST(OwnPtxRun, PtxIsLaunchedAsItIs) {
    fake_driver().launched.clear();
    Job job = doubling("own_right");
    job.stage.file = job.own.ptx_file = "given.ptx";
    job.stage.source = job.own.ptx =
        ".version 8.7\n.target sm_75\n.address_size 64\n"
        ".visible .entry _Z9own_rightPfPKfi(.param .u64 p0, .param .u64 p1, .param .u32 p2)\n{\n"
        ".reg .pred %p<2>;\n.reg .b32 %r<3>;\n.reg .f32 %f<3>;\n.reg .b64 %rd<6>;\n"
        "ld.param.u64 %rd1, [p0];\nld.param.u64 %rd2, [p1];\nld.param.u32 %r1, [p2];\n"
        "mov.u32 %r2, %tid.x;\nsetp.ge.s32 %p1, %r2, %r1;\n@%p1 bra $done;\n"
        "mul.wide.u32 %rd3, %r2, 4;\nadd.s64 %rd4, %rd1, %rd3;\nadd.s64 %rd5, %rd2, %rd3;\n"
        "ld.global.f32 %f1, [%rd5];\nadd.f32 %f2, %f1, %f1;\nst.global.f32 [%rd4], %f2;\n"
        "$done:\nret;\n}\n";
    MeasureOptions once;
    once.samples = 0;
    OwnMeasurement m = measure_own(job, once);
    ASSERT_EQ(2u, m.before.size());
    EXPECT_EQ("argument1", m.before[0].name);  // PTX has no names
    EXPECT_TRUE(m.is_near());
    EXPECT_EQ(0u, m.findings);
    EXPECT_EQ(1, std::count(fake_driver().launched.begin(), fake_driver().launched.end(),
                            "_Z9own_rightPfPKfi"));
}

TEST_F(OwnRun, ATensorsMapIsThatOfTheCardsBuffer) {
    Job job = doubling("own_right_map");
    job.stage.source =
        "struct alignas(64) Map { unsigned long long opaque[16]; };\n"
        "__global__ void own_right_map(float* out, const float* in, int n,\n"
        "                              const __grid_constant__ Map map) {\n"
        "    if (threadIdx.x < n) out[threadIdx.x] = 2 * in[threadIdx.x];\n}\n";
    job.own.arguments = {"f32[50]", "f32[2048]", "i32:40",
                         "tensor:in:f32:32x60:box=8x32:swizzle=128B:pitch=64"};
    MeasureOptions once;
    once.samples = 0;
    fake_.argument_bytes = 64 + 128;
    EXPECT_TRUE(measure_own(job, once).is_near());
    EXPECT_EQ(1u, fake_.count("cuTensorMapEncodeTiled"));
    ASSERT_EQ(64u + 128, fake_.arguments.size());
    unsigned long long in = 0, map[9];  // as cuTensorMapEncodeTiled of the fake lays it out
    std::memcpy(&in, &fake_.arguments[8], sizeof in);
    std::memcpy(map, &fake_.arguments[64], sizeof map);
    EXPECT_EQ(in, map[0]);
    EXPECT_EQ(7u, map[1]);    // CU_TENSOR_MAP_DATA_TYPE_FLOAT32
    EXPECT_EQ(2u, map[2]);    // dimensions
    EXPECT_EQ(3u, map[3]);    // CU_TENSOR_MAP_SWIZZLE_128B
    EXPECT_EQ(60u, map[4]);   // columns
    EXPECT_EQ(32u, map[5]);   // rows
    EXPECT_EQ(256u, map[6]);  // bytes from row to row
    EXPECT_EQ(32u, map[7]);   // the box's columns
    EXPECT_EQ(8u, map[8]);    // and rows
}

TEST_F(OwnRun, ATensorsMapForIm2colIsMadeByItsOwnCall) {
    Job job = doubling("own_right_map");
    job.stage.source =
        "struct alignas(64) Map { unsigned long long opaque[16]; };\n"
        "__global__ void own_right_map(float* out, const float* in, int n,\n"
        "                              const __grid_constant__ Map map) {\n"
        "    if (threadIdx.x < n) out[threadIdx.x] = 2 * in[threadIdx.x];\n}\n";
    job.own.arguments = {"f32[50]", "f32[320]", "i32:40",
                         "tensor:in:f32:2x4x5x8:pixels=16:channels=8:lower=-1x-2:upper=-3x1:step=1x2:"
                         "swizzle=32B"};
    MeasureOptions once;
    once.samples = 0;
    fake_.calls.clear();
    fake_.argument_bytes = 64 + 128;
    EXPECT_TRUE(measure_own(job, once).is_near());
    EXPECT_EQ(1u, fake_.count("cuTensorMapEncodeIm2col"));
    EXPECT_EQ(0u, fake_.count("cuTensorMapEncodeTiled"));
    ASSERT_EQ(64u + 128, fake_.arguments.size());
    unsigned long long in = 0;
    long long map[16];  // as cuTensorMapEncodeIm2col of the fake lays it out
    std::memcpy(&in, &fake_.arguments[8], sizeof in);
    std::memcpy(map, &fake_.arguments[64], sizeof map);
    EXPECT_EQ(in, static_cast<unsigned long long>(map[0]));
    EXPECT_EQ(7, map[1]);    // CU_TENSOR_MAP_DATA_TYPE_FLOAT32
    EXPECT_EQ(4, map[2]);    // dimensions
    EXPECT_EQ(1, map[3]);    // CU_TENSOR_MAP_SWIZZLE_32B
    EXPECT_EQ(8, map[4]);    // channels of the tensor
    EXPECT_EQ(2, map[5]);    // images
    EXPECT_EQ(32, map[6]);   // bytes from pixel to pixel
    EXPECT_EQ(640, map[7]);  // and from image to image
    EXPECT_EQ(-2, map[8]);   // the lower corner in W, then H
    EXPECT_EQ(-1, map[9]);
    EXPECT_EQ(1, map[10]);  // the upper one
    EXPECT_EQ(-3, map[11]);
    EXPECT_EQ(8, map[12]);  // channels and pixels of a copy
    EXPECT_EQ(16, map[13]);
    EXPECT_EQ(2, map[14]);  // the step in W
    EXPECT_EQ(0, map[15]);
}

TEST_F(OwnRun, AStructHasTheAddressesOfTheCardsBuffers) {
    Job job = doubling("own_right_struct");
    job.stage.source =
        "struct Params { float* out; struct { const float* in; int n; } from; };\n"
        "__global__ void own_right_struct(Params p) {\n"
        "    if (threadIdx.x < p.from.n) p.out[threadIdx.x] = 2 * p.from.in[threadIdx.x];\n}\n";
    job.own.arguments = {"{f32[50],{f32[51],i32:40}}"};
    MeasureOptions once;
    once.samples = 0;
    fake_.argument_bytes = 24;
    OwnMeasurement m = measure_own(job, once);
    EXPECT_TRUE(m.is_near());
    EXPECT_EQ(0u, m.findings);
    ASSERT_EQ(2u, m.before.size());
    EXPECT_EQ("p, member 1", m.before[0].name);
    EXPECT_EQ(50u, m.before[0].elements);
    EXPECT_EQ(51u, m.before[1].elements);
}

TEST_F(OwnRun, AWrongElementIsNamedWithBothValues) {
    OwnMeasurement m = measure_own(doubling("own_wrong"), kPatient);
    const BufferDifference& out = m.before[0];
    EXPECT_FALSE(m.is_near());
    EXPECT_EQ(1u, out.different);
    EXPECT_EQ(0u, out.near);
    EXPECT_EQ(5u, out.first);
    float twice = 2 * std::bit_cast<float>(unique_word(5));
    char machine[9];
    std::snprintf(machine, sizeof machine, "%08x", std::bit_cast<uint32_t>(twice));
    EXPECT_EQ(machine, out.machine);
    std::snprintf(machine, sizeof machine, "%08x", unique_word(5));  // as it was before
    EXPECT_EQ(machine, out.gpu);
    EXPECT_EQ(5, own_run_json(m)["buffers"][0]["first"]["index"]);
}

TEST_F(OwnRun, NearFloatsAreSaidApart) {
    OwnMeasurement m = measure_own(doubling("own_near"), kPatient);
    EXPECT_TRUE(m.is_near());
    EXPECT_EQ(20u, m.before[0].different);
    EXPECT_EQ(20u, m.before[0].near);
    EXPECT_EQ(0u, m.before[0].first);
}

TEST(CompareBuffer, FloatsAreNearWithinFourSteps) {
    // -0 and 0 are one; 1 + 4 steps; 1 + 5 steps; NaNs of any bits; NaN and infinity.
    std::vector<uint32_t> machine = {0x80000000, 0x3f800000, 0x3f800000, 0x7fc00000, 0x7fc00000};
    std::vector<uint32_t> gpu = {0x00000001, 0x3f800004, 0x3f800005, 0x7fffffff, 0x7f800000};
    BufferDifference difference = compared("f32", machine, gpu);
    EXPECT_EQ(5u, difference.different);
    EXPECT_EQ(3u, difference.near);
    EXPECT_EQ(2u, difference.first);
    EXPECT_EQ("3f800000", difference.machine);
    EXPECT_EQ("3f800005", difference.gpu);
    EXPECT_EQ(0u, compared("u32", machine, gpu).near);
    EXPECT_EQ(1u, compared<uint16_t>("f16", {0x3c00, 0x7c00}, {0x3c04, 0x7c01}).near);
    EXPECT_EQ(1u, compared<uint16_t>("bf16", {0x3f80, 0x7f80}, {0x3f7c, 0x7f81}).near);
    EXPECT_EQ(1u, compared<uint64_t>("f64", {0x8000000000000002}, {2}).near);
    EXPECT_EQ(0u, compared<uint64_t>("f64", {0x8000000000000002}, {3}).near);
    EXPECT_TRUE(compared("f32", gpu, gpu).is_equal());
}

}  // namespace lanewise
