#include "hub/board.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/text.h"
#include "hub/class_desk.h"
#include "hub/page_files.h"

namespace lanewise {

namespace {

constexpr const char* kHead =
    "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\"><noscript><meta "
    "http-equiv=\"refresh\" content=\"5\"></noscript><meta name=\"viewport\" "
    "content=\"width=device-width\"><meta name=\"color-scheme\" content=\"dark light\"><style>"
    "body{font:15px/1.5 system-ui,sans-serif;margin:1.5rem;max-width:75rem}"
    "h2{font-size:1.15rem;margin:1.6rem 0 .4rem}"
    "table{border-collapse:collapse}td,th{padding:.25rem .9rem .25rem "
    "0;text-align:left;border-bottom:1px solid #8884;vertical-align:top}"
    "td.n{text-align:right;font-variant-numeric:tabular-nums}"
    "form{display:flex;flex-wrap:wrap;gap:.5rem .8rem;align-items:end;margin:.4rem 0}"
    "label{display:grid;font-size:.85rem}input,textarea,button{font:inherit;padding:.2rem .5rem}"
    "textarea{width:16rem}.bar{display:grid;grid-template-columns:minmax(8rem,24rem) 12rem 3rem "
    "auto;gap:.2rem .8rem;align-items:center;margin:.2rem 0}"
    ".bar meter{width:100%}.late,#said{color:#c60}#said:empty{display:none}"
    "</style>";

// What the script fills and sends; without scripts it is not shown.
constexpr const char* kPoll =
    "<section id=\"poll-part\" hidden><h2>Poll</h2><div id=\"poll\" aria-live=\"polite\"></div>"
    "<p id=\"said\" role=\"alert\"></p>"
    "<form id=\"ask-stage\"><label>A stage, whose lesson asks <input name=\"stage\" required "
    "placeholder=\"30_padded\"></label><label>its question <input name=\"which\" type=\"number\" "
    "min=\"1\" max=\"99\" value=\"1\"></label><button>Ask the class</button></form>"
    "<form id=\"ask-own\"><label>A question of your own <input name=\"question\" size=\"40\" "
    "maxlength=\"500\"></label><label>its choices, one a line <textarea name=\"choices\" "
    "rows=\"4\" "
    "required>A\nB\nC\nD</textarea></label><button>Ask the class</button></form></section>";

std::string minutes(double seconds) {
    return fmt::format("{}:{:02}", static_cast<int>(seconds) / 60, static_cast<int>(seconds) % 60);
}

}  // namespace

BoardRow board_row(const std::string& name, const EngineSession& session, double now_s) {
    BoardRow row;
    row.name = name;
    row.stage = session.stage();
    for (auto& [id, open] : session.open())
        row.jobs.push_back(open.what.empty() ? open.method : open.method + ": " + open.what);
    row.connected_s = now_s - session.since_s();
    row.cpu_s = session.use().cpu_s;
    row.memory_bytes = session.use().resident_bytes;
    row.gives_way = session.gives_way();
    return row;
}

static std::string students_table(const Board& board) {
    std::string table =
        "<table id=\"students\"><tr><th>student</th><th>stage</th><th>jobs</th><th>there for</th>"
        "<th>processor</th><th>memory</th></tr>";
    for (const BoardRow& row : board.rows) {
        std::string jobs;
        for (const std::string& job : row.jobs)
            jobs += (jobs.empty() ? "" : "<br>") + html_text(job);
        table += fmt::format(
            "<tr><td>{}</td><td>{}</td><td>{}</td><td class=n>{}</td><td class=n>{:.1f} s{}"
            "</td><td class=n>{}</td></tr>",
            html_text(row.name), html_text(row.stage), jobs, minutes(row.connected_s), row.cpu_s,
            row.gives_way ? ", gives way" : "", in_bytes(row.memory_bytes));
    }
    return table + "</table>";
}

static std::string hand_ins_table(const Board& board) {
    std::string table =
        "<table id=\"hand-ins\"><tr><th>student</th><th>handed in, UTC</th><th></th><th>size</th>"
        "<th>earlier ones kept</th></tr>";
    for (const HandedIn& one : board.hand_ins)
        table += fmt::format(
            "<tr><td>{}</td><td>{}</td><td class=late>{}</td><td class=n>{}</td><td "
            "class=n>{}</td></tr>",
            html_text(one.student), one.time, one.late ? "late" : "", in_bytes(one.bytes),
            one.earlier);
    return table + "</table>";
}

// "32 (4), 2 (1)"
static std::string wrong_in_words(const PredictedStage& stage) {
    std::string words;
    for (const PredictedStage::Wrong& one : stage.wrong)
        words += fmt::format("{}{} ({})", words.empty() ? "" : ", ", one.choice, one.count);
    return words;
}

static std::string predictions_table(const Board& board) {
    std::string table =
        "<table id=\"predictions\"><tr><th>stage</th><th>answered</th><th>right</th>"
        "<th>chosen wrongly, and how often</th></tr>";
    for (const PredictedStage& stage : board.predicted)
        table += fmt::format(
            "<tr><td>{}</td><td class=n>{}</td><td class=n>{}</td><td>{}</td></tr>",
            html_text(stage.stage), stage.answered, stage.right, html_text(wrong_in_words(stage)));
    return table + "</table>";
}

std::string board_html(const Board& board) {
    std::string title = html_text(board.title);
    std::string page = kHead;
    page += "<title>" + title + "</title></head><body><h1>" + title + "</h1>";
    page += fmt::format("<p id=\"count\">{} of {} connections.</p>", board.rows.size(),
                        board.most_connections);
    page += kPoll;
    page += "<h2>Students</h2>" + students_table(board);
    page +=
        "<h2>Predictions</h2><p>Of each student the first answer to each lesson. What most get "
        "wrong comes first.</p>" +
        predictions_table(board);
    page += "<h2>Hand-ins</h2>";
    page += fmt::format("<p id=\"due\">{}</p>",
                        board.due.empty() ? "" : "Due " + html_text(board.due) + ".");
    page += hand_ins_table(board);
    return page + "<script src=\"board.js\"></script></body></html>\n";
}

nlohmann::json board_state(const Board& board) {
    nlohmann::json students = nlohmann::json::array();
    for (const BoardRow& row : board.rows)
        students.push_back({{"name", row.name},
                            {"stage", row.stage},
                            {"jobs", row.jobs},
                            {"connected_s", row.connected_s},
                            {"cpu_s", row.cpu_s},
                            {"memory_bytes", row.memory_bytes},
                            {"gives_way", row.gives_way}});
    nlohmann::json hand_ins = nlohmann::json::array();
    for (const HandedIn& one : board.hand_ins)
        hand_ins.push_back({{"student", one.student},
                            {"time", one.time},
                            {"late", one.late},
                            {"bytes", one.bytes},
                            {"earlier", one.earlier}});
    return {{"title", board.title},
            {"connections", board.rows.size()},
            {"most_connections", board.most_connections},
            {"students", students},
            {"due", board.due},
            {"hand_ins", hand_ins},
            {"poll", board.poll},
            {"predictions", predictions_json(board.predicted)}};
}

std::string board_json(const Board& board) {
    return board_state(board).dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

}  // namespace lanewise
