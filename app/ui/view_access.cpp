// The warp microscope: one global access of one warp, from its lanes to lines and sectors.
#include "ui/code_panes.h"
#include "ui/draw_figure.h"
#include "ui/laid_out.h"
#include "ui/views.h"
#include "ui/widgets.h"

namespace lanewise::ui {

void draw_access(App& app) {
    if (!app.picture) return;
    draw_access_list(app, Space::global);
    int row = chosen_row(app, Space::global);
    if (row < 0) return;
    const Picture& picture = *app.picture;
    float width = available() / look().pixels_per_point();
    const Drawing& drawing = laid_out(app.figures.access, app, width, [&](float points) {
        WarpFigureInput input;
        input.block = &picture.block;
        input.report = &picture.report;
        input.access = static_cast<int>(app.rows_of[0][static_cast<size_t>(row)].access);
        input.lane = app.choice.lane;
        input.element_bytes = picture.element_bytes;
        input.block_x = picture.launch.block.x;
        input.block_y = picture.launch.block.y;
        input.width = points;
        return warp_figure(input, window_measure());
    });
    follow_figure(app, draw_figure("warp", drawing));
    draw_access_code(app, Space::global);
}

}  // namespace lanewise::ui
