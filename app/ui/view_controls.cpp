// The knobs of the stage, the matrix and the element type.
#include <algorithm>

#include "base/text.h"
#include "ui/frame_text.h"
#include "ui/views.h"
#include "ui/widgets.h"

namespace lanewise::ui {
namespace {

constexpr float kLabels = 68;  // width of the column of names, in points

// A name at the left; what follows stands in the column beside it.
void label(std::string_view text, std::string_view help) {
    TextStyle style{12, Ink::text_dim, Font::text};
    ImVec2 at = ImGui::GetCursorScreenPos();
    float width = px(kLabels) - px(6), height = px(26);
    std::string_view shown = fitted(text, style, width);
    draw_text(ImVec2(at.x, at.y + (height - extent_of("X", style).y) / 2), shown, style,
              {at.x, at.y, at.x + width, at.y + height});
    ImGui::Dummy(ImVec2(width, height));
    tooltip(help);
    ImGui::Indent(px(kLabels));
    ImGui::SameLine(ImGui::GetCursorPosX());
}

void end_label(float room_below) {
    ImGui::Unindent(px(kLabels));
    gap(room_below);
}

// Why each of the stage's knob values and types cannot be chosen beside the others; found anew
// only when the choice has changed.
struct Offers {
    uint64_t revision = 0;
    std::string stage, type;
    KnobValues knobs;
    std::vector<std::vector<std::string>> values;  // by knob and choice; empty: it can
    std::vector<std::string> types;
    std::string batch;
};

const Offers& offers(const App& app) {
    static Offers kept;  // only one window draws
    const Choice& c = app.choice;
    const Stage& stage = app.stage();
    if (kept.revision == app.revision && kept.stage == stage.id && kept.type == c.type &&
        kept.knobs == c.knobs)
        return kept;
    kept = {app.revision, stage.id, c.type, c.knobs, {}, {}, why_no_batch(stage)};
    for (const Knob& knob : stage.knobs) {
        std::vector<std::string>& problems = kept.values.emplace_back();
        KnobValues tried = c.knobs;
        for (int64_t value : knob.choices) {
            tried[knob.name] = value;
            problems.push_back(knob_problem(stage, tried, c.type));
        }
    }
    for (const std::string& type : stage.types)
        kept.types.push_back(knob_problem(stage, c.knobs, type));
    return kept;
}

void draw_knob(App& app, size_t index) {
    const Knob& knob = app.stage().knobs[index];
    label(knob.name, knob.help);
    for (size_t i = 0; i < knob.choices.size(); ++i) {
        int64_t value = knob.choices[i];
        std::string_view text = frame_text("{}", value);
        std::string_view problem = kept_text(offers(app).values[index][i]);
        if (i) flow(text);
        if (button(frame_text("knob:{}={}", knob.name, value), text,
                   {.kind = ButtonKind::choice,
                    .selected = app.choice.knobs[knob.name] == value,
                    .enabled = problem.empty(),
                    .tooltip = problem}))
            choose_knob(app, knob.name, value);
    }
    end_label(8);
}

struct Preset {
    const char* text;
    int64_t rows, cols;
};
// Round sizes that are also recorded, and two that fit no tile.
constexpr Preset kPresets[] = {{"1024²", 1024, 1024},
                               {"4096²", 4096, 4096},
                               {"8192²", 8192, 8192},
                               {"1000×50", 1000, 50},
                               {"33×65", 33, 65}};

struct ProductPreset {
    const char* text;
    int64_t m, n, k;
};
// The article's, of which the largest is looked at in part, and two that are drawn at once.
constexpr ProductPreset kProductPresets[] = {{"32³", 32, 32, 32},
                                             {"256³", 256, 256, 256},
                                             {"1024³", 1024, 1024, 1024},
                                             {"8192³", 8192, 8192, 8192},
                                             {"33×65×97", 33, 65, 97},
                                             {"1000×50×1000", 1000, 50, 1000}};

void draw_product_shape(App& app) {
    label("M, N, K", "A is M × K, B is K × N, C = A · B is M × N; all row by row.");
    struct {
        int64_t rows, cols, inner;
    } shape{app.choice.rows, app.choice.cols, app.choice.inner};
    bool changed = number_field("M", shape.rows, 54);
    same_line(6);
    changed = number_field("N", shape.cols, 54) || changed;
    same_line(6);
    changed = number_field("K", shape.inner, 54) || changed;
    if (changed) choose_shape(app, shape.rows, shape.cols, std::max<int64_t>(shape.inner, 0));
    gap(6);
    for (const ProductPreset& preset : kProductPresets) {
        if (&preset != kProductPresets) flow(preset.text);
        const Choice& c = app.choice;
        bool selected = c.rows == preset.m && c.cols == preset.n && c.inner == preset.k;
        if (button(frame_text("shape:{}x{}x{}", preset.m, preset.n, preset.k), preset.text,
                   {.kind = ButtonKind::choice, .selected = selected}))
            choose_shape(app, preset.m, preset.n, preset.k);
    }
    if (!app.shape_problem.empty()) {
        gap(4);
        paragraph(app.shape_problem, {12, Ink::bad, Font::text});
    }
    end_label(8);
}

void draw_shape(App& app) {
    if (app.choice.product) return draw_product_shape(app);
    label("Matrix", "rows × cols of the input; the output has cols rows.");
    int64_t rows = app.choice.rows, cols = app.choice.cols;
    bool changed = number_field("rows", rows, 84);
    same_line(8);
    changed = number_field("cols", cols, 84) || changed;
    if (changed) choose_shape(app, rows, cols);
    gap(6);
    for (const Preset& preset : kPresets) {
        if (&preset != kPresets) flow(preset.text);
        bool selected = app.choice.rows == preset.rows && app.choice.cols == preset.cols;
        if (button(frame_text("shape:{}x{}", preset.rows, preset.cols), preset.text,
                   {.kind = ButtonKind::choice, .selected = selected}))
            choose_shape(app, preset.rows, preset.cols);
    }
    if (!app.shape_problem.empty()) {
        gap(4);
        paragraph(app.shape_problem, {12, Ink::bad, Font::text});
    }
    end_label(8);
}

// Many small matrices fill a card that one of them leaves empty.
constexpr int64_t kBatches[] = {1, 16, 256, 4096};

void draw_batch(App& app) {
    label("Batch", "Matrices moved by one launch, one behind the other in memory.");
    for (int64_t batch : kBatches) {
        std::string_view text = kept_text(with_thousands(static_cast<uint64_t>(batch)));
        std::string_view problem = batch > 1 ? kept_text(offers(app).batch) : "";
        if (batch > 1) flow(text);
        if (button(frame_text("batch:{}", batch), text,
                   {.kind = ButtonKind::choice,
                    .selected = app.choice.batch == batch,
                    .enabled = problem.empty(),
                    .tooltip = problem}))
            choose_batch(app, batch);
    }
    end_label(8);
}

void draw_type(App& app, const std::string& type, std::string_view problem) {
    if (button(joined("type:", type), type,
               {.kind = ButtonKind::choice,
                .selected = type == app.choice.type,
                .enabled = problem.empty(),
                .tooltip = problem}))
        choose_type(app, type);
}

// The types that are offered, then those that are not, with the reason.
void draw_types(App& app) {
    label("Type", "What T stands for in the kernel.");
    const Stage& stage = app.stage();
    for (size_t i = 0; i < stage.types.size(); ++i) {
        if (i > 0) flow(stage.types[i]);
        draw_type(app, stage.types[i], kept_text(offers(app).types[i]));
    }
    for (const auto& [type, why] : stage.without) {
        flow(type);
        draw_type(app, type, why);
    }
    end_label(12);
}

}  // namespace

void draw_controls(App& app) {
    for (size_t i = 0; i < app.stage().knobs.size(); ++i) draw_knob(app, i);
    draw_shape(app);
    if (!app.own && !is_product(app.stage())) draw_batch(app);
    draw_types(app);
    draw_run(app);
}

}  // namespace lanewise::ui
