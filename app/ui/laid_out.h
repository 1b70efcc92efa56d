// Lays a figure out again only where its contents, its width or the fonts have changed.
#pragma once
#include "ui/app.h"
#include "ui/look.h"

namespace lanewise::ui {

// `make` gives the Drawing for a width in points.
template <class Make>
const Drawing& laid_out(LaidOut& figure, const App& app, float width, Make make) {
    float scale = look().fonts->scale();  // of what measures: a new size is baked a frame later
    if (figure.revision != app.revision || figure.width != width || figure.scale != scale)
        figure = {app.revision, width, scale, 0, make(width)};
    return figure.drawing;
}

// The same for a figure of one moment of the warp's life, which changes with the scrubber too.
// Both counts only grow, so that their sum changes with either. `height`: what it should do with,
// 0 where that does not matter.
template <class Make>
const Drawing& laid_out_moment(LaidOut& figure, const App& app, float width, float height,
                               Make make) {
    float scale = look().fonts->scale();  // of what measures: a new size is baked a frame later
    uint64_t revision = app.revision + app.scrub.moves;
    if (figure.revision != revision || figure.width != width || figure.scale != scale ||
        figure.height != height)
        figure = {revision, width, scale, height, make(width)};
    return figure.drawing;
}

}  // namespace lanewise::ui
