#include "ui/plain/fuzzy.h"

#include <gtest/gtest.h>

namespace lanewise::ui {
namespace {

using Bytes = std::vector<size_t>;

TEST(Fuzzy, FindsLettersInOrder) {
    EXPECT_EQ((Bytes{0, 7}), fuzzy_match("sm", "Shared memory")->bytes);
    EXPECT_EQ((Bytes{0, 1, 2}), fuzzy_match("SHA", "Shared memory")->bytes);
    EXPECT_FALSE(fuzzy_match("memoryx", "Shared memory"));
    EXPECT_FALSE(fuzzy_match("yrom", "Shared memory"));
}

TEST(Fuzzy, WordsMayComeInAnyOrder) {
    EXPECT_EQ((Bytes{0, 1, 7, 8}), fuzzy_match("me sh", "Shared memory")->bytes);
    EXPECT_FALSE(fuzzy_match("me zz", "Shared memory"));
}

TEST(Fuzzy, BlankMatchesEverything) {
    EXPECT_EQ(0, fuzzy_match("", "Run")->score);
    EXPECT_EQ(0, fuzzy_match("  ", "")->score);
    EXPECT_TRUE(fuzzy_match("  ", "Run")->bytes.empty());
    EXPECT_FALSE(fuzzy_match("r", ""));
}

TEST(Fuzzy, LettersInARowBeatScatteredOnes) {
    EXPECT_GT(fuzzy_match("pad", "PAD = 0")->score, fuzzy_match("pad", "Up a dune")->score);
    // The run inside the word is found, not the first "p" of the text.
    EXPECT_EQ((Bytes{5, 6, 7}), fuzzy_match("pad", "Tip: pads")->bytes);
}

TEST(Fuzzy, OfEqualMatchesTheShorterTextWins) {
    EXPECT_GT(fuzzy_match("code", "Code")->score, fuzzy_match("code", "Code of the stage")->score);
}

}  // namespace
}  // namespace lanewise::ui
