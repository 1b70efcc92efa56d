// The figures themselves: results in, Drawing out. Pure; no state, no files, no GUI.
#pragma once
#include <string>
#include <vector>

#include "figure/drawing/drawing.h"
#include "trace/report.h"

namespace lanewise {

// ---- the warp microscope: one access of one warp, lanes -> addresses -> lines and sectors
struct WarpFigureInput {
    const BlockTrace* block = nullptr;
    const Report* report = nullptr;
    int access = 0;  // index into block->accesses
    int lane = -1;   // highlighted lane, or -1
    int element_bytes = 4;
    uint32_t block_x = 32;  // blockDim.x, to say which threads are this warp
    uint32_t block_y = 1;
    float width = 900;        // available width in points; height follows
    float height = 0;         // what there is of it: ribbons and memory stretch to fill it
    int64_t matrix_cols = 0;  // elements per row of the accessed matrix, to name an address as
                              // (row, col); 0 where unknown
};
// Global accesses only: 32 lanes above, the 128-byte lines that they touch below, split into
// 32-byte sectors, each byte useful or wasted; a ribbon from each lane to its bytes; the sum in
// words, and as a bar that is as long as the bytes that move. Few lines lie side by side, as memory does; many (32 of them for a strided store) stand
// as columns under their lanes. Hits: lane:N, sector:N (of the access, in address order).
// Everything fits `width` from 360 points on. An access that is not there gives a line of words.
Drawing warp_figure(const WarpFigureInput& input, const Measure& measure);

// ---- shared memory: the tile as a grid coloured by bank, one warp's lanes on it
struct BankFigureInput {
    const BlockTrace* block = nullptr;
    const Report* report = nullptr;
    int access = 0;  // a shared access of block->accesses
    int lane = -1;
    int rows = 32, cols = 32, pitch = 33;  // of the tile, in elements; cols < pitch: padding
    int element_bytes = 4;
    std::string title;       // "PAD = 0", "PAD = 1"
    bool is_chosen = false;  // among several, it is the reader's own setting: marked
    bool is_brief = false;   // in little room: without the words that others stand for
    float width = 450;
    bool show_schedule = true;  // the queues above the grid: a row a wavefront, 32 bank cells
    // A wish: where it would be higher, its rows become flatter, down to what can still be told
    // apart. 0: as high as it comes. As if it had so many wavefronts, where there are more beside
    // it: tiles that are compared are equally flat.
    float height = 0;
    int most_wavefronts = 0;
};
// Comes about in steps: at step n the first n wavefronts have served their lanes.
Drawing bank_figure(const BankFigureInput& input, const Measure& measure);

// ---- the ladder: one bar per stage, with spread, copy and datasheet lines
// A figure that somebody else published, of another card perhaps.
struct PublishedMark {
    double gb_per_s = 0;
    std::string tooltip;  // the figure, its card, source and caveat
};
struct LadderBar {
    std::string id, label;
    double gb_per_s = 0, low = 0, high = 0;  // median, 5th and 95th percentile; 0 = no figure
    enum class Source { none, live, recorded } source = Source::none;
    double model_gb_per_s = 0;  // 0 = none; drawn as a tick
    std::string tooltip;
    bool selected = false;
    std::vector<PublishedMark> published = {};  // drawn as diamonds
    std::vector<PublishedMark> others = {};     // recorded on other cards, drawn as squares
    double share = 0;  // of the ceiling, measured turn by turn with it; 0: of the line drawn
};
struct LadderFigureInput {
    std::vector<LadderBar> bars;
    double copy_gb_per_s = 0, datasheet_gb_per_s = 0;  // 0 = not drawn
    // Of products every figure is in GFLOP/s, and cuBLAS stands where the copy does.
    std::string unit = "GB/s", ceiling = "copy";
    std::string caption;              // "Recorded on NVIDIA H200, 2026-11-21, 4096 x 4096 float"
    float width = 380, height = 260;  // the height is a wish: many bars make it higher
};
// One row per stage. Live bars are solid, recorded ones lighter and hatched, and a stage without a
// figure says so. Hits: stage:ID.
Drawing ladder_figure(const LadderFigureInput& input, const Measure& measure);

// ---- the waterfall: from the memory's peak down to the stage, as the model explains it
struct WaterfallStep {
    std::string name;     // "L2 sectors"
    double gb_per_s = 0;  // what is left with this and all before it
    std::string because;  // for the pointer
};
struct WaterfallFigureInput {
    std::string peak_name;  // "datasheet"
    double peak_gb_per_s = 0;
    std::vector<WaterfallStep> steps;
    double measured_gb_per_s = 0;  // 0 = not drawn
    std::string caption;
    float width = 560;
    std::string unit = "GB/s";  // of a product's GFLOP/s, which then stand in the fields above
};
// One row per step: a bar of what is left, hatched what the step takes away; a line where the
// measurement lies. Fits `width` from 360 points on.
Drawing waterfall_figure(const WaterfallFigureInput& input, const Measure& measure);

// ---- the staircase: what an access costs, in cycles, against its wavefronts
struct StaircasePoint {
    double wavefronts = 0;
    double cycles = 0, low = 0, high = 0;  // median, 5th and 95th percentile
    int bytes_per_lane = 4;
    bool is_store = false;
    bool of_stage = false;  // drawn over the others
    int line = 0;           // of the stage's source; 0 = none
    std::string tooltip;
};
struct StaircaseFitLine {  // cycles = base + per_wavefront * wavefronts
    int bytes_per_lane = 4;
    bool is_store = false;
    double base = 0, per_wavefront = 0;
    std::string name, words;  // for the legend; below it
};
struct StaircaseFigureInput {
    std::vector<StaircasePoint> points;
    std::vector<StaircaseFitLine> lines;
    std::string caption;
    float width = 560;
};
// Fits `width` from 360 points on. Hits: line:N of a stage's own access.
Drawing staircase_figure(const StaircaseFigureInput& input, const Measure& measure);

// ---- counts: predicted by the machine against measured by the hardware, as a table
struct CountRow {
    std::string name;  // "global load sectors"
    uint64_t counted = 0, ideal = 0;
    bool has_measured = false;
    uint64_t measured = 0;
};
// The rows of a launch, without those of which it has none.
std::vector<CountRow> count_rows(const Counts& counts);

}  // namespace lanewise
