// What was tried to make a launch faster, as JSON: what `why --try --json` prints under "fixes", and
// what travels.
#pragma once
#include <nlohmann/json_fwd.hpp>

#include "lab/change/fix_table.h"

namespace lanewise {

void to_json(nlohmann::json&, const TableFix&);
void from_json(const nlohmann::json&, TableFix&);  // throws nlohmann's exceptions
void to_json(nlohmann::json&, const FixTable&);
void from_json(const nlohmann::json&, FixTable&);

}  // namespace lanewise
