#include "ui/class/assignment_work.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/files.h"
#include "base/hash.h"
#include "base/text.h"
#include "ui/desk/tools.h"
#include "ui/plain/kept_file.h"
#include "ui/state/edits.h"

namespace lanewise::ui {

namespace fs = std::filesystem;
using Json = nlohmann::json;

namespace {

constexpr int kVersion = 1;
constexpr const char* kName = "lanewise_assignments";

AssignmentWork& work_of(const App& app) { return *app.tools->assignment; }

size_t place_of(const App& app, const AssignmentTask& task) {
    const std::vector<Stage>& stages = app.content.catalogue.stages();
    return static_cast<size_t>(
        std::find_if(stages.begin(), stages.end(),
                     [&](const Stage& stage) { return stage.id == task.stage.id; }) -
        stages.begin());
}

// What is in the editor of its stage, or would be.
const std::string& source_for(const App& app, const AssignmentTask& task) {
    auto edit = app.editing.texts.find(task.stage.id);
    return edit == app.editing.texts.end() ? task.stage.source : edit->second;
}

// ---- the lessons, as the assignment has them

void hold_to(App& app, const AssignmentTask& task) {
    const size_t place = place_of(app, task);
    Lesson& lesson = app.content.lessons[place];
    work_of(app).lessons.try_emplace(place, lesson);
    Gate* gate = &lesson.gate;
    for (WriteTask& write : lesson.write)
        if (write.size == task.write) gate = &write.gate;
    gate->expect = task.gate.expect;
    gate->cases = task.gate.cases;
    if (task.hints && gate->hints.size() > static_cast<size_t>(*task.hints))
        gate->hints.resize(static_cast<size_t>(*task.hints));
}

void give_lessons_back(App& app) {
    for (auto& [place, lesson] : work_of(app).lessons) app.content.lessons[place] = lesson;
    work_of(app).lessons.clear();
}

void show_again(App& app) {
    app.learner.gate = {};
    answer_lesson(app);
    ++app.revision;
}

// ---- what is kept

std::string text_to_keep(const AssignmentWork& work) {
    Json kept = Json::object();
    for (const auto& [id, each] : work.kept) {
        Json passed = Json::object();
        for (const auto& [task, source] : each.passed) passed[task] = hex(source);
        kept[id] = {{"text", each.text}, {"passed", passed}};
    }
    Json json = {{kName, kVersion}, {"open", work.now ? hex(hash(work.text)) : ""}, {"kept", kept}};
    return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

void keep(App& app) {
    AssignmentWork& work = work_of(app);
    if (work.now) work.kept[hex(hash(work.text))] = {work.text, work.passed};
    if (work.file.empty()) return;
    try {
        write_file(work.file, text_to_keep(work));
    } catch (const Error& error) {
        app.said.notices.push_back(error.what());
        work.file.clear();  // said once
    }
}

// Returns which is open; "": none.
std::string take_kept(const std::string& text, AssignmentWork& work) {
    Json json = Json::parse(text, nullptr, false);
    if (!json.is_object() || !json.contains(kName) || !json[kName].is_number_integer())
        throw Error(Status::bad_input, "What is kept of your assignments cannot be read.");
    if (json[kName].get<int64_t>() > kVersion)
        throw Error(Status::bad_input, "What is kept of your assignments needs a newer Lanewise.");
    try {
        for (const auto& [id, entry] : json.at("kept").items()) {
            AssignmentWork::Kept& each = work.kept[id];
            entry.at("text").get_to(each.text);
            for (const auto& [task, source] : entry.at("passed").items())
                each.passed[task] = std::stoull(source.get<std::string>(), nullptr, 16);
        }
        return json.at("open").get<std::string>();
    } catch (const std::exception&) {
        throw Error(Status::bad_input, "What is kept of your assignments cannot be read.");
    }
}

// ---- opening

void take_up(App& app, Assignment assignment, std::string text) {
    AssignmentWork& work = work_of(app);
    give_lessons_back(app);
    work.text = std::move(text);
    work.passed = work.kept[hex(hash(work.text))].passed;
    work.now = std::move(assignment);
    for (const AssignmentTask& task : work.now->tasks) hold_to(app, task);
}

void put_starts(App& app) {
    // Of two tasks of one stage the first says what its one source begins with.
    std::map<std::string, std::string> starts;
    for (const AssignmentTask& task : work_of(app).now->tasks)
        starts.try_emplace(task.stage.id, task.start);
    std::erase_if(starts, [&](const auto& start) {
        return start.second == app.content.catalogue.find(start.first).source;
    });
    take_versions(app, starts, "The assignment begins with");
}

void begin(App& app, Assignment assignment, std::string text) {
    settle_edit(app);
    AssignmentWork& work = work_of(app);
    const bool known = work.kept.contains(hex(hash(text)));
    take_up(app, std::move(assignment), std::move(text));
    if (!known) put_starts(app);
    show_again(app);
    keep(app);
    const AssignmentTask* first = first_open_task(app);
    work_on(app, first ? *first : work.now->tasks.front());
    open_assignment_page(app);
}

// What the learner begins a task in code with, or goes on with, is in the editor already.
void write_it(App& app, const AssignmentTask& task) {
    if (const WriteTask* now = writing_now(app); now && now->size == task.write) return;
    Writing writing{.size = task.write};
    writing.before = task.stage.source;
    app.learner.writing[task.stage.id] = std::move(writing);
    open_editor(app);
    answer_lesson(app);
}

std::optional<std::chrono::sys_seconds> time_of(const std::string& text) {
    if (text.size() < 16) return std::nullopt;
    int64_t number[5] = {};
    const size_t at[5][2] = {{0, 4}, {5, 2}, {8, 2}, {11, 2}, {14, 2}};
    for (int i = 0; i < 5; ++i)
        if (!parse_integer(text.substr(at[i][0], at[i][1]), number[i])) return std::nullopt;
    const std::chrono::year_month_day day{std::chrono::year(static_cast<int>(number[0])),
                                          std::chrono::month(static_cast<unsigned>(number[1])),
                                          std::chrono::day(static_cast<unsigned>(number[2]))};
    return std::chrono::sys_days(day) + std::chrono::hours(number[3]) +
           std::chrono::minutes(number[4]);
}

std::string so_many(int64_t count, const char* what) {
    return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

}  // namespace

void open_assignment(App& app, const fs::path& file) {
    // A teacher's own file has its cases with it; kept is what stands alone.
    Assignment assignment = read_assignment(file, app.content.catalogue);
    std::string text = handout(assignment);
    begin(app, std::move(assignment), std::move(text));
}

void open_assignment(App& app, const std::string& text, const std::string& name) {
    Assignment assignment = parse_assignment(text, name, app.content.catalogue);
    std::string alone = handout(assignment);
    begin(app, std::move(assignment), std::move(alone));
}

void put_away_assignment(App& app) {
    AssignmentWork& work = work_of(app);
    if (!work.now) return;
    keep(app);  // what passed
    give_lessons_back(app);
    for (const AssignmentTask& task : work.now->tasks)
        if (!task.write.empty()) app.learner.writing.erase(task.stage.id);
    work.now.reset();
    work.text.clear();
    work.passed.clear();
    keep(app);
    show_again(app);
}

void work_on(App& app, const AssignmentTask& task) {
    if (!is_learning(app)) choose_mode(app, kLearn);
    choose_stage(app, place_of(app, task));
    if (task.write.empty())
        app.learner.writing.erase(task.stage.id);
    else
        write_it(app, task);
}

const AssignmentTask* assigned_task(const App& app) {
    const AssignmentWork& work = work_of(app);
    if (!work.now || app.own) return nullptr;
    const WriteTask* write = writing_now(app);
    for (const AssignmentTask& task : work.now->tasks)
        if (task.stage.id == app.course_id() && task.write == (write ? write->size : ""))
            return &task;
    return nullptr;
}

TaskState state_of(const App& app, const AssignmentTask& task) {
    const auto passed = work_of(app).passed.find(task.name());
    if (passed == work_of(app).passed.end()) return TaskState::open;
    return passed->second == hash(source_for(app, task)) ? TaskState::passed : TaskState::changed;
}

const AssignmentTask* first_open_task(const App& app) {
    for (const AssignmentTask& task : work_of(app).now->tasks)
        if (state_of(app, task) != TaskState::passed) return &task;
    return nullptr;
}

std::string_view assignment_closes_fix(const App& app) {
    const AssignmentWork& work = work_of(app);
    if (!work.now || app.own) return {};
    for (const AssignmentTask& task : work.now->tasks)
        if (task.hints && task.stage.id == app.course_id() &&
            state_of(app, task) != TaskState::passed)
            return "Your assignment keeps it closed until the task passes.";
    return {};
}

void follow_assignment(App& app) {
    AssignmentWork& work = work_of(app);
    if (!work.now || work.seen == app.revision) return;
    work.seen = app.revision;
    const GateState& gate = app.learner.gate;
    if (!gate.judgement || !gate.judgement->passed()) return;
    for (const AssignmentTask& task : work.now->tasks) {
        if (task.stage.id != gate.stage || task.write != gate.write) continue;
        const uint64_t source = hash(gate.source);
        if (auto known = work.passed.find(task.name());
            known != work.passed.end() && known->second == source)
            return;
        work.passed[task.name()] = source;
        keep(app);
        ++app.revision;
        return;
    }
}

void read_assignments(App& app, const fs::path& file) {
    AssignmentWork& work = work_of(app);
    work.file = file;
    std::error_code ignored;
    if (!fs::exists(file, ignored)) return;
    try {
        const std::string open = take_kept(read_file(file), work);
        if (open.empty() || !work.kept.contains(open)) return;
        const std::string text = work.kept[open].text;
        take_up(app, parse_assignment(text, "your assignment", app.content.catalogue), text);
    } catch (const Error& error) {
        const fs::path aside = set_aside(file, "bad");
        work.kept.clear();
        app.said.notices.push_back(std::string(error.what()) + " It is kept as " + aside.string() +
                                   "; open the assignment again.");
    }
}

std::string due_in_words(const std::string& due, const std::string& now) {
    const auto end = time_of(due), begin = time_of(now);
    if (!end || !begin) return {};
    const std::string when = fmt::format("{} {} UTC", due.substr(0, 10), due.substr(11, 5));
    const bool over = *begin > *end;
    const auto between = over ? *begin - *end : *end - *begin;
    const int64_t hours = std::chrono::duration_cast<std::chrono::hours>(between).count();
    const std::string far = hours >= 48  ? so_many(hours / 24, "day")
                            : hours >= 1 ? so_many(hours, "hour")
                                         : "less than an hour";
    return over ? fmt::format("It was due {}, {} ago.", when, far)
                : fmt::format("Due {}, in {}.", when, far);
}

void open_assignment_page(App& app) { work_of(app).page_open = work_of(app).focus_wanted = true; }

void close_assignment_page(App& app) {
    work_of(app).page_open = false;
    app.keyboard.focus_wanted = true;
}

}  // namespace lanewise::ui
