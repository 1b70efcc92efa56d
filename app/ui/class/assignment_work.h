// The assignment that a class was handed (course/assignment.h), as the learner works on it: its tasks
// are judged as it says, its hints are as many as it allows, and the page lists what passes.
#pragma once
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "course/assignment.h"

namespace lanewise::ui {

struct App;

struct AssignmentWork {
    std::optional<Assignment> now;  // none: none is open
    std::string text;               // its handout's
    // By AssignmentTask::name(): hash() of the source that passed last.
    std::map<std::string, uint64_t> passed;
    std::map<size_t, Lesson> lessons;  // those that it changed, as they are without it; by stage
    // Every one that was opened here, by hash() of its text: its text, and what passed.
    struct Kept {
        std::string text;
        std::map<std::string, uint64_t> passed;
    };
    std::map<std::string, Kept> kept;
    std::filesystem::path file;  // assignment.json, where all that is kept; empty: in memory
    bool page_open = false, focus_wanted = false;
    uint64_t seen = ~uint64_t{0};  // App's revision when it was last looked at
};

// Opens it: the learner's own versions of its stages that are not of this assignment are set aside as
// files, and the class's starts take their place; its first task that does not pass is chosen.
// Opened again, it goes on where it was. Throws Error(bad_input) and changes nothing where it cannot
// be read.
void open_assignment(App& app, const std::filesystem::path& file);
void open_assignment(App& app, const std::string& text, const std::string& name);
// The lessons are as they were. The learner's versions stay.
void put_away_assignment(App& app);

// Chooses the task's stage, in Learn, and what of its lesson it is.
void work_on(App& app, const AssignmentTask& task);
// Which task is before the learner; null: none.
const AssignmentTask* assigned_task(const App& app);

enum class TaskState : uint8_t { open, changed, passed };  // changed: another source passed before
TaskState state_of(const App& app, const AssignmentTask& task);
const AssignmentTask* first_open_task(const App& app);  // null: every task passes
// Why what tells the fix of the chosen stage is closed: its assignment limits hints, and does not
// pass yet; "" where it does not keep it closed.
std::string_view assignment_closes_fix(const App& app);

// Once for each picture: notes what has passed since the last.
void follow_assignment(App& app);

// Where it is kept between two windows. A file that cannot be read is set aside, and that is said.
void read_assignments(App& app, const std::filesystem::path& file);

std::string due_in_words(const std::string& due,
                         const std::string& now);  // both "2026-12-01T23:59:00Z"

void open_assignment_page(App& app);
void close_assignment_page(App& app);
void draw_assignment_page(App& app);  // view_assignment.cpp
// "Week 2: task 1 of 3", which opens the page; nothing where the chosen stage is no task.
void draw_assignment_line(App& app);

}  // namespace lanewise::ui
