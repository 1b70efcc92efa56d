// The staircase: what a bank conflict costs in cycles, as this card's clock has it, or a recorded
// card's.
#include <algorithm>

#include "ui/kit/draw_figure.h"
#include "ui/kit/widgets.h"
#include "ui/launch/follow.h"
#include "ui/state/laid_out.h"
#include "ui/state/views.h"

namespace lanewise::ui {

static constexpr float kWidestStairs = 900;  // points

void draw_staircase(App& app) {
    section("WHAT A WAVEFRONT COSTS");
    std::string_view problem = why_not_run(app);
    if (button("staircase", "Time it on this card",
               {.enabled = problem.empty(),
                .tooltip = problem.empty()
                               ? "Time bank conflicts of every degree, and this kernel's own "
                                 "accesses of shared memory: no counter is needed"
                               : problem}))
        press_staircase(app);
    gap(8);
    float width = std::min(kWidestStairs, available() / look().pixels_per_point());
    const Drawing& drawing = laid_out(app.sight.figures.staircase, app, width, [&](float points) {
        StaircaseFigureInput input = app.derived.staircase;
        input.width = points;
        return staircase_figure(input, window_measure());
    });
    follow_figure(app, draw_figure("staircase figure", drawing));
    gap(12);
}

}  // namespace lanewise::ui
