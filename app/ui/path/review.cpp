#include "ui/desk/review.h"

#include <algorithm>
#include <chrono>
#include <iterator>
#include <tuple>

#include "base/error.h"
#include "base/files.h"
#include "ui/desk/tools.h"
#include "ui/part/verdicts.h"
#include "ui/plain/kept_file.h"

namespace lanewise::ui {

int64_t today() {
    using namespace std::chrono;
    return duration_cast<hours>(system_clock::now().time_since_epoch()).count() / 24;
}

int64_t pause_days(int box) {
    static constexpr int64_t kPauses[] = {1, 3, 7, 21, 60, 180};
    static_assert(std::size(kPauses) == kLastBox + 1);
    return kPauses[std::clamp(box, 0, kLastBox)];
}

void note_answer(Reviewed& stage, bool right, int64_t day) {
    stage.right = right;
    stage.box = right ? std::min(stage.box + 1, kLastBox) : 0;
    stage.day = day;
    stage.open = false;
}

std::vector<Due> due_for_review(const ReviewBook& book, int64_t day) {
    std::vector<Due> due;
    for (const auto& [stage, each] : book.stages)
        if (each.day > 0 && !each.open && day - each.day >= pause_days(each.box))
            due.push_back({stage, each.right, day - each.day});
    std::stable_sort(due.begin(), due.end(), [](const Due& a, const Due& b) {
        return std::tuple(a.right, -a.days_ago) < std::tuple(b.right, -b.days_ago);
    });
    return due;
}

// ---- the app's

void note_answer(App& app, const std::string& stage, bool right) {
    note_answer(app.tools->review.stages[stage], right, today());
    review_changed(app);
}

void note_badges(App& app) {
    if (app.own || app.edited || !app.arrived.analysis) return;
    if (app.tools->presenter.on) return;  // the class has seen it, and not the learner
    std::vector<std::string>& kept = app.tools->review.stages[app.course_id()].badges;
    size_t before = kept.size();
    for (const Verdict& verdict : verdicts(*app.arrived.analysis))
        if (verdict.kind == Verdict::Kind::good &&
            std::find(kept.begin(), kept.end(), verdict.word) == kept.end())
            kept.push_back(verdict.word);
    if (kept.size() != before) review_changed(app);
}

void ask_again(App& app, const std::string& stage) {
    WindowState::Progress& progress = app.saved.progress[stage];
    progress.guess.clear();
    progress.confidence = 0;
    progress.known = progress.right = false;
    progress.second = !progress.second;  // in its other form, where the lesson has one
    app.arrived.prediction_answer.erase(stage);
    app.tools->review.stages[stage].open = true;
    review_changed(app);
}

void read_review(App& app, const std::filesystem::path& file) {
    ReviewBook& book = app.tools->review;
    std::error_code ignored;
    if (!std::filesystem::exists(file, ignored)) {
        for (const auto& [stage, progress] : app.saved.progress)
            if (progress.known) note_answer(book.stages[stage], progress.right, today());
        book.welcomed = !app.saved.progress.empty();  // has been here before
        book.file = file;
        return;
    }
    try {
        book = parse_review(read_file(file));
    } catch (const Error& error) {
        app.said.notices.push_back(std::string(error.what()) + " It is kept as " +
                                   set_aside(file, "bad").string() +
                                   ", and the review starts afresh.");
        book.welcomed = true;
    }
    book.file = file;
}

void review_changed(App& app) {
    ReviewBook& book = app.tools->review;
    if (book.file.empty()) return;
    try {
        write_file(book.file, review_text(book));
    } catch (const Error& error) {
        book.file.clear();  // said once; it stays in memory
        app.said.notices.push_back(std::string("What is due for review cannot be saved: ") +
                                   error.what());
    }
}

}  // namespace lanewise::ui
