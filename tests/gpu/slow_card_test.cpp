// A card that slows down while it is measured: what is left out, and what is said of it.
#include <gtest/gtest.h>

#include "../needs.h"
#include "fake_nvml.h"
#include "gpu/device.h"
#include "lab/measure/bench.h"
#include "lab/measure/rounds.h"
#include "patience.h"
#include "stages_under_test.h"
#include "use_fake_driver.h"

namespace lanewise {

class SlowCard : public testing::Test {
  protected:
    FakeDriver& fake_ = fake_driver();
    FakeNvml* nvml_ = nullptr;
    void SetUp() override {
        NEEDS_NVRTC();
        void* library = ::dlopen(FAKE_DRIVER, RTLD_NOW | RTLD_LOCAL);
        void* symbol = ::dlsym(library, "the_fake_nvml");
        ASSERT_NE(nullptr, symbol);
        nvml_ = reinterpret_cast<FakeNvml* (*)()>(symbol)();
        *nvml_ = {};
        fake_.pending_s = 0;
        fake_.gb_per_s = 4000;
        fake_.kernel_gb_per_s = {{"wide_copy", 3500}};
    }
};

TEST_F(SlowCard, ASteadyOneIsNotWorthAWord) {
    Measurement m = measure(make_job(kRight, 64, 32), kPatient);
    EXPECT_EQ("", m.note);
    EXPECT_EQ(1980, m.provenance.sm_clock_mhz);
    EXPECT_EQ(40 + 30, nvml_->answers);  // after each round, warm and cold
}

TEST_F(SlowCard, RoundsInTheHeatAreLeftOutAndTakenAgain) {
    nvml_->hot_answers = 7;
    Measurement m = measure(make_job(kRight, 64, 32), kPatient);
    EXPECT_EQ(
        "7 rounds were left out because the card was slowed down: it is too hot (hardware "
        "limit).",
        m.note);
    EXPECT_EQ(40u, m.samples_us.size());
    EXPECT_EQ(40u, m.yardstick.samples_us.size());
    EXPECT_EQ(30u, m.cold.samples_us.size());
}

TEST_F(SlowCard, ColdRoundsAreNoException) {
    nvml_->hot_answers = 40 + 5;  // as many as may be left out are, and five warm ones count
    Measurement m = measure(make_job(kRight, 64, 32), kPatient);
    EXPECT_EQ("The card was slowed down all the time: it is too hot (hardware limit).", m.note);
    nvml_->hot_answers = 1000;
    m = measure(make_job(kRight, 64, 32), kPatient);
    EXPECT_EQ(40u, m.samples_us.size());
    EXPECT_EQ(30u, m.cold.samples_us.size());
    EXPECT_EQ(1000 - 40 - 40 - 30 - 30, nvml_->hot_answers);
}

// Launches of more than a second, begun when the time for them is nearly up: they are waited for.
TEST_F(SlowCard, AKernelOfSecondsIsNotGivenUpForBeingSlow) {
    Rig rig(Gpu::open(), Matrix{64, 32, 1, 4}, nullptr);
    constexpr double kLaunchS = 1.1;
    fake_.gb_per_s = fake_.kernel_gb_per_s["wide_copy"] = 2.0 * 64 * 32 * 4 / (kLaunchS * 1e9);
    fake_.pending_s = kLaunchS;
    Racer racer = make_racer(rig.gpu(), [&] { rig.wide_copy(0); });
    Racer* const racers[] = {&racer};
    run_quietly(rig, racers, 1, 60);
    EXPECT_NEAR(kLaunchS * 1e6, racer.us.at(0), 0.01 * kLaunchS * 1e6);
    RoundsTaken rounds = run_rounds(rig, racers, {30, 30, 0.003, 0.1}, [](int) {});
    EXPECT_EQ(1, rounds.taken);
    run_cold_rounds(rig, racers, 0.1, rounds);
    EXPECT_EQ(1, rounds.cold_taken);
}

TEST_F(SlowCard, AClockThatMovesIsTold) {
    nvml_->sm_clock_mhz = 1980;
    nvml_->then_mhz = 1500;
    EXPECT_EQ("The card's clock moved between 1500 and 1980 MHz meanwhile.",
              measure(make_job(kRight, 64, 32), kPatient).note);
    nvml_->sm_clock_mhz = 1980;
    nvml_->then_mhz = 1905;  // less than 5 %
    EXPECT_EQ("", measure(make_job(kRight, 64, 32), kPatient).note);
}

}  // namespace lanewise
