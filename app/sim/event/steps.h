// An observer that is told of every instruction that a warp executes, and not of accesses alone.
// Told while wants_steps() was true when the launch (Machine::run) began: it takes as long as
// the instructions do.
#pragma once
#include <cstdint>

#include "sim/event/event.h"

namespace lanewise {

// Of an instruction that takes longer for some operands (sim/operation/long_way.h).
struct OperandsEvent {
    uint32_t warp = 0, instruction = 0;
    uint32_t lanes = 0;     // that execute it
    uint32_t long_way = 0;  // those of them whose operands need the long way
    uint32_t values = 0;    // match.any: how many different ones they bring
};

class StepObserver : public Observer {
  public:
    virtual bool wants_steps() const = 0;
    // Before `warp` executes `count` instructions that follow each other from number `first` on,
    // also those in which no lane takes part.
    virtual void on_steps(uint32_t warp, uint32_t first, uint32_t count) = 0;
    // After the step of it has been told.
    virtual void on_operands(const OperandsEvent&) {}
};

}  // namespace lanewise
