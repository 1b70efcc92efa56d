// What the charts of all stages are made of: recordings and live measurements in, figure inputs
// out. The same for the window, the report and its SVGs; no file access, nothing is measured.
#pragma once
#include <map>
#include <span>
#include <string>
#include <vector>

#include "course/catalogue.h"
#include "figure/chart/chart.h"
#include "lab/job/measurement.h"
#include "lab/record/published.h"
#include "lab/record/recording.h"
#include "model/device_profile.h"

namespace lanewise {

// What a stage asks of L2, counted by the machine over a whole launch.
struct StageTraffic {
    uint64_t sectors = 0;       // of 32 bytes, loads and stores of every kind
    uint64_t useful_bytes = 0;  // of the operation, each byte once in and once out
};
StageTraffic traffic_of(const Analysis& analysis);

// Everything that charts are made of; the lists belong to the caller and outlive the call.
struct ChartFacts {
    std::span<const Stage> stages;
    std::span<const Recording> recordings;
    std::span<const Measurement> live;  // the later ones hold
    std::span<const PublishedFigure> published;
    std::span<const DeviceProfile> profiles;
    std::map<std::string, StageTraffic> traffic;  // by stage, at its default knobs
    // ---- what is looked at
    std::string operation = "transpose", type = "f32";
    int64_t rows = 4096, cols = 4096;
    std::string stage;  // the chosen one; "": none
    KnobValues knobs;   // of it
    std::string card;   // whose recording; "": the first that knows the operation
};

// The operation in whose ladder the stage is a rung, or beside whose rungs an exercise stands.
std::string ladder_of(const Stage& stage);

// The cards of which something of this operation is recorded, each once.
std::vector<std::string> recorded_cards(const ChartFacts& facts);

// Of every stage against the size of square matrices, with the sizes at which launching, L2 and the
// memory decide, the best copy of each, and the chosen stage's other shapes. Of products against
// their operations, with cuBLAS in the copy's place and what others published. GB/s (GFLOP/s of
// products; of those that are bound by their launch none are told), with what the model says of the
// chosen stage; microseconds of one launch; times as fast as the naive stage.
PlotFigureInput size_chart(const ChartFacts& facts);
PlotFigureInput time_chart(const ChartFacts& facts);
PlotFigureInput speedup_chart(const ChartFacts& facts);

// Of a product: GFLOP/s against operations per byte, each byte counted once, under the roofs of the
// memory and of what does the arithmetic. Of a transpose, which computes nothing, useful GB/s
// against the share of L2's bytes that are useful, under the roofs of L2 and of the
// memory. Stages of which no traffic is known are named below.
PlotFigureInput roofline_chart(const ChartFacts& facts);

// Measured against predicted by the model, for every recorded run of the operation, with the band
// in which nine of ten lie.
PlotFigureInput model_chart(const ChartFacts& facts);

// The recorded settings of a stage: the first two knobs that vary across and down, a third one as
// maps, the best of any further. Without cells where it was not swept. Clicks:
// "set:TILE=32,ROWS=8", behind "stage:ID;" where it is not the chosen one.
SweepFigureInput sweep_of_stage(const ChartFacts& facts, const Stage& stage);
// Of the chosen stage, or of the first one that was swept.
SweepFigureInput sweep_chart(const ChartFacts& facts);

// Microseconds of the sparse and of the dense product of the same rounds against the share of
// zeros, with the crossover, and where others published theirs. At the looked-at shape, else at
// that of which most shares were measured. Of operations that have a stage with that knob
// (chart_sparse.h).
PlotFigureInput sparse_chart(const ChartFacts& facts);

// Every published figure of the operation that has a stage here, as a share of its card's
// datasheet, beside ours at the same shape as a share of ours. Of products in the figure's own
// unit.
PairsFigureInput published_chart(const ChartFacts& facts);

// What the window says of a chart, and how it is made. One row each, in the order in which they are
// offered: a chart is a function above, and its row.
struct ChartOfFacts {
    const char *id, *title;
    const char* what;  // in one sentence
    ChartInput (*make)(const ChartFacts&);
    bool needs_traffic = false;  // of every stage: the engine counts them while it is shown
};
template <auto chart>
ChartInput made_by(const ChartFacts& facts) {
    return chart(facts);
}
inline constexpr ChartOfFacts kChartsOfFacts[] = {
    {"sizes", "By size", "Speed against the size: where launching, L2 and the memory decide",
     made_by<size_chart>},
    {"times", "Time", "Microseconds against the size, on two logarithmic axes",
     made_by<time_chart>},
    {"speedup", "Speed-up", "How many times as fast as the naive stage, by size",
     made_by<speedup_chart>},
    {"sweep", "Knobs", "Every recorded setting of a stage's knobs as a heat map",
     made_by<sweep_chart>},
    {"roofline", "Roofline", "Every stage under the roofs of L2 and of the memory",
     made_by<roofline_chart>, true},
    {"model", "Model", "What the model predicts against what was measured", made_by<model_chart>},
    {"sparse", "Sparse", "From how many zeros on it pays to leave them out",
     made_by<sparse_chart>},
    {"published", "Published", "What others published beside what was measured here",
     made_by<published_chart>},
};

}  // namespace lanewise
