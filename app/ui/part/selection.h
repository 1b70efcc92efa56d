// What is chosen: the stage and its setting, the block, warp, lane and access that are looked at,
// and in which view. There is one, App::chosen(), which every view reads. select() alone changes it.
#pragma once
#include <cstdint>
#include <map>
#include <string>

#include "course/operation.h"
#include "course/stage.h"

namespace lanewise::ui {

// How near the warp microscope looks.
enum class Zoom : uint8_t { grid, block, warp, lane };

struct Selection : MatrixSize {  // inner is left as it is where the operation has no inner side
    Selection() : MatrixSize{4096, 4096, 256} {}
    size_t stage = 0;
    KnobValues knobs;
    std::string type = "f32";
    const Operation* operation = &all_operations().front();   // the stage's, in the table
    std::map<const Operation*, Operation::Size> was_left_at;  // where each course was left
    uint64_t block = 0;
    uint32_t warp = 0;
    int lane = -1;
    // Place in the chosen warp's list of global and of shared accesses; -1: the most telling one.
    int access[2] = {-1, -1};
    int step = -1;                // into the warp's life; -1: the access that the tab's list shows
    int line = 0;                 // of the source; 0: the chosen access's
    std::string view = "access";  // the one last asked for, wherever it lives
    std::string tab = "access";   // the one in the middle
    Zoom zoom = Zoom::warp;
};
// With an inner side where the operation has one, else kNoInner.
Operation::Size size_of(const Selection& selection);

}  // namespace lanewise::ui
