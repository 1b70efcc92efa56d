// "Save …": the shown picture as a file or over the clipboard, under a chart as under any other.
#include "ui/kit/widgets.h"
#include "ui/launch/charts.h"
#include "ui/state/views.h"

namespace lanewise::ui {
namespace {

struct FormatChip {
    const char *id, *title, *tooltip;
    const char* with_key;  // the same, where its key saves
    ChartFormat format;
    bool copies;
};
constexpr FormatChip kFormats[] = {
    {"save:png", "PNG", "A picture, twice as fine as the screen",
     "A picture, twice as fine as the screen  (P)", ChartFormat::png, false},
    {"save:svg", "SVG", "A picture that can be scaled", "A picture that can be scaled  (V)",
     ChartFormat::svg, false},
    {"save:csv", "CSV", "Its numbers", "Its numbers, with units and where they come from  (C)",
     ChartFormat::csv, false},
    {"copy:svg", "Copy SVG", "To the clipboard", "To the clipboard  (Shift V)", ChartFormat::svg,
     true},
    {"copy:csv", "Copy CSV", "To the clipboard", "To the clipboard  (Shift C)", ChartFormat::csv,
     true},
};

}  // namespace

void draw_save_button(App& app, PictureOf of, const char* id) {
    const Charts& c = charts(app);
    if (button(
            id, "Save …",
            {.selected = c.save_open && c.save_of == of,
             .tooltip = charts_shown(app) && of == PictureOf::view ? "As a picture or a table  (S)"
                                                                   : "As a picture or a table"}))
        toggle_save(app, of);
}

void draw_save_panel(App& app, PictureOf of) {
    if (!charts(app).save_open || charts(app).save_of != of) return;
    gap(6);
    begin_card("save chart");
    line("Save into", kDim);
    gap(2);
    text_field("save:folder", charts(app).folder, 0);
    gap(6);
    bool first = true, has_keys = charts_shown(app) && of == PictureOf::view;
    for (const FormatChip& each : kFormats) {
        if (!first) flow(std::string(each.title) + "XX");
        first = false;
        if (!button(each.id, each.title, {.tooltip = has_keys ? each.with_key : each.tooltip}))
            continue;
        if (each.copies)
            copy_picture(app, of, each.format);
        else
            save_picture(app, of, each.format);
    }
    end_card();
}

}  // namespace lanewise::ui
