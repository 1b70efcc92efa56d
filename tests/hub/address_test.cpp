// Addresses as people type them.
#include "hub/address.h"

#include <gtest/gtest.h>

#include "refusal.h"

namespace lanewise {

static std::string address_refusal(const std::string& text) {
    return refusal([&] { is_engine_address(text) ? (void)engine_address(text) : (void)listen_address(text); });
}

TEST(Address, WhereAServerListens) {
    EXPECT_EQ("127.0.0.1", listen_address("127.0.0.1:8080").host);
    EXPECT_EQ(8080, listen_address("127.0.0.1:8080").port);
    EXPECT_EQ("127.0.0.1", listen_address("localhost:0").host);
    EXPECT_EQ("::1", listen_address("[::1]:80").host);
    EXPECT_TRUE(listen_address("[::1]:80").is_loopback());
    EXPECT_TRUE(listen_address("127.5.0.1:80").is_loopback());
    EXPECT_FALSE(listen_address("0.0.0.0:80").is_loopback());
    EXPECT_FALSE(listen_address("[::]:80").is_loopback());
    for (const char* wrong : {"", "8080", ":8080", "127.0.0.1", "127.0.0.1:", "127.0.0.1:65536",
                              "127.0.0.1:-1", "127.0.0.1:+1", "127.0.0.1:8x", "::1:80", "[::1]",
                              "[::1]80", "lab:80", "[:80", "127.0.0.1:80/x"})
        EXPECT_NE(std::string::npos, address_refusal(wrong).find("for example 127.0.0.1:8080")) << wrong;
}

TEST(Address, LoopbackIsNotWhatLooksLikeIt) {
    EXPECT_TRUE(is_loopback_ip("::ffff:127.0.0.1"));
    EXPECT_FALSE(is_loopback_ip("::ffff:10.0.0.1"));
    EXPECT_FALSE(is_loopback_ip("127.0.0.1.example.org"));
    EXPECT_FALSE(is_loopback_ip("128.0.0.1"));
}

TEST(Address, WhereAnEngineIs) {
    EngineAddress plain = engine_address("ws://lab.example.org");
    EXPECT_FALSE(plain.is_secure);
    EXPECT_EQ("lab.example.org", plain.host);
    EXPECT_EQ(80, plain.port);
    EXPECT_EQ("/engine", plain.path);
    EXPECT_EQ("lab.example.org", plain.authority());

    EngineAddress whole = engine_address("wss://lab:8443/gpu/engine?a=1&token=ab%2Bc&b=2");
    EXPECT_TRUE(whole.is_secure);
    EXPECT_EQ(8443, whole.port);
    EXPECT_EQ("/gpu/engine?a=1&b=2", whole.path);
    EXPECT_EQ("ab+c", whole.token);
    EXPECT_EQ("lab:8443", whole.authority());

    EngineAddress six = engine_address("ws://[::1]:8080?token=x");
    EXPECT_EQ("::1", six.host);
    EXPECT_EQ("/engine", six.path);
    EXPECT_EQ("[::1]:8080", six.authority());
    EXPECT_EQ(443, engine_address("wss://lab").port);
}

TEST(Address, AWrongEngineAddressSaysWhatIsWrong) {
    EXPECT_NE(std::string::npos,
              address_refusal("ws://").find("names no host; write it as ws://HOST:PORT/engine"));
    EXPECT_NE(std::string::npos, address_refusal("ws://lab:0").find("the port \"0\""));
    EXPECT_NE(std::string::npos, address_refusal("ws://lab:99999/").find("the port \"99999\""));
    EXPECT_NE(std::string::npos, address_refusal("ws://me@lab/").find("a user's name"));
    EXPECT_NE(std::string::npos, address_refusal("ws://lab/a b").find("a character"));
    EXPECT_NE(std::string::npos, address_refusal("ws://lab/\r\nHost: x").find("a character"));
}

TEST(Address, Queries) {
    EXPECT_EQ("1", query_value("token=1", "token"));
    EXPECT_EQ("", query_value("xtoken=1", "token"));
    EXPECT_EQ("a b", query_value("x=2&token=a%20b", "token"));
    EXPECT_EQ("", query_value("token=%4", "token"));
    EXPECT_EQ("", query_value("token=%zz", "token"));
}

TEST(Address, Base64) {  // RFC 4648, section 10, and a password of HTTP Basic
    EXPECT_EQ("foobar", base64_decoded("Zm9vYmFy"));
    EXPECT_EQ("fooba", base64_decoded("Zm9vYmE="));
    EXPECT_EQ("foob", base64_decoded("Zm9vYg=="));
    EXPECT_EQ("", base64_decoded("\r\n"));
}

}  // namespace lanewise
