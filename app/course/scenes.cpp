#include "course/scenes.h"

#include <algorithm>

#include "base/error.h"
#include "base/files.h"
#include "base/text.h"
#include "course/toml_head.h"

namespace lanewise {
namespace {

constexpr int kLanes = 32;

// "1000x50", of a product "512x512x256".
bool read_size(const std::string& text, SceneState& state) {
    std::vector<std::string_view> parts = split(text, 'x');
    int64_t numbers[3] = {0, 0, 0};
    if (parts.size() != 2 && parts.size() != 3) return false;
    for (size_t i = 0; i < parts.size(); ++i)
        if (!parse_integer(parts[i], numbers[i]) || numbers[i] < 1) return false;
    state.rows = numbers[0];
    state.cols = numbers[1];
    if (parts.size() == 3) state.inner = numbers[2];
    return true;
}

SceneState read_state(const TomlTable& table) {
    SceneState state{table.text("type"), table.text("at"), table.text("zoom")};
    state.beside = table.texts("beside");
    if (std::string size = table.text("size"); !size.empty() && !read_size(size, state))
        table.fail("size", "write it like \"1000x50\", of a product \"512x512x256\"");
    if (std::string lane = table.text("lane"); !lane.empty()) {
        int64_t number = 0;
        if (!parse_integer(lane, number) || number < 0 || number >= kLanes)
            table.fail("lane", "a lane is a number from \"0\" to \"31\"");
        state.lane = static_cast<int>(number);
    }
    const std::vector<std::string> zooms = {"", "grid", "block", "warp", "lane"};
    if (std::find(zooms.begin(), zooms.end(), state.zoom) == zooms.end())
        table.fail("zoom", "it is one of \"grid\", \"block\", \"warp\", \"lane\"");
    return state;
}

size_t occurrences(const std::string& text, const std::string& piece) {
    size_t count = 0;
    for (size_t at = text.find(piece); at != text.npos; at = text.find(piece, at + 1)) ++count;
    return count;
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
            if (size_t found = occurrences(stage_.source, state_.at); found != 1)
                report("looks at text that the source holds " + std::to_string(found) +
                       " times; quote what it holds once: " + state_.at);
        for (const std::string& beside : state_.beside) check_beside(beside);
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
        for (const std::string& setting : scene_.set) take(setting, knobs_);
        if (std::string problem = knob_problem(stage_, knobs_, type_); !problem.empty())
            report("cannot be set: " + problem);
    }

    bool take(const std::string& setting, KnobValues& knobs) {
        size_t equals = setting.find('=');
        int64_t value = 0;
        bool read = equals != setting.npos &&
                    parse_integer(std::string_view(setting).substr(equals + 1), value);
        if (read) knobs[setting.substr(0, equals)] = value;
        return read;
    }

    void check_size() {
        if (state_.rows == 0) return;
        bool product = is_product(stage_);
        if ((state_.inner != kNoInner) != product)
            report(product ? "needs a size with K: \"512x512x256\"" : "has a size of a product");
        if (is_in_place(stage_) && state_.rows != state_.cols)
            report("wants another shape than a square, and the stage is in place");
    }

    void check_beside(const std::string& beside) {
        if (beside == "none") return;
        KnobValues knobs = knobs_;
        if (take(beside, knobs)) {
            std::string problem = knob_problem(stage_, knobs, type_);
            if (!problem.empty()) report("has beside it what cannot be set: " + problem);
            if (knobs == knobs_) report("has itself beside it: " + beside);
            return;
        }
        try {
            const Stage& other = catalogue_.find(beside);
            if (is_product(other) != is_product(stage_))
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
        table.only({"title", "say", "show", "set", "type", "size", "at", "lane", "zoom", "beside"});
        Scene scene{table.text("title"), table.text("say"), table.text("show"), table.texts("set"),
                    read_state(table)};
        if (scene.asks() && !(scene.title + scene.say).empty())
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
        if (!scene.show.empty() && !scene.asks()) block.runs.push_back(run("", scene.show));
        for (const std::string& setting : scene.set)
            block.runs.push_back(run("", "set:" + setting));
        lesson.blocks.push_back(std::move(block));
    }
    return lesson;
}

}  // namespace lanewise
