// The swizzle forge: type where an element of the tile lies, and see the banks, the wavefronts and
// whether the transpose is still right.
#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "figure/access/forge_figure.h"
#include "ui/desk/forge.h"
#include "ui/desk/tools.h"
#include "ui/imgui/imgui_compat.h"
#include "ui/kit/draw_figure.h"
#include "ui/kit/widgets.h"
#include "ui/launch/charts.h"
#include "ui/launch/follow.h"
#include "ui/state/laid_out.h"
#include "ui/state/views.h"

namespace lanewise::ui {
namespace {

// "1 wavefront", "4 of ideally 1": of one access, where all cost the same.
std::string each_costs(const SharedCounts& counts) {
    uint64_t n = std::max<uint64_t>(1, counts.instructions);
    if (counts.wavefronts % n == 0) return counted(counts.wavefronts / n, "wavefront");
    return fmt::format("{:.1f} wavefronts", double(counts.wavefronts) / double(n));
}

bool is_ideal(const SharedCounts& counts) { return counts.wavefronts == counts.wavefronts_ideal; }

void offer_a_stage(App& app) {
    paragraph(without_forge(app));
    constexpr const char* kGood = "transpose/22_coarsened";
    for (size_t i = 0; i < app.content.catalogue.stages().size(); ++i) {
        const Stage& stage = app.content.catalogue.stages()[i];
        if (stage.id != kGood || !stage.error.empty()) continue;
        gap(12);
        if (button("to tile", "Forge the tile of “" + stage.title + "”")) choose_stage(app, i);
    }
}

// ---- what is typed

void mono_word(const std::string& text) {
    ImVec2 at = ImGui::GetCursorScreenPos();
    float width = extent_of(text, kMono).x, height = px(26);
    draw_text(ImVec2(at.x, at.y + (height - extent_of("X", kMono).y) / 2), text, kMono,
              {at.x, at.y, at.x + width + 1, at.y + height});
    ImGui::Dummy(ImVec2(width, height));
}

// The compiler's words with a caret under the column that they are about.
void draw_problem(const SwizzleResult& result, float text_x) {
    if (result.problem_column > 0 && result.trial.expression.size() < kLongestSwizzle) {
        auto before = static_cast<size_t>(result.problem_column - 1);
        std::string prefix =
            result.trial.expression.substr(0, std::min(before, result.trial.expression.size()));
        TextStyle style{12, Ink::bad, Font::mono};
        ImVec2 at = ImGui::GetCursorScreenPos();
        float x = text_x + extent_of(prefix, style).x;
        float y = at.y - px(4);
        draw_text(ImVec2(x, y), "^", style, {x, y, x + px(12), y + line_height(style)});
        gap(10);
    }
    paragraph(result.problem, {12, Ink::bad, Font::text});
}

void draw_expression(App& app, Forge& forge) {
    std::string array = app.stage().tile.array;
    mono_word(array + "[row][");
    same_line(4);
    if (forge.focus_wanted) focus_text_box("##swizzle");
    forge.focus_wanted = false;
    std::string text = forge.trial.expression;
    float text_x = ImGui::GetCursorScreenPos().x + ImGui::GetStyle().FramePadding.x;
    std::string close = forge.trial.pad ? fmt::format("]   + {} a row", forge.trial.pad) : "]";
    float room = available() / look().pixels_per_point() -
                 extent_of(close, kMono).x / look().pixels_per_point() - 6;
    if (text_field("swizzle", text, std::clamp(room, 60.f, 420.f))) type_swizzle(app, text);
    same_line(4);
    mono_word(close);
    bool fresh = forge.result && forge.result->trial == forge.trial;
    if (fresh && !forge.result->problem.empty()) draw_problem(*forge.result, text_x);
    if (!forge.failure.empty()) paragraph(forge.failure, {12, Ink::bad, Font::text});
}

void draw_presets(App& app, const Forge& forge) {
    gap(4);
    bool first = true;
    for (const SwizzlePreset& preset : swizzle_presets()) {
        if (!first) flow(preset.label);
        first = false;
        if (button(preset.id, preset.label,
                   {.kind = ButtonKind::choice,
                    .selected = forge.trial == preset.trial,
                    .tooltip = preset.hint}))
            choose_swizzle(app, preset.trial);
    }
    gap(8);
}

// ---- what came of it

// A badge, beside the last one where there is room.
void score(bool& first, const std::string& word, Ink ink, const std::string& why) {
    float width = extent_of(word, {12, Ink::text, Font::text}).x + px(36);
    if (!first) {
        same_line(6);
        if (available() < width) {
            ImGui::NewLine();
            gap(4);
        }
    }
    first = false;
    badge(word, ink, why);
}

void score_side(bool& first, const char* name, const SharedCounts& counts) {
    score(first, fmt::format("{}: {}", name, each_costs(counts)),
          is_ideal(counts) ? Ink::good : Ink::bad,
          fmt::format("{} by {} in block: {} in all, {} at best", name,
                      with_thousands(counts.instructions) + " warp accesses",
                      counted(counts.wavefronts, "wavefront"),
                      with_thousands(counts.wavefronts_ideal)));
}

void draw_score(const SwizzleResult& result) {
    bool first = true;
    score_side(first, "store", result.store);
    score_side(first, "load", result.load);
    int64_t bytes = result.extra_bytes();
    score(first, counted(static_cast<uint64_t>(bytes), "byte") + " more",
          bytes == 0 ? Ink::good : Ink::warn, "Shared memory of a block beyond its elements");
    ColumnFault fault = first_fault(result.map);
    bool permuted = fault.kind == ColumnFault::Kind::none;
    score(first, permuted ? "each element has its place" : "elements collide",
          permuted ? Ink::good : Ink::bad,
          permuted ? "Every row of the tile is put in another order, and nothing else."
                   : in_words(fault, result.map));
    std::string of = fmt::format("{} × {}", result.verified_rows, result.verified_cols);
    score(first, result.correct ? "transpose right" : "transpose wrong",
          result.correct ? Ink::good : Ink::bad,
          result.correct
              ? fmt::format("Every element of a matrix of {} compared, in the machine", of)
              : fmt::format("{} elements of a matrix of {} differ", with_thousands(result.wrong),
                            of));
    gap(6);
    if (!permuted) paragraph(in_words(fault, result.map), {12, Ink::bad, Font::text});
    if (!result.findings.empty())
        paragraph("The machine: " + result.findings, {12, Ink::bad, Font::text});
}

void draw_goal(const App& app, const SwizzleResult& result) {
    if (result.reaches_goal()) {
        begin_card("won", Ink::good);
        line("✓  Forged", kStrong);
        paragraph(
            fmt::format("Store and load take as few wavefronts as can be, the transpose is right, "
                        "and {} takes not a byte more than its elements. Padding would have taken "
                        "{} bytes.",
                        app.stage().tile.array, result.map.rows * result.element_bytes),
            kBody);
        end_card();
    } else {
        paragraph("Goal: the fewest wavefronts on both sides, no byte more, the transpose right.",
                  kDim);
    }
    gap(8);
}

void draw_sides(App& app, const Forge& forge) {
    if (button("forge:load", "Load",
               {.kind = ButtonKind::choice,
                .selected = !forge.shows_store,
                .tooltip = "What the warp reads from the tile  (Space)"}))
        choose_forge_side(app, false);
    same_line(4);
    if (button("forge:store", "Store",
               {.kind = ButtonKind::choice,
                .selected = forge.shows_store,
                .tooltip = "What the warp writes to the tile  (Space)"}))
        choose_forge_side(app, true);
    auto count = static_cast<int>(forge_accesses(app).size());
    int at = std::clamp(forge.access, 0, std::max(0, count - 1));
    same_line(12);
    if (button("forge:access-", "‹", {.enabled = at > 0, .tooltip = "The access before  (←)"}))
        step_forge_access(app, -1);
    same_line(4);
    mono_word(fmt::format("{} of {}", std::min(at + 1, count), count));
    same_line(4);
    if (button("forge:access+", "›",
               {.enabled = at + 1 < count, .tooltip = "The next access  (→)"}))
        step_forge_access(app, 1);
    same_line(12);
    if (available() < px(150)) ImGui::NewLine();
    auto warps = app.arrived.picture ? app.arrived.picture->block.warps : app.chosen().warp + 1;
    if (button("warp-", "‹", {.enabled = app.chosen().warp > 0, .tooltip = "The warp before  ([)"}))
        choose_warp(app, static_cast<int>(app.chosen().warp) - 1);
    same_line(4);
    mono_word(fmt::format("warp {}", app.chosen().warp));
    same_line(4);
    if (button("warp+", "›",
               {.enabled = app.chosen().warp + 1 < warps, .tooltip = "The next warp  (])"}))
        choose_warp(app, static_cast<int>(app.chosen().warp) + 1);
    same_line(12);
    if (available() < px(90)) {
        ImGui::NewLine();
        gap(4);
    }
    draw_save_button(app, PictureOf::view, "forge:save");
    draw_save_panel(app, PictureOf::view);
    gap(8);
}

void draw_picture_of(App& app, Forge& forge) {
    const SwizzleResult& result = *forge.result;
    uint64_t revision = app.revision + forge.moves;  // both only grow
    auto make = [&](float width) {
        ForgeFigureInput input{&result.map,       forge_access(app),       result.element_bytes,
                               app.chosen().lane, result.trial.expression, width};
        return forge_figure(input, window_measure());
    };
    const Drawing& drawing =
        laid_out_at(forge.figure, revision, available() / look().pixels_per_point(), 0, make);
    follow_figure(app, draw_figure("forge", drawing));
}

void draw_tried_row(App& app, const Forge& forge, const ForgeEntry& entry, size_t index) {
    std::string name = entry.trial.expression;
    if (entry.trial.pad) name += fmt::format("   + {} a row", entry.trial.pad);
    std::string cost =
        fmt::format("store {}, load {}", each_costs(entry.store), each_costs(entry.load));
    std::string mark = !entry.right ? "×" : entry.reached ? "✓" : " ";
    float width = available() / look().pixels_per_point();
    if (button(fmt::format("tried:{}", index), fmt::format("{}  {}   {}", mark, name, cost),
               {.kind = ButtonKind::row,
                .selected = forge.trial == entry.trial,
                .width = width,
                .tooltip = !entry.right    ? "The transpose was wrong"
                           : entry.reached ? "The goal was reached"
                                           : "Right, and the goal was not reached"}))
        choose_swizzle(app, SwizzleTrial(entry.trial));
}

void draw_tried(App& app, const Forge& forge) {
    if (forge.tried.empty()) return;
    section("TRIED HERE");
    for (size_t i = forge.tried.size(); i-- > 0;) draw_tried_row(app, forge, forge.tried[i], i);
}

}  // namespace

void draw_forge(App& app) {
    if (!without_forge(app).empty()) return offer_a_stage(app);
    Forge& forge = app.tools->forge;
    paragraph("Where does element (row, col) of the tile lie? Type its column in the row.", kBody);
    gap(4);
    draw_expression(app, forge);
    draw_presets(app, forge);
    bool arrived = forge.result && forge.result->stage == app.stage().id;
    if (!arrived || !forge.result->problem.empty()) {
        if (!arrived && forge.failure.empty())
            line("Compiling the stage's kernel with this column …", kDim);
        return draw_tried(app, forge);
    }
    draw_score(*forge.result);
    draw_goal(app, *forge.result);
    draw_sides(app, forge);
    draw_picture_of(app, forge);
    draw_tried(app, forge);
    gap(8);
}

void draw_forge_button(App& app) {
    if (!without_forge(app).empty()) return;
    flow("Forge …");
    if (button(
            "forge", "Forge …",
            {.tooltip = "Type another column for the tile's elements: a swizzle of your own  (F)"}))
        open_forge(app);
}

}  // namespace lanewise::ui
