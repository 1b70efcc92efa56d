#include "web/page_methods.h"

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/files.h"
#include "course/catalogue.h"
#include "course/path.h"
#include "lab/analysis/analysis.h"
#include "lab/json/json.h"

namespace lanewise {

namespace {

constexpr std::string_view kSetting[] = {"stage", "rows",  "cols", "inner",
                                         "batch", "input", "set",  "type"};

const Catalogue& catalogue() {
    static const Catalogue all = Catalogue::load(content_folder());
    return all;
}

Json stages(const Json&, JobContext&) {
    static const Path path = read_path(path_file(catalogue().content()), catalogue().stages());
    Json list = Json::array();
    for (const Stage& stage : catalogue().stages()) {
        list.push_back(stage_json(stage));
        if (const PathLesson* lesson = core_lesson(path, stage.id))
            list.back()["minutes"] = lesson->minutes;
    }
    return list;
}

void refuse_unknown(const Json& params) {
    for (const auto& [name, value] : params.items())
        if (std::find(std::begin(kSetting), std::end(kSetting), name) == std::end(kSetting))
            throw Error(Status::bad_input,
                        "trace knows no \"" + name +
                            "\"; it takes stage, rows, cols, inner, batch, input, set and type");
}

// One that is named in full is read alone: to read them all takes a third of a second in a page.
Stage stage_named(const std::string& name) {
    const size_t slash = name.find('/');
    const std::filesystem::path file = content_folder() / "kernels" / (name + ".cu");
    if (slash == name.npos || !std::filesystem::is_regular_file(file)) return catalogue().find(name);
    Stage alone = read_stage(file, name.substr(0, slash));
    return alone.id == name && alone.error.empty() ? alone : catalogue().find(name);
}

Job job_of(const Json& params) {
    if (!params.is_object() || !params.contains("stage"))
        throw Error(Status::bad_input, "say which stage, for example {stage: \"30_padded\"}");
    Job job;
    job.stage = stage_named(params.at("stage").get<std::string>());
    const Operation& operation = operation_of(job.stage);
    job.knobs = params.value("set", KnobValues());
    job.type = params.value("type", job.stage.types.empty() ? job.type : job.stage.types.front());
    job.rows = params.value("rows", operation.sizes.begins_at.rows);
    job.cols = params.value("cols", operation.sizes.begins_at.cols);
    job.batch = params.value("batch", int64_t{1});
    if (operation.has_inner()) job.inner = params.value("inner", operation.sizes.begins_at.inner);
    if (operation.computes) job.input = params.value("input", job.input);
    validate(job);
    return job;
}

Json job(const Json& params, JobContext&) {
    refuse_unknown(params);
    return job_of(params);
}

Json trace(const Json& params, JobContext& context) {
    refuse_unknown(params);
    return trace_json(analyse(job_of(params), 0, &context.cancel));
}

// With the job in place of its setting.
Json with_job(Json params) {
    if (!params.is_object() || params.contains("job") || !params.contains("stage")) return params;
    Json job = job_of(params);
    for (std::string_view name : kSetting) params.erase(std::string(name));
    params["job"] = std::move(job);
    return params;
}

}  // namespace

Service page_service() {
    Service service = lab_service();
    for (Method& method : service.methods)
        method.work = [work = method.work](const Json& params, JobContext& context) {
            return work(with_job(params), context);
        };
    service.methods.push_back({"stages", LaneKind::others, false, 0, stages});
    service.methods.push_back({"job", LaneKind::others, false, 0, job});
    service.methods.push_back({"trace", LaneKind::others, false, 0, trace});
    return service;
}

}  // namespace lanewise
