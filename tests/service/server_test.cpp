// The server in this process, over pipes, with the frames written and read by hand.
#include "service/server.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <thread>

#include "compile/compiler.h"
#include "service/protocol.h"

namespace lanewise {

using Json = nlohmann::json;

namespace {

Json count(const Json& params, JobContext& context) {
    for (int i = 0; i < params.at("to"); ++i) {
        if (context.cancel) throw Cancelled{};
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    return params;
}

Json picture(const Json& params, JobContext& context) {
    context.progress(0, "drawing");
    return count(params, context);
}

Json fail_to_compile(const Json&, JobContext&) {
    throw CompileError("30_padded.cu:3:7: error: expected a \";\"",
                       {{true, "30_padded.cu", 3, 7, "expected a \";\""}});
}

Service toy_service() {
    Service service;
    service.methods = {{"count", LaneKind::others, false, 0, count},
                       {"picture", LaneKind::pictures, true, 0, picture},
                       {"check", LaneKind::checks, true, 0, count},
                       {"compile", LaneKind::others, false, 0, fail_to_compile},
                       {"run", LaneKind::others, false, 0, count, true}};
    service.status = [] { return Json{{"gpu", nullptr}, {"problem", "none"}, {"compiler", ""}}; };
    return service;
}

class ServerTest : public testing::Test {
  protected:
    void SetUp() override {
        ASSERT_EQ(0, ::pipe(to_server_));
        ASSERT_EQ(0, ::pipe(from_server_));
        server_ = std::thread([this] {
            exit_status_ =
                serve(to_server_[0], from_server_[1], service_, std::chrono::milliseconds(300));
            ::close(from_server_[1]);
        });
        EXPECT_EQ("hello", receive()["type"]);
        EXPECT_EQ("status", receive()["type"]);
    }
    void TearDown() override {
        close_input();
        server_.join();
        ::close(from_server_[0]);
    }
    void close_input() {
        if (to_server_[1] >= 0) ::close(to_server_[1]);
        to_server_[1] = -1;
    }
    void send_bytes(const std::string& bytes) {
        ASSERT_EQ(ssize_t(bytes.size()), ::write(to_server_[1], bytes.data(), bytes.size()));
    }
    void request(int id, const std::string& method, Json params = Json::object()) {
        send_bytes(encode(
            {{"type", "request"}, {"id", id}, {"method", method}, {"params", std::move(params)}}));
    }
    Json receive() {  // the next message, null at the end
        for (;;) {
            if (auto message = decoder_.next(); message && (*message)["type"] != "beat")
                return *message;
            else if (message)
                continue;
            char bytes[4096];
            ssize_t count = ::read(from_server_[0], bytes, sizeof bytes);
            if (count <= 0) return nullptr;
            decoder_.feed({bytes, size_t(count)});
        }
    }

    Service service_ = toy_service();
    int to_server_[2], from_server_[2];
    std::atomic<int> exit_status_ = -1;
    std::thread server_;
    Decoder decoder_;
};

TEST_F(ServerTest, AnswersInOrderWithinALane) {
    request(5, "count", {{"to", 3}});
    request(6, "count", {{"to", 0}});
    Json first = receive(), second = receive();
    EXPECT_EQ(5, first["id"]);
    EXPECT_EQ("result", first["type"]);
    EXPECT_EQ(Json({{"to", 3}}), first["result"]);
    EXPECT_EQ(6, second["id"]);
}

// Behind two others, one of which runs; the first had nobody before it.
TEST_F(ServerTest, WhatWaitsForItsTurnSaysSoAtOnce) {
    request(1, "run", {{"to", 100'000}});
    request(2, "count", {{"to", 0}});
    request(3, "run", {{"to", 0}});
    const Json place = receive();
    EXPECT_EQ("progress", place["type"]);
    EXPECT_EQ(3, place["id"]);
    EXPECT_EQ(0, place["fraction"]);
    EXPECT_EQ("waiting: 2 requests of yours before this one", place["what"]);
    send_bytes(encode({{"type", "cancel"}, {"id", 1}}));
    EXPECT_EQ(1, receive()["id"]);
    EXPECT_EQ(2, receive()["id"]);
    EXPECT_EQ("result", receive()["type"]);
}

// None waits for a clock: where each did for the tenth of a second that the server's own looks are
// apart, all would take a quarter of an hour.
TEST_F(ServerTest, AnswersTenThousandSmallRequestsWithoutWaiting) {
    constexpr int kRequests = 10'000;
    auto start = std::chrono::steady_clock::now();
    std::thread ask([this] {
        for (int id = 1; id <= kRequests; ++id) request(id, "count", {{"to", 0}});
    });
    for (int id = 1; id <= kRequests; ++id) ASSERT_EQ(id, receive()["id"]);
    ask.join();
    std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
    RecordProperty("requests_per_second", std::to_string(kRequests / took.count()));
    std::printf("%.0f requests per second\n", kRequests / took.count());
    EXPECT_LT(took.count(), 200);  // an idle machine takes less than a second
}

TEST_F(ServerTest, APictureDoesNotWaitForAnotherLane) {
    request(1, "count", {{"to", 100'000}});
    request(2, "picture", {{"to", 0}});
    EXPECT_EQ(2, receive()["id"]);  // its progress
    EXPECT_EQ("result", receive()["type"]);
}

TEST_F(ServerTest, APictureBeginsWhenTheCheckBeforeItIsDone) {
    request(1, "check", {{"to", 100'000}});
    request(2, "picture", {{"to", 0}});
    request(3, "count", {{"to", 300}});  // time enough to begin the picture in
    EXPECT_EQ(3, receive()["id"]);
    send_bytes(encode({{"type", "cancel"}, {"id", 1}}));
    EXPECT_EQ(1, receive()["id"]);
    EXPECT_EQ("progress", receive()["type"]);
    Json answer = receive();
    EXPECT_EQ(2, answer["id"]);
    EXPECT_EQ("result", answer["type"]);
}

TEST_F(ServerTest, APictureThatWaitsForACheckCanBeCancelled) {
    request(1, "check", {{"to", 100'000}});
    request(2, "picture", {{"to", 0}});
    request(3, "count", {{"to", 100}});
    EXPECT_EQ(3, receive()["id"]);
    send_bytes(encode({{"type", "cancel"}, {"id", 2}}));
    Json answer = receive();
    EXPECT_EQ(2, answer["id"]);
    EXPECT_EQ("error", answer["type"]);
    EXPECT_EQ(0, answer["status"]);
    send_bytes(encode({{"type", "cancel"}, {"id", 1}}));
    EXPECT_EQ(1, receive()["id"]);
}

// The other way round nobody waits: what is typed while a picture is made is checked at once.
TEST_F(ServerTest, ACheckDoesNotWaitForThePictureBeforeIt) {
    request(1, "picture", {{"to", 100'000}});
    EXPECT_EQ("progress", receive()["type"]);
    request(2, "check", {{"to", 0}});
    EXPECT_EQ(2, receive()["id"]);
    send_bytes(encode({{"type", "cancel"}, {"id", 1}}));
    EXPECT_EQ(1, receive()["id"]);
}

TEST_F(ServerTest, TheNewestPictureSupersedesThoseThatWait) {
    request(1, "picture", {{"to", 100'000}});
    EXPECT_EQ("progress", receive()["type"]);  // it runs
    request(2, "picture", {{"to", 0}});
    request(3, "picture", {{"to", 0}});
    Json dropped = receive();
    EXPECT_EQ(2, dropped["id"]);
    EXPECT_EQ("error", dropped["type"]);
    EXPECT_EQ("superseded", dropped["message"]);
    EXPECT_EQ(0, dropped["status"]);
    send_bytes(encode({{"type", "cancel"}, {"id", 1}}));
    EXPECT_EQ(1, receive()["id"]);
    EXPECT_EQ("progress", receive()["type"]);
    Json answer = receive();
    EXPECT_EQ(3, answer["id"]);
    EXPECT_EQ("result", answer["type"]);
}

TEST_F(ServerTest, CancelsWhatRunsAndWhatWaits) {
    request(1, "count", {{"to", 100'000}});
    request(2, "count", {{"to", 100'000}});
    send_bytes(encode({{"type", "cancel"}, {"id", 2}}));
    Json answer = receive();
    EXPECT_EQ(2, answer["id"]);
    EXPECT_EQ("cancelled", answer["message"]);
    send_bytes(encode({{"type", "cancel"}, {"id", 1}}));
    answer = receive();
    EXPECT_EQ(1, answer["id"]);
    EXPECT_EQ(0, answer["status"]);
    send_bytes(encode({{"type", "cancel"}, {"id", 99}}));  // nobody's: ignored
    request(3, "count", {{"to", 0}});
    EXPECT_EQ(3, receive()["id"]);
}

TEST_F(ServerTest, CompileErrorsCarryTheirDiagnostics) {
    request(1, "compile");
    Json answer = receive();
    EXPECT_EQ(3, answer["status"]);
    EXPECT_EQ(Json::parse(R"([{"is_error": true, "file": "30_padded.cu", "line": 3, "column": 7,
                               "text": "expected a \";\""}])"),
              answer["details"]["diagnostics"]);
}

TEST_F(ServerTest, RequestsThatMakeNoSenseAreAnswered) {
    request(1, "dance");
    EXPECT_EQ("the engine has no method dance", receive()["message"]);
    request(2, "count", {{"too", 3}});
    Json answer = receive();
    EXPECT_EQ(2, answer["id"]);
    EXPECT_EQ(2, answer["status"]);
    send_bytes(encode({{"type", "request"}, {"id", 3}}));
    EXPECT_EQ(3, receive()["id"]);
    request(4, "count", {{"to", 0}});
    EXPECT_EQ("result", receive()["type"]);
}

TEST_F(ServerTest, ADamagedStreamEndsTheServerWithAnAnswer) {
    send_bytes("GET / HTTP/1.1\r\n\r\n");
    Json answer = receive();
    EXPECT_EQ("error", answer["type"]);
    EXPECT_EQ(0, answer["id"]);
    EXPECT_TRUE(receive().is_null());
    EXPECT_EQ(2, exit_status_);
}

TEST_F(ServerTest, EndsWithItsInputEvenInTheMiddleOfAJob) {
    request(1, "count", {{"to", 100'000}});
    close_input();
    while (!receive().is_null()) {
    }
    EXPECT_EQ(0, exit_status_);
}

TEST_F(ServerTest, AClientThatSentBeatsAndFallsSilentIsGone) {
    request(1, "count", {{"to", 100'000}});
    std::this_thread::sleep_for(std::chrono::milliseconds(500));
    EXPECT_EQ(-1, exit_status_);  // one that never sent any may be silent as long as it likes
    auto start = std::chrono::steady_clock::now();
    send_bytes(encode({{"type", "beat"}}));
    while (!receive().is_null()) {
    }
    server_.join();
    server_ = std::thread([] {});
    EXPECT_EQ(kExitUnheard, exit_status_);
    std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
    EXPECT_GT(took.count(), 0.3);
}

}  // namespace
}  // namespace lanewise
