// The staircase: what a bank conflict costs, in cycles of the learner's own card, with no right to
// read its counters. One warp does one access of shared memory over and over, each waiting for the
// one before; the multiprocessor's clock says how long one takes. Drawn against the wavefronts that
// trace/count/rules.h counts for the same addresses, that is a staircase: each further wavefront costs
// the same. Turned round, it says how many wavefronts the card made of an access of the stage.
// Pure functions here; staircase_run.cpp has the GPU.
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "lab/job/job.h"
#include "lab/job/measurement.h"
#include "lab/job/results.h"

namespace lanewise {

// One access of one warp.
struct StaircaseAccess {
    std::string name;  // "7 lanes want one bank"; a stage's: "ld.shared.f32 %f5, [%r3]; line 28"
    int bytes_per_lane = 4;  // 1, 2, 4, 8 or 16
    bool is_store = false;
    bool of_stage = false;  // traced, not made up
    int line = 0;           // of the stage's source
    uint32_t mask = 0xffffffff;
    std::array<uint32_t, 32> offsets = {};  // bytes into the block's shared memory
    int wavefronts = 0;                     // as the machine counts
    // Bytes of shared memory that it needs.
    uint32_t shared_bytes() const;
};

// Made up: conflicts of every degree, loads and stores of 4, 8 and 16 bytes a lane. With 4 bytes
// the n-th step has n lanes that want different words of bank 0 while every other lane has a bank
// of its own: n wavefronts, for n = 1 … 32. Wider ones do that in each phase: 2, 4, … or 4, 8, …
std::vector<StaircaseAccess> staircase_ladder();

// The plain shared accesses of the stage's block, each static instruction once per number of
// wavefronts that it has; the dearest kMostOfStage of them.
inline constexpr size_t kMostOfStage = 40;
std::vector<StaircaseAccess> staircase_accesses(const Picture& picture);

struct StaircaseStep {
    StaircaseAccess access;
    std::vector<double> samples;  // cycles per access
    Spread cycles;
    double seen = 0;  // wavefronts, of the cycles by the line through the made-up ones; 0: no line
};

// cycles = base + per_wavefront.median * wavefronts, through the made-up steps of one width and
// direction. The slope is the median of the slopes of all pairs of steps, so that no single step
// decides (Theil 1950, Sen 1968); its spread is theirs.
struct StaircaseLine {
    int bytes_per_lane = 4;
    bool is_store = false;
    double base = 0;
    Spread per_wavefront;
    double worst = 0;  // cycles by which the worst step misses the line
};

struct Staircase {
    std::string stage;  // "" where only the ladder was taken
    KnobValues knobs;
    std::string type;
    std::vector<StaircaseStep> steps;  // the ladder, then the stage's own
    std::vector<StaircaseLine> lines;
    Provenance provenance;
    std::string note;  // what the user should know; "" where nothing
};

// Sets `cycles` of every step, the lines, and what each step's cycles say in wavefronts.
void fit_staircase(Staircase& staircase);

// Of the made-up steps of a width and direction; none where there are fewer than two.
const StaircaseLine* line_of(const Staircase& staircase, const StaircaseAccess& access);

// "4-byte loads: 25.0 cycles and 2.0 (2.0 to 2.0) more for each further wavefront".
std::string in_words(const StaircaseLine& line);

struct StaircaseOptions {
    std::optional<Job> job;  // whose accesses are replayed too
    double time_limit_s = 5;
};

// Takes the steps on the GPU: in a few milliseconds, and nothing else may run there meanwhile.
// Throws as measure() does.
Staircase measure_staircase(const StaircaseOptions& options, const Progress& progress = {},
                            const CancelFlag* cancel = nullptr);

}  // namespace lanewise
