#include "service/gpu_pace.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>

#include "base/files.h"
#include "lab/job/job.h"

namespace lanewise {

namespace fs = std::filesystem;

class GpuPaceTest : public testing::Test {
  protected:
    fs::path folder_ = fs::temp_directory_path() / ("lanewise-pace-" + std::to_string(::getpid()));
    fs::path file_ = folder_ / "GPU-a.pace";
    GpuPaceTest() { fs::create_directories(folder_); }
    ~GpuPaceTest() override { fs::remove_all(folder_); }
};

TEST_F(GpuPaceTest, ALongTurnCostsTwiceItsTimeWhereOthersWaited) {
    EXPECT_EQ(0, GpuPace::rest_s({1.9, false, true}, 0));
    EXPECT_EQ(6, GpuPace::rest_s({3, false, true}, 0));
    EXPECT_EQ(0, GpuPace::rest_s({100, false, false}, 0));  // nobody minded
    EXPECT_EQ(240, GpuPace::rest_s({120, false, true}, 0));
    EXPECT_EQ(300, GpuPace::rest_s({1000, false, true}, 0));
}

TEST_F(GpuPaceTest, EachKernelThatDoesNotEndDoublesTheRest) {
    EXPECT_EQ(10, GpuPace::rest_s({5, true, false}, 0));
    EXPECT_EQ(20, GpuPace::rest_s({5, true, true}, 1));
    EXPECT_EQ(160, GpuPace::rest_s({5, true, false}, 4));
    EXPECT_EQ(300, GpuPace::rest_s({5, true, false}, 5));
    EXPECT_EQ(300, GpuPace::rest_s({5, true, false}, 1'000'000));

    GpuPace pace(file_);
    pace.begin();
    pace.end({5, true, false});
    EXPECT_NEAR(10, GpuPace(file_).left_s(), 5);  // also for an engine that starts now
    pace.begin();
    pace.end({5, true, false});
    EXPECT_NEAR(20, pace.left_s(), 5);
    pace.begin();
    pace.end({0.1, false, true});  // one that ends sets the count back
    EXPECT_EQ(0, pace.left_s());
    pace.begin();
    pace.end({5, true, false});
    EXPECT_NEAR(10, pace.left_s(), 5);
}

// Who closes the page on an endless kernel takes the engine along, which then says nothing any more.
TEST_F(GpuPaceTest, ATurnThatNobodyEndsCountsAsGivenUp) {
    GpuPace(file_).begin();
    EXPECT_NEAR(5 + 10, GpuPace(file_).left_s(), 5);
    GpuPace(file_).begin();
    EXPECT_NEAR(5 + 20, GpuPace(file_).left_s(), 5);
    GpuPace ends(file_);
    ends.begin();
    ends.end({0.3, false, false});
    EXPECT_EQ(0, GpuPace(file_).left_s());
}

TEST_F(GpuPaceTest, AShortTurnIsFollowedByNoRestAtAll) {
    GpuPace pace(file_);
    for (int turn = 0; turn < 200; ++turn) {  // a time that is rounded up would be left for some
        pace.begin();
        pace.end({0.3, false, true});
        ASSERT_EQ(0, pace.left_s());
    }
}

TEST_F(GpuPaceTest, TheRestIsWaitedForAndTold) {
    GpuPace pace(file_);
    pace.wait({}, nullptr);  // no file yet
    pace.end({0.3, true, true});
    double told_at = 0;
    std::string told;
    auto hear = [&](double, const std::string& what) {
        told = what;
        told_at = pace.left_s();
    };
    pace.wait(hear, nullptr);
    EXPECT_EQ("your last turn kept the GPU for long: the next one comes in 1 s", told);
    EXPECT_GT(told_at, 0);
    EXPECT_EQ(0, pace.left_s());
    pace.end({50, true, true});
    CancelFlag cancelled = true;
    EXPECT_THROW(pace.wait({}, &cancelled), Cancelled);
    EXPECT_THROW(pace.wait({}, nullptr, &cancelled), Cancelled);
}

TEST_F(GpuPaceTest, WithoutAFileThereIsNoRest) {
    write_file(file_, "never");
    EXPECT_EQ(0, GpuPace(file_).left_s());
    write_file(file_, "99999999999999 3");  // a clock that was put back by years
    EXPECT_EQ(0, GpuPace(file_).left_s());
    GpuPace nowhere(file_ / "below a file");
    nowhere.end({100, true, true});
    EXPECT_EQ(0, nowhere.left_s());
}

}  // namespace lanewise
