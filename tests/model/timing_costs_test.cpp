// The costs that the simulation takes from the committed calibration of an H200.
#include "model/timing_costs.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "devices.h"

namespace lanewise {
namespace {

TEST(TimingCosts, AreThoseOfAnH200) {
    DeviceProfile device = read_device_profile(kDevices / "nvidia-h200.json");
    TimingCosts costs = timing_costs(read_calibration(kDevices / "nvidia-h200-calibration.csv"), device);
    EXPECT_NEAR(4, costs.of(Unit::single).late_clocks, 0.2);  // as every article on Hopper has it
    EXPECT_NEAR(1, costs.of(Unit::single).turn_clocks, 0.1);  // 128 lanes a clock
    EXPECT_NEAR(8, costs.of(Unit::function).turn_clocks, 0.2);  // 16 lanes a clock
    EXPECT_NEAR(23, costs.shared.latency_clocks, 1);
    EXPECT_GT(costs.l2.lost_bytes, costs.l2.kept_bytes);
    EXPECT_LT(costs.l2.lost_bytes, device.l2_bytes);
    // Read fastest at 32 MiB. Of 40 MiB 83 to 90 % are found by their rate, of 48 a tenth to a fifth: none from 52 MB on.
    EXPECT_NEAR(35.3 * (1 << 20), costs.l2.kept_bytes, 1e6);
    EXPECT_NEAR(52e6, costs.l2.lost_bytes, 1e6);
    EXPECT_GT(costs.dram.part_factor, costs.dram.alone_factor);
    EXPECT_NEAR(0.33, costs.look_clocks, 0.02);
    // 1800 MHz in place of 1980. Of full multiprocessors a scheduler's product takes 6.2 clocks of these.
    EXPECT_NEAR(1800.0 / 1980, costs.clock_with_products, 0.01);
    EXPECT_NEAR(6.2, costs.of(Unit::tensor).turn_clocks * costs.clock_with_products, 0.15);
    EXPECT_NEAR(32.4, costs.real_products.turn_clocks, 0.6);
}

// An H100's calibration is older than the rows of the clock: it has an H200's.
TEST(TimingCosts, OfOlderCalibrationsTakeWhatIsKnownOfTheArchitecture) {
    DeviceProfile device = read_device_profile(kDevices / "nvidia-h100.json");
    TimingCosts costs = timing_costs(read_calibration(kDevices / "nvidia-h100-calibration.csv"), device);
    EXPECT_NEAR(1800.0 / 1980, costs.clock_with_products, 0.01);
    EXPECT_NEAR(32.4, costs.real_products.turn_clocks, 0.6);
}

TEST(TimingCosts, AreZeroWhereNobodyMeasured) {
    EXPECT_FALSE(timing_costs({"A card", {}}, {}).is_known());
}

TEST(TimingCosts, NameTheRowThatIsMissing) {
    Calibration calibration;
    calibration.rows.push_back({"time_late", "micro_operation<0, 1, u32>"});
    try {
        timing_costs(calibration, {});
        FAIL();
    } catch (const Error& error) {
        EXPECT_NE(std::string::npos, std::string(error.what()).find("calibrate time_rate")) << error.what();
    }
}

}  // namespace
}  // namespace lanewise
