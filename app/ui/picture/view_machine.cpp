// The machine: workers that wait together, a multiprocessor, the levels of memory.
#include <algorithm>

#include "ui/desk/tools.h"
#include "ui/instrument/machine.h"
#include "ui/kit/draw_figure.h"
#include "ui/kit/widgets.h"
#include "ui/launch/follow.h"
#include "ui/plain/frame_text.h"
#include "ui/state/laid_out.h"
#include "ui/state/views.h"

namespace lanewise::ui {

static constexpr float kWidestMachine = 1100;  // points

void draw_machine(App& app) {
    if (!app.arrived.picture) return;
    const std::span<const MachinePart> parts = machine_parts();
    if (!app.tools->presenter.on && !is_learning(app)) {  // there the lesson leads
        for (size_t i = 0; i < parts.size(); ++i) {
            if (i) flow(parts[i].title);
            if (button(joined("machine:", parts[i].id), parts[i].title,
                       {.selected = app.tools->machine_part == i})) {
                app.tools->machine_part = i;
                ++app.revision;
            }
        }
        gap(8);
    }
    const MachinePart& part = parts[app.tools->machine_part];
    const float point = look().pixels_per_point();
    const float width = std::min(kWidestMachine, available() / point);
    const float height = ImGui::GetContentRegionAvail().y / point - 6;
    static LaidOut kept;  // only one window draws
    const Drawing& drawing = laid_out_at(kept, app.revision, width, height, [&](float points) {
        return part.make(app, points, height);
    });
    follow_figure(app, draw_figure("machine figure", drawing));
}

}  // namespace lanewise::ui
