// clang in NVRTC's place: every stage that both compile, in all its types at its default knobs,
// accesses memory in the same way, computes the same, and is found faulty where it is. Needs clang
// and NVRTC.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "../../shipped_stages.h"
#include "base/error.h"
#include "compile/compiler.h"
#include "course/catalogue.h"
#include "lab/analysis/analysis.h"
#include "lab/job/needs.h"
#include "lab/product/product.h"
#include "stage_and_type.h"

namespace lanewise {

namespace {

std::vector<StageAndType> stages_and_types() {
    std::vector<StageAndType> all;
    for (const Stage& stage : shipped_stages().stages()) {
        // A call of a library has no kernel, and CUTLASS's headers want the toolkit's, which clang is not given.
        if (is_library_call(stage) || !stage.headers.empty()) continue;
        for (const std::string& type : stage.types) all.push_back({stage, type});
    }
    return all;
}

bool has(const std::string& compiler) {
    choose_compiler(compiler);
    bool found = !compiler_in_use().empty();
    choose_compiler("");
    return found;
}

Analysis analysed_by(const std::string& compiler, const Job& job) {
    choose_compiler(compiler);
    try {
        Analysis analysis = analyse(job, 1);
        choose_compiler("");
        return analysis;
    } catch (...) {
        choose_compiler("");
        throw;
    }
}

// Whether that is what an old clang says to a stage that a newer one compiles: clang 16 crashes at
// 84_tma and does not know sm_90a.
bool is_too_old(const std::string& message) {
    return message.find("a newer clang may compile it") != message.npos ||
           message.find("it knows architectures from") != message.npos;
}

// Both ragged and whole tiles.
std::vector<Job> jobs_of(const Stage& stage, const std::string& type) {
    auto job = [&](int64_t rows, int64_t cols, int64_t inner) {
        Job made{stage, {}, type, {rows, cols}, arch_for(stage, "sm_90")};
        made.inner = inner;
        return made;
    };
    if (is_product(stage)) return {job(128, 256, 64), job(33, 65, 97)};
    if (is_in_place(stage)) return {job(128, 128, 0), job(130, 130, 0)};
    return {job(128, 256, 0), job(130, 70, 0)};
}

#define EXPECT_SAME(field) EXPECT_EQ(by_nvrtc.field, by_clang.field) << #field

void expect_same(const GlobalCounts& by_nvrtc, const GlobalCounts& by_clang, const char* kind) {
    SCOPED_TRACE(kind);
    EXPECT_SAME(instructions);
    EXPECT_SAME(requests);
    EXPECT_SAME(sectors);
    EXPECT_SAME(sectors_ideal);
    EXPECT_SAME(bytes);
}
void expect_same(const SharedCounts& by_nvrtc, const SharedCounts& by_clang, const char* kind) {
    SCOPED_TRACE(kind);
    EXPECT_SAME(instructions);
    EXPECT_SAME(wavefronts);
    EXPECT_SAME(wavefronts_ideal);
    EXPECT_SAME(bytes);
}

void expect_same(const Counts& a, const Counts& b) {
    expect_same(a.global_load, b.global_load, "global loads");
    expect_same(a.global_store, b.global_store, "global stores");
    expect_same(a.shared_load, b.shared_load, "shared loads");
    expect_same(a.shared_store, b.shared_store, "shared stores");
    expect_same(a.global_atomic, b.global_atomic, "global atomics");
    expect_same(a.global_reduction, b.global_reduction, "global reductions");
    expect_same(a.shared_atomic, b.shared_atomic, "shared atomics");
    expect_same(a.matrix_load, b.matrix_load, "matrix loads");
    EXPECT_EQ(a.async_copy, b.async_copy);
    EXPECT_EQ(a.bulk_load, b.bulk_load);
    EXPECT_EQ(a.bulk_store, b.bulk_store);
}

// The kinds of the findings, and their number. Not their lines: of a copy that is written on two
// lines clang names the first and NVRTC the second.
std::multiset<std::string> found_in(const Report& report) {
    std::multiset<std::string> all;
    for (const Finding& finding : report.findings) all.insert(finding.kind);
    return all;
}

// Where a row is no whole number of vectors, 82_async stores a zero or an element in two branches;
// clang makes one store of both (its instruction-combining pass has no switch for that), NVRTC two.
// Bytes and values are the same.
bool merges_stores(const Job& job) {
    return job.stage.id == "transpose/82_async" && (job.type == "f16" || job.type == "u8") &&
           job.cols % 8 != 0;
}

// In the first round of its tree a thread reads two neighbouring words: clang reads both at once, and
// keeps the block's sum in a register instead of reading it back; NVRTC does neither.
bool merges_loads(const Job& job) { return job.stage.id == "reduction/10_packed_threads"; }

}  // namespace

class ClangStages : public testing::TestWithParam<StageAndType> {};

TEST_P(ClangStages, CountAsNvrtcsDo) {
    if (!has("nvrtc")) GTEST_SKIP() << "needs NVRTC to compare with";
    if (!has("clang")) GTEST_SKIP() << "needs clang";
    const auto& [stage, type] = GetParam();
    if (std::string why = cannot_interpret(stage); !why.empty()) GTEST_SKIP() << why;
    for (const Job& job : jobs_of(stage, type)) {
        SCOPED_TRACE(std::to_string(job.rows) + " x " + std::to_string(job.cols));
        Analysis by_nvrtc = analysed_by("nvrtc", job), by_clang;
        try {
            by_clang = analysed_by("clang", job);
        } catch (const Error& error) {
            if (is_too_old(error.what())) GTEST_SKIP() << error.what();
            throw;
        }
        EXPECT_EQ(0u, by_clang.compiler.find("clang ")) << by_clang.compiler;
        EXPECT_TRUE(std::any_of(by_clang.notes.begin(), by_clang.notes.end(), [](auto& note) {
            return note.starts_with("clang's instructions differ from NVRTC's");
        }));
        EXPECT_EQ(by_nvrtc.correct, by_clang.correct);
        EXPECT_EQ(found_in(by_nvrtc.report), found_in(by_clang.report));
        Counts a = by_nvrtc.report.totals, b = by_clang.report.totals;
        if (merges_stores(job)) {
            EXPECT_GT(a.shared_store.instructions, b.shared_store.instructions);
            EXPECT_EQ(a.shared_store.bytes, b.shared_store.bytes);
            a.shared_store = b.shared_store;
        }
        if (merges_loads(job)) {
            EXPECT_GT(a.shared_load.instructions, b.shared_load.instructions);
            a.shared_load = b.shared_load;
        }
        expect_same(a, b);
    }
}

INSTANTIATE_TEST_SUITE_P(Course, ClangStages, testing::ValuesIn(stages_and_types()), stage_and_type_name);

}  // namespace lanewise
