// The engine's commands: one file each, which puts itself into the list. None is named anywhere else.
//
//   static void add_why(EngineCommand& app, int& status) {
//       auto* command = app.add_subcommand("why", "what a launch's time is made of");
//       command->callback([&status] { status = …; });
//   }
//   static const CommandRow kWhy("why", "probe", add_why, Compiles::yes);
#pragma once
#include "engine/engine_command.h"

namespace lanewise {

enum class Compiles { no, yes };  // whether it compiles, so that one may choose with what

// It is in the list as long as it lives, which is as long as the program runs.
struct CommandRow {
    const char* name;
    const char* behind;  // the command that --help lists before it; "" for the first
    // Adds it to the command line, with its options and its help. When the command has run it leaves
    // the exit status in `status`; errors are thrown.
    void (*add)(EngineCommand& app, int& status);
    Compiles compiles;

    CommandRow(const char* name, const char* behind, void (*add)(EngineCommand&, int&),
               Compiles compiles = Compiles::no);
    CommandRow(const CommandRow&) = delete;
};

// All of the list, in order. Throws Error(failed_check) where one stands behind a command that there
// is not.
void add_commands(EngineCommand& app, int& status);

}  // namespace lanewise
