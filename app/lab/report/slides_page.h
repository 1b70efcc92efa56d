// A lesson's slides on paper (course/slides.h has them in order), and what a teacher needs beside them: one page of
// HTML each, which needs no script, no other file and no Lanewise, and prints a slide to a sheet.
#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "course/catalogue.h"
#include "course/path.h"
#include "course/scenes.h"
#include "lab/record/recording.h"

namespace lanewise {

struct SlideOptions {
    std::string theme = "projector";
    // Each question is followed by a slide with its answer. false: a handout, which has no pictures
    // and no notes either, since they tell what is asked.
    bool answers = true;
    bool notes = false;  // below each slide what is not for the class
};

struct LessonSlide {
    enum class Kind { title, scene, question, answer, task } kind = Kind::scene;
    std::string title, say, notes;
    std::string picture;               // HTML: figures, a table, lines of source; may be empty
    std::vector<std::string> choices;  // of a question and its answer
    int right = -1;                    // of an answer: into choices
    std::string explain;
};

// In order: the title with the aim, the scenes, the task. A scene that asks is a question, and with
// answers another slide behind it; one that moves is a slide for each of its moments. Interprets a
// block or the whole launch for each scene that shows counts or a picture. A picture that only the
// window has is named there. Throws Error(bad_input) for a lesson that cannot be read, or that has
// no scenes.
std::vector<LessonSlide> lesson_slides(const Catalogue& catalogue, const Stage& stage,
                                       const std::vector<Recording>& recordings,
                                       const SlideOptions& options);

// The whole deck, one screen high each: Page Down goes from slide to slide.
std::string slides_html(const std::string& title, const std::vector<LessonSlide>& slides,
                        const SlideOptions& options);

// For the teacher: aim, time, what comes before, the question with the belief behind each wrong
// choice, what to say at each scene, the task with its hints and its solution, and what is next.
// Two pages printed. Throws as lesson_slides().
std::string guide_html(const Catalogue& catalogue, const Stage& stage,
                       const std::vector<LessonSlide>& slides);

// "transpose-30_padded-slides.html".
std::string slides_file(const Stage& stage);
std::string guide_file(const Stage& stage);

}  // namespace lanewise
