// Products counted by an H200 (`run STAGE --rows M --cols N --inner K --counters --json`, one row a
// launch in tests/golden/h200/products.json): every counter that can be equalled is, and every
// other difference is explained. The shapes have ragged edges and sides without a tensor map.
//
// A row names the counters that are not equalled, under `differs`: the wavefronts
// of cp.async past the cache (.cg), and a shared load of CUTLASS's (a few wavefronts in a
// thousand). Nothing else may differ, and these must, or the row says too much.
#include <gtest/gtest.h>

#include <filesystem>

#include "base/files.h"
#include "course/catalogue.h"
#include "lab/hardware_counts.h"
#include "lab/json.h"
#include "lab/needs.h"
#include "lab/product.h"

namespace lanewise {
namespace {

Json launches() {
    std::filesystem::path file = TESTS_FOLDER "/golden/h200/products.json";
    return std::filesystem::exists(file) ? Json::parse(read_file(file)) : Json::array();
}

std::string name_of(const Json& launch) {
    std::string name = launch.at("stage").get<std::string>();
    for (const char* side : {"rows", "cols", "inner"})
        name += "_" + std::to_string(launch.at(side).get<int64_t>());
    for (char& letter : name)
        if (!std::isalnum(static_cast<unsigned char>(letter))) letter = '_';
    return name;
}

class GoldenProducts : public testing::TestWithParam<Json> {};

TEST_P(GoldenProducts, EveryCountIsEqualExplainedOrNamed) {
    if (!compiler_status().found) GTEST_SKIP() << "needs NVRTC";
    static const Catalogue catalogue = Catalogue::load(CONTENT_FOLDER);
    const Json& launch = GetParam();
    Job job;
    job.stage = catalogue.find(launch.at("stage").get<std::string>());
    if (std::string why = cannot_interpret(job.stage); !why.empty()) GTEST_SKIP() << why;
    job.knobs = launch.at("knobs").get<KnobValues>();
    job.type = launch.at("type");
    job.rows = launch.at("rows");
    job.cols = launch.at("cols");
    job.inner = launch.at("inner");
    job.arch = "sm_90";
    Product product = product_of(job);
    auto rows =
        compare_counts(analyse(job).report.totals, launch.at("reading").get<CounterReading>(),
                       {product.a_bytes() + product.b_bytes(), product.c_bytes(), 0});
    std::vector<std::string> differing;
    size_t equal = 0;
    for (const CountComparison& row : rows) {
        if (row.verdict == CountComparison::Verdict::differs) differing.push_back(row.name);
        equal += row.verdict == CountComparison::Verdict::equal;
    }
    EXPECT_EQ(launch.at("differs").get<std::vector<std::string>>(), differing);
    EXPECT_GE(equal, 3u);  // requests and sectors of the stores, and what fetched
}

GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(GoldenProducts);
INSTANTIATE_TEST_SUITE_P(H200, GoldenProducts,
                         testing::ValuesIn(launches().get<std::vector<Json>>()),
                         [](const testing::TestParamInfo<Json>& row) {
                             return name_of(row.param);
                         });

}  // namespace
}  // namespace lanewise
