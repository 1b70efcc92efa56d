// The engine's side of a worker, against one that does what no kernel should: whatever it is, the
// next request is answered at once and no process is left.
#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <fstream>
#include <thread>

#include "patience.h"
#include "service/gpu_worker.h"
#include "service/process.h"

namespace lanewise {

using Json = nlohmann::json;

namespace {

// Sets a flag a little later.
class Later {
  public:
    explicit Later(int milliseconds)
        : thread_([this, milliseconds] {
              std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
              flag_ = true;
          }) {}
    ~Later() { thread_.join(); }
    const CancelFlag* flag() const { return &flag_; }

  private:
    CancelFlag flag_ = false;
    std::thread thread_;
};

class FakeWorker : public testing::Test {
  protected:
    explicit FakeWorker(double silence_limit_s = kPatience)
        : worker_({PROGRAMS "/fake_worker"}, true, silence_limit_s) {}

    Json call(const std::string& method, const CancelFlag* cancel = nullptr) {
        return worker_.call(method, {{"rows", 3}}, {}, cancel).result;
    }
    // The next request is answered.
    void expect_back() { EXPECT_EQ(Json({{"rows", 3}}), call("echo")); }
    void expect_lost(const std::string& method, const std::string& part) {
        try {
            call(method);
            ADD_FAILURE() << method << " was answered";
        } catch (const WorkerLost& lost) {
            EXPECT_NE(std::string::npos, std::string(lost.what()).find(part)) << lost.what();
        }
    }
    // Soon only the worker and its spare are there.
    void expect_no_others() {
        for (auto start = Clock::now(); children().size() > 2 && seconds_since(start) < kPatience;)
            std::this_thread::sleep_for(std::chrono::milliseconds(10));
        EXPECT_EQ(2u, children().size());
    }

    GpuWorker worker_;
};

// As long as a worker takes at most to start.
class SilentWorker : public FakeWorker {
  protected:
    SilentWorker() : FakeWorker(3) {}
};

}  // namespace

TEST_F(FakeWorker, AFloodOfTextIsDrainedUntilItIsCancelled) {
    Later cancel(200);
    EXPECT_THROW(call("flood", cancel.flag()), Cancelled);
    expect_back();
    expect_no_others();
}

TEST_F(FakeWorker, WhatGoesOnPrintingDoesNotKeepTheNextAnswerBack) {
    for (int i = 0; i < 3; ++i) {
        EXPECT_EQ(Json({{"rows", 3}}), call("flood_beside"));
        std::this_thread::sleep_for(std::chrono::milliseconds(50));  // the pipe fills meanwhile
        expect_back();
    }
}

TEST_F(SilentWorker, IsGivenUp) {
    expect_lost("stop", "showed no sign of life");
    expect_back();
    expect_no_others();
}

TEST_F(FakeWorker, ItsEndIsNoticedThoughAnotherProcessHoldsItsChannel) {
    auto start = Clock::now();
    expect_lost("leave_a_process", "exit status 3");
    EXPECT_LT(seconds_since(start), 100);  // the other ends after two minutes
    expect_back();
    expect_no_others();
}

TEST_F(FakeWorker, TheLastOfManyWordsIsKept) {
    expect_lost("end_with_words", "....and this is the end");
    expect_back();
}

TEST_F(FakeWorker, CancelWorksWhereverTheWorkerIs) {
    for (const char* method : {"stop", "flood"}) {
        auto start = Clock::now();
        Later cancel(100);
        EXPECT_THROW(call(method, cancel.flag()), Cancelled) << method;
        EXPECT_LT(seconds_since(start), kPatience / 2) << method;  // it is given up after that
        expect_back();
    }
}

// The thread that first asks for a worker ends before the next one asks.
TEST_F(FakeWorker, ItOutlivesTheThreadThatStartedIt) {
    std::thread([this] { expect_back(); }).join();
    int first = worker_.process_id();
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    expect_back();
    EXPECT_EQ(first, worker_.process_id());
}

TEST(WorkerOfAnEngine, EndsWithItHoweverThatEnds) {
    ChildProcess engine({PROGRAMS "/fake_worker", "engine"});
    std::string said;
    for (auto start = Clock::now();
         said.find('\n') == said.npos && seconds_since(start) < kPatience;) {
        char bytes[16];
        ssize_t count = ::read(engine.output.get(), bytes, sizeof bytes);
        if (count > 0) said.append(bytes, static_cast<size_t>(count));
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    int worker = std::atoi(said.c_str());
    ASSERT_GT(worker, 0);
    auto state = [&] {  // 'Z' where nobody has reaped it yet, 'X' where it is gone
        std::ifstream file("/proc/" + std::to_string(worker) + "/stat");
        std::string text((std::istreambuf_iterator<char>(file)), {});
        return text.empty() ? 'X' : text[text.rfind(')') + 2];
    };
    auto becomes = [&](const std::string& wanted) {
        auto start = Clock::now();
        while (wanted.find(state()) == wanted.npos && seconds_since(start) < kPatience)
            std::this_thread::sleep_for(std::chrono::milliseconds(5));
        return wanted.find(state()) != wanted.npos;
    };
    ASSERT_TRUE(becomes("T"));     // stopped: deaf to all but SIGKILL
    ::kill(engine.id(), SIGKILL);  // the engine alone, not its group
    EXPECT_TRUE(becomes("XZ"));
}

}  // namespace lanewise
