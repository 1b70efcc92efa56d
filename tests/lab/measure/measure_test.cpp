// What measuring computes without a GPU; tests/gpu has the rest.
#include <gtest/gtest.h>

#include "../../needs.h"
#include "base/error.h"
#include "compile/compiler.h"
#include "compile/shipped_programs.h"
#include "gpu/device.h"
#include "lab/measure/bench.h"
#include "lab/measure/copy_kernel.h"
#include "lab/measure/rig.h"
#include "sim/memory/memory.h"

namespace lanewise {

TEST(Spread, IsMedianAndThe5thAnd95thPercentile) {
    std::vector<double> samples;
    for (int i = 20; i >= 0; --i) samples.push_back(i);  // ranks 0 … 20: 5 % of 20 is rank 1
    Spread spread = spread_of(samples);
    EXPECT_DOUBLE_EQ(10, spread.median);
    EXPECT_DOUBLE_EQ(1, spread.p05);
    EXPECT_DOUBLE_EQ(19, spread.p95);
    EXPECT_EQ(21, spread.samples);
}

TEST(Spread, LiesBetweenSamplesWhereTheRankIsNone) {
    Spread spread = spread_of({4, 1, 3, 2});  // median at rank 1.5, 5 % at 0.15, 95 % at 2.85
    EXPECT_DOUBLE_EQ(2.5, spread.median);
    EXPECT_DOUBLE_EQ(1.15, spread.p05);
    EXPECT_DOUBLE_EQ(3.85, spread.p95);
}

TEST(Spread, OfOneAndOfNone) {
    Spread one = spread_of({7});
    EXPECT_DOUBLE_EQ(7, one.median);
    EXPECT_DOUBLE_EQ(7, one.p05);
    EXPECT_DOUBLE_EQ(7, one.p95);
    EXPECT_EQ(1, one.samples);
    EXPECT_EQ(0, spread_of({}).samples);
    EXPECT_DOUBLE_EQ(0, spread_of({}).median);
}

// Input element (row, col) of matrix b of a batch of two 2 x 3 ones is number 6 b + 3 row + col;
// output element (col, row) is number 6 b + 2 col + row.
TEST(Reference, IsTheTransposeOfEachMatrix) {
    Matrix matrix{2, 3, 2, 4};
    uint64_t expected[12] = {0, 3, 1, 4, 2, 5, 6, 9, 7, 10, 8, 11};
    for (uint64_t i = 0; i < 12; ++i) {
        EXPECT_EQ(expected[i], reference_index(matrix, false, i)) << i;
        EXPECT_EQ(i, reference_index(matrix, true, i));
    }
    EXPECT_EQ(12u, matrix.elements());
    EXPECT_EQ(48u, matrix.bytes());
}

TEST(Reference, ElementsAreBytesOfTheUniqueWords) {
    uint32_t first = unique_word(0), second = unique_word(1);
    auto hex = [](const char* format, auto value) {
        char text[20];
        std::snprintf(text, sizeof text, format, value);
        return std::string(text);
    };
    EXPECT_EQ(hex("%08x", second), input_element_in_hex(1, 4));
    EXPECT_EQ(hex("%02x", second >> 8 & 0xff), input_element_in_hex(5, 1));
    EXPECT_EQ(hex("%04x", first >> 16), input_element_in_hex(1, 2));
    EXPECT_EQ(hex("%016llx", static_cast<unsigned long long>(second) << 32 | first),
              input_element_in_hex(0, 8));
    // 16 bytes: words 0 to 3, the first the least significant.
    EXPECT_EQ(hex("%08x", unique_word(3)) + hex("%08x", unique_word(2)) + hex("%08x", second) +
                  hex("%08x", first),
              input_element_in_hex(0, 16));
}

TEST(MeasuringKernels, CompileForEveryElementSize) {
    for (int bytes : {1, 2, 4, 8, 16})
        for (bool copy : {false, true})
            for (const std::string& name :
                 {poison_kernel(bytes, copy), compare_kernel(bytes, copy)}) {
                Program program = compile_measuring_kernel(name, "sm_90");
                EXPECT_FALSE(program.cubin.empty()) << name;
                EXPECT_EQ("", program.log) << name;
            }
    for (const CopyVariant& variant : copy_variants()) {
        Program program = compile_measuring_kernel(copy_kernel(variant), "sm_90");
        EXPECT_NE(std::string::npos, program.ptx.find("ld.global.v4.u32")) << program.ptx;
        EXPECT_NE(std::string::npos, program.ptx.find("st.global.v4.u32")) << program.ptx;
    }
    EXPECT_EQ("_Z4fillPjy", compile_measuring_kernel(fill_kernel(), "sm_90").entry);
    EXPECT_EQ("_Z4holdy", compile_measuring_kernel(hold_kernel(), "sm_90").entry);
}

// Nobody waits for the compiler where what it would make is there: the same PTX, byte for byte.
TEST(MeasuringKernels, AreTakenAsTheyAreShipped) {
    NEEDS_NVRTC();
    CompileOptions options;
    options.arch = "sm_90";
    for (const std::string& name : {fill_kernel(), copy_kernel(copy_variants().back())}) {
        options.kernel = name;
        Program afresh = compile_afresh(measuring_source(), options);
        Program taken = compile_measuring_kernel(name, "sm_90");
        auto shipped = shipped_program(measuring_source(), options);
        ASSERT_TRUE(shipped) << name;
        EXPECT_EQ(afresh.ptx, taken.ptx);
        EXPECT_EQ(afresh.entry, taken.entry);
        EXPECT_FALSE(taken.cubin.empty());  // its debug lines name a folder, so that no two are equal
        bool same_nvrtc = shipped->compiler == afresh.compiler;
        EXPECT_EQ(same_nvrtc, taken.origin == Program::Origin::shipped) << afresh.compiler;
    }
    options.arch = "sm_89";  // whose cubin is not shipped: another would run, but it is compiled
    EXPECT_NE(Program::Origin::shipped, compile(measuring_source(), options).origin);
}

TEST(Measure, WithoutAGpuSaysWhyAndWhatToDo) {
    if (gpu_status().found) GTEST_SKIP() << "there is a GPU: " << gpu_status().gpu.name;
    Job job;
    job.stage.id = "transpose/none";
    job.stage.source = "__global__ void none() {}";
    job.stage.types = {"f32"};
    job.stage.grid = job.stage.block = {"1"};
    try {
        measure(job);
        FAIL();
    } catch (const Error& error) {
        EXPECT_EQ(Status::needs_gpu, error.status());
        EXPECT_EQ(gpu_status().problem, error.what());
        EXPECT_NE(std::string::npos, gpu_status().problem.find("works without a GPU"));
    }
}

}  // namespace lanewise
