// The slides of a lesson, for a screen and for paper: in order, and nothing on them that tells an answer.
#include "course/slides.h"

#include <gtest/gtest.h>

#include "../shipped_stages.h"
#include "course/catalogue.h"
#include "course/lesson_lint.h"

namespace lanewise {
namespace {

const std::string kHead = R"(+++
title = "Padding"
aim = "After this you can pad."
still_wrong = "Single elements."
[predict]
question = "How many?"
answer = "PAD"
choices = ["1", "32"]
explain = "Because."
[gate]
task = "Do it."
expect = "PAD == 1"
)";

TEST(Slides, FollowTheLessonsPartsWhereNothingIsScripted) {
    Lesson lesson = parse_lesson(kHead +
                                     "+++\nFirst words, [shared](view:banks).\n\n## Why\n\nSo.\n\n"
                                     "- One\n\n## How\n\nThus.\n",
                                 "transpose/30_padded");
    std::vector<Slide> slides = slides_of(lesson, {});
    ASSERT_EQ(7u, slides.size());
    EXPECT_EQ(Slide::Kind::title, slides[0].kind);
    EXPECT_EQ("After this you can pad.", slides[0].say);
    EXPECT_EQ(Slide::Kind::question, slides[1].kind);
    EXPECT_EQ("", slides[2].title);  // what stands before the first heading
    EXPECT_EQ("view:banks", slides[2].show);
    EXPECT_EQ("Why", slides[3].title);
    EXPECT_EQ(2u, slides[3].blocks.size());
    EXPECT_EQ("", slides[3].show);
    EXPECT_EQ("How", slides[4].title);
    EXPECT_EQ("Single elements.", slides[5].say);
    EXPECT_EQ(Slide::Kind::task, slides[6].kind);
}

TEST(Slides, AreTheScenesWhereThereAreSome) {
    Lesson lesson = parse_lesson(kHead + "+++\n## Why\n\nSo.\n", "transpose/30_padded");
    std::vector<Slide> slides =
        slides_of(lesson, {{"Look", "", "view:banks", {"PAD=0"}}, {"", "", "question", {}}});
    ASSERT_EQ(4u, slides.size());
    EXPECT_EQ("Look", slides[1].title);
    EXPECT_EQ((std::vector<std::string>{"PAD=0"}), slides[1].set);
    EXPECT_EQ(Slide::Kind::question, slides[2].kind);
    EXPECT_EQ("", slides[2].show);
    EXPECT_EQ(Slide::Kind::task, slides[3].kind);
    // A lesson that cannot be read is said, not presented.
    EXPECT_EQ(1u, slides_of(parse_lesson("no head", "transpose/30_padded"), {}).size());
}

// What a slide says before the answer is asked for.
std::string said_by(const Slide& slide) {
    std::string text = slide.title + "\n" + slide.say + "\n" + slide.question.question + "\n";
    for (const LessonBlock& block : slide.blocks)
        for (const LessonRun& run : block.runs) text += run.text;
    return text;
}

TEST(Slides, CarryWhatAScenesQuestionAndItsTeacherNeed) {
    const Lesson lesson = parse_lesson(kHead + "+++\nSo.\n", "transpose/30_padded");
    Scene asks, polls;
    asks.show = "question";
    asks.notes = "Wait.";
    polls.title = "Two?";
    polls.say = "How many?";
    polls.show = "view:access";
    polls.reveal = "view:banks";
    polls.poll = {"How many?", "PAD", "So.", {"1", "2"}};
    const std::vector<Slide> slides = slides_of(lesson, {asks, polls});
    ASSERT_EQ(4u, slides.size());
    EXPECT_EQ("Wait.", slides[1].notes);
    EXPECT_EQ("How many?", slides[1].question.question);
    EXPECT_FALSE(slides[1].of_scene || slides[1].scripted);
    EXPECT_EQ(Slide::Kind::question, slides[2].kind);
    EXPECT_TRUE(slides[2].of_scene && slides[2].scripted);
    EXPECT_EQ("view:access", slides[2].show);
    EXPECT_EQ("view:banks", slides[2].reveal);
    EXPECT_EQ("So.", slides[2].question.explain);
}

// Neither explanations nor hints nor fixes, of any lesson that ships. An exercise's "still wrong"
// names its fault, so that is none of the slides' either.
TEST(Slides, HoldNoAnswers) {
    const Catalogue& catalogue = shipped_stages();
    size_t looked_at = 0;
    for (const Stage& stage : catalogue.stages()) {
        const std::filesystem::path file = lesson_path(catalogue, stage);
        const Lesson lesson = read_lesson(file, stage.id);
        std::vector<std::string> hidden = {lesson.predict.explain, lesson.again.explain,
                                           lesson.gate.catches};
        for (const Prediction* asked : {&lesson.predict, &lesson.again})
            for (const Prediction::Wrong& wrong : asked->wrong) hidden.push_back(wrong.because);
        for (const std::string& hint : lesson.gate.hints) hidden.push_back(hint);
        for (const WriteTask& task : lesson.write)
            for (const std::string& hint : task.gate.hints) hidden.push_back(hint);
        for (const Change& change : lesson.gate.solution) hidden.push_back(change.replace);
        for (const Scene& scene : read_scenes(file)) hidden.push_back(scene.poll.explain);
        if (is_exercise(stage)) hidden.push_back(lesson.still_wrong);
        for (const Slide& slide : slides_of(lesson, read_scenes(file)))
            for (const std::string& answer : hidden)
                if (answer.size() > 12 && said_by(slide).find(answer) != std::string::npos)
                    ADD_FAILURE() << stage.id << ", " << slide.title << ": " << answer;
        ++looked_at;
    }
    EXPECT_EQ(catalogue.stages().size(), looked_at);
}

}  // namespace
}  // namespace lanewise
