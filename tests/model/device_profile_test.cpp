#include "model/device_profile.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include "base/error.h"
#include "base/files.h"
#include "base/text.h"

namespace lanewise {
namespace {

std::string profile_error(const std::string& text) {
    auto file = std::filesystem::path(testing::TempDir()) /
                ("profile-" + std::to_string(::getpid()) + ".json");
    write_file(file, text);
    try {
        read_device_profile(file);
    } catch (const Error& error) {
        EXPECT_EQ(Status::bad_input, error.status());
        return error.what();
    }
    return "no error";
}

std::string h200_with(const std::string& from, const std::string& to) {
    std::string text = read_file(CONTENT_FOLDER "/assets/devices/nvidia-h200.json");
    size_t at = text.find(from);
    EXPECT_NE(std::string::npos, at) << from;
    return text.replace(at, from.size(), to);
}

TEST(DeviceProfile, ReadsEveryCardInTheAssets) {
    std::vector<DeviceProfile> devices = device_profiles(CONTENT_FOLDER);
    ASSERT_EQ(5u, devices.size());
    EXPECT_EQ("NVIDIA A100-SXM4-80GB", devices[0].name);
    EXPECT_EQ("NVIDIA H100 80GB HBM3", devices[1].name);
    EXPECT_EQ("NVIDIA H200", devices[2].name);
    EXPECT_EQ(132, devices[2].sm_count);
    EXPECT_EQ(4800, devices[2].datasheet_gb_per_s);
    for (const DeviceProfile& device : devices) {
        EXPECT_EQ(32 * device.max_warps_per_sm, device.max_threads_per_sm) << device.name;
        EXPECT_LE(device.shared_bytes_per_block + device.shared_bytes_reserved,
                  device.shared_bytes_per_sm);
        EXPECT_LT(achievable_gb_per_s(device), device.datasheet_gb_per_s);
        EXPECT_FALSE(device.source.empty());
    }
}

TEST(DeviceProfile, IsWrittenAsItIsRead) {
    for (const auto& file : device_profile_files(CONTENT_FOLDER "/assets/devices"))
        EXPECT_EQ(read_file(file), device_profile_json(read_device_profile(file))) << file;
}

// Half the multiprocessors, half the memory rate, twice the clock.
TEST(DeviceProfile, ScalesTheCostsOfAMeasuredCard) {
    DeviceProfile measured, card;
    measured.sm_count = 100, card.sm_count = 50;
    measured.sm_clock_mhz = 1000, card.sm_clock_mhz = 2000;
    measured.datasheet_gb_per_s = 4000, card.datasheet_gb_per_s = 2000;
    measured.costs.dram_read_gb_per_s = 3900;
    measured.costs.dram_latency_clocks = 700;
    measured.costs.l2_read_line_clocks = 0.00712;
    measured.costs.barrier_clocks = 14.6;
    measured.costs.write_runs = {{64, 1.3}};
    MachineCosts costs = scaled_costs(measured, card);
    EXPECT_DOUBLE_EQ(1950, costs.dram_read_gb_per_s);
    EXPECT_DOUBLE_EQ(1400, costs.dram_latency_clocks);
    EXPECT_DOUBLE_EQ(0.01424, costs.l2_read_line_clocks);
    EXPECT_DOUBLE_EQ(14.6, costs.barrier_clocks);
    EXPECT_EQ(1.3, costs.write_runs.at(0).factor);
}

TEST(DeviceProfile, RoundsToFourDigits) {
    EXPECT_DOUBLE_EQ(4687, four_digits(4687.36));
    EXPECT_DOUBLE_EQ(0.007484, four_digits(0.00748438));
    EXPECT_DOUBLE_EQ(1.001, four_digits(1.00072));
    EXPECT_DOUBLE_EQ(0, four_digits(0));
}

TEST(DeviceProfile, ScalesTheDatasheetWhereNoCopyWasMeasured) {
    DeviceProfile device;
    device.datasheet_gb_per_s = 4800;
    EXPECT_NEAR(4268, achievable_gb_per_s(device), 0.01);
    device.copy_gb_per_s = 4000;
    EXPECT_EQ(4000, achievable_gb_per_s(device));
}

TEST(DeviceProfile, NamesTheFileAndTheField) {
    EXPECT_NE(std::string::npos, profile_error("{\"name\": ").find(".json is not a JSON object"));
    EXPECT_NE(std::string::npos, profile_error("[1]").find("is not a JSON object"));
    EXPECT_NE(std::string::npos, profile_error(h200_with("\"sm_count\"", "\"sms\""))
                                     .find(".json: the field \"sm_count\" is missing"));
    EXPECT_NE(std::string::npos, profile_error(h200_with("\"sm_90\"", "90"))
                                     .find("the field \"arch\" is missing or of the wrong type"));
    EXPECT_NE(std::string::npos, profile_error(h200_with("\"sm_count\": 132", "\"sm_count\": 0"))
                                     .find("\"sm_count\" must be more than 0"));
}

}  // namespace
}  // namespace lanewise
