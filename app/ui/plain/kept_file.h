// Files that the window keeps for the learner: never lost, whatever is in them.
#pragma once
#include <filesystem>
#include <string>

namespace lanewise::ui {

// Renames `file` so that nothing is overwritten: window.json.bad, window.json.bad-2, … Returns the
// new name, or `file` where it cannot be renamed.
std::filesystem::path set_aside(const std::filesystem::path& file, const std::string& suffix);

// "~" and "~/…" are in the home folder; blanks around it do not count.
std::filesystem::path path_typed(const std::string& text);

std::string date_now();  // ISO 8601, UTC: 2026-11-21T18:40:00Z

}  // namespace lanewise::ui
