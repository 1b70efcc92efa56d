// What the window remembers: state_folder()/window.json.
#pragma once
#include <filesystem>
#include <map>
#include <string>

#include "ui/part/kernel_form.h"

namespace lanewise::ui {

// The window's two modes (WindowState::mode).
inline constexpr const char* kLearn = "learn";          // the lesson leads
inline constexpr const char* kWorkbench = "workbench";  // everything at once

// The workbench's panes: what stands where, and how large, in points; 0: as large as it comes.
struct Panes {
    std::string side = "files";  // what the rail has opened on the left: "files", "issues",
                                 // "accesses"; empty: nothing
    std::string beside, below;   // views beside and below the chosen one; empty: none
    bool setting = true;         // the knobs and results on the right
    float side_width = 0, setting_width = 0, beside_width = 0, below_height = 0;
    std::string apart = {};  // the view in a window of its own, where the system has such; empty: none
    int apart_width = 960, apart_height = 720;  // of that window, as `width` and `height`
    bool code_hits = false;  // the code's columns are hits in the caches, where there is no room for both
    bool operator==(const Panes&) const = default;
};

struct WindowState {
    std::string theme = "dark";
    float scale = 1;
    std::string stage;  // the last one looked at
    std::string mode;   // "learn", "workbench"; empty: not yet chosen, and the workbench
    int width = 1440, height = 900;
    Panes panes;
    bool reduce_motion = false;  // what changes is shown at once
    // How the engine is started, and what it may do.
    struct Engine {
        std::string prefix;       // the command that starts it; empty: the one beside the program
        std::string gpu;          // by name; empty: the first
        double time_limit_s = 5;  // for one measurement's launches
        bool sandbox = false;     // kernels run in a sandbox, where one is installed
        std::string compiler;     // "nvrtc", "shipped", "clang"; empty: the first that is there
        bool operator==(const Engine&) const = default;
    } engine;
    struct Progress {
        std::string guess;    // the choice clicked; empty: none yet
        int confidence = 0;   // how sure of it, in percent; 0: not said
        bool known = false;   // whether the machine has said what is right
        bool right = false;   // whether that guess was
        bool passed = false;  // the gate
        bool second = false;  // the guess is, or will be, of the question's second form
        int hints = 0;        // how many of the gate's were taken
        std::vector<std::string> written = {};  // the tasks in code that passed, by size
        bool tested_out = false;  // known by its question, without its task (desk/path_walk.h)
        bool operator==(const Progress&) const = default;
    };
    std::map<std::string, Progress> progress;   // by stage
    std::map<std::string, KernelForm> kernels;  // by file: how each was last looked at
    bool operator==(const WindowState&) const = default;
};

// Never throws. A missing file gives the defaults, and one of an older version what it has. One
// that cannot be read, or that a newer version wrote, is set aside under a name of its own
// (window.json.bad, .bad-2, …; window.json.newer, …), and `message` says so: nothing is lost.
WindowState read_window_state(const std::filesystem::path& file, std::string& message);
// Never throws; `message` says what went wrong.
void write_window_state(const std::filesystem::path& file, const WindowState& state,
                        std::string& message);

}  // namespace lanewise::ui
