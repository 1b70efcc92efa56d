#include "lab/change/fix_table.h"

#include "lab/change/fixes.h"
#include "lab/job/devices.h"

namespace lanewise {

FixTable fix_table(const Job& before, const FixTrial& trial) {
    FixTable table;
    table.card = device_in_use().name;
    if (!trial.before.holds) {
        table.sentence = trial.before.sentence;
        return table;
    }
    table.before_us = trial.before.time_us;
    for (const TriedFix& tried : trial.fixes) {
        TableFix fix;
        fix.title = tried.fix.title;
        fix.problem = tried.problem;
        if (tried.problem.empty() && tried.time.holds) {
            fix.time_us = tried.time.time_us;
            fix.low_us = tried.time.low_us;
            fix.high_us = tried.time.high_us;
            fix.faster = fix.time_us < (1 - kWorthAChange) * table.before_us;
        }
        fix.knobs = tried.fix.job.knobs;
        fix.diff = diff_of(before, tried.fix);
        if (tried.fix.changes_source) fix.source = tried.fix.job.stage.source;
        table.fixes.push_back(std::move(fix));
    }
    return table;
}

}  // namespace lanewise
