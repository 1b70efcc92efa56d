#include "ui/desk/review.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include "../frames.h"
#include "base/files.h"
#include "ui/desk/tools.h"

namespace lanewise::ui {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> due_on(const std::map<std::string, Reviewed>& stages, int64_t day) {
    ReviewBook book;
    book.stages = stages;
    std::vector<std::string> due;
    for (const Due& each : due_for_review(book, day)) due.push_back(each.stage);
    return due;
}

Reviewed answered(bool right, int64_t day) {
    Reviewed stage;
    note_answer(stage, right, day);
    return stage;
}

TEST(Review, WrongAnswersComeBackNextDayAndRightOnesLaterAndLater) {
    Reviewed stage = answered(false, 1000);
    EXPECT_EQ(0, stage.box);
    EXPECT_TRUE(due_on({{"a", stage}}, 1000).empty());
    EXPECT_EQ(1u, due_on({{"a", stage}}, 1001).size());
    int64_t day = 1001;
    for (int64_t pause : {3, 7, 21, 60, 180, 180}) {
        note_answer(stage, true, day);
        EXPECT_TRUE(due_on({{"a", stage}}, day + pause - 1).empty()) << pause;
        EXPECT_EQ(1u, due_on({{"a", stage}}, day + pause).size()) << pause;
        day += pause;
    }
    note_answer(stage, false, day);  // back to the begin
    EXPECT_EQ(0, stage.box);
    EXPECT_EQ(1u, due_on({{"a", stage}}, day + 1).size());
}

TEST(Review, WrongOnesComeFirstThenTheOldest) {
    Reviewed open = answered(false, 900);
    open.open = true;  // is asked again already
    EXPECT_EQ((std::vector<std::string>{"b", "c", "a"}), due_on({{"a", answered(true, 990)},
                                                                 {"b", answered(false, 998)},
                                                                 {"c", answered(true, 900)},
                                                                 {"d", answered(false, 1000)},
                                                                 {"e", open},
                                                                 {"only seen", {}}},
                                                                1000));
}

class Progressing : public testing::Test {
  protected:
    Progressing() {
        fs::remove_all(folder);
        choose_shape(app, 128, 128);
        choose_stage(app, "30_padded");
        frames.answer();
        frames.frame(3);
    }
    ~Progressing() override { fs::remove_all(folder); }
    fs::path folder =
        fs::path(testing::TempDir()) / ("lanewise-review-" + std::to_string(::getpid()));
    Frames frames;
    App& app = frames.app;
    ReviewBook& book = app.tools->review;
};

TEST_F(Progressing, AnswersAreDatedAndBadgesKept) {
    ASSERT_TRUE(frames.click("predict:1"));
    const Reviewed& stage = book.stages.at("transpose/30_padded");
    EXPECT_TRUE(stage.right);
    EXPECT_EQ(1, stage.box);
    EXPECT_GE(stage.day, 20'000);  // 2024-10-04
    EXPECT_EQ((std::vector<std::string>{"correct", "coalesced", "conflict-free"}), stage.badges);
    app.stale.analysis = true;  // another analysis of the same is no second answer
    frames.answer();
    EXPECT_EQ(1, stage.box);
}

TEST_F(Progressing, ThePageGoesBackToWhatIsDue) {
    app.saved.progress["transpose/10_naive"] = {"4", 75, true, false, false};
    book.stages["transpose/10_naive"] = answered(false, 100);
    frames.type('g');
    frames.frame(2);
    EXPECT_TRUE(frames.says("DUE FOR REVIEW"));
    ASSERT_TRUE(frames.click("review:transpose/10_naive"));
    EXPECT_EQ("transpose/10_naive", app.stage().id);
    EXPECT_EQ("", app.saved.progress["transpose/10_naive"].guess);
    EXPECT_FALSE(app.tools->progress.open);
    review_next(app);  // asked already
    EXPECT_EQ("Nothing is due for review today", app.said.toast.text);
}

TEST_F(Progressing, ThePageHasAMapOfTheWholeCourse) {
    frames.resize(1280, 900);
    frames.type('g');
    frames.frame(2);
    size_t chips = 0;
    for (const WidgetRecord& widget : audit().widgets) chips += widget.id.starts_with("map:");
    EXPECT_EQ(app.content.catalogue.stages().size(), chips);
    ASSERT_TRUE(frames.click("map:transpose/22_coarsened"));
    EXPECT_EQ("transpose/22_coarsened", app.stage().id);
    EXPECT_FALSE(app.tools->progress.open);
}

TEST_F(Progressing, IsWrittenAndReadAgain) {
    read_review(app, folder / "review.json");
    note_answer(app, "transpose/30_padded", true);
    book.welcomed = true;
    note_answer(app, "transpose/10_naive", false);
    const ReviewBook before = book;
    book = {};
    read_review(app, folder / "review.json");
    EXPECT_TRUE(book.stages == before.stages);
    EXPECT_TRUE(book.welcomed);
    EXPECT_TRUE(app.said.notices.empty());
}

TEST_F(Progressing, AnOlderVersionsAnswersMigrate) {
    book = {};
    app.saved.progress = {{"right", {"1", 0, true, true, true}},
                          {"wrong", {"2", 0, true, false, false}},
                          {"open", {"3", 0, false, false, false}}};
    read_review(app, folder / "review.json");
    EXPECT_EQ(1, book.stages.at("right").box);
    EXPECT_EQ(0, book.stages.at("wrong").box);
    EXPECT_FALSE(book.stages.contains("open"));
    EXPECT_TRUE(book.welcomed);
    book = {};
    app.saved.progress.clear();  // the first run of all
    read_review(app, folder / "review.json");
    EXPECT_FALSE(book.welcomed);
}

TEST_F(Progressing, WhatCannotBeReadIsSetAsideAndAReadOnlyHomeSaidOnce) {
    for (const char* text : {"[", "{\"lanewise_review\": 1}", "{\"lanewise_review\": 2}"}) {
        write_file(folder / "review.json", text);
        app.said.notices.clear();
        read_review(app, folder / "review.json");
        ASSERT_EQ(1u, app.said.notices.size()) << text;
        EXPECT_NE(std::string::npos, app.said.notices[0].find("review.json.bad"))
            << app.said.notices[0];
    }
    EXPECT_EQ("[", read_file(folder / "review.json.bad"));
    app.said.notices.clear();
    book.file = folder / "review.json.bad" / "below a file";
    review_changed(app);
    review_changed(app);
    EXPECT_EQ(1u, app.said.notices.size());
}

}  // namespace
}  // namespace lanewise::ui
