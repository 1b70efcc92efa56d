// Why a launch takes as long as it does, as JSON: what `why --json` prints, and what travels.
#pragma once
#include <nlohmann/json_fwd.hpp>

#include "lab/analysis/cause_table.h"

namespace lanewise {

void to_json(nlohmann::json&, const TimeCause&);
void from_json(const nlohmann::json&, TimeCause&);  // throws nlohmann's exceptions
void to_json(nlohmann::json&, const LineShare&);
void from_json(const nlohmann::json&, LineShare&);
void to_json(nlohmann::json&, const LineHits&);
void from_json(const nlohmann::json&, LineHits&);
void to_json(nlohmann::json&, const CauseTable&);
void from_json(const nlohmann::json&, CauseTable&);

}  // namespace lanewise
