#include "service/jobs.h"

#include "compile/compiler.h"
#include "gpu/device.h"
#include "lab/doctor.h"
#include "lab/json.h"
#include "service/server.h"

namespace lanewise {

namespace {

// params: {job, block}
Json picture(const Json& params, JobContext&) {
    return trace_block(params.at("job").get<Job>(), params.value("block", uint64_t{0}));
}

// params: {job}
Json analyse_job(const Json& params, JobContext& context) {
    return analyse(params.at("job").get<Job>(), 0, &context.cancel);
}

// params: {job, options: {samples, time_limit_s}}, options and their fields optional
Json measure_job(const Json& params, JobContext& context) {
    MeasureOptions options;
    Json given = params.value("options", Json::object());
    options.samples = given.value("samples", options.samples);
    options.time_limit_s = given.value("time_limit_s", options.time_limit_s);
    return measure(params.at("job").get<Job>(), options, context.progress, &context.cancel);
}

Json status(const Json&, JobContext&) { return {{"checks", examine()}}; }

Json ping(const Json&, JobContext&) { return Json::object(); }

// Compiling and the largest uploads included; a launch that hangs is noticed by measure() itself.
constexpr double kMeasureLimitSeconds = 300;

}  // namespace

Service lab_service() {
    Service service;
    service.methods = {
        // name      lane                newest  limit                 work
        {"picture", LaneKind::pictures, true, 0, picture},
        {"analyse", LaneKind::others, false, 0, analyse_job},
        {"measure", LaneKind::others, false, kMeasureLimitSeconds, measure_job},
        {"status", LaneKind::others, false, 0, status},
        {"ping", LaneKind::pictures, false, 0, ping},
    };
    service.status = [] {
        warm_up_compiler();
        return status_json();
    };
    service.gpu_lost = [] { return Gpu::lost(); };
    return service;
}

int serve(int input_descriptor, int output_descriptor) {
    return serve(input_descriptor, output_descriptor, lab_service());
}

}  // namespace lanewise
