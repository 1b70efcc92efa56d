// The badges below the result: each a verdict that opens its proof. Computed when a result arrives
// (app_verdicts.cpp).
#include "ui/desk/tools.h"
#include "ui/imgui/imgui_compat.h"
#include "ui/kit/widgets.h"
#include "ui/part/verdicts.h"
#include "ui/plain/frame_text.h"
#include "ui/state/views.h"

namespace lanewise::ui {
namespace {

constexpr Ink kInks[] = {Ink::good, Ink::warn, Ink::text_dim};  // by Verdict::Kind

constexpr const char* kOfABlock =
    "Too long to interpret whole: the counts are those of the chosen block.";

// By value: a click on a line may change the verdicts.
void draw_proof(App& app, Verdict verdict) {
    gap(8);
    begin_card("proof", kInks[static_cast<int>(verdict.kind)]);
    draw_words(app, verdict.why);
    if (mismatch_shown(app) || gpu_mismatch_shown(app)) draw_mismatch(app);
    for (size_t i = 0; i < verdict.proof.size(); ++i) {
        const Verdict::Row& row = verdict.proof[i];
        gap(4);
        if (row.line == 0) {
            paragraph(row.text, kDim);
        } else if (button(frame_text("proof:{}", i), row.text,
                          {.kind = ButtonKind::row, .tooltip = "Go to the line"})) {
            choose_line(app, row.line);
            choose_view(app, "code");
        }
    }
    end_card();
}

// Why it is so, and what its word means.
std::string_view hint_of(const App& app, const Verdict& verdict) {
    const Term* term = app.tools->words.glossary.find(verdict.word);
    return term ? joined(verdict.why, "\n\n", term->text) : std::string_view(verdict.why);
}

// A map is higher than what is left of a low window below the badges.
void open_proof(App& app, int proof) {
    app.open.proof = proof;
    if (mismatch_shown(app) || gpu_mismatch_shown(app)) bring_mismatch_into_view(app);
}

void scroll_to_badges(App& app) {
    int& frames = app.tools->mismatch.scroll;
    if (frames == 0) return;
    --frames;
    ImGui::SetScrollHereY(0);
}

}  // namespace

void draw_badges(App& app) {
    scroll_to_badges(app);
    const std::vector<Verdict>& all = app.derived.verdicts;
    bool first = true;
    for (size_t i = 0; i < all.size(); ++i) {
        if (!first) flow(joined(all[i].word, "XX"));
        first = false;
        bool open = app.open.proof == static_cast<int>(i);
        if (badge_button(joined("badge:", all[i].word), all[i].word,
                         kInks[static_cast<int>(all[i].kind)], hint_of(app, all[i]), open))
            open_proof(app, open ? -1 : static_cast<int>(i));
    }
    if (app.open.proof >= 0 && app.open.proof < static_cast<int>(all.size()))
        draw_proof(app, all[static_cast<size_t>(app.open.proof)]);
    if (app.arrived.analysis) return;
    if (!first) gap(6);
    if (app.arrived.sampled) return paragraph(kOfABlock, kDim);
    line(app.activity.busy() ? "Counting the whole launch …" : "Not counted.", kDim);
}

}  // namespace lanewise::ui
