// What passes between a browser and its engine.
#include "hub/engine_session.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "base/error.h"
#include "hub/board.h"
#include "service/protocol.h"

namespace lanewise {

using Json = nlohmann::json;

namespace {

std::string request(uint64_t id, const std::string& method = "picture") {
    return encode({{"type", "request"},
                   {"id", id},
                   {"method", method},
                   {"params", {{"job", {{"stage", {{"id", "transpose/10_naive"}}}}}}}});
}
Json message_of(const std::string& frame) {
    Decoder decoder;
    decoder.feed(frame);
    return decoder.next().value();
}
ClassLimits limits(int64_t open) {
    ClassLimits result;
    result.open_requests = open;
    return result;
}

}  // namespace

TEST(EngineSession, RequestsPassAndAreOpenUntilTheirAnswer) {
    EngineSession session({}, 0);
    EXPECT_TRUE(session.take(request(1), 0).passes);
    EXPECT_EQ("picture", session.open().at(1).method);
    EXPECT_EQ("transpose/10_naive", session.stage());
    session.heard(
        encode({{"type", "progress"}, {"id", 1}, {"fraction", 0}, {"what", "waiting for the GPU"}}),
        1);
    EXPECT_TRUE(session.next_for_browser());
    EXPECT_EQ("waiting for the GPU", session.open().at(1).what);
    session.heard(encode({{"type", "result"}, {"id", 1}, {"result", {}}}), 1);
    EXPECT_TRUE(session.next_for_browser());
    EXPECT_TRUE(session.open().empty());
    EXPECT_FALSE(session.next_for_browser());
}

TEST(EngineSession, BeatsStayWhereTheyAre) {
    EngineSession session({}, 0);
    EngineSession::Taken taken = session.take(encode({{"type", "beat"}}), 0);
    EXPECT_FALSE(taken.passes);
    EXPECT_EQ("", taken.broken);
    session.heard(beat_frame() + encode({{"type", "status"}, {"gpu", nullptr}}), 0);
    EXPECT_EQ("status", message_of(session.next_for_browser().value())["type"]);
}

TEST(EngineSession, MoreThanTheOpenRequestsAreRefusedWithASentence) {
    EngineSession session(limits(2), 0);
    EXPECT_TRUE(session.take(request(1), 0).passes);
    EXPECT_TRUE(session.take(request(2), 0).passes);
    EngineSession::Taken third = session.take(request(3), 0);
    EXPECT_FALSE(third.passes);
    Json reply = message_of(third.reply);
    EXPECT_EQ(3, reply["id"]);
    EXPECT_EQ("2 requests wait for an answer already: wait for one, or cancel it",
              reply["message"]);
    EXPECT_EQ(false, reply["last"]);
    session.heard(encode({{"type", "error"}, {"id", 1}, {"status", 0}, {"message", "superseded"}}),
                  0);
    session.next_for_browser();
    EXPECT_TRUE(session.take(request(4), 0).passes);
}

TEST(EngineSession, WhatNoBrowserSendsEndsTheConnection) {
    for (const std::string& wrong :
         {std::string(), std::string("GET / HTTP/1.1"), std::string(100, '\0'),
          encode({{"type", "result"}, {"id", 1}, {"result", {}}}), encode({{"type", "hello"}}),
          encode({{"type", "request"}, {"id", 1}}),
          encode({{"type", "request"}, {"method", "ping"}}), encode({{"type", "cancel"}}),
          request(1) + request(2)})
        EXPECT_NE("", EngineSession({}, 0).take(wrong, 0).broken);
    EngineSession session({}, 0);
    session.take(request(1), 0);
    EXPECT_EQ("two requests have one number", session.take(request(1), 0).broken);
    EXPECT_FALSE(
        session.take(encode({{"type", "cancel"}, {"id", 9}}), 0).passes);  // of none that is open
    EXPECT_TRUE(session.take(encode({{"type", "cancel"}, {"id", 1}}), 0).passes);
}

TEST(EngineSession, WhatIsSaidToTheClassIsNotTheEngines) {
    EngineSession session({}, 0);
    auto taken = session.take(
        encode({{"type", "class"}, {"do", "hand_in"}, {"workspace", std::string(100'000, 'x')}}),
        0);
    EXPECT_TRUE(taken.for_class);
    EXPECT_FALSE(taken.passes);
    EXPECT_EQ("", taken.broken);
    // A small frame that describes a large thing is not built.
    Json many = Json::array();
    for (int i = 0; i < 100; ++i) many.push_back(0);
    taken = session.take(encode({{"type", "class"}, {"do", "ask"}, {"choices", many}}), 0);
    EXPECT_FALSE(taken.for_class);
    EXPECT_NE("", taken.broken);
}

TEST(EngineSession, FloodsWait) {
    ClassLimits few;
    few.messages_per_second = 10;
    few.kilobytes_per_second = 64;
    few.open_requests = 1000;
    EngineSession many(few, 0);
    for (uint64_t i = 1; i <= 50; ++i) EXPECT_EQ(0, many.take(request(i), 0).wait_s) << i;
    EXPECT_DOUBLE_EQ(0.1, many.take(request(51), 0).wait_s);
    EngineSession large(few, 0);
    std::string megabyte = encode(
        {{"type", "request"}, {"id", 1}, {"method", "x"}, {"params", std::string(1 << 20, 'x')}});
    EXPECT_NEAR((1 << 20) / 65536.0 - 5, large.take(megabyte, 0).wait_s, 0.01);
}

TEST(EngineSession, AnEngineThatSendsNoFramesIsAtFault) {
    EngineSession session({}, 0);
    session.heard("this is no frame", 0);
    EXPECT_THROW(session.next_for_browser(), Error);
    EngineSession damaged({}, 0);
    damaged.heard(std::string("\1\0\0\0\1", 5), 0);
    EXPECT_THROW(damaged.next_for_browser(), Error);
}

TEST(EngineSession, EndsWithASentenceOverALimit) {
    ProcessUse use;
    use.resident_bytes = uint64_t{5} << 30;
    EXPECT_EQ(
        "your engine had 5 GiB of memory, and a student may have 4 GiB: choose fewer rows or "
        "columns",
        EngineSession({}, 0).look_at(use, 1));
    use = {};
    use.cpu_s = 7201;
    EXPECT_EQ(0u, EngineSession({}, 0).look_at(use, 1).find(
                      "your engine has used 7201 seconds of a processor"));
    use.cpu_s = 61;
    EngineSession heavy({}, 0);
    EXPECT_EQ("", heavy.look_at(use, 1));
    EXPECT_DOUBLE_EQ(61, heavy.newly_used_s());
    heavy.give_way(0);
    EXPECT_FALSE(heavy.gives_way());
    heavy.give_way(10);
    EXPECT_TRUE(heavy.gives_way());
    use.cpu_s = 5;  // a worker that used the rest has gone
    heavy.look_at(use, 1);
    EXPECT_DOUBLE_EQ(61, heavy.use().cpu_s);
    EXPECT_DOUBLE_EQ(0, heavy.newly_used_s());
    heavy.give_way(0);
    EXPECT_FALSE(heavy.gives_way());
    EXPECT_EQ("", EngineSession({}, 0).look_at({}, 89));
    EXPECT_EQ("your engine showed no sign of life", EngineSession({}, 0).look_at({}, 91));
}

TEST(EngineSession, AQueueBeforeTheEngineIsWaitedForUntilItGreets) {
    EngineSession session({}, 0);
    session.wait_for_start();
    EXPECT_EQ("", session.look_at({}, 3600));
    EXPECT_FALSE(session.has_greeted());
    session.heard(encode({{"type", "hello"}, {"program", "lanewise-engine"}}), 4000);
    EXPECT_TRUE(session.next_for_browser());
    EXPECT_TRUE(session.has_greeted());
    EXPECT_EQ("", session.look_at({}, 4089));
    EXPECT_EQ("your engine showed no sign of life", session.look_at({}, 4091));
}

TEST(EngineSession, FarewellsAnswerWhatIsOpen) {
    EngineSession session({}, 0);
    session.take(request(4), 0);
    auto frames = session.farewells("it had to be ended");
    ASSERT_EQ(1u, frames.size());
    Json last = message_of(frames[0]);
    EXPECT_EQ(4, last["id"]);
    EXPECT_EQ(true, last["last"]);
    EXPECT_EQ("it had to be ended", last["message"]);
}

TEST(Board, ShowsWhoIsThereAndNothingThatAStudentWrites) {
    EngineSession session({}, 10);
    session.take(encode({{"type", "request"},
                         {"id", 1},
                         {"method", "<script>"},
                         {"params", {{"job", {{"stage", {{"id", "<b>&\"x"}}}}}}}}),
                 10);
    Board board{"GPUs <2026>", {board_row("ada", session, 75)}, 120};
    std::string page = board_html(board);
    EXPECT_NE(std::string::npos,
              page.find("<h1>GPUs &lt;2026&gt;</h1><p id=\"count\">1 of 120 connections.</p>"));
    EXPECT_NE(std::string::npos, page.find("<td>ada</td><td>&lt;b&gt;&amp;&quot;x</"
                                           "td><td>&lt;script&gt;</td><td class=n>1:05</td>"));
    size_t script = page.find("<script");  // the board's own, and no other
    EXPECT_EQ(script, page.find("<script src=\"board.js\"></script>"));
    EXPECT_EQ(std::string::npos, page.find("<script", script + 1));
    Json json = Json::parse(board_json(board));
    EXPECT_EQ(1, json["connections"]);
    EXPECT_EQ(Json::array({"<script>"}), json["students"][0]["jobs"]);
    EXPECT_EQ(65, json["students"][0]["connected_s"]);
}

}  // namespace lanewise
