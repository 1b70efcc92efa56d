// Source texts that are not the catalogue's: a kernel of the user's own, how its file is found, and
// the chosen stage in the editor.
#pragma once
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "course/stage.h"
#include "ui/part/kernel_form.h"

namespace lanewise::ui {

// A kernel from outside the catalogue, opened from its file. While there is one it stands in for
// the chosen stage.
struct OwnKernel {
    Stage stage;                 // own_stage()'s, of PTX ptx_stage()'s
    std::optional<PtxFile> ptx;  // where the file is one
    // In the source's order; of PTX as the file has them, the parameters of the chosen one alone.
    std::vector<KernelInSource> candidates;
    const KernelInSource* chosen() const;  // nullptr: the form names none
    KernelForm suggestion(
        size_t candidate) const;  // throws Error(bad_input) where PTX is unreadable
    const std::string& file() const { return ptx ? ptx->name : stage.file; }
    KernelForm form;                              // as typed
    std::map<std::string, std::string> problems;  // by field; kernel_form.h
    OwnLaunch launch;                             // of the last form without a problem
    std::vector<LaunchProposal> proposals;        // what its host code launches; none of PTX
};

// "Open kernel…": a folder, what is typed, and what of the folder fits it.
struct Chooser {
    bool open = false, focus_wanted = false;
    std::filesystem::path folder;
    std::string typed;  // the begin of a name, or a path
    struct Entry {
        std::string name;  // "..", "kernels/", "turn.cu"
        std::filesystem::path path;
        bool is_folder = false;
    };
    std::vector<Entry> entries;
    int selected = 0;
    int generation = 0;  // of the folder: the text field starts anew with each
};

// The chosen stage's source under the learner's hands (edits.h).
struct Editing {
    bool on = false;  // the code view shows the editor
    std::string text;
    bool changed = false;   // since it was last compiled
    std::string set_aside;  // the learner's version after a reset
    int generation = 0;     // another text than was typed: the text box starts anew
    std::map<std::string, std::string> texts;  // by stage: those that differ from the catalogue's
    std::filesystem::path folder;              // where they are kept; empty: in memory
    bool focus_wanted = false, show_changes = false, find_open = false;
    std::string find;
    size_t cursor = 0;   // in bytes of the text
    int go_to_line = 0;  // where the cursor is to be put, from 1; 0: nowhere
    // ---- what was typed is compiled when the hand rests
    double typed_at = -1;  // the last key that is not settled, in the window's seconds; -1: none
    std::string typed;     // the text then
    std::string checked;   // the last one that the compiler was asked about; empty: none
};

}  // namespace lanewise::ui
