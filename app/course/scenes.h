// How a lesson is presented to a class: the scenes in its head, one after the other.
//   [[scene]]
//   title = "Where does the column lie?"
//   say = "One or two sentences."           may be left out, as what follows
//   show = "view:banks"                     any link of a lesson: what stands beside the words;
//                                           "question": the prediction's, hands up, and no more
//   set = ["PAD=0", "TILE=32"]              knobs, turned before it is shown
// Plain texts, as everywhere in the head (lesson.h).
#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "course/lesson.h"

namespace lanewise {

struct Scene {
    std::string title, say, show;
    std::vector<std::string> set;
    bool asks() const { return show == "question"; }
};

// Those of a lesson's text, none where it scripts none. Throws Error(bad_input), "FILE:LINE: …".
std::vector<Scene> parse_scenes(const std::string& text, const std::string& file);
// Those of a file; none where it cannot be read, since the lesson itself says so then.
std::vector<Scene> read_scenes(const std::filesystem::path& file);

// The lesson with its scenes as paragraphs of its body, so that lesson_problems() looks at them:
// links that lead nowhere, knobs that are not offered, figures that the app computes.
Lesson with_scenes(Lesson lesson, const std::vector<Scene>& scenes);

}  // namespace lanewise
