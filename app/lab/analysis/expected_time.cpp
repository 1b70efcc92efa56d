#include "lab/analysis/expected_time.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "base/text.h"
#include "lab/analysis/analysis.h"
#include "lab/analysis/product_sample.h"
#include "lab/machine/prepared.h"
#include "lab/product/product.h"

namespace lanewise {

namespace {

double multiplications(const Job& job) { return flops_of(job.rows, job.cols, job.inner) / 2; }

Job at_most(Job job, int64_t side) {
    job.rows = std::min(job.rows, side);
    job.cols = std::min(job.cols, side);
    job.inner = std::min(job.inner, side);
    return job;
}

std::string with_unit(double count, const char* unit) {
    auto rounded = static_cast<uint64_t>(std::max(1.0, std::round(count)));
    return "about " + counted(rounded, unit);
}

}  // namespace

bool is_long_to_interpret(const Job& job) {
    return is_product(job.stage) && multiplications(job) > 0x1p33;
}

// What some blocks take of all; who writes what is found out in a moment.
static double share_of(const Job& job, uint64_t blocks) {
    LaunchShape launch =
        launch_shape(job.stage, job.knobs, job.type, job.rows, job.cols, job.batch, job.inner);
    uint64_t all = launch.grid.count();
    return blocks == 0 || blocks >= all ? 1
                                        : static_cast<double>(blocks) / static_cast<double>(all);
}

double seconds_to_interpret(const Job& job, int threads, const CancelFlag* cancel,
                            uint64_t blocks) {
    constexpr double kTelling = 0.15;  // seconds that are long enough to multiply
    prepare(job);                      // compiling is another matter
    auto timed = [&](const Job& smaller) {
        auto start = std::chrono::steady_clock::now();
        analyse(smaller, threads, cancel);
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    };
    // What one size takes longer than the one before is all multiplying; a small one takes most of
    // its time to begin.
    Job smaller = at_most(job, 128);
    double seconds = timed(smaller), more = 0, multiplied = 0;
    for (int64_t side = 256; side <= 2048 && more < kTelling; side *= 2) {
        Job larger = at_most(job, side);
        double before = seconds;
        seconds = timed(larger);
        more = seconds - before;
        multiplied = multiplications(larger) - multiplications(smaller);
        smaller = larger;
    }
    if (more <= 0 || multiplied <= 0) return seconds;
    double rest = multiplications(job) * share_of(job, blocks) - multiplications(smaller);
    return seconds + more * std::max(0.0, rest) / multiplied;
}

std::string about_so_long(double seconds) {
    constexpr double kMinute = 60, kHour = 3600;
    if (seconds < 1.5 * kMinute) return with_unit(seconds, "second");
    if (seconds < 1.5 * kHour) return with_unit(seconds / kMinute, "minute");
    return with_unit(seconds / kHour, "hour");
}

std::string sentence_on_long(const Job& job, double seconds, double limit_s) {
    // So long are sides in proportion that fit, in whole hundreds.
    double share = std::cbrt(limit_s / seconds);
    auto side = [&](int64_t full) {
        auto fits = static_cast<int64_t>(share * static_cast<double>(full)) / 100 * 100;
        return std::min(full, std::max<int64_t>(fits, 100));
    };
    return fmt::format(
        "interpreting all of {} x {} x {} would take {} here, and the time limit is {:g} s. Look "
        "at some of its blocks with --blocks {}, or choose smaller sides such as {} x {} x {}. To "
        "run all of it, take a GPU, or allow it with --time-limit {:.0f}",
        job.rows, job.cols, job.inner, about_so_long(seconds), limit_s, blocks_to_sample(job),
        side(job.rows), side(job.cols), side(job.inner), std::ceil(2 * seconds / 60) * 60);
}

}  // namespace lanewise
