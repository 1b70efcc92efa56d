// A product of which only some blocks are interpreted: which ones, what is compared, what is found,
// and what a sample may not be taken for.
#include "lab/analysis/product_sample.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <numeric>

#include "../../needs.h"
#include "../../shipped_stages.h"
#include "base/error.h"
#include "course/catalogue.h"
#include "lab/analysis/analysis.h"
#include "lab/analysis/expected_time.h"
#include "lab/json/json.h"

namespace lanewise {
namespace {

using Blocks = std::vector<uint64_t>;

// ---- Which blocks -------------------------------------------------------------------------------

std::vector<uint32_t> one_each(size_t blocks) {
    std::vector<uint32_t> owner(blocks);
    std::iota(owner.begin(), owner.end(), 1);
    return owner;
}

TEST(SampledBlocks, AreTheCornersFirst) {
    EXPECT_EQ((Blocks{0}), choose_blocks(one_each(100), 10, 10, 100, 1));
    EXPECT_EQ((Blocks{0, 99}), choose_blocks(one_each(100), 10, 10, 100, 2));
    EXPECT_EQ((Blocks{0, 9, 90, 99}), choose_blocks(one_each(100), 10, 10, 100, 4));
}

// Whatever order the blocks have: here block 5 owns the left half and block 2 the right one.
TEST(SampledBlocks, AreThoseThatOwnThePlaces) {
    EXPECT_EQ((Blocks{2, 5}), choose_blocks(std::vector<uint32_t>{6, 3, 6, 3}, 2, 2, 6, 2));
}

TEST(SampledBlocks, LieOnEachEdgeAndWithin) {
    Blocks blocks = choose_blocks(one_each(10'000), 100, 100, 10'000, 64);
    ASSERT_EQ(64u, blocks.size());
    EXPECT_TRUE(std::is_sorted(blocks.begin(), blocks.end()));
    int top = 0, bottom = 0, left = 0, right = 0, within = 0;
    for (uint64_t block : blocks) {
        uint64_t row = block / 100, col = block % 100;
        top += row == 0, bottom += row == 99, left += col == 0, right += col == 99;
        within += row > 0 && row < 99 && col > 0 && col < 99;
    }
    for (int edge : {top, bottom, left, right}) EXPECT_GE(edge, 8);
    EXPECT_GE(within, 16);
    EXPECT_EQ(blocks, choose_blocks(one_each(10'000), 100, 100, 10'000, 64));
}

// Those that own nothing come last, and an element that nobody owns leads to no block.
TEST(SampledBlocks, AreAsManyAsAsked) {
    EXPECT_EQ((Blocks{0, 1, 2}), choose_blocks(std::vector<uint32_t>{3, 0, 0, 0}, 2, 2, 4, 3));
    EXPECT_EQ((Blocks{0, 1, 2, 3}), choose_blocks(std::vector<uint32_t>{3, 0, 0, 0}, 2, 2, 4, 9));
}

// 8192 cubed by 65,536 blocks of 2^23 multiplications, and by 132 of 4,164,816,771.
TEST(SampledBlocks, AreFewerWhereEachDoesMuch) {
    const Catalogue& catalogue = shipped_stages();
    auto of = [&](const char* id) {
        Job job;
        job.stage = catalogue.find(id);
        job.type = job.stage.types.front();
        job.knobs = default_knobs(job.stage);
        job.rows = job.cols = job.inner = 8192;
        return blocks_to_sample(job);
    };
    EXPECT_EQ(64u, of("matmul/10_naive_product"));
    EXPECT_EQ(64u, of("matmul/40_wmma"));  // 4,096 of 2^27
    EXPECT_EQ(32u, of("matmul/42_mma_sync"));
    EXPECT_EQ(4u, of("matmul/95_wgmma"));
}

// ---- References ---------------------------------------------------------------------------------

TEST(SampledReference, IsThatOfTheWhole) {
    Product p{40, 300, 70, "f32", "cancellation"};
    ProductReference whole = product_reference(p, 2);
    const std::vector<int64_t> rows = {3, 39}, cols = {0, 7, 299};
    ProductReference some = product_reference(p, rows, cols, 1);
    ASSERT_EQ(6u, some.value.size());
    for (size_t i = 0; i < 6; ++i) {
        auto of_whole = static_cast<size_t>(rows[i / 3] * 300 + cols[i % 3]);
        EXPECT_EQ(whole.value[of_whole], some.value[i]) << i;
        EXPECT_EQ(whole.magnitude[of_whole], some.magnitude[i]) << i;
    }
}

// ---- Kernels ------------------------------------------------------------------------------------

// Blocks of 16 x 16 threads, one element each; `body` has row, col, a, b.
Stage made(const std::string& body, const std::string& grid_z = "1") {
    Stage like;
    like.id = "matmul/made";
    like.operation = "matmul";
    like.file = "made.cu";
    return parse_stage(
        "/*---\ntitle = \"made\"\ntypes = [\"f32\"]\nblock = [\"16\", \"16\"]\n"
        "grid = [\"ceil_div(N, 16)\", \"ceil_div(M, 16)\", \"" +
            grid_z +
            "\"]\n---*/\ntemplate <typename T = float>\n"
            "__global__ void made(const T* A, const T* B, float* C, int M, int N, int K) {\n"
            "    int col = blockIdx.x * 16 + threadIdx.x, row = blockIdx.y * 16 + threadIdx.y;\n"
            "    if (row >= M || col >= N) return;\n    const T *a = A + row * K, *b = B + col;\n"
            "    float sum = 0;\n    for (int k = 0; k < K; ++k) sum += a[k] * b[k * N];\n" +
            body + "}\n",
        like);
}

Job job_of(const Stage& stage, int64_t m, int64_t n, int64_t k) {
    Job job;
    job.stage = stage;
    job.type = stage.types.front();
    job.rows = m;
    job.cols = n;
    job.inner = k;
    job.arch = "sm_90";
    return job;
}

std::string refusal(const Stage& stage, uint64_t blocks = 4) {
    try {
        analyse(job_of(stage, 100, 100, 40), 1, nullptr, blocks);
    } catch (const Error& error) {
        EXPECT_EQ(Status::bad_input, error.status());
        return error.what();
    }
    return "";
}

// 100 x 100 in tiles of 16: the corners have 16 x 16, 4 x 16, 16 x 4 and 4 x 4 elements.
TEST(Sample, ComparesWhatItsBlocksWrite) {
    Job job = job_of(shipped_stages().find("matmul/20_shared_tiles"), 100, 100, 64);
    Analysis whole = analyse(job, 2), sample = analyse(job, 2, nullptr, 4);
    ASSERT_EQ(49u, whole.launch.grid.count());
    EXPECT_FALSE(whole.sample.is_used());
    EXPECT_TRUE(sample.correct);
    EXPECT_EQ(4u, sample.sample.blocks);
    EXPECT_EQ(49u, sample.sample.of_blocks);
    EXPECT_EQ(256u + 64 + 64 + 16, sample.sample.elements);
    EXPECT_EQ(10'000u, sample.sample.of_elements);
    EXPECT_EQ(4u, sample.report.checked_blocks);
    EXPECT_EQ(0u, sample.mismatch.count);
    // Every thread within C stores one element: a warp is two rows of a tile.
    EXPECT_EQ(8u + 8 + 2 + 2, sample.report.totals.global_store.instructions);
    EXPECT_LT(sample.error.worst, sample.error.worst_limit);
}

TEST(Sample, OfAllBlocksIsTheWhole) {
    for (const char* id : {"matmul/12_columns_first", "matmul/22_padded_tiles",
                           "matmul/32_double_buffered", "matmul/40_wmma"}) {
        Job job = job_of(shipped_stages().find(id), 65, 130, 97);
        validate(job);
        Analysis whole = analyse(job, 2), sample;
        Preparation preparation = prepare(job);
        const PreparedKernel& prepared = *preparation.kernel;
        ProductSample all(job, prepared, whole.launch, whole.launch.grid.count(), 2, nullptr);
        StageLaunch stage(job, prepared.kernel);
        all.prepare(stage, 2, nullptr);
        sample.report = interpret(prepared, whole.launch, stage, 2, nullptr, all.blocks());
        all.judge(stage.output(), sample, 2, nullptr);
        EXPECT_EQ(whole.launch.grid.count(), sample.sample.blocks) << id;
        EXPECT_EQ(65u * 130, sample.sample.elements) << id;
        EXPECT_EQ(0u, sample.mismatch.count) << id;
        EXPECT_EQ(whole.report.totals, sample.report.totals) << id;
        EXPECT_EQ(whole.report.warp_instructions, sample.report.warp_instructions) << id;
        EXPECT_EQ(whole.error.relative, sample.error.relative) << id;  // to the last bit
        EXPECT_EQ(whole.error.worst, sample.error.worst) << id;
    }
}

// Its second tile lies far from its first: below and on the other side.
TEST(Sample, FollowsABlockToAllOfItsTiles) {
    NEEDS_NVRTC();
    Stage like = made("");
    like.source.replace(like.source.find("ceil_div(M, 16)"), 15, "ceil_div(M, 32)");
    like.source.replace(
        like.source.find("    int col"), std::string::npos,
        "    for (int part = 0; part < 2; ++part) {\n"
        "        int across = part ? gridDim.x - 1 - blockIdx.x : blockIdx.x;\n"
        "        int col = across * 16 + threadIdx.x;\n"
        "        int row = (blockIdx.y + part * gridDim.y) * 16 + threadIdx.y;\n"
        "        float sum = 0;\n"
        "        for (int k = 0; k < K; ++k) sum += A[row * K + k] * B[k * N + col];\n"
        "        C[row * N + col] = sum;\n    }\n}\n");
    Stage stage = parse_stage(like.source, like);
    ASSERT_EQ("", stage.error);
    Analysis sample = analyse(job_of(stage, 64, 64, 40), 1, nullptr, 3);
    EXPECT_TRUE(sample.correct) << sample.mismatch.row << " " << sample.mismatch.col;
    EXPECT_EQ(8u, sample.sample.of_blocks);
    EXPECT_EQ(3u * 2 * 256, sample.sample.elements);
}

// As many as there are, or more, are all of them: nothing is sampled.
TEST(Sample, OfAsManyBlocksAsThereAreIsNone) {
    NEEDS_NVRTC();
    Stage right = made("C[row * N + col] = sum;\n");
    for (uint64_t blocks : {16, 17})
        EXPECT_FALSE(analyse(job_of(right, 64, 64, 8), 1, nullptr, blocks).sample.is_used());
    EXPECT_TRUE(analyse(job_of(right, 64, 64, 8), 1, nullptr, 15).sample.is_used());
}

TEST(Sample, FindsAFaultOfABlockAtTheEdge) {
    NEEDS_NVRTC();
    Stage wrong = made(
        "bool last = blockIdx.x + 1 == gridDim.x && blockIdx.y + 1 == gridDim.y;\n"
        "C[row * N + col] = last ? 2 * sum : sum;\n");
    Analysis sample = analyse(job_of(wrong, 100, 100, 40), 1, nullptr, 4);
    EXPECT_FALSE(sample.correct);
    EXPECT_EQ(16u, sample.mismatch.count);  // 4 x 4 elements are left for the last block
    EXPECT_EQ(96, sample.mismatch.row);
    EXPECT_EQ(96, sample.mismatch.col);
}

// A sampled block that leaves out with this K what it writes with none.
TEST(Sample, FindsWhatItsBlocksLeaveOut) {
    NEEDS_NVRTC();
    Stage wrong = made("if (K == 0 || threadIdx.y != 3) C[row * N + col] = sum;\n");
    Analysis sample = analyse(job_of(wrong, 64, 64, 40), 1, nullptr, 4);
    EXPECT_FALSE(sample.correct);
    EXPECT_EQ(4u * 16, sample.mismatch.count);  // a row of each
    EXPECT_EQ(3, sample.mismatch.row);
}

// No sampled block is near: block (2, 2) is none of the corners.
TEST(Sample, FindsWhatNoBlockWrites) {
    NEEDS_NVRTC();
    Stage wrong = made(
        "bool missing = blockIdx.x == 2 && blockIdx.y == 2 && threadIdx.y == 5;\n"
        "if (!missing) C[row * N + col] = sum;\n");
    Analysis sample = analyse(job_of(wrong, 100, 100, 40), 1, nullptr, 4);
    EXPECT_FALSE(sample.correct);
    EXPECT_EQ(16u, sample.mismatch.count);
    EXPECT_EQ(37, sample.mismatch.row);
    EXPECT_EQ(32, sample.mismatch.col);
    EXPECT_EQ("nothing", sample.mismatch.actual);
    ASSERT_FALSE(sample.notes.empty());
    EXPECT_EQ(
        "No block writes 16 elements of C, the first in row 37, column 32: all 49 blocks were "
        "interpreted with K = 0.",
        sample.notes.front());
}

// A store past the end of C that happens with K = 0 too, in a block that no sample looks at.
TEST(Sample, TellsWhatWasFoundOnTheWay) {
    NEEDS_NVRTC();
    Stage wrong = made(
        "if (blockIdx.x == 2 && blockIdx.y == 2) C[size_t(M) * N + col] = sum;\n"
        "C[row * N + col] = sum;\n");
    Analysis sample = analyse(job_of(wrong, 100, 100, 40), 1, nullptr, 4);
    ASSERT_EQ(1u, sample.report.findings.size());
    EXPECT_EQ("out_of_bounds", sample.report.findings[0].kind);
    EXPECT_EQ("(2,2)", sample.report.findings[0].block);
}

TEST(Sample, IsRefusedWhereSomeBlocksDoNotStandForAll) {
    NEEDS_NVRTC();
    const std::string sure = "some blocks of matmul/made do not stand for all: ";
    EXPECT_EQ(sure + "they work together by atomics; interpret all of them",
              refusal(made("atomicAdd(&C[row * N + col], sum);\n")));
    EXPECT_EQ(sure + "several write the same element; interpret all of them",
              refusal(made("C[row * N + col] = sum;\nif (row == 0) C[0] = sum;\n")));
    EXPECT_EQ(sure +
                  "its grid depends on K, so that several share an element; interpret all of "
                  "them",
              refusal(made("C[row * N + col] = sum;\n", "ceil_div(K + 1, 32)")));
    EXPECT_EQ(sure +
                  "who writes what is found out with K = 0, where none writes anything; "
                  "interpret all of them",
              refusal(made("if (K > 0) C[row * N + col] = sum;\n")));
    EXPECT_EQ(
        sure + "with K = 40 they write other elements than with K = 0; interpret all of them",
        refusal(made("C[K == 0 ? row * N + col : (M - 1 - row) * N + (col + 32) % N] = sum;\n"),
                1));
    EXPECT_EQ("only a product is interpreted in part; of others, ask for all blocks",
              refusal(shipped_stages().find("transpose/10_naive")));
}

TEST(Sample, ClaimsNothingOfTheWhole) {
    NEEDS_NVRTC();
    Analysis sample =
        analyse(job_of(made("C[row * N + col] = sum;\n"), 100, 100, 40), 1, nullptr, 4);
    Json json = trace_json(sample);
    EXPECT_TRUE(json["correct"].is_null());
    EXPECT_EQ((Json{{"blocks", 4},
                    {"of_blocks", 49},
                    {"elements", 256 + 64 + 64 + 16},
                    {"of_elements", 10'000},
                    {"correct", true}}),
              json["sample"]);
    EXPECT_EQ(4u, Json(sample).get<Analysis>().sample.blocks);
    EXPECT_EQ(
        "In a sample all is right: 4 of 49 blocks have computed 400 of 10,000 elements. They lie at "
        "the corners and edges of C and spread over the rest. All blocks together write each "
        "element once.",
        in_words(sample.sample));
}

}  // namespace
}  // namespace lanewise
