// The warp microscope: from the grid to a lane of one access of one warp, with the warp's whole
// life below.
#include "ui/code/code_panes.h"
#include "ui/desk/tools.h"
#include "ui/kit/widgets.h"
#include "ui/launch/zoom.h"
#include "ui/picture/moments.h"
#include "ui/picture/view_scrub.h"
#include "ui/state/views.h"

namespace lanewise::ui {

void draw_access(App& app) {
    if (!app.arrived.picture) return;
    if (app.tools->in_pane && app.chosen().zoom == Zoom::warp) return draw_moments(app);
    begin_above_scrubber(app);
    bool about_access = app.chosen().zoom == Zoom::warp || app.chosen().zoom == Zoom::lane;
    bool alone = app.tools->presenter.on;  // the scrubber says where the warp stands
    if (!alone && about_access) draw_access_list(app, space_shown(app));
    if (!alone && !about_access) {
        draw_place(app, Space::global);
        gap(12);
    }
    if (app.chosen().zoom == Zoom::warp)
        draw_moments(app);
    else
        draw_zoomed(app);
    if (about_access && !alone) draw_access_code(app);
    end_above_scrubber(app);
}

}  // namespace lanewise::ui
