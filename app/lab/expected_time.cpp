#include "lab/expected_time.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "base/text.h"
#include "lab/prepared.h"
#include "lab/product.h"

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

double seconds_to_interpret(const Job& job, int threads, const CancelFlag* cancel) {
    constexpr double kTelling = 0.3;  // seconds that are long enough to multiply
    prepare(job);                     // compiling is another matter
    double seconds = 0;
    Job smaller = job;
    for (int64_t side = 256; side <= 1024 && seconds < kTelling; side *= 2) {
        smaller = at_most(job, side);
        auto start = std::chrono::steady_clock::now();
        analyse(smaller, threads, cancel);
        seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    }
    return seconds * multiplications(job) / std::max(multiplications(smaller), 1.0);
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
        "interpreting all of {} x {} x {} would take {} here, and the time limit is {:g} s; allow "
        "it with --time-limit {:.0f}, choose smaller sides such as {} x {} x {}, or run it on a "
        "GPU",
        job.rows, job.cols, job.inner, about_so_long(seconds), limit_s,
        std::ceil(2 * seconds / 60) * 60, side(job.rows), side(job.cols), side(job.inner));
}

}  // namespace lanewise
