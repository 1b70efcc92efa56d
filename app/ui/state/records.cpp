#include "ui/state/records.h"

#include <iterator>
#include <utility>

#include "lab/json/staircase_json.h"

namespace lanewise::ui {

template <typename Each>
static void add(std::vector<Each>& to, std::vector<Each> more) {
    to.insert(to.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
}

void read_records(App& app, const std::filesystem::path& content) {
    const std::filesystem::path folder = content / "assets" / "recordings";
    std::vector<std::string>& problems = app.said.notices;
    add(app.content.recordings, read_recordings(folder, problems));
    add(app.content.counter_recordings, read_counter_recordings(folder, problems));
    add(app.content.published, read_all_published(folder / "published", problems));
    add(app.content.staircases, read_staircases(folder / "staircase", problems));
}

}  // namespace lanewise::ui
