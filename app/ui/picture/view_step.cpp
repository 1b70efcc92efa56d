// The lane debugger: where the warp stands, the ways on and back, the source with its breakpoints, and
// the 32 values of each variable. Nothing is recorded before somebody asks for it.
#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "lab/step/step_words.h"
#include "ui/imgui/imgui_compat.h"
#include "ui/instrument/step.h"
#include "ui/kit/widgets.h"
#include "ui/look/compact.h"
#include "ui/plain/frame_text.h"
#include "ui/state/views.h"

namespace lanewise::ui {
namespace {

constexpr float kBesideEachOther = 860;  // points: from here on source and lanes stand side by side
constexpr float kSlider = 22, kLeastSource = 120;
constexpr TextStyle kBad{12, Ink::bad, Font::text};

// ---- nothing is recorded

void draw_nothing(App& app, const StepTool& tool) {
    if (!tool.of.empty()) return line("Recording the launch …", kDim);
    line("Step through this kernel, forward and back", kTitle);
    gap(4);
    if (!tool.problem.empty()) {
        paragraph(tool.problem, kBad);
    } else if (tool.has_changed) {
        paragraph(
            "The setting is another one since the launch was recorded. Your breakpoints are kept.");
    } else {
        paragraph(
            "Nothing is recorded yet. A recording lets you go through the kernel by source lines, "
            "instructions or barriers. You see the values of all 32 lanes of a warp, and where "
            "they "
            "part and meet. It needs no GPU.");
    }
    gap(8);
    if (button("step:record", "Record this launch",
               {.kind = ButtonKind::primary,
                .tooltip = "Interprets the chosen block and keeps every moment of it"}))
        record_steps(app);
}

// ---- where, and how far

void dim_word(std::string_view text) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float width = extent_of(text, kDim).x, height = px(26);
    draw_text(ImVec2(at.x, at.y + std::floor((height - extent_of("X", kDim).y) / 2)), text, kDim,
              {at.x, at.y, at.x + width + 1, at.y + height});
    ImGui::Dummy(ImVec2(width, height));
}

// The block's steps from left to right; a drag goes there.
void draw_step_slider(App& app, const StepTool& tool) {
    const uint64_t steps = tool.shown->steps, now = tool.at.at.step;
    const float width = std::min(available(), px(420)), height = px(kSlider);
    if (steps == 0 || width < px(80)) return;
    const ImVec2 at = ImGui::GetCursorScreenPos();
    ImGui::InvisibleButton("##step:moments", ImVec2(width, height));
    audit().widget("step:moments", {at.x, at.y, at.x + width, at.y + height});
    const float inset = px(7), room = width - 2 * inset, y = at.y + height / 2;
    auto place_of = [&](uint64_t step) {
        return at.x + inset + room * static_cast<float>(double(step) / double(steps));
    };
    if (ImGui::IsItemActive()) {
        const float share = std::clamp((ImGui::GetIO().MousePos.x - at.x - inset) / room, 0.f, 1.f);
        const auto step = static_cast<uint64_t>(std::llround(double(share) * double(steps)));
        if (step != now) go_to_step(app, step);
    }
    ImDrawList* list = ImGui::GetWindowDrawList();
    list->AddRectFilled(ImVec2(at.x + inset, y - px(2)), ImVec2(at.x + width - inset, y + px(2)),
                        color(Ink::border), px(2));
    list->AddRectFilled(ImVec2(at.x + inset, y - px(2)), ImVec2(place_of(now), y + px(2)),
                        color(Ink::accent), px(2));
    if (tool.shown->wrong) {
        const float x = place_of(tool.shown->wrong->at.at.step);
        list->AddRectFilled(ImVec2(x - px(1), y - px(8)), ImVec2(x + px(1), y + px(8)),
                            color(Ink::bad));
    }
    list->AddCircleFilled(ImVec2(place_of(now), y), px(ImGui::IsItemHovered() ? 7 : 6),
                          color(Ink::accent));
    tooltip("Every step of the block: one instruction of one warp  (Home, End)");
}

void draw_where(App& app, StepTool& tool) {
    dim_word("Block");
    same_line(8);
    auto block = static_cast<int64_t>(app.chosen().block);
    if (number_field("step:block", block, 64)) choose_block(app, block);
    same_line(12);
    dim_word("Warp");
    same_line(8);
    int64_t warp = app.chosen().warp;
    if (number_field("step:warp", warp, 44)) choose_warp(app, static_cast<int>(warp));
    same_line(12);
    const uint64_t steps = tool.shown->steps;
    std::string_view moment =
        steps > 0
            ? frame_text("step {} of {}", with_thousands(tool.at.at.step), with_thousands(steps))
            : frame_text("step {}", with_thousands(tool.at.at.step));
    dim_word(moment);
    same_line(12);
    if (available() < px(88)) ImGui::NewLine();
    draw_step_slider(app, tool);
    gap(4);
}

struct Unit {
    StepBy by;
    const char *id, *title, *hint;
};
constexpr Unit kUnits[] = {
    {StepBy::line, "step:by_line", "Line",
     "Next and Back go by lines of the source  (F10, Shift F10)"},
    {StepBy::instruction, "step:by_instruction", "Instruction",
     "Next and Back go by instructions of PTX"},
    {StepBy::barrier, "step:by_barrier", "Barrier", "Next and Back go past the warp's barriers"},
};

void draw_moves(App& app, StepTool& tool) {
    for (const Unit& each : kUnits) {
        if (&each != kUnits) flow(each.title, 4);
        if (button(
                each.id, each.title,
                {.kind = ButtonKind::choice, .selected = tool.by == each.by, .tooltip = each.hint}))
            tool.by = each.by;
    }
    flow("‹ Back", 12);
    if (button("step:back", "‹ Back", {.tooltip = "To where this warp was before  (←)"}))
        move_step(app, tool.by, true);
    flow("Next ›", 4);
    if (button("step:next", "Next ›",
               {.selected = true, .tooltip = "To where this warp is next  (→)"}))
        move_step(app, tool.by, false);
    flow("‹ Run back", 12);
    if (button("step:run_back", "‹ Run back", {.tooltip = "To the last breakpoint of this block"}))
        run_steps(app, true);
    flow("Run ›", 4);
    if (button("step:run", "Run ›",
               {.tooltip = "On to a breakpoint, to a fault, or to the end of the launch  (Space)"}))
        run_steps(app, false);
    gap(6);
}

// The first step that goes wrong, and the way there.
void draw_wrong(App& app, StepTool& tool) {
    const StepWrong& wrong = *tool.shown->wrong;
    begin_card("step:wrong", Ink::bad);
    const bool here = tool.at == wrong.at;
    std::string_view where =
        here ? "here" : frame_text("in step {}", with_thousands(wrong.at.at.step));
    paragraph(frame_text("▲ Goes wrong {}: {}.", where, wrong.words), kBad);
    if (!here) {
        gap(4);
        if (button("step:to_wrong", "Go there", {.tooltip = "To the moment before"}))
            wish_step(app, {"", wrong.at});
    }
    end_card();
    gap(6);
}

void draw_said(App& app, StepTool& tool) {
    paragraph(tool.headline, kStrong);
    const StepPlace& place = *tool.shown->reply.place;
    if (!place.instruction.empty() && place.look.state != WarpLook::State::finished) {
        TextStyle style{11, Ink::text_dim, Font::mono};
        line(place.instruction, style);
    }
    if (!tool.problem.empty()) paragraph(tool.problem, kBad);
    const bool refused = !tool.shown->reply.error.empty();
    for (size_t i = 0; i < tool.remarks.size(); ++i)
        paragraph(tool.remarks[i], i == 0 && refused ? kBad : kDim);
    gap(6);
    if (tool.shown->wrong) draw_wrong(app, tool);
}

// ---- who wrote it

void draw_who(App& app, StepTool& tool) {
    section("WHO WROTE");
    text_field("step:who", tool.who, std::min(200.f, available() / look().pixels_per_point() - 80));
    const bool entered = ImGui::IsItemDeactivated() && pressed(Key::enter);
    tooltip("An element or an address: tile[3][lane], out[5], 0x700000000000");
    same_line(6);
    if (button("step:ask_who", "Who?", {.enabled = !tool.who.empty()}) || entered) ask_who(app);
    if (!tool.written) return;
    gap(4);
    paragraph(written_in_words(*tool.written), kBody);
    if (!tool.written->is_known) return;
    if (tool.written->line > 0)
        line(frame_text("{}  {}", tool.written->line, tool.written->source), kMono);
    gap(4);
    if (button("step:to_write", "Go there", {.tooltip = "To the moment before it was written"})) {
        StepPosition before{tool.written->write.at, tool.written->write.warp};
        wish_step(app, {"", before});
    }
}

void draw_hint(StepTool& tool, App& app) {
    if (tool.at.at.step > 0 || !breaks_of(app).empty()) return;
    paragraph(
        "Next goes to the warp's next line, Back to the one before. A click left of a line's "
        "number "
        "stops runs there.",
        kDim);
    gap(4);
}

}  // namespace

void draw_step(App& app) {
    StepTool& tool = step_of(app);
    if (!tool.shown) return draw_nothing(app, tool);
    draw_where(app, tool);
    draw_moves(app, tool);
    draw_said(app, tool);
    draw_hint(tool, app);
    const float unit = look().pixels_per_point(), width = available() / unit;
    const float room = ImGui::GetContentRegionAvail().y;
    auto source = [&](float most) {  // high, in pixels
        const float high = std::min(most, step_source_height(app));
        ImGui::BeginChild("step:source", ImVec2(available(), high), false,
                          ImGuiWindowFlags_NoNavInputs);
        draw_step_source(app, tool);
        ImGui::EndChild();
    };
    if (width < kBesideEachOther) {
        source(std::max(px(kLeastSource), std::floor(room * 0.42f)));
        draw_step_breaks(app, tool);
        draw_step_lanes(app, tool);
        draw_who(app, tool);
        return gap(8);
    }
    const float left = std::floor(available() * 0.44f);
    const float high = std::max(px(240), room - px(4));
    ImGui::BeginChild("step:left", ImVec2(left, high), false, ImGuiWindowFlags_NoNavInputs);
    const float below = px(72) + px(34) * static_cast<float>(breaks_of(app).size());
    source(std::max(px(kLeastSource), high - below - px(44)));
    draw_step_breaks(app, tool);
    draw_who(app, tool);
    ImGui::EndChild();
    ImGui::SameLine(0, px(16));
    ImGui::BeginChild("step:right", ImVec2(0, high), false, ImGuiWindowFlags_NoNavInputs);
    draw_step_lanes(app, tool);
    ImGui::EndChild();
}

}  // namespace lanewise::ui
