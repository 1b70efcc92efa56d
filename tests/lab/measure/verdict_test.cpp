#include "lab/measure/verdict.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

namespace lanewise {
namespace {

Measurement measured(const std::string& title, std::vector<double> us) {
    Measurement m;
    m.title = title;
    m.type = "f32";
    m.rows = m.cols = 8192;
    m.samples_us = us;
    m.yardstick.samples_us.assign(us.size(), 7.5);
    m.time_us = spread_of(us);
    return m;
}

// 100 samples 1 … 100: ranks floor(50 - 9.8) = 40 and ceil(51 + 9.8) = 61, median 50.5.
TEST(Verdict, TheMediansErrorComesFromOrderStatistics) {
    std::vector<double> samples(100);
    std::iota(samples.rbegin(), samples.rend(), 1);
    EXPECT_NEAR((61 - 40) / 2.0 / 50.5, relative_error_of_median(samples), 1e-12);
    EXPECT_EQ(0, relative_error_of_median(std::vector<double>(10, 3.0)));
    EXPECT_TRUE(std::isinf(relative_error_of_median(std::vector<double>(9, 3.0))));
}

TEST(Verdict, StagesCloserThanTheirSpreadAreIndistinguishable) {
    std::vector<double> a, b, twice;
    for (int i = 0; i < 40; ++i) {
        a.push_back(100 + i % 2);  // 100, 101, 100, …
        b.push_back(101 - i % 2);  // 101, 100, …: ratios 1.01 and 0.99
        twice.push_back(2 * a.back());
    }
    StageComparison same = compare(measured("A", a), measured("B", b));
    EXPECT_EQ(StageComparison::Verdict::indistinguishable, same.verdict);
    EXPECT_EQ("indistinguishable from B (0.99 to 1.01)", same.words);
    StageComparison faster = compare(measured("A", a), measured("C", twice));
    EXPECT_EQ(StageComparison::Verdict::faster, faster.verdict);
    EXPECT_EQ("2 times as fast as C (2 to 2)", faster.words);
    EXPECT_EQ(StageComparison::Verdict::slower,
              compare(measured("C", twice), measured("A", a)).verdict);
}

TEST(Verdict, OnlyOneRunIsCompared) {
    Measurement a = measured("A", std::vector<double>(40, 1)), b = a;
    b.yardstick.samples_us[3] = 7.6;
    EXPECT_EQ(StageComparison::Verdict::not_comparable, compare(a, b).verdict);
    b = a;
    b.cols = 4096;
    EXPECT_EQ(StageComparison::Verdict::not_comparable, compare(a, b).verdict);
}

TEST(Verdict, APeriodIsSaid) {
    std::vector<double> us;
    for (int i = 0; i < 40; ++i) us.push_back(i % 3 == 1 ? 150 : 100 + i % 5 * 0.1);
    Measurement m = measured("A", us);
    EXPECT_EQ("Every 3rd launch takes 1.5 times as long as the others; the median hides that.",
              what_repeats_in(m));
    m.launches_per_sample = 2;
    EXPECT_EQ(0u, what_repeats_in(m).find("Every 3rd sample "));
    std::swap(m.samples_us, m.cold.samples_us);
    EXPECT_EQ(0u, what_repeats_in(m).find("Every 3rd launch "));
    // Noise has no period, and neither has what differs by too little to matter.
    for (size_t i = 0; i < us.size(); ++i) us[i] = 100 + static_cast<double>(i * i % 17);
    EXPECT_EQ("", what_repeats_in(measured("A", us)));
    for (size_t i = 0; i < us.size(); ++i) us[i] = i % 2 ? 100 : 101;
    EXPECT_EQ("", what_repeats_in(measured("A", us)));
}

// 2 x 1024 x 1024 x 4 bytes in 2 us are 4,194 GB/s.
TEST(Verdict, AMatrixInsideTheCacheIsNotCalledMemory) {
    Measurement m = measured("A", std::vector<double>(40, 2.0));
    m.gb_per_s = 8388608 / 2.0 / 1e3;
    EXPECT_EQ("", about_the_cache(m));  // the cache's size is not known
    m.provenance.l2_bytes = 60u << 20;
    EXPECT_EQ(
        "Input and output are 8 MiB and the L2 cache holds 60 MiB: this is not the memory's "
        "speed.",
        about_the_cache(m));
    m.cold.gb_per_s = 1500;
    m.provenance.l2_bytes = 4u << 20;
    EXPECT_EQ(
        "Input and output are 8 MiB and the L2 cache holds 4 MiB: part of this is not the "
        "memory's speed; with a cold cache it is 1500 GB/s.",
        about_the_cache(m));
    m.beyond_l2 = true;
    EXPECT_EQ("", about_the_cache(m));
}

}  // namespace
}  // namespace lanewise
