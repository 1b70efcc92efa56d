// What the window remembers: state_folder()/window.json.
#pragma once
#include <filesystem>
#include <map>
#include <string>

#include "ui/kernel_form.h"

namespace lanewise::ui {

struct WindowState {
    std::string theme = "dark";
    float scale = 1;
    std::string stage;  // the last one looked at
    int width = 1440, height = 900;
    struct Progress {
        std::string guess;    // the choice clicked; empty: none yet
        bool right = false;   // whether that guess was right
        bool passed = false;  // the gate
        bool operator==(const Progress&) const = default;
    };
    std::map<std::string, Progress> progress;   // by stage
    std::map<std::string, KernelForm> kernels;  // by file: how each was last looked at
    bool operator==(const WindowState&) const = default;
};

// Never throws. A missing file gives the defaults; one that cannot be read is renamed to
// window.json.bad, and `message` says so.
WindowState read_window_state(const std::filesystem::path& file, std::string& message);
// Never throws; `message` says what went wrong.
void write_window_state(const std::filesystem::path& file, const WindowState& state,
                        std::string& message);

}  // namespace lanewise::ui
