// The teacher's board: who is there and what their engines do, the poll, and what was handed in. As JSON, and
// as a page whose script (assets/class/board.js) asks for that JSON; without scripts it loads itself anew.
#pragma once
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "hub/engine_session.h"
#include "hub/hand_in_box.h"
#include "hub/predictions.h"

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
    std::string due = {};                        // of hand-ins; "": nothing is late
    std::vector<HandedIn> hand_ins = {};         // by name
    nlohmann::json poll = {};                    // as the teacher has it (class_desk.h)
    std::vector<PredictedStage> predicted = {};  // the one that most get wrong first
};

std::string board_html(const Board& board);
// {title, connections, most_connections, students: [{name, stage, jobs, connected_s, cpu_s,
// memory_bytes, gives_way}], due, hand_ins: [{student, time, late, bytes, earlier}], poll, predictions}
nlohmann::json board_state(const Board& board);
std::string board_json(const Board& board);  // the same, as a file's text

}  // namespace lanewise
