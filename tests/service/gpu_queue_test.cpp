// Places in the queue for a GPU; several files opened by one process stand for several engines.
#include "service/gpu_queue.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <mutex>
#include <thread>

namespace lanewise {

namespace fs = std::filesystem;

class GpuQueueTest : public testing::Test {
  protected:
    fs::path folder_ = fs::temp_directory_path() / ("lanewise-queue-" + std::to_string(::getpid()));
    ~GpuQueueTest() override { fs::remove_all(folder_); }
};

TEST_F(GpuQueueTest, PlacesAreInOrderOfArrival) {
    auto first = std::make_unique<GpuQueue>(folder_, "GPU-a");
    GpuQueue second(folder_, "GPU-a"), third(folder_, "GPU-a"), other(folder_, "GPU-b");
    EXPECT_EQ("", first->problem());
    EXPECT_EQ(0, first->before());
    EXPECT_EQ(1, second.before());
    EXPECT_EQ(2, third.before());
    EXPECT_EQ(0, other.before());  // each GPU has a queue of its own
    first.reset();
    EXPECT_EQ(0, second.before());
    EXPECT_EQ(1, third.before());
}

TEST_F(GpuQueueTest, WaitingTellsThePlaceAndEndsWithTheTurn) {
    auto first = std::make_unique<GpuQueue>(folder_, "GPU-a");
    GpuQueue second(folder_, "GPU-a");
    std::vector<std::string> told;
    second.wait(
        [&](double, const std::string& what) {
            told.push_back(what);
            first.reset();  // it leaves as soon as that is said
        },
        nullptr);
    EXPECT_EQ((std::vector<std::string>{"waiting for the GPU: 1 measurement before this one",
                                        "starting on the GPU"}),
              told);
    GpuQueue third(folder_, "GPU-a");
    CancelFlag cancel = true;
    EXPECT_THROW(third.wait({}, &cancel), Cancelled);
}

TEST_F(GpuQueueTest, AKilledEngineLeavesTheQueue) {
    int ready[2];
    ASSERT_EQ(0, ::pipe(ready));
    pid_t child = ::fork();
    if (child == 0) {
        GpuQueue queue(folder_, "GPU-a");
        ::write(ready[1], "x", 1) == 1 ? ::pause() : 0;
        ::_exit(0);
    }
    char byte;
    ASSERT_EQ(1, ::read(ready[0], &byte, 1));
    GpuQueue mine(folder_, "GPU-a");
    EXPECT_EQ(1, mine.before());
    ::kill(child, SIGKILL);
    ::waitpid(child, nullptr, 0);
    EXPECT_EQ(0, mine.before());
}

// Ada asks from two engines before Bert asks from his one; he comes between them.
TEST_F(GpuQueueTest, TurnsGoRoundStudentsHoweverManyEnginesOneHas) {
    std::mutex writing;
    std::vector<std::string> order;
    std::atomic<int> waiting = 0;
    auto asks = [&](const std::string& student, const std::string& name) {
        return std::thread([&, student, name] {
            GpuTurn turn(
                folder_ / student, folder_ / "all", "GPU-a",
                [&](double, const std::string&) { ++waiting; }, nullptr);
            std::lock_guard lock(writing);
            order.push_back(name);
        });
    };
    fs::create_directories(folder_);
    auto first =
        std::make_unique<GpuTurn>(folder_ / "ada", folder_ / "all", "GPU-a", Progress{}, nullptr);
    std::thread second = asks("ada", "ada again");
    while (waiting < 1) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    std::thread bert = asks("bert", "bert");
    while (waiting < 2) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    first.reset();
    second.join();
    bert.join();
    EXPECT_EQ((std::vector<std::string>{"bert", "ada again"}), order);
}

TEST_F(GpuQueueTest, EveryUserMayJoin) {
    ::umask(077);
    GpuQueue queue(folder_, "GPU-a");
    struct stat folder = {}, file = {};
    ASSERT_EQ(0, ::stat(folder_.c_str(), &folder));
    ASSERT_EQ(0, ::stat((folder_ / "GPU-a.queue").c_str(), &file));
    EXPECT_EQ(01777u, folder.st_mode & 07777);
    EXPECT_EQ(0666u, file.st_mode & 07777);
}

TEST_F(GpuQueueTest, WithoutAFolderNobodyWaits) {
    GpuQueue queue("/proc/nowhere", "GPU-a");
    EXPECT_EQ(0u, queue.problem().find("no queue for the GPU: /proc/nowhere/GPU-a.queue: "));
    EXPECT_EQ(0, queue.before());
}

}  // namespace lanewise
