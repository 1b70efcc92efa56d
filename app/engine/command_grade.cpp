// grade: whether a file passes a stage's gate. No GPU needed.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/error.h"
#include "course/lesson_lint.h"
#include "course/operation.h"
#include "engine/commands.h"
#include "engine/options.h"
#include "lab/grade/judgement.h"
#include "lab/grade/submission.h"
#include "lab/json/json.h"

namespace lanewise {

namespace {

struct GradeOptions {
    std::string stage, file, type, write;  // `write`: the size of a task in code
    std::vector<std::string> settings;     // NAME=VALUE
    double time_limit_s = 300;
    bool json = false;
};

Lesson lesson_of(const Catalogue& catalogue, const Stage& stage) {
    Lesson lesson = read_lesson(lesson_path(catalogue, stage), stage.id);
    if (!lesson.error.empty()) throw Error(Status::bad_input, lesson.error);
    return lesson;
}

Json case_json(const Judgement& judgement) {
    Json json = {{"knobs", judgement.knobs},
                 {"type", judgement.type},
                 {"rows", judgement.rows},
                 {"cols", judgement.cols},
                 {"batch", judgement.batch}};
    if (judgement.inner != kNoInner) {
        json["inner"] = judgement.inner;
        json["input"] = judgement.input;
    }
    return json;
}

Json grade_json(const Stage& stage, const Gate& gate, const Judgement& judgement) {
    const Json all = judgement;
    Json json = {{"stage", stage.id},           {"passed", judgement.passed()},
                 {"sentence", all["sentence"]}, {"cases", all["cases"]},
                 {"held", all["held"]},         {"why", all["why"]},
                 {"catches", gate.catches},     {"case", nullptr}};
    if (!judgement.has_case) return json;
    json["case"] = case_json(judgement);
    json["mismatch"] = all["mismatch"];
    json["findings"] = all["findings"];
    return json;
}

std::string sizes_in_words(const Lesson& lesson) {
    if (lesson.write.empty()) return ": its lesson has none";
    std::string sizes;
    for (const WriteTask& task : lesson.write) sizes += (sizes.empty() ? "" : ", ") + task.size;
    return "; it has: " + sizes;
}

int grade(const GradeOptions& options) {
    TimeLimit limit(options.time_limit_s);
    Catalogue catalogue = load_catalogue();
    const Stage& stage = catalogue.find(options.stage);
    Lesson lesson = lesson_of(catalogue, stage);
    Gate gate = lesson.gate;
    if (!options.write.empty()) {
        const WriteTask* task = write_task(lesson, options.write);
        if (!task)
            throw Error(Status::bad_input, stage.id + " has no task of the size \"" +
                                               options.write + "\" to be written" +
                                               sizes_in_words(lesson));
        gate = task->gate;
    }
    Job job = submission_from(options.file, stage);
    for (const std::string& setting : options.settings)
        if (!parse_setting(setting, job.knobs))
            throw Error(Status::bad_input,
                        "--set wants NAME=VALUE with a whole number, not \"" + setting + "\"");
    if (!options.type.empty()) job.type = options.type;
    Judgement judgement = judge(job, task_of(gate, stage));
    if (options.json) {
        print_json(grade_json(stage, gate, judgement));
    } else {
        fmt::print("{}: {}\n", stage.id, judgement.passed() ? "passed" : "not yet");
        fmt::print("{}\n", judgement.sentence);
        for (const Finding& finding : judgement.findings)
            fmt::print("  {}:{}: {}\n", finding.file, finding.line, finding.message);
    }
    return static_cast<int>(judgement.passed() ? Status::fine : Status::failed_check);
}

}  // namespace

void add_grade(EngineCommand& app, int& status) {
    auto* command = app.add_subcommand(
        "grade", "judge a file by a stage's task, at shapes of the program's own");
    auto options = std::make_shared<GradeOptions>();
    command->add_option("stage", options->stage, "a stage (see `lanewise-engine stages`)")
        ->required();
    command
        ->add_option("file", options->file,
                     "a version of its source (.cu), or a workspace of the window (.lanewise)")
        ->required();
    command
        ->add_option("--set", options->settings,
                     "a knob's value, NAME=VALUE; may be repeated (default: the file's own)")
        ->allow_extra_args(false);
    command->add_option("--type", options->type, "element type: f32, f64, f16, u8 or f32x4");
    command->add_option("--write", options->write,
                        "judge by the task in code of this size: index, line or kernel");
    command->add_flag("--json", options->json, "print one JSON object");
    command
        ->add_option("--time-limit", options->time_limit_s, "seconds, compiling included; 0: none")
        ->in_range(0.0, 1e8)
        ->capture_default_str();
    command->callback([=, &status] { status = grade(*options); });
}

}  // namespace lanewise
