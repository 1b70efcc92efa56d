// The knobs of the stage, the matrix and the element type.
#include <algorithm>

#include "base/text.h"
#include "ui/kit/widgets.h"
#include "ui/plain/frame_text.h"
#include "ui/state/views.h"

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
    const Selection& c = app.chosen();
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
    draw_knob_choices(app, index);
    end_label(8);
}

// What chooses an offered size is called "shape:1000x50", "shape:32x32x32".
std::string_view id_of(const Operation::Size& size) {
    return size.inner == kNoInner ? frame_text("shape:{}x{}", size.rows, size.cols)
                                  : frame_text("shape:{}x{}x{}", size.rows, size.cols, size.inner);
}

void draw_shape(App& app) {
    const Operation& operation = *app.chosen().operation;
    label(operation.sides.title, operation.sides.help);
    const bool three = operation.has_inner();
    int64_t sides[] = {app.chosen().rows, app.chosen().cols, app.chosen().inner};
    bool changed = false;
    for (size_t i = 0; i < operation.sides.names.size(); ++i) {
        if (i > 0) same_line(three ? 6 : 8);
        changed = number_field(operation.sides.names[i], sides[i], three ? 54 : 84) || changed;
    }
    if (changed) choose_shape(app, sides[0], sides[1], std::max<int64_t>(sides[2], 0));
    gap(6);
    for (const Operation::Offer& offer : operation.sizes.offered) {
        if (&offer != &operation.sizes.offered.front()) flow(offer.text);
        if (button(id_of(offer.size), offer.text,
                   {.kind = ButtonKind::choice, .selected = size_of(app.chosen()) == offer.size}))
            choose_shape(app, offer.size.rows, offer.size.cols, offer.size.inner);
    }
    if (!app.said.shape_problem.empty()) {
        gap(4);
        paragraph(app.said.shape_problem, {12, Ink::bad, Font::text});
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
                    .selected = app.chosen().batch == batch,
                    .enabled = problem.empty(),
                    .tooltip = problem}))
            choose_batch(app, batch);
    }
    end_label(8);
}

void draw_type(App& app, const std::string& type, std::string_view problem) {
    if (button(joined("type:", type), type,
               {.kind = ButtonKind::choice,
                .selected = type == app.chosen().type,
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

void draw_knob_choices(App& app, size_t index, std::span<const std::string> below) {
    constexpr TextStyle kBelow{10, Ink::text_dim, Font::text};
    const Knob& knob = app.stage().knobs[index];
    const auto chosen = app.chosen().knobs.find(knob.name);
    for (size_t i = 0; i < knob.choices.size(); ++i) {
        int64_t value = knob.choices[i];
        std::string_view text = frame_text("{}", value);
        std::string_view problem = kept_text(offers(app).values[index][i]);
        if (i) flow(text);
        if (button(frame_text("knob:{}={}", knob.name, value), text,
                   {.kind = ButtonKind::choice,
                    .selected = chosen != app.chosen().knobs.end() && chosen->second == value,
                    .enabled = problem.empty(),
                    .tooltip = problem}))
            choose_knob(app, knob.name, value);
        if (i >= below.size() || below[i].empty()) continue;
        const ImVec2 low = ImGui::GetItemRectMin(), high = ImGui::GetItemRectMax();
        const float width = extent_of(below[i], kBelow).x, x = (low.x + high.x - width) / 2;
        draw_text(ImVec2(x, high.y + px(1)), below[i], kBelow,
                  {x, high.y, x + width + 1, high.y + px(15)});
    }
}

void draw_controls(App& app) {
    for (size_t i = 0; i < app.stage().knobs.size(); ++i) draw_knob(app, i);
    draw_shape(app);
    if (!app.own && app.chosen().operation->takes_batch) draw_batch(app);
    draw_types(app);
    draw_run(app);
}

}  // namespace lanewise::ui
