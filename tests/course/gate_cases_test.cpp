// The hidden cases of a gate: those that every gate has, and the author's own.
#include "course/gate_cases.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "../shipped_stages.h"
#include "course/catalogue.h"
#include "course/operation.h"

namespace lanewise {
namespace {

bool has(const std::vector<GateCase>& cases, int64_t rows, int64_t cols) {
    return std::any_of(cases.begin(), cases.end(), [&](const GateCase& one) {
        return one.at.rows == rows && one.at.cols == cols;
    });
}

TEST(HiddenCases, CountFirstAndThenLookAtAwkwardSizes) {
    Gate gate{.task = "t", .expect = "PAD == 2"};
    std::vector<GateCase> cases = hidden_cases(gate, shipped_stages().find("transpose/30_padded"));
    EXPECT_EQ((std::pair<int64_t, int64_t>{256, 256}),
              std::pair(cases[0].at.rows, cases[0].at.cols));
    EXPECT_EQ("PAD == 2", cases[0].expect);
    EXPECT_EQ("PAD == 2", cases[1].expect);
    for (size_t i = 2; i < cases.size(); ++i) EXPECT_EQ("", cases[i].expect) << i;
    EXPECT_TRUE(has(cases, 1, 1) && has(cases, 1, 4096) && has(cases, 4096, 1));
    for (const std::string& type : shipped_stages().find("transpose/30_padded").types)
        EXPECT_TRUE(std::any_of(cases.begin(), cases.end(), [&](const GateCase& one) {
            return one.at.type == type;
        })) << type;
}

TEST(HiddenCases, AreSquareWhereAMatrixStaysInItsPlace) {
    for (const GateCase& one : hidden_cases({}, shipped_stages().find("pitfalls/114_in_its_own_place")))
        EXPECT_EQ(one.at.rows, one.at.cols);
}

TEST(HiddenCases, EndWithTheAuthorsOwn) {
    Gate gate;
    gate.cases = {{.at = {.rows = 4100, .cols = 4100}}};
    std::vector<GateCase> cases = hidden_cases(gate, shipped_stages().find("pitfalls/111_float_index"));
    EXPECT_EQ(4100, cases.back().at.rows);
    EXPECT_TRUE(cases.back().offered);
    EXPECT_FALSE(cases.front().offered);
    EXPECT_EQ(1, std::count(cases.begin(), cases.end(), cases.back()));
}

TEST(HiddenCases, AreOfTheShapesOfTheTask) {
    Gate gate{.task = "t", .shapes = "cols % 4 == 0"};
    gate.cases = {{.at = {.rows = 3, .cols = 8}}};
    const Stage& stage = shipped_stages().find("pitfalls/108_padding_float4");
    for (const GateCase& one : hidden_cases(gate, stage)) EXPECT_EQ(0, one.at.cols % 4);
    EXPECT_TRUE(is_of_shape(gate, stage, {33, 64}));
    EXPECT_FALSE(is_of_shape(gate, stage, {64, 33}));
}

TEST(HiddenCases, AreNoneOfALibrarysCall) {
    EXPECT_TRUE(hidden_cases({}, shipped_stages().find("transpose/90_cublas")).empty());
}

TEST(HiddenCases, AreThereForEachOperation) {
    for (const Operation& operation : all_operations()) {
        EXPECT_LE(2u, operation.sizes.judged_at.size()) << operation.id;
        EXPECT_LE(6u, operation.sizes.awkward.size()) << operation.id;
    }
}

}  // namespace
}  // namespace lanewise
