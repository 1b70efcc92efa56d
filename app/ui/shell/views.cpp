#include "ui/state/views.h"

#include <vector>

#include "base/error.h"
#include "base/text.h"
#include "ui/chart/view_speed.h"
#include "ui/desk/flow.h"
#include "ui/desk/forge.h"
#include "ui/instrument/machine.h"
#include "ui/instrument/step.h"
#include "ui/launch/charts.h"
#include "ui/launch/products.h"

namespace lanewise::ui {

// In menu order; keys 1 to 9 choose those in the middle.
static constexpr View kViews[] = {
    {"lesson", "Lesson", "Lesson", Place::left, draw_lesson},
    {"access", "Warp microscope", "Warp", Place::middle, draw_access},
    {"banks", "Shared memory", "Banks", Place::middle, draw_banks},
    {"code", "Code", "Code", Place::middle, draw_code},
    {"speed", "Speed", "Speed", Place::middle, draw_speed},
    {"charts", "Charts", "Charts", Place::middle, draw_charts, nullptr, check_chart, choose_chart},
    {"forge", "Swizzle forge", "Forge", Place::middle, draw_forge},
    {"flow", "Data flow", "Flow", Place::middle, draw_flow},
    {"product", "Product", "Product", Place::middle, draw_product, no_product, check_product_part,
     choose_product_part},
    {"machine", "Machine", "Machine", Place::middle, draw_machine, no_machine, check_machine_part,
     choose_machine_part},
    {"step", "Step", "Step", Place::middle, draw_step},
    {"timeline", "Timeline", "Time", Place::middle, draw_timeline},
    {"bytes", "Bytes", "Bytes", Place::middle, draw_bytes},
    {"issues", "Issues", "Issues", Place::middle, draw_issues},
    {"counts", "Counts", "Counts", Place::right, draw_counts},
    {"ladder", "Ladder", "Ladder", Place::right, draw_ladder},
};

std::span<const View> views() { return kViews; }

const View& find_view(const std::string& wanted) {
    std::string id = wanted.substr(0, wanted.find(':'));
    for (const View& view : kViews) {
        if (id != view.id) continue;
        if (id == wanted) return view;
        if (!view.check_part)
            throw Error(Status::bad_input,
                        "the view \"" + id + "\" has no parts; ask for it alone");
        view.check_part(wanted.substr(id.size() + 1));
        return view;
    }
    std::vector<std::string> ids;
    for (const View& view : kViews) ids.emplace_back(view.id);
    std::string near = closest(id, ids);
    throw Error(Status::bad_input, "no view \"" + id + "\"" +
                                       (near.empty() ? "" : "; did you mean \"" + near + "\"?") +
                                       " (lanewise --list-views lists them)");
}

}  // namespace lanewise::ui
