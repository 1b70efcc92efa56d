// Frames are looked at without being taken apart, whatever is in them.
#include "hub/frames.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "base/error.h"
#include "service/protocol.h"

namespace lanewise {

using Json = nlohmann::json;

namespace {

std::string framed(const std::string& body) {
    std::string frame(4, '\0');
    for (size_t i = 0; i < 4; ++i) frame[i] = static_cast<char>(body.size() >> (8 * i) & 0xff);
    return frame + body;
}

}  // namespace

TEST(Frames, ARequestSaysWhatIsAskedForAndOfWhichStage) {
    auto seen = glance_at(encode(
        {{"type", "request"},
         {"id", 300},
         {"method", "picture"},
         {"params",
          {{"block", 0},
           {"job",
            {{"knobs", {{"PAD", 1}}},
             {"stage", {{"id", "transpose/30_padded"}, {"source", std::string(5000, 'x')}}}}}}}}));
    ASSERT_TRUE(seen);
    EXPECT_EQ("request", seen->type);
    EXPECT_EQ(300u, seen->id);
    EXPECT_EQ("picture", seen->method);
    EXPECT_EQ("transpose/30_padded", seen->stage);
}

TEST(Frames, AnswersAndOthers) {
    auto result = glance_at(encode(
        {{"type", "result"},
         {"id", 7},
         {"result", {{"type", "error"}, {"id", 8}, {"list", {1, -2, 2.5, nullptr, true, "x"}}}}}));
    ASSERT_TRUE(result);
    EXPECT_EQ("result", result->type);
    EXPECT_EQ(7u, result->id);
    auto error = glance_at(encode({{"type", "error"},
                                   {"id", 7},
                                   {"status", 0},
                                   {"message", "m"},
                                   {"details", nullptr},
                                   {"last", true}}));
    ASSERT_TRUE(error);
    EXPECT_TRUE(error->last);
    auto beat = glance_at(encode({{"type", "beat"}}));
    ASSERT_TRUE(beat);
    EXPECT_FALSE(beat->id);
    auto progress =
        glance_at(encode({{"type", "progress"}, {"id", 1}, {"fraction", 0.5}, {"what", "timing"}}));
    ASSERT_TRUE(progress);
    EXPECT_EQ("timing", progress->what);
    // Parameters that are no map, or hold something else, are the engine's to refuse.
    EXPECT_TRUE(
        glance_at(encode({{"type", "request"}, {"id", 1}, {"method", "x"}, {"params", {1, 2}}})));
    EXPECT_TRUE(glance_at(
        encode({{"type", "request"}, {"id", 1}, {"method", "x"}, {"params", {{"job", 5}}}})));
}

TEST(Frames, WhatIsDamagedIsNone) {
    std::string good = encode({{"type", "beat"}});
    EXPECT_TRUE(glance_at(good));
    EXPECT_FALSE(glance_at(good.substr(0, good.size() - 1)));
    EXPECT_FALSE(glance_at(good + "x"));
    EXPECT_FALSE(glance_at(framed(good.substr(4) + "\xf6")));  // something behind the map
    EXPECT_FALSE(glance_at(""));
    EXPECT_FALSE(glance_at(framed("")));
    EXPECT_FALSE(glance_at(framed("\xa0")));              // no type
    EXPECT_FALSE(glance_at(framed("\x81\x64type")));      // a list
    EXPECT_FALSE(glance_at(framed("\xa1\x64type\x01")));  // type is a number
    EXPECT_FALSE(
        glance_at(framed("\xbf\x64type\x64"
                         "beat\xff")));  // of indefinite length
    EXPECT_FALSE(
        glance_at(framed("\xa1\x64type\xc0\x64"
                         "beat")));  // a tag
    EXPECT_FALSE(
        glance_at(framed("\xa1\x64type\x7b\xff\xff\xff\xff\xff\xff\xff\xff"
                         "beat")));  // a text without end
    EXPECT_FALSE(
        glance_at(framed("\xbb\xff\xff\xff\xff\xff\xff\xff\xff\x64type\x64"
                         "beat")));  // a map without end
    EXPECT_FALSE(glance_at(encode({{"type", "request"}, {"id", "one"}})));
    EXPECT_FALSE(glance_at(encode({{"type", "request"}, {"id", -1}})));
}

// Each byte of a request changed in each bit: no answer is wrong, but none may break anything.
TEST(Frames, ChangedFramesBreakNothing) {
    std::string good = encode({{"type", "request"},
                               {"id", 3},
                               {"method", "picture"},
                               {"params", {{"job", {{"stage", {{"id", "a"}}}}}}}});
    for (size_t byte = 0; byte < good.size(); ++byte)
        for (int bit = 0; bit < 8; ++bit) {
            std::string bad = good;
            bad[byte] = static_cast<char>(bad[byte] ^ (1 << bit));
            auto seen = glance_at(bad);
            EXPECT_TRUE(!seen || !seen->type.empty());
        }
    for (size_t count = 0; count < good.size(); ++count)
        EXPECT_FALSE(glance_at(good.substr(0, count)));
}

TEST(Frames, DeepNestingIsRefusedAndCostsNoStack) {
    std::string deep =
        "\xa2\x64type\x64"
        "beat\x61x" +
        std::string(1 << 20, '\x81') + "\x01";
    EXPECT_FALSE(glance_at(framed(deep)));
    EXPECT_TRUE(
        glance_at(framed("\xa2\x64type\x64"
                         "beat\x61x" +
                         std::string(20, '\x81') + "\x01")));
    EXPECT_FALSE(
        glance_at(framed("\xa2\x64type\x64"
                         "beat\x61x" +
                         std::string(40, '\x81') + "\x01")));
}

TEST(Frames, AreCutFromAnyPortions) {
    std::string first = encode({{"type", "beat"}}),
                second = encode({{"type", "result"}, {"id", 1}, {"result", {}}});
    FrameCutter cutter(1 << 20);
    std::vector<std::string> got;
    for (char byte : first + second + first.substr(0, 3)) {
        cutter.feed({&byte, 1});
        while (auto frame = cutter.next()) got.push_back(*frame);
    }
    EXPECT_EQ((std::vector<std::string>{first, second}), got);
    EXPECT_TRUE(cutter.in_the_middle());
    FrameCutter small(100);
    small.feed(std::string("\xff\xff\xff\x7f", 4));
    EXPECT_THROW(small.next(), Error);
}

}  // namespace lanewise
