// What the charts share: finding measurements and saying where they come from. Private to lab/.
#pragma once
#include <string>
#include <vector>

#include "lab/chart/charts.h"

namespace lanewise {

// One measurement that a chart shows.
struct Charted {
    const Measurement* measurement = nullptr;
    bool live = false;
};

const Recording* recording_of(const ChartFacts& facts);  // the looked-at card's; null: none
const DeviceProfile* profile_of(const ChartFacts& facts, const std::string& card);
// The stages of the operation that stand on the ladder (no exercises), in its order.
std::vector<const Stage*> rungs(const ChartFacts& facts);
std::string title_of(const ChartFacts& facts, const std::string& stage);
// The knobs at which a stage is looked at: the chosen ones, or its defaults.
KnobValues knobs_looked_at(const ChartFacts& facts, const Stage& stage);

// The looked-at type, or the stage's own where it does not offer that.
std::string type_looked_at(const ChartFacts& facts, const Stage& stage);
bool are_products(const ChartFacts& facts);  // what the operation's stages compute

// Every correct measurement of the stage in that type: the recorded ones of the card, then
// the live ones, without those recorded settings that were measured live as well.
std::vector<Charted> measurements_of(const ChartFacts& facts, const Stage& stage);
// The one of these knobs and shape, live before recorded; null measurement: none.
Charted measured_at(const ChartFacts& facts, const Stage& stage, const KnobValues& knobs,
                    int64_t rows, int64_t cols);

// The same shape, of whatever stage and setting.
bool same_shape(const Measurement& a, const Measurement& b);
uint64_t useful_bytes_of(const Measurement& m);  // 2 · rows · cols · size · batch
std::string shape_words(int64_t rows, int64_t cols,
                        const std::string& type);  // "8,192 × 8,192 f32"
std::string shape_words(const Measurement& m);     // with K of a product
std::string gb_words(double gb_per_s);             // "3,185 GB/s"
// "recorded on NVIDIA H200, 2026-11-21, median of 40 samples, driver 580.1, NVRTC 13.0".
std::string source_of(const Charted& charted);
// "Recorded on NVIDIA H200, 2026-11-21", with what live marks mean where there are any.
std::string caption_of(const ChartFacts& facts);
// "; f16, or f32 where a stage has no f16": of a chart of all stages, where one has not the chosen
// type.
std::string types_in_words(const ChartFacts& facts);
// Of the measured GB/s: the median, with its whisker and source. words: what comes before them.
PlotPoint point_of(const Charted& charted, double x, const std::string& words);

}  // namespace lanewise
