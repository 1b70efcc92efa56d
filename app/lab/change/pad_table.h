// What each padding of a stage's tile costs: the same block of the same kernel, compiled and
// interpreted once for every padding.
#pragma once
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "lab/job/job.h"

namespace lanewise {

inline constexpr int64_t kMostPad = 8;
inline constexpr const char* kPadKnob = "PAD";

struct PadCost {
    int wavefronts = 0, ideal = 0;
    bool operator==(const PadCost&) const = default;
};
struct PadRow {
    int64_t pad = 0;
    bool offered = false;  // among the knob's choices
    std::string problem;   // why it cannot be computed; empty where it was
    // By warp, in the order of its accesses to shared memory.
    std::vector<std::vector<PadCost>> warps;
};
struct PadTable {
    std::string stage;
    uint64_t block = 0;
    std::vector<PadRow> rows;  // paddings 0 to kMostPad
};

bool has_padding(const Stage& stage);

// Needs has_padding(job.stage); what job.knobs says of the padding is not looked at. A padding that
// cannot be used (a requirement of the stage, say) has a problem. Throws as trace_block() does
// where it is the job that cannot be used, and Cancelled.
PadTable pad_table(const Job& job, uint64_t block, const CancelFlag* cancel = nullptr);

void to_json(nlohmann::json&, const PadTable&);
void from_json(const nlohmann::json&, PadTable&);

}  // namespace lanewise
