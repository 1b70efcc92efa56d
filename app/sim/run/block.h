// Executes one block after another: its warps in turn up to barriers, each warp's lanes in step
// with a stack of the paths on which they diverged. One per interpreting thread. Whoever wants to
// look at it on its way takes a Stepper (stepper.h); nobody else pays for that.
#pragma once
#include <memory>
#include <span>
#include <vector>

#include "sim/async/async_copy.h"
#include "sim/decode/decode.h"
#include "sim/event/steps.h"
#include "sim/warp/machine.h"

namespace lanewise {

// Throws Error(bad_input) for what cuLaunchKernel refuses, whatever the device.
void check_launch(const LaunchShape& shape, const ptx::Kernel& kernel, size_t argument_bytes);

// Where nobody learns anything for so many rounds, none ever will: a loop around a wait may go on
// after some tries.
inline constexpr uint32_t kHopeless = 1000;

class OtherBlocks;  // sim/run/together.h

class BlockRunner {
  public:
    BlockRunner(const ptx::Kernel& kernel, const DecodedKernel& decoded, const LaunchShape& shape,
                std::span<const std::byte> arguments, Memory& memory, Observer& observer,
                const Machine::Limits& limits);
    // Returns the number of warp instructions executed.
    uint64_t run(uint32_t block);

    // The same of a block that waits for others of its grid, part by part: begins, and goes on until
    // it waits at the grid's barrier (true) or has ended.
    bool begin_together(uint32_t block);
    bool go_on();  // the barrier is over
    void open_grid();  // the same without going on
    bool waits_for_grid() const;
    // Where go_on() or begin_together() gave true. Afterwards the block has ended.
    void fault_at_grid(const std::string& text);
    bool has_fault() const { return has_fault_; }  // that ended it before its time
    uint64_t finish_together(uint32_t block) { return finish(block); }
    uint64_t bytes() const;  // that it keeps, about

    // Of a block in a cluster (sim/warp/cluster.h), which its memory names.
    BlockMemory& memory() { return memory_; }
    bool has_arrived() const;   // every thread that has not returned, at the cluster's barrier
    bool has_returned() const;  // every thread

  private:
    friend class Stepper;
    // Lanes that stand at `pc` and wait until the lanes ahead have done what is before
    // `reconverge`.
    struct Path {
        uint32_t pc, reconverge, lanes;
        bool waits = false;  // at an instruction that other lanes must execute with it
    };
    static constexpr size_t kNone = ~size_t{0};  // no path
    static constexpr size_t kMostWarps = 32;     // of a block: 1,024 threads
    enum class State { ready, waiting, waiting_for_grid, finished };
    struct WarpRun {
        Warp warp;
        State state = State::ready;
        uint32_t live = 0;                           // lanes that exist and have not exited
        uint32_t pc = 0, reconverge = 0, lanes = 0;  // the present path
        std::vector<Path> paths;                     // those that wait, the next one last
        uint32_t turns = 0;
        bool is_idle = false;           // its last turn ended where it found nothing to do but wait
        uint32_t wait_instruction = 0;  // where it did
        bool grid_is_open = false;      // it may pass the grid's barrier, at which it stands
        bool has_split = false;         // some lanes went ahead of others, or stay apart from them
        uint64_t turn_began = 0;
        uint64_t turn_ends = 0;                     // when so many instructions are executed
        uint32_t barrier = 0, barrier_threads = 0;  // while waiting; 0 threads: all of the block
        uint32_t barrier_instruction = 0;
        const Op* barrier_op = nullptr;
        uint32_t barrier_votes = 0;  // lanes that brought a true predicate
    };

    // Where turns() stands: whose turn it is, and what the round's earlier turns came to.
    struct Round {
        size_t warp = 0;
        size_t idle = kNone;  // the first that found nothing to do but wait
        bool all_idle = true;
        uint64_t changes = 0;
        uint32_t idle_rounds = 0;
    };
    // abandoned: the whole block is. interrupted: before an instruction, for a Stepper.
    enum class Turn { ended, abandoned, interrupted };
    // An instruction that a warp has executed, for a Stepper: how many steps of the block there
    // were then, the last time, and by which lanes ever.
    struct Executed {
        uint64_t step = 0;  // 1: the block's first
        uint32_t lanes = 0;
    };
    struct Stepping {
        uint64_t steps = 0, until = 0;   // instructions of the block, so far and at most
        uint64_t began = 0;              // the one at which no flag counts
        const uint8_t* flags = nullptr;  // by instruction: those before which it stops
        std::vector<Executed> executed;  // by warp, then instruction
        std::vector<uint32_t> last;      // by warp: the last of them; ~0: none yet
    };

    void fill_rows(WarpRun& run, bool per_block, Dim3 coordinates);
    void start(WarpRun& run, Dim3 coordinates);
    void begin(uint32_t block);
    uint64_t finish(uint32_t block);
    // Both are compiled twice: only for a Stepper do they stop before an instruction.
    template <bool kStepped>
    bool turns();  // false where it was interrupted
    template <bool kStepped>
    Turn advance(WarpRun& run);
    bool stops_before(WarpRun& run);
    void run_straight(WarpRun& run, const Op* op, uint64_t most);
    void tell_operands(Warp& warp, const Op& op);
    bool next_path(WarpRun& run);  // false where the warp has finished
    // diverge.cpp
    void diverge(WarpRun& run, const Op& op, uint32_t taken);
    void wait_at(WarpRun& run, const Path& path);
    bool wait_for_others(WarpRun& run);
    void diverge_indexed(WarpRun& run, const Op& op, uint32_t taken);
    uint32_t meeting(uint32_t meet, uint32_t outer) const;
    const ControlFlow::Exit* exit_to(const Op& op, uint32_t pc, uint32_t target) const;
    bool leave_loop(WarpRun& run, const Op& op, uint32_t taken);
    uint32_t leave(WarpRun& run, const ControlFlow::Exit& exit, uint32_t lanes);
    size_t runnable_path(const WarpRun& run, bool from_top, bool even_waiting) const;
    bool give_way(WarpRun& run, bool waits);
    bool split_join(WarpRun& run);
    void take_path(WarpRun& run, size_t index);
    void converge(WarpRun& run, const Op& op, uint32_t lanes);
    bool gather(WarpRun& run, const Op& op, uint32_t missing, uint32_t& lanes);
    // barriers.cpp
    bool arrive(WarpRun& run, const Op& op, uint32_t lanes);
    bool waits_for_grid(WarpRun& run, const Op& op);
    void vote(uint32_t barrier);
    bool release_barriers();
    void release(uint32_t barrier, bool whole_block);
    void fault(const WarpRun& run, Fault::Kind kind, uint32_t instruction, uint32_t lanes,
               std::string text = {});

    const DecodedKernel& decoded_;
    LaunchShape shape_;
    uint32_t static_shared_bytes_;
    Machine::Limits limits_;
    BlockMemory memory_;
    AsyncCopies copies_;
    struct Free {
        void operator()(std::byte* p) const { ::operator delete[](p, std::align_val_t{64}); }
    };
    std::unique_ptr<std::byte[], Free> rows_, shared_;
    std::vector<std::byte> local_;
    std::vector<WarpRun> warps_;
    // By barrier, the 16 of the block and its cluster's: threads that came by and did not wait.
    std::array<uint32_t, 17> arrived_{};
    uint64_t turns_executed_ = 0;  // by the block, as far as its warps' turns have ended
    StepObserver* steps_ = nullptr;  // the observer, where it wants them
    bool has_fault_ = false;
    bool has_locks_ = false;       // some lanes had to be let ahead: WarpRun::has_split
    Round round_;
    Stepping stepping_;
    std::shared_ptr<OtherBlocks> others_;  // for a Stepper, where blocks wait for each other
};

}  // namespace lanewise
