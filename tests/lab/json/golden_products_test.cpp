// Products counted by an H200 (`run STAGE --rows M --cols N --inner K --counters --json`, one row a
// launch in tests/golden/h200/products.json): every counter that can be equalled is, and every
// other difference is explained. The shapes have ragged edges and sides without a tensor map.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "../../case_name.h"
#include "../../shipped_stages.h"
#include "base/files.h"
#include "course/catalogue.h"
#include "lab/analysis/analysis.h"
#include "lab/job/needs.h"
#include "lab/json/json.h"
#include "lab/measure/hardware_counts.h"
#include "lab/product/product.h"

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
    return case_name(name);
}

class GoldenProducts : public testing::TestWithParam<Json> {};

TEST_P(GoldenProducts, EveryCountIsEqualOrExplained) {
    const Catalogue& catalogue = shipped_stages();
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
    size_t equal = 0;
    for (const CountComparison& row : rows) {
        EXPECT_NE(CountComparison::Verdict::differs, row.verdict) << row.name;
        equal += row.verdict == CountComparison::Verdict::equal;
    }
    EXPECT_GE(equal, 3u);  // requests and sectors of the stores, and what fetched
}

GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(GoldenProducts);
INSTANTIATE_TEST_SUITE_P(H200, GoldenProducts,
                         testing::ValuesIn(launches().get<std::vector<Json>>()),
                         [](const testing::TestParamInfo<Json>& row) {
                             return name_of(row.param);
                         });

// cp.async with ragged edges: M, N, K; requests, sectors and wavefronts of LDGSTS as Nsight Compute
// and CUPTI have them alike (H200, 2026-11-22).
TEST(GoldenAsyncCopies, OfRaggedProductsAreEqual) {
    const Catalogue& catalogue = shipped_stages();
    struct {
        const char* stage;
        int rows, cols, inner;
        uint64_t requests, sectors, wavefronts;
    } launches[] = {
        {"matmul/32_double_buffered", 130, 264, 72, 432, 4752, 4080},
        {"matmul/42_mma_sync", 130, 264, 72, 420, 5420, 7908},
        {"matmul/32_double_buffered", 128, 256, 64, 128, 2048, 640},
        {"matmul/42_mma_sync", 128, 256, 64, 96, 1536, 1152},
        {"matmul/32_double_buffered", 128, 256, 72, 144, 2304, 768},
        {"matmul/42_mma_sync", 128, 256, 72, 136, 2048, 1872},
        {"matmul/32_double_buffered", 128, 264, 64, 192, 2112, 1728},
        {"matmul/42_mma_sync", 128, 264, 64, 192, 2624, 2784},
        {"matmul/32_double_buffered", 128, 260, 64, 192, 3136, 2176},
        {"matmul/42_mma_sync", 128, 260, 64, 64, 1024, 768},
        {"matmul/32_double_buffered", 128, 4, 16, 16, 16, 272},
        {"matmul/42_mma_sync", 128, 4, 16, 32, 128, 512},
        {"matmul/32_double_buffered", 64, 100, 20, 20, 380, 560},
        {"matmul/32_double_buffered", 4, 4, 4, 4, 4, 260},
    };
    for (const auto& launch : launches) {
        Job job;
        job.stage = catalogue.find(launch.stage);
        job.type = job.stage.types.front();
        job.rows = launch.rows, job.cols = launch.cols, job.inner = launch.inner;
        job.arch = "sm_90";
        CopyCounts counts = analyse(job).report.totals.async_copy;
        std::string which =
            fmt::format("{} {} x {} x {}", launch.stage, launch.rows, launch.cols, launch.inner);
        EXPECT_EQ(launch.requests, counts.requests) << which;
        EXPECT_EQ(launch.sectors, counts.sectors) << which;
        EXPECT_EQ(launch.wavefronts, counts.wavefronts) << which;
    }
}

}  // namespace
}  // namespace lanewise
