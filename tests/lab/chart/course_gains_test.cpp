// What the rungs of a course brought: hand-made recordings, and the claims of lessons/endings.toml
// against the recordings that come along.
#include "lab/chart/course_gains.h"

#include <gtest/gtest.h>

#include "../../shipped_stages.h"

namespace lanewise {
namespace {

const Catalogue& catalogue() {
    return shipped_stages();
}

Path path() { return read_path(path_file(catalogue().content()), catalogue().stages()); }

Measurement timed(const std::string& id, double gb_per_s, bool correct = true) {
    const Stage& stage = catalogue().find(id);
    Measurement m;
    m.stage = id;
    m.type = stage.types.front();
    m.knobs = default_knobs(stage);
    m.rows = m.cols = 4096;
    m.gb_per_s = gb_per_s;
    m.correct = correct;
    return m;
}

// Of the core 10, 20, 30 and 40; 00 is the copy, 12 was wrong, and 02 is further.
Recording recording() {
    Recording made;
    made.card = "Some card";
    made.date = "2026-01-31T10:00:00Z";
    made.measurements = {
        timed("transpose/30_padded", 1500),
        timed("transpose/00_copy", 1000),
        timed("transpose/10_naive", 200),
        timed("transpose/02_copy_wide", 1800),
        timed("transpose/12_naive_write", 1, false),
        timed("transpose/20_tiled", 100),
        timed("transpose/40_float4", 1530),
    };
    return made;
}

TEST(CourseGains, EachRungAgainstTheOneBefore) {
    Recording empty;
    empty.card = "Other card";
    const std::vector<Recording> recordings = {empty, recording()};
    const CourseGains gains = course_gains(path(), catalogue().stages(), recordings, "transpose");
    EXPECT_EQ("Some card", gains.card);
    EXPECT_EQ("2026-01-31", gains.date);
    EXPECT_EQ("GB/s", gains.unit);
    ASSERT_EQ(4u, gains.rungs.size());
    EXPECT_EQ("transpose/10_naive", gains.rungs[0].stage->id);
    EXPECT_EQ(0, gains.rungs[0].factor);
    EXPECT_EQ("transpose/20_tiled", gains.rungs[1].stage->id);
    EXPECT_DOUBLE_EQ(0.5, gains.rungs[1].factor);
    EXPECT_DOUBLE_EQ(7.5, gains.rungs[2].factor);  // of 10, which was faster than 20
    EXPECT_DOUBLE_EQ(1.02, gains.rungs[3].factor);
    EXPECT_EQ((std::vector<size_t>{2}), gains.by_gain);
    EXPECT_EQ((std::vector<size_t>{3}), gains.alike);
}

TEST(CourseGains, InWords) {
    const std::vector<Recording> recordings = {recording()};
    const CourseGains gains = course_gains(path(), catalogue().stages(), recordings, "transpose");
    const std::vector<std::string> words = gain_sentences(gains);
    ASSERT_EQ(2u, words.size());
    EXPECT_EQ(catalogue().find("30_padded").title + ": 7.5 times as fast as “" +
                  catalogue().find("10_naive").title + "”",
              words[0]);
    EXPECT_EQ("Less than 5 % each: " + catalogue().find("40_float4").title, words[1]);
    const LadderFigureInput figure = gains_figure_input(gains, 500);
    ASSERT_EQ(4u, figure.bars.size());
    EXPECT_EQ(catalogue().find("10_naive").title, figure.bars[0].label);
    EXPECT_EQ("× 0.5  " + catalogue().find("20_tiled").title, figure.bars[1].label);
    EXPECT_EQ(100, figure.bars[1].gb_per_s);
}

// A run in which the card was slower altogether is no loss.
TEST(CourseGains, ComparesWhatWasReachedOfTheCopy) {
    Measurement one = timed("transpose/10_naive", 900), other = timed("transpose/20_tiled", 1000);
    EXPECT_DOUBLE_EQ(0.9, times_as_fast(one, other));
    one.yardstick.ratio.median = 0.5;
    other.yardstick.ratio.median = 0.4;
    EXPECT_DOUBLE_EQ(1.25, times_as_fast(one, other));
    other.type = "f16";  // has another copy
    EXPECT_DOUBLE_EQ(0.9, times_as_fast(one, other));
}

TEST(CourseGains, OneRungIsNoOrder) {
    Recording one;
    one.card = "Some card";
    one.measurements = {timed("transpose/00_copy", 1000), timed("transpose/10_naive", 200)};
    const std::vector<Recording> recordings = {one};
    EXPECT_EQ("", course_gains(path(), catalogue().stages(), recordings, "transpose").card);
    EXPECT_TRUE(course_gains(path(), catalogue().stages(), {}, "matmul").rungs.empty());
    EXPECT_TRUE(course_gains(path(), catalogue().stages(), recordings, "zero").rungs.empty());
}

TEST(CourseGains, WhatWasNotWorthItSaysBothSpeeds) {
    Recording made = recording();
    Measurement more = timed("transpose/30_padded", 1490);
    more.knobs["PAD"] = 4;
    made.measurements.push_back(more);
    const Stage& padded = catalogue().find("30_padded");
    NotWorth row{
        "More padding.", {padded.id, "f32", more.knobs}, {padded.id, "f32", default_knobs(padded)}};
    const std::vector<Recording> recordings = {made};
    EXPECT_EQ("Recorded on Some card: 1,490 GB/s, against 1,500 without it.",
              not_worth_sentence(row, catalogue().stages(), recordings));
    row.than.knobs["PAD"] = 2;
    EXPECT_EQ("", not_worth_sentence(row, catalogue().stages(), recordings));
}

// Whoever writes "not worth it" is held to every recording that has both.
TEST(CourseGains, WhatIsCalledNotWorthItIsNotFasterInAnyRecording) {
    std::vector<std::string> problems;
    const std::vector<Recording> recordings =
        read_recordings(catalogue().content() / "assets" / "recordings", problems);
    ASSERT_TRUE(problems.empty());
    const Endings endings = read_endings(catalogue());
    ASSERT_EQ("", endings.error);
    for (const Ending& ending : endings.all)
        for (const NotWorth& row : ending.not_worth) {
            EXPECT_NE("", not_worth_sentence(row, catalogue().stages(), recordings)) << row.says;
            for (const Recording& each : recordings) {
                const Measurement* with =
                    recorded(each, catalogue().find(row.tried.stage), row.tried);
                const Measurement* without =
                    recorded(each, catalogue().find(row.than.stage), row.than);
                if (!with || !without) continue;
                EXPECT_LT(times_as_fast(*with, *without), 1.01) << each.card << ": " << row.says;
            }
        }
}

}  // namespace
}  // namespace lanewise
