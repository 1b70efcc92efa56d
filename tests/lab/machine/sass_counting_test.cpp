// Kernels whose machine code is not one to one with their PTX: counted as they execute.
#include "lab/machine/sass_counting.h"
#include "lab/product/product.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "../../needs.h"
#include "../../shipped_stages.h"
#include "../own_job.h"
#include "course/catalogue.h"
#include "lab/analysis/analysis.h"
#include "lab/machine/prepared.h"

namespace lanewise {

static const char* kSource = R"cu(
template <int T>
__global__ void product(const float* a, const float* b, float* c, int n) {
    __shared__ float as[T][T], bs[T][T];
    int row = blockIdx.y * T + threadIdx.y, col = blockIdx.x * T + threadIdx.x;
    float sum = 0;
    for (int t = 0; t < n; t += T) {
        as[threadIdx.y][threadIdx.x] = a[row * n + t + threadIdx.x];
        bs[threadIdx.y][threadIdx.x] = b[(t + threadIdx.y) * n + col];
        __syncthreads();
        for (int k = 0; k < T; ++k) sum += as[threadIdx.y][k] * bs[k][threadIdx.x];
        __syncthreads();
    }
    c[row * n + col] = sum;
}
template <int PITCH>
__global__ void row_sums(const float* in, float* out) {
    __shared__ float s[32][PITCH];
    for (int j = 0; j < 32; ++j) s[j][threadIdx.x] = in[(blockIdx.x * 32 + j) * 32 + threadIdx.x];
    __syncthreads();
    float sum = 0;
    for (int j = 0; j < 32; ++j) sum += s[threadIdx.x][j];
    out[blockIdx.x * 32 + threadIdx.x] = sum;
}
)cu";

// The textbook's tiled product. For each tile a warp has 2 global loads, 2 shared stores, and of
// the PTX's 64 shared loads 32 of 4 bytes (a row of b: 32 words, 1 wavefront) and 8 of 16 bytes
// (of a: the whole warp reads one address, so its 4 phases merge into 2 wavefronts, the least).
TEST(SassCounting, TheTiledProductCountsWhatExecutes) {
    NEEDS_NVRTC();
    Job job = own_job(kSource, "product<32>", {2, 2}, {32, 32},
                      {"f32[4096]", "f32[4096]", "f32[4096]", "i32:64"});
    Analysis analysis = analyse(job, 2);
    EXPECT_TRUE(analysis.report.findings.empty());
    const Counts& totals = analysis.report.totals;
    uint64_t warps = 4 * 32, warp_tiles = 2 * warps;  // 2 x 2 blocks of 32 warps, 2 tiles each
    EXPECT_EQ(warp_tiles * (32 + 8), totals.shared_load.instructions);
    EXPECT_EQ(warp_tiles * (32 * 1 + 8 * 2), totals.shared_load.wavefronts);
    EXPECT_EQ(warp_tiles * (32 * 1 + 8 * 2), totals.shared_load.wavefronts_ideal);
    EXPECT_EQ(warp_tiles * 32 * (32 * 4 + 8 * 16), totals.shared_load.bytes);
    EXPECT_EQ(warp_tiles * 2, totals.shared_store.wavefronts);
    EXPECT_EQ(warp_tiles * 2, totals.global_load.requests);
    EXPECT_EQ(warp_tiles * 2 * 4, totals.global_load.sectors);
    EXPECT_EQ(warps, totals.global_store.requests);
    ASSERT_EQ(2u, analysis.notes.size());
    EXPECT_EQ("Counted as SASS, which merges, widens or splits what the PTX asks for: own.cu:11.",
              analysis.notes[0]);
}

// Nsight Compute on an H200 (CUDA 13.0): smsp__inst_executed_op_shared_ld, and
// smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ld and _st.
TEST(SassCounting, EqualsTheProfiler) {
    NEEDS_NVRTC();
    std::vector<std::string> three = {"f32[4096]", "f32[4096]", "f32[4096]", "i32:64"};
    std::vector<std::string> two = {"f32[4096]", "f32[4096]"};
    struct {
        const char* kernel;
        Dim3 grid, block;
        const std::vector<std::string>& arguments;
        uint64_t loads, load_wavefronts, store_wavefronts;
    } cases[] = {
        {"product<32>", {2, 2}, {32, 32}, three, 10'240, 12'288, 512},
        {"product<16>", {4, 4}, {16, 16}, three, 10'240, 12'288, 1'024},
        {"row_sums<32>", {2}, {32}, two, 16, 512, 64},  // every quarter-warp meets in 4 banks
        {"row_sums<33>", {2}, {32}, two, 64, 64, 64},   // rows too unaligned to merge anything
        {"row_sums<36>", {2}, {32}, two, 16, 64, 64},
    };
    for (const auto& c : cases) {
        Analysis analysis = analyse(own_job(kSource, c.kernel, c.grid, c.block, c.arguments), 1);
        const Counts& totals = analysis.report.totals;
        EXPECT_EQ(c.loads, totals.shared_load.instructions) << c.kernel;
        EXPECT_EQ(c.load_wavefronts, totals.shared_load.wavefronts) << c.kernel;
        EXPECT_EQ(c.store_wavefronts, totals.shared_store.wavefronts) << c.kernel;
    }
}

TEST(SassCounting, PicturesShowWhatIsCounted) {
    NEEDS_NVRTC();
    Picture picture = trace_block(own_job(kSource, "product<32>", {2, 2}, {32, 32},
                                          {"f32[4096]", "f32[4096]", "f32[4096]", "i32:64"}),
                                  3);
    uint64_t loads = 0, wide = 0, wavefronts = 0;
    for (const TracedAccess& access : picture.block.accesses) {
        const InstructionReport& instruction = picture.report.instructions[access.instruction];
        if (instruction.space != Space::shared || instruction.is_store) continue;
        ++loads;
        wide += instruction.bytes_per_lane == 16;
        wavefronts += static_cast<uint64_t>(access.wavefronts);
    }
    // 32 warps, 2 tiles: 32 loads of 4 bytes and 8 of 16 each.
    EXPECT_EQ(32u * 2 * 40, loads);
    EXPECT_EQ(32u * 2 * 8, wide);
    EXPECT_EQ(picture.report.totals.shared_load.wavefronts, wavefronts);
}

// Without a line table nothing is known of the machine code but that it exists.
TEST(SassCounting, ACubinWithoutLinesIsCountedAsPtxAndSaysSo) {
    NEEDS_NVRTC();
    Program program = compile({"one.cu", "__global__ void one(int* a) { a[threadIdx.x] = 1; }"},
                              {"one", "sm_90", {}, {}});
    ptx::Kernel kernel = prepare(own_job("__global__ void one(int* a) { a[threadIdx.x] = 1; }",
                                         "one", {1}, {32}, {}))
                             .kernel->kernel;
    EXPECT_TRUE(sass_counting(program, kernel).notes.empty());
    for (ptx::Instruction& instruction : kernel.instructions) instruction.ptx_line += 1000;
    SassCounting counting = sass_counting(program, kernel);  // lines that the cubin does not have
    EXPECT_TRUE(counting.count_as.empty());
    ASSERT_EQ(1u, counting.notes.size());
    EXPECT_EQ("Counted as PTX, because the SASS does not tell how it executes: own.cu:1.",
              counting.notes[0]);
}

// Counting the PTX of the transposes counts what the hardware executes, for every choice of knobs.
// Of products and sums it does not: there loads of shared memory are merged, and counted as they are.
class SassCountingOfStages : public testing::TestWithParam<std::string> {};
TEST_P(SassCountingOfStages, IsOneToOne) {
    NEEDS_NVRTC();
    const Catalogue& catalogue = shipped_stages();
    for (const Stage& stage : catalogue.stages()) {
        ASSERT_EQ("", stage.error) << stage.id;
        if (std::find(stage.types.begin(), stage.types.end(), GetParam()) == stage.types.end())
            continue;
        // CuTe takes some ten seconds for each.
        if (is_library_call(stage) || !stage.headers.empty()) continue;
        if (operation_of(stage).id != "transpose") continue;
        for (const KnobValues& knobs : knob_combinations(stage, GetParam())) {
            Job job;
            job.stage = stage;
            job.knobs = knobs;
            job.type = GetParam();
            job.arch = "sm_90";
            Preparation preparation = prepare(job);
            const SassCounting& counting = preparation.kernel->counting;
            std::string kernel = name_expression(stage, knobs, GetParam());
            EXPECT_TRUE(counting.count_as.empty()) << kernel;
            for (const std::string& note : counting.notes) ADD_FAILURE() << kernel << ": " << note;
        }
    }
}
INSTANTIATE_TEST_SUITE_P(ElementTypes, SassCountingOfStages, testing::ValuesIn(element_types()),
                         [](const auto& type) { return type.param; });

}  // namespace lanewise
