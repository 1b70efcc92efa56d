// What the server can be asked for: one row per method.
#pragma once
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "lab/measurement.h"

namespace lanewise {

struct JobContext {
    const CancelFlag& cancel;  // polled by long jobs, which then throw Cancelled
    Progress progress;
};

enum class LaneKind { pictures, others };

struct Method {
    std::string name;
    LaneKind lane = LaneKind::others;
    bool newest_only = false;  // a new request drops older ones of this method that still wait
    double time_limit_s = 0;   // the engine stops itself after this long; 0: no limit
    std::function<nlohmann::json(const nlohmann::json& params, JobContext& context)> work;
};

struct Service {
    std::vector<Method> methods;
    // {gpu, problem, compiler}; may take seconds, so it runs beside the first jobs.
    std::function<nlohmann::json()> status;
    // Whether the process is of no more use to the GPU. Asked after every failed job.
    std::function<bool()> gpu_lost;
};

// The methods that server.h lists.
Service lab_service();

}  // namespace lanewise
