#include "lab/analysis/scene_check.h"

#include <tuple>

#include "base/error.h"
#include "course/named_access.h"
#include "course/operation.h"
#include "course/query.h"
#include "lab/analysis/analysis.h"
#include "lab/job/needs.h"

namespace lanewise {
Job scene_job(const Stage& stage, const Scene& scene) {
    const Operation::Size begin = operation_of(stage).sizes.begins_at;
    Job job;
    job.stage = stage;
    job.arch = "sm_90";
    job.type = scene.state.type.empty() ? stage.types.front() : scene.state.type;
    job.knobs = knobs_at(stage, {.set = scene.set});
    job.rows = scene.state.rows ? scene.state.rows : begin.rows;
    job.cols = scene.state.rows ? scene.state.cols : begin.cols;
    job.inner = inner_for(stage, scene.state.inner != kNoInner ? scene.state.inner : begin.inner);
    return job;
}

namespace {

class SceneCheck {
  public:
    explicit SceneCheck(const Stage& stage) : stage_(stage) {}

    void look_at(const Scene& scene) {
        if (scene.state.at.empty() && scene.expect.empty()) return;
        where_ = "stage " + stage_.id + ", scene \"" + scene.title + "\" ";
        const Job job = scene_job(stage_, scene);
        const Picture picture = trace_block(job, static_cast<uint64_t>(scene.state.block));
        NamedAccess named;
        if (!scene.state.at.empty()) {
            named = named_access(scene.state.at, stage_.source, picture.report, picture.block);
            if (!named.problem.empty())
                return report("looks at \"" + scene.state.at + "\", and " + named.problem);
            compare(scene, job, named);
        }
        if (!scene.expect.empty())
            hold(scene, job, picture, scene.state.at.empty() ? nullptr : &named);
    }

    void follow(const std::vector<LessonBlock>& blocks) {
        std::optional<Picture> picture;
        for (const LessonBlock& block : blocks)
            for (const LessonRun& run : block.runs) {
                if (!run.link.starts_with("at:")) continue;
                if (!picture) picture = trace_block(scene_job(stage_, {}), 0);
                NamedAccess named = named_access(run.link.substr(3), stage_.source, picture->report,
                                                 picture->block);
                where_ = "lesson " + stage_.id + ": ";
                if (!named.problem.empty())
                    report("the link \"" + run.link + "\" shows no access: " + named.problem);
            }
    }

    std::vector<std::string> take() { return std::move(problems_); }

  private:
    void report(const std::string& problem) { problems_.push_back(where_ + problem); }

    // With the scenes before it.
    void compare(const Scene& scene, const Job& job, const NamedAccess& named) {
        auto key = std::tuple(job.knobs, job.type, job.rows, job.cols, job.inner, scene.state.block,
                              named.instructions);
        const std::string view = scene.show.empty() ? scene.reveal : scene.show;
        for (const auto& [before, its_key, its_view] : shown_) {
            if (its_key != key) continue;
            if (before->state.at != scene.state.at)
                report("shows the access of the scene \"" + before->title +
                       "\" under another name: \"" + scene.state.at + "\" for \"" +
                       before->state.at + "\"");
            else if (its_view == view && before->state.beside == scene.state.beside &&
                     before->state.lane == scene.state.lane &&
                     before->state.zoom == scene.state.zoom)
                report("is the picture of the scene \"" + before->title + "\"");
        }
        shown_.emplace_back(&scene, key, view);
    }

    void hold(const Scene& scene, const Job& job, const Picture& picture,
              const NamedAccess* named) {
        NameLookup setting =
            counts_lookup({}, job.knobs, job.rows, job.cols, element_bytes(job.type), job.inner);
        try {
            std::string off = unmet_part(
                scene.expect, access_lookup(named, picture.report, picture.block, setting));
            if (!off.empty()) report("expects what is not so: " + off);
        } catch (const Error& error) {
            report("expects what cannot be asked: " + std::string(error.what()));
        }
    }

    using Key = std::tuple<KnobValues, std::string, int64_t, int64_t, int64_t, int64_t,
                           std::vector<uint32_t>>;
    const Stage& stage_;
    std::string where_;
    std::vector<std::tuple<const Scene*, Key, std::string>> shown_;
    std::vector<std::string> problems_;
};

}  // namespace

std::vector<std::string> access_problems(const Lesson& lesson, const std::vector<Scene>& scenes,
                                         const Stage& stage) {
    if (is_library_call(stage) || !cannot_interpret(stage).empty()) return {};
    SceneCheck check(stage);
    for (const Scene& scene : scenes) check.look_at(scene);
    check.follow(lesson.blocks);
    return check.take();
}

}  // namespace lanewise
