#include "lab/measure/verdict.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "base/text.h"
#include "lab/analysis/rate.h"

namespace lanewise {

static constexpr double kNormal95 = 1.96;  // standard deviations
static constexpr size_t kFewestForAMedian = 10;
static constexpr size_t kLongestPeriod = 8, kFewestPeriods = 4;
static constexpr double kExplained = 0.8, kNotable = 1.05;

double relative_error_of_median(std::vector<double> samples) {
    if (samples.size() < kFewestForAMedian) return std::numeric_limits<double>::infinity();
    std::sort(samples.begin(), samples.end());
    double n = static_cast<double>(samples.size()), half = kNormal95 * std::sqrt(n) / 2;
    auto low = static_cast<size_t>(std::max(std::floor(n / 2 - half), 1.0));  // ranks from 1
    auto high = static_cast<size_t>(std::min(std::ceil(1 + n / 2 + half), n));
    double median = spread_of(samples).median;
    return (samples[high - 1] - samples[low - 1]) / 2 / median;
}

StageComparison compare(const Measurement& a, const Measurement& b) {
    bool one_run = a.rows == b.rows && a.cols == b.cols && a.batch == b.batch && a.type == b.type &&
                   a.inner == b.inner && !a.yardstick.samples_us.empty() &&
                   a.yardstick.samples_us == b.yardstick.samples_us &&
                   a.samples_us.size() == b.samples_us.size();
    if (!one_run)
        return {{},
                StageComparison::Verdict::not_comparable,
                fmt::format("not comparable with {}: another run or matrix", b.title)};
    std::vector<double> ratios;
    for (size_t i = 0; i < a.samples_us.size(); ++i)
        ratios.push_back(b.samples_us[i] / a.samples_us[i]);
    StageComparison result;
    result.speedup = spread_of(ratios);
    const Spread& s = result.speedup;
    std::string range = fmt::format("({:.3g} to {:.3g})", s.p05, s.p95);
    if (s.p05 <= 1 && s.p95 >= 1) {
        result.verdict = StageComparison::Verdict::indistinguishable;
        result.words = fmt::format("indistinguishable from {} {}", b.title, range);
    } else {
        result.verdict =
            s.median > 1 ? StageComparison::Verdict::faster : StageComparison::Verdict::slower;
        result.words = fmt::format("{:.3g} times as fast as {} {}", s.median, b.title, range);
    }
    return result;
}

static std::string ordinal(size_t n) {
    return fmt::format("{}{}", n, n == 2 ? "nd" : n == 3 ? "rd" : "th");
}

// Of the samples' variance, what is left within the places of a period, as 1 - left / all; the
// slowest place's mean over the mean of the others goes to `ratio`.
static double explained_by(const std::vector<double>& us, size_t period, double& ratio) {
    double n = static_cast<double>(us.size());
    double mean = std::accumulate(us.begin(), us.end(), 0.0) / n, all = 0, within = 0;
    std::vector<double> sums(period), counts(period);
    for (size_t i = 0; i < us.size(); ++i) {
        sums[i % period] += us[i];
        counts[i % period] += 1;
        all += (us[i] - mean) * (us[i] - mean);
    }
    size_t slowest = 0;
    for (size_t place = 0; place < period; ++place)
        if (sums[place] / counts[place] > sums[slowest] / counts[slowest]) slowest = place;
    for (size_t i = 0; i < us.size(); ++i) {
        double of_place = sums[i % period] / counts[i % period];
        within += (us[i] - of_place) * (us[i] - of_place);
    }
    double others = (mean * n - sums[slowest]) / (n - counts[slowest]);
    ratio = sums[slowest] / counts[slowest] / others;
    return all > 0 ? 1 - within / all : 0;
}

static std::string repeats(const std::vector<double>& us, const std::string& what) {
    for (size_t period = 2; period <= kLongestPeriod; ++period) {
        double ratio = 0;
        if (us.size() < kFewestPeriods * period || explained_by(us, period, ratio) < kExplained ||
            ratio < kNotable)
            continue;
        return fmt::format(
            "Every {} {} takes {:.2g} times as long as the others; the median hides "
            "that.",
            ordinal(period), what, ratio);
    }
    return "";
}

std::string what_repeats_in(const Measurement& m) {
    std::string warm = repeats(m.samples_us, m.launches_per_sample == 1 ? "launch" : "sample");
    return warm.empty() ? repeats(m.cold.samples_us, "launch") : warm;
}

std::string about_the_cache(const Measurement& m) {
    if (m.inner != kNoInner) return "";  // a product is not judged by its bytes
    if (m.beyond_l2 || m.provenance.l2_bytes == 0 || m.gb_per_s <= 0) return "";
    double useful = m.gb_per_s * m.time_us.median * 1e3,
           l2 = static_cast<double>(m.provenance.l2_bytes);
    std::string words =
        fmt::format("{} {} and the L2 cache holds {}: {} is not the memory's speed",
                    operation_of(m).moved_are(), in_bytes(static_cast<uint64_t>(useful + 0.5)),
                    in_bytes(m.provenance.l2_bytes), useful <= l2 ? "this" : "part of this");
    if (m.cold.gb_per_s <= 0) return words + ".";
    return words + fmt::format("; with a cold cache it is {:.0f} GB/s.", m.cold.gb_per_s);
}

}  // namespace lanewise
