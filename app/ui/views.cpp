#include "ui/views.h"

#include <vector>

#include "base/error.h"
#include "base/text.h"
#include "ui/charts.h"
#include "ui/view_speed.h"

namespace lanewise::ui {

// In menu order; keys 1 to 5 choose those in the middle.
static constexpr View kViews[] = {
    {"lesson", "Lesson", Place::left, draw_lesson},
    {"access", "Warp microscope", Place::middle, draw_access},
    {"banks", "Shared memory", Place::middle, draw_banks},
    {"code", "Code", Place::middle, draw_code},
    {"speed", "Speed", Place::middle, draw_speed},
    {"charts", "Charts", Place::middle, draw_charts},
    {"counts", "Counts", Place::right, draw_counts},
    {"ladder", "Ladder", Place::right, draw_ladder},
};

std::span<const View> views() { return kViews; }

const View& find_view(const std::string& wanted) {
    std::string id = wanted.substr(0, wanted.find(':'));
    if (id != wanted) check_chart(wanted.substr(id.size() + 1));
    std::vector<std::string> ids;
    for (const View& view : kViews) {
        if (id == view.id) return view;
        ids.emplace_back(view.id);
    }
    std::string near = closest(id, ids);
    throw Error(Status::bad_input, "no view \"" + id + "\"" +
                                       (near.empty() ? "" : "; did you mean \"" + near + "\"?") +
                                       " (lanewise --list-views lists them)");
}

}  // namespace lanewise::ui
