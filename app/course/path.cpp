// The path's file, and the ways along it.
#include "course/path.h"

#include <algorithm>
#include <map>

#include "base/error.h"
#include "base/files.h"
#include "base/text.h"
#include "course/catalogue.h"
#include "course/toml_head.h"

namespace lanewise {
namespace fs = std::filesystem;

namespace {

constexpr int64_t kMostMinutes = 240;

int minutes_of(const TomlTable& row) {
    const std::optional<int64_t> said = row.integer("minutes");
    if (!said || *said < 1 || *said > kMostMinutes)
        row.fail("minutes", "a lesson takes 1 to " + std::to_string(kMostMinutes) +
                                " minutes; write minutes = 30");
    return static_cast<int>(*said);
}

// The ids that a row of `lessons` stands for.
std::vector<std::string> named_by(const TomlTable& row, const std::vector<Stage>& stages) {
    row.only({"stage", "all", "minutes"});
    if (row.has("stage") == row.has("all"))
        row.fail("stage",
                 "a lesson is named by its stage, or several by all; write stage = "
                 "\"transpose/00_copy\" or all = \"zero/*\"");
    std::vector<std::string> ids;
    if (row.has("stage")) {
        const std::string id = row.text("stage");
        if (stage_called(stages, id)) return {id};
        for (const Stage& stage : stages) ids.push_back(stage.id);
        const std::string near = closest(id, ids);
        row.fail("stage", "there is no stage \"" + id + "\"" +
                              (near.empty() ? "; `lanewise-engine stages` lists what there is"
                                            : "; did you mean \"" + near + "\"?"));
    }
    const std::string pattern = row.text("all");
    if (pattern.size() < 3 || !pattern.ends_with("/*") || pattern.find('*') != pattern.size() - 1)
        row.fail("all", "\"" + pattern + "\" is no course; write it as \"zero/*\"");
    const std::string folder = pattern.substr(0, pattern.size() - 1);
    for (const Stage& stage : stages)
        if (stage.id.starts_with(folder)) ids.push_back(stage.id);
    return ids;
}

PathSection section_of(const TomlTable& table, const std::vector<Stage>& stages,
                       std::map<std::string, std::string>& named) {
    table.only({"title", "lessons"});
    table.need("title", "title = \"Whole sectors\"");
    PathSection section{table.text("title"), {}};
    std::vector<TomlTable> rows = table.tables("lessons");
    if (rows.empty())
        table.fail("lessons",
                   "the section names no lesson; write lessons = [{ stage = "
                   "\"transpose/00_copy\", minutes = 25 }]");
    for (const TomlTable& row : rows) {
        const int minutes = minutes_of(row);
        for (const std::string& id : named_by(row, stages)) {
            auto [before, is_new] = named.emplace(id, section.title);
            if (!is_new)
                row.fail(row.has("stage") ? "stage" : "all",
                         id + " stands in the path already, in \"" + before->second +
                             "\"; name each lesson once");
            section.lessons.push_back({id, minutes});
        }
    }
    return section;
}

}  // namespace

fs::path path_file(const fs::path& content) { return content / "lessons" / "path.toml"; }

Path parse_path(const std::string& text, const std::string& file,
                const std::vector<Stage>& stages) {
    Path path;
    try {
        TomlTable head = TomlTable::parse(text, file, 1);
        head.only({"section"});
        std::map<std::string, std::string> named;
        for (const TomlTable& table : head.tables("section"))
            path.sections.push_back(section_of(table, stages, named));
        return path;
    } catch (const Error& error) {
        return {{}, error.what()};
    }
}

Path read_path(const fs::path& file, const std::vector<Stage>& stages) {
    try {
        return parse_path(read_file(file), file.filename().string(), stages);
    } catch (const Error& error) {
        return {{}, error.what()};
    }
}

const PathLesson* core_lesson(const Path& path, const std::string& stage) {
    for (const PathSection& section : path.sections)
        for (const PathLesson& lesson : section.lessons)
            if (lesson.stage == stage) return &lesson;
    return nullptr;
}

std::vector<size_t> in_path_order(const Path& path, const std::vector<Stage>& stages) {
    std::vector<size_t> order;
    for (const PathSection& section : path.sections)
        for (const PathLesson& lesson : section.lessons)
            if (const Stage* stage = stage_called(stages, lesson.stage);
                stage && stage->error.empty())
                order.push_back(static_cast<size_t>(stage - stages.data()));
    for (size_t i = 0; i < stages.size(); ++i)
        if (stages[i].error.empty() && !core_lesson(path, stages[i].id)) order.push_back(i);
    return order;
}

std::optional<size_t> next_on_path(const Path& path, const std::vector<Stage>& stages, size_t from,
                                   const AskStage& skipped, const AskStage& done) {
    const std::vector<size_t> order = in_path_order(path, stages);
    const bool in_core = from < stages.size() && core_lesson(path, stages[from].id);
    if (!in_core)
        for (size_t place : order)
            if (core_lesson(path, stages[place].id) && !skipped(stages[place].id) &&
                !done(stages[place].id))
                return place;
    auto here = std::find(order.begin(), order.end(), from);
    if (here == order.end()) return std::nullopt;
    auto next = std::find_if(here + 1, order.end(),
                             [&](size_t place) { return !skipped(stages[place].id); });
    return next == order.end() ? std::nullopt : std::optional(*next);
}

int minutes_left(const Path& path, const AskStage& done) {
    int minutes = 0;
    for (const PathSection& section : path.sections)
        for (const PathLesson& lesson : section.lessons)
            if (!done(lesson.stage)) minutes += lesson.minutes;
    return minutes;
}

std::string duration_text(int minutes) {
    if (minutes <= 0) return {};
    if (const int fives = (minutes + 2) / 5; fives < 18)
        return "about " + std::to_string(std::max(fives, 1) * 5) + " minutes";
    const int halves = (minutes + 15) / 30;
    return "about " + std::to_string(halves / 2) + (halves % 2 ? "½" : "") + " hours";
}

}  // namespace lanewise
