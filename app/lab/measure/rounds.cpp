// Timing in rounds; the rules are those of "measuring honestly" (lab/measure/transpose_bench.cpp).
#include "lab/measure/rounds.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <ctime>

#include "base/hash.h"
#include "lab/job/devices.h"
#include "lab/measure/verdict.h"

namespace lanewise {

using Clock = std::chrono::steady_clock;

static constexpr double kWarmUpS = 0.05;
static constexpr int kColdRounds = kFewestSamples;
// Starting and ending a sample costs one to two microseconds, and not the same for a copy as for a
// kernel; in a sample of 1,000 that is a tenth of a percent. Shorter launches are repeated until
// they fill it.
static constexpr double kSampleUs = 1000;
static constexpr int kMostLaunches = 50;
static constexpr double kSteadyClock = 0.95;  // the lowest SM clock over the highest
// Launches shorter than the CPU takes to ask for one come out of a graph. Longer ones do not: in a
// graph, the driver's copy takes another path through the hardware, at another speed.
static constexpr double kShortUs = 20;
static constexpr double kEnqueueUs = 30;  // for the CPU to put one racer's work into the stream

Racer make_racer(Gpu& gpu, std::function<void()> launch) {
    Racer racer;
    racer.launch = std::move(launch);
    racer.start = gpu.event();
    racer.stop = gpu.event();
    return racer;
}

static void launch_sample(Gpu& gpu, Racer& racer) {
    if (racer.short_launches) return gpu.launch(racer.graph);
    for (int i = 0; i < racer.launches; ++i) racer.launch();
}

// One round: every racer once, the first one another each time so that no place favours anybody.
// The GPU waits until all is in its stream, so that no time contains the CPU's launching.
static void run_round(Rig& rig, std::span<Racer* const> racers, size_t first, double limit_s) {
    Gpu& gpu = rig.gpu();
    rig.hold(kEnqueueUs * static_cast<double>(racers.size() + 1));
    for (size_t i = 0; i < racers.size(); ++i) {
        Racer& racer = *racers[(first + i) % racers.size()];
        gpu.record(racer.start);
        launch_sample(gpu, racer);
        gpu.record(racer.stop);
    }
    rig.wait(limit_s);
    for (Racer* racer : racers)
        racer->us.push_back(racer->stop.us_since(racer->start) / racer->launches);
}

RoundLimits round_limits(const MeasureOptions& options, double seconds) {
    int fewest = std::max(options.samples, kFewestSamples);
    return {fewest, std::max(fewest, options.most_samples), options.precision, seconds};
}

static bool precise(std::span<Racer* const> racers, double precision) {
    return std::all_of(racers.begin(), racers.end(), [&](const Racer* racer) {
        return relative_error_of_median(racer->us) <= precision;
    });
}

// Looks at the card after a round: whether the round must not count, because the card was slowed
// down. After `most` such rounds in `left_out` they do, or it might never end.
static bool must_leave_out(Gpu& gpu, RoundsTaken& rounds, int& left_out, int most) {
    if (double mhz = gpu.sm_clock_mhz_now(); mhz > 0) rounds.sm_clocks_mhz.push_back(mhz);
    std::string slowed = gpu.slowed_down_by();
    if (slowed.empty()) return false;
    rounds.slowed_down_by = slowed;
    rounds.all_slow |= left_out >= most;
    if (left_out >= most) return false;
    ++left_out;
    if (!rounds.sm_clocks_mhz.empty()) rounds.sm_clocks_mhz.pop_back();
    return true;
}

// Seconds within which a round must have ended even where the time is nearly up: by far longer than
// the last ones took, so that a kernel of seconds is not given up for being slow.
static double patience_with(std::span<Racer* const> racers) {
    double round_us = 0;
    for (const Racer* racer : racers) round_us += spread_of(racer->us).median * racer->launches;
    return 1 + 10 * round_us / 1e6;
}

RoundsTaken run_rounds(Rig& rig, std::span<Racer* const> racers, const RoundLimits& limits,
                       const std::function<void(int done)>& progress) {
    RoundsTaken rounds;
    auto start = Clock::now();
    auto left = [&] {
        return limits.seconds - std::chrono::duration<double>(Clock::now() - start).count();
    };
    auto enough = [&](int done) {
        if (done < limits.fewest) return false;
        return done >= limits.most || precise(racers, limits.precision);
    };
    double patience = patience_with(racers);
    for (Racer* racer : racers) racer->us.clear();
    for (int done = 0, turn = 0; !enough(done) && (turn == 0 || left() > 0); ++turn) {
        run_round(rig, racers, static_cast<size_t>(turn), std::max(left(), patience));
        if (must_leave_out(rig.gpu(), rounds, rounds.left_out, limits.fewest)) {
            for (Racer* racer : racers) racer->us.pop_back();
            continue;
        }
        progress(++done);
        rounds.taken = done;
    }
    return rounds;
}

// The flush of each racer's turn stays outside its events. Single launches: the events' own cost of
// a microsecond or two is in the sample, as it is in a program that launches once.
static void run_cold_round(Rig& rig, std::span<Racer* const> racers, size_t first, double limit_s) {
    Gpu& gpu = rig.gpu();
    rig.hold(kEnqueueUs * static_cast<double>(racers.size() + 1));
    for (size_t i = 0; i < racers.size(); ++i) {
        Racer& racer = *racers[(first + i) % racers.size()];
        rig.flush_l2();
        gpu.record(racer.start);
        racer.launch();
        gpu.record(racer.stop);
    }
    rig.wait(limit_s);
    for (Racer* racer : racers) racer->cold_us.push_back(racer->stop.us_since(racer->start));
}

void run_cold_rounds(Rig& rig, std::span<Racer* const> racers, double limit_s,
                     RoundsTaken& rounds) {
    auto start = Clock::now();
    double patience = patience_with(racers);
    for (size_t turn = 0; rounds.cold_taken < kColdRounds; ++turn) {
        double spent = std::chrono::duration<double>(Clock::now() - start).count();
        if (turn > 0 && spent > limit_s) break;
        run_cold_round(rig, racers, turn, std::max(limit_s - spent, patience));
        if (must_leave_out(rig.gpu(), rounds, rounds.cold_left_out, kColdRounds))
            for (Racer* racer : racers) racer->cold_us.pop_back();
        else
            ++rounds.cold_taken;
    }
}

void run_quietly(Rig& rig, std::span<Racer* const> racers, int rounds, double limit_s) {
    for (Racer* racer : racers) racer->us.clear();
    for (int round = 0; round < rounds; ++round)
        run_round(rig, racers, static_cast<size_t>(round), limit_s);
}

void fit_launches(Gpu& gpu, Racer& racer) {
    double us = std::max(spread_of(racer.us).median, 0.1);
    racer.launches = std::clamp(static_cast<int>(std::ceil(kSampleUs / us)), 1, kMostLaunches);
    racer.short_launches = us < kShortUs;
    if (!racer.short_launches) return;
    racer.graph = gpu.capture([&] {
        for (int i = 0; i < racer.launches; ++i) racer.launch();
    });
}

void warm_up(Rig& rig, std::span<Racer* const> racers, double limit_s) {
    for (auto start = Clock::now();
         std::chrono::duration<double>(Clock::now() - start).count() < kWarmUpS;)
        run_quietly(rig, racers, 1, limit_s);
}

std::vector<std::string> sentences_on(const RoundsTaken& rounds) {
    std::vector<std::string> sentences;
    if (rounds.taken < kFewestSamples)
        sentences.push_back(fmt::format("Only {} samples fit into the time limit.", rounds.taken));
    if (rounds.cold_taken > 0 && rounds.cold_taken < kFewestSamples)
        sentences.push_back(
            fmt::format("Only {} cold samples fit into the time limit.", rounds.cold_taken));
    int left_out = rounds.left_out + rounds.cold_left_out;
    if (left_out > 0 && !rounds.all_slow)
        sentences.push_back(
            fmt::format("{} rounds were left out because the card was slowed down: {}.", left_out,
                        rounds.slowed_down_by));
    if (rounds.all_slow)
        sentences.push_back(
            fmt::format("The card was slowed down all the time: {}.", rounds.slowed_down_by));
    if (rounds.sm_clocks_mhz.empty()) return sentences;
    auto [low, high] =
        std::minmax_element(rounds.sm_clocks_mhz.begin(), rounds.sm_clocks_mhz.end());
    if (*low < kSteadyClock * *high)
        sentences.push_back(fmt::format(
            "The card's clock moved between {:.0f} and {:.0f} MHz meanwhile.", *low, *high));
    return sentences;
}

static std::string date_now() {
    std::time_t now = std::time(nullptr);
    std::tm utc = {};
    ::gmtime_r(&now, &utc);
    char text[32];
    std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &utc);
    return text;
}

Provenance provenance_of(const Program& program, const std::string& source,
                         const GpuDescription& gpu, const RoundsTaken& rounds) {
    Provenance from;
    from.card = gpu.name;
    from.driver = gpu.driver;
    from.compiler = program.compiler;
    from.arch = gpu.arch;
    from.date = date_now();
    from.source_hash = hex(hash(source));
    from.sm_clock_mhz = spread_of(rounds.sm_clocks_mhz).median;
    from.datasheet_gb_per_s = device_in_use().datasheet_gb_per_s;
    from.l2_bytes = gpu.l2_bytes;
    return from;
}

}  // namespace lanewise
