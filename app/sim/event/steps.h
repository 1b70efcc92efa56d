// An observer that is told of every instruction that a warp executes, and not of accesses alone.
// Told while wants_steps() was true when the launch (Machine::run) began: it takes as long as
// the instructions do.
#pragma once
#include <cstdint>

#include "sim/event/event.h"

namespace lanewise {

class StepObserver : public Observer {
  public:
    virtual bool wants_steps() const = 0;
    // Before `warp` executes `count` instructions that follow each other from number `first` on,
    // also those in which no lane takes part.
    virtual void on_steps(uint32_t warp, uint32_t first, uint32_t count) = 0;
};

}  // namespace lanewise
