#include "hub/board.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/text.h"
#include "hub/page_files.h"

namespace lanewise {

namespace {

constexpr const char* kHead =
    "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\"><meta http-equiv=\"refresh\" "
    "content=\"5\"><meta name=\"color-scheme\" content=\"dark light\"><style>body{font:15px/1.5 "
    "system-ui,sans-serif;margin:1.5rem}table{border-collapse:collapse}td,th{padding:.25rem "
    ".9rem;text-align:left;border-bottom:1px solid #8884;vertical-align:top}td.n{text-align:right;"
    "font-variant-numeric:tabular-nums}</style>";

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

std::string board_html(const Board& board) {
    std::string title = html_text(board.title);
    std::string page = kHead;
    page += "<title>" + title + "</title></head><body><h1>" + title + "</h1>";
    page += fmt::format("<p>{} of {} connections.</p>", board.rows.size(), board.most_connections);
    page +=
        "<table><tr><th>student</th><th>stage</th><th>jobs</th><th>there for</th><th>processor</th>"
        "<th>memory</th></tr>";
    for (const BoardRow& row : board.rows) {
        std::string jobs;
        for (const std::string& job : row.jobs)
            jobs += (jobs.empty() ? "" : "<br>") + html_text(job);
        page += fmt::format(
            "<tr><td>{}</td><td>{}</td><td>{}</td><td class=n>{}</td><td class=n>{:.1f} s{}"
            "</td><td class=n>{}</td></tr>",
            html_text(row.name), html_text(row.stage), jobs, minutes(row.connected_s), row.cpu_s,
            row.gives_way ? ", gives way" : "", in_bytes(row.memory_bytes));
    }
    return page + "</table></body></html>\n";
}

std::string board_json(const Board& board) {
    nlohmann::json students = nlohmann::json::array();
    for (const BoardRow& row : board.rows)
        students.push_back({{"name", row.name},
                            {"stage", row.stage},
                            {"jobs", row.jobs},
                            {"connected_s", row.connected_s},
                            {"cpu_s", row.cpu_s},
                            {"memory_bytes", row.memory_bytes},
                            {"gives_way", row.gives_way}});
    nlohmann::json json = {{"title", board.title},
                           {"connections", board.rows.size()},
                           {"most_connections", board.most_connections},
                           {"students", students}};
    return json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

}  // namespace lanewise
