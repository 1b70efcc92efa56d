// Blocks to counts and findings, on several threads.
#include "lab/machine/interpret.h"

#include <algorithm>
#include <deque>
#include <optional>

#include "base/threads.h"
#include "lab/machine/cluster_block.h"
#include "lab/machine/cooperative.h"
#include "ptx/cluster.h"
#include "ptx/grid_barrier.h"
#include "sim/run/clusters.h"
#include "sim/run/together.h"
#include "trace/both.h"
#include "trace/check/checker.h"
#include "trace/check/cluster_check.h"
#include "trace/count/counter.h"

namespace lanewise {

namespace {

// Counts, and gives the whole launch up at the first block that would never end: each of the others
// would take as long to be found out.
class StoppingCounter : public Counter {
  public:
    StoppingCounter(const PreparedKernel& prepared, std::atomic<bool>& stop)
        : Counter(prepared.kernel, prepared.counting.count_as), stop_(stop) {}
    void on_fault(const Fault& fault) override {
        Counter::on_fault(fault);
        if (fault.kind == Fault::Kind::runaway) stop_ = true;
    }

  private:
    std::atomic<bool>& stop_;
};

// What one thread interprets with: it counts every block, and checks some. Or one block, where they
// take turns (most_sectors: as the checker has it).
struct Interpreter {
    Interpreter(const PreparedKernel& prepared, const StageLaunch& stage, std::atomic<bool>& stop,
                size_t most_sectors = BlockTouches::kMostSectors)
        : counter(prepared, stop),
          checker(prepared.kernel, stage.memory, stage.outputs, most_sectors) {}
    StoppingCounter counter;
    Checker checker;
    Both both{counter, checker};
    uint64_t executed = 0, checked = 0;
    Observer* also = nullptr;

    // Blocks that are checked and blocks that are not alternate in as few runs as possible.
    void run(const PreparedKernel& prepared, const LaunchShape& launch, StageLaunch& stage,
             uint64_t begin, uint64_t end, const Machine::Limits& limits) {
        while (begin < end) {
            bool check = is_checked(begin, launch.grid);
            uint64_t next = begin + 1;
            while (next < end && is_checked(next, launch.grid) == check) ++next;
            run_alike(prepared, launch, stage, begin, next, limits, check);
            begin = next;
        }
    }
    void run_alike(const PreparedKernel& prepared, const LaunchShape& launch, StageLaunch& stage,
                   uint64_t begin, uint64_t end, const Machine::Limits& limits, bool check) {
        Observer& observer = check ? static_cast<Observer&>(both) : counter;
        auto run_with = [&](Observer& all) {
            if (check && ptx::works_in_clusters(prepared.kernel))
                executed +=
                    run_block_of_cluster(prepared, launch, stage, begin, all, checker, limits);
            else
                executed += prepared.machine->run(launch, stage.arguments(), stage.memory, begin,
                                                  end, all, limits);
        };
        if (also) {
            Both with_it(observer, *also);
            run_with(with_it);
        } else {
            run_with(observer);
        }
        checked += check ? end - begin : 0;
    }
};

Report merged(const PreparedKernel& prepared, const LaunchShape& launch, const StageLaunch& stage,
              const std::deque<Interpreter>& interpreters) {
    std::vector<const Counter*> counters;
    std::vector<const Checker*> checkers;
    uint64_t executed = 0, checked = 0;
    for (const Interpreter& interpreter : interpreters) {
        counters.push_back(&interpreter.counter);
        checkers.push_back(&interpreter.checker);
        executed += interpreter.executed;
        checked += interpreter.checked;
    }
    Report report = merge(prepared.kernel, counters, launch, stage.memory);
    add_findings(report, prepared.kernel, checkers, launch, stage.memory);
    report.warp_instructions = executed;
    report.checked_blocks = checked;
    return report;
}

// All blocks at once, each with what counts and checks it.
Report interpret_together(const PreparedKernel& prepared, const LaunchShape& launch,
                          StageLaunch& stage, int threads, const CancelFlag* cancel,
                          Observer* also) {
    check_cooperative(prepared, launch);
    std::atomic<bool> stop = false;
    std::deque<Interpreter> interpreters;
    std::deque<Both> with_also;
    std::vector<Observer*> by_block;
    const uint64_t blocks = launch.grid.count();
    // Four times what one checker keeps, of all blocks.
    const size_t most_sectors =
        std::clamp<size_t>(4 * BlockTouches::kMostSectors / blocks, 256, BlockTouches::kMostSectors);
    for (uint64_t i = 0; i < blocks; ++i) {
        Interpreter& one = interpreters.emplace_back(prepared, stage, stop, most_sectors);
        by_block.push_back(&one.both);
        if (also) by_block.back() = &with_also.emplace_back(one.both, *also);
    }
    Machine::Limits limits = stage.limits;
    limits.stop = &stop;
    limits.cancel = cancel;
    interpreters.front().executed = run_together(
        prepared.kernel, launch, stage.arguments(), stage.memory, by_block, threads, limits);
    interpreters.front().checked = blocks;
    if (cancel && *cancel) throw Cancelled{};
    return merged(prepared, launch, stage, interpreters);
}

// What one thread interprets clusters with: an Interpreter for each rank, as blocks take turns.
class ClusterInterpreter {
  public:
    ClusterInterpreter(const PreparedKernel& prepared, const LaunchShape& launch,
                       StageLaunch& stage, const DecodedKernel& decoded,
                       std::span<Interpreter* const> ranks, Observer* also,
                       const Machine::Limits& limits)
        : prepared_(prepared),
          launch_(launch),
          stage_(stage),
          decoded_(decoded),
          limits_(limits),
          clusters_(cluster_grid(launch, prepared.kernel)),
          ranks_(ranks.begin(), ranks.end()) {
        std::vector<Checker*> checkers;
        std::vector<Observer*> faults;
        for (Interpreter* rank : ranks) {
            checkers.push_back(&rank->checker);
            faults.push_back(&rank->both);
        }
        check_.emplace(prepared.kernel, checkers, faults);
        for (uint32_t rank = 0; rank < ranks.size(); ++rank) {
            searching_.push_back(&beside_.emplace_back(*faults[rank], check_->of_block(rank)));
            counting_.push_back(&ranks[rank]->counter);
            if (!also) continue;
            searching_.back() = &beside_.emplace_back(*searching_.back(), *also);
            counting_.back() = &beside_.emplace_back(*counting_.back(), *also);
        }
    }
    void run(uint64_t cluster) {
        bool check = false;
        for (uint32_t rank = 0; rank < ranks_.size(); ++rank)
            check |= is_checked(clusters_.block(cluster, rank), launch_.grid);
        ranks_[0]->executed += runner(check).run(cluster);
        ranks_[0]->checked += check ? ranks_.size() : 0;
    }

  private:
    // Made when it is first needed: each keeps the registers and memory of a whole cluster.
    ClusterRunner& runner(bool check) {
        std::optional<ClusterRunner>& wanted = check ? searcher_ : counter_;
        if (!wanted)
            wanted.emplace(prepared_.kernel, decoded_, launch_, stage_.arguments(), stage_.memory,
                           check ? searching_ : counting_, check ? &*check_ : nullptr, limits_);
        return *wanted;
    }

    const PreparedKernel& prepared_;
    const LaunchShape& launch_;
    StageLaunch& stage_;
    const DecodedKernel& decoded_;
    const Machine::Limits& limits_;
    const ClusterGrid clusters_;
    std::vector<Interpreter*> ranks_;
    std::optional<ClusterCheck> check_;
    std::deque<Both> beside_;
    std::vector<Observer*> searching_, counting_;
    std::optional<ClusterRunner> searcher_, counter_;
};

Report interpret_clusters(const PreparedKernel& prepared, const LaunchShape& launch,
                          StageLaunch& stage, int threads, const CancelFlag* cancel,
                          Observer* also) {
    check_launch(launch, prepared.kernel, stage.arguments().size());
    std::atomic<bool> stop = false;
    const ClusterGrid grid = cluster_grid(launch, prepared.kernel);
    const DecodedKernel decoded = decode(prepared.kernel);
    Machine::Limits limits = stage.limits;
    limits.stop = &stop;
    limits.cancel = cancel;
    std::deque<Interpreter> interpreters;
    std::deque<ClusterInterpreter> by_thread;
    for (int i = 0; i < threads; ++i) {
        std::vector<Interpreter*> ranks;
        for (uint32_t rank = 0; rank < grid.blocks(); ++rank)
            ranks.push_back(&interpreters.emplace_back(prepared, stage, stop,
                                                       BlockTouches::kMostSectors / grid.blocks()));
        by_thread.emplace_back(prepared, launch, stage, decoded, ranks, also, limits);
    }
    uint64_t grain =
        std::clamp<uint64_t>(grid.count() / static_cast<uint64_t>(16 * threads), 1, 64);
    in_ranges(grid.count(), grain, threads, [&](int thread, uint64_t begin, uint64_t end) {
        if (cancel && *cancel) throw Cancelled{};
        for (; begin < end && !stop; ++begin) by_thread[static_cast<size_t>(thread)].run(begin);
    });
    if (cancel && *cancel) throw Cancelled{};
    return merged(prepared, launch, stage, interpreters);
}

}  // namespace

Report interpret(const PreparedKernel& prepared, const LaunchShape& launch, StageLaunch& stage,
                 int threads, const CancelFlag* cancel, std::span<const uint64_t> only,
                 Observer* also) {
    if (ptx::waits_for_grid(prepared.kernel))
        return interpret_together(prepared, launch, stage, threads, cancel, also);
    if (only.empty() && ptx::works_in_clusters(prepared.kernel))
        return interpret_clusters(prepared, launch, stage, threads, cancel, also);
    std::atomic<bool> stop = false;
    std::deque<Interpreter> interpreters;  // which cannot be moved
    for (int i = 0; i < threads; ++i) {
        interpreters.emplace_back(prepared, stage, stop);
        interpreters.back().also = also;
    }
    uint64_t blocks = only.empty() ? launch.grid.count() : only.size();
    uint64_t grain = std::clamp<uint64_t>(blocks / static_cast<uint64_t>(16 * threads), 1, 64);
    Machine::Limits limits = stage.limits;
    limits.stop = &stop;
    limits.cancel = cancel;
    in_ranges(blocks, grain, threads, [&](int thread, uint64_t begin, uint64_t end) {
        if (cancel && *cancel) throw Cancelled{};
        Interpreter& interpreter = interpreters[static_cast<size_t>(thread)];
        if (only.empty()) return interpreter.run(prepared, launch, stage, begin, end, limits);
        for (uint64_t block : only.subspan(begin, end - begin))
            interpreter.run_alike(prepared, launch, stage, block, block + 1, limits, true);
    });
    if (cancel && *cancel) throw Cancelled{};
    return merged(prepared, launch, stage, interpreters);
}

}  // namespace lanewise
