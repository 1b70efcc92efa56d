#include "service/kernel_runs.h"

#include <fmt/format.h>

#include <algorithm>
#include <condition_variable>
#include <map>
#include <thread>

#include "base/hash.h"
#include "base/text.h"
#include "lab/json.h"
#include "service/gpu_queue.h"
#include "service/jobs.h"

namespace lanewise {

namespace {

constexpr auto kInterpretLimit = std::chrono::seconds(10);

// ---- What the interpreter knows of it ----------------------------------------------------------

struct Explanation {
    const char* crash;    // the kind of crash
    const char* finding;  // the kind of finding that explains it
};
constexpr Explanation kExplanations[] = {
    {"illegal_access", "out_of_bounds"},
    {"misaligned", "misaligned"},
    {"endless", "runaway"},
    {"endless", "deadlock"},
    {"endless", "divergent_barrier"},
};

std::optional<Finding> best_of(const std::vector<Finding>& findings, const std::string& crash) {
    for (const Explanation& one : kExplanations)
        for (const Finding& finding : findings)
            if (one.crash == crash && one.finding == finding.kind) return finding;
    return findings.empty() ? std::nullopt : std::optional(findings.front());
}

// Sets a flag of its own after a while, or as soon as `cancel` is set.
class Deadline {
  public:
    explicit Deadline(const CancelFlag* cancel) {
        watch_ = std::thread([this, cancel] {
            std::unique_lock lock(mutex_);
            auto end = std::chrono::steady_clock::now() + kInterpretLimit;
            while (!done_ && std::chrono::steady_clock::now() < end && !(cancel && *cancel))
                changed_.wait_for(lock, std::chrono::milliseconds(50));
            flag_ = true;
        });
    }
    ~Deadline() {
        {
            std::lock_guard lock(mutex_);
            done_ = true;
        }
        changed_.notify_all();
        watch_.join();
    }
    const CancelFlag* flag() const { return &flag_; }

  private:
    std::mutex mutex_;
    std::condition_variable changed_;
    bool done_ = false;
    CancelFlag flag_ = false;
    std::thread watch_;
};

// The same launch, interpreted. For a loop without end one thread is enough to show it, and many
// would take minutes to be given up. Nothing where that finds nothing, cannot be done, or takes too
// long.
std::optional<Finding> find_cause(Job job, const std::string& crash, const CancelFlag* cancel) {
    try {
        if (crash == "endless") {
            job.rows = job.cols = job.batch = 1;
            return best_of(trace_block(job, 0).report.findings, crash);
        }
        Deadline deadline(cancel);
        return best_of(analyse(job, 0, deadline.flag()).report.findings, crash);
    } catch (const Cancelled&) {
    } catch (const Error&) {
    }
    return std::nullopt;
}

// ---- Crashes in a row --------------------------------------------------------------------------

std::mutex counting;
std::map<uint64_t, int> crashes_in_a_row;  // by kernel: source, its name there, knobs and type

uint64_t kernel_of(const Job& job) {
    return hash(job.stage.source + job.own.kernel + Json(job.knobs).dump() + job.type);
}

int count_crash(const Job& job) {
    std::lock_guard lock(counting);
    return ++crashes_in_a_row[kernel_of(job)];
}

void forget_crashes(const Job& job) {
    std::lock_guard lock(counting);
    crashes_in_a_row.erase(kernel_of(job));
}

// ---- Telling it --------------------------------------------------------------------------------

Json printed_json(const CapturedText& printed) {
    return {{"text", printed.text}, {"bytes", printed.bytes}};
}

// `job`: null where there were several.
[[noreturn]] void tell(const WorkerLost& lost, const Job* job, const Progress& progress,
                       const CancelFlag* cancel) {
    Json crash = {{"kind", lost.kind()},
                  {"finding", nullptr},
                  {"printed", printed_json(lost.printed())},
                  {"in_a_row", 1},
                  {"offer_interpreter", false}};
    std::string message = lost.what();
    if (job) {
        if (progress) progress(1, "the kernel failed; interpreting it to see where");
        int in_a_row = count_crash(*job);
        if (auto finding = find_cause(*job, lost.kind(), cancel)) {
            crash["finding"] = *finding;
            message +=
                fmt::format(".\n{}:{}:{}: {} (block {}, thread {})", finding->file, finding->line,
                            finding->column, finding->message, finding->block, finding->thread);
        }
        crash["in_a_row"] = in_a_row;
        crash["offer_interpreter"] = in_a_row >= kCrashesUntilOffer;
        if (in_a_row >= kCrashesUntilOffer)
            message += fmt::format(
                "\nThis kernel has now failed {} times in a row: interpret it instead (trace), "
                "which shows every access and cannot break anything",
                in_a_row);
    }
    throw DetailedError(lost.status(), message, {{"crash", crash}});
}

}  // namespace

Json run_in_worker(GpuWorker& worker, const std::string& method, const Json& params,
                   const Progress& progress, const CancelFlag* cancel) {
    std::optional<Job> job;
    if (method == "measure" || method == "measure_own") job = params.at("job").get<Job>();
    if (!gpu_status().found) throw Error(Status::needs_gpu, gpu_status().problem);
    std::optional<GpuQueue> queue(std::in_place, gpu_queue_folder(), gpu_status().gpu.uuid);
    queue->wait(progress, cancel);
    try {
        GpuWorker::Reply reply = worker.call(method, params, progress, cancel);
        if (job) forget_crashes(*job);
        if (reply.printed.bytes > 0) reply.result["printed"] = printed_json(reply.printed);
        return std::move(reply.result);
    } catch (const WorkerLost& lost) {
        queue.reset();  // interpreting needs no GPU
        tell(lost, job ? &*job : nullptr, progress, cancel);
    } catch (const DetailedError& error) {
        if (error.status() != Status::needs_gpu) throw;
        throw Error(Status::needs_gpu,
                    "the GPU that was there is not there any more, or not for us: " +
                        std::string(error.what()));
    }
}

}  // namespace lanewise
