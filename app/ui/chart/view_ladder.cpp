// The ladder: one bar per stage, with the copy and the datasheet as lines. A click goes there.
#include "ui/kit/draw_figure.h"
#include "ui/kit/widgets.h"
#include "ui/launch/follow.h"
#include "ui/state/laid_out.h"
#include "ui/state/views.h"

namespace lanewise::ui {

void draw_ladder(App& app) {
    float width = available() / look().pixels_per_point();
    const Drawing& drawing = laid_out(app.sight.figures.ladder, app, width, [&](float points) {
        LadderFigureInput input = app.derived.ladder;
        input.width = points;
        return ladder_figure(input, window_measure());
    });
    follow_figure(app, draw_figure("ladder", drawing));
}

}  // namespace lanewise::ui
