// What the coach says of the path: "I know this", what has just been shown, what is left of the core.
#include "ui/learn/path_lines.h"

#include "base/text.h"
#include "ui/desk/path_walk.h"
#include "ui/desk/tools.h"
#include "ui/kit/widgets.h"
#include "ui/plain/frame_text.h"

namespace lanewise::ui {
namespace {

// "You can now say why …" of "After this you can say why …".
std::string can_now(const std::string& aim) {
    constexpr std::string_view kAfter = "After this you can ";
    if (!aim.starts_with(kAfter)) return aim;
    return "You can now " + aim.substr(kAfter.size());
}

}  // namespace

std::string what_was_shown(const Lesson& lesson) {
    std::string said;
    if (!lesson.gate.catches.empty())
        said = "You did not fall for: “" + lesson.gate.catches + "”\n";
    return said + can_now(lesson.aim);
}

void draw_know_this(App& app) {
    const std::string& stage = app.course_id();
    if (is_claimed(app, stage)) {
        const bool whole = !app.tools->walk.claim.section.empty();
        paragraph(joined(whole ? "Right, and the whole section counts as known: "
                               : "Right, and the lesson counts as known",
                         whole ? app.tools->walk.claim.section : "",
                         ". Wrong, and the lesson leads you through."),
                  kDim);
        gap(6);
        if (button("path:unclaim", "I would rather take the lesson")) app.tools->walk.claim = {};
        return gap(6);
    }
    if (!cannot_claim(app, stage).empty()) return;
    if (button("path:claim", "I know this",
               {.tooltip = "Answer the question right at the first try, and the lesson is passed "
                           "over."}))
        claim(app, stage);
    gap(6);
}

void draw_claim_settled(App& app) {
    const std::string& stage = app.course_id();
    if (is_tested_out(app, stage)) {
        badge("Known", Ink::good, "Its question was answered right. Its task is still here.");
        gap(6);
    } else if (app.tools->walk.refused == stage) {
        paragraph("Not quite yet: this lesson shows why.", kBody);
        gap(6);
    }
}

void draw_what_was_shown(App& app) {
    if (!app.derived.gate_passed.value_or(false)) return;
    line("WHAT YOU HAVE JUST SHOWN", kCaption);
    gap(4);
    const std::string said = what_was_shown(app.lesson());
    for (std::string_view each : lines_of(said)) {
        paragraph(each, kBody);
        gap(4);
    }
    const std::string gain = recorded_gain(app);
    if (!gain.empty()) paragraph(gain, kDim);
    gap(8);
}

void draw_core_left(const App& app) {
    if (std::string_view left = core_left(app); !left.empty()) line(left, kDim);
}

}  // namespace lanewise::ui
