// What the server can be asked for: one row per method.
#pragma once
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "base/error.h"
#include "lab/job/measurement.h"

namespace lanewise {

// An Error with more for programs: its "details" on the wire.
class DetailedError : public Error {
  public:
    DetailedError(Status status, const std::string& message, nlohmann::json details)
        : Error(status, message), details_(std::move(details)) {}
    const nlohmann::json& details() const { return details_; }

  private:
    nlohmann::json details_;
};

struct JobContext {
    const CancelFlag& cancel;  // polled by long jobs, which then throw Cancelled
    Progress progress;
};

enum class LaneKind { pictures, others, checks, steps, models };
inline constexpr size_t kLanes = 5;

struct Method {
    std::string name;
    LaneKind lane = LaneKind::others;
    bool newest_only = false;  // a new request drops older ones of this method that still wait
    double time_limit_s = 0;   // the engine stops itself after this long; 0: no limit
    std::function<nlohmann::json(const nlohmann::json& params, JobContext& context)> work;
    bool tells_its_place = false;  // where it waits for others of its lane, it says so at once
};

struct Service {
    std::vector<Method> methods;
    // {gpu, problem, compiler}; may take seconds, so it runs beside the first jobs.
    std::function<nlohmann::json()> status;
    // Whether the process is of no more use to the GPU. Asked after every failed job.
    std::function<bool()> gpu_lost;
    // What lost it, as Gpu::fault() has it; may be null. Told as details.fault.
    std::function<std::string()> fault;
    // Whether the process hangs in a call that does not come back; may be null. It is then ended.
    std::function<bool()> hangs;
};

// Of the exception that is being handled: what the client is told. fine: cancelled, no fault.
struct JobFailure {
    Status status = Status::fine;
    std::string message;
    nlohmann::json details;  // null where there are none
};
JobFailure failure_at_hand();

// The methods that server.h lists; kernels run in a worker.
Service lab_service();

// In a worker's result: the driver there keeps much of the card's memory, so that it should end.
inline constexpr const char* kHoardsMemory = "hoards_memory";

// What a worker does, on the GPU of its own process: "measure" {job, options} -> Measurement ·
// "race" {job, beside, options} -> [Measurement] · "bench" {stages, sizes, options} -> [Measurement] · "count" {job, options} -> CounterReading ·
// "staircase" {job?, options} -> Staircase · "gpu" {} -> GpuStatus.
Service worker_service();

}  // namespace lanewise
