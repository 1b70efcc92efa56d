// The settings page, over the window.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "ui/desk/overlays.h"
#include "ui/imgui/imgui_compat.h"
#include "ui/kit/widgets.h"
#include "ui/state/settings.h"

namespace lanewise::ui {
namespace {

constexpr TextStyle kProblem{12, Ink::bad, Font::text};

struct EnginePlace {
    const char *id, *name, *prefix, *help;
};
// Beginnings to type on.
constexpr EnginePlace kPlaces[] = {
    {"place:here", "This computer", "", "The engine beside this program."},
    {"place:ssh", "ssh", "ssh HOST lanewise-engine serve",
     "Another machine, where ssh logs in with a key: write its name for HOST."},
    {"place:slurm", "Slurm", "srun --gres=gpu:1 --unbuffered lanewise-engine serve",
     "A node of a cluster, as soon as one is free."}};

void show_problem(const SettingsPage& page, const char* field) {
    auto found = page.problems.find(field);
    if (found == page.problems.end()) return;
    gap(2);
    paragraph(found->second, kProblem);
}

void draw_place(App& app) {
    SettingsPage& page = *app.open.settings;
    for (const EnginePlace& place : kPlaces) {
        if (&place != kPlaces) flow(place.name);
        if (button(place.id, place.name,
                   {.kind = ButtonKind::choice,
                    .selected = page.engine.prefix == place.prefix,
                    .tooltip = place.help})) {
            page.engine.prefix = place.prefix;
            settings_changed(app);
        }
    }
    gap(6);
    // A field keeps what is typed while it has the keyboard; with another name it begins anew.
    if (page.focus_wanted) focus_text_box(item_id("settings:prefix"));
    page.focus_wanted = false;
    if (text_field("settings:prefix", page.engine.prefix, 0)) settings_changed(app);
    show_problem(page, "prefix");
    gap(2);
    paragraph("The command that starts the engine; empty: the one beside this program.", kDim);
}

void draw_test(App& app, double now) {
    SettingsPage& page = *app.open.settings;
    bool runs = engine_test_runs(app);
    gap(6);
    if (button("settings:test", runs ? "Testing …" : "Test",
               {.enabled = !runs && !page.problems.contains("prefix"),
                .tooltip = "Start it once and see who answers"}))
        start_engine_test(app);
    if (runs) {
        if (page.test_began < 0) page.test_began = now;
        same_line(10);
        line(fmt::format("{:.0f} s; up to half a minute", now - page.test_began), kDim);
    }
    if (!page.result) return;
    gap(4);
    paragraph((page.result->ok ? "It works: " : "It does not work: ") + page.result->said,
              {12, page.result->ok ? Ink::good : Ink::bad, Font::text});
}

void draw_gpus(App& app) {
    SettingsPage& page = *app.open.settings;
    std::string& wish = page.engine.gpu;
    section("GPU");
    if (button("gpu:first", "The first", {.kind = ButtonKind::choice, .selected = wish.empty()}))
        wish.clear();
    const std::vector<EngineState::Gpu>& gpus = app.engine.gpus;
    for (size_t i = 0; i < gpus.size(); ++i) {
        std::string name = fmt::format("{}  {}", i, gpus[i].name);
        std::string its = wish_for(gpus, i);
        flow(name);
        if (button(fmt::format("gpu:{}", i), name,
                   {.kind = ButtonKind::choice, .selected = wish == its, .tooltip = gpus[i].uuid}))
            wish = its;
    }
    gap(6);
    if (text_field("settings:gpu", wish, 220)) settings_changed(app);
    show_problem(page, "gpu");
    gap(2);
    paragraph("A part of its name, its index, or the start of its UUID.", kDim);
}

void draw_limit(App& app) {
    SettingsPage& page = *app.open.settings;
    section("TIME LIMIT OF A KERNEL, IN SECONDS");
    if (text_field("settings:time_limit", page.time_limit, 90)) settings_changed(app);
    show_problem(page, "time_limit");
}

void draw_sandbox(App& app) {
    bool& sandbox = app.open.settings->engine.sandbox;
    section("SANDBOX");
    for (bool on : {false, true}) {
        const char* word = on ? "Bubblewrap" : "None";
        if (on) flow(word);
        if (button(std::string("sandbox:") + word, word,
                   {.kind = ButtonKind::choice, .selected = sandbox == on}))
            sandbox = on;
    }
    gap(2);
    paragraph(
        "Kernels run with no network, the system read-only and a /tmp of their own, where "
        "bubblewrap is installed beside the engine.",
        kDim);
}

struct CompilerChoice {
    const char *name, *title, *help;
};
constexpr CompilerChoice kCompilers[] = {
    {"", "The first found", "NVRTC, else what was compiled beforehand, else clang."},
    {"nvrtc", "NVRTC", "NVIDIA's, of the CUDA toolkit."},
    {"shipped", "Shipped", "What was compiled beforehand: every setting of the course."},
    {"clang", "clang", "Without NVIDIA's software; it makes PTX, and no machine code."}};

void draw_compiler(App& app) {
    std::string& compiler = app.open.settings->engine.compiler;
    section("COMPILER");
    for (const CompilerChoice& choice : kCompilers) {
        if (&choice != kCompilers) flow(choice.title);
        if (button(std::string("compiler:") + choice.name, choice.title,
                   {.kind = ButtonKind::choice,
                    .selected = compiler == choice.name,
                    .tooltip = choice.help}))
            compiler = choice.name;
    }
    if (app.engine.compiler.empty()) return;
    gap(2);
    paragraph("Now: " + app.engine.compiler + ".", kDim);
}

void draw_look(App& app) {
    section("LOOK");
    for (const char* theme : {"dark", "light", "projector"}) {
        if (theme != std::string("dark")) flow(theme);
        if (button(std::string("theme:") + theme, theme,
                   {.kind = ButtonKind::choice, .selected = look().theme == theme})) {
            set_theme(theme);
            app.saved.theme = theme;
        }
    }
    gap(6);
    bool first = true;
    for (float scale : {0.75f, 1.f, 1.25f, 1.5f, 2.f, 2.5f, 3.f}) {
        std::string text = fmt::format("{:.0f} %", 100 * scale);
        if (!first) flow(text);
        first = false;
        if (button(
                "scale:" + text, text,
                {.kind = ButtonKind::choice, .selected = std::abs(look().scale - scale) < 0.01f})) {
            set_scale(scale);
            app.saved.scale = scale;
        }
    }
}

}  // namespace

void draw_settings(App& app) {
    const ImVec2 screen = ImGui::GetIO().DisplaySize;
    float width = std::min(px(560), screen.x - px(24));
    float height = std::min(px(790), screen.y - px(24));
    std::shared_ptr<SettingsPage> kept = app.open.settings;  // a button may close the page
    begin_overlay("Settings", width, height, kept->focus_wanted);
    line("Settings", kTitle);
    float foot = px(44);
    ImGui::BeginChild("fields", ImVec2(0, ImGui::GetContentRegionAvail().y - foot), false,
                      ImGuiWindowFlags_NavFlattened);
    section("ENGINE");
    draw_place(app);
    draw_test(app, ImGui::GetTime());
    draw_gpus(app);
    draw_limit(app);
    draw_sandbox(app);
    draw_compiler(app);
    draw_look(app);
    gap(8);
    ImGui::EndChild();
    gap(8);
    if (button("settings:use", "Use",
               {.kind = ButtonKind::primary,
                .enabled = kept->problems.empty(),
                .tooltip = "Remember these, and start the engine anew where it is another"}))
        use_settings(app);
    same_line(10);
    if (button("settings:close", "Close", {.tooltip = "Escape"})) close_settings(app);
    ImGui::End();
}

}  // namespace lanewise::ui
