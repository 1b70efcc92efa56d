#include "lab/step/launch_recording.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/error.h"
#include "base/text.h"
#include "lab/job/operation_code.h"
#include "lab/machine/cooperative.h"
#include "ptx/cluster.h"
#include "ptx/grid_barrier.h"
#include "trace/places.h"

namespace lanewise {

// Hears of every access: keeps the journal, and looks out for stores to the bytes that somebody
// asks for.
class LaunchRecording::Listener : public Observer {
  public:
    explicit Listener(LaunchRecording& recording)
        : r_(recording),
          whole_grid_(ptx::waits_for_grid(recording.prepared_->kernel) ||
                      ptx::works_in_clusters(recording.prepared_->kernel)) {}

    void on_memory(const MemoryEvent& event) override {
        bool changes =
            event.is_store || event.kind == AccessKind::atomic || event.kind == AccessKind::barrier;
        if (!changes) return;
        bool is_later = event.kind == AccessKind::async_copy || event.kind == AccessKind::bulk_copy;
        if (is_later) return;  // on_copy_complete and before_bulk_write say when
        if (event.space == Space::global) r_.journal_.add(event, r_.stage_->memory);
        look_at(event);
    }
    void on_copy_complete(const MemoryEvent& event, std::optional<uint32_t>) override {
        if (event.is_store && event.space == Space::shared) look_at(event);
    }
    void before_bulk_write(const BulkAccess& access) {
        r_.journal_.add(access, r_.stage_->memory);
        if (!looks_ || space_ != Space::global) return;
        for (size_t i = 0; i < access.pieces.size(); ++i)
            if (touches(access.pieces[i].global, access.pieces.width()))
                return keep(access.instruction, access.warp, 1u << access.lane);
    }
    void on_fault(const Fault& fault) override {
        // What another block does wrong is told of where that one is looked at.
        bool ends = fault.kind == Fault::Kind::runaway || fault.kind == Fault::Kind::deadlock;
        if (fault.block != r_.now().block && !ends) return;
        if (faults.size() < kMostKept) faults.push_back({moment(), fault});
        if (fault.kind == Fault::Kind::runaway) r_.never_ends_ = true;
    }
    void on_print(const Print& print) override {
        if (print.block != r_.now().block) return;
        if (prints.size() < kMostKept)
            prints.push_back({moment(), print.thread, std::string(print.text)});
    }

    void look_for(Space space, uint64_t address, uint64_t bytes) {
        looks_ = true;
        is_found = false;
        space_ = space;
        address_ = address;
        bytes_ = bytes;
    }
    void stop_looking() { looks_ = false; }

    // Where blocks wait for each other, each is looked at in a launch of its own: its steps are those
    // of the launch, and the other blocks run while it waits (Together).
    bool whole_grid() const { return whole_grid_; }
    void start_with(uint32_t block) {
        uint32_t first = std::exchange(r_.options_.first_block, block);
        r_.start();
        r_.options_.first_block = first;
    }
    // For a moment of this block.
    void start_again(uint32_t block) { whole_grid() ? start_with(block) : r_.start(); }

    std::vector<StepFault> faults;
    std::vector<StepPrint> prints;
    bool is_found = false;
    StepWrite found;

  private:
    static constexpr size_t kMostKept = 1000;
    // The step that is being executed.
    StepMoment moment() const {
        StepMoment at = r_.now();
        return {at.block, at.step - std::min<uint64_t>(at.step, 1)};
    }
    bool touches(uint64_t address, uint64_t bytes) const {
        return address < address_ + bytes_ && address_ < address + bytes;
    }
    void look_at(const MemoryEvent& event) {
        bool is_mine = event.block == r_.now().block;
        if (!looks_ || event.space != space_ || (space_ == Space::shared && !is_mine)) return;
        uint32_t lanes = 0;
        for (size_t n = 0; n < event.addresses->size(); ++n)
            if ((event.mask >> n & 1) && touches((*event.addresses)[n], event.bytes_per_lane))
                lanes |= 1u << n;
        if (lanes == 0) return;
        if (!is_mine) return keep_other(event, lanes);
        bool is_bulk = event.kind == AccessKind::bulk_copy;
        keep(event.instruction, event.warp, is_bulk ? 1u << event.issuing_lane : lanes);
    }
    void keep(uint32_t instruction, uint32_t warp, uint32_t lanes) {
        is_found = true;
        found = {moment(), warp, lanes, instruction};
    }

    // Of another block, whose steps are not counted.
    void keep_other(const MemoryEvent& event, uint32_t lanes) {
        is_found = true;
        found = {{event.block, 0}, event.warp, lanes, event.instruction};
    }

    LaunchRecording& r_;
    const bool whole_grid_;
    bool looks_ = false;
    Space space_ = Space::global;
    uint64_t address_ = 0, bytes_ = 0;
};

static LaunchShape shape_of(const Job& job) {
    if (job.own.is_used()) return job.own.shape;
    return launch_shape(job.stage, job.knobs, job.type, job.rows, job.cols, job.batch, job.inner);
}

LaunchRecording::LaunchRecording(const Job& job, const Options& options)
    : job_(job),
      options_(options),
      prepared_((validate(job_), prepare(job_).kernel)),
      shape_(shape_of(job_)),
      listener_(std::make_unique<Listener>(*this)),
      interval_(std::max<uint64_t>(options.interval, 1)) {
    if (options.first_block >= shape_.grid.count())
        throw Error(Status::bad_input,
                    fmt::format("there is no block {}; the grid has blocks 0 to {}",
                                options.first_block, shape_.grid.count() - 1));
    check_cooperative(*prepared_, shape_);
    start();
}
LaunchRecording::~LaunchRecording() = default;

void LaunchRecording::start() {
    stepper_.reset();  // which refers to the memory
    journal_.clear();
    checkpoints_.clear();
    stage_ = std::make_unique<StageLaunch>(job_, prepared_->kernel);
    if (!job_.own.is_used()) code_of(job_.stage).fill(*stage_, job_, 1, nullptr);
    stepper_ = std::make_unique<Stepper>(
        prepared_->kernel, shape_, stage_->arguments(), stage_->memory, *listener_, stage_->limits,
        [this](const BulkAccess& access) { listener_->before_bulk_write(access); });
    never_ends_ = false;
    begin_block(options_.first_block);
}

uint32_t LaunchRecording::warps() const {
    return static_cast<uint32_t>((shape_.block.count() + 31) / 32);
}

void LaunchRecording::begin_block(uint32_t block) {
    stepper_->begin(block);
    add_checkpoint(true);
}

void LaunchRecording::step() { run(now().step + 1); }

void LaunchRecording::run(uint64_t until, std::span<const uint8_t> flags) {
    const uint64_t began = now().step;
    while (!stepper_->has_ended() && now().step < until) {
        // Before the first step a flag does not count; at a checkpoint in between it does.
        if (now().step > began && !flags.empty() &&
            flags[stepper_->look(stepper_->warp()).instruction])
            return;
        uint64_t due = listener_->whole_grid() ? ~0ull
                       : checkpoints_.empty() || checkpoints_.back().at.block != now().block
                           ? now().step + interval_
                           : checkpoints_.back().at.step + interval_;
        uint64_t most = std::min(until, std::max(due, now().step + 1));
        stepper_->run(most, flags);
        if (stepper_->has_ended()) return;
        bool is_flagged = now().step < most;
        if (now().step >= due) add_checkpoint(false);
        if (is_flagged) return;
    }
}

bool LaunchRecording::next_block() {
    run(~0ull);
    if (never_ends_ || is_last_block()) return false;
    if (listener_->whole_grid()) return listener_->start_with(now().block + 1), true;
    begin_block(now().block + 1);
    return true;
}

void LaunchRecording::go_to(StepMoment moment) {
    if (moment.block >= shape_.grid.count())
        throw Error(Status::bad_input,
                    fmt::format("there is no block {}; the grid has blocks 0 to {}", moment.block,
                                shape_.grid.count() - 1));
    if (moment.block < options_.first_block)
        throw Error(Status::bad_input,
                    fmt::format("block {} comes before block {}, with which this recording begins; "
                                "start again with --first {}",
                                moment.block, options_.first_block, moment.block));
    if (listener_->whole_grid() && moment.block != now().block) listener_->start_with(moment.block);
    if (moment < now()) {
        size_t from = checkpoints_.size();
        while (from > 0 && moment < checkpoints_[from - 1].at) --from;
        if (from > 0)
            restore(from - 1);
        else
            listener_->start_again(moment.block);
    }
    while (now().block < moment.block)
        if (!next_block()) return;
    run(moment.step);
}

void LaunchRecording::add_checkpoint(bool is_begin) {
    if (!checkpoints_.empty() && !(checkpoints_.back().at < now())) return;
    Checkpoint checkpoint{
        .at = now(), .state = {}, .bytes = sizeof(Checkpoint), .journal = journal_.length()};
    if (!is_begin) {
        checkpoint.state = stepper_->save();
        checkpoint.bytes += stepper_->state_bytes();
    }
    checkpoints_.push_back(std::move(checkpoint));
    keep_within_limit();
}

// Later ones go: the journal does not reach beyond this one any more.
void LaunchRecording::restore(size_t index) {
    checkpoints_.resize(index + 1);
    const Checkpoint checkpoint = checkpoints_.back();
    journal_.undo_to(checkpoint.journal);
    // What malloc gave cannot be taken back: such a launch begins again.
    if (stage_->memory.heap().left().given > 0) {
        listener_->start_again(checkpoint.at.block);
        go_to(checkpoint.at);
        return;
    }
    never_ends_ = false;
    if (checkpoint.state)
        stepper_->restore(*checkpoint.state);
    else
        stepper_->begin(checkpoint.at.block);
}

uint64_t LaunchRecording::used_bytes() const {
    uint64_t bytes = journal_.bytes();
    for (const Checkpoint& each : checkpoints_) bytes += each.bytes;
    return bytes;
}

StepMoment LaunchRecording::earliest() const {
    return checkpoints_.empty() ? now() : checkpoints_.front().at;
}

void LaunchRecording::limit_bytes(uint64_t bytes) {
    options_.most_bytes = bytes;
    keep_within_limit();
}

void LaunchRecording::keep_within_limit() {
    while (used_bytes() > options_.most_bytes && thin_out()) {
    }
    while (used_bytes() > options_.most_bytes && checkpoints_.size() > 1) forget_half();
    if (used_bytes() <= options_.most_bytes) return;
    checkpoints_.clear();  // every way back begins at the launch's start
    journal_.clear();
}

// Blocks that are over keep their begin alone; of this one every other checkpoint goes, and new ones
// come half as often. False where there is nothing to gain.
bool LaunchRecording::thin_out() {
    size_t before = checkpoints_.size();
    std::erase_if(checkpoints_, [&](const Checkpoint& each) {
        return each.state && each.at.block != now().block;
    });
    if (checkpoints_.size() < before) return true;
    size_t with_state = 0;
    for (const Checkpoint& each : checkpoints_) with_state += each.state != nullptr;
    constexpr size_t kFew = 4;
    if (with_state < kFew) return false;
    size_t number = 0;
    std::erase_if(checkpoints_,
                  [&](const Checkpoint& each) { return each.state && ++number % 2 == 1; });
    interval_ *= 2;
    return true;
}

void LaunchRecording::forget_half() {
    size_t begin = checkpoints_.size() / 2;
    checkpoints_.erase(checkpoints_.begin(),
                       checkpoints_.begin() + static_cast<std::ptrdiff_t>(begin));
    journal_.forget_before(checkpoints_.front().journal);
}

bool LaunchRecording::last_write(Space space, uint64_t address, uint64_t bytes, StepWrite& write) {
    const StepMoment here = now();
    std::vector<StepFault> faults = std::exchange(listener_->faults, {});
    std::vector<StepPrint> prints = std::exchange(listener_->prints, {});
    bool found = false;
    StepMoment end = here;
    // Block by block back, as far as nothing is forgotten; the rest in one go from the start.
    for (;;) {
        bool is_begin_kept = earliest() <= StepMoment{end.block, 0};
        if (is_begin_kept)
            go_to({end.block, 0});
        else
            listener_->start_again(end.block);
        listener_->look_for(space, address, bytes);
        while (now().block < end.block && next_block()) {
        }
        run(end.step);
        listener_->stop_looking();
        found = listener_->is_found;
        bool is_first = !is_begin_kept || end.block == options_.first_block;
        if (found || is_first || space == Space::shared || listener_->whole_grid()) break;
        end = {end.block - 1, ~0ull};
    }
    write = listener_->found;
    go_to(here);
    listener_->faults = std::move(faults);
    listener_->prints = std::move(prints);
    return found;
}

std::vector<StepFault> LaunchRecording::take_faults() {
    return std::exchange(listener_->faults, {});
}
std::vector<StepPrint> LaunchRecording::take_prints() {
    return std::exchange(listener_->prints, {});
}

}  // namespace lanewise
