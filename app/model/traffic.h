// What a launch asks of each part of the machine, per block: the bandwidth model's input. The exact
// counts of the whole launch say how much; a few consecutive blocks, looked at access by access,
// say how it is spread: over lines and sectors, in what order, waiting how often.
#pragma once
#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "sim/event/event.h"
#include "trace/report.h"

namespace lanewise {

// Sums over the blocks looked at.
struct TrafficSample {
    double blocks = 0, warps = 0;
    double load_requests = 0, load_sectors = 0;
    double load_lines = 0;         // 128-byte lines per request: what L1 looks up
    double load_sectors_once = 0;  // distinct within a block: what an L1 that forgets nothing asks
    double load_sectors_together = 0;  // distinct within all of them: what an L2 asks
    double store_requests = 0, store_sectors = 0, store_lines = 0;
    double store_sectors_in_part = 0;  // a request's sectors of which it does not write every byte
    double load_run_bytes = 0, store_run_bytes = 0;  // mean length of what all of them touch
                                                     // without a gap; 0 where nothing
    double trips =
        0;  // summed over warps: times that a warp waits for loads before it asks for more
    double copy_trips = 0;  // of these, those of asynchronous and bulk copies
    // Summed over blocks, of the warp that has most of them: what it executes, and how often it
    // waits for loads that are no copies.
    double busiest_instructions = 0, busiest_trips = 0;
    double barriers = 0;           // summed over blocks
    double tensor_operations = 0;  // of tensor cores: two for each product that is added
};

// Looks at consecutive blocks of a launch.
class TrafficSampler : public Observer {
  public:
    // together: by PTX instruction, the number of the group of loads that the machine code issues
    // with no use between them; -1 or missing: on its own.
    explicit TrafficSampler(uint32_t warps_per_block, std::span<const int> together = {})
        : warps_per_block_(warps_per_block), together_(together) {}
    void on_memory(const MemoryEvent&) override;
    void on_barrier(const BarrierEvent&) override;
    void on_product(const ProductEvent&) override;
    void on_warp_end(uint32_t block, uint32_t warp, uint64_t executed) override;
    void on_block_end(uint32_t block) override;
    TrafficSample take();

  private:
    struct WarpTrip {
        int group = -1;
        std::vector<uint32_t> asked;  // instructions of this trip
        double waits = 0;             // trips that are no copies, in all
    };
    void on_load(const MemoryEvent&);
    void on_store(const MemoryEvent&);
    uint32_t warps_per_block_;
    std::span<const int> together_;
    TrafficSample sample_;
    std::vector<uint64_t> block_loads_, all_loads_, all_stores_;  // sector numbers
    std::map<uint32_t, WarpTrip> warps_;
    double busiest_instructions_ = 0;  // of the present block
};

// The same for an average block of the launch.
struct Traffic {
    double blocks = 1, warps = 1;  // of the grid; of a block
    double warp_instructions = 0;
    double load_requests = 0, load_lines = 0, load_sectors = 0, load_sectors_once = 0;
    double load_sectors_together = 0;
    double store_requests = 0, store_lines = 0, store_sectors = 0, store_sectors_in_part = 0;
    double shared_wavefronts = 0;
    double load_run_bytes = 0, store_run_bytes = 0;
    double trips = 0, barriers = 0;
    // ---- of a product of matrices only
    double operations = 0;         // that the result needs; 0: nothing is computed
    double tensor_operations = 0;  // that tensor cores do, edges of their tiles included
    double copy_trips = 0;         // of the trips, those of asynchronous and bulk copies
    double busiest_instructions = 0, busiest_trips = 0;  // TrafficSample
    double read_bytes = 0, write_bytes = 0;              // useful ones; each byte once
    double sectors_in_use = 0;  // distinct ones that the block's warps ask for within some steps
                                // of K: what L1 has to keep
};
// What a launch with a sum over K asks for, given the same at two lengths of the sum: all of it
// grows in proportion but for what begins and ends it.
Traffic extrapolated(const Traffic& shorter, const Traffic& longer, double k_shorter,
                     double k_longer, double k);
// `sample` of at least one block.
Traffic traffic_of(const Counts& totals, uint64_t warp_instructions, uint64_t blocks,
                   const TrafficSample& sample);

}  // namespace lanewise
