// Expressions of 32 lanes: hand-worked values.
#include "lab/step/lane_expression.h"

#include <gtest/gtest.h>

#include <bit>
#include <map>

#include "base/error.h"

namespace lanewise {
namespace {

// lane; row = lane * 3; half = lane / 2.0f; numbers: u32[64] at 0x1000, which holds 7 * index.
class Names : public LaneNames {
  public:
    bool find(std::string_view name, LaneValues& values) override {
        if (name == "numbers" || name == "square") {
            values = same_in_all(NumberType::u64, 0x1000);
            values.pointee = {"u32", {}};
            if (name == "square") values.pointee.extents = {8};
            return true;
        }
        bool is_float_name = name == "half";
        if (name != "lane" && name != "row" && name != "part" && !is_float_name) return false;
        values = {is_float_name ? NumberType::f32 : NumberType::i32};
        for (size_t n = 0; n < 32; ++n) {
            auto lane = static_cast<int64_t>(n);
            if (is_float_name) set_number(values, n, static_cast<double>(lane) / 2);
            if (!is_float_name) set_integer(values, n, name == "row" ? lane * 3 : lane);
        }
        if (name == "part") values.known = 0xff;
        return true;
    }
    LaneValues load(std::string_view element, const LaneValues& addresses,
                    uint32_t lanes) override {
        std::array<uint64_t, 32> bits{};
        uint32_t known = 0;
        for (size_t n = 0; n < 32; ++n) {
            uint64_t offset = addresses.bits[n] - 0x1000;
            if (!(lanes >> n & 1) || offset >= 256) continue;
            ++loads;
            bits[n] = 7 * (offset / 4);
            known |= 1u << n;
        }
        return from_elements(element, bits, known);
    }
    int loads = 0;
};

LaneResult result(const std::string& text, uint32_t lanes = kEveryLane) {
    Names names;
    return LaneExpression(text).evaluate(names, lanes);
}
int64_t integer(const std::string& text, size_t lane) { return result(text).values.integer(lane); }
double number(const std::string& text, size_t lane) { return result(text).values.number(lane); }
std::string error(const std::string& text) {
    try {
        result(text);
    } catch (const Error& e) {
        return e.what();
    }
    return "";
}

TEST(LaneExpression, FollowsCsPrecedenceAndConversions) {
    EXPECT_EQ(7, integer("1 + 2 * 3", 0));
    EXPECT_EQ(31 * 3 + 31, integer("row + lane", 31));
    EXPECT_EQ(1, integer("row == 15 && lane > 4", 5));
    EXPECT_EQ(0, integer("row == 15 && lane > 5", 5));
    EXPECT_EQ(0xfffffffe, integer("0u - 2", 0));  // unsigned wraps around
    EXPECT_EQ(-2, integer("0 - 2", 0));
    EXPECT_EQ(INT32_MIN, integer("2147483647 + 1", 0));  // in 32 bits, as a card does
    EXPECT_EQ(1, integer("-1 > 0u", 0));                 // C's surprise
    EXPECT_EQ(-3, integer("-7 / 2", 0));
    EXPECT_EQ(-1, integer("-7 % 2", 0));
    EXPECT_EQ(-4, integer("-7 >> 1", 0));
    EXPECT_EQ(16, integer("lane & 16 ? 16 : lane", 20));
    EXPECT_EQ(3, integer("(lane ^ 1) & ~4", 2));
    EXPECT_EQ(1, integer("!lane", 0));
    EXPECT_EQ(31, integer("0x1f", 0));
}

TEST(LaneExpression, ComputesFloatsAndCasts) {
    EXPECT_DOUBLE_EQ(3.5, number("half + 1", 5));
    EXPECT_EQ(NumberType::f32, result("half + 1").values.type);
    EXPECT_EQ(NumberType::f64, result("half + 1.0").values.type);
    EXPECT_DOUBLE_EQ(0.1f + 0.2f, number("0.1f + 0.2f", 0));
    EXPECT_EQ(2, integer("(int)half", 5));
    EXPECT_EQ(44, integer("(unsigned char)300", 0));
    EXPECT_EQ(2, integer("static_cast<int>(half)", 5));
    EXPECT_EQ(NumberType::u64, result("size_t(row) * 4").values.type);
    EXPECT_DOUBLE_EQ(2.5, number("max(half, 2.0f)", 5));
    EXPECT_EQ(5, integer("__popc(31)", 0));
    EXPECT_DOUBLE_EQ(1e-3, number("1e-3", 0));
    EXPECT_DOUBLE_EQ(0.5, number(".5", 0));
}

TEST(LaneExpression, ReadsMemoryOfEachLane) {
    EXPECT_EQ(7 * 5, integer("numbers[5]", 3));
    EXPECT_EQ(7 * 31, integer("numbers[lane]", 31));
    EXPECT_EQ(7 * 10, integer("*(numbers + 10)", 0));
    EXPECT_EQ(7 * (2 * 8 + 3), integer("square[2][3]", 0));
    EXPECT_EQ(0x1000 + 4 * 6, integer("&numbers[6]", 0));
    EXPECT_EQ(0x0000ffffu, result("numbers[lane * 4]").values.known);  // the others lie outside
    Names names;
    LaneResult address = LaneExpression("square[1][lane]").address(names);
    EXPECT_EQ(0x1000u + 4 * (8 + 9), address.values.bits[9]);
    EXPECT_EQ(0, names.loads);
}

TEST(LaneExpression, AsksALaneOnlyForWhatItNeeds) {
    LaneResult guarded = result("lane != 0 && 12 / lane > 3");
    EXPECT_EQ(0u, guarded.divided_by_zero);
    EXPECT_EQ(0xeu, guarded.values.true_lanes());  // 12, 6 and 4
    LaneResult plain = result("12 / lane > 3");
    EXPECT_EQ(1u, plain.divided_by_zero);  // lane 0
    EXPECT_EQ(~1u, plain.values.known);
    EXPECT_EQ(0u, result("12 / lane", 0xf0).divided_by_zero);  // lane 0 is not asked
    EXPECT_EQ(0xffu, result("part + 1").values.known);
    EXPECT_EQ(0xf0u, result("lane", 0xf0).values.known);
}

TEST(LaneExpression, SaysWhereItCannotBeRead) {
    EXPECT_NE(error("row +").find("  row +\n       ^"), std::string::npos) << error("row +");
    EXPECT_NE(error("").find("missing"), std::string::npos);
    EXPECT_NE(error("row)").find("does not belong"), std::string::npos);
    EXPECT_NE(error("nobody + 1").find("nothing here is called nobody"), std::string::npos);
    EXPECT_NE(error("row[1]").find("no pointer"), std::string::npos);
    EXPECT_NE(error("&row").find("no address"), std::string::npos);
    EXPECT_NE(error("frobnicate(1)").find("frobnicate"), std::string::npos);
    EXPECT_NE(error(std::string(500, '(')).find("nested"), std::string::npos);
    EXPECT_NE(error(std::string(500, '!')).find("nested"), std::string::npos);
}

TEST(LaneValues, SayWhatTheyAreInAFewWords) {
    EXPECT_EQ("5 in all lanes", in_few_words(result("5").values));
    EXPECT_EQ("0, 3, 6 … 93", in_few_words(result("row").values));
    EXPECT_EQ("", in_few_words(result("row % 5").values));
    EXPECT_EQ("1 in 8 lanes", in_few_words(result("part * 0 + 1").values));
    EXPECT_EQ("lanes 4 to 7", lanes_in_words(0xf0));
    EXPECT_EQ("lanes 0, 2", lanes_in_words(5));
    EXPECT_EQ("lane 31", lanes_in_words(1u << 31));
    EXPECT_EQ("lanes 0, 2, 4, 6, 8, 10 and 10 more", lanes_in_words(0x55555555));
}

}  // namespace
}  // namespace lanewise
