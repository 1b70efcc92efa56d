#include "service/kernel_runs.h"

#include <fmt/format.h>

#include <algorithm>
#include <condition_variable>
#include <cstdlib>
#include <map>
#include <nlohmann/json.hpp>
#include <thread>

#include "base/hash.h"
#include "base/text.h"
#include "course/operation.h"
#include "lab/analysis/analysis.h"
#include "lab/json/json.h"
#include "lab/machine/prepared.h"
#include "service/compiled_ahead.h"
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
constexpr const char* kEndless = "endless";  // the kind of crash
constexpr Explanation kExplanations[] = {
    {"illegal_access", "out_of_bounds"},
    {"misaligned", "misaligned"},
    {"illegal_instruction", "misaligned"},  // a bulk copy's
    {kEndless, "runaway"},
    {kEndless, "deadlock"},
    {kEndless, "divergent_barrier"},
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
    explicit Deadline(const CancelFlag* cancel, std::chrono::seconds limit = kInterpretLimit) {
        watch_ = std::thread([this, cancel, limit] {
            std::unique_lock lock(mutex_);
            auto end = std::chrono::steady_clock::now() + limit;
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
        if (crash == kEndless) {
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
    return hash(job.stage.source + job.own.ptx + job.own.kernel + Json(job.knobs).dump() +
                job.type);
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

[[noreturn]] void tell(const WorkerLost& lost, const Job& job, const Progress& progress,
                       const CancelFlag* cancel) {
    std::string message = lost.what();
    if (progress) progress(1, "the kernel failed; interpreting it to see where");
    int in_a_row = count_crash(job);
    auto finding = find_cause(job, lost.kind(), cancel);
    if (finding)
        message +=
            fmt::format(".\n{}:{}:{}: {} (block {}, thread {})", finding->file, finding->line,
                        finding->column, finding->message, finding->block, finding->thread);
    bool offer = in_a_row >= kCrashesUntilOffer;
    if (offer)
        message += fmt::format(
            "\nThis kernel has now failed {} times in a row: interpret it instead (trace), which "
            "shows every access and cannot break anything",
            in_a_row);
    Json crash = {{"kind", lost.kind()},
                  {"finding", nullptr},
                  {"printed", printed_json(lost.printed())},
                  {"in_a_row", in_a_row},
                  {"offer_interpreter", offer}};
    if (finding) crash["finding"] = *finding;
    throw DetailedError(lost.status(), message, {{"crash", crash}});
}

// ---- Running -----------------------------------------------------------------------------------

// Whether a worker keeps nothing of the card between two jobs, because many engines share it.
bool gives_back() {
    const char* set = std::getenv("LANEWISE_GIVE_BACK");
    return set && *set == '1';
}

// How long a turn may last where many engines share the GPU; 0: as long as it takes.
int64_t most_seconds_of_a_turn() {
    const char* set = std::getenv("LANEWISE_TURN_S");
    int64_t seconds = 0;
    return set && parse_integer(set, seconds) ? seconds : 0;
}

// The worker's answer, within the turn's time.
GpuWorker::Reply call_within_turn(GpuWorker& worker, const std::string& method, const Json& params,
                                  const Progress& progress, const CancelFlag* cancel) {
    int64_t most_s = most_seconds_of_a_turn();
    if (most_s <= 0) return worker.call(method, params, progress, cancel);
    Deadline deadline(cancel, std::chrono::seconds(most_s));
    try {
        return worker.call(method, params, progress, deadline.flag());
    } catch (const Cancelled&) {
        if (cancel && *cancel) throw;
        throw DetailedError(
            Status::out_of_time,
            fmt::format("the turn on the GPU was over after {} s, because others wait: "
                        "measure less at once",
                        most_s),
            {});
    }
}

void compile_for_this_card(Job& job) {
    job.arch = gpu_status().gpu.arch;
    compile_ahead(job);
}

// One call, when it is this engine's turn on the GPU; the turn ends with it, so that interpreting a
// crash keeps nobody waiting. `jobs` are what it launches.
GpuWorker::Reply call_in_turn(GpuWorker& worker, const std::string& method, const Json& params,
                              const Progress& progress, const CancelFlag* cancel,
                              std::vector<Job> jobs = {}) {
    if (!gpu_status().found) throw Error(Status::needs_gpu, gpu_status().problem);
    CompiledAhead ahead(std::move(jobs), compile_for_this_card);
    std::optional<GpuTurn> turn;
    try {
        turn.emplace(gpu_status().gpu.uuid, progress, cancel, ahead.failed());
    } catch (const Cancelled&) {
        if (cancel && *cancel) throw;
    }
    ahead.wait(cancel);
    try {
        GpuWorker::Reply reply = call_within_turn(worker, method, params, progress, cancel);
        bool hoards = reply.result.erase(kHoardsMemory) > 0;
        if (hoards || gives_back()) worker.renew();
        return reply;
    } catch (const WorkerLost& lost) {
        if (lost.kind() == kEndless) turn->was_given_up();
        throw;
    } catch (const DetailedError& error) {
        if (error.status() == Status::out_of_time) turn->was_given_up();
        if (error.status() != Status::needs_gpu) throw;
        throw Error(Status::needs_gpu,
                    "the GPU that was there is not there any more, or not for us: " +
                        std::string(error.what()));
    }
}

// A method of one job.
Json run_job(GpuWorker& worker, const std::string& method, const Json& params,
             const Progress& progress, const CancelFlag* cancel) {
    Job job = params.at("job").get<Job>();
    std::vector<Job> jobs = {job};
    for (const Json& beside : params.value("beside", Json::array()))
        jobs.push_back(beside.get<Job>());
    try {
        GpuWorker::Reply reply =
            call_in_turn(worker, method, params, progress, cancel, std::move(jobs));
        forget_crashes(job);
        if (reply.printed.bytes > 0) reply.result["printed"] = printed_json(reply.printed);
        return std::move(reply.result);
    } catch (const WorkerLost& lost) {
        tell(lost, job, progress, cancel);
    }
}

// A ladder, size by size. Where a size fails, its stages are tried one by one; those that fail
// alone become crashes, and the others are timed together once more.
class Ladder {
  public:
    Ladder(GpuWorker& worker, const Json& params, const Progress& progress,
           const CancelFlag* cancel)
        : worker_(worker), params_(params), progress_(progress), cancel_(cancel) {}

    Json run() {
        const Json& sizes = params_.at("sizes");
        for (size_ = 0; size_ < sizes.size(); ++size_) run_size(params_.at("stages"), sizes[size_]);
        Json result = {{"measurements", measurements_}};
        if (!crashes_.empty()) result["crashes"] = crashes_;
        if (!left_out_.empty()) result["left_out"] = left_out_;
        if (printed_.bytes > 0) result["printed"] = printed_json(printed_);
        return result;
    }

  private:
    void run_size(const Json& stages, const Json& size) {
        if (auto reply = try_call(stages, size)) return keep(std::move(*reply));
        Json sound = Json::array();
        std::vector<GpuWorker::Reply> alone;
        std::exception_ptr refused;  // where nothing worse happens than that all are refused
        size_t crashes = 0;
        for (const Json& stage : stages) {
            try {
                alone.push_back(call(Json::array({stage}), size));
                sound.push_back(stage);
            } catch (const WorkerLost& lost) {
                ++crashes;
                note_crash(stage, size, lost);
            } catch (const DetailedError& error) {
                refused = std::current_exception();
                note(stage, size, error);
            }
        }
        if (sound.empty() && crashes == 0 && refused) std::rethrow_exception(refused);
        if (sound.empty()) return;
        if (auto reply = try_call(sound, size)) return keep(std::move(*reply));
        for (GpuWorker::Reply& reply : alone) keep(std::move(reply));  // it fails now and then
    }
    // Nothing where a kernel is at fault.
    std::optional<GpuWorker::Reply> try_call(const Json& stages, const Json& size) {
        try {
            return call(stages, size);
        } catch (const WorkerLost&) {
        } catch (const DetailedError&) {
        }
        return std::nullopt;
    }
    GpuWorker::Reply call(const Json& stages, const Json& size) {
        Json params = params_;
        params["stages"] = stages;
        params["sizes"] = Json::array({size});
        params["one_of_many"] = params_.at("stages").size() > 1;
        auto of_all = [this](double fraction, const std::string& what) {
            double sizes = static_cast<double>(params_.at("sizes").size());
            if (progress_) progress_((static_cast<double>(size_) + fraction) / sizes, what);
        };
        return call_in_turn(worker_, "bench", params, of_all, cancel_);
    }
    void keep(GpuWorker::Reply reply) {
        for (Json& one : reply.result.at("measurements")) measurements_.push_back(std::move(one));
        for (const Json& why : reply.result.value("left_out", Json::array()))
            if (std::find(left_out_.begin(), left_out_.end(), why) == left_out_.end())
                left_out_.push_back(why);
        uint64_t not_kept = reply.printed.bytes - reply.printed.text.size();
        printed_.add(reply.printed.text);
        printed_.bytes += not_kept;
    }
    void note_crash(const Json& stage, const Json& size, const WorkerLost& lost) {
        Job job;
        job.stage = stage.get<Stage>();
        job.type = params_.value("type", "");
        if (job.type.empty() && !job.stage.types.empty()) job.type = job.stage.types.front();
        job.rows = size.at(0).get<int64_t>();
        job.cols = size.at(1).get<int64_t>();
        job.batch = params_.value("batch", int64_t{1});
        if (operation_of(job.stage).has_inner())
            job.inner = size.size() > 2 ? size[2].get<int64_t>() : job.cols;
        try {
            tell(lost, job, {}, cancel_);
        } catch (const DetailedError& error) {
            note(stage, size, error);
        }
    }
    void note(const Json& stage, const Json& size, const DetailedError& error) {
        bool crashed = error.details().is_object() && error.details().contains("crash");
        crashes_.push_back({{"stage", stage.at("id")},
                            {"title", stage.at("title")},
                            {"rows", size.at(0)},
                            {"cols", size.at(1)},
                            {"message", error.what()},
                            {"crash", crashed ? error.details()["crash"] : Json()}});
        if (operation_of(stage.get<Stage>()).has_inner())
            crashes_.back()["inner"] = size.size() > 2 ? size[2] : size.at(1);
    }

    GpuWorker& worker_;
    const Json& params_;
    const Progress& progress_;
    const CancelFlag* cancel_;
    size_t size_ = 0;
    Json measurements_ = Json::array(), crashes_ = Json::array(), left_out_ = Json::array();
    CapturedText printed_;
};

}  // namespace

Json run_in_worker(GpuWorker& worker, const std::string& method, const Json& params,
                   const Progress& progress, const CancelFlag* cancel) {
    if (method == "bench") return Ladder(worker, params, progress, cancel).run();
    return run_job(worker, method, params, progress, cancel);
}

}  // namespace lanewise
