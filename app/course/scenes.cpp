#include "course/scenes.h"

#include <algorithm>

#include "base/error.h"
#include "base/files.h"
#include "base/text.h"
#include "course/moments.h"
#include "course/named_access.h"
#include "course/operation.h"
#include "course/toml_head.h"

namespace lanewise {
namespace {

constexpr int kLanes = 32;
constexpr size_t kMostChoices = 9;  // a key for each

// "\"load\", \"store\"".
std::string quoted_list(const std::vector<std::string>& names) {
    std::string list;
    for (const std::string& name : names) list += (list.empty() ? "\"" : ", \"") + name + "\"";
    return list;
}

SceneState read_state(const TomlTable& table) {
    SceneState state{table.text("type"), table.text("at"), table.text("zoom")};
    state.beside = table.texts("beside");
    if (std::string size = table.text("size");
        !size.empty() && !parse_size(size, state.rows, state.cols, state.inner))
        table.fail("size", "write it like \"1000x50\", of a product \"512x512x256\"");
    if (std::string lane = table.text("lane"); !lane.empty()) {
        int64_t number = 0;
        if (!parse_integer(lane, number) || number < 0 || number >= kLanes)
            table.fail("lane", "a lane is a number from \"0\" to \"31\"");
        state.lane = static_cast<int>(number);
    }
    if (std::string block = table.text("block");
        !block.empty() && (!parse_integer(block, state.block) || state.block < 0))
        table.fail("block", "a block is a number from \"0\" on");
    state.moments = table.texts("moments");
    const std::vector<std::string> kinds = moment_kinds();
    for (const std::string& kind : state.moments)
        if (std::find(kinds.begin(), kinds.end(), kind) == kinds.end())
            table.fail("moments",
                       "there is no moment \"" + kind + "\"; it is one of " + quoted_list(kinds));
    if (!state.moments.empty() && table.text("show") != "view:flow")
        table.fail("moments", "only the data flow moves: add show = \"view:flow\"");
    const std::vector<std::string> zooms = {"", "grid", "block", "warp", "lane"};
    if (std::find(zooms.begin(), zooms.end(), state.zoom) == zooms.end())
        table.fail("zoom", "it is one of \"grid\", \"block\", \"warp\", \"lane\"");
    return state;
}

Prediction read_poll(const TomlTable& table) {
    if (!table.has("choices")) {
        for (const char* key : {"answer", "explain", "reveal"})
            if (table.has(key))
                table.fail(key, "it is of a question; add choices = [\"1\", \"32\"]");
        return {};
    }
    table.need("answer", "answer = \"…\" beside the choices");
    table.need("say", "say = \"…\", the question, beside the choices");
    return {table.text("say"), table.text("answer"), table.text("explain"), table.texts("choices")};
}

// One scene's state beside what its stage has.
class StateCheck {
  public:
    StateCheck(const Scene& scene, const Stage& stage, const Catalogue& catalogue)
        : scene_(scene), state_(scene.state), stage_(stage), catalogue_(catalogue) {}

    std::vector<std::string> run() {
        check_setting();
        check_size();
        if (!state_.at.empty())
            if (std::string why = access_text(state_.at, stage_.source).problem; !why.empty())
                report("looks at \"" + state_.at + "\", and " + why);
        for (const std::string& beside : state_.beside) check_beside(beside);
        if (scene_.poll.choices.size() > kMostChoices)
            report("has more choices than there are keys, " + std::to_string(kMostChoices));
        return std::move(problems_);
    }

  private:
    void report(const std::string& problem) {
        problems_.push_back("stage " + stage_.id + ", scene \"" + scene_.title + "\" " + problem);
    }

    void check_setting() {
        type_ = state_.type.empty() && !stage_.types.empty() ? stage_.types[0] : state_.type;
        if (std::find(stage_.types.begin(), stage_.types.end(), type_) == stage_.types.end())
            report("wants the type \"" + type_ + "\", which the stage does not offer");
        knobs_ = default_knobs(stage_);
        for (const std::string& setting : scene_.set) parse_setting(setting, knobs_);
        if (std::string problem = knob_problem(stage_, knobs_, type_); !problem.empty())
            report("cannot be set: " + problem);
    }

    void check_size() {
        if (state_.rows == 0) return;
        const Operation& operation = operation_of(stage_);
        if ((state_.inner != kNoInner) != operation.has_inner())
            report("needs a size of " + sides_in_words(operation) + ": \"" + operation.sizes.like + "\"");
        if (is_in_place(stage_) && state_.rows != state_.cols)
            report("wants another shape than a square, and the stage is in place");
    }

    void check_beside(const std::string& beside) {
        if (beside == "none") return;
        KnobValues knobs = knobs_;
        if (parse_setting(beside, knobs)) {
            std::string problem = knob_problem(stage_, knobs, type_);
            if (!problem.empty()) report("has beside it what cannot be set: " + problem);
            if (knobs == knobs_) report("has itself beside it: " + beside);
            return;
        }
        try {
            const Stage& other = catalogue_.find(beside);
            if (!same_operation(other, stage_))
                report("has a stage of another course beside it: " + beside);
        } catch (const Error& error) {
            report("has beside it what there is not: " + std::string(error.what()));
        }
    }

    const Scene& scene_;
    const SceneState& state_;
    const Stage& stage_;
    const Catalogue& catalogue_;
    std::string type_;
    KnobValues knobs_;
    std::vector<std::string> problems_;
};

}  // namespace

std::vector<Scene> parse_scenes(const std::string& text, const std::string& file) {
    constexpr std::string_view kFence = "+++";
    std::vector<std::string_view> lines = lines_of(text);
    std::string head;
    for (size_t i = 1; i < lines.size() && trimmed(lines[i]) != kFence; ++i)
        head.append(lines[i]).push_back('\n');
    std::vector<Scene> scenes;
    for (const TomlTable& table : TomlTable::parse(head, file, 2).tables("scene")) {
        table.only({"title", "say", "notes", "show", "set", "type", "size", "at", "lane", "zoom", "block",
                    "expect", "moments", "beside", "choices", "answer", "explain", "reveal"});
        Scene scene{table.text("title"),  table.text("say"),   table.text("show"),
                    table.texts("set"),   read_state(table),   read_poll(table),
                    table.text("reveal"), table.text("expect"), table.text("notes")};
        if (scene.asks() && !(scene.title + scene.say + scene.poll.answer).empty())
            table.fail("show", "a scene that asks the prediction has no words of its own");
        if (!scene.asks())
            table.need("title", "title = \"…\" under [[scene]], or show = \"question\"");
        scenes.push_back(std::move(scene));
    }
    return scenes;
}

std::vector<Scene> read_scenes(const std::filesystem::path& file) {
    try {
        return parse_scenes(read_file(file), file.filename().string());
    } catch (const Error&) {
        return {};
    }
}

std::vector<std::string> scene_problems(const std::vector<Scene>& scenes, const Stage& stage,
                                        const Catalogue& catalogue) {
    std::vector<std::string> problems;
    for (const Scene& scene : scenes)
        for (std::string& problem : StateCheck(scene, stage, catalogue).run())
            problems.push_back(std::move(problem));
    return problems;
}

Lesson with_scenes(Lesson lesson, const std::vector<Scene>& scenes) {
    auto run = [](const std::string& text, const std::string& link) {
        LessonRun result;
        result.text = text;
        result.link = link;
        return result;
    };
    for (const Scene& scene : scenes) {
        LessonBlock block{LessonBlock::Kind::paragraph, 0, 0, {}};
        block.runs.push_back(run(scene.title + " ", ""));
        block.runs.push_back(run(scene.say, ""));
        if (!scene.notes.empty()) block.runs.push_back(run(" " + scene.notes, ""));
        if (!scene.show.empty() && !scene.asks()) block.runs.push_back(run("", scene.show));
        if (!scene.reveal.empty()) block.runs.push_back(run("", scene.reveal));
        if (!scene.poll.choices.empty()) lesson.polls.push_back(scene.poll);
        for (const std::string& setting : scene.set)
            block.runs.push_back(run("", "set:" + setting));
        lesson.blocks.push_back(std::move(block));
    }
    return lesson;
}

}  // namespace lanewise
