#include "ui/desk/ending.h"

#include <algorithm>

#include "base/text.h"
#include "lab/chart/charts.h"
#include "ui/desk/tools.h"

namespace lanewise::ui {

void read_endings(App& app) {
    EndingPage& page = app.tools->ending;
    page = {};
    page.endings = lanewise::read_endings(app.content.catalogue);
    if (!page.endings.error.empty())
        app.said.notices.push_back("What stands at the end of a course cannot be read: " +
                                   page.endings.error);
}

std::string course_at_hand(const App& app) {
    return ladder_of(app.content.catalogue.stages()[app.chosen().stage]);
}

std::vector<size_t> open_of_course(const App& app, const std::string& course) {
    const std::vector<Stage>& stages = app.content.catalogue.stages();
    std::vector<size_t> open = core_of_course(path_of(app), stages, course);
    std::erase_if(open, [&](size_t place) { return is_lesson_done(app, stages[place].id); });
    return open;
}

std::string cannot_end(const App& app, const std::string& course) {
    if (!app.tools->ending.endings.of(course)) return "This course has no such page.";
    const size_t open = open_of_course(app, course).size();
    if (open == 0) return {};
    return counted(open, "lesson") + (open == 1 ? " of its core is" : " of its core are") +
           " still open.";
}

bool ends_course(const App& app) {
    if (app.own || app.content.catalogue.stages().empty()) return false;
    const std::vector<Stage>& stages = app.content.catalogue.stages();
    const std::string& course = stages[app.chosen().stage].operation;
    const EndingPage& page = app.tools->ending;
    if (std::find(page.seen.begin(), page.seen.end(), course) != page.seen.end()) return false;
    const std::vector<size_t> core = core_of_course(path_of(app), stages, course);
    return !core.empty() && core.back() == app.chosen().stage && cannot_end(app, course).empty();
}

void open_ending(App& app, const std::string& course) {
    if (!cannot_end(app, course).empty()) return;
    EndingPage& page = app.tools->ending;
    const std::vector<Stage>& stages = app.content.catalogue.stages();
    page.ending = page.endings.of(course);
    page.gains = course_gains(path_of(app), stages, app.content.recordings, course);
    page.sentences = gain_sentences(page.gains);
    page.evidence.clear();
    for (const NotWorth& row : page.ending->not_worth)
        page.evidence.push_back(not_worth_sentence(row, stages, app.content.recordings));
    page.figure_width = 0;
    page.open = page.focus_wanted = true;
    if (std::find(page.seen.begin(), page.seen.end(), course) == page.seen.end())
        page.seen.push_back(course);
}

void close_ending(App& app) {
    app.tools->ending.open = false;
    app.keyboard.focus_wanted = true;
}

const Stage* still_asks(const App& app, const NotWorth& row) {
    for (const std::string& id : {row.tried.stage, row.than.stage}) {
        auto progress = app.saved.progress.find(id);
        const bool answered =
            progress != app.saved.progress.end() && !progress->second.guess.empty();
        if (!answered && !is_lesson_done(app, id))
            return stage_called(app.content.catalogue.stages(), id);
    }
    return nullptr;
}

}  // namespace lanewise::ui
