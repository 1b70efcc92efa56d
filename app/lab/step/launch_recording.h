// A launch that can be stepped through, forward and back. It keeps what the machine was at some
// moments (checkpoints) and what each store to global memory overwrote (the journal); any other
// moment is reached from there by executing again, which always gives the same. What takes more
// memory than allowed is thinned out, then forgotten: going back then begins at the launch's start.
//
// Blocks run one after another, in order, each from its first step to its last.
#pragma once
#include <compare>
#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "lab/job/job.h"
#include "lab/machine/prepared.h"
#include "lab/step/store_journal.h"
#include "sim/run/stepper.h"

namespace lanewise {

// Before the step of this number (0: the first) of this block.
struct StepMoment {
    uint32_t block = 0;
    uint64_t step = 0;
    auto operator<=>(const StepMoment&) const = default;
};

// A kernel's fault, or what it printed, in the step behind `at`.
struct StepFault {
    StepMoment at;
    Fault fault;
};
struct StepPrint {
    StepMoment at;
    uint32_t thread;
    std::string text;
};

// A store to a word that somebody asked for.
struct StepWrite {
    StepMoment at;  // of its step
    uint32_t warp = 0, lanes = 0, instruction = 0;
};

class LaunchRecording {
  public:
    struct Options {
        uint64_t most_bytes = uint64_t{256} << 20;  // checkpoints and journal together
        uint32_t first_block = 0;                   // blocks before it do not run
        uint64_t interval = 4096;                   // steps between checkpoints, to begin with
    };
    // Stands before the first block's first step. Throws as prepare() and StageLaunch do, and
    // Error(bad_input) where the launch has no such first block.
    LaunchRecording(const Job& job, const Options& options);
    ~LaunchRecording();

    const PreparedKernel& prepared() const { return *prepared_; }
    const Job& job() const { return job_; }  // as validate() leaves it
    const LaunchShape& shape() const { return shape_; }
    const StageLaunch& launch() const { return *stage_; }
    const Stepper& stepper() const { return *stepper_; }
    uint32_t warps() const;
    StepMoment now() const { return {stepper_->block(), stepper_->steps()}; }
    bool is_last_block() const { return now().block + 1 >= shape_.grid.count(); }

    // One step forward; nothing where the block has ended.
    void step();
    // Forward within the block, until a step before an instruction whose flag is set (not the first
    // one that is executed), at most `until`, or its end.
    void run(uint64_t until, std::span<const uint8_t> flags = {});
    // The next block's first step, after this one has run to its end. False where this is the last,
    // or where some block never ends.
    bool next_block();
    // Anywhere. Beyond the end of its block it is that end. Throws Error(bad_input) for a block that
    // the launch does not have, or that comes before the first.
    void go_to(StepMoment moment);
    // The last moment before now, in this block, for which `is_it` holds. Back there, true; else all
    // is as it was.
    template <class F>
    bool back_to_last(F is_it);

    // Who stored last, before now, to any of these bytes: global memory, or shared memory of this
    // block. False: nobody, or nobody since `first_block`.
    bool last_write(Space space, uint64_t address, uint64_t bytes, StepWrite& write);

    // Of what was executed since take_…() was called last.
    std::vector<StepFault> take_faults();
    std::vector<StepPrint> take_prints();
    // A block that was given up because it never ends.
    bool never_ends() const { return never_ends_; }

    uint64_t used_bytes() const;
    size_t checkpoints() const { return checkpoints_.size(); }
    // The earliest moment that is reached without beginning again.
    StepMoment earliest() const;
    uint64_t most_bytes() const { return options_.most_bytes; }
    void limit_bytes(uint64_t bytes);

  private:
    struct Checkpoint {
        StepMoment at;
        std::shared_ptr<const Stepper::State> state;  // null: the block's begin
        uint64_t bytes = 0;
        size_t journal = 0;  // its length then
    };
    class Listener;

    void start();  // a new memory, before the first step
    void begin_block(uint32_t block);
    void add_checkpoint(bool is_begin);
    void restore(size_t checkpoint);
    void keep_within_limit();
    bool thin_out();
    void forget_half();

    Job job_;
    Options options_;
    std::shared_ptr<const PreparedKernel> prepared_;
    LaunchShape shape_;
    std::unique_ptr<StageLaunch> stage_;
    std::unique_ptr<Listener> listener_;
    std::unique_ptr<Stepper> stepper_;
    StoreJournal journal_;
    std::deque<Checkpoint> checkpoints_;
    uint64_t interval_;
    bool never_ends_ = false;
};

template <class F>
bool LaunchRecording::back_to_last(F is_it) {
    const StepMoment here = now();
    StepMoment end = here;
    while (end.step > 0) {
        size_t from = checkpoints_.size();
        while (from > 0 && !(checkpoints_[from - 1].at < end)) --from;
        StepMoment begin{here.block, 0};  // where nothing of the block is kept
        if (from > 0 && checkpoints_[from - 1].at.block == here.block) {
            begin = checkpoints_[from - 1].at;
            restore(from - 1);
        } else {
            go_to(begin);
        }
        StepMoment found = end;
        while (now() < end && !stepper_->has_ended()) {
            if (is_it()) found = now();
            step();
        }
        if (found < end) return go_to(found), true;
        end = begin;
    }
    go_to(here);
    return false;
}

}  // namespace lanewise
