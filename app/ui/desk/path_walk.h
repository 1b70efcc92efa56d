// The learner on the path (course/path.h): what comes next, what is done, how much of the core is
// left; and "I know this", which one question settles.
#pragma once
#include <optional>
#include <string>

#include "course/path.h"

namespace lanewise::ui {

struct App;

// A claim: the learner says that a lesson, or a whole section, is known. The next answer to the
// prediction of `stage` settles it.
struct PathClaim {
    std::string stage;    // whose question settles it; empty: nothing is claimed
    std::string section;  // the title of the section that is claimed; empty: the lesson alone
};

struct PathWalk {
    Path path;
    PathClaim claim;
    std::string refused;   // the stage whose claim was answered wrongly, as long as it is chosen
    std::string leads_to;  // where "Next" leads from there: its section's first open lesson
    bool further_open = false;  // whether the list shows the further lessons
};

// Reads lessons/path.toml of the content. A fault becomes a notice, and all lessons are further.
void read_path(App& app);
const Path& path_of(const App& app);

// Known by its question, without its task.
bool is_tested_out(const App& app, const std::string& stage);
// Its task is solved, or it is known by its question. A lesson without a task is done once its
// question is answered, and one without either once it was seen.
bool is_lesson_done(const App& app, const std::string& stage);

// The lesson after the chosen one, by next_on_path(). Its index in the catalogue.
std::optional<size_t> next_lesson(const App& app);
// Where the path begins: its first lesson that is not done, and if all are its first.
size_t first_open_lesson(const App& app);
// "About 40 minutes of the core left", from the path's minutes; "The core is done." at the end;
// empty where there is no core.
std::string_view core_left(const App& app);  // until it is asked for again

// "Recorded on NVIDIA H200: 43 % of copy speed before, 88 % now.": the chosen lesson against the core
// lesson of its operation before it, both as the course has them, from the first recording that has
// both with this lesson's first type. Empty where none has.
std::string recorded_gain(const App& app);

// Why "I know this" cannot be pressed; empty where it can: the stage's question is open, or due
// again.
std::string cannot_claim(const App& app, const std::string& stage);
// The stage whose question settles a section: its last that has one; empty where none has.
const std::string& asked_of(const App& app, const PathSection& section);
// Opens the question that settles it. section: its title, or empty for the lesson alone.
void claim(App& app, const std::string& stage, const std::string& section = {});
bool is_claimed(const App& app, const std::string& stage);
// A Follower's: right settles the claim, wrong leads into the lesson.
void settle_claim(App& app, const std::string& stage, bool right);

}  // namespace lanewise::ui
