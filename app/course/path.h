// The path through the lessons: lessons/path.toml, sections of lessons in the order in which they
// are learned. What it names is the core; every other lesson is further.
//   [[section]]
//   title = "Shared memory and its banks"
//   lessons = [
//       { stage = "transpose/20_tiled", minutes = 35 },  one lesson, by its whole id
//       { all = "zero/*", minutes = 3 },                 or a course's, each of so many minutes;
//   ]                                                    those there are, in their order; maybe none
// minutes: how long a lesson is meant to take, from 1 to 240; the author's estimate.
#pragma once
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "course/stage.h"

namespace lanewise {

struct PathLesson {
    std::string stage;  // its id
    int minutes = 0;
    bool operator==(const PathLesson&) const = default;
};

struct PathSection {
    std::string title;
    std::vector<PathLesson> lessons;  // may be empty, where only a pattern stands
    bool operator==(const PathSection&) const = default;
};

struct Path {
    std::vector<PathSection> sections;
    std::string error;  // "FILE:LINE: …"; then there are no sections, and every lesson is further
};

// Neither throws: what cannot be read comes back with `error` set. A stage must be among `stages`,
// and may be named once, patterns included.
Path read_path(const std::filesystem::path& file, const std::vector<Stage>& stages);
Path parse_path(const std::string& text, const std::string& file, const std::vector<Stage>& stages);
// Where the path lies in the content folder.
std::filesystem::path path_file(const std::filesystem::path& content);

// The lesson as the path names it, or null: it is further.
const PathLesson* core_lesson(const Path& path, const std::string& stage);
// Places in `stages`: the core in the path's order, then all others in their own. Stages with an
// error are left out.
std::vector<size_t> in_path_order(const Path& path, const std::vector<Stage>& stages);

// What is asked of the learner's progress, by a stage's id.
using AskStage = std::function<bool(const std::string& stage)>;

// The place in `stages` of the lesson after the one at `from`. Of a core lesson it is the next of
// the core, and after the last the first that is further. Of a further one it is the first core
// lesson that is not done, and if all are, the next further one. Lessons that are `skipped` are
// passed over. Nothing at the end.
std::optional<size_t> next_on_path(const Path& path, const std::vector<Stage>& stages, size_t from,
                                   const AskStage& skipped, const AskStage& done);

// Of the core's lessons that are not done, the sum of minutes.
int minutes_left(const Path& path, const AskStage& done);
// "about 40 minutes", "about 9 hours", "about 2½ hours"; to five minutes below 90, then to half
// an hour. Zero gives nothing.
std::string duration_text(int minutes);

}  // namespace lanewise
