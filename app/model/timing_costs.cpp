#include "model/timing_costs.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "model/sizes.h"

namespace lanewise {
namespace {

struct OperationRows {
    const char* kernel;  // begins so
    Unit unit;
};
constexpr OperationRows kOperations[] = {
    {"micro_operation<0, ", Unit::single},
    {"micro_operation<6, ", Unit::half},
    {"micro_operation<20, ", Unit::real},
    {"micro_operation<1, ", Unit::integer},
    {"micro_operation<2, ", Unit::multiply},
    {"micro_operation<9, ", Unit::compare},
    {"micro_operation<11, ", Unit::shift},
    {"micro_operation<3, ", Unit::function},
    {"micro_operation<5, ", Unit::count},
    {"micro_operation<7, ", Unit::convert},
    {"micro_operation<4, ", Unit::shuffle},
    {"micro_operation<8, ", Unit::vote},
    {"micro_operation<10, ", Unit::reduce},
};

// The rows, by what they are about.
class TimingRows {
  public:
    TimingRows(const Calibration& calibration, const DeviceProfile& device)
        : calibration_(calibration), device_(device) {}

    // The first of this name whose kernel begins so; threads and a: 0 is any.
    const CalibrationRow& row(const char* name, const std::string& kernel, double threads = 0,
                              uint64_t a = 0, uint64_t least_bytes = 0) const {
        for (const CalibrationRow& row : calibration_.rows)
            if (row.name == name && row.kernel.starts_with(kernel) &&
                (threads == 0 || row.threads == threads) && (a == 0 || row.a == a) &&
                row.bytes >= least_bytes)
                return row;
        throw Error(Status::bad_input,
                    fmt::format("the calibration has no row \"{}\" of {}; measure it with: "
                                "lanewise-engine calibrate {}",
                                name, kernel, name));
    }
    // The last of this name whose kernel begins so.
    const CalibrationRow& last_row(const char* name, const std::string& kernel, double threads) const {
        const CalibrationRow* last = &row(name, kernel, threads);
        for (const CalibrationRow& row : calibration_.rows)
            if (row.name == name && row.kernel.starts_with(kernel) && row.threads == threads) last = &row;
        return *last;
    }
    bool has(const char* name) const {
        return std::any_of(calibration_.rows.begin(), calibration_.rows.end(), [&](const CalibrationRow& row) { return row.name == name; });
    }
    // Clocks of one of `parts`, the launch taken off.
    double clocks(const CalibrationRow& row, double parts) const {
        return (row.us - device_.launch_us) * device_.sm_clock_mhz / parts;
    }
    double clocks_each(const CalibrationRow& row) const { return clocks(row, row.work); }
    const Calibration& all() const { return calibration_; }
    const DeviceProfile& device() const { return device_; }

  private:
    const Calibration& calibration_;
    const DeviceProfile& device_;
};

void take_operations(const TimingRows& rows, TimingCosts& costs) {
    for (const OperationRows& operation : kOperations) {
        UnitCost& cost = costs.of(operation.unit);
        cost.late_clocks = rows.clocks_each(rows.row("time_late", operation.kernel));
        cost.turn_clocks = kSchedulers * rows.clocks_each(rows.row("time_rate", operation.kernel));
    }
    UnitCost& tensor = costs.of(Unit::tensor);
    tensor.late_clocks = rows.clocks_each(rows.row("time_mma", "micro_mma<1>", 32));
    tensor.turn_clocks = kSchedulers * rows.clocks_each(rows.last_row("time_mma", "micro_mma<8>", 512));
    // A calibration that is older than these rows has what an H200's say.
    constexpr double kLateOfReals = 50.5, kTurnOfReals = 32.9;
    costs.real_products = {kLateOfReals, kTurnOfReals};
    if (rows.has("time_mma_real")) {
        costs.real_products.late_clocks = rows.clocks_each(rows.row("time_mma_real", "micro_mma_real<1>", 32));
        costs.real_products.turn_clocks = kSchedulers * rows.clocks_each(rows.row("time_mma_real", "micro_mma_real<4>", 256));
    }
    if (rows.has("time_clock"))
        costs.clock_with_products = std::min(1.0, rows.clocks_each(rows.row("time_clock", "micro_clock<0>")) /
                                                      rows.clocks_each(rows.row("time_clock", "micro_clock<1>")));
    else
        costs.clock_with_products = clock_with_products(rows.device().arch);
}

void take_shared(const TimingRows& rows, TimingCosts& costs) {
    constexpr uint64_t kLanes = 8;  // that take turns on a word
    costs.shared.latency_clocks = rows.clocks_each(rows.row("time_shared_chase", "micro_shared_chase"));
    costs.shared.atomic_late_clocks =
        rows.clocks_each(rows.row("time_shared_atomic", "micro_shared_atomic<4, false>", 32, 1));
    const CalibrationRow& alone = rows.row("time_shared_atomic", "micro_shared_atomic<2, false>", 32, kLanes);
    const CalibrationRow& full = rows.row("time_shared_atomic", "micro_shared_atomic<2, false>", 1024, kLanes);
    costs.shared.swap.late_clocks = rows.clocks(alone, alone.work * kLanes);
    costs.shared.swap.turn_clocks = rows.clocks(full, full.work * kLanes);
}

// By warp, of atomics without a needed old value: all lanes on one word; side by side on one line; on a million words,
// which keep every slice busy. Those on 8, 64 and 256 words at random are not used: the turns of the word of each sector
// that most lanes change, as long as those on one word, explain them to a twentieth (launch_record.cpp has the slices).
void take_atomics(const TimingRows& rows, TimingCosts& costs) {
    auto of_warp = [&](const char* kernel, uint64_t words) {
        const CalibrationRow& row = rows.row("time_atomic", kernel, 256, words);
        return rows.clocks(row, row.work / kWarp);
    };
    constexpr double kOfLine = 4;
    costs.atomics.whole_sector_clocks = of_warp("micro_atomic<0, 1>", 32) / kOfLine;
    costs.atomics.word_clocks = of_warp("micro_atomic<0, 0>", 1) / kWarp;
    costs.atomics.float_word_clocks = of_warp("micro_atomic<2, 0>", 1) / kWarp;
    costs.atomics.slices = std::round(costs.atomics.word_clocks * kWarp / of_warp("micro_atomic<0, 0>", 1 << 20));
    costs.atomics.returned_sector_clocks = of_warp("micro_atomic<1, 0>", 1 << 20) / kWarp;
    costs.atomics.latency_clocks = rows.clocks_each(rows.row("time_atomic_chain", "micro_atomic_chain"));
}

// Reads of the same bytes launch after launch: the size that is read fastest is kept whole. How much of others was
// still in L2 follows from their rate, between that of the fastest and that of the largest. Where it falls most
// steeply, a line through two sizes says from how many bytes on nothing is, and up to how many all would be. Before
// that a little is lost already: so much as if it began half way from the fastest. (An H200 was found to keep 88 % of 36 MB,
// 70 to 78 % of 40 MB, 33 to 40 % of 44 MB and 6 % of 48 MB, by its counters of DRAM; this says 96, 70, 38 and 5.)
void take_l2_size(const TimingRows& rows, TimingCosts& costs) {
    std::vector<std::pair<double, double>> clocks_a_byte;  // by bytes
    for (const CalibrationRow& row : rows.all().rows)
        if (row.name == "time_reread" && row.kernel.starts_with("micro_read"))
            clocks_a_byte.emplace_back(row.bytes, rows.clocks(row, static_cast<double>(row.bytes)));
    if (clocks_a_byte.size() < 2) return;
    std::sort(clocks_a_byte.begin(), clocks_a_byte.end());
    auto fastest = std::min_element(clocks_a_byte.begin(), clocks_a_byte.end(),
                                    [](const auto& a, const auto& b) { return a.second < b.second; });
    double kept = fastest->first;
    costs.l2.kept_bytes = kept;
    double from_l2 = fastest->second, from_dram = clocks_a_byte.back().second, steepest = 0;
    if (from_dram <= from_l2) return;
    auto found = [&](double clocks) { return std::clamp((from_dram - clocks) / (from_dram - from_l2), 0.0, 1.0); };
    for (auto at = fastest; at + 1 != clocks_a_byte.end(); ++at) {
        double bytes = at->first, share = found(at->second);
        double slope = (share - found((at + 1)->second)) / ((at + 1)->first - bytes);
        if (slope <= steepest) continue;
        steepest = slope;
        costs.l2.lost_bytes = bytes + share / slope;
        costs.l2.kept_bytes = (kept + std::max(kept, bytes - (1 - share) / slope)) / 2;
    }
}

void take_gathers(const TimingRows& rows, TimingCosts& costs) {
    const DeviceProfile& device = rows.device();
    auto of_sm = [&](const char* name, const char* kernel, uint64_t least) {
        const CalibrationRow& row = rows.row(name, kernel, 1024, 1, least);
        return rows.clocks(row, row.work / device.sm_count);
    };
    double stream = kSectorBytes * device.sm_count * device.sm_clock_mhz * 1e-3 / device.costs.dram_read_gb_per_s;
    costs.dram.alone_factor = of_sm("time_gather", "micro_gather<4", 1u << 30) / stream;
    costs.dram.part_factor = of_sm("time_strew", "micro_strew", 1u << 30) / stream;
    // Full multiprocessors whose warps read words at random out of 32 KiB, so that each asks for some 30 lines of L1.
    const CalibrationRow& hits = rows.row("time_gather", "micro_gather<1, true>", 1024, 1);
    const double lines = static_cast<double>(hits.bytes) / kLineBytes, asked = lines * (1 - std::pow(1 - 1 / lines, kWarp));
    costs.look_clocks = rows.clocks(hits, hits.work / kWarp / device.sm_count) / asked;
}

}  // namespace

TimingCosts timing_costs(const Calibration& calibration, const DeviceProfile& device) {
    TimingCosts costs;
    bool has_rows = std::any_of(calibration.rows.begin(), calibration.rows.end(), [](const CalibrationRow& row) {
        return row.name == "time_late";
    });
    if (!has_rows) return costs;
    TimingRows rows(calibration, device);
    for (auto take : {take_operations, take_shared, take_atomics, take_l2_size, take_gathers})
        take(rows, costs);
    return costs;
}

}  // namespace lanewise
