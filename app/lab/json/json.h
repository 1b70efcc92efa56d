// The results as JSON (and so as CBOR): one to_json/from_json pair per type that travels.
#pragma once
#include <nlohmann/json_fwd.hpp>

#include "lab/job/job.h"
#include "lab/job/measurement.h"
#include "lab/job/results.h"
#include "lab/measure/own_run.h"

namespace lanewise {

using Json = nlohmann::json;

void to_json(Json&, const Stage&);  // everything a remote engine needs
void from_json(const Json&, Stage&);
void to_json(Json&, const Job&);
void from_json(const Json&, Job&);
void to_json(Json&, const Picture&);
void from_json(const Json&, Picture&);
void to_json(Json&, const Analysis&);
void from_json(const Json&, Analysis&);
void to_json(Json&, const Counts&);
void from_json(const Json&, Counts&);
void to_json(Json&, const Finding&);
void from_json(const Json&, Finding&);
void to_json(Json&, const Printed&);
void from_json(const Json&, Printed&);
void to_json(Json&, const LaunchShape&);
void from_json(const Json&, LaunchShape&);
void to_json(Json&, const Occupancy&);
void from_json(const Json&, Occupancy&);
void to_json(Json&, const BandwidthPrediction&);
void from_json(const Json&, BandwidthPrediction&);
void to_json(Json&, const Issue&);
void from_json(const Json&, Issue&);
void to_json(Json&, const ProductError&);
void from_json(const Json&, ProductError&);
void to_json(Json&, const BlockSample&);
void from_json(const Json&, BlockSample&);
void to_json(Json&, const TracedBuffer&);
void from_json(const Json&, TracedBuffer&);
// recording.cpp has these eight:
void to_json(Json&, const Mismatch&);
void from_json(const Json&, Mismatch&);
void to_json(Json&, const Spread&);
void from_json(const Json&, Spread&);
void to_json(Json&, const Provenance&);
void from_json(const Json&, Provenance&);
void to_json(Json&, const Measurement&);
void from_json(const Json&, Measurement&);

// The object that `trace --json` prints: stage, rows, cols, params, correct, totals, lines,
// findings, compiler, occupancy, prediction, issues.
Json trace_json(const Analysis&);
// As to_json(), and where the registers are not known null for what depends on them, which is then
// below at_most.
Json occupancy_json(const Occupancy&);
// What `run --json` prints of a kernel from outside the catalogue.
Json own_run_json(const OwnMeasurement&);
// The same read back. Throws Json::exception where a field is missing or of another type.
OwnMeasurement own_run_from(const Json&);
// One element of what `stages --json` prints.
Json stage_json(const Stage&);

}  // namespace lanewise
