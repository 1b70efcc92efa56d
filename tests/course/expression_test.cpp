// Launch expressions: values worked out by hand, and errors with the caret under the spot.
#include "course/expression.h"

#include <gtest/gtest.h>

#include "base/error.h"

namespace lanewise {
namespace {

int64_t value_of(const std::string& expression) {
    return evaluate(expression, [](std::string_view name, int64_t& value) {
        if (name == "TILE") return value = 32, true;
        if (name == "rows") return value = 1000, true;
        if (name == "shared_load.wavefronts") return value = 7, true;
        return false;
    });
}

std::string error_of(const std::string& expression) {
    try {
        value_of(expression);
    } catch (const Error& error) {
        EXPECT_EQ(Status::bad_input, error.status());
        return error.what();
    }
    return "no error";
}

TEST(Expression, BindsAsInC) {
    EXPECT_EQ(7, value_of("1 + 2 * 3"));
    EXPECT_EQ(9, value_of("(1 + 2) * 3"));
    EXPECT_EQ(-1, value_of("2 - 2 - 1"));
    EXPECT_EQ(2, value_of("17 / 4 / 2"));
    EXPECT_EQ(-3, value_of("-7 / 2"));
    EXPECT_EQ(1, value_of("9 % 4"));
    EXPECT_EQ(5, value_of("3--2"));
    EXPECT_EQ(1, value_of("1 + 1 == 2"));
    EXPECT_EQ(0, value_of("2 != 2"));
    EXPECT_EQ(1, value_of("1 || 0 && 0"));
    EXPECT_EQ(1, value_of("!0"));
    EXPECT_EQ(1, value_of("3 >= 3 && 2 < 3 && 3 > 2 && 2 <= 2"));
}

TEST(Expression, KnowsNamesAndFunctions) {
    EXPECT_EQ(32, value_of("TILE"));
    EXPECT_EQ(7, value_of("shared_load.wavefronts"));
    EXPECT_EQ(32, value_of("ceil_div(rows, TILE)"));  // 31.25 rounds up
    EXPECT_EQ(31, value_of("ceil_div(rows - 8, TILE)"));
    EXPECT_EQ(-3, value_of("ceil_div(-7, 2)"));
    EXPECT_EQ(4, value_of("ceil_div(-7, -2)"));
    EXPECT_EQ(32, value_of("min(TILE, rows)"));
    EXPECT_EQ(1000, value_of("max( TILE , rows )"));
}

TEST(Expression, DoesNotTripOverTheUndecidedSide) {
    EXPECT_EQ(0, value_of("0 && 1 / 0"));
    EXPECT_EQ(1, value_of("1 || 1 % 0"));
    EXPECT_EQ(0, value_of("0 && (1 && 1 / 0)"));
}

TEST(Expression, PutsACaretUnderTheSpot) {
    EXPECT_EQ(
        "unknown name \"TILES\"\n"
        "    ceil_div(rows, TILES)\n"
        "                   ^",
        error_of("ceil_div(rows, TILES)"));
    EXPECT_EQ(
        "expected a number or a name\n"
        "    TILE *\n"
        "          ^",
        error_of("TILE *"));
    EXPECT_EQ(
        "division by zero\n"
        "    1 + rows / (TILE - 32)\n"
        "             ^",
        error_of("1 + rows / (TILE - 32)"));
    EXPECT_EQ(
        "this parenthesis is not closed\n"
        "    (TILE + 1\n"
        "    ^",
        error_of("(TILE + 1"));
    EXPECT_EQ(
        "expected an operator or the end\n"
        "    TILE rows\n"
        "         ^",
        error_of("TILE rows"));
}

TEST(Expression, RefusesWhatDoesNotFit) {
    EXPECT_EQ(INT64_MAX, value_of("9223372036854775807"));
    EXPECT_TRUE(error_of("9223372036854775808").starts_with("this number does not fit 64 bits"));
    EXPECT_TRUE(error_of("9223372036854775807 + 1").starts_with("the result does not fit"));
    EXPECT_TRUE(error_of("9223372036854775807 * 2").starts_with("the result does not fit"));
    EXPECT_TRUE(error_of("-9223372036854775807 - 2").starts_with("the result does not fit"));
    EXPECT_TRUE(error_of("(-9223372036854775807 - 1) / -1").starts_with("the result does not fit"));
    EXPECT_EQ(0, value_of("(-9223372036854775807 - 1) % -1"));
}

TEST(Expression, RefusesNonsense) {
    EXPECT_TRUE(error_of("").starts_with("expected a number or a name"));
    EXPECT_TRUE(error_of("3x").starts_with("expected an operator after the number"));
    EXPECT_TRUE(error_of("log(3, 4)").starts_with("unknown function \"log\""));
    EXPECT_TRUE(error_of("min(3)").starts_with("min takes two arguments"));
    EXPECT_TRUE(error_of("TILE ; 1").starts_with("expected an operator or the end"));
    EXPECT_TRUE(error_of(std::string(10'000, '(')).starts_with("nested too deeply"));
    EXPECT_TRUE(error_of(std::string(10'000, '-')).starts_with("nested too deeply"));
}

}  // namespace
}  // namespace lanewise
