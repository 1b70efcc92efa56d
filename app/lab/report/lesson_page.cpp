// A lesson's page, from top to bottom: aim, question, text, pictures, counts, source, task, and
// what is still wrong.
#include "lab/report/lesson_page.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "base/files.h"
#include "base/text.h"
#include "course/lesson_lint.h"
#include "course/query.h"
#include "figure/drawing/svg.h"
#include "lab/job/devices.h"
#include "lab/report/page_parts.h"

namespace lanewise {
namespace {

using BlockKind = LessonBlock::Kind;

std::string answer_of(const ReportStage& entry, const LessonPages& pages,
                      const std::string& query) {
    const Analysis& run = entry.analysis;
    return answer_query(query,
                        counts_lookup(run.report.totals, run.knobs, run.rows, run.cols,
                                      element_bytes(run.type), run.inner),
                        card_of_figures(pages.cards, pages.card));
}

const ReportStage* find_entry(const LessonPages& pages, std::string_view name) {
    for (const ReportStage& entry : pages.stages)
        if (entry.stage.id == name || entry.stage.path.stem().string() == name) return &entry;
    return nullptr;
}

// The first line of the source that holds `quote`; 0 where none does.
int quoted_line(const Stage& stage, std::string_view quote) {
    size_t at = stage.source.find(quote);
    if (at == std::string::npos) return 0;
    return 1 + static_cast<int>(std::count(stage.source.begin(),
                                           stage.source.begin() + static_cast<long>(at), '\n'));
}

// Where a link of the program leads on paper: "#…", a file, or "" for a word of its own.
std::string target_of(const std::string& link, const ReportStage& entry, const LessonPages& pages) {
    size_t colon = std::min(link.find(':'), link.size());
    std::string_view what = std::string_view(link).substr(0, colon);
    std::string_view rest = std::string_view(link).substr(std::min(colon + 1, link.size()));
    if (what == "code") {
        int line = quoted_line(entry.stage, rest);
        return line == 0 ? "" : "#" + line_id(entry.stage, line);
    }
    if (what == "stage" || what == "lesson") {
        const ReportStage* other = find_entry(pages, rest);
        return other ? lesson_file(other->stage) : "";
    }
    if (what == "view")
        return pages.answers && (rest == "access" || rest == "banks") ? "#pictures" : "";
    return what == "http" || what == "https" ? link : "";
}

// A handout without answers leaves room for each number, and says whose card it is of.
std::string run_html(const LessonRun& run, const ReportStage& entry, const LessonPages& pages) {
    const bool is_told = pages.answers || run.query == kCardName;
    std::string html = escaped(run.query.empty() ? run.text
                               : is_told         ? answer_of(entry, pages, run.query)
                                                 : "______");
    if (!run.query.empty() && run.query != kCardName) html = "<b class=\"asked\">" + html + "</b>";
    if (run.code) html = "<code>" + html + "</code>";
    if (run.strong) html = "<strong>" + html + "</strong>";
    if (run.emphasis) html = "<em>" + html + "</em>";
    if (run.link.empty()) return html;
    std::string target = target_of(run.link, entry, pages);
    if (target.empty()) return "<span class=\"setting\">" + html + "</span>";
    return fmt::format("<a href=\"{}\">{}</a>", escaped(target), html);
}

std::string runs_html(const LessonBlock& block, const ReportStage& entry,
                      const LessonPages& pages) {
    std::string html;
    for (const LessonRun& run : block.runs) html += run_html(run, entry, pages);
    return html;
}

const char* list_tag(BlockKind kind) {
    return kind == BlockKind::bullet ? "ul" : kind == BlockKind::numbered ? "ol" : nullptr;
}

std::string block_html(const LessonBlock& block, const std::string& inner) {
    switch (block.kind) {
        case BlockKind::heading: {
            int level = std::clamp(block.level, 2, 4);  // the page's own title is the first
            return fmt::format("<h{0}>{1}</h{0}>\n", level, inner);
        }
        case BlockKind::paragraph:
            return "<p>" + inner + "</p>\n";
        case BlockKind::bullet:
        case BlockKind::numbered:
            return fmt::format("<li style=\"margin-left:{}em\">{}</li>\n",
                               2 * std::max(0, block.level - 1), inner);
        case BlockKind::code:
            return "<pre>" + inner + "</pre>\n";
        case BlockKind::quote:
            return "<blockquote>" + inner + "</blockquote>\n";
        case BlockKind::rule:
            return "<hr>\n";
    }
    return {};
}

std::string body_html(const ReportStage& entry, const LessonPages& pages) {
    std::string html;
    const char* open = nullptr;  // the list that is being written
    auto turn_to = [&](const char* tag) {
        if (open == tag) return;
        if (open) html += fmt::format("</{}>\n", open);
        if (tag) html += fmt::format("<{}>\n", tag);
        open = tag;
    };
    for (size_t i = 0; i < entry.lesson.blocks.size(); ++i) {
        if (!pages.answers && entry.lesson.tells_fix[i]) continue;
        const LessonBlock& block = entry.lesson.blocks[i];
        turn_to(list_tag(block.kind));
        html += block_html(block, runs_html(block, entry, pages));
    }
    turn_to(nullptr);
    return html;
}

std::string question_html(const ReportStage& entry, const LessonPages& pages) {
    const bool answers = pages.answers;
    const Prediction& predict = entry.lesson.predict;
    if (predict.question.empty()) return {};
    std::string html = "<section class=\"ask\"><h2>Predict</h2>\n" + paragraph(predict.question) +
                       "<ul class=\"choices\">";
    for (const std::string& choice : predict.choices)
        html += "<li>&#9744; " + escaped(choice) + "</li>";
    html += "</ul>\n";
    if (answers) {
        const bool number = asks_for_number(predict);
        html += fmt::format(
            "<details><summary>The answer</summary><p><b class=\"asked\">{}</b>{} "
            "{}</p></details>\n",
            escaped(number ? answer_of(entry, pages, predict.answer) : predict.answer),
            is_library_call(entry.stage) || !number ? "."
                                                    : ", computed by interpreting the kernel.",
            escaped(predict.explain));
    }
    if (answers && !predict.wrong.empty()) {
        html += "<details><summary>Why not the others</summary><ul>";
        for (const Prediction::Wrong& wrong : predict.wrong)
            html += fmt::format("<li><b>{}</b>: {}</li>", escaped(wrong.choice),
                                escaped(wrong.because));
        html += "</ul></details>\n";
    }
    return html + "</section>\n";
}

// What the task is there to catch stands on the teacher's page alone.
std::string task_html(const Gate& gate, bool answers) {
    if (gate.task.empty()) return {};
    std::string html = "<section class=\"ask\"><h2>Do it</h2>\n" + paragraph(gate.task);
    std::string counts =
        gate.expect.empty() ? "" : ", and <code>" + escaped(gate.expect) + "</code>";
    html +=
        "<p class=\"dim\">Judged at shapes of the program's own: the result is right, nothing is "
        "found" +
        counts + ".</p>";
    if (answers && !gate.catches.empty())
        html += "<p class=\"dim\">It catches the belief: " + escaped(gate.catches) + "</p>";
    return html + "</section>\n";
}

std::string pictures_html(const ReportStage& entry) {
    ReportInput one;
    one.rows = entry.analysis.rows;
    one.cols = entry.analysis.cols;
    one.type = entry.analysis.type;
    one.stages = {entry};
    std::string html;
    for (const ReportFigure& figure : report_figures(one))
        if (!figure.stage.empty()) html += figure_html(figure);
    return html.empty() ? "" : "<h2 id=\"pictures\">The pictures</h2>\n" + html;
}

std::string setting_words(const ReportStage& entry) {
    std::string words = fmt::format("Every number below: {} x {} elements, {}", entry.analysis.rows,
                                    entry.analysis.cols, entry.analysis.type);
    if (entry.analysis.inner != kNoInner) words += fmt::format(", K = {}", entry.analysis.inner);
    for (const auto& [name, value] : entry.analysis.knobs)
        words += fmt::format(", {} = {}", name, value);
    return words + ".";
}

constexpr const char* kLessonStyle =
    "<style>.ask{border:1px solid var(--border);border-left:4px solid var(--accent);"
    "padding:0 16px 8px;margin:24px 0}.ask h2{border:0;margin-top:8px;padding:0}"
    ".choices{list-style:none;padding:0;display:flex;flex-wrap:wrap;gap:8px 24px}"
    ".setting{border-bottom:1px dotted var(--text-dim)}blockquote{margin:16px 0;padding-left:16px;"
    "border-left:4px solid var(--border);color:var(--text-dim)}pre{overflow-x:auto}"
    "li{max-width:72ch}h2{margin-top:36px}@media print{h2{break-before:auto}.ask{break-inside:"
    "avoid}}ol.aims>li{margin:10px 0}</style>\n";

ReportStage entry_with_lesson(const Catalogue& catalogue, const Stage& stage,
                              const std::vector<Recording>& recordings, int64_t rows,
                              int64_t cols) {
    ReportStage entry = gather_stage(catalogue, stage, recordings, rows, cols);
    if (!entry.lesson.error.empty()) throw Error(Status::bad_input, entry.lesson.error);
    return entry;
}

}  // namespace

std::string lesson_file(const Stage& stage) {
    return stage.operation + "-" + stage.path.stem().string() + ".html";
}

std::string lesson_html(const ReportStage& entry, const LessonPages& pages) {
    const Lesson& lesson = entry.lesson;
    std::string html = kLessonStyle;
    if (pages.stages.size() > 1)
        html += "<p class=\"dim\"><a href=\"index.html\">The class</a></p>\n";
    html += "<h1>" + escaped(lesson.title) + "</h1>\n" + paragraph(lesson.aim);
    bool is_call = is_library_call(entry.stage) && entry.stage.error.empty();
    if (!entry.error.empty() && !is_call)
        return page_html(lesson.title, html + "<pre class=\"bad\">" + escaped(entry.error) +
                                           "</pre>\n" + body_html(entry, pages));
    html += paragraph(setting_words(entry), " class=\"dim\"");
    html += question_html(entry, pages) + body_html(entry, pages);
    if (is_call)
        html += paragraph(entry.error + ".", " class=\"dim\"");
    else if (pages.answers)  // they tell what the question asks
        html += pictures_html(entry) + counts_html(entry.analysis) +
                findings_html(entry.analysis.report);
    html += source_html(entry) + task_html(lesson.gate, pages.answers);
    // Of an exercise it names the fault.
    if (!lesson.still_wrong.empty() && (pages.answers || !is_exercise(entry.stage)))
        html += paragraph(still_wrong_label(lesson) + ": " + lesson.still_wrong);
    return page_html(lesson.title, html);
}

std::string class_html(const LessonPages& pages) {
    std::string html = kLessonStyle + std::string("<h1>The class</h1>\n<ol class=\"aims\">\n");
    for (const ReportStage& entry : pages.stages)
        html += fmt::format("<li>&#9744; <a href=\"{}\"><strong>{}</strong></a><br>{}</li>\n",
                            escaped(lesson_file(entry.stage)), escaped(entry.lesson.title),
                            escaped(entry.lesson.aim));
    return page_html("Lanewise: the class", html + "</ol>\n");
}

std::filesystem::path write_lessons(const std::filesystem::path& out, const Catalogue& catalogue,
                                    const std::vector<Recording>& recordings,
                                    const std::vector<std::string>& names, int64_t rows,
                                    int64_t cols, bool answers) {
    LessonPages pages;
    pages.rows = rows;
    pages.cols = cols;
    pages.answers = answers;
    pages.cards = device_profiles(catalogue.content());
    pages.card = device_in_use().name;
    std::vector<Stage> stages;
    for (const std::string& name : names) stages.push_back(catalogue.find(name));
    if (names.empty())
        for (const Stage& stage : catalogue.stages())
            if (std::filesystem::exists(lesson_path(catalogue, stage))) stages.push_back(stage);
    for (const Stage& stage : stages)
        pages.stages.push_back(entry_with_lesson(catalogue, stage, recordings, rows, cols));
    for (const ReportStage& entry : pages.stages)
        write_file(out / lesson_file(entry.stage), lesson_html(entry, pages));
    write_file(out / "index.html", class_html(pages));
    return out / "index.html";
}

}  // namespace lanewise
