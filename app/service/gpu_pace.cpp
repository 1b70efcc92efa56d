#include "service/gpu_pace.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <thread>

#include "base/error.h"
#include "base/files.h"

namespace lanewise {

namespace {

constexpr int kMostDoublings = 10;

// The time of the day, which all engines share and which goes on when none is there.
double now_s() {
    return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch())
        .count();
}

struct KeptPace {
    double until_s = 0;
    int misses = 0;
};

KeptPace read(const std::filesystem::path& path) {
    KeptPace kept;
    std::ifstream file(path);
    if (!(file >> kept.until_s >> kept.misses)) return {};
    return kept;
}

}  // namespace

GpuPace::GpuPace(const std::filesystem::path& file) : file_(file) {}

double GpuPace::rest_s(const Turn& turn, int misses) {
    double rest = 0;
    if (turn.given_up)
        rest = turn.held_s * std::pow(2.0, 1 + std::min(misses, kMostDoublings));
    else if (turn.others_wait && turn.held_s > kShort_s)
        rest = 2 * turn.held_s;
    return std::min(rest, kLongest_s);
}

void GpuPace::keep(double until_s, int misses) const {
    try {
        write_file(file_, fmt::format("{:.3f} {}\n", until_s, misses));
    } catch (const Error&) {  // a full disk: nobody waits then
    }
}

void GpuPace::begin() {
    misses_ = read(file_).misses;
    keep(now_s() + kUnfinished_s + rest_s({kUnfinished_s, true, false}, misses_), misses_ + 1);
}

void GpuPace::end(const Turn& turn) const {
    double rest = rest_s(turn, misses_);
    keep(rest > 0 ? now_s() + rest : 0, turn.given_up ? misses_ + 1 : 0);  // 0: no rounded time of now
}

// A clock that was put back makes nobody wait longer than any rest lasts.
double GpuPace::left_s() const {
    double left = read(file_).until_s - now_s();
    return left > kUnfinished_s + kLongest_s ? 0 : std::max(0.0, left);
}

void GpuPace::wait(const Progress& progress, const CancelFlag* cancel,
                   const CancelFlag* given_up) const {
    int told = 0;
    for (double left = 0; (left = left_s()) > 0;) {
        if ((cancel && *cancel) || (given_up && *given_up)) throw Cancelled{};
        int seconds = static_cast<int>(std::ceil(left));
        if (progress && seconds != told)
            progress(0, fmt::format("your last turn kept the GPU for long: the next one comes in {} s",
                                    seconds));
        told = seconds;
        std::this_thread::sleep_for(kLookInterval);
    }
}

}  // namespace lanewise
