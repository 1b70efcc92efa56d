// What might make a launch faster, and whether it does: each change of a knob or of the source is
// tried on the machine. It is compiled, its result held to what is right, and its time modelled.
#pragma once
#include <string>
#include <vector>

#include "lab/job/job.h"
#include "lab/job/measurement.h"
#include "model/launch_time.h"

namespace lanewise {

struct Fix {
    std::string title;  // "PAD = 1", "Each row of tile is one element longer"
    Job job;            // with it
    bool changes_source = false;
};

// Of a stage: each of its knobs at each other value that it offers. Where lanes conflict in shared
// memory, of any kernel: each array of two or more dimensions with longer rows, or swizzled, and all
// of them so. Of a kernel of the user's own what else source_changes.h has: loops that move 16 bytes at
// a time, histograms in shared memory. And of any kernel: its loops unrolled, and its pointers known
// not to overlap (__restrict__).
// `conflicts`: whether lanes do. Nothing is compiled yet.
std::vector<Fix> fixes_of(const Job& job, bool conflicts);

struct TriedFix {
    Fix fix;
    // Why it is none: it does not compile, cannot be launched, or what it computes is not right (of
    // a kernel of the user's own: not what the kernel left in its buffers before). A clause; or "".
    std::string problem;
    LaunchTime time;
};

struct FixTrial {
    LaunchTime before;
    std::vector<TriedFix> fixes;  // the fastest first; then those with a problem
};
// Where the launch's own time is not modelled, nothing is tried. Throws as analyse() does, of the job
// itself; and Cancelled. Of a product that is too long to interpret whole some blocks are held to what
// is right. `progress` hears of each before it is tried.
FixTrial try_fixes(const Job& job, const CancelFlag* cancel = nullptr,
                   const Progress& progress = {});

// What the change is, as a unified diff with a line around it; "" where the source stays.
std::string diff_of(const Job& before, const Fix& fix);

}  // namespace lanewise
