// What a card is able to do: assets/devices/<name>.json, or read from the driver.
#pragma once
#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace lanewise {

// How much longer DRAM takes for runs of so many bytes than for one stream.
struct RunFactor {
    double bytes = 0, factor = 1;
};

// What the bandwidth model needs to know, from `lanewise-engine calibrate`. Clocks are the
// multiprocessors'; those of the dispatcher and of L2 are of the whole card.
struct MachineCosts {
    double dram_read_gb_per_s = 0, dram_write_gb_per_s = 0;  // one direction alone, in one stream
    double dram_turning = 0;  // share that equal reads and writes take longer together
    double dram_latency_clocks = 0, l2_latency_clocks = 0, l1_latency_clocks = 0;
    double dram_write_batch_clocks = 0;  // by how much a load takes longer while all is writing
    std::vector<RunFactor> read_runs, write_runs;  // by rising length
    double l2_read_line_clocks = 0, l2_read_sector_clocks = 0;
    double l2_write_line_clocks = 0, l2_write_sector_clocks = 0;
    double l2_write_part_clocks = 0;  // more for a sector that is written in part
    double l1_load_line_clocks = 0, l1_store_line_clocks = 0, l1_store_sector_clocks = 0;
    double wavefront_clocks = 0;                     // of shared memory
    double dispatch_clocks = 0;                      // from one block's start to the next one's
    double block_clocks = 0, block_warp_clocks = 0;  // from a block's end to its successor's start
    double instruction_clocks = 0;                   // from one to the next that needs its result
    double barrier_clocks = 0, barrier_warp_clocks = 0;
};

// How a constant carries over to a card of the same kind on which nothing was measured.
enum class Scaling {
    as_it_is,       // clocks of a multiprocessor
    with_memory,    // rates, in the ratio of the datasheets'
    kept_in_time,   // clocks of a way that does not get shorter with the multiprocessors' clock
    shared_by_sms,  // clocks of the whole card, in the ratio of the numbers of multiprocessors
};
struct CostField {
    const char* name;  // in the file
    double MachineCosts::*value;
    Scaling scaling = Scaling::as_it_is;
    bool positive = false;  // 0 would be no machine
    bool is_new = false;    // profiles from before it have none: 0
};
// Every constant but the two tables of runs, which carry over as they are.
std::span<const CostField> cost_fields();

struct DeviceProfile {
    std::string name;  // "NVIDIA H200"
    std::string arch;  // "sm_90"
    int sm_count = 0;
    int max_threads_per_sm = 0, max_blocks_per_sm = 0, max_warps_per_sm = 0;
    int registers_per_sm = 0;
    int shared_bytes_per_sm = 0, shared_bytes_per_block = 0, shared_bytes_reserved = 1024;
    int l1_bytes_per_sm = 0;  // shared memory comes out of it
    double sm_clock_mhz = 0;  // boost
    double l2_bytes = 0;
    double datasheet_gb_per_s = 0;  // the vendor's figure
    double copy_gb_per_s = 0;       // best copy measured on such a card; 0 where never measured
    double launch_us = 0.6;         // what an empty launch takes, behind another
    // The vendor's figures for multiplying and adding, in 10^12 operations a second, without
    // sparsity; of the tensor cores with sums in float. 0 where the card has no such unit, or the
    // profile does not say.
    double fp32_tflop_per_s = 0, tf32_tflop_per_s = 0, fp16_tflop_per_s = 0;
    std::string tflop_source;  // where they come from
    // Of the same bytes changed launch after launch: so many stay in L2, all of so many go to DRAM; 0: nobody has counted it.
    // On an H200, whose L2 has 60 MB, of 24 MB nothing goes there, of 28 MB 15 %, of 32 MB half, of 36 MB 81 %, of 40 MB 95 %.
    struct {
        double kept_bytes = 0, lost_bytes = 0;
    } changed_in_l2;
    MachineCosts costs;
    std::string costs_like;  // the card whose constants these are, scaled; "" where fitted
    // By constant: the rows of the calibration that it is fitted to, and how (model/fit.h).
    std::map<std::string, std::string> costs_from;
    std::string source;  // where the figures come from, for the screen
};

// What `measured`'s constants become on a card of which only the datasheet is known: one that has
// its number of multiprocessors, clock and datasheet_gb_per_s. Four significant digits.
MachineCosts scaled_costs(const DeviceProfile& measured, const DeviceProfile& card);
double four_digits(double value);

// Multiprocessors are slower in a kernel with products of halves or whole numbers on tensor cores: the share of their clock
// that is left, where nobody has calibrated it (rows "time_clock"). An H200 has 1804 MHz in place of 1980, and a product takes
// an H100 as long in its calibration. 1 for other architectures, of which nothing is known.
double clock_with_products(const std::string& arch);
// The same card with a slower clock: L2, DRAM and the ways there are as fast as before.
DeviceProfile slowed_down(const DeviceProfile& device, double share);

// What a copy reaches: copy_gb_per_s, or where it was never measured the share of the datasheet's
// figure that an H200 reaches.
double achievable_gb_per_s(const DeviceProfile& device);

// Throws Error(bad_input) naming the file and the field.
DeviceProfile read_device_profile(const std::filesystem::path& file);
// The text of the file that reads back as `device`, one field per line.
std::string device_profile_json(const DeviceProfile& device);
// The profiles in a folder, by name.
std::vector<std::filesystem::path> device_profile_files(const std::filesystem::path& folder);
// All profiles of assets/devices, by file name.
std::vector<DeviceProfile> device_profiles(const std::filesystem::path& content);

}  // namespace lanewise
