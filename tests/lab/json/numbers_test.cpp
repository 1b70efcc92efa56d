// Numbers with a fraction or an exponent where an integer is read (third_party/json).
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

namespace lanewise {
namespace {

using Json = nlohmann::json;
enum class Kind : uint8_t { first, second };

// What reading `json` as a Value says; empty where it can be read.
template <typename Value>
std::string refusal(const Json& json) {
    try {
        static_cast<void>(json.get<Value>());
    } catch (const Json::exception& error) {
        return error.what();
    }
    return "";
}

TEST(Numbers, WithAFractionAreCut) {
    EXPECT_EQ(2, Json(2.75).get<int>());
    EXPECT_EQ(-2, Json(-2.75).get<int>());
    EXPECT_EQ(0u, Json(-0.75).get<uint32_t>());
    EXPECT_EQ(Kind::second, Json(1.0).get<Kind>());
}

TEST(Numbers, ThatDoNotFitAreRefused) {
    EXPECT_EQ("[json.exception.out_of_range.406] the number 1e+40 does not fit its field",
              refusal<int>(1e40));
    // The greatest int is 2^31 - 1, the least -2^31.
    EXPECT_EQ("", refusal<int>(2147483647.5));
    EXPECT_NE("", refusal<int>(2147483648.0));
    EXPECT_EQ("", refusal<int>(-2147483648.5));
    EXPECT_NE("", refusal<int>(-2147483649.0));
    EXPECT_NE("", refusal<uint32_t>(-1.0));
    EXPECT_EQ("", refusal<uint32_t>(4294967295.0));
    EXPECT_NE("", refusal<uint64_t>(18446744073709551616.0));  // 2^64
    EXPECT_NE("", refusal<int64_t>(9223372036854775808.0));    // 2^63
    EXPECT_EQ("", refusal<int64_t>(-9223372036854775808.0));
    EXPECT_NE("", refusal<int>(std::nan("")));
    EXPECT_NE("", refusal<int64_t>(std::numeric_limits<double>::infinity()));
    EXPECT_NE("", refusal<Kind>(256.0));
}

TEST(Numbers, AreRefusedWithinOthers) {
    EXPECT_NE("", refusal<std::vector<int>>(Json::array({1, 1e40})));
    EXPECT_NE("", (refusal<std::array<uint64_t, 2>>(Json::array({1, 1e40}))));
    EXPECT_NE("", (refusal<std::pair<int, int>>(Json::array({1, 1e40}))));
    EXPECT_NE("", (refusal<std::map<std::string, int>>(Json{{"a", 1e40}})));
}

TEST(Numbers, OfOtherTypesAreReadAsBefore) {
    EXPECT_EQ(1e300, Json(1e300).get<double>());
    EXPECT_EQ(-7, Json(-7).get<int>());
    EXPECT_TRUE(Json(true).get<bool>());
    EXPECT_NE("", refusal<bool>(1e40));
    EXPECT_NE("", refusal<int>("1"));
}

}  // namespace
}  // namespace lanewise
