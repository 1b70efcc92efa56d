// Run: on which GPU, or why not; and Stop while it runs.
#include "ui/kit/widgets.h"
#include "ui/plain/frame_text.h"
#include "ui/state/views.h"

namespace lanewise::ui {

void draw_run(App& app) {
    std::string_view problem = why_not_run(app);
    if (app.activity.measurement) {
        if (button("cancel", "Stop", {.width = 88, .tooltip = "Stop the run  (Escape)"}))
            app.wanted.cancel = true;
    } else if (button("run", "Run",
                      {.kind = ButtonKind::primary,
                       .enabled = problem.empty(),
                       .width = 88,
                       .tooltip = problem.empty()
                                      ? "Launch, verify and time this kernel on the GPU  (R)"
                                      : problem})) {
        press_run(app);
    }
    same_line(12);
    std::string_view where = !app.engine.known        ? "Looking for a GPU …"
                             : app.engine.gpu.empty() ? "No GPU here"
                                                      : joined("on ", app.engine.gpu);
    TextStyle dim = kDim;
    ImVec2 at = ImGui::GetCursorScreenPos();
    float height = px(32), width = available();
    std::string_view shown = fitted(where, dim, width);
    draw_text(ImVec2(at.x, at.y + (height - extent_of("X", dim).y) / 2), shown, dim,
              {at.x, at.y, at.x + width, at.y + height});
    ImGui::Dummy(ImVec2(extent_of(shown, dim).x, height));
    tooltip(app.engine.problem);
}

}  // namespace lanewise::ui
