#include "lab/race.h"

#include <algorithm>
#include <chrono>
#include <cmath>

#include "lab/verdict.h"

namespace lanewise {

using Clock = std::chrono::steady_clock;

// Starting and ending a sample costs one to two microseconds; in a sample of 200 that is lost in
// the noise. Shorter launches are repeated until they fill it.
static constexpr double kSampleUs = 200;
static constexpr int kMostLaunches = 50;
static constexpr double kEnqueueUs = 30;  // for the CPU to put one racer's work into the stream

Racer make_racer(Gpu& gpu, std::function<void()> launch) {
    Racer racer;
    racer.launch = std::move(launch);
    racer.start = gpu.event();
    racer.stop = gpu.event();
    return racer;
}

// ---- Rounds ------------------------------------------------------------------------------------

// One round: every racer once, the first one another each time so that no place favours anybody.
// The GPU waits until all is in its stream, so that no time contains the CPU's launching.
static void run_round(Rig& rig, std::span<Racer* const> racers, size_t first, double limit_s) {
    Gpu& gpu = rig.gpu();
    rig.hold(kEnqueueUs * static_cast<double>(racers.size() + 1));
    for (size_t i = 0; i < racers.size(); ++i) {
        Racer& racer = *racers[(first + i) % racers.size()];
        gpu.record(racer.start);
        if (racer.launches > 1)
            gpu.launch(racer.graph);
        else
            racer.launch();
        gpu.record(racer.stop);
    }
    rig.wait(limit_s);
    for (Racer* racer : racers)
        racer->us.push_back(racer->stop.us_since(racer->start) / racer->launches);
}

static bool precise(std::span<Racer* const> racers, double precision) {
    return std::all_of(racers.begin(), racers.end(), [&](const Racer* racer) {
        return relative_error_of_median(racer->us) <= precision;
    });
}

Rounds run_rounds(Rig& rig, std::span<Racer* const> racers, const RoundLimits& limits,
                  const std::function<void(int done)>& progress) {
    Rounds rounds;
    auto start = Clock::now();
    auto left = [&] {
        return limits.seconds - std::chrono::duration<double>(Clock::now() - start).count();
    };
    auto enough = [&](int done) {
        if (done < limits.fewest) return false;
        return done >= limits.most || precise(racers, limits.precision);
    };
    for (Racer* racer : racers) racer->us.clear();
    for (int done = 0, turn = 0; !enough(done) && (turn == 0 || left() > 0); ++turn) {
        run_round(rig, racers, static_cast<size_t>(turn), std::max(left(), 1.0));
        std::string slowed = rig.gpu().slowed_down_by();
        if (!slowed.empty()) rounds.slowed_down_by = slowed;
        if (!slowed.empty() && rounds.left_out < limits.fewest) {
            ++rounds.left_out;
            for (Racer* racer : racers) racer->us.pop_back();
            continue;
        }
        rounds.all_slow |= !slowed.empty();
        if (double mhz = rig.gpu().sm_clock_mhz_now(); mhz > 0) rounds.sm_clocks_mhz.push_back(mhz);
        progress(++done);
    }
    return rounds;
}

void run_quietly(Rig& rig, std::span<Racer* const> racers, int rounds, double limit_s) {
    for (Racer* racer : racers) racer->us.clear();
    for (int round = 0; round < rounds; ++round)
        run_round(rig, racers, static_cast<size_t>(round), limit_s);
}

void fit_launches(Gpu& gpu, Racer& racer) {
    double us = std::max(spread_of(racer.us).median, 0.1);
    racer.launches = std::clamp(static_cast<int>(std::ceil(kSampleUs / us)), 1, kMostLaunches);
    if (racer.launches == 1) return;
    racer.graph = gpu.capture([&] {
        for (int i = 0; i < racer.launches; ++i) racer.launch();
    });
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

void run_cold_rounds(Rig& rig, std::span<Racer* const> racers, int rounds, double limit_s) {
    auto start = Clock::now();
    for (int round = 0; round < rounds; ++round) {
        double spent = std::chrono::duration<double>(Clock::now() - start).count();
        if (round > 0 && spent > limit_s) break;
        run_cold_round(rig, racers, static_cast<size_t>(round), std::max(limit_s - spent, 1.0));
    }
}

}  // namespace lanewise
