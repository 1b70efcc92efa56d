#include "lab/machine/code_listing.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "../../needs.h"
#include "../../shipped_stages.h"
#include "course/catalogue.h"
#include "lab/machine/prepared.h"

namespace lanewise {

namespace {

CodeListing listing_of(const std::string& source, const std::string& kernel, int arguments = 2) {
    Job job;
    job.stage.file = job.stage.id = "own.cu";
    job.stage.source = source;
    job.own.kernel = kernel;
    job.own.shape = {{1, 1, 1}, {32, 1, 1}, 0};
    for (int i = 0; i < arguments; ++i) job.own.arguments.push_back("f32[4096]");
    job.arch = "sm_90";
    return prepare(job).kernel->listing;
}

int count_of(const CodeListing& listing, const std::string& opcode, int source_line) {
    return static_cast<int>(
        std::count_if(listing.sass.begin(), listing.sass.end(), [&](const SassRow& row) {
            return row.opcode == opcode && row.source_line == source_line;
        }));
}

int accesses_of(const CodeListing& listing, int source_line) {
    return static_cast<int>(std::count_if(
        listing.ptx.begin(), listing.ptx.end(),
        [&](const PtxRow& row) { return row.access >= 0 && row.source_line == source_line; }));
}

}  // namespace

TEST(CodeListing, AStageIsOneToOneAndLinkedByLine) {
    Job job;
    job.stage = shipped_stages().find("30_padded");
    validate(job);
    CodeListing listing = prepare(job).kernel->listing;
    EXPECT_EQ("", listing.remark);
    EXPECT_TRUE(listing.notes.empty());
    // 32 x 32 elements by 32 x 8 threads: four rows each, one access of each kind a row.
    auto number = [&](const char* opcode) {
        return std::count_if(listing.sass.begin(), listing.sass.end(), [&](const SassRow& row) {
            return row.opcode == opcode && row.predicate != "@!PT";
        });
    };
    for (const char* opcode : {"LDG", "STG", "LDS", "STS"}) EXPECT_EQ(4, number(opcode)) << opcode;
    std::vector<std::string_view> lines;
    for (const SassRow& row : listing.sass) {
        EXPECT_EQ("", row.relation) << row.opcode;
        EXPECT_EQ(4, row.bytes_per_lane);
        auto ptx = std::find_if(listing.ptx.begin(), listing.ptx.end(),
                                [&](const PtxRow& p) { return p.line == row.ptx_line; });
        ASSERT_NE(listing.ptx.end(), ptx);
        EXPECT_EQ(row.source_line, ptx->source_line);
        EXPECT_GE(ptx->access, 0);
        EXPECT_GT(row.source_line, 0);
    }
    EXPECT_TRUE(std::is_sorted(listing.ptx.begin(), listing.ptx.end(),
                               [](const PtxRow& a, const PtxRow& b) { return a.line < b.line; }));
    // A branch's target is listed with it.
    EXPECT_TRUE(std::any_of(listing.ptx.begin(), listing.ptx.end(),
                            [](const PtxRow& row) { return row.text.ends_with(':'); }));
}

TEST(CodeListing, SaysWhatWasMerged) {
    NEEDS_NVRTC();
    // Two neighbouring words of shared memory at an address that is a multiple of 8.
    CodeListing listing = listing_of(
        "__global__ void pairs(const float* in, float* out) {\n"
        "    __shared__ float s[64];\n"
        "    for (int i = 0; i < 2; ++i) s[i * 32 + threadIdx.x] = in[i * 32 + threadIdx.x];\n"
        "    __syncthreads();\n"
        "    out[threadIdx.x] = s[2 * threadIdx.x] + s[2 * threadIdx.x + 1];\n"
        "}\n",
        "pairs");
    EXPECT_EQ(3, accesses_of(listing, 5));
    EXPECT_EQ(1, count_of(listing, "LDS.64", 5));
    ASSERT_EQ(1u, listing.notes.size());
    EXPECT_EQ(5, listing.notes[0].source_line);
    EXPECT_EQ("merged: 2 ld.shared.f32 → 1 LDS.64", listing.notes[0].text);
    for (const SassRow& row : listing.sass)
        EXPECT_EQ(row.opcode == "LDS.64" ? "merged" : "", row.relation) << row.opcode;
}

TEST(CodeListing, NamesWidthsAndGuards) {
    NEEDS_NVRTC();
    CodeListing listing = listing_of(
        "__global__ void odd(const signed char* in, float4* out) {\n"
        "    int v = in[threadIdx.x];\n"
        "    if (v > 3)\n"
        "        out[threadIdx.x] = make_float4(v, 0, 0, 0);\n"
        "}\n",
        "odd");
    EXPECT_EQ(1, count_of(listing, "LDG.S8", 2));
    EXPECT_EQ(1, count_of(listing, "STG.128", 4));
}

TEST(CodeListing, ADamagedCubinLeavesThePtx) {
    Job job;
    job.stage = shipped_stages().find("00_copy");
    validate(job);
    auto prepared = prepare(job).kernel;
    Program program = prepared->program;
    program.cubin.resize(100);
    CodeListing listing = code_listing(program, prepared->kernel, job.stage.file);
    EXPECT_EQ(prepared->listing.ptx.size(), listing.ptx.size());
    EXPECT_TRUE(listing.sass.empty());
    EXPECT_NE(std::string::npos, listing.remark.find("cannot be listed")) << listing.remark;
}

}  // namespace lanewise
