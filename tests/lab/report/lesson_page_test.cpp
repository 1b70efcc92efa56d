// A lesson as a page: nothing outside it, numbers from the run, links that lead somewhere.
#include "lab/report/lesson_page.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <regex>

#include "../../has.h"
#include "../../shipped_stages.h"
#include "base/error.h"
#include "base/files.h"
#include "compile/compiler.h"
#include "course/lesson.h"
#include "course/lesson_lint.h"

namespace lanewise {
namespace {

// 8 requests of 32 sectors each, so 32 sectors per request.
ReportStage strided() {
    ReportStage entry;
    entry.stage.id = "transpose/05_strided";
    entry.stage.operation = "transpose";
    entry.stage.title = "Strided";
    entry.stage.file = "05_strided.cu";
    entry.stage.path = "05_strided.cu";
    entry.stage.source = "/*---\nhidden\n---*/\nif (a < b)\n    out[x] = in[y];\n";
    entry.analysis.correct = true;
    entry.analysis.rows = 33;
    entry.analysis.cols = 65;
    entry.analysis.type = "f32";
    entry.analysis.knobs = {{"TILE", 16}};
    entry.analysis.report.totals.global_store = {8, 8, 256, 32, 1024};
    entry.lesson = parse_lesson(R"(+++
title = "Far <apart>"
aim = "After this you can say why."
still_wrong = "All of it."
[predict]
question = "How many sectors does a store touch?"
answer = "sectors_per_request store"
choices = ["4", "32"]
explain = "Each lane its own."
[gate]
task = "Make it fewer."
catches = "Nothing can be done."
expect = "global_store.sectors < 10 * global_store.requests"
+++

A store touches {{sectors_per_request store}}. See [that line](<code:out[x]>), the
[next stage](stage:10_naive), [the tile](set:TILE=32) and [the picture](view:access).

- one
- two

1. first

> said by somebody
)",
                                entry.stage.id);
    EXPECT_EQ("", entry.lesson.error);
    return entry;
}

LessonPages pages_of(std::vector<ReportStage> stages) {
    LessonPages pages;
    pages.stages = std::move(stages);
    pages.rows = 33;
    pages.cols = 65;
    return pages;
}

TEST(LessonPage, StandsAlone) {
    LessonPages pages = pages_of({strided()});
    std::string page = lesson_html(pages.stages[0], pages);
    EXPECT_FALSE(has(page, "<script"));
    EXPECT_FALSE(has(page, "<link"));
    EXPECT_FALSE(std::regex_search(page, std::regex("(src|href)=\"(?!#)")));
    EXPECT_TRUE(has(page, "Far &lt;apart&gt;"));
    EXPECT_FALSE(has(page, "hidden"));
    EXPECT_TRUE(has(page, "33 x 65 elements, f32, TILE = 16."));
}

TEST(LessonPage, PutsTheNumbersIn) {
    LessonPages pages = pages_of({strided()});
    std::string page = lesson_html(pages.stages[0], pages);
    EXPECT_TRUE(has(page, "A store touches <b class=\"asked\">32</b>."));
    EXPECT_FALSE(has(page, "{{"));
    EXPECT_TRUE(has(page, "<details><summary>The answer</summary><p><b class=\"asked\">32</b>"));
    EXPECT_TRUE(has(page, "global_store.sectors &lt; 10 * global_store.requests"));
    EXPECT_TRUE(has(page, "Nothing can be done."));
}

TEST(LessonPage, AHandoutHasNoAnswers) {
    LessonPages pages = pages_of({strided()});
    pages.answers = false;
    std::string page = lesson_html(pages.stages[0], pages);
    EXPECT_FALSE(has(page, "The answer"));
    EXPECT_FALSE(has(page, "Each lane its own."));
    EXPECT_FALSE(has(page, "Nothing can be done."));
    EXPECT_TRUE(has(page, "&#9744; 32"));
}

TEST(LessonPage, SaysWhoseFigureItIsInAHandoutToo) {
    ReportStage entry = strided();
    entry.lesson = parse_lesson(R"(+++
title = "t"
aim = "a"
still_wrong = "s"
[predict]
question = "q"
answer = "TILE"
choices = ["1", "16"]
explain = "e"
[gate]
task = "t"
expect = "TILE == 16"
+++
The {{card.name}} has {{card.sm_count}} of them.
)",
                                entry.stage.id);
    ASSERT_EQ("", entry.lesson.error);
    LessonPages pages = pages_of({entry});
    pages.cards.resize(2);
    for (DeviceProfile& card : pages.cards) {
        card.sm_clock_mhz = 1000;
        card.costs.dram_latency_clocks = 1;
    }
    pages.cards[0].name = "First";
    pages.cards[1].name = pages.card = "Second";
    pages.cards[1].sm_count = 132;
    EXPECT_TRUE(
        has(lesson_html(entry, pages), "The Second has <b class=\"asked\">132</b> of them."));
    pages.answers = false;
    EXPECT_TRUE(
        has(lesson_html(entry, pages), "The Second has <b class=\"asked\">______</b> of them."));
}

TEST(LessonPage, LinksLeadToLinesAndToLessonsThatAreThere) {
    LessonPages alone = pages_of({strided()});
    std::string page = lesson_html(alone.stages[0], alone);
    EXPECT_TRUE(has(page, "<a href=\"#05_strided-L5\">that line</a>"));
    EXPECT_TRUE(has(page, "id=\"05_strided-L5\""));
    EXPECT_TRUE(has(page, "<span class=\"setting\">next stage</span>"));
    EXPECT_TRUE(has(page, "<span class=\"setting\">the tile</span>"));

    ReportStage naive = strided();
    naive.stage.id = "transpose/10_naive";
    naive.stage.path = naive.stage.file = "10_naive.cu";
    LessonPages both = pages_of({strided(), naive});
    page = lesson_html(both.stages[0], both);
    EXPECT_TRUE(has(page, "<a href=\"transpose-10_naive.html\">next stage</a>"));
    EXPECT_TRUE(has(class_html(both), "<a href=\"transpose-05_strided.html\">"));
}

TEST(LessonPage, ListsAreListsAndQuotesAreQuotes) {
    LessonPages pages = pages_of({strided()});
    std::string page = lesson_html(pages.stages[0], pages);
    EXPECT_TRUE(std::regex_search(
        page,
        std::regex("<ul>\n<li[^>]*>one</li>\n<li[^>]*>two</li>\n</ul>\n<ol>\n<li[^>]*>first")));
    EXPECT_TRUE(has(page, "<blockquote>"));
}

// Of a library's call there is the setting to ask about, and no picture, count or finding.
TEST(LessonPage, ACallOfALibrarySaysThatThereIsNothingToInterpret) {
    ReportStage call = strided();
    call.stage.library = "cublas_geam";
    call.error = nothing_to_interpret(call.stage);
    call.lesson.predict.answer = "rows * cols";  // 33 * 65
    LessonPages pages = pages_of({call});
    std::string page = lesson_html(pages.stages[0], pages);
    EXPECT_TRUE(has(page, "transpose/05_strided is a library's call"));
    EXPECT_TRUE(has(page, "there is nothing to interpret"));
    EXPECT_TRUE(has(page, "<summary>The answer</summary><p><b class=\"asked\">2,145</b>"));
    EXPECT_FALSE(has(page, "computed by interpreting"));
    EXPECT_TRUE(has(page, "<h2>Do it</h2>"));
    EXPECT_TRUE(has(page, "id=\"05_strided-L5\""));
    EXPECT_FALSE(has(page, "class=\"bad\""));
    EXPECT_FALSE(has(page, "id=\"pictures\""));
}

TEST(LessonPage, EveryLessonOfTheCatalogueBecomesAPage) {
    std::filesystem::path out =
        std::filesystem::temp_directory_path() / ("lanewise-lessons-" + std::to_string(::getpid()));
    const Catalogue& catalogue = shipped_stages();
    std::string page = read_file(write_lessons(out, catalogue, {}, {}, 64, 64, true).string());
    for (const Stage& stage : catalogue.stages()) {
        EXPECT_TRUE(has(page, lesson_file(stage))) << stage.id;
        std::string lesson = read_file((out / lesson_file(stage)).string());
        EXPECT_FALSE(has(lesson, "{{")) << stage.id;
        // What needs headers can be told only where they are, or where it was compiled before.
        EXPECT_TRUE(!stage.headers.empty() || has(lesson, "<h2>Predict</h2>")) << stage.id;
    }
    std::filesystem::remove_all(out);
}

// Neither explanations nor hints, nor the fix, nor a number where a lesson asks for one.
void expect_no_answers(const Lesson& lesson, const Stage& stage, const std::string& page) {
    auto hidden = [&](const std::string& text) {
        EXPECT_FALSE(!text.empty() && has(page, text)) << lesson.stage << ": " << text;
    };
    hidden(lesson.predict.explain);
    for (const Prediction* asked : {&lesson.predict, &lesson.again})
        for (const Prediction::Wrong& wrong : asked->wrong) hidden(wrong.because);
    hidden(lesson.again.explain);
    hidden(lesson.gate.catches);
    for (const std::string& hint : lesson.gate.hints) hidden(hint);
    for (const WriteTask& task : lesson.write)
        for (const std::string& hint : task.gate.hints)  // the last may be the stage's own code
            if (!has(stage.source, hint)) hidden(hint);
    for (size_t i = 0; i < lesson.blocks.size(); ++i)
        for (const LessonRun& run : lesson.blocks[i].runs)
            if (lesson.tells_fix[i] && run.text.size() > 30) hidden(run.text);
    for (const Change& change : lesson.gate.solution)
        if (change.replace.size() > 30) hidden(change.replace);
    std::regex asked("class=\"asked\">([^<]*)<");
    for (std::sregex_iterator found(page.begin(), page.end(), asked), end; found != end; ++found)
        EXPECT_EQ("______", (*found)[1].str()) << lesson.stage;
    EXPECT_FALSE(has(page, "id=\"pictures\"")) << lesson.stage;
    EXPECT_FALSE(has(page, "The answer")) << lesson.stage;
}

TEST(LessonPage, AHandoutHoldsNoAnswer) {
    std::filesystem::path out =
        std::filesystem::temp_directory_path() / ("lanewise-handout-" + std::to_string(::getpid()));
    const Catalogue& catalogue = shipped_stages();
    write_lessons(out, catalogue, {}, {}, 64, 64, false);
    for (const Stage& stage : catalogue.stages()) {
        Lesson lesson = read_lesson(lesson_path(catalogue, stage), stage.id);
        expect_no_answers(lesson, stage, read_file((out / lesson_file(stage)).string()));
    }
    std::filesystem::remove_all(out);
}

TEST(LessonPage, AnUnknownStageIsNamed) {
    const Catalogue& catalogue = shipped_stages();
    EXPECT_THROW(write_lessons("unused", catalogue, {}, {"33_padded"}, 64, 64, true), Error);
}

}  // namespace
}  // namespace lanewise
