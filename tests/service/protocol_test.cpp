#include "service/protocol.h"

#include <gtest/gtest.h>

#include "base/error.h"

namespace lanewise {

using Json = nlohmann::json;

static std::string frame_of(std::string_view body) {
    size_t length = body.size();
    std::string frame;
    for (int i = 0; i < 4; ++i) frame += static_cast<char>(length >> (8 * i) & 0xff);
    return frame.append(body);
}

TEST(Protocol, AFrameIsALengthAndCbor) {
    // {"type": "x"}: a map of one pair, a text of four bytes, a text of one (RFC 8949).
    EXPECT_EQ(std::string("\x08\0\0\0\xa1\x64type\x61x", 12), encode({{"type", "x"}}));
}

TEST(Protocol, MessagesComeBackWhateverThePortions) {
    Json first = {{"type", "request"}, {"id", 7}, {"params", {1, 2.5, "three", nullptr, true}}};
    Json second = {{"type", "result"}, {"blob", Json::binary({0, 255, 10})}};
    std::string stream = encode(first) + encode(second);
    for (size_t portion = 1; portion <= stream.size(); ++portion) {
        Decoder decoder;
        std::vector<Json> messages;
        for (size_t at = 0; at < stream.size(); at += portion) {
            decoder.feed(std::string_view(stream).substr(at, portion));
            while (auto message = decoder.next()) messages.push_back(*message);
        }
        ASSERT_EQ(2u, messages.size()) << portion;
        EXPECT_EQ(first, messages[0]);
        EXPECT_EQ(second, messages[1]);
        EXPECT_FALSE(decoder.in_the_middle());
    }
}

TEST(Protocol, EveryTruncationWaitsForMore) {
    std::string frame = encode({{"type", "result"}, {"id", 1}, {"result", {{"rows", 4096}}}});
    for (size_t length = 0; length < frame.size(); ++length) {
        Decoder decoder;
        decoder.feed(std::string_view(frame).substr(0, length));
        EXPECT_FALSE(decoder.next()) << length;
        EXPECT_EQ(length > 0, decoder.in_the_middle());
    }
}

TEST(Protocol, EveryTruncationOfABodyIsRefused) {
    std::string frame = encode({{"type", "result"}, {"list", {1, 2, 3}}, {"text", "abc"}});
    std::string body = frame.substr(4);
    for (size_t length = 0; length < body.size(); ++length) {
        Decoder decoder;
        decoder.feed(frame_of(body.substr(0, length)));
        EXPECT_THROW(decoder.next(), Error) << length;
    }
}

TEST(Protocol, OversizedLengthsAreRefusedAtOnce) {
    Decoder decoder;
    decoder.feed(std::string_view("\x01\x00\x00\x10", 4));  // 256 MiB + 1
    EXPECT_THROW(decoder.next(), Error);
}

TEST(Protocol, WhatIsNotAMessageIsRefused) {
    std::string deep(100'000, '\x81');  // an array of an array of an array …
    std::string endless(100'000, '\x9f');
    for (const std::string& body :
         {std::string(), std::string("garbage"), std::string("\xff\xff"), std::string("\x01"),
          std::string("\x80"), std::string("\xa0"), std::string("\xa1\x64type\x01"),
          std::string("\x9b\x7f\xff\xff\xff\xff\xff\xff\xff", 9), deep + '\1', endless}) {
        Decoder decoder;
        decoder.feed(frame_of(body));
        EXPECT_THROW(decoder.next(), Error) << body.substr(0, 20);
    }
}

TEST(Protocol, NestingAsDeepAsOursPasses) {
    Json value = 1;
    for (int i = 0; i < 20; ++i) value = Json::array({value, {{"a", 1}}});
    Decoder decoder;
    decoder.feed(encode({{"type", "x"}, {"value", value}}));
    EXPECT_EQ(value, (*decoder.next())["value"]);
}

}  // namespace lanewise
