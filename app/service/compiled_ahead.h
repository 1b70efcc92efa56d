// Compilers on threads of their own: they heed no cancellation, and whoever waits for one does.
#pragma once
#include <chrono>
#include <functional>
#include <future>
#include <memory>
#include <vector>

#include "lab/job/job.h"
#include "lab/job/measurement.h"
#include "service/jobs.h"

namespace lanewise {

// What is launched, compiled while others have their turn on the GPU: the worker finds it made, so
// that the GPU waits for no compiler, and a mistake is told before the turn comes. The compiler of
// what is cancelled is left to itself, and what it makes is kept for the next that asks.
class CompiledAhead {
  public:
    // Begins at once; `compile` is called with one job after the other. Of what it throws only a
    // CompileError counts: whatever else is wrong, who goes on with the job says it.
    CompiledAhead(std::vector<Job> jobs, std::function<void(Job&)> compile);
    ~CompiledAhead();  // waits for nothing
    CompiledAhead(const CompiledAhead&) = delete;
    CompiledAhead& operator=(const CompiledAhead&) = delete;

    // Set once something does not compile.
    const CancelFlag* failed() const { return failed_.get(); }
    // Waits until all is compiled. Throws what a compiler says, and Cancelled as soon as `cancel`,
    // which may be null, is set.
    void wait(const CancelFlag* cancel);

  private:
    std::shared_ptr<CancelFlag> failed_ = std::make_shared<CancelFlag>(false);
    std::future<void> done_;
};

// Every method that interprets a job begins once its kernel is prepared by `compile`, and a request
// that is cancelled meanwhile ends at once: a compiler that takes long would otherwise count as a job
// that does not stop, and end the engine with all that it does besides. The next one waits for it,
// so that whoever types fast starts no crowd of compilers.
void compile_apart(Service& service, const std::function<void(Job&)>& compile);

// Waits for compilers that were left to themselves; false where one still works after that long. A
// process must not end the usual way beside one, which would see what it uses destroyed.
bool have_left_compilers_ended(std::chrono::milliseconds patience);

}  // namespace lanewise
