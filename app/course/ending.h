// What stands at the end of a course: lessons/endings.toml, one [[course]] for each whose lessons the
// path names.
//   [[course]]
//   course = "transpose"                  the folder of its lessons
//   learned = ["You can say why …"]       sentences, without a figure of any card
//   beware = "…"                         maybe: what the order of gains does not tell
//   [[course.not_worth]]                  what was tried and did not help
//   says = "A diagonal order of blocks …" without a figure: the recordings have it
//   stage = "50_diagonal"                 where it was tried, and with which knobs
//   set = ["ORDER=1"], type = "f16"
//   than = "50_diagonal"                  against what it is compared; a stage and its knobs
//   than_set = ["ORDER=0"], than_type
// A knob or type that is not named is the stage's own.
#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "course/catalogue.h"
#include "course/path.h"

namespace lanewise {

struct SetStage {
    std::string stage;  // its id
    std::string type;
    KnobValues knobs;  // all of them
    bool operator==(const SetStage&) const = default;
};

struct NotWorth {
    std::string says;
    SetStage tried, than;
};

struct Ending {
    std::string course;  // "transpose"
    std::vector<std::string> learned;
    std::string beware;               // maybe empty
    std::vector<NotWorth> not_worth;  // maybe none
};

struct Endings {
    std::vector<Ending> all;  // in the order of the file
    std::string error;        // "FILE:LINE: …"; then there are none

    const Ending* of(const std::string& course) const;  // null where there is none
};

// Neither throws: what cannot be read comes back with `error` set.
Endings read_endings(const Catalogue& catalogue);
Endings parse_endings(const std::string& text, const std::string& file, const Catalogue& catalogue);

// Places in `stages`: the lessons of this course that the path names, in its order. Exercises
// between them are of a course of their own.
std::vector<size_t> core_of_course(const Path& path, const std::vector<Stage>& stages,
                                   const std::string& course);

}  // namespace lanewise
