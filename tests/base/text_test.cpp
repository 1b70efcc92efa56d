#include "base/text.h"

#include <gtest/gtest.h>

#include "base/hash.h"

namespace lanewise {

TEST(Text, Trims) {
    EXPECT_EQ("a b", trimmed(" \t a b\r\n"));
    EXPECT_EQ("", trimmed(" \n"));
}

TEST(Text, SplitsKeepingEmptyPieces) {
    EXPECT_EQ((std::vector<std::string_view>{"a", "", "b", ""}), split("a,,b,", ','));
    EXPECT_EQ((std::vector<std::string_view>{""}), split("", ','));
}

TEST(Text, LinesDropTheirEnds) {
    EXPECT_EQ((std::vector<std::string_view>{"a", "", "b"}), lines_of("a\r\n\nb\n"));
    EXPECT_TRUE(lines_of("").empty());
}

TEST(Text, PercentsAreWholeUnlessLessThanOne) {
    EXPECT_EQ("0 %", percent(0));
    EXPECT_EQ("0.4 %", percent(3'107 / 784'603.0));
    EXPECT_EQ("0.9 %", percent(0.009));
    EXPECT_EQ("1 %", percent(0.00996));
    EXPECT_EQ("88 %", percent(0.8783));
    EXPECT_EQ("100 %", percent(0.9995));
}

TEST(Text, GroupsThousands) {
    EXPECT_EQ("0", with_thousands(0));
    EXPECT_EQ("999", with_thousands(999));
    EXPECT_EQ("1,000", with_thousands(1000));
    EXPECT_EQ("16,777,216", with_thousands(16777216));
}

TEST(Text, CountsInTheSingularOnlyWhereThereIsOne) {
    EXPECT_EQ("0 blocks", counted(0, "block"));
    EXPECT_EQ("1 block", counted(1, "block"));
    EXPECT_EQ("1,024 blocks", counted(1024, "block"));
}

TEST(Text, SaysBytes) {
    EXPECT_EQ("4 B", in_bytes(4));
    EXPECT_EQ("4.1 KiB", in_bytes(4224));
    EXPECT_EQ("256 MiB", in_bytes(256u << 20));
    EXPECT_EQ("1 GiB", in_bytes(1u << 30));
}

TEST(Text, ParsesWholeIntegersOnly) {
    int64_t value = 0;
    EXPECT_TRUE(parse_integer("-12", value));
    EXPECT_EQ(-12, value);
    for (const char* bad : {"", "12x", " 12", "1.5", "9223372036854775808"})
        EXPECT_FALSE(parse_integer(bad, value)) << bad;
}

TEST(Text, SuggestsTheClosestWord) {
    EXPECT_EQ("PAD", closest("PDA", {"TILE", "ROWS", "PAD"}));
    EXPECT_EQ("", closest("elephant", {"TILE", "ROWS", "PAD"}));
}

TEST(Hash, IsFnv1a) {  // the published test vectors of FNV-1a, 64 bits
    EXPECT_EQ("cbf29ce484222325", hex(hash("")));
    EXPECT_EQ("af63dc4c8601ec8c", hex(hash("a")));
    EXPECT_EQ("85944171f73967e8", hex(hash("foobar")));
    EXPECT_EQ(hash("foobar"), hash("bar", hash("foo")));
}

}  // namespace lanewise
