// A question to the class, without sockets.
#include "hub/poll.h"

#include <gtest/gtest.h>

#include "refusal.h"

namespace lanewise {

static PollQuestion asked(std::vector<std::string> choices = {"1", "2", "32"}) {
    return {"How many?", "transpose/30_padded", std::move(choices)};
}

TEST(Poll, EachHasOneVoteAndMayChangeItWhileItIsOpen) {
    Poll poll;
    poll.ask(asked());
    EXPECT_EQ(Poll::State::open, poll.state());
    poll.vote("ada", poll.number(), 0);
    poll.vote("bert", poll.number(), 0);
    poll.vote("ada", poll.number(), 2);
    poll.vote("ada", poll.number(), 2);
    EXPECT_EQ((std::vector<int>{1, 0, 1}), poll.counts());
    EXPECT_EQ(2, poll.voters());
    EXPECT_EQ(2u, poll.vote_of("ada"));
    EXPECT_FALSE(poll.vote_of("eve"));
}

TEST(Poll, AfterItIsClosedOrShownNoVoteIsTaken) {
    Poll poll;
    poll.ask(asked());
    poll.vote("ada", 1, 1);
    poll.close();
    EXPECT_EQ("no more votes are taken for this question",
              refusal([&] { poll.vote("bert", 1, 0); }));
    poll.reopen();
    poll.vote("bert", 1, 0);
    poll.reveal({});
    EXPECT_EQ("no more votes are taken for this question",
              refusal([&] { poll.vote("ada", 1, 0); }));
    EXPECT_EQ((std::vector<int>{1, 1, 0}), poll.counts());
    EXPECT_FALSE(poll.question().right);
    poll.close();  // it stays shown
    EXPECT_EQ(Poll::State::revealed, poll.state());
    poll.reveal(2);
    EXPECT_EQ(2u, poll.question().right);
}

TEST(Poll, AVoteForTheLastQuestionIsNoneForThis) {
    Poll poll;
    poll.ask(asked());
    poll.vote("ada", 1, 1);
    poll.ask(asked({"yes", "no"}));
    EXPECT_EQ(0, poll.voters());
    EXPECT_EQ("this question is over; your vote is not counted",
              refusal([&] { poll.vote("ada", 1, 1); }));
    EXPECT_EQ("the question has no such choice", refusal([&] { poll.vote("ada", 2, 2); }));
    poll.end();
    EXPECT_EQ("this question is over; your vote is not counted",
              refusal([&] { poll.vote("ada", 2, 1); }));
    EXPECT_EQ(0u, poll.counts().size());
}

TEST(Poll, AGuestTakesItsVoteAlongUntilItIsClosed) {
    Poll poll;
    poll.ask(asked());
    poll.vote("guests.1", 1, 1);
    poll.vote("guests.2", 1, 1);
    poll.leave("guests.1");
    EXPECT_EQ(1, poll.voters());
    poll.close();
    poll.leave("guests.2");
    EXPECT_EQ(1, poll.voters());
}

TEST(Poll, WhatIsNoQuestionIsRefusedAndTheLastOneStays) {
    Poll poll;
    poll.ask(asked());
    poll.vote("ada", 1, 1);
    EXPECT_EQ("a question has 2 to 9 choices, not 1", refusal([&] { poll.ask(asked({"a"})); }));
    EXPECT_EQ("a question has 2 to 9 choices, not 10",
              refusal([&] { poll.ask(asked(std::vector<std::string>(10, "a"))); }));
    EXPECT_EQ("a choice has 1 to 400 letters", refusal([&] { poll.ask(asked({"a", " "})); }));
    EXPECT_EQ("a choice has 1 to 400 letters", refusal([&] {
                  poll.ask(asked({"a", std::string(401, 'x')}));
              }));
    PollQuestion endless = asked();
    endless.question = std::string(2001, 'x');
    EXPECT_NE("", refusal([&] { poll.ask(endless); }));
    EXPECT_EQ(1, poll.voters());
    EXPECT_EQ("the question has no such choice", refusal([&] { poll.reveal(3); }));
    Poll none;
    for (auto act : {&Poll::close, &Poll::reopen})
        EXPECT_EQ("no question is asked: ask one first", refusal([&] { (none.*act)(); }));
    EXPECT_NE("", refusal([&] { none.reveal({}); }));
    EXPECT_NE("", refusal([&] { none.vote("ada", 0, 0); }));
}

}  // namespace lanewise
