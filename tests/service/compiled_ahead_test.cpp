#include "service/compiled_ahead.h"

#include <gtest/gtest.h>

#include <future>
#include <nlohmann/json.hpp>
#include <thread>

#include "base/error.h"
#include "compile/compiler.h"
#include "lab/json/json.h"
#include "patience.h"

namespace lanewise {

using namespace std::chrono_literals;

namespace {

// A compiler that works until it is told to end. Whoever owns a copy keeps the gate.
struct SlowCompiler {
    std::shared_ptr<std::promise<void>> end = std::make_shared<std::promise<void>>();
    std::shared_future<void> gate = end->get_future().share();
    std::shared_ptr<std::atomic<int>> begun = std::make_shared<std::atomic<int>>(0),
                                      ended = std::make_shared<std::atomic<int>>(0);
    void operator()(Job&) const {
        ++*begun;
        gate.wait();
        ++*ended;
    }
};

constexpr auto kLong = std::chrono::milliseconds(static_cast<int>(1000 * kPatience));

}  // namespace

TEST(CompiledAhead, WhatIsCancelledDoesNotWaitForTheCompiler) {
    SlowCompiler compiler;
    CancelFlag cancel = false;
    {
        CompiledAhead ahead(std::vector<Job>(2), compiler);
        std::jthread user([&cancel] {
            std::this_thread::sleep_for(50ms);
            cancel = true;
        });
        EXPECT_THROW(ahead.wait(&cancel), Cancelled);
        EXPECT_FALSE(*ahead.failed());
    }  // would hang here, if it waited
    EXPECT_EQ(0, *compiler.ended);
    EXPECT_FALSE(have_left_compilers_ended(10ms));
    compiler.end->set_value();  // what it makes is for the next that asks
    EXPECT_TRUE(have_left_compilers_ended(kLong));
    EXPECT_EQ(2, *compiler.ended);
}

TEST(CompiledAhead, WhoWaitsFindsAllCompiled) {
    SlowCompiler compiler;
    CompiledAhead ahead(std::vector<Job>(3), compiler);
    compiler.end->set_value();
    ahead.wait(nullptr);
    EXPECT_EQ(3, *compiler.ended);
    ahead.wait(nullptr);  // once more is nothing
    CompiledAhead({}, compiler).wait(nullptr);
    EXPECT_TRUE(have_left_compilers_ended(0ms));
}

TEST(CompiledAhead, AMistakeIsToldAndAnythingElseIsTheWorkers) {
    CompiledAhead wrong(std::vector<Job>(2), [](Job&) { throw CompileError("line 3", {}); });
    try {
        wrong.wait(nullptr);
        FAIL() << "it compiles";
    } catch (const CompileError& error) {
        EXPECT_STREQ("line 3", error.what());
    }
    EXPECT_TRUE(*wrong.failed());

    CompiledAhead broken(std::vector<Job>(1),
                         [](Job&) { throw Error(Status::bad_input, "no disk"); });
    broken.wait(nullptr);
    EXPECT_FALSE(*broken.failed());
}

// A picture that nobody wants any more, of a kernel that takes long to compile.
TEST(CompiledAhead, ACancelledPictureEndsBesideTheCompiler) {
    SlowCompiler compiler;
    int pictures = 0, pings = 0;
    Service service;
    service.methods = {{"picture", LaneKind::pictures, true, 0,
                        [&](const nlohmann::json&, JobContext&) {
                            ++pictures;
                            return nlohmann::json::object();
                        }},
                       {"ping", LaneKind::pictures, false, 0,
                        [&](const nlohmann::json&, JobContext&) {
                            ++pings;
                            return nlohmann::json::object();
                        }}};
    compile_apart(service, compiler);
    CancelFlag cancel = true;
    JobContext context{cancel, {}};
    const nlohmann::json params = {{"job", Job{}}};
    EXPECT_THROW(service.methods[0].work(params, context), Cancelled);
    EXPECT_EQ(0, pictures);
    while (*compiler.begun == 0) std::this_thread::yield();
    // The next one, of who types fast, waits for that compiler and starts none beside it.
    EXPECT_THROW(service.methods[0].work(params, context), Cancelled);
    EXPECT_EQ(1, *compiler.begun);
    service.methods[1].work(params, context);  // compiles nothing
    EXPECT_EQ(1, pings);
    cancel = false;
    compiler.end->set_value();
    service.methods[0].work(params, context);
    EXPECT_EQ(1, pictures);
    EXPECT_TRUE(have_left_compilers_ended(kLong));
    EXPECT_EQ(2, *compiler.ended);
}

}  // namespace lanewise
