// The hardware's counters on the wire.
#include <nlohmann/json.hpp>

#include "lab/json/json.h"
#include "lab/measure/hardware_counts.h"

namespace lanewise {

void to_json(Json& json, const CounterReading& reading) {
    json = {{"values", reading.values},
            {"unknown", reading.unknown},
            {"passes", reading.passes},
            {"problem", reading.problem}};
}

void from_json(const Json& json, CounterReading& reading) {
    json.at("values").get_to(reading.values);
    json.at("unknown").get_to(reading.unknown);
    json.at("passes").get_to(reading.passes);
    json.at("problem").get_to(reading.problem);
}

static const char* name_of(CountComparison::Verdict verdict) {
    using Verdict = CountComparison::Verdict;
    switch (verdict) {
        case Verdict::equal:
            return "equal";
        case Verdict::explained:
            return "explained";
        case Verdict::differs:
            return "differs";
        default:
            return "hardware_only";
    }
}

void to_json(Json& json, const CountComparison& row) {
    json = {{"name", row.name},
            {"unit", row.unit},
            {"machine", nullptr},
            {"hardware", row.hardware},
            {"verdict", name_of(row.verdict)},
            {"words", row.words}};
    if (row.has_machine) json["machine"] = row.machine;
}

}  // namespace lanewise
