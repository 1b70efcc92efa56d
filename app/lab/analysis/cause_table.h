// Why a launch takes as long as it does, by the model of launches (model/launch_time.h), as it is
// listed: plain data, which travels. launch_timing.h makes it.
#pragma once
#include <string>
#include <vector>

namespace lanewise {

// Names of causes of which the counts of a line say more.
inline constexpr const char* kConflictsCause = "bank conflicts in shared memory";
inline constexpr const char* kSectorsCause = "sectors that are used in part";
inline constexpr const char* kClockCause = "tensor cores' slower clock";

// One reason why a launch takes as long as it does.
struct TimeCause {
    std::string name;
    double us = 0;    // that the launch would take less without it, all else as it is
    int line = 0;     // of the source, where it is worst; 0: of no line
    std::string fix;  // what helps, as a clause; "" where that is not known
    bool operator==(const TimeCause&) const = default;
};

// What the loads of one source line find in the model's caches: sectors of the whole launch, and the
// share of them that is there, 0 to 1. L2 is asked for what L1 does not have; what a launch before
// has left there counts as missed.
struct LineHits {
    std::string file;  // as in LineReport
    int line = 0;
    double l1_sectors = 0, l1_hit = 0;
    double l2_sectors = 0, l2_hit = 0;
    bool operator==(const LineHits&) const = default;
};

// How much of the warps' time passes at one source line, 0 to 1: issuing, waiting for what its
// instructions read, at its barriers. A result is waited for where it is used, not where it is loaded.
// Lines of which nothing passes are left out.
struct LineShare {
    std::string file;  // as in LineReport
    int line = 0;
    double share = 0;
    bool operator==(const LineShare&) const = default;
};

struct CauseTable {
    std::string card;  // that the model is for
    // False: nobody has measured the operations of this card, and `sentence` says what to do.
    bool is_calibrated = true;
    bool holds = false;    // else there is no number below
    std::string sentence;  // why it does not hold, or what the range comes from
    double time_us = 0, low_us = 0, high_us = 0;
    std::string limited_by;
    std::vector<TimeCause> causes;  // the most expensive first; those of less than 1 % left out
    double without_us = 0;          // without all of them at once
    double launch_us = 0;           // of these, what any launch takes
    double l1_hit = 0, l2_hit = 0;  // as LaunchTime has them
    double dram_read_bytes = 0;
    double instructions = 0;  // of the machine code, of all warps; 0: there is no machine code
    std::vector<LineHits> lines;  // that load from global memory, in order
    std::vector<LineShare> time_by_line;  // in order
    bool operator==(const CauseTable&) const = default;
};

// Causes hide behind each other, so that they need not add up. What goes only where several go
// together; and what is counted more than once. Microseconds, at least 0.
double only_together_us(const CauseTable& table);
double counted_again_us(const CauseTable& table);
// What no cause explains, beside what any launch takes: instructions that take turns, and results of
// arithmetic that are waited for.
double unexplained_us(const CauseTable& table);

}  // namespace lanewise
