// What is asked for of the chosen setting: its picture and those beside it, its counts, its
// paddings, its runs. The functions of the rows, one group for each (requests.h says what each
// function does).
#pragma once
#include "ui/state/requests.h"

namespace lanewise::ui {

using Parameters = std::optional<nlohmann::json>;

// {job, block}: of the chosen setting and block.
nlohmann::json at_block(const App& app);

// What the compiler says of the text that is typed, before its picture is there.
Parameters ask_check(App& app, const RequestTurn&);
void take_check(App& app, const nlohmann::json& result, const nlohmann::json& asked);
void fail_check(App& app, const Answer& answer, const nlohmann::json& asked);

Parameters ask_picture(App& app, const RequestTurn&);
double picture_due(const App& app, const RequestTurn&);
// Of the picture and the counts.
void fail_setting(App& app, const Answer& answer, const nlohmann::json& asked);

// Of the one at `place` of app.beside.
Parameters ask_comparison(App& app, size_t place);
double comparison_due(const App& app, size_t place);
// Of a comparison and the paddings: the setting itself may be one that was compiled before.
void fail_beside(App& app, const Answer& answer, const nlohmann::json& asked);

// A turned knob is drawn at once; the whole launch is counted once the hand rests.
Parameters ask_counts(App& app, const RequestTurn& turn);
double counts_due(const App& app, const RequestTurn& turn);

Parameters ask_pads(App& app, const RequestTurn& turn);
double pads_due(const App& app, const RequestTurn&);

// On the GPU, one at a time.
Parameters ask_run(App& app, const RequestTurn&);
Parameters ask_own_run(App& app, const RequestTurn&);
double run_due(const App& app, const RequestTurn&);
void take_run(App& app, const nlohmann::json& result, const nlohmann::json& asked);
void take_own_run(App& app, const nlohmann::json& result, const nlohmann::json& asked);
void fail_run(App& app, const Answer& answer, const nlohmann::json& asked);
Parameters ask_count(App& app, const RequestTurn&);
double count_due(const App& app, const RequestTurn&);
void take_count(App& app, const nlohmann::json& result, const nlohmann::json& asked);
Parameters ask_staircase(App& app, const RequestTurn&);
double staircase_due(const App& app, const RequestTurn&);
void take_steps(App& app, const nlohmann::json& result, const nlohmann::json& asked);
void fail_count(App& app, const Answer& answer, const nlohmann::json& asked);  // and a staircase

}  // namespace lanewise::ui
