// Whether a process that says nothing is at work all the same: on a machine with more to do than
// processors, one waits for its turn longer than it takes to believe it dead.
#pragma once
#include <chrono>
#include <cstdint>

namespace lanewise {

class SignOfWork {
  public:
    // `process`: a child, which may have children of its own (a shell that starts the engine).
    explicit SignOfWork(int process) : process_(process) {}
    // Looks at it: whether one of its threads runs or waits for a processor or a disk, or it has
    // used some processor time since the look before. False of one that sleeps, was stopped or has
    // ended, and where /proc does not tell.
    bool look();

  private:
    int process_;
    uint64_t used_ = 0;  // clock ticks, at the last look
    bool looked_ = false;
};

}  // namespace lanewise
