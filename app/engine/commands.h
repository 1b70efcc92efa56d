// The engine's commands: each function adds one to the command line, with its options and its help,
// and leaves the exit status in `status` when the command has run. Errors are thrown.
#pragma once
#include "engine/engine_command.h"

namespace lanewise {

// command_trace.cpp
void add_stages(EngineCommand& app, int& status);
void add_trace(EngineCommand& app, int& status);
void add_check(EngineCommand& app, int& status);
// command_why.cpp
void add_why(EngineCommand& app, int& status);
// command_picture.cpp
void add_picture(EngineCommand& app, int& status);
// command_grade.cpp
void add_grade(EngineCommand& app, int& status);
// command_assignment.cpp
void add_assignment(EngineCommand& app, int& status);
// command_ending.cpp
void add_ending(EngineCommand& app, int& status);
// command_export.cpp
void add_export(EngineCommand& app, int& status);
// command_launches.cpp
void add_launches(EngineCommand& app, int& status);
// command_glossary.cpp
void add_glossary(EngineCommand& app, int& status);
// command_run.cpp
void add_run(EngineCommand& app, int& status);
void add_bench(EngineCommand& app, int& status);
// command_step.cpp
void add_step(EngineCommand& app, int& status);
// command_calibrate.cpp
void add_calibrate(EngineCommand& app, int& status);
// command_occupancy.cpp
void add_occupancy(EngineCommand& app, int& status);
// command_probe.cpp
void add_probe(EngineCommand& app, int& status);
// command_prebuild.cpp
void add_prebuild(EngineCommand& app, int& status);
// command_tools.cpp
void add_rules(EngineCommand& app, int& status);
void add_report(EngineCommand& app, int& status);
void add_lesson(EngineCommand& app, int& status);
void add_doctor(EngineCommand& app, int& status);
void add_serve(EngineCommand& app, int& status);
void add_worker(EngineCommand& app, int& status);

}  // namespace lanewise
