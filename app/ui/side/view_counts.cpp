// What the machine counted over the whole launch, beside the least that would do and what a
// profiler counted on the hardware.
#include <algorithm>

#include "base/text.h"
#include "ui/desk/tools.h"
#include "ui/kit/widgets.h"
#include "ui/plain/frame_text.h"
#include "ui/state/views.h"

namespace lanewise::ui {
namespace {

constexpr TextStyle kCell{11, Ink::text, Font::mono};
constexpr TextStyle kColumnHead{11, Ink::text_dim, Font::text};

struct Columns {
    float name, counted, ideal, measured;  // right edges, in pixels from the left
    bool names_above;  // the names do not fit beside the figures: they get lines of their own
};

// The columns of figures are as wide as the widest of them; the name gets the rest.
Columns columns_for(const App& app, bool measured) {
    float each = extent_of("measured", kColumnHead).x;
    for (const CountRow& count : app.derived.counts)
        for (uint64_t figure : {count.counted, count.ideal, count.measured})
            each = std::max(each, extent_of(with_thousands(figure), kCell).x);
    each += px(10);
    float width = available(), name = 0;
    for (const CountRow& count : app.derived.counts)
        name = std::max(name, extent_of(count.name, {11, Ink::text, Font::text}).x + px(4));
    if (!measured) return {width - 2 * each, width - each, width, width, name > width - 2 * each};
    return {width - 3 * each, width - 2 * each, width - each, width, name > width - 3 * each};
}

// `app`: its words of the glossary are marked; null for figures.
void cell(App* app, std::string_view text, TextStyle style, float left, float right,
          bool at_right) {
    ImVec2 origin = ImGui::GetCursorScreenPos();
    float height = line_height(style);
    std::string_view shown = fitted(text, style, right - left - px(2));
    float x = at_right ? origin.x + right - extent_of(shown, style).x : origin.x + left;
    const ImVec2 at(x, origin.y + (height - extent_of("X", style).y) / 2);
    const Rect room{origin.x + left, origin.y, origin.x + right + 1, origin.y + height};
    if (app)
        draw_label(*app, at, shown, style, room);
    else
        draw_text(at, shown, style, room);
}

void count_row(App& app, const Columns& c, const std::string_view (&texts)[4],
               const TextStyle (&styles)[4], bool measured) {
    if (c.names_above) {
        const TextStyle above{styles[0].points, Ink::text_dim, Font::text};
        cell(&app, texts[0], above, 0, available(), false);
        ImGui::Dummy(ImVec2(available(), line_height(above)));
    } else {
        cell(&app, texts[0], styles[0], 0, c.name, false);
    }
    cell(nullptr, texts[1], styles[1], c.name, c.counted, true);
    cell(nullptr, texts[2], styles[2], c.counted, c.ideal, true);
    if (measured) cell(nullptr, texts[3], styles[3], c.ideal, c.measured, true);
    ImGui::Dummy(ImVec2(available(), line_height(kCell)));
}

bool agree(const App& app) {
    return std::all_of(app.derived.counts.begin(), app.derived.counts.end(),
                       [](const CountRow& count) {
                           return !count.has_measured || count.measured == count.counted;
                       });
}

}  // namespace

void draw_counts(App& app) {
    if (app.derived.counts.empty()) {
        line(app.activity.busy() ? "Counting the whole launch …" : "Not counted.", kDim);
        return;
    }
    bool measured = false;
    for (const CountRow& count : app.derived.counts) measured = measured || count.has_measured;
    Columns columns = columns_for(app, measured);
    count_row(app, columns, {"whole launch", "counted", "ideal", "measured"},
              {kColumnHead, kColumnHead, kColumnHead, kColumnHead}, measured);
    for (const CountRow& count : app.derived.counts) {
        TextStyle name{11, Ink::text, Font::text}, figure = kCell;
        if (count.ideal > 0 && count.counted > count.ideal) figure.ink = Ink::warn;
        bool has_ideal = count.ideal > 0;
        TextStyle hardware = kCell;
        if (count.has_measured)
            hardware.ink = count.measured == count.counted ? Ink::good : Ink::bad;
        count_row(app, columns,
                  {count.name, kept_text(with_thousands(count.counted)),
                   has_ideal ? kept_text(with_thousands(count.ideal)) : "",
                   count.has_measured ? kept_text(with_thousands(count.measured)) : ""},
                  {name, figure, {11, Ink::text_dim, Font::mono}, hardware}, measured);
    }
    if (!app.derived.counts_compiler.empty()) paragraph(app.derived.counts_compiler, kDim);
    if (measured)
        paragraph(joined(app.derived.counts_source, agree(app) ? " Every count agrees." : ""),
                  kDim);
}

}  // namespace lanewise::ui
