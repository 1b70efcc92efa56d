// Where letters beyond ASCII may stand in a TOML text: in quotes and in comments, and nowhere else.
#include "course/foreign_letters.h"

#include <gtest/gtest.h>

#include <string>

namespace lanewise {
namespace {

TEST(ForeignLetters, MayStandInQuotesAndComments) {
    for (const char* text :
         {"a = 1 # naïve", "a = \"naïve\"", "a = 'naïve'", "\"naïve\" = 1", "# don't \"\"\" é",
          "a = \"\"\"\nnaïve \" and \"\" é\n\"\"\"", "a = '''\nna\\ïve ' é '''", "a = \"\\\"é\"",
          "a = 'é\\' # é", "a = \"\"\"é\"\"\"\"\"", "a = \"\" # é", "a = \"\"\"\\\n   b é\"\"\"",
          "a = \"\"\"b\\\\é\"\"\"", ""})
        EXPECT_EQ(-1, line_of_foreign_letter(text)) << text;
}

TEST(ForeignLetters, AreFoundElsewhere) {
    EXPECT_EQ(0, line_of_foreign_letter("naïve = 1"));
    EXPECT_EQ(1, line_of_foreign_letter("a = 1\nb = é"));
    EXPECT_EQ(0, line_of_foreign_letter("é = \"\"\"b"));  // quotes behind it change nothing
    EXPECT_EQ(2, line_of_foreign_letter("a = \"\"\"\n\"\"\"\né = 1"));
    EXPECT_EQ(1, line_of_foreign_letter("# \"\"\"\né = 1"));  // a comment opens no quotes
    EXPECT_EQ(0, line_of_foreign_letter("a = \"b\" é"));
    EXPECT_EQ(1, line_of_foreign_letter("a = \"b\né = \"c\""));  // quotes that a line leaves open
    EXPECT_EQ(0, line_of_foreign_letter("a = \"\"\"b\"\"\"\"\"é\"\"\""));
    // Behind a backslash toml++ asks whether a blank follows, and so at the start of the next line.
    EXPECT_EQ(0, line_of_foreign_letter("a = \"\"\"\\é\"\"\""));
    EXPECT_EQ(1, line_of_foreign_letter("a = \"\"\"b\\\n   é\"\"\""));
    EXPECT_EQ(0, line_of_foreign_letter("a = \"\\é\""));
}

}  // namespace
}  // namespace lanewise
