// What a GPU is, in four pictures: workers that wait together, a multiprocessor and what fits on
// it, a launch from grid to lane, and the levels of memory. Sizes and latencies are handed in with the name of their card.
// Each fits `width` from 300 points on, and stretches to `height` where that is more than it needs.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "figure/chart/occupancy_figure.h"
#include "figure/drawing/drawing.h"
#include "sim/warp/machine.h"

namespace lanewise {

struct WorkersFigureInput {
    uint64_t numbers = 0;       // that the block loads
    uint32_t threads = 0;       // of the block
    uint32_t waits = 0;         // loads of a warp, one after the other
    double latency_clocks = 0;  // of one wait; 0 where the card has none: then no clocks are said
    std::string source;         // "NVIDIA H200, measured"
    float width = 600, height = 0;
};
// One time axis, as long as a single worker needs: above, its waits, one for each number; below,
// a row for each warp of the block with a slice for each of its lanes, all of which wait together.
Drawing workers_figure(const WorkersFigureInput& input, const Measure& measure);

struct MultiprocessorFigureInput {
    std::string card;  // "NVIDIA H200"
    int multiprocessors = 0;
    int room_for_warps = 0;  // of one
    int blocks = 0;          // that fit at once
    int warps_per_block = 0;
    std::vector<OccupancyBar> bars;  // what a block takes of each resource
    float width = 600, height = 0;
};
// A square for each warp that there is room for, in the colour of its block; then a row for each
// resource. Empty squares are dashed.
Drawing multiprocessor_figure(const MultiprocessorFigureInput& input, const Measure& measure);

struct LaunchFigureInput {
    Dim3 grid, block;
    uint64_t chosen = 0;  // block, linear
    uint32_t warp = 0;
    int lane = 0;
    std::string expression,
        numbers;           // its index: as in the source, and with its numbers; may be ""
    uint64_t element = 0;  // what it comes to
    float width = 600, height = 0;
};
// Grid, block, warp and lane at once: the grid with one block, that block with one warp, and what
// one lane's index comes to. Hits as grid_figure's and block_figure's (zoom_figure.h).
Drawing launch_figure(const LaunchFigureInput& input, const Measure& measure);

struct MemoryLevel {
    std::string name;           // "L2"
    std::string size;           // "60 MB for the whole card"; empty: not known of this card
    double latency_clocks = 0;  // 0: not known of this card
    bool used = false;          // the kernel names it
};
struct LevelsFigureInput {
    std::vector<MemoryLevel> levels;  // nearest first
    std::string source;               // whose latencies, and whether measured
    float width = 600, height = 0;
};
// A row for each level with a bar as long as the logarithm of its latency, from 1 clock on. A level
// that the kernel names is lit.
Drawing levels_figure(const LevelsFigureInput& input, const Measure& measure);

// Where `clocks` lies on the axis from 1 to 10,000 clocks, as a share of its length: 0 to 1.
float share_of_axis(double clocks);

}  // namespace lanewise
