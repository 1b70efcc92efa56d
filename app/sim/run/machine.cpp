#include "sim/warp/machine.h"

#include <algorithm>
#include <exception>
#include <mutex>
#include <thread>

#include "base/text.h"
#include "ptx/cluster.h"
#include "ptx/grid_barrier.h"
#include "sim/decode/decode.h"
#include "sim/run/block.h"
#include "sim/run/clusters.h"
#include "sim/run/refusal.h"
#include "sim/run/together.h"

namespace lanewise {

struct Machine::Decoded {
    const ptx::Kernel& kernel;
    DecodedKernel code;
    bool waits_for_grid;
};

namespace {

constexpr uint64_t kMostSharedBytes = 227 * 1024;  // of a block on sm_90, the largest there is
constexpr uint64_t kMostThreads = 1024;

std::string dim_text(const Dim3& d) {
    return std::to_string(d.x) + " x " + std::to_string(d.y) + " x " + std::to_string(d.z);
}

}  // namespace

void check_launch(const LaunchShape& shape, const ptx::Kernel& kernel, size_t argument_bytes) {
    const Dim3 &block = shape.block, &grid = shape.grid;
    if (block.count() == 0 || block.x > kMostThreads || block.y > kMostThreads || block.z > 64 ||
        block.count() > kMostThreads)
        refuse_launch("a block of " + dim_text(block) + " threads; it may hold 1 to 1,024");
    if (grid.count() == 0 || grid.x > 0x7fffffffu || grid.y > 65535 || grid.z > 65535)
        refuse_launch("a grid of " + dim_text(grid) + " blocks; at most 2,147,483,647 x 65,535 x 65,535");
    if (grid.count() > 0xffffffffull) refuse_launch("more than 4,294,967,295 blocks");
    uint64_t shared = uint64_t{kernel.shared_bytes} + shape.dynamic_shared_bytes;
    if (shared > kMostSharedBytes)
        refuse_launch(in_bytes(shared) + " of shared memory for a block; at most 227 KiB");
    if (argument_bytes != kernel.parameter_bytes)
        refuse_launch(std::to_string(argument_bytes) + " bytes of arguments; the kernel takes " +
                      std::to_string(kernel.parameter_bytes));
    check_clusters(shape, kernel);
}

namespace {

bool cancelled(const Machine::Limits& limits) {
    auto is_set = [](const std::atomic<bool>* flag) {
        return flag && flag->load(std::memory_order_relaxed);
    };
    return is_set(limits.stop) || is_set(limits.cancel);
}

// Hands out consecutive ranges of blocks. Small enough that no thread waits long at the end.
class Ranges {
  public:
    Ranges(uint64_t blocks, size_t threads)
        : blocks_(blocks), size_(std::clamp<uint64_t>(blocks / (16 * threads), 1, 64)) {}
    bool next(uint64_t& begin, uint64_t& end) {
        begin = next_.fetch_add(size_, std::memory_order_relaxed);
        end = std::min(begin + size_, blocks_);
        return begin < blocks_;
    }

  private:
    uint64_t blocks_, size_;
    std::atomic<uint64_t> next_ = 0;
};

}  // namespace

// The clusters of these blocks, whole; the observer hears of these blocks alone, of those of one
// cluster in turns.
static uint64_t run_clusters(const ptx::Kernel& kernel, const DecodedKernel& code,
                             const LaunchShape& shape, std::span<const std::byte> arguments,
                             Memory& memory, uint64_t first_block, uint64_t end_block,
                             Observer& observer, const Machine::Limits& limits) {
    const ClusterGrid grid = cluster_grid(shape, kernel);
    Observer nobody;
    std::vector<Observer*> all(grid.blocks(), &observer), some(grid.blocks(), &nobody);
    auto is_asked_for = [&](uint64_t block) { return block >= first_block && block < end_block; };
    ClusterRunner runner(kernel, code, shape, arguments, memory, all, nullptr, limits);
    uint64_t executed = 0;
    for (uint64_t cluster = 0; cluster < grid.count() && !cancelled(limits); ++cluster) {
        uint32_t count = 0;
        for (uint32_t rank = 0; rank < grid.blocks(); ++rank) {
            bool is_one = is_asked_for(grid.block(cluster, rank));
            some[rank] = is_one ? &observer : &nobody;
            count += is_one;
        }
        if (count == 0) continue;
        if (count == grid.blocks()) {
            executed += runner.run(cluster);
            continue;
        }
        ClusterRunner part(kernel, code, shape, arguments, memory, some, nullptr, limits);
        part.run(cluster);
        for (uint32_t rank = 0; rank < grid.blocks(); ++rank)
            if (some[rank] == &observer) executed += part.executed(rank);
    }
    return executed;
}

Machine::Machine(const ptx::Kernel& kernel) : decoded_(new Decoded{kernel, decode(kernel), ptx::waits_for_grid(kernel)}) {}
Machine::~Machine() = default;

uint32_t Machine::static_shared_bytes() const { return decoded_->kernel.shared_bytes; }

uint64_t Machine::run(const LaunchShape& shape, std::span<const std::byte> arguments,
                      Memory& memory, uint64_t first_block, uint64_t end_block, Observer& observer,
                      const Limits& limits) const {
    check_launch(shape, decoded_->kernel, arguments.size());
    if (end_block > shape.grid.count() || first_block > end_block)
        refuse_launch("blocks beyond the end of the grid");
    uint64_t executed = 0;
    // The whole grid, from its start; the observer hears of these blocks, of several of them one part
    // after the other.
    if (decoded_->waits_for_grid) {
        check_together(shape);
        Observer nobody;
        std::vector<Observer*> by_block(shape.grid.count(), &nobody);
        for (uint64_t block = first_block; block < end_block; ++block) by_block[block] = &observer;
        Together together(decoded_->kernel, decoded_->code, shape, arguments, memory, by_block,
                          limits);
        together.run(1);
        for (uint64_t block = first_block; block < end_block; ++block)
            executed += together.executed(block);
        return executed;
    }
    if (decoded_->code.cluster.count() > 1)
        return run_clusters(decoded_->kernel, decoded_->code, shape, arguments, memory, first_block,
                            end_block, observer, limits);
    BlockRunner runner(decoded_->kernel, decoded_->code, shape, arguments, memory, observer,
                       limits);
    for (uint64_t block = first_block; block < end_block && !cancelled(limits); ++block)
        executed += runner.run(static_cast<uint32_t>(block));
    return executed;
}

uint64_t Machine::run_all(const LaunchShape& shape, std::span<const std::byte> arguments,
                          Memory& memory, std::span<Observer* const> observers,
                          const Limits& limits) const {
    check_launch(shape, decoded_->kernel, arguments.size());
    if (observers.empty()) return 0;
    if (decoded_->waits_for_grid || decoded_->code.cluster.count() > 1)
        return run(shape, arguments, memory, 0, shape.grid.count(), *observers[0], limits);
    Ranges ranges(shape.grid.count(), observers.size());
    std::atomic<uint64_t> executed = 0;
    std::mutex mutex;
    std::exception_ptr failure;
    auto work = [&](Observer& observer) {
        try {
            BlockRunner runner(decoded_->kernel, decoded_->code, shape, arguments, memory, observer,
                               limits);
            uint64_t mine = 0;
            for (uint64_t block, end; !cancelled(limits) && ranges.next(block, end);)
                for (; block < end && !cancelled(limits); ++block)
                    mine += runner.run(static_cast<uint32_t>(block));
            executed += mine;
        } catch (...) {
            std::lock_guard lock(mutex);
            failure = std::current_exception();
        }
    };
    std::vector<std::thread> threads;
    for (Observer* observer : observers.subspan(1)) threads.emplace_back(work, std::ref(*observer));
    work(*observers[0]);
    for (std::thread& thread : threads) thread.join();
    if (failure) std::rethrow_exception(failure);
    return executed;
}

}  // namespace lanewise
