#include "sim/run/stepper.h"

#include <algorithm>
#include <utility>

#include "ptx/grid_barrier.h"
#include "sim/run/block.h"
#include "sim/run/together.h"

namespace lanewise {

// Pointers within it lead into the runner's own memory, which stays where it is.
class Stepper::State {
  public:
    explicit State(const Stepper& stepper)
        : block_(stepper.block_),
          has_ended_(stepper.has_ended_),
          rows_(bytes(stepper.runner_->rows_.get(), rows_of(*stepper.runner_))),
          shared_(bytes(stepper.runner_->shared_.get(), stepper.runner_->memory_.shared_bytes)),
          local_(stepper.runner_->local_),
          warps_(stepper.runner_->warps_),
          memory_(stepper.runner_->memory_),
          copies_(stepper.runner_->copies_),
          arrived_(stepper.runner_->arrived_),
          turns_executed_(stepper.runner_->turns_executed_),
          has_locks_(stepper.runner_->has_locks_),
          round_(stepper.runner_->round_),
          stepping_(stepper.runner_->stepping_) {}

    void put_into(Stepper& stepper) const {
        BlockRunner& runner = *stepper.runner_;
        std::copy(rows_.begin(), rows_.end(), runner.rows_.get());
        std::copy(shared_.begin(), shared_.end(), runner.shared_.get());
        std::copy(local_.begin(), local_.end(), runner.local_.begin());
        runner.warps_ = warps_;
        runner.memory_ = memory_;
        runner.memory_.recent = nullptr;  // the heap may have changed
        runner.copies_ = copies_;
        runner.arrived_ = arrived_;
        runner.turns_executed_ = turns_executed_;
        runner.has_locks_ = has_locks_;
        runner.round_ = round_;
        runner.stepping_ = stepping_;
        stepper.block_ = block_;
        stepper.has_ended_ = has_ended_;
    }

    static size_t rows_of(const BlockRunner& runner) {
        const auto& warps = runner.warps_;
        const std::byte* last = warps.back().warp.state + runner.decoded_.state_bytes;
        return static_cast<size_t>(last - runner.rows_.get());
    }

  private:
    static std::vector<std::byte> bytes(const std::byte* from, size_t count) {
        return {from, from + count};
    }

    uint32_t block_;
    bool has_ended_;
    std::vector<std::byte> rows_, shared_, local_;
    std::vector<BlockRunner::WarpRun> warps_;
    BlockMemory memory_;
    AsyncCopies copies_;
    std::array<uint32_t, 17> arrived_;
    uint64_t turns_executed_;
    bool has_locks_;
    BlockRunner::Round round_;
    BlockRunner::Stepping stepping_;
};

Stepper::Stepper(const ptx::Kernel& kernel, const LaunchShape& shape,
                 std::span<const std::byte> arguments, Memory& memory, Observer& observer,
                 const Machine::Limits& limits,
                 std::function<void(const BulkAccess&)> before_bulk_write)
    : decoded_(std::make_unique<const DecodedKernel>(decode(kernel))),
      before_bulk_write_(std::move(before_bulk_write)),
      instructions_(kernel.instructions.size()),
      operations_(decoded_->ops.size()) {
    check_launch(shape, kernel, arguments.size());
    runner_ = std::make_unique<BlockRunner>(kernel, *decoded_, shape, arguments, memory, observer,
                                            limits);
    runner_->copies_.bulk.before_write = &before_bulk_write_;
    // The others run while this block waits for them: what they do between two barriers of the grid
    // comes after what it does there. Their events reach the observer, too.
    if (ptx::waits_for_grid(kernel) || decoded_->cluster.count() > 1)
        runner_->others_ = std::make_shared<OtherBlocks>(kernel, *decoded_, shape, arguments, memory,
                                                         observer, limits);
    const std::byte* rows = runner_->rows_.get();
    fresh_rows_.assign(rows, rows + State::rows_of(*runner_));
}
Stepper::~Stepper() = default;

void Stepper::begin(uint32_t block) {
    block_ = block;
    has_ended_ = false;
    // What a register holds before it is written is nothing to the kernel, but can be looked at.
    std::copy(fresh_rows_.begin(), fresh_rows_.end(), runner_->rows_.get());
    if (runner_->others_) runner_->others_->begin(block, *runner_);
    runner_->begin(block);
    runner_->stepping_ = {};
    runner_->stepping_.executed.resize(runner_->warps_.size() * operations_);
    runner_->stepping_.last.assign(runner_->warps_.size(), WarpLook::kNowhere);
    run(0);  // to where the first instruction is known
}

void Stepper::run(uint64_t until, std::span<const uint8_t> flags) {
    if (has_ended_) return;
    auto& stepping = runner_->stepping_;
    stepping.until = until;
    stepping.began = stepping.steps;
    stepping.flags = flags.empty() ? nullptr : flags.data();
    if (!runner_->turns<true>()) return;
    OtherBlocks* others = runner_->others_.get();
    while (runner_->waits_for_grid() && !runner_->has_fault_ && others->reach_barrier(*runner_)) {
        runner_->open_grid();
        if (!runner_->turns<true>()) return;
    }
    has_ended_ = true;
    if (others) others->finish(*runner_);
    runner_->finish(block_);
}

uint64_t Stepper::steps() const { return runner_->stepping_.steps; }

uint32_t Stepper::warp() const { return static_cast<uint32_t>(runner_->round_.warp); }

WarpLook Stepper::look(uint32_t index) const {
    BlockRunner::WarpRun& run = runner_->warps_[index];
    const auto& ops = runner_->decoded_.ops;
    auto place = [&](uint32_t pc) {
        return pc < instructions_ ? ops[pc].instruction : WarpLook::kNowhere;
    };
    WarpLook look;
    if (run.state == BlockRunner::State::finished) look.state = WarpLook::State::finished;
    if (run.state == BlockRunner::State::waiting) look.state = WarpLook::State::at_barrier;
    look.live = run.live;
    look.executed = run.warp.executed;
    if (look.state == WarpLook::State::finished) return look;
    const Op& op = ops[std::min<size_t>(run.pc, ops.size() - 1)];
    look.instruction = op.instruction;
    look.lanes = run.lanes & run.live;
    look.executing = look.lanes & (run.warp.predicate(op.guard) ^ op.guard_flip);
    look.meets = place(run.reconverge);
    for (size_t i = run.paths.size(); i-- > 0;) {
        const auto& path = run.paths[i];
        if (uint32_t lanes = path.lanes & run.live)
            look.paths.push_back({place(path.pc), lanes, place(path.reconverge)});
    }
    return look;
}

std::array<uint64_t, 32> Stepper::values(uint32_t index, const ptx::Register& reg) const {
    Warp& warp = runner_->warps_[index].warp;
    const DecodedKernel& decoded = runner_->decoded_;
    std::array<uint64_t, 32> values{};
    uint32_t predicates =
        *warp.words(decoded.predicate_rows +
                    (reg.kind == ptx::RegisterKind::predicate ? reg.index * kPredicateRow : 0));
    for (size_t n = 0; n < values.size(); ++n) switch (reg.kind) {
            case ptx::RegisterKind::predicate:
                values[n] = predicates >> n & 1;
                break;
            case ptx::RegisterKind::word:
                values[n] = warp.words(decoded.word_rows + reg.index * kWordRow)[n];
                break;
            case ptx::RegisterKind::wide:
                values[n] = warp.wides(decoded.wide_rows + reg.index * kWideRow)[n];
                break;
        }
    return values;
}

Stepper::Executed Stepper::executed(uint32_t warp, uint32_t instruction) const {
    const auto& of_op = runner_->stepping_.executed;
    if (of_op.empty()) return {};
    const auto& found = of_op[warp * operations_ + instruction];
    return {found.step, found.lanes};
}

uint32_t Stepper::last(uint32_t warp) const {
    const auto& last = runner_->stepping_.last;
    return warp < last.size() ? last[warp] : WarpLook::kNowhere;
}

std::span<const std::byte> Stepper::shared() const {
    return {runner_->shared_.get(), static_cast<size_t>(runner_->memory_.shared_bytes)};
}

std::span<const std::byte> Stepper::local(uint32_t index, uint32_t lane) const {
    const Warp& warp = runner_->warps_[index].warp;
    return {warp.local + lane * warp.local_bytes, static_cast<size_t>(warp.local_bytes)};
}

std::shared_ptr<const Stepper::State> Stepper::save() const {
    return std::make_shared<const State>(*this);
}

void Stepper::restore(const State& state) { state.put_into(*this); }

uint64_t Stepper::state_bytes() const {
    const auto& stepping = runner_->stepping_;
    return State::rows_of(*runner_) + runner_->memory_.shared_bytes + runner_->local_.size() +
           runner_->warps_.size() * sizeof(BlockRunner::WarpRun) +
           stepping.executed.size() * sizeof(BlockRunner::Executed);
}

}  // namespace lanewise
