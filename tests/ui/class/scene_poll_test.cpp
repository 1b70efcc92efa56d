// The presenter's questions on the class's pages: what is said to the server, and how votes join the hands.
#include "ui/class/scene_poll.h"

#include <gtest/gtest.h>

namespace lanewise::ui {
namespace {

using Json = nlohmann::json;

Slide question(std::vector<std::string> choices) {
    Slide slide;
    slide.kind = Slide::Kind::question;
    slide.question.question = "How many?";
    slide.question.explain = "All lanes meet.";
    slide.question.choices = std::move(choices);
    return slide;
}

class ScenePollTest : public testing::Test {
  protected:
    ScenePollTest() {
        p.on = true;
        p.of = "transpose/30_padded";
        p.slides = {Slide(), question({"1", "2", "32"}), question({"yes", "no"}), Slide()};
    }
    // The "do" of what is said.
    std::vector<std::string> said() {
        std::vector<std::string> words;
        for (const Json& one : poll.follow(p)) words.push_back(one["do"]);
        return words;
    }
    static Json state(uint64_t number, std::vector<int> votes, const char* re = "") {
        int voters = 0;
        for (int each : votes) voters += each;
        Json its = {{"teaches", true},
                    {"poll", {{"number", number}, {"votes", votes}, {"voters", voters}}}};
        if (*re) its.update({{"re", re}, {"failed", false}});
        return its;
    }
    using Words = std::vector<std::string>;
    Presenter p;
    ScenePoll poll;
};

TEST_F(ScenePollTest, AQuestionIsAskedWithItsSceneAndShownWithTheAnswer) {
    EXPECT_EQ(Words{}, said());
    p.at = 1;
    auto words = poll.follow(p);
    ASSERT_EQ(1u, words.size());
    EXPECT_EQ("ask", words[0]["do"]);
    EXPECT_EQ("How many?", words[0]["question"]);
    EXPECT_EQ((Json{"1", "2", "32"}), words[0]["choices"]);
    EXPECT_FALSE(words[0].contains("right"));
    EXPECT_EQ(Words{}, said());  // once
    p.right = 2;
    EXPECT_EQ(Words{}, said());  // and the answer not before it is asked for
    p.revealed = true;
    words = poll.follow(p);
    ASSERT_EQ(1u, words.size());
    EXPECT_EQ((Json{{"do", "reveal"}, {"right", 2}}), words[0]);
    EXPECT_EQ(Words{}, said());
    p.revealed = false;
    EXPECT_EQ(Words{"reopen"}, said());
    p.at = 2;
    EXPECT_EQ(Words{"ask"}, said());
    p.at = 3;
    EXPECT_EQ(Words{"end"}, said());
    p.at = 2;
    said();
    p.on = false;
    EXPECT_EQ(Words{"end"}, said());
    EXPECT_EQ(Words{}, said());
}

TEST_F(ScenePollTest, WhatIsRightMayBeCountedAfterItWasAskedFor) {
    p.at = 1;
    p.revealed = true;
    EXPECT_EQ((Words{"ask", "reveal"}), said());
    EXPECT_EQ(Words{}, said());
    p.right = 0;
    EXPECT_EQ(Words{"reveal"}, said());
}

TEST_F(ScenePollTest, VotesJoinTheHandsOfTheirScene) {
    p.at = 1;
    poll.follow(p);
    p.hands[p.of][1] = {0, 1, 0};        // one that has no phone
    poll.heard(p, state(6, {9, 9, 9}));  // another question's, from before
    EXPECT_EQ((std::vector<int>{0, 1, 0}), p.hands[p.of][1]);
    poll.heard(p, state(7, {0, 0, 0}, "ask"));
    EXPECT_TRUE(poll.asks());
    poll.heard(p, state(7, {2, 0, 5}));
    EXPECT_EQ((std::vector<int>{2, 1, 5}), p.hands[p.of][1]);
    EXPECT_EQ(7, poll.voters());
    poll.heard(p, state(7, {1, 0, 6}));  // one has changed its mind
    EXPECT_EQ((std::vector<int>{1, 1, 6}), p.hands[p.of][1]);
    // Asked again later, its old votes are not counted twice.
    p.at = 2;
    poll.follow(p);
    p.at = 1;
    poll.follow(p);
    poll.heard(p, state(9, {0, 0, 0}, "ask"));
    poll.heard(p, state(9, {0, 3, 0}));
    EXPECT_EQ((std::vector<int>{0, 4, 0}), p.hands[p.of][1]);
}

TEST_F(ScenePollTest, WhoIsNoTeacherPresentsWithoutTheClass) {
    p.at = 1;
    poll.follow(p);
    poll.heard(p, {{"teaches", false}, {"re", "ask"}, {"failed", true}, {"poll", nullptr}});
    EXPECT_FALSE(poll.asks());
    p.at = 2;
    EXPECT_EQ(Words{}, said());
}

TEST_F(ScenePollTest, AfterALostConnectionTheNextQuestionIsAsked) {
    p.at = 1;
    poll.follow(p);
    poll.heard(p, state(7, {0, 0, 0}, "ask"));
    poll.lost();
    EXPECT_FALSE(poll.asks());
    p.revealed = true;
    EXPECT_EQ(Words{}, said());
    p.at = 2;
    p.revealed = false;
    EXPECT_EQ(Words{"ask"}, said());
    poll.lost();
    p.at = 3;
    EXPECT_EQ(Words{}, said());
}

TEST_F(ScenePollTest, AQuestionWithoutChoicesIsForHandsAlone) {
    p.slides[1] = question({});
    p.at = 1;
    EXPECT_EQ(Words{}, said());
}

}  // namespace
}  // namespace lanewise::ui
