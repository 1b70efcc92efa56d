// A lesson in front of a class: its slides in order, for a screen (ui/desk/presenter.h) and for paper
// (lab/report/slides_page.h). They are the lesson's scenes (scenes.h); where it has none, its parts in
// order are. What a slide shows beside its words is named, and whoever shows it makes it.
#pragma once
#include <string>
#include <vector>

#include "course/lesson.h"
#include "course/scenes.h"

namespace lanewise {

struct Slide {
    enum class Kind { title, question, part, task } kind = Kind::part;
    std::string title, say;
    std::vector<LessonBlock> blocks;  // below it, of a lesson without scenes
    std::string show;                 // a lesson's link; empty: words alone
    std::vector<std::string> set;     // "PAD=0"
    SceneState state = {};
    bool scripted = false;  // it sets everything: what it does not name is as the stage has it
    Prediction question = {};
    bool of_scene = false;    // the question is: its answer is asked for at the scene's setting
    std::string reveal = {};  // the link that is followed with the answer; empty: what is shown stays
    std::string notes = {};   // for whoever presents, and nobody else
};

// The title with the aim first, the task last. Only the title of a lesson that cannot be read.
std::vector<Slide> slides_of(const Lesson& lesson, const std::vector<Scene>& scenes);

}  // namespace lanewise
