// Readings of a product's registers, made by hand.
#include "trace/product/fragment_map.h"

#include <gtest/gtest.h>

#include <bit>
#include <cstring>

namespace lanewise {
namespace {

// One register of halves for A, one float each for B and C, at rows 0, 128 and 256 of the state.
struct Registers {
    std::array<uint32_t, 96> words{};
    uint32_t rows[3] = {0, 128, 256};
    std::array<ProductOperand, 3> operands = {{{'a', ProductOperand::Numbers::f16, 1, &rows[0]},
                                               {'b', ProductOperand::Numbers::f32, 1, &rows[1]},
                                               {'c', ProductOperand::Numbers::f32, 1, &rows[2]}}};
    ProductEvent event(uint32_t instruction, uint16_t warp) const {
        return {instruction, 0, warp, ~0u, reinterpret_cast<const std::byte*>(words.data()),
                operands};
    }
};

TEST(FragmentReader, TakesTheProductThatWasAskedFor) {
    Registers registers;
    registers.words[3] = 0x4000'3c00;                          // lane 3 of A: 1, and 2 above it
    registers.words[32 + 31] = std::bit_cast<uint32_t>(7.0f);  // lane 31 of B
    FragmentReader reader(2, 1);
    reader.on_product(registers.event(10, 2));
    EXPECT_FALSE(reader.found());
    reader.on_product(registers.event(11, 0));  // another warp's
    registers.words[64] = std::bit_cast<uint32_t>(5.0f);
    reader.on_product(registers.event(12, 2));
    reader.on_product(registers.event(13, 2));
    ASSERT_TRUE(reader.found());
    EXPECT_EQ(12u, reader.instruction());
    EXPECT_EQ(3u, reader.products());
    EXPECT_EQ(2, reader.a().per_register);
    ASSERT_EQ(64u, reader.a().numbers.size());
    EXPECT_EQ(1, reader.a().numbers[6]);
    EXPECT_EQ(2, reader.a().numbers[7]);
    EXPECT_EQ(7, reader.b().numbers[31]);
    EXPECT_EQ(5, reader.c().numbers[0]);
}

TEST(HeldFragment, IsPutTogetherFromRowsAndColumns) {
    FragmentReader::Numbers rows{1, 2, {1, 1, 4, 0}}, cols{1, 2, {2, 3, 1, 0}};
    HeldFragment held = held_fragment(rows, cols);
    EXPECT_EQ((HeldElement{0, 1}), held.at(0, 0, 0));
    EXPECT_EQ((HeldElement{0, 2}), held.at(0, 0, 1));
    EXPECT_EQ((HeldElement{3, 0}), held.at(1, 0, 0));
    EXPECT_EQ(HeldElement{}, held.at(1, 0, 1));  // a zero: no element of the matrix
}

}  // namespace
}  // namespace lanewise
