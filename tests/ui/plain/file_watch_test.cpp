#include "ui/plain/file_watch.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>

#include "base/files.h"

namespace lanewise::ui {
namespace {

namespace fs = std::filesystem;

class Watched : public testing::Test {
  protected:
    void SetUp() override { write_file(file, "one"); }
    void TearDown() override { fs::remove(file); }
    bool changes_within(FileWatch& watch, double seconds) {
        auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
        while (std::chrono::steady_clock::now() < end) {
            if (watch.take_change()) return true;
            std::this_thread::sleep_for(std::chrono::milliseconds(5));
        }
        return false;
    }
    fs::path file =
        fs::path(testing::TempDir()) / ("lanewise-watched-" + std::to_string(::getpid()) + ".cu");
};

TEST_F(Watched, SeesChangesDisappearanceAndReturn) {
    std::atomic<int> woken = 0;
    FileWatch watch([&] { ++woken; }, 0.02);
    watch.follow(file);
    watch.follow(file);
    EXPECT_FALSE(changes_within(watch, 0.2));
    EXPECT_EQ(0, woken);
    write_file(file, "longer");
    EXPECT_TRUE(changes_within(watch, 20));
    EXPECT_EQ(1, woken);
    fs::remove(file);
    EXPECT_TRUE(changes_within(watch, 20));
    write_file(file, "back");
    EXPECT_TRUE(changes_within(watch, 20));
}

TEST_F(Watched, FollowsNothingWhereNothingIsOpen) {
    FileWatch watch({}, 0.02);
    watch.follow(file);
    watch.follow({});
    write_file(file, "longer");
    EXPECT_FALSE(changes_within(watch, 0.2));
}

}  // namespace
}  // namespace lanewise::ui
