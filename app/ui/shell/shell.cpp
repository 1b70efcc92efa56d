#include "ui/shell/shell.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <iterator>

#include "ui/desk/keys.h"
#include "ui/desk/overlays.h"
#include "ui/desk/tools.h"
#include "ui/kit/term_mark.h"
#include "ui/kit/widgets.h"
#include "ui/launch/charts.h"
#include "ui/launch/products.h"
#include "ui/learn/learn.h"
#include "ui/learn/path_lines.h"
#include "ui/look/compact.h"
#include "ui/path/course_list.h"
#include "ui/path/predict_first.h"
#include "ui/plain/frame_text.h"
#include "ui/shell/column.h"
#include "ui/shell/panes.h"
#include "ui/shell/top_bar.h"
#include "ui/state/compare.h"
#include "ui/state/views.h"

namespace lanewise::ui {
namespace {

constexpr float kThreeColumns = 1120, kTwoColumns = 760;  // least widths, in points

void draw_left(App& app) {
    bool compact = is_compact();
    if (!compact) {
        line("COURSE", kCaption);
        draw_core_left(app);
        gap(2);
    }
    // The chosen stage and the next where every row counts.
    auto stages = static_cast<float>(app.content.catalogue.stages().size());
    float third = std::floor(ImGui::GetWindowHeight() * 0.36f / px(kCourseRow));
    float rows = std::min(stages, compact ? 2 : std::max(3.f, third));
    ImGui::BeginChild("stages", ImVec2(ImGui::GetContentRegionAvail().x, rows * px(kCourseRow)),
                      false, ImGuiWindowFlags_NavFlattened);
    draw_course(app);
    ImGui::EndChild();
    gap(compact ? 3 : 10);
    rule();
    gap(compact ? 5 : 10);
    ImGui::BeginChild("lesson", ImVec2(0, 0), false, ImGuiWindowFlags_NavFlattened);
    if (app.sight.lesson_shown != app.chosen().stage) ImGui::SetScrollY(0);
    app.sight.lesson_shown = app.chosen().stage;
    if (app.own)
        paragraph(
            "Every view shows this kernel: the accesses of a warp (1), shared memory (2), and the "
            "code (3), line by line. Its file is watched and read again when it changes. Choose a "
            "stage above to go back to the course.",
            kBody);
    else
        draw_lesson(app);
    ImGui::EndChild();
}

// A view that shows nothing of what is chosen has no tab, unless one is there already.
bool has_tab(const App& app, const View& view) {
    if (is_learning(app) && app.chosen().tab == view.id) return true;
    if (view.place != Place::middle) return false;
    return !view.problem || app.chosen().tab == view.id || view.problem(app).empty();
}

// How the tabs are written so that all are in one row: with as much of this as there is room for.
struct TabLook {
    bool whole;            // the titles, else the short ones
    float padding, space;  // points: of a tab, both sides; between two
};
constexpr TabLook kTabLooks[] = {{true, 24, 4}, {false, 24, 4}, {false, 12, 2}, {false, 7, 0}};

float tab_width(const View& view, const TabLook& look) {
    const char* title = look.whole ? view.title : view.short_title;
    return extent_of(title, {13, Ink::text, Font::text}).x + px(look.padding);
}

float tabs_width(const App& app, const TabLook& look) {
    float width = 0;
    for (const View& view : views())
        if (has_tab(app, view)) width += tab_width(view, look) + px(look.space);
    return width;
}

TabLook tab_look(const App& app) {
    for (const TabLook& look : kTabLooks)
        if (tabs_width(app, look) <= available()) return look;
    return kTabLooks[std::size(kTabLooks) - 1];
}

void draw_tabs(App& app) {
    const TabLook look = tab_look(app);
    float room = available(), used = 0;
    const bool all_fit = tabs_width(app, look) <= room;
    int key = 0;
    for (const View& view : views()) {
        key += view.place == Place::middle;
        if (!has_tab(app, view)) continue;
        // One row matters more than a view without a key, which the commands open too.
        if (key > 9 && !all_fit && app.chosen().tab != view.id) continue;
        float width = tab_width(view, look);
        if (used > 0 && used + width <= room)
            same_line(look.space);
        else
            used = 0;  // the first of a line
        used += width + px(look.space);
        if (button(joined("view:", view.id), look.whole ? view.title : view.short_title,
                   {.kind = ButtonKind::tab,
                    .selected = app.chosen().tab == view.id,
                    .width = width / ui::look().pixels_per_point(),
                    .tooltip = key <= 9 ? frame_text("Key {}", key) : ""}))
            choose_view(app, view.id);
    }
    rule();
    gap(is_compact() ? 4 : in_little_room() ? 6 : 12);
}

void draw_middle(App& app) {
    draw_tabs(app);
    draw_chosen_view(app, app.chosen().tab);
}

// A heading that --view and the lessons' links can bring into sight.
void heading(App& app, const char* title, const char* view) {
    section(title);
    if (app.chosen().view != view || app.sight.section_shown == view) return;
    ImGui::SetScrollHereY(0);
    app.sight.section_shown = view;
}
void draw_right(App& app) {
    line(app.own ? "YOUR KERNEL" : "SETTING", kCaption);
    gap(6);
    if (app.own)
        draw_own(app);
    else
        draw_controls(app);
    if (answer_is_hidden(app)) {
        section("RESULT");
        paragraph("Times, verdicts and counts come with your answer.", kDim);
        heading(app, "LADDER", "ladder");
        draw_ladder(app);
        gap(12);
        return;
    }
    section("RESULT");
    draw_result(app);
    draw_findings(app);
    draw_printed(app);
    draw_baseline(app);
    if (!app.own) {
        heading(app, "LADDER", "ladder");
        draw_ladder(app);
    }
    heading(app, "COUNTS", "counts");
    draw_counts(app);
    draw_hardware(app);
    gap(12);
}

void draw_columns(App& app) {
    float unit = look().pixels_per_point();
    float width = ImGui::GetWindowWidth();
    // Low windows keep their rows for the picture.
    if (width >= px(kThreeColumns) && !is_compact() && !charts_are_wide(app))
        return draw_workbench(app, {draw_left, draw_middle, draw_right});
    Layout layout = charts_are_wide(app) ? Layout{0, width / unit, 0}
                                         : layout_for(width / unit, app.keyboard.region, app.keyboard.side);
    float left = px(layout.course), right = px(layout.controls);
    if (layout.course > 0) {
        if (layout.picture == 0) left = width;
        column(app, Region::course, "course", ImVec2(left, 0), Ink::panel, [&] { draw_left(app); });
        ImGui::SameLine();
    }
    if (layout.picture > 0) {
        float middle = width - (layout.course > 0 ? left : 0) - right;
        column(app, Region::picture, "picture", ImVec2(middle, 0), Ink::background,
               [&] { draw_middle(app); });
        ImGui::SameLine();
    }
    if (layout.controls > 0)
        column(app, Region::controls, "controls", ImVec2(layout.picture > 0 ? right : width, 0),
               Ink::panel, [&] { draw_right(app); });
}

// The coach beside one picture, with what it comes to below it.
void draw_learn(App& app) {
    draw_spine(app);
    if (app.keyboard.region == Region::controls) {  // where a proof was asked for
        go_to(app, Step::prove);
        app.keyboard.region = Region::course;
    }
    const float width = ImGui::GetWindowWidth();
    const Layout layout = learn_layout_for(width / look().pixels_per_point(), app.keyboard.region);
    const float left = px(layout.course);
    if (layout.course > 0) {
        column(app, Region::course, "coach", ImVec2(layout.picture > 0 ? left : width, 0),
               Ink::panel, [&] { draw_coach(app); });
        ImGui::SameLine();
    }
    if (layout.picture > 0)
        column(app, Region::picture, "picture", ImVec2(width - left, 0), Ink::background, [&] {
            const float room = ImGui::GetContentRegionAvail().y - foot_height(app);
            ImGui::BeginChild("above", ImVec2(0, room), false, ImGuiWindowFlags_NoNavInputs);
            draw_tabs(app);
            draw_chosen_view(app, app.chosen().tab);
            ImGui::EndChild();
            draw_foot(app);
        });
}

bool embedded = false;  // only one window draws

// The setting stands beside the picture where there is room, else below it.
void draw_embedded(App& app) {
    constexpr float kBeside = 620, kSetting = 300, kShare = 0.62f;  // points; of the height
    const float width = ImGui::GetWindowWidth();
    const bool beside = width / look().pixels_per_point() >= kBeside;
    const float right = beside ? px(kSetting) : 0;
    column(app, Region::picture, "picture", ImVec2(width - right, 0), Ink::background, [&] {
        if (beside) return draw_chosen_view(app, app.chosen().tab);
        ImGui::BeginChild("above", ImVec2(0, kShare * ImGui::GetContentRegionAvail().y), false,
                          ImGuiWindowFlags_NoNavInputs);
        draw_chosen_view(app, app.chosen().tab);
        ImGui::EndChild();
        rule();
        draw_controls(app);
    });
    if (!beside) return;
    ImGui::SameLine();
    column(app, Region::controls, "controls", ImVec2(right, 0), Ink::panel,
           [&] { draw_controls(app); });
}

// The arrows choose accesses and steps here; in a low window what they show may lie below.
void scroll_by_keys() {
    constexpr float kPage = 0.8f;
    if (!ImGui::GetIO().KeyCtrl) return;
    for (float by : {-kPage, kPage})
        if (pressed(by < 0 ? Key::page_up : Key::page_down))
            ImGui::SetScrollY(std::clamp(ImGui::GetScrollY() + by * ImGui::GetWindowHeight(), 0.f,
                                         ImGui::GetScrollMaxY()));
}

}  // namespace

void show_embedded() { embedded = true; }

void draw_chosen_view(App& app, const std::string& view) {
    if (!app.stage().error.empty()) {
        // What was typed can be mended where it was typed.
        bool in_editor = app.editing.on && view == "code";
        line("This stage cannot be used", in_editor ? kStrong : kTitle);
        gap(in_editor ? 2 : 8);
        paragraph(app.stage().error, kMono);
        if (!in_editor) return;
        gap(8);
    }
    if (answer_is_hidden(app)) {
        ImGui::BeginChild("question", ImVec2(0, 0), false, ImGuiWindowFlags_NoNavInputs);
        scroll_by_keys();
        const float width = ImGui::GetIO().DisplaySize.x / look().pixels_per_point();
        if (is_learning(app) && learn_layout_for(width, app.keyboard.region).course > 0)
            draw_asked_kernel(app);
        else
            draw_question(app);
        ImGui::EndChild();
        return;
    }
    if (is_library_call(app.stage()) && view != "code" && view != "charts" && view != "product") {
        static std::string of, why;  // only one window draws
        if (of != app.stage().id) why = nothing_to_interpret(app.stage());
        of = app.stage().id;
        paragraph(why);
        return;
    }
    bool needs_picture = view != "code" && view != "charts" && view != "bytes" &&
                         view != "issues" && view != "counts" && view != "ladder";
    if (!app.said.uncompiled.empty() && !app.arrived.picture && needs_picture) {
        line("Nothing here can compile this", kTitle);
        gap(8);
        std::string sentence = app.said.uncompiled;
        sentence.front() = static_cast<char>(std::toupper(sentence.front()));
        paragraph(sentence + ".");
        return;
    }
    // The message that says so may have been closed.
    const bool has_none = !app.arrived.picture && !app.stale.picture && !app.activity.busy();
    if (has_none && !app.own && !app.stage().headers.empty() && view != "code" &&
        view != "charts" && view != "product") {
        paragraph(
            "There is no picture of this stage. It is compiled with CUTLASS's headers: where those "
            "are missing, the package libcutlass-dev has them, or a clone that CUTLASS_PATH names. "
            "The code, the charts and the recorded times are here all the same.");
        return;
    }
    ImGui::BeginChild("view", ImVec2(0, 0), false, ImGuiWindowFlags_NoNavInputs);
    scroll_by_keys();
    find_view(view).draw(app);
    ImGui::EndChild();
}

Layout layout_for(float width, Region focus, Region side) {
    float course = std::clamp(width * 0.23f, 320.f, 420.f);
    float controls = std::clamp(width * 0.22f, 316.f, 400.f);
    if (width >= kThreeColumns) return {course, width - course - controls, controls};
    if (width >= kTwoColumns) {
        Region beside = focus == Region::picture ? side : focus;
        if (beside == Region::course) return {course, width - course, 0};
        return {0, width - controls, controls};
    }
    if (focus == Region::course) return {width, 0, 0};
    if (focus == Region::controls) return {0, 0, width};
    return {0, width, 0};
}

Layout learn_layout_for(float width, Region focus) {
    if (width < kTwoColumns)
        return focus == Region::picture ? Layout{0, width, 0} : Layout{width, 0, 0};
    float course = std::clamp(width * 0.26f, 320.f, 420.f);
    return {course, width - course, 0};
}

void build_interface(App& app, double now) {
    audit().clear();
    begin_frame_text();
    begin_term_marks();
    handle_keys(app);
    app.tools->moving.now = now;
    advance_scrub(app, now);
    advance_walk(app, now);
    advance_flow(app, now);
    aim_tour(app);
    const ImGuiIO& io = ImGui::GetIO();
    ImGui::SetNextWindowPos(ImVec2(0, 0));
    ImGui::SetNextWindowSize(io.DisplaySize);
    ImGui::Begin("Lanewise", nullptr,
                 ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                     ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoBringToFrontOnFocus |
                     ImGuiWindowFlags_NoNavInputs | ImGuiWindowFlags_NoScrollWithMouse);
    if (app.tools->presenter.on) {
        draw_presenter(app, now);
    } else if (embedded) {
        draw_messages(app);
        draw_embedded(app);
    } else {
        draw_top_bar(app, now);
        draw_messages(app);
        if (is_learning(app) && !charts_are_wide(app))
            draw_learn(app);
        else
            draw_columns(app);
    }
    app.keyboard.focus_wanted = false;
    ImGui::End();
    keep_one_overlay(app);
    if (app.open.help) draw_key_sheet(app);
    if (app.open.chooser.open) draw_chooser(app);
    if (app.open.settings) draw_settings(app);
    if (app.open.compare && !answer_is_hidden(app)) draw_compare(app);
    draw_tools(app);
    draw_toast(app, now);
    if (app.keyboard.region != Region::picture) app.keyboard.side = app.keyboard.region;
}

}  // namespace lanewise::ui
