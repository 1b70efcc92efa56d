// Lays a figure out again only where its contents, its width or the fonts have changed.
#pragma once
#include "ui/look/look.h"
#include "ui/state/app.h"

namespace lanewise::ui {

// `make` gives the Drawing; `revision` counts what it shows, up from one change to the next;
// `height`: what it should do with, 0 where that does not matter.
template <class Make>
const Drawing& laid_out_at(LaidOut& figure, uint64_t revision, float width, float height,
                           Make make) {
    float scale = look().fonts->scale();  // of what measures: a new size is baked a frame later
    if (figure.revision != revision || figure.width != width || figure.scale != scale ||
        figure.height != height)
        figure = {revision, width, scale, height, make(width)};
    return figure.drawing;
}

template <class Make>
const Drawing& laid_out(LaidOut& figure, const App& app, float width, Make make) {
    return laid_out_at(figure, app.revision, width, 0, make);
}

// The same for a figure of one moment of the warp's life, which changes with the scrubber too.
// Both counts only grow, so that their sum changes with either.
template <class Make>
const Drawing& laid_out_moment(LaidOut& figure, const App& app, float width, float height,
                               Make make) {
    return laid_out_at(figure, app.revision + app.scrub.moves, width, height, make);
}

}  // namespace lanewise::ui
