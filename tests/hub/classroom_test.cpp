// Who may come in, and what each is given.
#include "hub/classroom.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/files.h"

namespace lanewise {

namespace fs = std::filesystem;

class ClassroomTest : public testing::Test {
  protected:
    fs::path root_ = fs::path(testing::TempDir()) / ("class-" + std::to_string(::getpid()));
    HubOptions options_;
    void SetUp() override {
        ::setenv("LANEWISE_HOME", CONTENT_FOLDER, 1);
        ::setenv("LANEWISE_QUEUE_FOLDER", (root_ / "queue").c_str(), 1);
        write_file(root_ / "tokens",
                   "ada aaaaaaaaaaaaaaaa\nbert bbbbbbbbbbbbbbbb\nguests cccccccccccccccc class\n");
        ::chmod((root_ / "tokens").c_str(), 0600);
        write_file(root_ / "class.toml", "[limits]\nconnections = 4\nengines_per_student = 2\n");
        options_.address = listen_address("127.0.0.1:0");
        options_.token_file = root_ / "tokens";
        options_.class_file = root_ / "class.toml";
        options_.folder = root_ / "kept";
    }
    void TearDown() override { fs::remove_all(root_); }
    std::string refusal() {
        try {
            Classroom classroom(options_);
        } catch (const Error& error) {
            return error.what();
        }
        return "";
    }
};

TEST_F(ClassroomTest, AStudentHasSoManyEnginesAndOneFolder) {
    Classroom room(options_);
    const TokenHolder& ada = *room.check("aaaaaaaaaaaaaaaa", "10.0.0.1", 1).holder;
    std::string why;
    auto first = room.take_seat(ada, 1, why), second = room.take_seat(ada, 1, why);
    ASSERT_TRUE(first && second);
    EXPECT_EQ(first->folder, second->folder);
    EXPECT_EQ(fs::perms::owner_all, fs::status(first->folder).permissions());
    EXPECT_FALSE(room.take_seat(ada, 1, why));
    EXPECT_EQ("2 engines run with your token already: close another window first", why);
    const TokenHolder& bert = *room.check("bbbbbbbbbbbbbbbb", "10.0.0.1", 1).holder;
    auto of_bert = room.take_seat(bert, 1, why);
    ASSERT_TRUE(of_bert);
    EXPECT_NE(first->folder, of_bert->folder);
    room.leave(*first);
    room.give_back(*first);
    EXPECT_TRUE(room.take_seat(ada, 1, why));
}

TEST_F(ClassroomTest, APageThatIsLoadedAnewNeedNotWaitForItsLastEngine) {
    Classroom room(options_);
    const TokenHolder& ada = *room.check("aaaaaaaaaaaaaaaa", "10.0.0.1", 1).holder;
    std::string why;
    std::vector<std::unique_ptr<Seat>> ending;
    for (int i = 0; i < 4; ++i) {
        ending.push_back(room.take_seat(ada, 1, why));
        if (!ending.back()) break;
        room.leave(*ending.back());
    }
    ASSERT_EQ(4u, ending.size());
    EXPECT_FALSE(room.take_seat(ada, 1, why));  // but whoever does nothing else waits
    EXPECT_EQ("all 4 places of this server are taken; try again later", why);
    room.give_back(*ending[0]);
    EXPECT_TRUE(room.take_seat(ada, 1, why));
}

TEST_F(ClassroomTest, GuestsHaveAFolderEachThatIsNotKept) {
    Classroom room(options_);
    const TokenHolder& guests = *room.check("cccccccccccccccc", "10.0.0.1", 1).holder;
    std::string why;
    auto one = room.take_seat(guests, 1, why), other = room.take_seat(guests, 1, why),
         third = room.take_seat(guests, 1, why);
    ASSERT_TRUE(one && other && third);
    EXPECT_NE(one->folder, other->folder);
    EXPECT_FALSE(one->is_kept);
    EXPECT_TRUE(room.take_seat(guests, 1, why));
    EXPECT_FALSE(room.take_seat(guests, 1, why));
    EXPECT_EQ("all 4 places of this server are taken; try again later", why);
}

TEST_F(ClassroomTest, WhoseEngineWasEndedRests) {
    Classroom room(options_);
    const TokenHolder& ada = *room.check("aaaaaaaaaaaaaaaa", "10.0.0.1", 1).holder;
    std::string why;
    auto seat = room.take_seat(ada, 1, why);
    room.let_rest(*seat, 100);
    room.leave(*seat);
    room.give_back(*seat);
    EXPECT_FALSE(room.take_seat(ada, 110, why));
    EXPECT_EQ("your last engine was ended; the next one can start in 20 s", why);
    EXPECT_TRUE(room.take_seat(ada, 131, why));
}

TEST_F(ClassroomTest, WhoHasUsedMuchGivesWayWithEachEngineAndStartsTheNextLater) {
    Classroom room(options_);
    const TokenHolder& ada = *room.check("aaaaaaaaaaaaaaaa", "10.0.0.1", 1).holder;
    std::string why;
    auto seat = room.take_seat(ada, 1, why);
    room.note_start(*seat, 1);
    EXPECT_EQ(0, room.start_wait_s(*seat, 1));
    EXPECT_EQ(0, room.note_work(*seat, 2.5, 1));  // with the start 3, of which the default says that it is free
    EXPECT_EQ(Heat::kWarm, room.note_work(*seat, 1.5, 1));
    room.leave(*seat);
    room.give_back(*seat);
    auto next = room.take_seat(ada, 2, why);
    EXPECT_EQ(Heat::kWarm, room.note_work(*next, 0, 2));
    EXPECT_NEAR(1.35, room.start_wait_s(*next, 2), 0.01);  // 4.5 a second ago is 4.35
    EXPECT_EQ(0, room.note_work(*next, 0, 100));
}

TEST_F(ClassroomTest, ManyWrongTokensCloseTheDoorForARightOneFromThere) {
    Classroom room(options_);
    for (int i = 0; i < WrongTokens::kUntilRefused; ++i)
        EXPECT_FALSE(room.check("xxxxxxxxxxxxxxxx", "10.0.0.1", 5).holder);
    Classroom::Check check = room.check("aaaaaaaaaaaaaaaa", "10.0.0.1", 6);
    EXPECT_FALSE(check.holder);
    EXPECT_GT(check.refused_s, 0);
    EXPECT_TRUE(room.check("aaaaaaaaaaaaaaaa", "10.0.0.2", 6).holder);
}

TEST_F(ClassroomTest, AnAddressThatOthersReachWantsTokensAndASandbox) {
    options_.address = listen_address("0.0.0.0:0");
    options_.token_file.clear();
    EXPECT_EQ(0u,
              refusal().find("others reach 0.0.0.0: give each of them a token, with --token-file"))
        << refusal();
    options_.token_file = root_ / "tokens";
    std::string path = std::getenv("PATH");
    // A PATH with env and without bwrap.
    fs::create_directories(root_ / "bin");
    fs::create_symlink("/usr/bin/env", root_ / "bin/env");
    ::setenv("PATH", (root_ / "bin").c_str(), 1);
    std::string why = refusal();
    ::setenv("PATH", path.c_str(), 1);
    EXPECT_EQ(
        "others reach 0.0.0.0: their engines need a sandbox, and bubblewrap is not installed "
        "(Debian, Ubuntu: apt "
        "install bubblewrap)",
        why);
}

TEST_F(ClassroomTest, OneServerForOneFolder) {
    Classroom room(options_);
    EXPECT_EQ(0u, refusal().find("another server keeps its students in "));
}

TEST_F(ClassroomTest, ReadableNeverHoldsTheTokens) {
    write_file(root_ / "class.toml", "[sandbox]\nreadable = [\"" + root_.string() + "\"]\n");
    EXPECT_NE(std::string::npos, refusal().find("students must not read that")) << refusal();
    write_file(root_ / "class.toml", "[sandbox]\nreadable = [\"/nowhere/at/all\"]\n");
    EXPECT_NE(std::string::npos,
              refusal().find("readable names /nowhere/at/all, which is not there"));
}

TEST_F(ClassroomTest, FilesThatAreReadAgainAndAreWrongChangeNothing) {
    Classroom room(options_);
    write_file(root_ / "tokens", "ada short\n");
    ::chmod((root_ / "tokens").c_str(), 0600);
    EXPECT_THROW(room.read_again(), Error);
    EXPECT_TRUE(room.check("aaaaaaaaaaaaaaaa", "10.0.0.1", 1).holder);
    write_file(root_ / "tokens", "eve eeeeeeeeeeeeeeee\n");
    ::chmod((root_ / "tokens").c_str(), 0600);
    room.read_again();
    EXPECT_FALSE(room.check("aaaaaaaaaaaaaaaa", "10.0.0.1", 1).holder);
    EXPECT_TRUE(room.check("eeeeeeeeeeeeeeee", "10.0.0.1", 1).holder);
}

TEST_F(ClassroomTest, APrefixStandsBeforeTheWall) {
    options_.engine_prefix = {"env", "FAR=1"};
    Classroom room(options_);
    std::vector<std::string> words =
        room.engine_command({"ada", root_ / "kept/students/ada", true});
    EXPECT_EQ("env", words[0]);
    EXPECT_EQ("FAR=1", words[1]);
    EXPECT_EQ("env", words[2]);
    EXPECT_EQ("-i", words[3]);
}

TEST_F(ClassroomTest, AFolderThatHoldsTooMuchIsEmptiedForTheNextEngine) {
    write_file(root_ / "class.toml", "[limits]\ndisk_megabytes = 64\n");
    Classroom room(options_);
    const TokenHolder& ada = *room.check("aaaaaaaaaaaaaaaa", "10.0.0.1", 1).holder;
    std::string why;
    auto first = room.take_seat(ada, 1, why);
    ASSERT_TRUE(first);
    EXPECT_EQ("", room.note_disk("ada", {64u << 20, 10}, 2));
    EXPECT_EQ(
        "your folder holds 65 MiB, and a student may have 64 MiB: it is emptied for your next "
        "engine",
        room.note_disk("ada", {65u << 20, 10}, 2));
    EXPECT_EQ("your folder holds more than 50,000 files: it is emptied for your next engine",
              room.note_disk("ada", {1, 50'001}, 2));
    write_file(first->folder / "cache" / "large", std::string(65u << 20, 'x'));
    fs::create_symlink(root_ / "tokens", first->folder / "link");
    EXPECT_FALSE(room.take_seat(ada, 20, why));  // the first engine may be writing there
    EXPECT_EQ(0u, why.find("your folder holds 65")) << why;
    room.leave(*first);
    room.give_back(*first);
    auto second = room.take_seat(ada, 40, why);
    ASSERT_TRUE(second) << why;
    EXPECT_TRUE(fs::is_empty(second->folder));
    EXPECT_TRUE(fs::exists(root_ / "tokens"));  // where the link led
}

TEST_F(ClassroomTest, WhatIsOnDiskIsCountedWithoutFollowingLinks) {
    write_file(root_ / "one" / "a" / "file", std::string(1u << 20, 'x'));
    write_file(root_ / "two" / "file", std::string(1u << 20, 'x'));
    fs::create_directory_symlink(root_ / "two", root_ / "one" / "link");
    DiskUse use = disk_use(root_ / "one");
    EXPECT_EQ(3, use.files);  // a, file, link
    EXPECT_GE(use.bytes, 1u << 20);
    EXPECT_LT(use.bytes, 1.5 * (1u << 20));
    EXPECT_EQ(0, disk_use(root_ / "none").files);
}

TEST_F(ClassroomTest, WhoSpeaksToTheClassIsWhatTheTokenSays) {
    write_file(
        root_ / "tokens",
        "ada aaaaaaaaaaaaaaaa\nguests cccccccccccccccc class\nmx dddddddddddddddd teacher\n");
    ::chmod((root_ / "tokens").c_str(), 0600);
    Classroom room(options_);
    auto speaks = [&](const char* token) {
        return room.speaker_for(*room.check(token, "10.0.0.1", 1).holder, nullptr);
    };
    Speaker ada = speaks("aaaaaaaaaaaaaaaa"), mx = speaks("dddddddddddddddd");
    EXPECT_TRUE(ada.votes && ada.has_name && !ada.teaches);
    EXPECT_TRUE(!mx.votes && mx.has_name && mx.teaches);
    Speaker one = speaks("cccccccccccccccc"), other = speaks("cccccccccccccccc");
    EXPECT_TRUE(one.votes && !one.has_name && !one.teaches);
    EXPECT_NE(one.name, other.name);
}

}  // namespace lanewise
