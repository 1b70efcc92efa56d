// The committed profile is what the fit makes of the committed calibration; and the fit finds
// constants that a made-up card was given.
#include "model/fit.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include "base/error.h"
#include "base/files.h"
#include "devices.h"

namespace lanewise {
namespace {

namespace fs = std::filesystem;

Calibration committed() { return read_calibration(kDevices / "nvidia-h200-calibration.csv"); }
DeviceProfile h200() { return read_device_profile(kDevices / "nvidia-h200.json"); }

TEST(Fit, GivesTheCommittedProfiles) {
    fs::path folder = fs::path(testing::TempDir()) / ("lanewise-fit-" + std::to_string(::getpid()));
    fs::create_directories(folder);
    for (const fs::path& file : device_profile_files(kDevices))
        fs::copy_file(file, folder / file.filename(), fs::copy_options::overwrite_existing);
    std::vector<fs::path> written = refit_profiles(committed(), folder);
    EXPECT_EQ(4u, written.size());
    for (const fs::path& file : written)
        EXPECT_EQ(read_file(kDevices / file.filename()), read_file(file))
            << "lanewise-engine calibrate --fit assets/devices/nvidia-h200-calibration.csv --out "
               "assets/devices writes the profiles anew";
    fs::remove_all(folder);
}

TEST(Fit, SaysOfEachConstantWhereItComesFrom) {
    DeviceProfile profile = h200();
    for (const CostField& field : cost_fields())
        EXPECT_FALSE(profile.costs_from[field.name].empty()) << field.name;
    for (const char* name : {"read_runs", "write_runs", "launch_us"})
        EXPECT_FALSE(profile.costs_from[name].empty()) << name;
}

// Rows of a card of 1,980 MHz with other costs, in round numbers of clocks.
TEST(Fit, FindsTheCostsOfAMultiprocessor) {
    Calibration made = committed();
    for (CalibrationRow& r : made.rows) {
        if (r.name == "latency" && r.bytes >= 1 << 20) r.us = 200, r.work = 2000;
        if (r.name == "dependent") r.us = 100, r.work = 19'800;
        if (r.name == "launch") r.us = 0.7;
        if (r.name == "shared") r.us = (10.0 + 2.0 * double(r.a)) * r.work / 1980;
        if (r.name == "barrier") r.us = (20 + 3 * r.threads / 32) * r.work / 1980;
        if (r.name == "stay" && r.blocks_per_sm == 1)
            r.us = (double(r.a) + 400 + 5 * r.threads / 32) * r.work / 1980;
    }
    Fit fit = fit_costs(made, h200());
    EXPECT_DOUBLE_EQ(198, fit.costs.l2_latency_clocks);  // 0.1 us
    EXPECT_DOUBLE_EQ(10, fit.costs.instruction_clocks);
    EXPECT_DOUBLE_EQ(0.7, fit.launch_us);
    EXPECT_DOUBLE_EQ(2, fit.costs.wavefront_clocks);
    EXPECT_DOUBLE_EQ(20, fit.costs.barrier_clocks);
    EXPECT_DOUBLE_EQ(3, fit.costs.barrier_warp_clocks);
    EXPECT_DOUBLE_EQ(400, fit.costs.block_clocks);
    EXPECT_DOUBLE_EQ(5, fit.costs.block_warp_clocks);
}

// Every access costs 0.01 clocks a line, 0.02 a sector and 0.003 a sector in part: 8 words to each
// of 4 lines are 4 lines and 4 sectors, of which none in part.
TEST(Fit, TellsLinesFromSectorsAndParts) {
    Calibration made = committed();
    auto clocks = [](const CalibrationRow& r) {
        if (r.kernel == "micro_column") return 0.01 * 32 + 0.02 * 32 + 0.003 * 32;
        if (r.kernel == "micro_l2_write<u32, 1>" && r.a == 4) return 0.01 + 0.02 * 4;
        if (r.kernel == "micro_l2_write<uint4, 1>" && r.a == 16) return 0.01 * 4 + 0.02 * 16;
        if (r.kernel == "micro_l2_write<u32, 8>") return 0.01 * 4 + 0.02 * 4;
        if (r.kernel == "micro_l2_write<u32, 4>") return 0.01 * 2 + 0.02 * 8 + 0.003 * 8;
        if (r.kernel == "micro_l2_write<u32, 16>") return 0.01 * 2 + 0.02 * 4;
        if (r.a == 128) return 0.01 * 32 + 0.02 * 32 + 0.003 * 32;
        return 0.01 * 8 + 0.02 * 32 +
               0.003 * 32;  // one word, two or four in each sector of 8 lines
    };
    for (CalibrationRow& r : made.rows)
        if (r.name == "l2_write" || r.name == "column_write") r.us = clocks(r) * r.work / 1980;
    Fit fit = fit_costs(made, h200());
    EXPECT_DOUBLE_EQ(0.01, fit.costs.l2_write_line_clocks);
    EXPECT_DOUBLE_EQ(0.02, fit.costs.l2_write_sector_clocks);
    EXPECT_DOUBLE_EQ(0.003, fit.costs.l2_write_part_clocks);
    for (const FitCheck& check : fit.checks) {
        if (check.station != "L2 writes") continue;
        EXPECT_NEAR(0, check.error(), 1e-9) << check.row;
    }
}

TEST(Fit, NamesTheMicroBenchmarkThatIsMissing) {
    Calibration short_one = committed();
    std::erase_if(short_one.rows, [](const CalibrationRow& r) { return r.name == "barrier"; });
    try {
        fit_costs(short_one, h200());
        FAIL();
    } catch (const Error& error) {
        EXPECT_EQ(Status::bad_input, error.status());
        EXPECT_NE(std::string::npos, std::string(error.what()).find("calibrate barrier"));
    }
    Calibration other = committed();
    other.card = "NVIDIA B300";
    EXPECT_THROW(refit_profiles(other, kDevices), Error);
}

}  // namespace
}  // namespace lanewise
