// Device profiles from JSON and back: tables of fields; one message for the first that is wrong.
#include "model/device_profile.h"

#include <cmath>
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
    for (const CostField& field : cost_fields())
        if (!field.is_new || json.contains(field.name))
            field.positive ? fields.read_positive(field.name, costs.*field.value)
                           : fields.read(field.name, costs.*field.value);
    costs.read_runs = read_runs(fields, "read_runs");
    costs.write_runs = read_runs(fields, "write_runs");
    return costs;
}

namespace {
struct CardField {
    const char* name;
    int DeviceProfile::*whole;
    double DeviceProfile::*real;
    bool positive;
};
constexpr CardField whole(const char* name, int DeviceProfile::*value, bool positive = true) {
    return {name, value, nullptr, positive};
}
constexpr CardField real(const char* name, double DeviceProfile::*value, bool positive = true) {
    return {name, nullptr, value, positive};
}
}  // namespace

static constexpr CardField kCardFields[] = {
    whole("sm_count", &DeviceProfile::sm_count),
    whole("max_threads_per_sm", &DeviceProfile::max_threads_per_sm),
    whole("max_blocks_per_sm", &DeviceProfile::max_blocks_per_sm),
    whole("max_warps_per_sm", &DeviceProfile::max_warps_per_sm),
    whole("registers_per_sm", &DeviceProfile::registers_per_sm),
    whole("shared_bytes_per_sm", &DeviceProfile::shared_bytes_per_sm),
    whole("shared_bytes_per_block", &DeviceProfile::shared_bytes_per_block),
    whole("shared_bytes_reserved", &DeviceProfile::shared_bytes_reserved, false),
    whole("l1_bytes_per_sm", &DeviceProfile::l1_bytes_per_sm),
    real("sm_clock_mhz", &DeviceProfile::sm_clock_mhz),
    real("l2_bytes", &DeviceProfile::l2_bytes),
    real("datasheet_gb_per_s", &DeviceProfile::datasheet_gb_per_s),
    real("copy_gb_per_s", &DeviceProfile::copy_gb_per_s, false),
    real("launch_us", &DeviceProfile::launch_us),
};

namespace {
struct PeakField {
    const char* name;
    double DeviceProfile::*value;
};
}  // namespace
static constexpr PeakField kPeakFields[] = {
    {"fp32_tflop_per_s", &DeviceProfile::fp32_tflop_per_s},
    {"tf32_tflop_per_s", &DeviceProfile::tf32_tflop_per_s},
    {"fp16_tflop_per_s", &DeviceProfile::fp16_tflop_per_s},
};

static constexpr CostField kCostFields[] = {
    {"dram_read_gb_per_s", &MachineCosts::dram_read_gb_per_s, Scaling::with_memory, true},
    {"dram_write_gb_per_s", &MachineCosts::dram_write_gb_per_s, Scaling::with_memory, true},
    {"dram_turning", &MachineCosts::dram_turning},
    {"dram_latency_clocks", &MachineCosts::dram_latency_clocks, Scaling::kept_in_time},
    {"l2_latency_clocks", &MachineCosts::l2_latency_clocks, Scaling::kept_in_time},
    {"l1_latency_clocks", &MachineCosts::l1_latency_clocks, Scaling::as_it_is, false, true},
    {"dram_write_batch_clocks", &MachineCosts::dram_write_batch_clocks, Scaling::kept_in_time},
    {"l2_read_line_clocks", &MachineCosts::l2_read_line_clocks, Scaling::shared_by_sms},
    {"l2_read_sector_clocks", &MachineCosts::l2_read_sector_clocks, Scaling::shared_by_sms},
    {"l2_write_line_clocks", &MachineCosts::l2_write_line_clocks, Scaling::shared_by_sms},
    {"l2_write_sector_clocks", &MachineCosts::l2_write_sector_clocks, Scaling::shared_by_sms},
    {"l2_write_part_clocks", &MachineCosts::l2_write_part_clocks, Scaling::shared_by_sms},
    {"l1_load_line_clocks", &MachineCosts::l1_load_line_clocks},
    {"l1_store_line_clocks", &MachineCosts::l1_store_line_clocks},
    {"l1_store_sector_clocks", &MachineCosts::l1_store_sector_clocks},
    {"wavefront_clocks", &MachineCosts::wavefront_clocks},
    {"dispatch_clocks", &MachineCosts::dispatch_clocks, Scaling::shared_by_sms},
    {"block_clocks", &MachineCosts::block_clocks, Scaling::as_it_is, true},
    {"block_warp_clocks", &MachineCosts::block_warp_clocks},
    {"instruction_clocks", &MachineCosts::instruction_clocks},
    {"barrier_clocks", &MachineCosts::barrier_clocks},
    {"barrier_warp_clocks", &MachineCosts::barrier_warp_clocks},
};

std::span<const CostField> cost_fields() { return kCostFields; }

DeviceProfile read_device_profile(const fs::path& file) {
    Json json = Json::parse(read_file(file), nullptr, false);
    if (!json.is_object())
        throw Error(Status::bad_input, file.string() + " is not a JSON object; is it cut short?");
    FieldReader fields(json, file);
    DeviceProfile device;
    fields.read("name", device.name);
    fields.read("arch", device.arch);
    auto read = [&](const CardField& field, auto& value) {
        field.positive ? fields.read_positive(field.name, value) : fields.read(field.name, value);
    };
    for (const CardField& field : kCardFields)
        field.whole ? read(field, device.*field.whole) : read(field, device.*field.real);
    fields.read("source", device.source);
    for (const PeakField& field : kPeakFields)
        if (json.contains(field.name)) fields.read_positive(field.name, device.*field.value);
    if (json.contains("tflop_source")) fields.read("tflop_source", device.tflop_source);
    if (json.contains("l2_changed_kept_bytes")) {
        fields.read_positive("l2_changed_kept_bytes", device.changed_in_l2.kept_bytes);
        fields.read_positive("l2_changed_lost_bytes", device.changed_in_l2.lost_bytes);
    }
    device.costs = read_costs(json, file);
    if (json.contains("costs_like")) fields.read("costs_like", device.costs_like);
    if (json.contains("costs_from")) fields.read("costs_from", device.costs_from);
    return device;
}

// A whole number without its ".0", as one would type it.
static std::string json_of(double value) {
    bool is_whole = std::floor(value) == value && std::fabs(value) < 1e15;
    return is_whole ? Json(static_cast<int64_t>(value)).dump() : Json(value).dump();
}

static std::string json_of(const std::vector<RunFactor>& runs) {
    std::string points;
    for (const RunFactor& run : runs)
        points +=
            (points.empty() ? "[" : ", [") + json_of(run.bytes) + ", " + json_of(run.factor) + "]";
    return "[" + points + "]";
}

static std::string json_object(const std::vector<std::pair<std::string, std::string>>& fields,
                               const std::string& indent) {
    std::string text = "{\n";
    for (size_t i = 0; i < fields.size(); ++i)
        text += indent + "  " + Json(fields[i].first).dump() + ": " + fields[i].second +
                (i + 1 < fields.size() ? ",\n" : "\n");
    return text + indent + "}";
}

std::string device_profile_json(const DeviceProfile& device) {
    std::vector<std::pair<std::string, std::string>> fields, costs, from;
    fields.emplace_back("name", Json(device.name).dump());
    fields.emplace_back("arch", Json(device.arch).dump());
    for (const CardField& field : kCardFields)
        fields.emplace_back(
            field.name, json_of(field.whole ? double(device.*field.whole) : device.*field.real));
    fields.emplace_back("source", Json(device.source).dump());
    for (const PeakField& field : kPeakFields)
        if (device.*field.value > 0) fields.emplace_back(field.name, json_of(device.*field.value));
    if (device.changed_in_l2.kept_bytes > 0) {
        fields.emplace_back("l2_changed_kept_bytes", json_of(device.changed_in_l2.kept_bytes));
        fields.emplace_back("l2_changed_lost_bytes", json_of(device.changed_in_l2.lost_bytes));
    }
    if (!device.tflop_source.empty())
        fields.emplace_back("tflop_source", Json(device.tflop_source).dump());
    if (!device.costs_like.empty())
        fields.emplace_back("costs_like", Json(device.costs_like).dump());
    for (const CostField& field : cost_fields())
        costs.emplace_back(field.name, json_of(device.costs.*field.value));
    costs.emplace_back("read_runs", json_of(device.costs.read_runs));
    costs.emplace_back("write_runs", json_of(device.costs.write_runs));
    fields.emplace_back("costs", json_object(costs, "  "));
    for (const auto& [name, words] : device.costs_from) from.emplace_back(name, Json(words).dump());
    if (!from.empty()) fields.emplace_back("costs_from", json_object(from, "  "));
    return json_object(fields, "") + "\n";
}

double four_digits(double value) {
    if (value == 0) return 0;
    double unit = std::pow(10, 3 - std::floor(std::log10(std::fabs(value))));
    return std::round(value * unit) / unit;
}

static double ratio_of(Scaling scaling, const DeviceProfile& from, const DeviceProfile& to) {
    switch (scaling) {
        case Scaling::with_memory:
            return to.datasheet_gb_per_s / from.datasheet_gb_per_s;
        case Scaling::kept_in_time:
            return to.sm_clock_mhz / from.sm_clock_mhz;
        case Scaling::shared_by_sms:
            return double(from.sm_count) / to.sm_count;
        case Scaling::as_it_is:
            break;
    }
    return 1;
}

MachineCosts scaled_costs(const DeviceProfile& measured, const DeviceProfile& card) {
    MachineCosts costs = measured.costs;
    for (const CostField& field : cost_fields())
        costs.*field.value =
            four_digits(costs.*field.value * ratio_of(field.scaling, measured, card));
    return costs;
}

double clock_with_products(const std::string& arch) { return arch.starts_with("sm_90") ? 0.911 : 1; }

DeviceProfile slowed_down(const DeviceProfile& device, double share) {
    DeviceProfile slower = device;
    slower.sm_clock_mhz *= share;
    slower.costs = scaled_costs(device, slower);
    MachineCosts& c = slower.costs;
    for (double* clocks : {&c.l2_read_line_clocks, &c.l2_read_sector_clocks, &c.l2_write_line_clocks, &c.l2_write_sector_clocks, &c.l2_write_part_clocks})
        *clocks *= share;
    return slower;
}

std::vector<fs::path> device_profile_files(const fs::path& folder) {
    return files_in(folder, ".json");
}

std::vector<DeviceProfile> device_profiles(const fs::path& content) {
    std::vector<DeviceProfile> devices;
    for (const fs::path& file : device_profile_files(content / "assets" / "devices"))
        devices.push_back(read_device_profile(file));
    return devices;
}

double achievable_gb_per_s(const DeviceProfile& device) {
    constexpr double kShareOfDatasheet = 4268.0 / 4800.0;  // cudaMemcpy on an H200
    if (device.copy_gb_per_s > 0) return device.copy_gb_per_s;
    return kShareOfDatasheet * device.datasheet_gb_per_s;
}

}  // namespace lanewise
