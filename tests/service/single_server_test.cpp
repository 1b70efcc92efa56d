// The server without threads: what comes in, and in which order what goes out.
#include "service/single_server.h"

#include <gtest/gtest.h>

#include <vector>

namespace lanewise {
namespace {

using Json = nlohmann::json;

class Single : public testing::Test {
  protected:
    static Service service() {
        Service service;
        auto echo = [](const Json& params, JobContext& context) {
            context.progress(0.5, "half");
            return Json{{"echo", params}};
        };
        auto refuse = [](const Json&, JobContext&) -> Json {
            throw Error(Status::bad_input, "no such thing; try another");
        };
        service.methods = {{"picture", LaneKind::pictures, true, 0, echo},
                           {"check", LaneKind::checks, true, 0, echo},
                           {"analyse", LaneKind::others, false, 0, echo},
                           {"refuse", LaneKind::others, false, 0, refuse}};
        service.status = [] { return Json{{"gpu", nullptr}, {"problem", ""}, {"compiler", ""}}; };
        return service;
    }
    void ask(uint64_t id, const std::string& method) {
        server.take(encode({{"type", "request"}, {"id", id}, {"method", method}, {"params", id}}));
    }
    // "result 2", "error 1: superseded", "progress 2", in the order in which they were sent.
    std::vector<std::string> heard() {
        std::vector<std::string> all;
        while (auto message = decoder.next()) {
            std::string line = message->at("type");
            if (message->contains("id")) line += " " + message->at("id").dump();
            if (message->contains("message"))
                line += ": " + message->at("message").get<std::string>();
            all.push_back(line);
        }
        return all;
    }
    void work_all() {
        while (server.work_one()) {
        }
    }

    Decoder decoder;
    SingleServer server{service(), [this](const std::string& frame) { decoder.feed(frame); }};
};
using Lines = std::vector<std::string>;

TEST_F(Single, GreetsAndThenSaysWhatThereIs) {
    server.greet();
    EXPECT_EQ(heard(), (Lines{"hello", "status"}));
}

TEST_F(Single, PicturesComeBeforeWhatWasAskedEarlier) {
    ask(1, "analyse");
    ask(2, "check");
    ask(3, "picture");
    EXPECT_EQ(heard(), Lines{});
    work_all();
    EXPECT_EQ(heard(), (Lines{"progress 3", "result 3", "progress 2", "result 2", "progress 1",
                              "result 1"}));
}

TEST_F(Single, ANewerPictureDropsTheOlderOneOnly) {
    ask(1, "picture");
    ask(2, "analyse");
    ask(3, "analyse");
    ask(4, "picture");
    EXPECT_EQ(heard(), (Lines{"error 1: superseded"}));
    work_all();
    EXPECT_EQ(heard(), (Lines{"progress 4", "result 4", "progress 2", "result 2", "progress 3",
                              "result 3"}));
}

TEST_F(Single, WhatWaitsCanBeCancelled) {
    ask(1, "analyse");
    server.take(encode({{"type", "cancel"}, {"id", 1}}));
    server.take(encode({{"type", "cancel"}, {"id", 7}}));  // was answered long ago
    EXPECT_EQ(heard(), (Lines{"error 1: cancelled"}));
    EXPECT_FALSE(server.work_one());
}

TEST_F(Single, FaultsAreAnsweredAndTheNextJobIsDone) {
    ask(1, "refuse");
    ask(2, "walkabout");
    server.take(encode({{"type", "request"}, {"id", 3}}));
    ask(4, "analyse");
    work_all();
    Lines lines = heard();
    ASSERT_EQ(lines.size(), 5u);
    EXPECT_EQ(lines[0], "error 2: the engine has no method walkabout");
    EXPECT_EQ(lines[1].substr(0, 33), "error 3: the request makes no sen");
    EXPECT_EQ(lines[2], "error 1: no such thing; try another");
    EXPECT_EQ(lines[4], "result 4");
}

TEST_F(Single, FramesMayComeInPieces) {
    std::string frame =
        encode({{"type", "request"}, {"id", 1}, {"method", "analyse"}, {"params", 1}});
    for (char byte : frame) server.take({&byte, 1});
    work_all();
    EXPECT_EQ(heard(), (Lines{"progress 1", "result 1"}));
}

TEST_F(Single, ADamagedStreamIsSaidToBeOne) {
    EXPECT_THROW(server.take({"\1\0\0\0\xff", 5}), Error);
    Lines lines = heard();
    ASSERT_EQ(lines.size(), 1u);
    EXPECT_EQ(lines[0].substr(0, 9), "error 0: ");
}

}  // namespace
}  // namespace lanewise
