// What is short is read as the C library reads it, to the last bit, and everything else is left to it.
#include "base/short_decimal.h"

#include <gtest/gtest.h>

#include <bit>
#include <cstdlib>
#include <filesystem>
#include <string>

#include "base/files.h"

namespace lanewise {
namespace {

std::string read_as(const std::string& text) {
    double value = 0;
    const char* end = nullptr;
    if (!short_decimal(text.c_str(), value, end)) return "left";
    char* its_end = nullptr;
    double its = std::strtod(text.c_str(), &its_end);
    EXPECT_EQ(std::bit_cast<uint64_t>(its), std::bit_cast<uint64_t>(value)) << text;
    EXPECT_EQ(its_end, end) << text;
    return text.substr(0, static_cast<size_t>(end - text.c_str()));
}

TEST(ShortDecimal, IsReadToTheLastBit) {
    for (const char* text : {"5.568", "-17", "0", "-0", "0.1", "1.0451", "9007199254740991", "0.000000001", "3.", "4096.25"})
        EXPECT_EQ(text, read_as(text));
    EXPECT_EQ("5.568", read_as("5.568,5.6"));
    EXPECT_EQ("1", read_as("1}"));
}

TEST(ShortDecimal, LeavesWhatOneDivisionWouldRoundTwice) {
    for (const char* text : {"9007199254740992", "96.94674195913065", "1e3", "1E3", "0x10", "", "-", ".5", "+1", " 1", "nan", "inf",
                             "12345678901234567890", "0.00000000000000000000001", "1e", "7f"})
        EXPECT_EQ("left", read_as(text)) << text;
}

// Of the recordings' numbers nineteen of twenty are short; all are read as they were.
TEST(ShortDecimal, ReadsARecording) {
    const std::string text = read_file(std::filesystem::path(CONTENT_FOLDER) / "assets/recordings/nvidia-h200.json");
    size_t all = 0, left = 0;
    for (size_t at = text.find_first_of("[:,"); at != text.npos; at = text.find_first_of("[:,", at + 1)) {
        if (text[at + 1] < '0' || text[at + 1] > '9') continue;
        const std::string number = text.substr(at + 1, text.find_first_of(",]}", at + 1) - at - 1);
        ++all;
        left += read_as(number) == "left";
    }
    EXPECT_GT(all, 100000u);
    EXPECT_LT(left, all / 20);
}

}  // namespace
}  // namespace lanewise
