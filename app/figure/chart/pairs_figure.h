// Pairs of values on one axis, a row each: what somebody published beside what was measured here.
#pragma once
#include <string>
#include <vector>

#include "figure/drawing/drawing.h"

namespace lanewise {

struct PairsRow {
    std::string name;             // "Padded tile"
    std::string of;               // "NVIDIA A100-SXM4-80GB, 4,096 × 4,096"; dim, below the name
    double published = 0;         // on the axis; 0: it cannot be placed there
    double ours = 0;              // likewise
    std::string published_words;  // "1,710 GB/s"
    std::string ours_words;       // "3,185 GB/s", or "not measured"
    bool doubtful = false;        // it comes with a caveat: its diamond is crossed out
    std::string tooltip;          // both, with their sources and the caveat
    std::string action;           // as HitBox::action
};

struct PairsFigureInput {
    std::string caption;
    std::string axis;  // "% of the card's datasheet"
    std::string unit;  // after a tick's number: " %"
    bool log = false;
    double mark = 0;         // a line through all rows; 0: none
    std::string mark_words;  // "datasheet"
    std::vector<PairsRow> rows;
    std::vector<std::string> notes;
    std::string ours_name = "recorded here";
    std::string nothing;  // said where there is no row
    float width = 900;
};
// A diamond for what was published, a dot for ours, a line between them. Fits `width` from 360
// points on. Hits: each row.
Drawing pairs_figure(const PairsFigureInput& input, const Measure& measure);

}  // namespace lanewise
