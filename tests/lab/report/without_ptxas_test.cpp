// Everything that the laboratory says of a kernel whose machine code nobody has made.
#include "../../without_ptxas.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "../../shipped_stages.h"
#include "base/error.h"
#include "course/catalogue.h"
#include "lab/analysis/analysis.h"
#include "lab/analysis/prediction.h"
#include "lab/flow/block_walk.h"
#include "lab/json/json.h"
#include "lab/machine/calls_apart.h"
#include "lab/machine/load_groups.h"
#include "lab/machine/prepared.h"
#include "lab/report/report.h"
#include "ptx/parser.h"
#include "trace/count/memory_instructions.h"

namespace lanewise {
namespace {

class WithoutPtxasTest : public testing::Test {
  protected:
    void SetUp() override {
        if (!compiler_status().found) GTEST_SKIP() << "no NVRTC here: nothing can be compiled";
    }
    static Job job_of(const std::string& id, int64_t side = 64) {
        Job job;
        job.stage = shipped_stages().find(id);
        job.type = job.stage.types.front();
        job.rows = job.cols = side;
        return job;
    }
    // The same job as NVRTC compiles it, and as it is without machine code.
    struct Both {
        Analysis with, without;
    };
    Both both(const Job& job) {
        choose_compiler("");
        Analysis with = analyse(job);
        no_ptxas_.put(job.stage, job.knobs, job.type);
        return {with, analyse(job)};
    }
    WithoutPtxas no_ptxas_;
};

TEST_F(WithoutPtxasTest, CountsAndResultsAreTheSameWherePtxasLeavesTheCodeAsItIs) {
    for (const char* id : {"transpose/10_naive", "transpose/30_padded", "transpose/40_float4"}) {
        Both one = both(job_of(id, 96));
        EXPECT_TRUE(one.without.correct) << id;
        EXPECT_TRUE(one.without.report.findings.empty()) << id;
        EXPECT_EQ(one.with.report.totals.global_load.sectors,
                  one.without.report.totals.global_load.sectors)
            << id;
        EXPECT_EQ(one.with.report.totals.shared_load.wavefronts,
                  one.without.report.totals.shared_load.wavefronts)
            << id;
        EXPECT_EQ(one.with.report.totals.global_store.requests,
                  one.without.report.totals.global_store.requests)
            << id;
        EXPECT_GT(one.without.prediction.gb_per_s, 0) << id;
    }
}

TEST_F(WithoutPtxasTest, RegistersAreNotKnownAndSharedMemoryIs) {
    Both one = both(job_of("transpose/30_padded"));
    EXPECT_EQ(WithoutPtxas::kName, one.without.compiler);
    EXPECT_EQ(std::nullopt, one.without.resources.registers_per_thread);
    EXPECT_EQ(std::nullopt, one.without.resources.local_bytes);
    EXPECT_EQ(4224, one.without.resources.static_shared_bytes);  // 32 rows of 33 floats
    EXPECT_EQ(one.with.resources.static_shared_bytes, one.without.resources.static_shared_bytes);
    EXPECT_FALSE(one.without.occupancy.is_known());
    EXPECT_GE(one.without.occupancy.blocks_per_sm, one.with.occupancy.blocks_per_sm);
    EXPECT_EQ(0u, in_words(one.without.occupancy).find("at most "));
    auto has_note = [&](const std::string& part) {
        const std::vector<std::string>& notes = one.without.notes;
        return std::any_of(notes.begin(), notes.end(), [&](const std::string& note) {
            return note.find(part) != std::string::npos;
        });
    };
    EXPECT_EQ(2u, one.without.notes.size());
    EXPECT_TRUE(has_note("Counted as written in PTX"));
    EXPECT_TRUE(has_note("clang"));  // whose instructions are others
}

TEST_F(WithoutPtxasTest, JsonHasNullForWhatIsNotKnown) {
    Both one = both(job_of("transpose/30_padded"));
    Json json = trace_json(one.without);
    EXPECT_EQ(WithoutPtxas::kName, json["compiler"]);
    const Json& occupancy = json["occupancy"];
    for (const char* field :
         {"registers_per_thread", "blocks_per_sm", "warps_per_sm", "fraction", "limited_by"})
        EXPECT_TRUE(occupancy[field].is_null()) << field;
    EXPECT_GT(occupancy["at_most"]["blocks_per_sm"], 0);
    Json known = trace_json(one.with);
    EXPECT_GT(known["occupancy"]["registers_per_thread"], 0);
    EXPECT_FALSE(known["occupancy"].contains("at_most"));
    Analysis there = Json(one.without).get<Analysis>();  // as it goes to the window
    EXPECT_EQ(std::nullopt, there.resources.registers_per_thread);
    EXPECT_FALSE(there.occupancy.is_known());
    EXPECT_EQ(one.without.occupancy.blocks_per_sm, there.occupancy.blocks_per_sm);
    EXPECT_EQ(WithoutPtxas::kName, there.compiler);
}

TEST_F(WithoutPtxasTest, ThePictureHasPtxAndSaysWhyThereIsNoSass) {
    Job job = job_of("transpose/30_padded");
    no_ptxas_.put(job.stage, {}, job.type);
    Picture picture = trace_block(job, 0);
    EXPECT_FALSE(picture.code.ptx.empty());
    EXPECT_TRUE(picture.code.sass.empty());
    EXPECT_EQ(0u, picture.code.remark.find("There is no machine code (SASS) to list."));
    EXPECT_NE(std::string::npos, picture.compiler.find(WithoutPtxas::kName));
    EXPECT_FALSE(picture.block.accesses.empty());
    EXPECT_GT(walk_blocks(job, 4).resident_per_sm, 0);
}

TEST_F(WithoutPtxasTest, ProductsAreCountedAndModelled) {
    Job job = job_of("matmul/20_shared_tiles");
    job.inner = 64;
    no_ptxas_.put(job.stage, {}, job.type);
    Analysis analysis = analyse(job);
    EXPECT_TRUE(analysis.correct);
    EXPECT_GT(analysis.prediction.gflop_per_s, 0);
}

// The PTX has each load right before its store to the tile; ptxas puts the four loads first. So the
// model has the same launch in both.
TEST_F(WithoutPtxasTest, WhatIsLoadedTogetherIsReadOffThePtx) {
    Job job = job_of("transpose/30_padded");
    no_ptxas_.put(job.stage, {}, job.type);
    std::vector<int> groups = prepare(job).kernel->load_groups;
    std::erase(groups, -1);
    EXPECT_EQ(std::vector<int>(groups.size(), groups.front()), groups);
    Both one = both(job_of("transpose/30_padded", 256));
    EXPECT_DOUBLE_EQ(one.with.prediction.time_us, one.without.prediction.time_us);
}

// Another compiler is never asked behind the back of the choice.
TEST_F(WithoutPtxasTest, WhatWasNotPutThereIsNotCompiled) {
    Job job = job_of("transpose/30_padded");
    no_ptxas_.put(job.stage, {}, job.type);
    job.knobs["PAD"] = 0;
    EXPECT_THROW(analyse(job), NoCompiler);
    EXPECT_NE("", cannot_compile({job.stage.file, job.stage.source}, {}));
    EXPECT_EQ("", cannot_interpret(job.stage));  // with its default knobs it is there
}

// A product of two 16 x 16 tiles in one layout, which come from `space`: "tile" or "in".
std::string product_of_tiles(const std::string& element, const std::string& space,
                             const std::string& layout) {
    std::string source = R"cu(#include <mma.h>
using namespace nvcuda;
extern "C" __global__ void k(const ELEMENT* in, SUM* out) {
    __shared__ __align__(256) ELEMENT tile[512];
    for (int i = threadIdx.x; i < 512; i += 32) tile[i] = in[i];
    __syncthreads();
    wmma::fragment<wmma::matrix_a, 16, 16, 16, ELEMENT, wmma::LAYOUT_major> a;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, ELEMENT, wmma::LAYOUT_major> b;
    wmma::fragment<wmma::accumulator, 16, 16, 16, SUM> c;
    wmma::load_matrix_sync(c, out, 16, wmma::mem_LAYOUT_major);
    wmma::load_matrix_sync(a, SPACE, 16);
    wmma::load_matrix_sync(b, SPACE + 256, 16);
    wmma::mma_sync(c, a, b, c);
    wmma::store_matrix_sync(out, c, 16, wmma::mem_LAYOUT_major);
}
)cu";
    for (const auto& [word, meant] : {std::pair<std::string, std::string>{"ELEMENT", element},
                                      {"SUM", element == "half" ? "float" : "int"},
                                      {"SPACE", space},
                                      {"LAYOUT", layout}})
        for (size_t at; (at = source.find(word)) != source.npos;)
            source.replace(at, word.size(), meant);
    return source;
}

TEST_F(WithoutPtxasTest, MatricesAreCountedAsPtxasHasThem) {
    Job job = job_of("matmul/40_wmma", 128);
    job.inner = 64;
    Both one = both(job);
    EXPECT_EQ(one.with.report.totals, one.without.report.totals);
    EXPECT_GT(one.without.report.totals.matrix_load.instructions, 0u);
}

TEST_F(WithoutPtxasTest, EveryAccessOfWmmaExecutesAsInTheSass) {
    if (compiler_status().include_folder.empty()) GTEST_SKIP() << "no CUDA headers here";
    int compared = 0;
    for (const char* element : {"half", "signed char"})
        for (const char* space : {"tile", "in"})
            for (const char* layout : {"row", "col"}) {
                Program program = compile({"wmma.cu", product_of_tiles(element, space, layout)},
                                          {"k", "sm_90", {}, {}});
                ptx::Kernel kernel = ptx::parse(program.ptx, program.entry);
                std::vector<InstructionReport> reports = memory_instructions(kernel);
                std::vector<CountAs> with = sass_counting(program, kernel).count_as;
                program.cubin.clear();
                std::vector<CountAs> without = sass_counting(program, kernel).count_as;
                ASSERT_EQ(with.size(), without.size());
                for (size_t i = 0; i < with.size(); ++i) {
                    if (reports[i].text.find("wmma") != 0) continue;
                    EXPECT_EQ(with[i].executed, without[i].executed) << reports[i].text;
                    ++compared;
                }
            }
    EXPECT_EQ(8 * 4, compared);
}

const char* kAtomics =
    "extern \"C\" __global__ void k(unsigned* out) {\n"
    "    __shared__ unsigned bins[32];\n"
    "    bins[threadIdx.x] = 0;\n"
    "    __syncthreads();\n"
    "    atomicAdd(&bins[threadIdx.x % 4], 1u);\n"
    "    atomicAdd(&out[threadIdx.x % 8], threadIdx.x);\n"
    "    out[8 + threadIdx.x] = atomicAdd(&out[40], bins[threadIdx.x]);\n"
    "}\n";

// Whether anybody wants an atomic's old value is in the PTX, too.
TEST_F(WithoutPtxasTest, AtomicsExecuteAsThePtxDecides) {
    Source source{"atomics.cu", kAtomics};
    CompileOptions options{"k", "sm_90", {}, {}};
    Program program = compile(source, options);
    ptx::Kernel kernel = ptx::parse(program.ptx, program.entry);
    auto executed = [&] {
        std::vector<CountAs::Executed> all;
        for (const CountAs& as : sass_counting(program, kernel).count_as)
            if (as.executed != CountAs::Executed::as_written) all.push_back(as.executed);
        return all;
    };
    program.cubin.clear();
    EXPECT_EQ((std::vector{CountAs::Executed::increment, CountAs::Executed::reduction}),
              executed());
}

}  // namespace
}  // namespace lanewise
