// A teacher's guide: what a lesson holds, in the order in which a teacher needs it.
#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "base/text.h"
#include "course/gate_cases.h"
#include "course/lesson_lint.h"
#include "figure/drawing/svg.h"
#include "lab/report/page_parts.h"
#include "lab/report/slide_pictures.h"
#include "lab/report/slides_page.h"

namespace lanewise {
namespace {

using Kind = LessonSlide::Kind;

// Minutes in front of a class: to look at a picture together, and to count hands and talk them over.
constexpr int kScene = 2, kQuestion = 4;

constexpr const char* kGuideStyle =
    "<style>main{font-size:14px}h2{margin-top:22px;padding-top:8px;font-size:18px}"
    "td,th{white-space:normal;vertical-align:top}td:first-child{white-space:nowrap}"
    "ol{padding-left:1.4em}@media print{h2{break-before:auto;border-top:1px solid var(--border)}"
    "tr{break-inside:avoid}@page{size:A4;margin:14mm}}</style>\n";

std::string row(const std::string& first, const std::string& second,
                const std::string& third = "") {
    std::string html = "<tr><td>" + first + "</td><td>" + second + "</td>";
    return html + (third.empty() ? "" : "<td>" + third + "</td>") + "</tr>\n";
}

// The right choice first, then each other with the belief behind it.
std::string question_table(const Prediction& question, std::optional<double> counted) {
    if (question.question.empty()) return {};
    const std::optional<size_t> right = right_choice(question, counted);
    std::string html = paragraph(question.question) + "<table><tbody>\n";
    auto add = [&](size_t i, const char* style) {
        html += row(fmt::format("<b{}>{}</b>", style, escaped(question.choices[i])),
                    escaped(explanation_of(question, question.choices[i])));
    };
    if (right) add(*right, " class=\"good\"");
    for (size_t i = 0; i < question.choices.size(); ++i)
        if (!right || i != *right) add(i, "");
    return html + "</tbody></table>\n";
}

std::string time_words(const Path& path, const Stage& stage,
                       const std::vector<LessonSlide>& slides) {
    int minutes = 0;
    for (const LessonSlide& slide : slides)
        minutes += slide.kind == Kind::question ? kQuestion
                   : slide.kind == Kind::scene  ? kScene
                                                : 0;
    std::string words =
        fmt::format("In front of the class {}: two minutes for a picture, four for a question.",
                    duration_text(minutes));
    if (const PathLesson* core = core_lesson(path, stage.id))
        words +=
            fmt::format(" With the task a learner needs {} in all.", duration_text(core->minutes));
    return words;
}

// The lesson that the path has before it.
std::string before_words(const Path& path, const Catalogue& catalogue, const Stage& stage) {
    const std::vector<Stage>& stages = catalogue.stages();
    const std::vector<size_t> order = in_path_order(path, stages);
    for (size_t i = 1; i < order.size(); ++i)
        if (stages[order[i]].id == stage.id) {
            const Stage& before = stages[order[i - 1]];
            const Lesson its = read_lesson(lesson_path(catalogue, before), before.id);
            return fmt::format("Before it: {} ({}). {}", its.title, before.id, its.aim);
        }
    return "It is the first lesson of the path.";
}

const char* what_it_is(Kind kind) {
    return kind == Kind::question ? "Hands up"
           : kind == Kind::answer ? "Answer"
           : kind == Kind::task   ? "Task"
                                  : "";
}

std::string slide_rows(const std::vector<LessonSlide>& slides) {
    std::string html = "<table><tbody>\n";
    for (size_t i = 0; i < slides.size(); ++i) {
        const LessonSlide& slide = slides[i];
        if (slide.kind == Kind::title ||
            (i > 0 && slide.title == slides[i - 1].title && slide.kind == slides[i - 1].kind))
            continue;  // of a scene that moves the first is enough
        std::string words =
            slide.kind == Kind::answer ? escaped(slide.explain) : escaped(slide.say);
        if (slide.kind == Kind::answer && slide.right >= 0)
            words = "<b class=\"good\">" +
                    escaped(slide.choices[static_cast<size_t>(slide.right)]) + "</b> " + words;
        if (!slide.notes.empty()) words += "<br><em>" + escaped(slide.notes) + "</em>";
        std::string name = escaped(slide.title);
        if (const char* kind = what_it_is(slide.kind); *kind && slide.title != "Your task")
            name +=
                std::string(name.empty() ? "" : "<br>") + "<span class=\"dim\">" + kind + "</span>";
        html += row(std::to_string(i + 1), name, words);
    }
    return html + "</tbody></table>\n";
}

std::string list(const std::vector<std::string>& items) {
    std::string html;
    for (const std::string& item : items) html += "<li>" + escaped(item) + "</li>";
    return html.empty() ? "" : "<ol>" + html + "</ol>\n";
}

std::string solution_html(const Gate& gate) {
    std::string html;
    for (const std::string& setting : gate.solved_at.set)
        html += (html.empty() ? "" : ", ") + ("<code>" + escaped(setting) + "</code>");
    if (!gate.solved_at.type.empty())
        html += (html.empty() ? "" : ", ") + ("<code>" + escaped(gate.solved_at.type) + "</code>");
    if (!html.empty()) html = "<p>One solution: " + html + ".</p>\n";
    for (const Change& change : gate.solution)
        html += "<p>One solution: in place of</p><pre>" + escaped(change.find) +
                "</pre><p>write</p><pre>" + escaped(change.replace) + "</pre>\n";
    return html;
}

std::string whole_task(const Lesson& lesson) {
    if (lesson.gate.task.empty()) return {};
    std::string html = "<h2>The task</h2>\n" + paragraph(lesson.gate.task);
    if (!lesson.gate.catches.empty())
        html += "<p>It catches the belief: <em>" + escaped(lesson.gate.catches) + "</em></p>\n";
    html += list(lesson.gate.hints) + solution_html(lesson.gate);
    for (const WriteTask& task : lesson.write) {
        html += fmt::format("<p><b>Write it, {}:</b> {}</p>\n",
                            task.size == "index"  ? "one index"
                            : task.size == "line" ? "one line"
                                                  : "the kernel",
                            escaped(task.gate.task));
        html += list(task.gate.hints);
    }
    return html;
}

}  // namespace

std::string guide_html(const Catalogue& catalogue, const Stage& stage,
                       const std::vector<LessonSlide>& slides) {
    const Lesson lesson = read_lesson(lesson_path(catalogue, stage), stage.id);
    if (!lesson.error.empty()) throw Error(Status::bad_input, lesson.error);
    const Path path = read_path(path_file(catalogue.content()), catalogue.stages());
    const std::vector<Recording> none;
    SlidePictures counts(catalogue, stage, none);
    auto counted = [&](const Prediction& question, const WantedSetting& at) {
        Scene scene;
        scene.set = at.set;
        scene.state.type = at.type;
        scene.state.rows = at.rows;
        scene.state.cols = at.cols;
        scene.state.inner = at.inner;
        return asks_for_number(question) ? counts.counted(scene, question.answer) : std::nullopt;
    };
    std::string html = kGuideStyle;
    html += "<h1>" + escaped(lesson.title) +
            "</h1>\n<p class=\"dim\">For the teacher: " + escaped(stage.id) + "</p>\n" +
            paragraph(lesson.aim);
    html += "<h2>Time, and what comes before</h2>\n" + paragraph(time_words(path, stage, slides)) +
            paragraph(before_words(path, catalogue, stage));
    html += "<h2>The question, and what learners believe</h2>\n" +
            question_table(lesson.predict, counted(lesson.predict, {}));
    if (!lesson.again.question.empty())
        html += "<p><b>Asked again, another day:</b></p>\n" +
                question_table(lesson.again, counted(lesson.again, lesson.again_at));
    html += "<h2>The slides</h2>\n" + slide_rows(slides) + whole_task(lesson);
    if (!lesson.still_wrong.empty())
        html += "<h2>What comes next</h2>\n" +
                paragraph(still_wrong_label(lesson) + ": " + lesson.still_wrong);
    return page_html(lesson.title + ": for the teacher", html);
}

}  // namespace lanewise
