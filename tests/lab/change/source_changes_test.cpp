// Changes of a source that leave its result as it is: what they look like, that they compute the same
// also where little fits them, and where none is proposed.
#include "lab/change/source_changes.h"

#include <gtest/gtest.h>

#include <cstring>

#include "../../needs.h"
#include "../../shipped_stages.h"
#include "../own_job.h"
#include "compile/compiler.h"
#include "course/catalogue.h"
#include "lab/analysis/analysis.h"
#include "lab/change/fixes.h"
#include "lab/machine/prepared.h"

namespace lanewise {
namespace {

// What the launch leaves in the buffer of this parameter, as words; and its counts.
struct Left {
    std::vector<uint32_t> words;
    Counts counts;
    size_t findings = 0;
};
Left left_in(const std::string& buffer, const Job& job) {
    Left left;
    const Analysis run = analyse(job, 1, nullptr, 0, [&](const StageLaunch& launch) {
        for (const Memory::Buffer& each : launch.memory.buffers()) {
            if (each.name != buffer || !each.storage) continue;
            left.words.resize(static_cast<size_t>(each.bytes / 4));
            std::memcpy(left.words.data(), each.storage, left.words.size() * 4);
        }
    });
    left.counts = run.report.totals;
    left.findings = run.report.findings.size();
    return left;
}

Job with(const Job& job, const SourceChange& change) {
    Job other = job;
    other.stage.source = change.source;
    return other;
}

std::string diff_of_change(const Job& job, const SourceChange& change) {
    return diff_of(job, Fix{change.title, with(job, change), true});
}

// ---- swizzles

const std::string kTurn =
    "__global__ void turn(const float* in, float* out) {\n"
    "    __shared__ float tile[32][32];\n"
    "    tile[threadIdx.y][threadIdx.x] = in[threadIdx.y * 32 + threadIdx.x];\n"
    "    __syncthreads();\n"
    "    out[threadIdx.y * 32 + threadIdx.x] = tile[threadIdx.x][threadIdx.y];\n"
    "}\n";

Job turning(const std::string& source) {
    return own_job(source, "turn", {1}, {32, 32}, {"f32[1024]", "f32[1024]"});
}

std::string replaced(std::string text, const std::string& what, const std::string& by) {
    for (size_t at = text.find(what); at != text.npos; at = text.find(what, at + by.size()))
        text.replace(at, what.size(), by);
    return text;
}

TEST(Swizzles, TurnTheColumnsByTheRow) {
    const Job job = turning(kTurn);
    const std::vector<SourceChange> changes = swizzle_changes(job);
    ASSERT_EQ(1u, changes.size());
    EXPECT_EQ("The columns of tile are swizzled by their row", changes[0].title);
    EXPECT_EQ(
        "@@ line 2 @@\n"
        "     __shared__ float tile[32][32];\n"
        "-    tile[threadIdx.y][threadIdx.x] = in[threadIdx.y * 32 + threadIdx.x];\n"
        "+    tile[threadIdx.y][threadIdx.x ^ (threadIdx.y & 31)] = in[threadIdx.y * 32 + threadIdx.x];\n"
        "     __syncthreads();\n"
        "-    out[threadIdx.y * 32 + threadIdx.x] = tile[threadIdx.x][threadIdx.y];\n"
        "+    out[threadIdx.y * 32 + threadIdx.x] = tile[threadIdx.x][threadIdx.y ^ (threadIdx.x & 31)];\n"
        " }\n",
        diff_of_change(job, changes[0]));
}

// 32 warps read a column each: 32 wavefronts a warp as it is; each lane has a bank of its own with it.
TEST(Swizzles, LeaveEachLaneABankOfItsOwn) {
    NEEDS_NVRTC();
    const Job job = turning(kTurn);
    const Left before = left_in("out", job), after = left_in("out", with(job, swizzle_changes(job).at(0)));
    EXPECT_EQ(32u * 32, before.counts.shared_load.wavefronts);
    EXPECT_EQ(32u, after.counts.shared_load.wavefronts);
    EXPECT_EQ(32u, after.counts.shared_store.wavefronts);
    EXPECT_EQ(before.words, after.words);
    EXPECT_EQ(0u, after.findings);
}

// Rows of 8 words: four of them fill the banks, so that every fourth is turned further.
TEST(Swizzles, OfShortRowsTurnOnceForAsManyAsFillTheBanks) {
    NEEDS_NVRTC();
    const Job job = own_job(
        "__global__ void turn(const float* in, float* out) {\n"
        "    __shared__ float tile[32][8];\n"
        "    tile[threadIdx.x / 8 + 4 * threadIdx.y][threadIdx.x % 8] = in[threadIdx.y * 32 + threadIdx.x];\n"
        "    __syncthreads();\n"
        "    out[threadIdx.y * 32 + threadIdx.x] = tile[threadIdx.x][threadIdx.y];\n"
        "}\n",
        "turn", {1}, {32, 8}, {"f32[256]", "f32[256]"});
    const std::vector<SourceChange> changes = swizzle_changes(job);
    ASSERT_EQ(1u, changes.size());
    EXPECT_NE(std::string::npos,
              changes[0].source.find("tile[threadIdx.x][threadIdx.y ^ (threadIdx.x / 4 & 7)]"))
        << changes[0].source;
    const Left before = left_in("out", job), after = left_in("out", with(job, changes[0]));
    EXPECT_EQ(8u * 8, before.counts.shared_load.wavefronts);
    EXPECT_EQ(8u, after.counts.shared_load.wavefronts);
    EXPECT_EQ(before.words, after.words);
}

// A knob may become anything: with one that is no power of two it does not compile.
TEST(Swizzles, OfAKnobAreHeldToPowersOfTwo) {
    Job job;
    job.stage = shipped_stages().find("transpose/20_tiled");
    job.knobs = default_knobs(job.stage);
    const std::vector<SourceChange> changes = swizzle_changes(job);
    ASSERT_EQ(1u, changes.size());
    EXPECT_NE(std::string::npos, changes[0].source.find(
        "static_assert((TILE & (TILE - 1)) == 0, \"the swizzle of tile needs rows of a power of two\");"));
    EXPECT_NE(std::string::npos,
              changes[0].source.find("tile[threadIdx.x][threadIdx.y ^ (threadIdx.x & (TILE - 1))]"));
}

TEST(Swizzles, AreNotMadeWhereTheTextDoesNotTell) {
    for (const auto& [what, by] : std::vector<std::pair<std::string, std::string>>{
             {"[32][32]", "[32][33]"},                                            // padded already
             {"[32][32]", "[32][24]"},                                            // no power of two
             {"= tile[threadIdx.x][threadIdx.y]", "= (&tile[0][0])[threadIdx.x]"},  // flat
             {"= tile[threadIdx.x][threadIdx.y]", "= *(tile[threadIdx.x] + threadIdx.y)"},
             {"= tile[threadIdx.x][threadIdx.y]", "= sum_of(tile)"},
             {"= tile[threadIdx.x][threadIdx.y]", "= tile[next()][threadIdx.y]"},
             {"= tile[threadIdx.x][threadIdx.y]", "= tile[k++][threadIdx.y]"}}) {
        const std::string source = replaced(kTurn, what, by);
        ASSERT_NE(kTurn, source);
        EXPECT_TRUE(swizzle_changes(turning(source)).empty()) << source;
    }
}

// ---- loops that move 16 bytes at a time

const std::string kScale =
    "__global__ void scale(const float* in, float* out, float by, int n) {\n"
    "    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)\n"
    "        out[i] = by * in[i] + i;\n"
    "}\n";

Job scaling(const std::string& source, const std::string& n, const std::string& in = "f32[2048]=-1..1") {
    Job job = own_job(source, "scale", {2}, {64}, {in, "f32[2048]=0", "f32:3", "i32:" + n});
    return job;
}

TEST(VectorLoops, MoveFourElementsAndWhatIsLeftOver) {
    const Job job = scaling(kScale, "1024");
    const std::vector<SourceChange> changes = vector_changes(job);
    ASSERT_EQ(1u, changes.size());
    EXPECT_EQ("Its loop moves 16 bytes at a time", changes[0].title);
    EXPECT_EQ(
        "__global__ void scale(const float* in, float* out, float by, int n) {\n"
        "    {\n"
        "        int i_4 = 0;  // so many elements go four at a time\n"
        "        if ((size_t(in) | size_t(out)) % 16 == 0) i_4 = n / 4 * 4;\n"
        "        for (int i = 4 * (blockIdx.x * blockDim.x + threadIdx.x); i < i_4; i += 4 * (gridDim.x * "
        "blockDim.x)) {\n"
        "            alignas(16) float in_4[4];\n"
        "            *reinterpret_cast<float4*>(in_4) = *reinterpret_cast<const float4*>(&in[i]);\n"
        "            alignas(16) float out_4[4];\n"
        "#pragma unroll\n"
        "            for (int k_4 = 0; k_4 < 4; ++k_4) out_4[k_4] = by * in_4[k_4] + (i + k_4);\n"
        "            *reinterpret_cast<float4*>(&out[i]) = *reinterpret_cast<float4*>(out_4);\n"
        "        }\n"
        "        for (int i = i_4 + blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) "
        "out[i] = by * in[i] + i;\n"
        "    }\n"
        "}\n",
        changes[0].source);
}

// 1024 floats are 32 requests of a warp, or 8 with four a lane. 1023 leave three over; one element
// behind a buffer's begin nothing is aligned, and everything goes as before.
TEST(VectorLoops, ComputeTheSameForEveryLengthAndPlace) {
    NEEDS_NVRTC();
    const Job whole = scaling(kScale, "1024");
    const SourceChange change = vector_changes(whole).at(0);
    EXPECT_EQ(32u, left_in("out", whole).counts.global_load.requests);
    EXPECT_EQ(8u, left_in("out", with(whole, change)).counts.global_load.requests);
    EXPECT_EQ(8u, left_in("out", with(whole, change)).counts.global_store.requests);
    for (const std::string n : {"0", "1", "3", "4", "255", "1023", "1024", "2047"}) {
        const Job job = scaling(kScale, n);
        const Left before = left_in("out", job), after = left_in("out", with(job, change));
        ASSERT_EQ(2048u, before.words.size());
        EXPECT_EQ(before.words, after.words) << n;
        EXPECT_EQ(0u, after.findings) << n;
    }
    Job apart = scaling(kScale, "1024", "words+1");
    apart.own.buffers = {"words=f32[2048]=-1..1"};
    const Left before = left_in("out", apart), after = left_in("out", with(apart, change));
    EXPECT_EQ(before.words, after.words);
    EXPECT_EQ(32u, after.counts.global_load.requests);
}

// Sums of a row, by a block: the pointer is the kernel's own, and what the block adds up is whole.
TEST(VectorLoops, OfARowAskForTheRowsAlignment) {
    NEEDS_NVRTC();
    const Job job = own_job(
        "__global__ void sums(const unsigned* in, unsigned* out, int cols) {\n"
        "    const unsigned* row = in + blockIdx.x * cols;\n"
        "    unsigned sum = 0;\n"
        "    for (int i = threadIdx.x; i < cols; i += 64) {\n"
        "        sum += row[i] * row[i];\n"
        "    }\n"
        "    atomicAdd(&out[blockIdx.x], sum);\n"
        "}\n",
        "sums", {3}, {64}, {"u32[3000]", "u32[3]=0", "i32:999"});
    const std::vector<SourceChange> changes = vector_changes(job);
    ASSERT_EQ(1u, changes.size());
    EXPECT_NE(std::string::npos, changes[0].source.find("if ((size_t(row)) % 16 == 0) i_4 = cols / 4 * 4;"))
        << changes[0].source;
    EXPECT_EQ(left_in("out", job).words, left_in("out", with(job, changes[0])).words);
}

// The order in which floats are added shows in the sum, so that of two loops one may do and both not.
TEST(VectorLoops, OfSeveralAreTriedOneByOne) {
    const Job job = scaling(
        "__global__ void scale(const float* in, float* out, float by, int n) {\n"
        "    float sum = 0;\n"
        "    for (int i = threadIdx.x; i < n; i += blockDim.x)\n"
        "        sum += in[i];\n"
        "    for (int i = threadIdx.x; i < n; i += blockDim.x)\n"
        "        out[i] = by * in[i] + sum;\n"
        "}\n",
        "1024");
    const std::vector<SourceChange> changes = vector_changes(job);
    ASSERT_EQ(3u, changes.size());
    EXPECT_EQ("Its loop in line 3 moves 16 bytes at a time", changes[0].title);
    EXPECT_EQ("Its loop in line 5 moves 16 bytes at a time", changes[1].title);
    EXPECT_EQ("Its loops move 16 bytes at a time", changes[2].title);
}

TEST(VectorLoops, AreNotMadeWhereTheTextDoesNotTell) {
    const std::string body = "out[i] = by * in[i] + i;", step = "i += gridDim.x * blockDim.x";
    for (const auto& [what, by] : std::vector<std::pair<std::string, std::string>>{
             {body, "out[2 * i] = in[i + 1];"},                       // neither is contiguous
             {body, "{ if (in[i] < 0) break; out[i] = in[i]; }"},     // what follows is not computed
             {body, "{ __syncthreads(); out[i] = in[i]; }"},          // lanes together
             {body, "out[i] = __shfl_down_sync(~0u, in[i], 1);"},     // likewise
             {body, "out[i] = in[i] * threadIdx.x;"},                 // of the lane
             {body, "{ out[i] = in[i]; ++i; }"},                      // it goes further by itself
             {step, "i += 1"},                                        // lanes walk the same elements
             {step, "i += blockDim.x"},                               // blocks do
             {"const float* in, float* out", "const float4* in, float4* out"},  // so it does already
             {"    for", "#pragma unroll\n    for"}}) {
        const std::string source = replaced(kScale, what, by);
        ASSERT_NE(kScale, source);
        EXPECT_TRUE(vector_changes(scaling(source, "1024")).empty()) << source;
    }
    // An argument that happens to be as large as a block is no block's size.
    EXPECT_TRUE(vector_changes(scaling(replaced(kScale, step, "i += n"), "64")).empty());
}

// A store under a condition stays one: only what is read goes four at a time.
TEST(VectorLoops, StoreOnlyWhatIsAlwaysStored) {
    NEEDS_NVRTC();
    const Job job = scaling(replaced(kScale, "out[i] = by * in[i] + i;", "if (in[i] > 0) out[i] = in[i];"), "1001");
    const std::vector<SourceChange> changes = vector_changes(job);
    ASSERT_EQ(1u, changes.size());
    EXPECT_NE(std::string::npos, changes[0].source.find("if (in_4[k_4] > 0) out[(i + k_4)] = in_4[k_4];"))
        << changes[0].source;
    EXPECT_EQ(left_in("out", job).words, left_in("out", with(job, changes[0])).words);
}

// ---- histograms

const std::string kCount =
    "__global__ void count(const unsigned* in, unsigned* bins, unsigned mask) {\n"
    "    int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
    "    atomicAdd(&bins[in[i] & mask], 1);\n"
    "}\n";

Job counting(const std::string& source, const std::string& mask, const std::string& bins = "u32[2048]=0") {
    return own_job(source, "count", {8}, {64}, {"u32[512]", bins, "u32:" + mask});
}

TEST(Histograms, AreAddedUpInSharedMemoryFirst) {
    const Job job = counting(kCount, "7");
    const std::vector<SourceChange> changes = histogram_changes(job);
    ASSERT_EQ(1u, changes.size());
    EXPECT_EQ("What is added to bins is added in shared memory first", changes[0].title);
    EXPECT_EQ(
        "__global__ void count(const unsigned* in, unsigned* bins, unsigned mask) {\n"
        "    __shared__ unsigned bins_here[1024];\n"
        "    for (unsigned bins_k = threadIdx.x; bins_k < 1024; bins_k += blockDim.x) bins_here[bins_k] = 0;\n"
        "    __syncthreads();\n"
        "    int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
        "    { const unsigned bins_bin = in[i] & mask; if (bins_bin < 1024) atomicAdd(&bins_here[bins_bin], 1); "
        "else atomicAdd(&bins[bins_bin], 1); }\n"
        "    __syncthreads();\n"
        "    for (unsigned bins_k = threadIdx.x; bins_k < 1024; bins_k += blockDim.x)\n"
        "        if (bins_here[bins_k] != 0) atomicAdd(&bins[bins_k], bins_here[bins_k]);\n"
        "}\n",
        changes[0].source);
}

// 8 blocks of 64 elements in 8 bins: at most 8 additions a block go to the buffer. With 2,048 bins half
// of them lie behind the copy.
TEST(Histograms, CountTheSameInEveryBin) {
    NEEDS_NVRTC();
    for (const std::string mask : {"0", "7", "2047"}) {
        const Job job = counting(kCount, mask);
        const SourceChange change = histogram_changes(job).at(0);
        const Left before = left_in("bins", job), after = left_in("bins", with(job, change));
        ASSERT_EQ(2048u, before.words.size());
        EXPECT_EQ(before.words, after.words) << mask;
        EXPECT_EQ(0u, after.findings) << mask;
    }
    const Job small = counting(kCount, "7", "u32[8]=0");
    const SourceChange change = histogram_changes(small).at(0);
    EXPECT_NE(std::string::npos, change.source.find("bins_here[8];"));
    EXPECT_EQ(left_in("bins", small).words, left_in("bins", with(small, change)).words);
}

TEST(Histograms, AreNotMadeWhereTheTextDoesNotTell) {
    const std::string add = "atomicAdd(&bins[in[i] & mask], 1);";
    for (const auto& [what, by] : std::vector<std::pair<std::string, std::string>>{
             {add, "unsigned ticket = " + add},                   // what was there is needed
             {add, "if (i > 400) return; " + add},                // some leave before the barrier
             {add, add + " if (bins[0] > 5) bins[1] = 0;"},       // it is looked at meanwhile
             {add, "atomicMax(&bins[in[i] & mask], 1);"},         // no sum
             {"unsigned* bins", "float* bins"}}) {                // the order of a float sum shows
        const std::string source = replaced(kCount, what, by);
        ASSERT_NE(kCount, source);
        EXPECT_TRUE(histogram_changes(counting(source, "7")).empty()) << source;
    }
}

// ---- as they are tried

const TriedFix* tried(const FixTrial& trial, const std::string& begin) {
    for (const TriedFix& each : trial.fixes)
        if (each.fix.title.starts_with(begin)) return &each;
    return nullptr;
}

// All lanes of a thousand blocks count in one bin: they take turns at one word of L2, or at each block's.
TEST(SourceChanges, OfAContendedHistogramIsFaster) {
    NEEDS_NVRTC();
    const FixTrial trial = try_fixes(own_job(kCount, "count", {1024}, {256}, {"u32[262144]", "u32[256]=0", "u32:255"}));
    const TriedFix* found = tried(trial, "What is added to bins");
    ASSERT_TRUE(found);
    EXPECT_EQ("", found->problem);
    EXPECT_TRUE(found->time.holds);
}

TEST(SourceChanges, OfATileIncludeTheSwizzle) {
    NEEDS_NVRTC();
    Job job = turning(kTurn);
    job.own.shape.grid = {512};
    const FixTrial trial = try_fixes(job);
    const TriedFix* found = tried(trial, "The columns of tile");
    ASSERT_TRUE(found);
    EXPECT_EQ("", found->problem);
    EXPECT_LT(found->time.time_us, 0.9 * trial.before.time_us);
}

}  // namespace
}  // namespace lanewise
