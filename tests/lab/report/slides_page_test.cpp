// A lesson's scenes as slides: what is asked, what is shown beside it, and what only the teacher sees.
#include "lab/report/slides_page.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "../../has.h"
#include "../../shipped_stages.h"
#include "base/error.h"
#include "course/lesson_lint.h"
#include "figure/drawing/svg.h"

namespace lanewise {
namespace {

using Kind = LessonSlide::Kind;

const Catalogue& catalogue() {
    return shipped_stages();
}
std::vector<LessonSlide> slides_of(const std::string& stage, const SlideOptions& options = {}) {
    return lesson_slides(catalogue(), catalogue().find(stage), {}, options);
}
std::vector<LessonSlide> those(const std::vector<LessonSlide>& slides, Kind kind) {
    std::vector<LessonSlide> found;
    std::copy_if(slides.begin(), slides.end(), std::back_inserter(found),
                 [&](const LessonSlide& slide) { return slide.kind == kind; });
    return found;
}

// With a padding of one a column of 32 floats is one wavefront; with two it is two.
TEST(Slides, AskThenAnswerAsTheMachineCounts) {
    const std::vector<LessonSlide> slides = slides_of("transpose/30_padded");
    EXPECT_EQ(Kind::title, slides.front().kind);
    EXPECT_EQ(Kind::task, slides.back().kind);
    const std::vector<LessonSlide> asked = those(slides, Kind::question),
                                   answered = those(slides, Kind::answer);
    ASSERT_EQ(2u, asked.size());
    ASSERT_EQ(2u, answered.size());
    ASSERT_EQ(0, answered[0].right);
    EXPECT_EQ("1", answered[0].choices[0]);
    ASSERT_EQ(1, answered[1].right);
    EXPECT_EQ("2", answered[1].choices[1]);
    // The picture that tells it comes with the answer.
    EXPECT_EQ("", asked[1].picture);
    EXPECT_TRUE(has(answered[1].picture, "<svg"));
    for (const LessonSlide& slide : asked) {
        EXPECT_EQ(-1, slide.right);
        EXPECT_EQ("", slide.explain);
    }
}

// A 16 x 16 tile serves each element to 16 multiplications; of a product, too, the machine is asked.
TEST(Slides, OfAProductAreAnsweredToo) {
    for (const LessonSlide& slide : those(slides_of("matmul/20_shared_tiles"), Kind::answer))
        EXPECT_GE(slide.right, 0) << slide.title << ": " << slide.say;
}

// Of every lesson: no answer, no reason for or against one, no picture that counts it, no notes.
TEST(Slides, OfAHandoutAnswerNothing) {
    SlideOptions options;
    options.answers = false;
    options.notes = true;
    EXPECT_TRUE(has(slides_html("t", slides_of("transpose/30_padded"), {}), "class=\"right\""));
    for (const Stage& stage : catalogue().stages()) {
        const std::filesystem::path file = lesson_path(catalogue(), stage);
        const Lesson lesson = with_scenes(read_lesson(file, stage.id), read_scenes(file));
        const std::vector<LessonSlide> slides = lesson_slides(catalogue(), stage, {}, options);
        EXPECT_TRUE(those(slides, Kind::answer).empty()) << stage.id;
        const std::string html = slides_html("t", slides, options);
        EXPECT_FALSE(has(html, "class=\"right\"") || has(html, "<svg")) << stage.id;
        EXPECT_FALSE(has(html, "class=\"notes\"")) << stage.id;
        std::vector<Prediction> asked = lesson.polls;
        asked.push_back(lesson.predict);
        for (const Prediction& question : asked) {
            EXPECT_FALSE(!question.explain.empty() && has(html, escaped(question.explain)))
                << stage.id;
            for (const Prediction::Wrong& wrong : question.wrong)
                EXPECT_FALSE(has(html, escaped(wrong.because))) << stage.id;
        }
    }
}

// Before the first of the five rounds, and after each.
TEST(Slides, OfASceneThatMovesAreOneForEachMoment) {
    const std::vector<LessonSlide> slides = slides_of("transpose/70_shuffle");
    std::vector<LessonSlide> rounds;
    for (const LessonSlide& slide : slides)
        if (slide.title == "Five rounds") rounds.push_back(slide);
    ASSERT_EQ(6u, rounds.size());
    EXPECT_TRUE(has(rounds[1].picture, "round 1: lane 0 exchanges with lane 16"));
    EXPECT_TRUE(has(rounds[5].picture, "round 5: lane 0 exchanges with lane 1,"));
}

// At 64 x 96 only the first row of 64 is right; the picture is the map of what is wrong.
TEST(Slides, OfAnExerciseShowWhereItIsWrong) {
    const std::vector<LessonSlide> answered =
        those(slides_of("pitfalls/103_wrong_stride"), Kind::answer);
    ASSERT_EQ(1u, answered.size());
    ASSERT_GE(answered[0].right, 0);
    EXPECT_EQ("64", answered[0].choices[static_cast<size_t>(answered[0].right)]);
    EXPECT_TRUE(has(answered[0].picture, "6,080 of 6,144 elements are wrong"));
    EXPECT_TRUE(has(answered[0].picture, "<svg"));
}

TEST(Slides, QuoteTheLineWithItsNumberAndWithoutItsMark) {
    const std::vector<LessonSlide> slides = slides_of("transpose/30_padded");
    const auto line = std::find_if(slides.begin(), slides.end(), [](const LessonSlide& slide) {
        return has(slide.picture, "class=\"marked\"");
    });
    ASSERT_NE(slides.end(), line);
    EXPECT_TRUE(has(line->picture,
                    "<tr class=\"marked\"><td>35</td><td>    __shared__ T tile[TILE][TILE + PAD];"
                    "</td></tr>"));
}

TEST(Slides, ShowNotesToTheTeacherAlone) {
    LessonSlide slide;
    slide.title = "Look";
    slide.notes = "Wait <long>.";
    SlideOptions options;
    EXPECT_FALSE(has(slides_html("t", {slide}, options), "Wait"));
    options.notes = true;
    EXPECT_TRUE(has(slides_html("t", {slide}, options), "<p>Wait &lt;long&gt;.</p>"));
    EXPECT_EQ("They wait.",
              parse_scenes("+++\n[[scene]]\ntitle = 'Look'\nnotes = 'They wait.'\n+++\n", "x.md")[0]
                  .notes);
}

TEST(Slides, OfAThemeThatThereIsNotAreRefused) {
    SlideOptions options;
    options.theme = "pink";
    EXPECT_THROW(slides_of("transpose/30_padded", options), Error);
}

// Beliefs, hints and the solution; the lesson before it; a question takes four minutes of a class and
// a picture two: two questions and four pictures.
TEST(Guide, HoldsWhatATeacherNeeds) {
    const Stage& stage = catalogue().find("transpose/30_padded");
    const std::vector<LessonSlide> slides = slides_of("transpose/30_padded");
    EXPECT_EQ(4u, those(slides, Kind::scene).size());
    const std::string html = guide_html(catalogue(), stage, slides);
    EXPECT_TRUE(has(html, "In front of the class about 15 minutes"));
    EXPECT_TRUE(has(html, "Before it: "));
    EXPECT_TRUE(has(html, "An even step reaches only every second bank."));
    EXPECT_TRUE(has(html, "A padding of one element suits every tile width."));
    EXPECT_TRUE(has(html, "<code>PAD=2</code>, <code>TILE=16</code>"));
    EXPECT_TRUE(has(html, "<b class=\"good\">1</b>"));
    EXPECT_FALSE(has(html, "<script"));
}

}  // namespace
}  // namespace lanewise
