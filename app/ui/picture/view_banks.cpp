// Shared memory: the tile coloured by bank with the chosen warp's lanes on it, the same moment of
// other settings beside it, and the warp's whole life below.
#include "ui/desk/tools.h"
#include "ui/kit/widgets.h"
#include "ui/look/compact.h"
#include "ui/picture/moments.h"
#include "ui/picture/view_scrub.h"
#include "ui/state/views.h"

namespace lanewise::ui {
namespace {

// The first stage that has something to show here.
void offer_a_tile(App& app) {
    if (app.own) return paragraph("This kernel makes no access to shared memory.");
    paragraph(
        "This stage uses no shared memory: every element goes straight from one place in global "
        "memory to the other.",
        kBody);
    for (size_t i = 0; i < app.content.catalogue.stages().size(); ++i) {
        const Stage& stage = app.content.catalogue.stages()[i];
        if (!stage.has_tile || !stage.error.empty()) continue;
        gap(12);
        if (button("to tile", "Go to “" + stage.title + "”")) choose_stage(app, i);
        return;
    }
}

}  // namespace

void draw_banks(App& app) {
    if (app.own ? app.arrived.picture && app.derived.rows_of[1].empty() : !app.stage().has_tile)
        return offer_a_tile(app);
    if (!app.arrived.picture) return;
    if (app.tools->in_pane) return draw_moments(app);
    begin_above_scrubber(app);
    if (!app.tools->presenter.on) draw_access_list(app, space_shown(app));
    const bool little_room = is_compact() || in_little_room() || is_learning(app);
    if (!little_room) draw_pads(app);
    draw_moments(app);
    if (little_room) draw_pads(app);  // what is looked at comes first
    end_above_scrubber(app);
}

}  // namespace lanewise::ui
