// What a class says to the server, without sockets.
#include "hub/class_desk.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/files.h"
#include "service/protocol.h"

namespace lanewise {

namespace fs = std::filesystem;
using Json = nlohmann::json;

class ClassDeskTest : public testing::Test {
  protected:
    fs::path root_ = fs::path(testing::TempDir()) / ("desk-" + std::to_string(::getpid()));
    ClassDesk desk_{root_ / "hand-ins", questions_of(CONTENT_FOLDER)};
    Speaker ada_{"ada"}, bert_{"bert"}, guest_{"guests.1", false, true, false},
        mx_{"mx", true, false, true};
    void TearDown() override { fs::remove_all(root_); }

    Json say(const Speaker& speaker, const Json& message) {
        last_ = desk_.take(message, speaker);
        return last_.answer;
    }
    ClassDesk::Taken last_;
};

TEST_F(ClassDeskTest, VotesAreHiddenUntilTheTeacherShowsThem) {
    EXPECT_TRUE(say(ada_, {{"do", "hello"}})["poll"].is_null());
    Json asked =
        say(mx_, {{"do", "ask"}, {"question", "How many?"}, {"choices", {"1", "2", "32"}}});
    EXPECT_EQ(ClassDesk::News::all, last_.news);
    EXPECT_EQ("open", asked["poll"]["state"]);
    Json seen = say(ada_, {{"do", "vote"}, {"poll", 1}, {"choice", 2}});
    EXPECT_EQ(ClassDesk::News::votes, last_.news);
    EXPECT_EQ(false, seen["failed"]);
    EXPECT_EQ(2, seen["poll"]["mine"]);
    EXPECT_TRUE(seen["poll"]["votes"].is_null());
    EXPECT_TRUE(seen["poll"]["voters"].is_null());
    say(bert_, {{"do", "vote"}, {"poll", 1}, {"choice", 1}});
    Json teacher = desk_.state_for(mx_);
    EXPECT_EQ(Json::array({0, 1, 1}), teacher["poll"]["votes"]);
    EXPECT_EQ(2, teacher["poll"]["voters"]);
    EXPECT_EQ(std::string::npos, teacher.dump().find("ada"));  // not who
    say(mx_, {{"do", "reveal"}, {"right", 0}});
    seen = desk_.state_for(ada_);
    EXPECT_EQ(Json::array({0, 1, 1}), seen["poll"]["votes"]);
    EXPECT_EQ(0, seen["poll"]["right"]);
    EXPECT_EQ(std::string::npos, seen.dump().find("bert"));
    say(mx_, {{"do", "end"}});
    EXPECT_TRUE(desk_.state_for(ada_)["poll"].is_null());
}

TEST_F(ClassDeskTest, TheRightAnswerIsNotToldBeforehand) {
    say(mx_, {{"do", "ask"}, {"choices", {"a", "b"}}, {"right", 1}, {"explain", "because"}});
    for (const Speaker& speaker : {ada_, mx_}) {
        Json poll = desk_.state_for(speaker)["poll"];
        EXPECT_TRUE(poll["right"].is_null());
        EXPECT_EQ("", poll["explain"]);
    }
    say(mx_, {{"do", "reveal"}});
    EXPECT_EQ(1, desk_.state_for(ada_)["poll"]["right"]);
    EXPECT_EQ("because", desk_.state_for(ada_)["poll"]["explain"]);
}

TEST_F(ClassDeskTest, AStageAsksWhatItsLessonAsks) {
    Json state = say(mx_, {{"do", "ask"}, {"stage", "30_padded"}});
    EXPECT_EQ(false, state["failed"]) << state;
    EXPECT_EQ("transpose/30_padded", state["poll"]["stage"]);
    EXPECT_GE(state["poll"]["choices"].size(), 2u);
    EXPECT_NE("", state["poll"]["question"]);
    state = say(mx_, {{"do", "ask"}, {"stage", "30_padded"}, {"which", 90}});
    EXPECT_EQ(true, state["failed"]);
    EXPECT_EQ(0u, state["said"].get<std::string>().find("the lesson of transpose/30_padded asks "));
    EXPECT_EQ(1u, state["poll"]["number"]);  // what was asked before is still asked
    EXPECT_EQ(true, say(mx_, {{"do", "ask"}, {"stage", "../../etc/passwd"}})["failed"]);
    EXPECT_EQ(true, say(mx_, {{"do", "ask"}})["failed"]);
}

TEST_F(ClassDeskTest, OnlyTheTeacherAsksAndDoesNotVote) {
    for (const char* what : {"ask", "close", "reopen", "reveal", "end", "nonsense"}) {
        Json state = say(ada_, {{"do", what}, {"choices", {"a", "b"}}});
        EXPECT_EQ("only the teacher does this, whose token says so", state["said"]) << what;
        EXPECT_EQ(ClassDesk::News::none, last_.news);
    }
    say(mx_, {{"do", "ask"}, {"choices", {"a", "b"}}});
    EXPECT_EQ("the teacher asks, and has no vote",
              say(mx_, {{"do", "vote"}, {"poll", 1}, {"choice", 0}})["said"]);
}

TEST_F(ClassDeskTest, WhatMakesNoSenseIsOneSentence) {
    say(mx_, {{"do", "ask"}, {"choices", {"a", "b"}}});
    for (const Json& message :
         {Json{{"do", "vote"}}, Json{{"do", "vote"}, {"poll", "1"}, {"choice", 0}},
          Json{{"do", "vote"}, {"poll", 1}, {"choice", -1}},
          Json{{"do", "vote"}, {"poll", 7}, {"choice", 0}}, Json{{"do", "hand_in"}},
          Json{{"do", 7}}, Json::object()}) {
        Json state = say(ada_, message);
        EXPECT_EQ(true, state["failed"]) << message;
        EXPECT_NE("", state["said"]) << message;
    }
    EXPECT_EQ(0, desk_.state_for(mx_)["poll"]["voters"]);
    for (const Json& choices : {Json{1, 2}, Json::array(), Json{"a"}})
        EXPECT_EQ(true, say(mx_, {{"do", "ask"}, {"choices", choices}})["failed"]) << choices;
}

TEST_F(ClassDeskTest, TheTeacherAloneSeesWhatIsPredictedWrongly) {
    const Json wrong = {
        {"do", "predicted"}, {"stage", "transpose/30_padded"}, {"choice", "32"}, {"right", false}};
    EXPECT_EQ(false, say(ada_, wrong)["failed"]);
    EXPECT_EQ(ClassDesk::News::votes, last_.news);
    say(ada_, wrong);  // in a second window
    say(bert_,
        {{"do", "predicted"}, {"stage", "transpose/30_padded"}, {"choice", "1"}, {"right", true}});
    say(mx_, wrong);  // the teacher counts where votes do: not
    EXPECT_TRUE(desk_.state_for(ada_)["predictions"].is_null());
    const Json seen = desk_.state_for(mx_)["predictions"];
    ASSERT_EQ(1u, seen.size());
    EXPECT_EQ("transpose/30_padded", seen[0]["stage"]);
    EXPECT_EQ(std::string::npos, seen.dump().find("ada"));
    EXPECT_EQ(1, seen[0]["right"]);
    EXPECT_EQ("32", seen[0]["wrong"][0]["choice"]);
    EXPECT_EQ(true, say(ada_, {{"do", "predicted"}, {"stage", 7}})["failed"]);
}

TEST_F(ClassDeskTest, TheBoardIsTheTeachers) {
    EXPECT_EQ(true, say(ada_, {{"do", "board"}})["failed"]);
    EXPECT_FALSE(last_.wants_board);
    EXPECT_EQ(false, say(mx_, {{"do", "board"}})["failed"]);
    EXPECT_TRUE(last_.wants_board);
    EXPECT_EQ(ClassDesk::News::none, last_.news);  // nobody else hears of it
}

TEST_F(ClassDeskTest, TheClassGetsItsAssignmentAsALink) {
    EXPECT_EQ("your class has no assignment here", say(ada_, {{"do", "assignment"}})["said"]);
    EXPECT_TRUE(desk_.state_for(ada_)["assignment"].is_null());
    write_file(
        root_ / "week.assignment",
        "title = \"Week 2\"\n[[task]]\nstage = \"30_padded\"\npoints = 1\n[[task.case]]\nsize = "
        "\"96x160\"\n");
    ClassDesk desk(root_ / "hand-ins", questions_of(CONTENT_FOLDER), handouts_of(CONTENT_FOLDER));
    ClassFile file;
    file.assignment = root_ / "week.assignment";
    EXPECT_EQ("", desk.use(file));
    EXPECT_EQ("Week 2", desk.state_for(ada_)["assignment"]["title"]);
    const Json answer = desk.take({{"do", "assignment"}}, guest_).answer;
    EXPECT_TRUE(answer["link"].get<std::string>().starts_with("lanewise://1/assignment?text="));
    EXPECT_EQ(std::string::npos, answer["link"].get<std::string>().find("96x160"));
    write_file(root_ / "week.assignment", "title = \"Week 2\"\n");
    EXPECT_NE("", desk.use(file));
    EXPECT_TRUE(desk.state_for(ada_)["assignment"].is_null());
}

TEST_F(ClassDeskTest, AGuestsVoteGoesWithIt) {
    say(mx_, {{"do", "ask"}, {"choices", {"a", "b"}}});
    for (const Speaker& speaker : {guest_, ada_})
        say(speaker, {{"do", "vote"}, {"poll", 1}, {"choice", 0}});
    EXPECT_EQ(ClassDesk::News::votes, desk_.left(guest_));
    EXPECT_EQ(ClassDesk::News::none, desk_.left(guest_));
    EXPECT_EQ(ClassDesk::News::none, desk_.left(ada_));  // comes again by the same name
    EXPECT_EQ(1, desk_.state_for(mx_)["poll"]["voters"]);
}

TEST_F(ClassDeskTest, AHandInIsTheSpeakersWhateverItSays) {
    ClassFile of_class;
    of_class.due = "2000-01-01T00:00:00Z";
    desk_.use(of_class);
    const char* text = "{\"lanewise_workspace\": 1}";
    Json state = say(ada_, {{"do", "hand_in"}, {"workspace", text}, {"name", "bert"}});
    EXPECT_EQ("Handed in, after the time it was due.", state["said"]);
    EXPECT_EQ("ada handed in, late", last_.log);
    EXPECT_EQ(true, state["hand_in"]["late"]);
    EXPECT_TRUE(state["hand_in"]["time"].is_string());
    EXPECT_TRUE(desk_.state_for(bert_)["hand_in"]["time"].is_null());
    ASSERT_EQ(1u, desk_.handed_in().size());
    EXPECT_EQ(text, read_file(root_ / "hand-ins" / "ada.lanewise"));
    desk_.use({});
    EXPECT_EQ("Handed in.", say(ada_, {{"do", "hand_in"}, {"workspace", text}})["said"]);
    EXPECT_EQ(1, desk_.state_for(ada_)["hand_in"]["earlier"]);
    state = say(guest_, {{"do", "hand_in"}, {"workspace", text}});
    EXPECT_EQ(0u, state["said"].get<std::string>().find("everybody has your token"));
    EXPECT_EQ(1u, desk_.handed_in().size());
}

TEST(ClassFrame, ClassIsItsFirstKey) {
    std::string frame = class_frame({{"title", "x"}});
    EXPECT_EQ(
        "\x65"
        "class",
        frame.substr(5, 6));
}

}  // namespace lanewise
