#include "engine/counters.h"

#include <nlohmann/json.hpp>

#include "base/error.h"
#include "lab/analysis/analysis.h"
#include "lab/json/json.h"

namespace lanewise {

CountedRun count_run(const WhereOptions& where, Job job, const std::string& arch,
                     const LaunchFacts& facts) {
    CountedRun counted;
    try {
        counted.reading = run_job(where, "count", {{"job", job}}).get<CounterReading>();
    } catch (const Error& error) {
        counted.reading.problem = error.what();
    }
    if (!counted.reading.problem.empty()) return counted;
    job.arch = arch;
    counted.rows = compare_counts(analyse(job).report.totals, counted.reading, facts);
    return counted;
}

Json counted_json(const CountedRun& counted) {
    Json json = counted.reading;
    json["rows"] = counted.rows;
    return json;
}

}  // namespace lanewise
