// The window's command line.
#pragma once
#include <string>
#include <vector>

#include "course/stage.h"
#include "ui/part/kernel_form.h"

namespace lanewise::ui {

// What is chosen first, as far as it is given.
struct FirstSetting {
    std::string stage, type;
    std::vector<std::pair<std::string, int64_t>> knobs;  // --set, in order
    int64_t rows = 0, cols = 0;                          // 0: not given
    int64_t inner = kNoInner;                            // K of a product; kNoInner: not given
};

// Where a picture is written, and what was drawn in it; empty: nowhere.
struct WrittenFiles {
    std::string screenshot, boxes, texts, dump_widgets;
};

struct Options {
    std::string file;  // a kernel of the user's own
    KernelForm form;   // of it, where form_given
    bool form_given = false;
    FirstSetting setting;
    std::string view, theme, engine, compiler;
    std::string mode;                   // "learn", "workbench"; "": as it was left
    std::string predicted;              // "yes": no answer is hidden, "no": each is; "": as fits
    std::vector<std::string> commands;  // --do, in order: ids of commands.h
    float scale = 0;                    // 0: as remembered
    int width = 1440, height = 900;
    bool size_given = false, offscreen = false, list_views = false, run = false, edit = false;
    bool embed = false;  // one view and its setting, for a page within a page
    // The lesson is presented on two screens; of a picture, the class's in place of the teacher's.
    bool present = false, audience = false;
    WrittenFiles files;
};

struct ParsedOptions {
    Options options;
    bool finished = false;  // help or version was printed; end with `status`
    int status = 0;
};
// Throws Error(bad_input) with one sentence for anything that cannot be used.
ParsedOptions parse_options(int argc, char** argv);

}  // namespace lanewise::ui
