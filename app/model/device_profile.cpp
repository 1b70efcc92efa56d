// Device profiles from JSON: one line per field, one message for the first that is wrong.
#include "model/device_profile.h"

#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/files.h"

namespace lanewise {
namespace fs = std::filesystem;
using Json = nlohmann::json;

// Reads fields by name; the first that is missing or of the wrong type ends it with one message.
class FieldReader {
  public:
    FieldReader(const Json& json, const fs::path& file) : json_(json), file_(file) {}

    template <typename T>
    void read(const char* name, T& value) const {
        try {
            json_.at(name).get_to(value);
        } catch (const Json::exception&) {
            throw Error(Status::bad_input, file_.string() + ": the field \"" + name +
                                               "\" is missing or of the wrong type");
        }
    }

    void read_positive(const char* name, int& value) const {
        read(name, value);
        if (value <= 0) fail_positive(name);
    }
    void read_positive(const char* name, double& value) const {
        read(name, value);
        if (!(value > 0)) fail_positive(name);
    }

  private:
    [[noreturn]] void fail_positive(const char* name) const {
        throw Error(Status::bad_input,
                    file_.string() + ": the field \"" + name + "\" must be more than 0");
    }
    const Json& json_;
    const fs::path& file_;
};

static std::vector<RunFactor> read_runs(const FieldReader& fields, const char* name) {
    std::vector<std::pair<double, double>> pairs;
    fields.read(name, pairs);
    std::vector<RunFactor> runs;
    for (auto [bytes, factor] : pairs) runs.push_back({bytes, factor});
    return runs;
}

static MachineCosts read_costs(const Json& profile, const fs::path& file) {
    Json json;
    FieldReader(profile, file).read("costs", json);
    FieldReader fields(json, file);
    MachineCosts costs;
    fields.read_positive("dram_read_gb_per_s", costs.dram_read_gb_per_s);
    fields.read_positive("dram_write_gb_per_s", costs.dram_write_gb_per_s);
    fields.read("dram_turning", costs.dram_turning);
    fields.read("dram_latency_clocks", costs.dram_latency_clocks);
    fields.read("l2_latency_clocks", costs.l2_latency_clocks);
    fields.read("dram_write_batch_clocks", costs.dram_write_batch_clocks);
    costs.read_runs = read_runs(fields, "read_runs");
    costs.write_runs = read_runs(fields, "write_runs");
    fields.read("l2_read_line_clocks", costs.l2_read_line_clocks);
    fields.read("l2_read_sector_clocks", costs.l2_read_sector_clocks);
    fields.read("l2_write_line_clocks", costs.l2_write_line_clocks);
    fields.read("l2_write_sector_clocks", costs.l2_write_sector_clocks);
    fields.read("l2_write_part_clocks", costs.l2_write_part_clocks);
    fields.read("l1_load_line_clocks", costs.l1_load_line_clocks);
    fields.read("l1_store_line_clocks", costs.l1_store_line_clocks);
    fields.read("l1_store_sector_clocks", costs.l1_store_sector_clocks);
    fields.read("wavefront_clocks", costs.wavefront_clocks);
    fields.read("dispatch_clocks", costs.dispatch_clocks);
    fields.read_positive("block_clocks", costs.block_clocks);
    fields.read("block_warp_clocks", costs.block_warp_clocks);
    fields.read("instruction_clocks", costs.instruction_clocks);
    fields.read("barrier_clocks", costs.barrier_clocks);
    fields.read("barrier_warp_clocks", costs.barrier_warp_clocks);
    return costs;
}

DeviceProfile read_device_profile(const fs::path& file) {
    Json json = Json::parse(read_file(file), nullptr, false);
    if (!json.is_object())
        throw Error(Status::bad_input, file.string() + " is not a JSON object; is it cut short?");
    FieldReader fields(json, file);
    DeviceProfile device;
    fields.read("name", device.name);
    fields.read("arch", device.arch);
    fields.read_positive("sm_count", device.sm_count);
    fields.read_positive("max_threads_per_sm", device.max_threads_per_sm);
    fields.read_positive("max_blocks_per_sm", device.max_blocks_per_sm);
    fields.read_positive("max_warps_per_sm", device.max_warps_per_sm);
    fields.read_positive("registers_per_sm", device.registers_per_sm);
    fields.read_positive("shared_bytes_per_sm", device.shared_bytes_per_sm);
    fields.read_positive("shared_bytes_per_block", device.shared_bytes_per_block);
    fields.read("shared_bytes_reserved", device.shared_bytes_reserved);
    fields.read_positive("l1_bytes_per_sm", device.l1_bytes_per_sm);
    fields.read_positive("sm_clock_mhz", device.sm_clock_mhz);
    fields.read_positive("l2_bytes", device.l2_bytes);
    fields.read_positive("datasheet_gb_per_s", device.datasheet_gb_per_s);
    fields.read("copy_gb_per_s", device.copy_gb_per_s);
    fields.read_positive("launch_us", device.launch_us);
    fields.read("source", device.source);
    device.costs = read_costs(json, file);
    return device;
}

std::vector<DeviceProfile> device_profiles(const fs::path& content) {
    std::vector<DeviceProfile> devices;
    for (const fs::path& file : files_in(content / "assets" / "devices", ".json"))
        devices.push_back(read_device_profile(file));
    return devices;
}

double achievable_gb_per_s(const DeviceProfile& device) {
    constexpr double kShareOfDatasheet = 4268.0 / 4800.0;  // cudaMemcpy on an H200
    if (device.copy_gb_per_s > 0) return device.copy_gb_per_s;
    return kShareOfDatasheet * device.datasheet_gb_per_s;
}

}  // namespace lanewise
