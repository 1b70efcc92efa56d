#include "lab/measure/launch_times.h"

#include <fmt/format.h>

#include "base/threads.h"
#include "lab/measure/own_card.h"
#include "lab/measure/rounds.h"

namespace lanewise {

namespace {

constexpr const char* kCounters[] = {
    "gpu__time_duration.sum",
    "sm__cycles_elapsed.max",
    "sm__cycles_active.avg",
    "smsp__inst_executed.sum",
    "smsp__issue_active.sum",
    "sm__warps_active.avg.per_cycle_active",
    "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum",
    "l1tex__t_sectors_pipe_lsu_mem_global_op_ld_lookup_hit.sum",
    "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum",
    "l1tex__data_pipe_lsu_wavefronts.sum",
    "l1tex__m_xbar2l1tex_read_sectors.sum",
    "lts__t_requests_srcunit_tex.sum",
    "lts__t_sectors_srcunit_tex_op_read.sum",
    "lts__t_sectors_srcunit_tex_op_read_lookup_hit.sum",
    "lts__t_sectors_srcunit_tex_op_write.sum",
    "lts__t_sectors_srcunit_tex_op_write_lookup_hit.sum",
    "lts__t_sectors_srcunit_tex_lookup_hit.sum",
    "lts__t_sectors_srcunit_tex_lookup_miss.sum",
    "lts__t_sectors_srcunit_ltcfabric.sum",
    "lts__t_sectors_srcunit_ltcfabric_lookup_hit.sum",
    "lts__t_sectors_op_atom.sum",
    "lts__t_sectors_op_red.sum",
    "dram__bytes_read.sum",
    "dram__bytes_write.sum",
};
constexpr const char* kStalls[] = {
    "barrier",        "branch_resolving", "dispatch_stall",  "drain",      "imc_miss",
    "lg_throttle",    "long_scoreboard",  "math_pipe_throttle", "membar",  "mio_throttle",
    "no_instruction", "not_selected",     "selected",        "short_scoreboard", "wait",
};

CounterReading counters_of(Rig& rig, OwnCard& card, const LaunchShape& shape, double limit_s) {
    auto pass = [&](const auto& begin, const auto& end) {
        rig.flush_l2_and_settle();
        rig.wait(limit_s);
        begin();
        card.launch(shape);
        rig.wait(limit_s);
        end();
    };
    return read_counters(timing_metrics(), pass);
}

}  // namespace

std::vector<std::string> timing_metrics() {
    std::vector<std::string> metrics(std::begin(kCounters), std::end(kCounters));
    for (const char* stall : kStalls)
        metrics.push_back(
            fmt::format("smsp__average_warps_issue_stalled_{}_per_issue_active.ratio", stall));
    return metrics;
}

LaunchTimes time_launch(const Job& given, const MeasureOptions& options, bool counted,
                        const Progress& progress, const CancelFlag* cancel) {
    auto say = [&](double fraction, const char* what) {
        if (progress) progress(fraction, what);
    };
    Gpu& gpu = Gpu::open();
    Job job = given;
    job.arch = gpu.description().arch;
    validate(job);
    say(0, "compiling");
    Preparation preparation = prepare(job);
    const LaunchShape& shape = job.own.shape;
    say(0.1, "filling");
    StageLaunch untouched(job, preparation.kernel->kernel, core_count());
    Rig rig(gpu, {1, 1, 1, 4}, cancel);  // whose own matrix is not used
    OwnCard card(gpu, *preparation.kernel, untouched);
    card.fill();
    Racer racer = make_racer(gpu, [&] { card.launch(shape); });
    Racer* alone[] = {&racer};
    say(0.3, "timing");
    run_quietly(rig, alone, kEstimateRounds, options.time_limit_s);
    fit_launches(gpu, racer);
    warm_up(rig, alone, options.time_limit_s);
    RoundLimits limits = round_limits(options, options.time_limit_s);
    RoundsTaken rounds = run_rounds(rig, alone, limits, [](int) {});
    run_cold_rounds(rig, alone, options.time_limit_s, rounds);
    LaunchTimes times;
    times.samples_us = racer.us;
    times.cold_samples_us = racer.cold_us;
    times.launches_per_sample = racer.launches;
    times.time_us = spread_of(racer.us);
    times.cold_time_us = spread_of(racer.cold_us);
    times.notes = sentences_on(rounds);
    times.provenance = provenance_of(preparation.kernel->program, job.stage.source,
                                     gpu.description(), rounds);
    say(0.7, "counting");
    if (counted) times.counters = counters_of(rig, card, shape, options.time_limit_s);
    say(1, "measured");
    return times;
}

}  // namespace lanewise
