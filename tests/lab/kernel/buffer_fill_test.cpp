// What a buffer holds before the launch, and what is saved of it after.
#include "lab/kernel/buffer_fill.h"

#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <filesystem>
#include <set>

#include "base/error.h"
#include "base/files.h"
#include "lab/machine/saved_buffer.h"

namespace lanewise {

namespace {

// The elements of a buffer of that type, as --save writes them: "0 4 8".
std::string held(const std::string& type_name, size_t count, const std::string& fill,
                 const std::filesystem::path& beside = {}) {
    const ElementType& type = *find_element_type(type_name);
    std::vector<std::byte> bytes(count * static_cast<size_t>(type.bytes));
    fill_buffer(bytes, read_fill(type, fill), type, beside);
    std::string text = elements_as_text(bytes, type);
    std::replace(text.begin(), text.end(), '\n', ' ');
    return text.substr(0, text.size() - 1);
}

std::string complaint(const std::string& type_name, const std::string& fill) {
    try {
        read_fill(*find_element_type(type_name), fill);
    } catch (const Error& error) {
        EXPECT_EQ(Status::bad_input, error.status());
        return error.what();
    }
    return "none";
}

}  // namespace

TEST(BufferFill, OneValueEverywhere) {
    EXPECT_EQ("7 7 7", held("i32", 3, "=7"));
    EXPECT_EQ("-1 -1", held("i8", 2, "=-1"));
    EXPECT_EQ("18446744073709551615", held("u64", 1, "=18446744073709551615"));
    EXPECT_EQ("0.5 0.5", held("f32", 2, "=0.5"));
    EXPECT_EQ("1.5 1.5", held("f16", 2, "=1.5"));
    EXPECT_EQ("-inf", held("f32", 1, "=-inf"));
}

TEST(BufferFill, ASequenceHasAFirstAndAStep) {
    EXPECT_EQ("0 4 8 12", held("i32", 4, "=0+4"));
    EXPECT_EQ("10 9 8", held("i64", 3, "=10+-1"));
    EXPECT_EQ("254 255 0", held("u8", 3, "=254+1"));  // goes round
    EXPECT_EQ("-1 -0.5 0", held("f64", 3, "=-1+0.5"));
    EXPECT_EQ("10 10.25", held("bf16", 2, "=1e+1+0.25"));  // an exponent's sign is no plus
}

TEST(BufferFill, ARangeHoldsBothEndsOfIntegers) {
    std::vector<std::byte> bytes(1000);
    const ElementType& type = *find_element_type("u8");
    fill_buffer(bytes, read_fill(type, "=3..5"), type, {});
    EXPECT_EQ((std::set<int>{3, 4, 5}), [&] {
        std::set<int> seen;
        for (std::byte byte : bytes) seen.insert(static_cast<int>(byte));
        return seen;
    }());
    EXPECT_EQ(held("i32", 50, "=-9..9"), held("i32", 50, "=-9..9"));  // always the same
}

TEST(BufferFill, ARangeOfFloatsLiesBetween) {
    std::vector<std::byte> bytes(4000);
    const ElementType& type = *find_element_type("f32");
    fill_buffer(bytes, read_fill(type, "=-1..1"), type, {});
    double sum = 0;
    for (size_t i = 0; i < 1000; ++i) {
        float value = 0;
        std::memcpy(&value, &bytes[4 * i], 4);
        EXPECT_LE(-1, value);
        EXPECT_GE(1, value);
        sum += value;
    }
    // Of 1,000 even ones the mean lies within 0.0183 of 0 two times in three.
    EXPECT_NEAR(0, sum / 1000, 6 * 0.0183);
}

TEST(BufferFill, AFileHasToFit) {
    std::filesystem::path folder =
        std::filesystem::path(testing::TempDir()) / "lanewise_buffer_fill";
    write_file(folder / "rows.bin", std::string("\1\0\0\0\2\0\0\0", 8));
    EXPECT_EQ("1 2", held("i32", 2, "=@rows.bin", folder));
    EXPECT_EQ("1 2", held("i32", 2, "=@" + (folder / "rows.bin").string()));
    try {
        held("i32", 3, "=@rows.bin", folder);
        ADD_FAILURE();
    } catch (const Error& error) {
        EXPECT_NE(std::string::npos,
                  std::string(error.what()).find("rows.bin has 8 bytes, and the buffer 12"));
    }
    EXPECT_THROW(held("i32", 2, "=@missing.bin", folder), Error);
    std::filesystem::remove_all(folder);
}

TEST(BufferFill, WhatCannotBeReadSaysWhy) {
    for (const char* fill : {"=", "0", "7=", "[2]"})
        EXPECT_NE(std::string::npos, complaint("i32", fill).find("=0..99")) << fill;
    EXPECT_NE(std::string::npos, complaint("u8", "=256").find("does not fit into u8"));
    EXPECT_NE(std::string::npos, complaint("i32", "=1.5").find("no whole number"));
    EXPECT_NE(std::string::npos, complaint("i32", "=9..3").find("smaller to the larger"));
    EXPECT_NE(std::string::npos, complaint("f32", "=1..").find("no number"));
    EXPECT_NE(std::string::npos, complaint("f32", "=@").find("name of a file"));
    EXPECT_EQ("none", complaint("f32", ""));
}

TEST(SavedBuffers, AreNamedAndPlaced) {
    SavedBuffer saved = read_saved_buffer("A[2]=out/a.txt");
    EXPECT_EQ("A[2]", saved.name);
    EXPECT_EQ("out/a.txt", saved.file.string());
    for (const char* text : {"out", "=file", "out="}) EXPECT_THROW(read_saved_buffer(text), Error);
}

}  // namespace lanewise
