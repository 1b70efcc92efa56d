#include "engine/counters.h"

#include <nlohmann/json.hpp>

#include "base/error.h"
#include "lab/analysis/analysis.h"
#include "lab/json/json.h"
#include "lab/machine/prepared.h"
#include "ptx/grid_barrier.h"

namespace lanewise {

// A card's blocks load the grid's barrier (grid.sync()) until it is over, the machine's once.
static void explain_waiting(std::vector<CountComparison>& rows) {
    for (CountComparison& row : rows) {
        if (row.verdict != CountComparison::Verdict::differs ||
            !row.name.starts_with("global load") ||
            row.hardware < static_cast<double>(row.machine))
            continue;
        row.verdict = CountComparison::Verdict::explained;
        row.words = "blocks load the grid's barrier again while they wait";
    }
}

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
    if (ptx::waits_for_grid(prepare(job).kernel->kernel)) explain_waiting(counted.rows);
    return counted;
}

Json counted_json(const CountedRun& counted) {
    Json json = counted.reading;
    json["rows"] = counted.rows;
    return json;
}

}  // namespace lanewise
