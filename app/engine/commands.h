// The engine's commands: each function adds one to the command line, with its options and its help,
// and leaves the exit status in `status` when the command has run. Errors are thrown.
#pragma once
#include <CLI/CLI.hpp>

namespace lanewise {

// engine_trace.cpp
void add_stages(CLI::App& app, int& status);
void add_trace(CLI::App& app, int& status);
void add_check(CLI::App& app, int& status);
// command_why.cpp
void add_why(CLI::App& app, int& status);
// command_grade.cpp
void add_grade(CLI::App& app, int& status);
// command_ending.cpp
void add_ending(CLI::App& app, int& status);
// command_launches.cpp
void add_launches(CLI::App& app, int& status);
// command_glossary.cpp
void add_glossary(CLI::App& app, int& status);
// engine_measure.cpp
void add_run(CLI::App& app, int& status);
void add_bench(CLI::App& app, int& status);
// engine_calibrate.cpp
void add_calibrate(CLI::App& app, int& status);
// engine_occupancy.cpp
void add_occupancy(CLI::App& app, int& status);
// engine_probe.cpp
void add_probe(CLI::App& app, int& status);
// engine_prebuild.cpp
void add_prebuild(CLI::App& app, int& status);
// engine_tools.cpp
void add_rules(CLI::App& app, int& status);
void add_report(CLI::App& app, int& status);
void add_lesson(CLI::App& app, int& status);
void add_doctor(CLI::App& app, int& status);
void add_serve(CLI::App& app, int& status);
void add_worker(CLI::App& app, int& status);

}  // namespace lanewise
