#include "model/traffic.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "trace/count/rules.h"

namespace lanewise {
namespace {

constexpr uint32_t kWholeSector = 0xffff'ffff;

struct TouchedSector {
    uint64_t sector;
    uint32_t bytes;  // bit n: its byte n
};

// The sectors that the access touches, in order, each once.
std::vector<TouchedSector> sectors_of(const MemoryEvent& event) {
    std::vector<TouchedSector> touched;
    uint32_t bytes =
        event.bytes_per_lane >= kSectorBytes ? kWholeSector : (1u << event.bytes_per_lane) - 1;
    for (uint32_t lanes = event.mask; lanes != 0; lanes &= lanes - 1) {
        uint64_t first = (*event.addresses)[static_cast<size_t>(std::countr_zero(lanes))];
        touched.push_back({first / kSectorBytes, bytes << first % kSectorBytes});  // aligned
    }
    std::sort(touched.begin(), touched.end(),
              [](const TouchedSector& a, const TouchedSector& b) { return a.sector < b.sector; });
    size_t kept = 0;
    for (size_t i = 1; i < touched.size(); ++i) {
        if (touched[i].sector == touched[kept].sector)
            touched[kept].bytes |= touched[i].bytes;
        else
            touched[++kept] = touched[i];
    }
    touched.resize(kept + 1);
    return touched;
}

double lines_touched(const std::vector<TouchedSector>& touched) {
    double lines = 0;
    uint64_t last = ~0ull;
    for (const TouchedSector& t : touched) {
        lines += t.sector / kSectorsPerLine != last;
        last = t.sector / kSectorsPerLine;
    }
    return lines;
}

void make_unique(std::vector<uint64_t>& sectors) {
    std::sort(sectors.begin(), sectors.end());
    sectors.erase(std::unique(sectors.begin(), sectors.end()), sectors.end());
}

// Sectors that follow each other make a run; `sectors` are unique.
double mean_run_bytes(const std::vector<uint64_t>& sectors) {
    double runs = 0;
    uint64_t next = ~0ull;
    for (uint64_t sector : sectors) {
        runs += sector != next;
        next = sector + 1;
    }
    return runs > 0 ? kSectorBytes * static_cast<double>(sectors.size()) / runs : 0;
}

}  // namespace

void TrafficSampler::on_memory(const MemoryEvent& event) {
    if (event.space != Space::global) return;
    event.is_store ? on_store(event) : on_load(event);
}

void TrafficSampler::on_load(const MemoryEvent& event) {
    std::vector<TouchedSector> touched = sectors_of(event);
    sample_.load_requests += 1;
    sample_.load_sectors += static_cast<double>(touched.size());
    sample_.load_lines += lines_touched(touched);
    for (const TouchedSector& t : touched) block_loads_.push_back(t.sector);
    int group = event.instruction < together_.size() ? together_[event.instruction] : -1;
    WarpTrip& trip = warps_[event.warp];
    bool again =
        std::find(trip.asked.begin(), trip.asked.end(), event.instruction) != trip.asked.end();
    if (trip.asked.empty() || again || group < 0 || group != trip.group) {
        sample_.trips += 1;
        bool is_copy = event.kind == AccessKind::async_copy || event.kind == AccessKind::bulk_copy;
        sample_.copy_trips += is_copy;
        trip = {group, {}, trip.waits + !is_copy};
    }
    trip.asked.push_back(event.instruction);
}

void TrafficSampler::on_store(const MemoryEvent& event) {
    std::vector<TouchedSector> touched = sectors_of(event);
    sample_.store_requests += 1;
    sample_.store_sectors += static_cast<double>(touched.size());
    sample_.store_lines += lines_touched(touched);
    for (const TouchedSector& t : touched) {
        sample_.store_sectors_in_part += t.bytes != kWholeSector;
        all_stores_.push_back(t.sector);
    }
}

void TrafficSampler::on_barrier(const BarrierEvent& event) {
    sample_.barriers += event.whole_block;
}

// m x k elements of a, k x n of b and m x n of c: the root of their product is m * n * k.
void TrafficSampler::on_product(const ProductEvent& event) {
    double elements = 1;
    for (const ProductOperand& operand : event.operands)
        elements *= operand.registers > 0 ? 32.0 * operand.registers * operand.per_register()
                                          : static_cast<double>(operand.shared.size());
    sample_.tensor_operations += 2 * std::sqrt(elements);
}

void TrafficSampler::on_warp_end(uint32_t, uint32_t, uint64_t executed) {
    busiest_instructions_ = std::max(busiest_instructions_, static_cast<double>(executed));
}

void TrafficSampler::on_block_end(uint32_t) {
    double most_waits = 0;
    for (const auto& [warp, trip] : warps_) most_waits = std::max(most_waits, trip.waits);
    sample_.busiest_trips += most_waits;
    sample_.busiest_instructions += busiest_instructions_;
    busiest_instructions_ = 0;
    sample_.blocks += 1;
    sample_.warps += warps_per_block_;
    make_unique(block_loads_);
    make_unique(all_stores_);
    all_loads_.insert(all_loads_.end(), block_loads_.begin(), block_loads_.end());
    sample_.load_sectors_once += static_cast<double>(block_loads_.size());
    block_loads_.clear();
    warps_.clear();
}

TrafficSample TrafficSampler::take() {
    make_unique(all_loads_);
    sample_.load_sectors_together = static_cast<double>(all_loads_.size());
    sample_.load_run_bytes = mean_run_bytes(all_loads_);
    sample_.store_run_bytes = mean_run_bytes(all_stores_);
    return sample_;
}

Traffic traffic_of(const Counts& totals, uint64_t warp_instructions, uint64_t blocks,
                   const TrafficSample& sample) {
    auto grid = static_cast<double>(std::max<uint64_t>(blocks, 1));
    auto each = [grid](uint64_t total) { return static_cast<double>(total) / grid; };
    auto share = [](double part, double whole) { return whole > 0 ? part / whole : 0; };
    const GlobalCounts &load = totals.global_load, &store = totals.global_store;
    Traffic t;
    t.blocks = grid;
    t.warps = std::max(1.0, share(sample.warps, sample.blocks));
    t.warp_instructions = each(warp_instructions);
    t.load_requests = each(load.requests);
    t.load_sectors = each(load.sectors);
    t.load_lines = t.load_requests * share(sample.load_lines, sample.load_requests);
    t.load_sectors_once = t.load_sectors * share(sample.load_sectors_once, sample.load_sectors);
    t.load_sectors_together =
        t.load_sectors * share(sample.load_sectors_together, sample.load_sectors);
    t.store_requests = each(store.requests);
    t.store_sectors = each(store.sectors);
    t.store_lines = t.store_requests * share(sample.store_lines, sample.store_requests);
    t.store_sectors_in_part =
        t.store_sectors * share(sample.store_sectors_in_part, sample.store_sectors);
    t.shared_wavefronts = each(totals.shared_load.wavefronts + totals.shared_store.wavefronts);
    t.load_run_bytes = sample.load_run_bytes;
    t.store_run_bytes = sample.store_run_bytes;
    t.trips = t.load_requests > 0 ? share(sample.trips, sample.warps) : 0;
    t.barriers = share(sample.barriers, sample.blocks);
    t.copy_trips = t.load_requests > 0 ? share(sample.copy_trips, sample.warps) : 0;
    t.tensor_operations = share(sample.tensor_operations, sample.blocks);
    t.busiest_instructions = share(sample.busiest_instructions, sample.blocks);
    t.busiest_trips = share(sample.busiest_trips, sample.blocks);
    return t;
}

Traffic extrapolated(const Traffic& shorter, const Traffic& longer, double k_shorter,
                     double k_longer, double k) {
    static constexpr double Traffic::*kGrowing[] = {&Traffic::warp_instructions,
                                                    &Traffic::load_requests,
                                                    &Traffic::load_lines,
                                                    &Traffic::load_sectors,
                                                    &Traffic::load_sectors_once,
                                                    &Traffic::store_requests,
                                                    &Traffic::load_sectors_together,
                                                    &Traffic::store_lines,
                                                    &Traffic::store_sectors,
                                                    &Traffic::store_sectors_in_part,
                                                    &Traffic::shared_wavefronts,
                                                    &Traffic::trips,
                                                    &Traffic::barriers,
                                                    &Traffic::tensor_operations,
                                                    &Traffic::busiest_instructions,
                                                    &Traffic::busiest_trips,
                                                    &Traffic::copy_trips};
    Traffic t = longer;
    double steps = (k - k_longer) / (k_longer - k_shorter);
    for (double Traffic::*value : kGrowing)
        t.*value = std::max(0.0, longer.*value + steps * (longer.*value - shorter.*value));
    return t;
}

}  // namespace lanewise
