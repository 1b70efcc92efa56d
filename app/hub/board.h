// The teacher's board: who is there and what their engines do, as a page without scripts and as JSON.
#pragma once
#include <string>
#include <vector>

#include "hub/engine_session.h"

namespace lanewise {

struct BoardRow {
    std::string name, stage;
    std::vector<std::string> jobs;  // each as "measure: waiting for the GPU: …"
    double connected_s = 0, cpu_s = 0;
    uint64_t memory_bytes = 0;
    bool gives_way = false;
};

BoardRow board_row(const std::string& name, const EngineSession& session, double now_s);

struct Board {
    std::string title;
    std::vector<BoardRow> rows;  // by name
    int64_t most_connections = 0;
};

// Refreshes itself every few seconds.
std::string board_html(const Board& board);
// {title, connections, most_connections, students: [{name, stage, jobs, connected_s, cpu_s,
// memory_bytes, gives_way}]}
std::string board_json(const Board& board);

}  // namespace lanewise
