// The staircase as JSON, which also travels, and as CSV. Recorded ones are
// assets/recordings/staircase/<card>.json: they stand in where there is no GPU, and are labelled.
#pragma once
#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "lab/micro/staircase.h"

namespace lanewise {

inline constexpr int kStaircaseSchema = 1;

void to_json(nlohmann::json&, const Staircase&);
void from_json(const nlohmann::json&, Staircase&);  // throws nlohmann's exceptions

// One line per step: width, store, stage's or made up, wavefronts, cycles with percentiles, and
// what the card's cycles say in wavefronts, under a head that names the card.
std::string staircase_csv(const Staircase& staircase);

// Throws Error(bad_input) naming the file and what is wrong with it.
Staircase read_staircase(const std::filesystem::path& file);

// Of every readable file of the folder, by name; unreadable ones are named in `problems`. A folder
// that is not there has none.
std::vector<Staircase> read_staircases(const std::filesystem::path& folder,
                                       std::vector<std::string>& problems);

}  // namespace lanewise
