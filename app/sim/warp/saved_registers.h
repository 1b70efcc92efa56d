// A recursive call runs the body that is running already (ptx/body_parser.h), so each lane's
// registers of that body are put away before, and taken back when the call returns.
#pragma once
#include "sim/warp/warp.h"

namespace lanewise {

// Rows of Warp::state, `count` of a kind from `first` on.
struct SavedRows {
    struct Range {
        uint32_t first = 0, count = 0;
    } predicates, words, wides;
};

// Op::immediate points to the SavedRows. Each lane has a stack of its own (Warp::saved).
void run_save_registers(Warp& w, const Op& op);
void run_restore_registers(Warp& w, const Op& op);

}  // namespace lanewise
