// What every measurement says of its samples, worked by hand.
#include "lab/measure/measured.h"

#include <gtest/gtest.h>

namespace lanewise {
namespace {

Racer racer(std::vector<double> us, std::vector<double> cold_us, int launches) {
    Racer made;
    made.us = std::move(us);
    made.cold_us = std::move(cold_us);
    made.launches = launches;
    return made;
}

Job job() {
    Job made;
    made.stage.id = "transpose/made";
    made.stage.title = "Made";
    made.knobs = {{"TILE", 32}};
    made.type = "f64";
    made.rows = 10;
    made.cols = 20;
    made.batch = 3;
    return made;
}

// 1 MB in 4 us are 250 GB/s, in 5 us 200, in 2 us 500; 4 MB of L2 would be left at 1 MB of cache.
TEST(Measured, SaysHowFastBothWere) {
    Racer own = racer({4, 4, 4}, {5}, 2), copy = racer({2, 2, 4}, {4}, 7);
    Measurement m = measured(job(), 1e6, own, &copy, 250'000);
    EXPECT_EQ("transpose/made", m.stage);
    EXPECT_EQ("Made", m.title);
    EXPECT_EQ((KnobValues{{"TILE", 32}}), m.knobs);
    EXPECT_EQ("f64", m.type);
    EXPECT_EQ(10, m.rows);
    EXPECT_EQ(20, m.cols);
    EXPECT_EQ(3, m.batch);
    EXPECT_EQ(2, m.launches_per_sample);
    EXPECT_EQ(7, m.yardstick.launches_per_sample);
    EXPECT_EQ(3, m.time_us.samples);
    EXPECT_DOUBLE_EQ(250, m.gb_per_s);
    EXPECT_DOUBLE_EQ(200, m.cold.gb_per_s);
    EXPECT_DOUBLE_EQ(500, m.yardstick.gb_per_s);
    EXPECT_DOUBLE_EQ(250, m.yardstick.cold.gb_per_s);
    EXPECT_DOUBLE_EQ(0.5, m.yardstick.ratio.median);  // of 2/4, 2/4 and 4/4
    EXPECT_TRUE(m.beyond_l2);
    EXPECT_FALSE(measured(job(), 1e6, own, &copy, 250'001).beyond_l2);
    EXPECT_FALSE(m.correct);  // which others have to say
}

TEST(Measured, SaysNothingOfWhatWasNotThere) {
    Racer own = racer({4}, {}, 1);
    Measurement m = measured(job(), 1e6, own, nullptr, 0);
    EXPECT_DOUBLE_EQ(250, m.gb_per_s);
    EXPECT_EQ(0, m.cold.gb_per_s);
    EXPECT_EQ(0, m.yardstick.gb_per_s);
    EXPECT_TRUE(m.yardstick.samples_us.empty());
    EXPECT_EQ(0, m.yardstick.ratio.samples);
}

}  // namespace
}  // namespace lanewise
