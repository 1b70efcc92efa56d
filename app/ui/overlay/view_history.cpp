// The history of runs: what was run when and how fast, with the user's notes; each can be shown
// again, pinned as the baseline, or forgotten.
#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "ui/desk/overlays.h"
#include "ui/desk/tools.h"
#include "ui/kit/widgets.h"

namespace lanewise::ui {
namespace {

// "1,416 GB/s · 94.8 µs on NVIDIA H200", "counted only: 2 findings".
std::string outcome_of(const Snapshot& run) {
    uint64_t findings = 0;
    for (const auto& [kind, count] : run.findings) findings += count;
    std::string words;
    if (run.gb_per_s > 0)
        words = with_thousands(static_cast<uint64_t>(run.gb_per_s + 0.5)) + " GB/s · ";
    if (run.time_us > 0)
        words += fmt::format("{:.4g} µs {} {}", run.time_us, run.recorded ? "recorded on" : "on",
                             run.card);
    else
        words = run.counted ? "counted, not timed" : "neither counted nor timed";
    if (findings > 0) words += " · " + with_thousands(findings) + " findings";
    return words;
}

// "2026-11-21 18:40" of "2026-11-21T18:40:00Z".
std::string minute_of(const std::string& when) {
    std::string minute = when.substr(0, std::min<size_t>(when.size(), 16));
    std::replace(minute.begin(), minute.end(), 'T', ' ');
    return minute + " UTC";
}

enum class Wish { none, show, pin, forget, note };

Wish draw_run(Snapshot& run, size_t index, bool pinned) {
    Wish wish = Wish::none;
    std::string id = fmt::format("run:{}", index);
    begin_card(id.c_str(), pinned ? Ink::accent : Ink::border);
    line(run.title, kStrong);
    gap(2);
    line(outcome_of(run), kBody);
    line(minute_of(run.when) + (pinned ? " · the baseline" : ""), kDim);
    gap(6);
    line("Note", kDim);
    gap(2);
    if (text_field(id + ":note", run.note, 0)) wish = Wish::note;
    gap(8);
    if (button(id + ":show", "Show", {.tooltip = "All that was chosen then"})) wish = Wish::show;
    same_line();
    if (button(id + ":pin", pinned ? "Unpin" : "Pin as baseline",
               {.tooltip = "Compare what is shown with this run"}))
        wish = Wish::pin;
    same_line();
    if (button(id + ":forget", "Forget")) wish = Wish::forget;
    end_card();
    gap(8);
    return wish;
}

void fulfil(App& app, Wish wish, size_t index) {
    History& history = app.tools->history;
    if (wish == Wish::none) return;  // there may be no run at all
    const Snapshot run = history.runs[index];
    switch (wish) {
        case Wish::none:
            return;
        case Wish::show:
            history.page_open = false;
            return show_run(app, run);
        case Wish::pin:
            if (history.baseline == run)
                history.baseline.reset();
            else
                history.baseline = run;
            break;
        case Wish::forget:
            history.runs.erase(history.runs.begin() + static_cast<std::ptrdiff_t>(index));
            break;
        case Wish::note:
            break;
    }
    history_changed(app);
}

}  // namespace

void draw_history(App& app) {
    History& history = app.tools->history;
    const ImVec2 screen = ImGui::GetIO().DisplaySize;
    float width = std::min(px(640), screen.x - px(24));
    float height = std::min(px(640), screen.y - px(24));
    begin_overlay("History", width, height, history.focus_wanted);
    history.focus_wanted = false;
    line("Runs so far", kTitle);
    gap(8);
    ImGui::BeginChild("runs", ImVec2(0, ImGui::GetContentRegionAvail().y - px(40)), false,
                      ImGuiWindowFlags_NavFlattened);
    if (history.runs.empty())
        paragraph(
            "None yet. Every run on the GPU is kept here by itself; without one, \"Keep this "
            "setting\" keeps what the machine counts.",
            kDim);
    Wish wish = Wish::none;
    size_t of = 0;
    for (size_t i = history.runs.size(); i-- > 0;) {
        Wish now = draw_run(history.runs[i], i, history.baseline == history.runs[i]);
        if (now == Wish::none) continue;
        wish = now;
        of = i;
    }
    ImGui::EndChild();
    gap(8);
    if (button("history:keep", "Keep this setting",
               {.kind = ButtonKind::primary, .tooltip = "As it is counted and timed now"}))
        keep_run(app);
    same_line(10);
    if (button("history:close", "Close", {.tooltip = "Escape"})) {
        history.page_open = false;
        app.keyboard.focus_wanted = true;
    }
    ImGui::End();
    fulfil(app, wish, of);
}

}  // namespace lanewise::ui
