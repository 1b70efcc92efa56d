// Where a source declares and changes its variables.
#include "lab/step/source_variables.h"

#include <gtest/gtest.h>

#include "base/files.h"

namespace lanewise {
namespace {

const std::string kSource = R"(#define MACRO(x) int y = x;
__global__ void k(const float* in, float* out, int n) {
    const int row = blockIdx.y * 32 + threadIdx.y, col = 7;
    __shared__ float tile[32][33];
    unsigned long long key{3};
    std::uint32_t* at = pointer(out);
    for (int i = threadIdx.x; i < n; i += blockDim.x) {
        float row = in[i];
        tile[i][col] = row *
            2;
        at[i]++;
    }
    if (n < row) ++n;
    for (int j = 0; j < 4; ++j) out[j] = j;
    if (a < b) c = 1;
}
)";

TEST(SourceVariables, AreFoundWithTheirScopesAndValues) {
    SourceScan scan = scan_source(kSource);
    std::vector<std::string> names;
    for (const SourceVariable& each : scan.variables) names.push_back(each.type + " " + each.name);
    EXPECT_EQ((std::vector<std::string>{"const int row", "const int col", "__shared__ float tile",
                                        "unsigned long long key", "std::uint32_t* at", "int i",
                                        "float row", "int j"}),
              names);
    const SourceVariable& row = scan.variables[0];
    EXPECT_EQ(3, row.line);
    EXPECT_EQ(2, row.first_line);
    EXPECT_EQ(16, row.last_line);
    ASSERT_EQ(1u, row.assignments.size());
    EXPECT_EQ("blockIdx.y * 32 + threadIdx.y", row.assignments[0].value);
    EXPECT_EQ("7", scan.variables[1].assignments.at(0).value);
    EXPECT_TRUE(scan.variables[2].is_array);
    const SourceVariable& i = scan.variables[5];
    EXPECT_EQ(7, i.first_line);
    EXPECT_EQ(12, i.last_line);
    ASSERT_EQ(2u, i.assignments.size());
    EXPECT_EQ("threadIdx.x", i.assignments[0].value);
    EXPECT_EQ("i + (blockDim.x)", i.assignments[1].value);
    EXPECT_EQ(14, scan.variables[7].first_line);
    EXPECT_EQ(14, scan.variables[7].last_line);
}

TEST(SourceVariables, ElementsAndParametersAreTold) {
    SourceScan scan = scan_source(kSource);
    ASSERT_EQ(2u, scan.elements.size());
    EXPECT_EQ("tile[i][col]", scan.elements[0].target);
    EXPECT_EQ("row * 2", scan.elements[0].value);
    EXPECT_EQ(9, scan.elements[0].line);
    EXPECT_EQ(10, scan.elements[0].last_line);
    EXPECT_EQ("out[j]", scan.elements[1].target);
    ASSERT_EQ(2u, scan.others.size());  // and c, which nothing declares
    EXPECT_EQ("n", scan.others[0].target);
    EXPECT_EQ("n + (1)", scan.others[0].value);
}

TEST(SourceVariables, TheInnermostOfANameIsMeant) {
    SourceScan scan = scan_source(kSource);
    EXPECT_EQ("float", variable_at(scan, "row", 9)->type);
    EXPECT_EQ("const int", variable_at(scan, "row", 13)->type);
    EXPECT_EQ(nullptr, variable_at(scan, "i", 13));
    EXPECT_EQ(nullptr, variable_at(scan, "row", 1));
}

// Whatever the text is, the scan ends.
TEST(SourceVariables, AnyTextIsReadToItsEnd) {
    for (size_t length = 0; length < kSource.size(); ++length) {
        scan_source(std::string_view(kSource).substr(0, length));
        scan_source(std::string_view(kSource).substr(length));
    }
    std::string braces(10'000, '{');
    scan_source(braces.append(10'000, '}'));
    std::string deep(2'000, '(');
    scan_source(deep.append("int x = 1;"));
}

}  // namespace
}  // namespace lanewise
