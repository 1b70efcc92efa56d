#include "base/percent.h"

#include <gtest/gtest.h>

namespace lanewise {

TEST(Percent, EverythingElseIsItsBytesInHexadecimal) {
    EXPECT_EQ("a-Z_0.9~/x,", percent_encoded("a-Z_0.9~/x,"));
    EXPECT_EQ("1%20%25%0A%2B", percent_encoded("1 %\n+"));
    EXPECT_EQ("%C3%BC", percent_encoded("ü"));  // UTF-8: C3 BC
}

TEST(Percent, IsReadBack) {
    std::string all;
    for (int byte = 0; byte < 256; ++byte) all += static_cast<char>(byte);
    EXPECT_EQ(all, percent_decoded(percent_encoded(all)));
    EXPECT_EQ("ü+", percent_decoded("%c3%bC+"));
}

TEST(Percent, WithoutTwoDigitsBehindItIsNothing) {
    for (const char* wrong : {"%", "%2", "a%2", "%g0", "%0g", "%%20"})
        EXPECT_FALSE(percent_decoded(wrong)) << wrong;
}

}  // namespace lanewise
