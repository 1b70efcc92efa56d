// What a class handed in: a folder with a file or a folder for each student. Files are looked at
// and never run here. Links are not followed, and nothing outside the folder is read.
#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "course/stage.h"

namespace lanewise {

struct HandIn {
    std::string student;                       // the file's stem, or the folder's name
    std::vector<std::filesystem::path> files;  // .cu and .lanewise, in the order of their names
    std::vector<std::string> problems;         // whole sentences: what was left out, and why
    std::string handed_in;  // when the newest was written, "2026-12-01T09:30:00Z"
};

// In the order of the students' names. `where` may be one hand-in's file. Two of one name keep
// their ending: "ana" and "ana.lanewise". Throws Error(bad_input) where there is nothing to grade.
std::vector<HandIn> hand_ins_in(const std::filesystem::path& where);

// Larger files are left out: a source has a few kilobytes, a workspace some hundred.
inline constexpr uint64_t kMostHandIn = uint64_t{8} << 20;

// The one file for a stage: a .cu of the stage's name, or a workspace that holds something for it.
// Empty where there is none, or several; `problem` says so, and what to do.
std::filesystem::path file_for(const HandIn& hand_in, const Stage& stage, std::string& problem);

// Of a hand-in's source: the first include that leads out of its own folder and the compiler's, or
// whose name a macro makes; "" where there is none. Nothing that is handed in may read this machine.
std::string include_that_leads_out(const std::string& source);

// The source without comments and blanks: equal where two differ in nothing but their looks.
std::string bare_source(const std::string& source);

}  // namespace lanewise
