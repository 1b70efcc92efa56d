// The sheet of what may stand beside the chosen setting.
#include <fmt/format.h>

#include <algorithm>

#include "ui/desk/overlays.h"
#include "ui/kit/widgets.h"
#include "ui/state/compare.h"

namespace lanewise::ui {
namespace {

std::string id_of(const CompareWith& with) {
    return with.kind == CompareWith::Kind::knob ? fmt::format("beside:{}={}", with.name, with.value)
                                                : "beside:" + with.name;
}

void draw_knobs(App& app, const std::vector<Comparable>& all) {
    std::string group;
    for (const Comparable& each : all) {
        if (each.group.empty()) continue;
        if (each.group != group) {
            gap(group.empty() ? 0 : 6);
            line(each.group, kDim);
            gap(2);
        } else {
            flow(each.text);
        }
        group = each.group;
        if (button(id_of(each.with), each.text,
                   {.kind = ButtonKind::choice, .selected = each.chosen}))
            toggle_comparison(app, each.with);
    }
}

void draw_stages(App& app, const std::vector<Comparable>& all) {
    float width = available() / look().pixels_per_point();
    for (const Comparable& each : all)
        if (each.group.empty() &&
            button(id_of(each.with), each.text,
                   {.kind = ButtonKind::row, .selected = each.chosen, .width = width}))
            toggle_comparison(app, each.with);
}

}  // namespace

void open_compare(App& app) {
    app.open.compare = !app.own;
    app.open.compare_focus_wanted = app.open.compare;
}

void draw_compare(App& app) {
    const ImVec2 screen = ImGui::GetIO().DisplaySize;
    float width = std::min(px(460), screen.x - px(32));
    float height = std::min(px(560), screen.y - px(32));
    begin_overlay("Compare", width, height, app.open.compare_focus_wanted);
    app.open.compare_focus_wanted = false;
    line("Compare with …", kTitle);
    gap(2);
    paragraph("Up to two stand beside the chosen setting, at the same moment of the same warp.",
              kDim);
    gap(8);
    std::vector<Comparable> all = comparables(app);
    float foot = px(36);
    ImGui::BeginChild("comparables", ImVec2(0, ImGui::GetContentRegionAvail().y - foot), false,
                      ImGuiWindowFlags_NavFlattened);
    line("THIS STAGE WITH", kCaption);
    gap(4);
    draw_knobs(app, all);
    gap(12);
    line("ANOTHER STAGE", kCaption);
    gap(4);
    draw_stages(app, all);
    ImGui::EndChild();
    gap(8);
    if (button("compare:close", "Done", {.kind = ButtonKind::primary, .tooltip = "Escape"}))
        app.open.compare = false;
    same_line(10);
    if (button("compare:none", "Nothing beside it"))
        for (size_t i = 0; i < app.beside.size(); ++i)
            compare_with(app, i, {CompareWith::Kind::nothing});
    ImGui::End();
}

void draw_compare_button(App& app) {
    if (app.own) return;
    auto beside = std::count_if(app.beside.begin(), app.beside.end(), [&](const Beside& each) {
        return each.wanted &&
               (each.with.kind != CompareWith::Kind::automatic || app.chosen().tab == "banks");
    });
    std::string text = beside ? fmt::format("Compare: {}", beside) : std::string("Compare …");
    if (button("compare", text,
               {.selected = beside > 0,
                .tooltip = "Other knob values or stages beside this one, in lock-step  (C)"}))
        open_compare(app);
}

}  // namespace lanewise::ui
