// Which pages may open a socket, how much may come, and wrong tokens.
#include "hub/door.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "hub/rate.h"

namespace lanewise {

namespace {
const DoorRules kOpen = {false, {}};
const DoorRules kTokens = {true, {}};
const DoorRules kAlso = {true, {"https://course.example.org"}};
}  // namespace

TEST(Door, APageOfTheSameHostMay) {
    EXPECT_EQ("", why_refused({"localhost:8080", "http://localhost:8080"}, kOpen));
    EXPECT_EQ("", why_refused({"127.0.0.1:8080", "http://127.0.0.1:8080"}, kOpen));
    EXPECT_EQ("", why_refused({"[::1]:8080", "http://[::1]:8080"}, kOpen));
    EXPECT_EQ("", why_refused({"lab.example.org", "https://lab.example.org"}, kTokens));
    EXPECT_EQ("", why_refused({"lab.example.org", "https://lab.example.org:443"}, kTokens));
    EXPECT_EQ("", why_refused({"LAB.example.org:8443", "https://lab.example.org:8443"}, kTokens));
    EXPECT_EQ("", why_refused({"lab.example.org", ""}, kTokens));  // no browser
    EXPECT_EQ("", why_refused({"lab.example.org", "https://course.example.org"}, kAlso));
}

TEST(Door, APageOfAnotherHostMayNot) {
    for (const char* origin :
         {"http://evil.example", "http://lab.example.org.evil.example",
          "https://lab.example.org:8080", "null", "file://", "http://localhost",
          "https://evil.example/lab.example.org", "chrome-extension://lab.example.org"})
        EXPECT_NE("", why_refused({"lab.example.org", origin}, kTokens)) << origin;
    EXPECT_NE("", why_refused({"lab.example.org", "https://course.example.org.evil"}, kAlso));
    EXPECT_NE("", why_refused({"localhost:8080", "http://localhost:8081"}, kOpen));
    EXPECT_NE("", why_refused({"", "http://localhost"}, kOpen));
}

// A name that points here makes a page elsewhere one "of the same host".
TEST(Door, WithoutTokensTheHostIsThisMachine) {
    EXPECT_NE("", why_refused({"evil.example:8080", "http://evil.example:8080"}, kOpen));
    EXPECT_NE("", why_refused({"localhost.evil.example", ""}, kOpen));
    EXPECT_NE("", why_refused({"127.0.0.1.evil.example", ""}, kOpen));
    EXPECT_NE("", why_refused({"[::1.evil", ""}, kOpen));
    EXPECT_EQ("", why_refused({"localhost", ""}, kOpen));
}

TEST(Door, WithoutTokensNoProxyLetsOthersIn) {
    EXPECT_NE(std::string::npos, why_refused({"localhost:8080", "", true}, kOpen)
                                     .find("start the server with --token-file"));
    EXPECT_EQ("", why_refused({"localhost:8080", "", true}, kTokens));
}

TEST(Door, OriginsAreSchemeAndHost) {
    EXPECT_NO_THROW(check_origin("https://lab.example.org"));
    EXPECT_NO_THROW(check_origin("http://lab:8080"));
    for (const char* wrong :
         {"", "*", "lab.example.org", "https://", "https://lab/", "ftp://lab", "https://*.org"})
        EXPECT_THROW(check_origin(wrong), Error) << wrong;
}

TEST(WrongTokens, WaitLongerEachTimeAndAreThenRefused) {
    WrongTokens wrong;
    EXPECT_DOUBLE_EQ(0.25, wrong.note("10.0.0.1", 1000));
    EXPECT_DOUBLE_EQ(0.5, wrong.note("10.0.0.1", 1001));
    EXPECT_DOUBLE_EQ(1, wrong.note("10.0.0.1", 1002));
    EXPECT_DOUBLE_EQ(0.25, wrong.note("10.0.0.2", 1003));  // another address begins anew
    EXPECT_EQ(0, wrong.refused_s("10.0.0.1", 1003));
    for (int i = 3; i < WrongTokens::kUntilRefused; ++i)
        EXPECT_LE(wrong.note("10.0.0.1", 1010), WrongTokens::kLongestWait_s);
    EXPECT_DOUBLE_EQ(300, wrong.refused_s("10.0.0.1", 1010));
    EXPECT_DOUBLE_EQ(1, wrong.refused_s("10.0.0.1", 1309));
    EXPECT_EQ(0, wrong.refused_s("10.0.0.1", 1310));
    EXPECT_EQ(0, wrong.refused_s("10.0.0.2", 1010));
    EXPECT_DOUBLE_EQ(0.25, wrong.note("10.0.0.1", 1311));  // forgotten
}

TEST(WrongTokens, AHostOfIPv6CannotChangeItsAddressWithinItsNetwork) {
    WrongTokens wrong;
    for (int i = 0; i < WrongTokens::kUntilRefused; ++i)
        wrong.note("2001:db8::" + std::to_string(i + 1), 5);
    EXPECT_GT(wrong.refused_s("2001:db8::ffff", 5), 0);
    EXPECT_EQ(0, wrong.refused_s("2001:db8:0:1::1", 5));
}

TEST(WrongTokens, ManyAddressesDoNotFillTheMemory) {
    WrongTokens wrong;
    for (int i = 0; i < 12'000; ++i)
        wrong.note("10." + std::to_string(i / 250 / 250) + "." + std::to_string(i / 250 % 250) +
                       "." + std::to_string(i % 250),
                   7);
    EXPECT_DOUBLE_EQ(0.25, wrong.note("10.9.9.9", 7));
}

TEST(RateLimit, LetsSoMuchThroughAtOnceAndThenMakesWait) {
    RateLimit rate(8, 40);  // of each second; at once
    for (int i = 0; i < 40; ++i) EXPECT_EQ(0, rate.take(1, 100)) << i;
    EXPECT_EQ(0.125, rate.take(1, 100));
    EXPECT_EQ(0.25, rate.take(1, 100));
    EXPECT_EQ(0, rate.take(1, 100.375));  // 3 came in, 2 were owed
    EXPECT_EQ(0.125, rate.take(1, 100.375));
    EXPECT_EQ(0, rate.take(40, 1000));  // never more than at once, however long nothing came
    EXPECT_EQ(100, rate.take(800, 1000));
}

}  // namespace lanewise
