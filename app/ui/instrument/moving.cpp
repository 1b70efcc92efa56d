#include "ui/desk/moving.h"

#include <algorithm>

#include "figure/drawing/motion.h"
#include "ui/desk/tools.h"

namespace lanewise::ui {
namespace {

// Another drawing has taken the place of the last one.
void take_up(const App& app, MovingFigure& figure, const LaidOut& made, const void* of,
             int moment) {
    const bool turned = figure.of && figure.of != of && figure.moment == moment &&
                        figure.width == made.width && figure.scale == made.scale;
    if (turned && !app.saved.reduce_motion) {
        figure.before = std::move(figure.shown);
        const bool moves = Motion(figure.before, made.drawing).moves();
        figure.since = moves ? app.tools->moving.now : -1;
    } else if (figure.of != of || figure.moment != moment) {
        figure.since = -1;
    }
    figure.of = of;
    figure.moment = moment;
    figure.width = made.width;
    figure.scale = made.scale;
    figure.revision = made.revision;
    figure.shown = made.drawing;
}

}  // namespace

const Drawing& moving(App& app, const LaidOut& laid_out, const void* of, int moment) {
    Moving& all = app.tools->moving;
    MovingFigure& figure = all.figures[&laid_out];
    const bool other = figure.revision != laid_out.revision || figure.width != laid_out.width ||
                       figure.scale != laid_out.scale;
    if (other || figure.of != of) take_up(app, figure, laid_out, of, moment);
    if (figure.since < 0) return laid_out.drawing;
    const double part = (all.now - figure.since) / kMotionSeconds;
    if (part >= 1) {
        figure.since = -1;
        figure.before = figure.now = {};
        return laid_out.drawing;
    }
    figure.now = Motion(figure.before, laid_out.drawing).at(eased(part));
    return figure.now;
}

bool figures_move(const App& app) {
    const auto& figures = app.tools->moving.figures;
    return std::any_of(figures.begin(), figures.end(),
                       [](const auto& each) { return each.second.since >= 0; });
}

}  // namespace lanewise::ui
