// The table of operations: whole, without contradictions, and what its words say.
#include "course/operation.h"

#include <gtest/gtest.h>

#include <set>

#include "../shipped_stages.h"
#include "base/error.h"
#include "course/catalogue.h"
#include "course/lesson.h"
#include "course/stage_head.h"

namespace lanewise {
namespace {

const Operation& transpose = operation_called("transpose");
const Operation& matmul = operation_called("matmul");

// As many numbers as the operation has sides.
void expect_size(const Operation& operation, const Operation::Size& size) {
    EXPECT_GT(size.rows, 0) << operation.id;
    EXPECT_GT(size.cols, 0) << operation.id;
    EXPECT_EQ(operation.has_inner(), size.inner > 0) << operation.id;
    EXPECT_EQ(!operation.has_inner(), size.inner == kNoInner) << operation.id;
}

TEST(Operations, SayAllOfThemselves) {
    for (const Operation& operation : all_operations()) {
        EXPECT_FALSE(operation.name.empty() || operation.course.empty()) << operation.id;
        EXPECT_FALSE(operation.sides.title.empty() || operation.sides.help.empty());
        EXPECT_FALSE(operation.yardstick.empty()) << operation.id;
        EXPECT_GE(operation.buffers.size(), 2u) << operation.id;
        EXPECT_TRUE(operation.sides.names.size() == 2 || operation.sides.names.size() == 3) << operation.id;
        expect_size(operation, operation.sizes.begins_at);
        expect_size(operation, operation.sizes.timed_at);
        expect_size(operation, operation.sizes.mostly_at);
        for (const Operation::Offer& offer : operation.sizes.offered) expect_size(operation, offer.size);
        Operation::Size typed;
        ASSERT_TRUE(parse_size(operation.sizes.like, typed.rows, typed.cols, typed.inner));
        expect_size(operation, typed);
        // Where there is one result alone, a head that asks for another is told so.
        EXPECT_EQ(operation.references.size() == 1, !operation.result.empty()) << operation.id;
        EXPECT_TRUE(operation.views.opening.starts_with("view:")) << operation.id;
    }
}

TEST(Operations, ShareNeitherIdsNorReferencesNorCalls) {
    std::multiset<std::string> ids, references, calls;
    for (const Operation& operation : all_operations()) {
        ids.insert(operation.id);
        references.insert(operation.references.begin(), operation.references.end());
        for (const Operation::Call& call : operation.calls) calls.insert(call.name);
    }
    for (const auto& names : {ids, references, calls})
        for (const std::string& name : names) EXPECT_EQ(1u, names.count(name)) << name;
}

TEST(Operations, OfferCallsForTheirTypesWithWholeKnobs) {
    for (const Operation& operation : all_operations())
        for (const Operation::Call& call : operation.calls) {
            EXPECT_FALSE(call.types.empty()) << call.name;
            for (const std::string& type : call.types) {
                EXPECT_GT(element_bytes(type), 0) << call.name;
                const std::vector<std::string>& types = operation.types;
                EXPECT_TRUE(types.empty() ||
                            std::find(types.begin(), types.end(), type) != types.end())
                    << call.name << " " << type;
            }
            EXPECT_EQ(call.knob.empty(), call.like.empty()) << call.name;
            EXPECT_EQ(call.knob.empty(), call.most == 0) << call.name;
        }
}

TEST(Operations, AreThoseOfTheFoldersOfStages) {
    for (const Stage& stage : shipped_stages().stages()) {
        if (!is_rung(stage)) continue;
        EXPECT_EQ(stage.operation, operation_of(stage).id) << stage.id;
    }
    auto is_of = [](const char* stage, const Operation& operation) {
        return &operation_of(shipped_stages().find(stage)) == &operation;
    };
    EXPECT_TRUE(is_of("pitfalls/106_missing_barrier", transpose));
    EXPECT_TRUE(is_of("pitfalls/121_not_cleared", matmul));
    EXPECT_TRUE(is_of("transpose/00_copy", transpose) && is_of("transpose/86_in_place", transpose));
    EXPECT_TRUE(same_operation(shipped_stages().find("transpose/00_copy"),
                               shipped_stages().find("pitfalls/106_missing_barrier")));
    EXPECT_FALSE(
        same_operation(shipped_stages().find("transpose/00_copy"), shipped_stages().find("matmul/40_wmma")));
    EXPECT_EQ(&transpose, &operation_called("a folder of somebody's"));
}

TEST(Operations, NameAnOutputThatNoneHas) {
    Stage stage;
    stage.id = "scan/10_prefix";
    stage.reference = "prefix_sums";
    try {
        operation_of(stage);
        FAIL() << "no error";
    } catch (const Error& error) {
        EXPECT_EQ(Status::bad_input, error.status());
        EXPECT_STREQ(
            "scan/10_prefix: no operation is known whose output is \"prefix_sums\"; there are "
            "transpose, copy, in_place, matmul, block_sums and sum",
            error.what());
    }
}

TEST(Operations, TellWhatTheyAreLike) {
    EXPECT_EQ("rows and cols", sides_in_words(transpose));
    EXPECT_EQ("M, N and K", sides_in_words(matmul));
    EXPECT_STREQ("GB/s", transpose.unit());
    EXPECT_STREQ("GFLOP/s", matmul.unit());
    EXPECT_EQ("out", transpose.buffers.back());
    EXPECT_EQ("C", matmul.buffers.back());
    const Stage& padded = shipped_stages().find("30_padded");
    EXPECT_EQ(kNoInner, inner_for(padded, 64));
    EXPECT_EQ(64, inner_for(shipped_stages().find("matmul/20_shared_tiles"), 64));
    EXPECT_EQ(" is for a product, which has M, N and K; transpose/30_padded has rows and cols",
              inner_is_for(padded));
    EXPECT_EQ(" is for a product, which computes with its elements; transpose/30_padded moves them",
              input_is_for(padded));
}

TEST(Operations, HaveTheirOwnViewsAndThoseOfAll) {
    EXPECT_TRUE(has_view(matmul, "product"));
    EXPECT_FALSE(has_view(transpose, "product"));
    EXPECT_TRUE(has_view(matmul, "banks") && has_view(transpose, "banks"));
}

// ---- what a head may say, by operation

std::string refusal_of_call(const std::string& operation, const std::string& head) {
    Stage stage;
    stage.operation = operation;
    stage.file = "90_call.cu";
    stage.source = "/*---\ntitle = \"t\"\n" + head + "---*/\nint call();\n";
    try {
        read_head(stage);
    } catch (const Error& error) {
        return error.what();
    }
    return "";
}

TEST(Operations, TakeTheirOwnCallsTypesAndKnobs) {
    EXPECT_EQ("", refusal_of_call("matmul",
                                  "library = \"cublas_gemm\"\n[knob.TF32]\n"
                                  "choices = [0, 1]\n"));
    EXPECT_EQ("90_call.cu:3: library must be one of \"cublas_gemm\", \"cusparse_spmm\"",
              refusal_of_call("matmul", "library = \"cublas_geam\"\n"));
    EXPECT_EQ("90_call.cu:4: a product takes f32 and f16, not \"f64\"",
              refusal_of_call("matmul", "library = \"cublas_gemm\"\ntypes = [\"f64\"]\n"));
    EXPECT_EQ("90_call.cu:4: cusparse_spmm takes f32 alone, not \"f16\"",
              refusal_of_call("matmul", "library = \"cusparse_spmm\"\ntypes = [\"f16\"]\n"));
    EXPECT_EQ("90_call.cu:4: cublas_geam takes f32 and f64, not \"f16\"",
              refusal_of_call("transpose", "library = \"cublas_geam\"\ntypes = [\"f16\"]\n"));
    EXPECT_EQ("90_call.cu:5: the choices of ZEROS ascend from 0 to at most 100, like [50, 75, 90]",
              refusal_of_call("matmul",
                              "library = \"cusparse_spmm\"\n[knob.ZEROS]\nchoices = [50, 101]\n"));
    EXPECT_EQ(
        "90_call.cu:4: knob is for a kernel, and this stage is a library's call",
        refusal_of_call("transpose", "library = \"cublas_geam\"\n[knob.TF32]\nchoices = [0, 1]\n"));
}

}  // namespace
}  // namespace lanewise
