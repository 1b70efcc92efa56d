// Reading counters, against the fake CUPTI; and what stands in the way of it.
#include "gpu/cupti.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "fake_cupti.h"
#include "gpu/cupti_counters.h"
#include "gpu/cupti_permission.h"

namespace lanewise {

namespace fs = std::filesystem;

class CuptiCounters : public testing::Test {
  protected:
    FakeCupti& fake_ = fake_cupti();
    std::string problem_;
    std::unique_ptr<const Cupti> api_ = load_cupti(cupti_libraries(), problem_);
    int context_ = 0, prepared_ = 0, launched_ = 0;
    void SetUp() override {
        ASSERT_NE(nullptr, api_) << problem_;
        fake_ = FakeCupti();
        fake_.values = {{"loads.sum", 524'288}, {"stores.sum", 3}};
    }
    void TearDown() override { EXPECT_EQ(0, fake_.hosts + fake_.profilers); }
    CounterReading read(const std::vector<std::string>& metrics) {
        auto pass = [&](const auto& begin, const auto& end) {
            ++prepared_;
            begin();
            ++launched_;
            EXPECT_EQ("cuptiRangeProfilerPushRange", fake_.calls.back());
            end();
        };
        return read_counters(*api_, &context_, 0, metrics, pass);
    }
};

TEST_F(CuptiCounters, TheLaunchIsReplayedOncePerPass) {
    fake_.passes = 5;
    CounterReading reading = read({"loads.sum", "stores.sum"});
    EXPECT_EQ("", reading.problem);
    EXPECT_EQ((std::map<std::string, double>{{"loads.sum", 524'288}, {"stores.sum", 3}}),
              reading.values);
    EXPECT_EQ(5u, reading.passes);
    EXPECT_EQ(5, launched_);
    EXPECT_EQ(5, prepared_);
    EXPECT_EQ(1u, fake_.count("cuptiRangeProfilerDecodeData"));
    EXPECT_EQ((std::vector<std::string>{"loads.sum", "stores.sum"}), fake_.asked);
}

TEST_F(CuptiCounters, TheSecondReadingIsAsGoodAsTheFirst) {
    read({"loads.sum"});
    EXPECT_EQ(3, read({"stores.sum"}).values.at("stores.sum"));
}

// A range of ours takes longer than the launch in it: on an H200 73 us instead of 7.
TEST_F(CuptiCounters, TimesAreOfALaunchWithoutOurRange) {
    fake_.values["gpu__time_duration.sum"] = 7264;
    read({"loads.sum"});
    size_t pushed = fake_.count("cuptiRangeProfilerPushRange");
    std::vector<std::string> seen;
    auto pass = [&](const auto& begin, const auto& end) {
        begin();
        seen.push_back(fake_.calls.back());
        end();
    };
    CounterReading reading =
        read_counters(*api_, &context_, 0, {"loads.sum", "gpu__time_duration.sum"}, pass);
    EXPECT_EQ(2u, reading.values.size());
    EXPECT_EQ(7264, reading.values["gpu__time_duration.sum"]);
    EXPECT_EQ((std::vector<std::string>{"cuptiRangeProfilerPushRange",
                                        "cuptiRangeProfilerPushRange", "cuptiRangeProfilerStart"}),
              seen);
    EXPECT_EQ(3u, reading.passes);
    EXPECT_EQ(2 * pushed, fake_.count("cuptiRangeProfilerPushRange"));
}

TEST_F(CuptiCounters, WhatTheCardHasNotIsLeftOut) {
    CounterReading reading = read({"loads.sum", "tensor.sum", "stores.sum"});
    EXPECT_EQ("", reading.problem);
    EXPECT_EQ(2u, reading.values.size());
    EXPECT_EQ(std::vector<std::string>{"tensor.sum"}, reading.unknown);
    EXPECT_EQ("this card has none of these counters", read({"tensor.sum"}).problem);
}

TEST_F(CuptiCounters, EveryRefusalIsTold) {
    for (const char* symbol :
         {"cuptiProfilerInitialize", "cuptiProfilerDeviceSupported", "cuptiDeviceGetChipName",
          "cuptiProfilerGetCounterAvailability", "cuptiProfilerHostInitialize",
          "cuptiProfilerHostGetConfigImageSize", "cuptiProfilerHostGetConfigImage",
          "cuptiRangeProfilerEnable", "cuptiRangeProfilerGetCounterDataSize",
          "cuptiRangeProfilerCounterDataImageInitialize", "cuptiRangeProfilerSetConfig",
          "cuptiRangeProfilerStart", "cuptiRangeProfilerPushRange", "cuptiRangeProfilerPopRange",
          "cuptiRangeProfilerStop", "cuptiRangeProfilerDecodeData",
          "cuptiProfilerHostEvaluateToGpuValues"}) {
        fake_.fail = {{symbol, 999}};
        CounterReading reading = read({"loads.sum"});
        EXPECT_TRUE(reading.values.empty()) << symbol;
        EXPECT_TRUE(reading.problem.starts_with("CUPTI refused ")) << symbol << reading.problem;
        EXPECT_TRUE(reading.problem.ends_with(": CUPTI_ERROR_999")) << symbol << reading.problem;
        EXPECT_EQ(0, fake_.hosts + fake_.profilers) << symbol;
    }
}

TEST_F(CuptiCounters, WithoutPermissionItSaysHowToGetIt) {
    fake_.fail = {{"cuptiRangeProfilerEnable", Cupti::kInsufficientPrivileges}};
    std::string problem = read({"loads.sum"}).problem;
    EXPECT_NE(std::string::npos, problem.find("RmProfilingAdminOnly is ")) << problem;
    EXPECT_NE(std::string::npos, problem.find("NVreg_RestrictProfilingToAdminUsers=0")) << problem;
    EXPECT_EQ(0, launched_);
}

TEST_F(CuptiCounters, ACardThatCannotSaysWhy) {
    fake_.supported = 1;
    EXPECT_EQ("CUPTI does not support this card", read({"loads.sum"}).problem);
    fake_.vgpu = 2;
    EXPECT_EQ("the card's counters cannot be read: the card is virtual",
              read({"loads.sum"}).problem);
    fake_.fail = {{"cuptiRangeProfilerEnable", Cupti::kHardwareBusy}};
    fake_.supported = 3;
    EXPECT_EQ(
        "CUPTI refused to read the counters: CUPTI_ERROR_26: another profiler has the "
        "counters: wait until it ends",
        read({"loads.sum"}).problem);
}

TEST_F(CuptiCounters, PassesWithoutEndAreGivenUp) {
    fake_.passes = 1'000'000;
    EXPECT_EQ("CUPTI asks for one pass after the other", read({"loads.sum"}).problem);
    EXPECT_EQ(100, launched_);
}

TEST_F(CuptiCounters, WhatTheLaunchThrowsPassesThrough) {
    auto fails = [](const auto& begin, const auto&) {
        begin();
        throw std::string("cancelled");
    };
    EXPECT_THROW(read_counters(*api_, &context_, 0, {"loads.sum"}, fails), std::string);
}

TEST(CuptiLibrary, ThatIsMissingOrTooOldIsSaidToBe) {
    std::string problem;
    EXPECT_EQ(nullptr, load_cupti({"/nowhere/libcupti.so.13"}, problem));
    EXPECT_TRUE(problem.starts_with("CUPTI, which reads the counters, is not here: ")) << problem;
    EXPECT_EQ(nullptr, load_cupti({FAKE_DRIVER}, problem));  // a library without these symbols
    EXPECT_TRUE(problem.starts_with("CUPTI is too old: ")) << problem;
    EXPECT_NE(std::string::npos, problem.find("CUDA 12.6")) << problem;
}

class Permission : public testing::Test {
  protected:
    fs::path folder_ = fs::temp_directory_path() / ("lanewise-" + std::to_string(::getpid()));
    void SetUp() override { fs::create_directories(folder_); }
    void TearDown() override { fs::remove_all(folder_); }
    CounterPermission with(const std::string& parameters, const std::string& process) {
        std::ofstream(folder_ / "params") << parameters;
        std::ofstream(folder_ / "status") << process;
        return counter_permission(folder_ / "params", folder_ / "status");
    }
};

TEST_F(Permission, ComesFromTheDriversParameterAndTheProcess) {
    using Setting = CounterPermission::Setting;
    const std::string only = "ResmanDebugLevel: 4294967295\nRmProfilingAdminOnly: 1\nX: 0\n";
    // CAP_SYS_ADMIN is bit 21: 0x200000.
    CounterPermission nobody = with(only, "Name:\tengine\nCapEff:\t00000000001fffff\n");
    EXPECT_EQ(Setting::administrators, nobody.setting);
    EXPECT_FALSE(nobody.granted());
    EXPECT_EQ("RmProfilingAdminOnly is 1, so only administrators may", in_words(nobody));
    CounterPermission root = with(only, "CapEff:\t00000000a0200000\n");
    EXPECT_TRUE(root.is_administrator && root.granted());
    CounterPermission everybody = with("RmProfilingAdminOnly: 0\n", "CapEff:\t0000000000000000\n");
    EXPECT_TRUE(everybody.granted());
    EXPECT_EQ("RmProfilingAdminOnly is 0, so everybody may", in_words(everybody));
    EXPECT_EQ(Setting::unknown, with("", "").setting);
    EXPECT_EQ(Setting::unknown, counter_permission("/nowhere", "/nowhere").setting);
    EXPECT_TRUE(counter_permission("/nowhere", "/nowhere").granted());  // CUPTI itself will tell
}

}  // namespace lanewise
