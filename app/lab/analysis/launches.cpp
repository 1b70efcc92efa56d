#include "lab/analysis/launches.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <memory>

#include "base/error.h"
#include "base/threads.h"
#include "lab/job/devices.h"
#include "lab/machine/interpret.h"
#include "lab/machine/prepared.h"

namespace lanewise {

namespace {

using Clock = std::chrono::steady_clock;

std::vector<Job> jobs_of(const Job& job) {
    std::vector<Job> jobs;
    for (size_t i = 0; i <= job.own.before.size(); ++i) jobs.push_back(launch_of(job, i));
    return jobs;
}

Analysis analysis_of(const Job& job, const Preparation& preparation, StageLaunch& stage,
                     int threads, const CancelFlag* cancel) {
    const PreparedKernel& prepared = *preparation.kernel;
    const LaunchShape& launch = job.own.shape;
    Analysis analysis;
    take_setting(analysis, job);
    analysis.has_reference = false;
    analysis.launch = launch;
    analysis.compiler = prepared.program.compiler;
    analysis.compile_ms = preparation.milliseconds;
    analysis.resources = prepared.resources;
    const int shared =
        prepared.resources.static_shared_bytes + static_cast<int>(launch.dynamic_shared_bytes);
    analysis.occupancy = occupancy(device_in_use(), static_cast<int>(launch.block.count()),
                                   prepared.resources.registers_per_thread, shared);
    analysis.threads = threads;
    auto start = Clock::now();
    analysis.report = interpret(prepared, launch, stage, threads, cancel);
    analysis.interpret_ms = std::chrono::duration<double, std::milli>(Clock::now() - start).count();
    analysis.notes = prepared.counting.notes;
    for (std::string& note : notes_on_variables(stage, prepared.kernel))
        analysis.notes.push_back(std::move(note));
    return analysis;
}

bool is_before(const LineReport& a, const LineReport& b) {
    return a.file != b.file ? a.file < b.file : a.line < b.line;
}

void add_lines(std::vector<LineReport>& all, const std::vector<LineReport>& more) {
    for (const LineReport& line : more) {
        auto place = std::lower_bound(all.begin(), all.end(), line, is_before);
        if (place != all.end() && !is_before(line, *place))
            place->counts += line.counts;
        else
            all.insert(place, line);
    }
}

}  // namespace

Job launch_of(const Job& job, size_t index) {
    Job one = job;
    if (index < job.own.before.size()) one.own = job.own.before[index];
    one.own.before.clear();
    one.stage.kernel = one.stage.title = one.own.kernel;
    return one;
}

std::vector<Analysis> analyse_launches(const Job& given, int threads, const CancelFlag* cancel,
                                       const LookAtMemory& look) {
    Job whole = given;
    validate(whole);
    if (threads <= 0) threads = core_count();
    std::vector<Job> jobs = jobs_of(whole);
    std::vector<Analysis> analyses;
    std::unique_ptr<StageLaunch> last;
    for (const Job& job : jobs) try {
            Preparation preparation = prepare(job);
            auto stage =
                std::make_unique<StageLaunch>(job, preparation.kernel->kernel, threads, last.get());
            analyses.push_back(analysis_of(job, preparation, *stage, threads, cancel));
            last = std::move(stage);
        } catch (const Error& error) {
            if (jobs.size() == 1) throw;
            throw Error(error.status(), fmt::format("launch {} of {}, {}: {}", analyses.size() + 1,
                                                    jobs.size(), job.own.kernel, error.what()));
        }
    if (look) look(*last);
    return analyses;
}

Analysis in_all(const std::vector<Analysis>& launches) {
    Analysis all = launches.back();
    Report& report = all.report;
    report = {};
    all.compile_ms = all.interpret_ms = 0;
    for (const Analysis& launch : launches) {
        const Report& one = launch.report;
        report.totals += one.totals;
        add_lines(report.lines, one.lines);
        report.findings.insert(report.findings.end(), one.findings.begin(), one.findings.end());
        report.warp_instructions += one.warp_instructions;
        report.checked_blocks += one.checked_blocks;
        all.compile_ms += launch.compile_ms;
        all.interpret_ms += launch.interpret_ms;
    }
    return all;
}

}  // namespace lanewise
