#include "trace/record/column_map.h"

#include <gtest/gtest.h>

#include <functional>

namespace lanewise {
namespace {

ColumnMap map_of(int rows, int cols, int pitch, const std::function<int(int, int)>& column) {
    ColumnMap map{rows, cols, pitch, {}};
    for (int row = 0; row < rows; ++row)
        for (int col = 0; col < cols; ++col) map.columns.push_back(column(row, col));
    return map;
}

TEST(ColumnMap, AnXorIsAPermutationOfEachRow) {
    ColumnMap map = map_of(4, 4, 4, [](int row, int col) { return col ^ row; });
    EXPECT_EQ(ColumnFault::Kind::none, first_fault(map).kind);
    EXPECT_EQ("", in_words(first_fault(map), map));
    EXPECT_EQ(3 * 4 + 2, map.place(3, 1));  // 1 ^ 3 = 2
}

// Row 0: all four in column 0.
TEST(ColumnMap, NamesTheFirstTwoThatCollide) {
    ColumnMap map = map_of(4, 4, 4, [](int row, int col) { return col & row; });
    ColumnFault fault = first_fault(map);
    EXPECT_EQ(ColumnFault::Kind::collision, fault.kind);
    // Row 0 has one place for four, row 1 (0 1 0 1) and row 2 (0 0 2 2) two, row 3 four.
    EXPECT_EQ(3 + 2 + 2, fault.count);
    EXPECT_EQ(
        "Elements (0, 0) and (0, 1) both lie in column 0 of row 0: the second overwrites the "
        "first.",
        in_words(fault, map));
}

TEST(ColumnMap, NamesTheFirstThatLeavesItsRow) {
    ColumnMap map = map_of(2, 3, 3, [](int row, int col) { return col + row; });
    EXPECT_EQ("Element (1, 2) would lie in column 3, and a row has columns 0 to 2.",
              in_words(first_fault(map), map));
    map = map_of(2, 3, 3, [](int row, int col) { return col - row; });
    EXPECT_EQ("Element (1, 0) would lie in column -1, and a row has columns 0 to 2.",
              in_words(first_fault(map), map));
    // With a pitch of 4 there is room for it.
    map = map_of(2, 3, 4, [](int row, int col) { return col + row; });
    EXPECT_EQ(ColumnFault::Kind::none, first_fault(map).kind);
}

TEST(ColumnMap, TellsWhichBitsAnXorMixes) {
    auto bits = as_xor(map_of(8, 8, 8, [](int row, int col) { return col ^ (row >> 1) ^ 4; }));
    ASSERT_TRUE(bits);
    ASSERT_EQ(3u, bits->size());
    EXPECT_EQ((XorBit{2, 1, false}), (*bits)[0]);
    EXPECT_EQ((XorBit{4, 2, false}), (*bits)[1]);
    EXPECT_EQ((XorBit{0, 4, true}), (*bits)[2]);
    EXPECT_EQ("col0 ^ row1", in_words((*bits)[0]));
    EXPECT_EQ("col2 ^ 1", in_words((*bits)[2]));
    EXPECT_EQ("0", in_words(XorBit{}));
}

TEST(ColumnMap, ASumThatCarriesIsNoXor) {
    EXPECT_FALSE(as_xor(map_of(4, 4, 4, [](int row, int col) { return (col + row) % 4; })));
    EXPECT_TRUE(as_xor(map_of(2, 2, 2, [](int row, int col) { return (col + row) % 2; })));
    EXPECT_FALSE(as_xor(map_of(4, 3, 3, [](int, int col) { return col; })));  // no power of two
    EXPECT_FALSE(as_xor(map_of(4, 4, 4, [](int row, int col) { return col + 4 * row; })));
    EXPECT_FALSE(as_xor({}));
}

}  // namespace
}  // namespace lanewise
