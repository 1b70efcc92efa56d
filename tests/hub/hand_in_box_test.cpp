// What students hand in, on disk.
#include "hub/hand_in_box.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/files.h"

namespace lanewise {

namespace fs = std::filesystem;

class HandInBoxTest : public testing::Test {
  protected:
    fs::path root_ = fs::path(testing::TempDir()) / ("box-" + std::to_string(::getpid()));
    HandInBox box_{root_ / "hand-ins"};
    void TearDown() override { fs::remove_all(root_); }

    static std::string workspace(const std::string& saved) {
        return "{\"lanewise_workspace\": 1, \"saved\": \"" + saved + "\"}";
    }
    // 2026-12-01 10:00 UTC and so many minutes (date -d @1796119200 -u).
    static void was_written(const fs::path& file, int minutes) {
        timespec times[2] = {{0, UTIME_OMIT}, {1796119200 + 60 * minutes, 0}};
        ASSERT_EQ(0, ::utimensat(AT_FDCWD, file.c_str(), times, 0));
    }
    std::string refusal(const std::string& student, const std::string& text) const {
        try {
            box_.keep(student, text);
        } catch (const Error& error) {
            return error.what();
        }
        return "";
    }
};

TEST_F(HandInBoxTest, TheNewestIsWhereGradeLooksAndTwoAreKeptBesideIt) {
    EXPECT_TRUE(box_.all("").empty());
    for (const char* saved : {"one", "two", "three", "four"}) {
        box_.keep("ada", workspace(saved));
        was_written(box_.folder() / "ada.lanewise", 0);
    }
    EXPECT_EQ(workspace("four"), read_file(box_.folder() / "ada.lanewise"));
    EXPECT_EQ(workspace("three"), read_file(box_.folder() / ".earlier" / "ada.1.lanewise"));
    EXPECT_EQ(workspace("two"), read_file(box_.folder() / ".earlier" / "ada.2.lanewise"));
    EXPECT_FALSE(fs::exists(box_.folder() / ".earlier" / "ada.3.lanewise"));
    auto all = box_.all("");
    ASSERT_EQ(1u, all.size());
    EXPECT_EQ("ada", all[0].student);
    EXPECT_EQ("2026-12-01T10:00:00Z", all[0].time);
    EXPECT_EQ(2, all[0].earlier);
    // An earlier one keeps its time.
    EXPECT_EQ(fs::last_write_time(box_.folder() / "ada.lanewise"),
              fs::last_write_time(box_.folder() / ".earlier" / "ada.1.lanewise"));
}

TEST_F(HandInBoxTest, WhatComesAfterItWasDueIsMarkedAndKept) {
    box_.keep("ada", workspace("x"));
    box_.keep("bert", workspace("y"));
    was_written(box_.folder() / "ada.lanewise", -1);
    was_written(box_.folder() / "bert.lanewise", 1);
    auto all = box_.all("2026-12-01T10:00:00Z");
    ASSERT_EQ(2u, all.size());
    EXPECT_FALSE(all[0].late);
    EXPECT_TRUE(all[1].late);
    EXPECT_FALSE(box_.all("")[1].late);
}

TEST_F(HandInBoxTest, WhatIsNoWorkspaceIsRefusedAndTheLastStays) {
    box_.keep("ada", workspace("good"));
    const std::string none = "this is no workspace of Lanewise, or was cut";
    EXPECT_EQ(0u, refusal("ada", "").find(none));
    EXPECT_EQ(0u, refusal("ada", "__global__ void k() {}").find(none));
    EXPECT_EQ(0u, refusal("ada", "{\"lanewise_workspace\": 1, \"sav").find(none));
    EXPECT_EQ(0u, refusal("ada", std::string(1 << 20, '[')).find(none));
    std::string large = refusal("ada", workspace(std::string(kMostHandInBytes, 'x')));
    EXPECT_EQ(0u, large.find("this workspace has 8")) << large;
    EXPECT_NE(std::string::npos, large.find("and a hand-in may have 8")) << large;
    EXPECT_EQ(workspace("good"), read_file(box_.folder() / "ada.lanewise"));
    EXPECT_FALSE(fs::exists(box_.folder() / ".earlier"));
}

TEST_F(HandInBoxTest, NamesStayInside) {
    for (const char* name : {"../ada", "/etc/x", "", ".", "a/b", "ada.1", ".earlier"})
        EXPECT_NE("", refusal(name, workspace("x"))) << name;
    EXPECT_FALSE(fs::exists(root_));
    write_file(root_ / "secret", "x");
    fs::create_directories(box_.folder());
    fs::create_symlink(root_ / "secret", box_.folder() / "eve.lanewise");
    EXPECT_FALSE(box_.of("eve", ""));
    EXPECT_FALSE(box_.of("../secret", ""));
}

}  // namespace lanewise
