// Another setting in lock-step with the chosen one, and the figures that were laid out.
#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "course/stage.h"
#include "figure/drawing/drawing.h"
#include "lab/job/results.h"
#include "trace/record/warp_life.h"

namespace lanewise::ui {

// A figure is laid out once for its contents, width and fonts, and then only rendered.
struct LaidOut {
    uint64_t revision = 0;
    float width = -1, scale = 0, height = 0;  // height: the wish, where there is one
    Drawing drawing;
};

// What the learner wants to see beside the chosen setting.
struct CompareWith {
    enum class Kind : uint8_t { automatic, nothing, knob, stage } kind = Kind::automatic;
    std::string name = {};  // the knob, or the stage's id
    int64_t value = 0;      // of the knob
    bool operator==(const CompareWith&) const = default;
};

// Another setting in lock-step with the chosen one: what it is, and what has arrived of it.
struct Beside {
    CompareWith with;     // as chosen
    CompareWith means;    // for the chosen setting, where it is chosen automatically
    bool wanted = false;  // the rest holds
    size_t stage = 0;
    KnobValues knobs;
    std::string title;
    std::shared_ptr<const Picture> picture;
    std::vector<LifeStep> life;  // of the chosen warp there
    LaidOut figure;
    bool stale = true;
};

}  // namespace lanewise::ui
