#include "sim/run/together.h"

#include <algorithm>
#include <cstring>

#include "base/text.h"
#include "base/threads.h"
#include "ptx/grid_barrier.h"
#include "sim/run/clusters.h"
#include "sim/run/refusal.h"

namespace lanewise {

namespace {

// Registers, local and shared memory of all blocks: more than any card has, and less than a
// notebook.
constexpr uint64_t kMostBytes = uint64_t{2} << 30;
// No card runs more blocks at once: 160 multiprocessors of 32.
constexpr uint64_t kMostBlocks = 160 * 32;

[[noreturn]] void refuse_together(const std::string& why) {
    refuse_launch("its blocks wait for each other (grid.sync()), so that all must be there at once, and " + why);
}

std::string block_text(uint64_t block, const Dim3& grid) {
    std::string result = "(";
    result += std::to_string(block % grid.x);
    if (grid.y > 1 || grid.z > 1) result += "," + std::to_string(block / grid.x % grid.y);
    if (grid.z > 1) result += "," + std::to_string(block / grid.x / grid.y);
    return result + ")";
}

}  // namespace

void check_together(const LaunchShape& shape) {
    uint64_t count = shape.grid.count();
    if (count > kMostBlocks)
        refuse_together("no card holds " + with_thousands(count) + " of them; launch fewer, and let each do more");
}

Together::Together(const ptx::Kernel& kernel, const DecodedKernel& decoded,
                   const LaunchShape& shape, std::span<const std::byte> arguments, Memory& memory,
                   std::span<Observer* const> by_block, const Machine::Limits& limits,
                   uint64_t mine)
    : shape_(shape), limits_(limits), mine_(mine) {
    uint64_t count = shape.grid.count();
    check_together(shape);
    memory.load_module(kernel.variables);
    std::byte* workspace = memory.find(ptx::kGridWorkspace, ptx::kGridWorkspaceBytes)->storage;
    workspace_ = workspace + 4;
    std::memset(workspace + 4, 0, 4);  // as the driver leaves it for each launch
    for (uint64_t i = 0; i < count; ++i) {
        owned_.push_back(i == mine ? nullptr
                                   : std::make_unique<BlockRunner>(kernel, decoded, shape, arguments,
                                                                   memory, *by_block[i], limits));
        blocks_.push_back(owned_.back().get());
        if (i == mine) continue;
        if (uint64_t all = blocks_[i]->bytes() * count; all > kMostBytes)
            refuse_together("they take " + in_bytes(all) + " here, of at most " + in_bytes(kMostBytes) +
                            "; launch fewer blocks, or smaller ones");
    }
    waits_.resize(count);
    executed_.resize(count);
}

void Together::set_mine(BlockRunner& mine, bool waits) {
    blocks_[mine_] = &mine;
    waits_[mine_] = waits;
}

bool Together::has_fault() const {
    return std::any_of(blocks_.begin(), blocks_.end(),
                       [](const BlockRunner* block) { return block && block->has_fault(); });
}

// Whether every block has come to the barrier since it was open last.
bool Together::is_open() {
    uint32_t word = 0;
    std::memcpy(&word, workspace_, sizeof word);
    if ((word >> 31 != 0) == flipped_) return false;
    flipped_ = !flipped_;
    return true;
}

bool Together::is_over() {
    auto is_set = [](const std::atomic<bool>* flag) {
        return flag && flag->load(std::memory_order_relaxed);
    };
    if (is_set(limits_.stop) || is_set(limits_.cancel)) return true;
    if (std::none_of(waits_.begin(), waits_.end(), [](uint8_t waits) { return waits; })) return true;
    if (is_open()) return false;
    // A block that a fault has ended comes to no barrier any more, and that fault is told of.
    if (!has_fault()) tell_of_deadlock();
    return true;
}

void Together::tell_of_deadlock() {
    auto count = static_cast<uint64_t>(std::count(waits_.begin(), waits_.end(), 1));
    auto first = std::find(waits_.begin(), waits_.end(), 1) - waits_.begin();
    auto gone = std::find(waits_.begin(), waits_.end(), 0);
    std::string who = std::to_string(count) + " of " + std::to_string(waits_.size()) + " blocks wait";
    std::string why = gone == waits_.end()
                          ? "the first thread of some block has not come to it"
                          : "block " + block_text(static_cast<uint64_t>(gone - waits_.begin()), shape_.grid) +
                                " has ended without it";
    blocks_[static_cast<size_t>(first)]->fault_at_grid(
        who + " at this barrier of the grid for ever: " + why +
        "; every thread of every block must come to each grid.sync()");
}

void Together::run_part(int threads) {
    uint64_t count = blocks_.size();
    uint64_t grain = std::clamp<uint64_t>(count / static_cast<uint64_t>(8 * threads), 1, 16);
    in_ranges(count, grain, threads, [&](int, uint64_t begin, uint64_t end) {
        for (uint64_t i = begin; i < end; ++i) {
            if (i == mine_) continue;
            if (!has_begun_)
                waits_[i] = blocks_[i]->begin_together(static_cast<uint32_t>(i));
            else if (waits_[i])
                waits_[i] = blocks_[i]->go_on();
        }
    });
    has_begun_ = true;
}

void Together::finish() {
    for (uint64_t i = 0; i < blocks_.size(); ++i)
        if (i != mine_) executed_[i] = blocks_[i]->finish_together(static_cast<uint32_t>(i));
}

void Together::run(int threads) {
    do run_part(threads);
    while (!is_over());
    finish();
}

uint64_t run_together(const ptx::Kernel& kernel, const LaunchShape& shape,
                      std::span<const std::byte> arguments, Memory& memory,
                      std::span<Observer* const> by_block, int threads,
                      const Machine::Limits& limits) {
    check_launch(shape, kernel, arguments.size());
    check_together(shape);
    const DecodedKernel decoded = decode(kernel);
    Together together(kernel, decoded, shape, arguments, memory, by_block, limits);
    together.run(threads);
    uint64_t executed = 0;
    for (uint64_t block = 0; block < by_block.size(); ++block) executed += together.executed(block);
    return executed;
}

OtherBlocks::OtherBlocks(const ptx::Kernel& kernel, const DecodedKernel& decoded,
                         const LaunchShape& shape, std::span<const std::byte> arguments,
                         Memory& memory, Observer& observer, const Machine::Limits& limits)
    : kernel_(kernel),
      decoded_(decoded),
      shape_(shape),
      arguments_(arguments),
      memory_(memory),
      observer_(observer),
      limits_(limits) {
    if (decoded.cluster.count() == 1) check_together(shape);
}
OtherBlocks::~OtherBlocks() = default;

void OtherBlocks::begin(uint32_t mine, BlockRunner& runner) {
    if (decoded_.cluster.count() > 1) {
        const ClusterGrid grid = cluster_grid(shape_, kernel_);
        std::vector<Observer*> by_rank(grid.blocks(), &observer_);
        cluster_ = std::make_unique<ClusterRunner>(kernel_, decoded_, shape_, arguments_, memory_,
                                                   by_rank, nullptr, limits_, grid.rank_of(mine));
        cluster_->set_mine(runner);
        cluster_->begin(grid.cluster_of(mine));
        return;
    }
    std::vector<Observer*> by_block(shape_.grid.count(), &observer_);
    together_ = std::make_unique<Together>(kernel_, decoded_, shape_, arguments_, memory_, by_block,
                                           limits_, mine);
}

bool OtherBlocks::reach_barrier(BlockRunner& mine) {
    if (cluster_) {
        cluster_->run_part();
        return !cluster_->is_over(true);
    }
    together_->set_mine(mine, true);
    together_->run_part(1);
    return !together_->is_over();
}

void OtherBlocks::finish(BlockRunner& mine) {
    if (cluster_) {
        while (!mine.waits_for_grid() && !cluster_->is_over(false)) cluster_->run_part();
        cluster_->finish();
        return;
    }
    together_->set_mine(mine, mine.waits_for_grid());
    if (!mine.waits_for_grid()) {
        do together_->run_part(1);
        while (!together_->is_over());
    }
    together_->finish();
}

}  // namespace lanewise
