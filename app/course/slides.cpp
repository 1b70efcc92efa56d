#include "course/slides.h"

namespace lanewise {
namespace {

std::string block_text(const LessonBlock& block) {
    std::string text;
    for (const LessonRun& run : block.runs) text += run.text;
    return text;
}

// The first link of the part that says what to look at.
std::string first_view(const std::vector<LessonBlock>& blocks) {
    for (const LessonBlock& block : blocks)
        for (const LessonRun& run : block.runs)
            if (run.link.starts_with("view:") || run.link.starts_with("code:")) return run.link;
    return "";
}

Slide words(Slide::Kind kind, const std::string& title, const std::string& say) {
    Slide slide;
    slide.kind = kind;
    slide.title = title;
    slide.say = say;
    return slide;
}

void add_parts(const Lesson& lesson, std::vector<Slide>& slides) {
    for (const LessonBlock& block : lesson.blocks) {
        bool heading = block.kind == LessonBlock::Kind::heading;
        if (heading || slides.back().kind != Slide::Kind::part) {
            slides.push_back(words(Slide::Kind::part, heading ? block_text(block) : "", ""));
            if (heading) continue;
        }
        slides.back().blocks.push_back(block);
    }
    for (Slide& slide : slides)
        if (slide.kind == Slide::Kind::part) slide.show = first_view(slide.blocks);
    if (!lesson.still_wrong.empty())
        slides.push_back(words(Slide::Kind::part, still_wrong_label(lesson), lesson.still_wrong));
}

// A scene that asks the lesson's prediction shows nothing beside it.
Slide slide_of(const Lesson& lesson, const Scene& scene) {
    const bool polls = !scene.poll.choices.empty();
    Slide slide = words(scene.asks() || polls ? Slide::Kind::question : Slide::Kind::part,
                        scene.title, scene.say);
    slide.show = scene.asks() ? "" : scene.show;
    slide.set = scene.set;
    slide.state = scene.state;
    slide.scripted = !scene.asks();
    slide.question = scene.asks() ? lesson.predict : scene.poll;
    slide.of_scene = polls;
    slide.reveal = scene.reveal;
    slide.notes = scene.notes;
    return slide;
}

}  // namespace

std::vector<Slide> slides_of(const Lesson& lesson, const std::vector<Scene>& scenes) {
    std::vector<Slide> slides = {words(Slide::Kind::title, lesson.title, lesson.aim)};
    if (!lesson.error.empty()) return slides;
    for (const Scene& scene : scenes) slides.push_back(slide_of(lesson, scene));
    if (scenes.empty()) {
        if (!lesson.predict.question.empty()) {
            slides.push_back(words(Slide::Kind::question, "", ""));
            slides.back().question = lesson.predict;
        }
        add_parts(lesson, slides);
    }
    if (!lesson.gate.task.empty())
        slides.push_back(words(Slide::Kind::task, "Your task", lesson.gate.task));
    return slides;
}

}  // namespace lanewise
