#include "trace/record/column_map.h"

#include <bit>

namespace lanewise {

ColumnFault first_fault(const ColumnMap& map) {
    ColumnFault first;
    auto note = [&](ColumnFault fault) {
        int count = first.count + 1;
        if (first.kind == ColumnFault::Kind::none) first = fault;
        first.count = count;
    };
    for (int row = 0; row < map.rows; ++row) {
        std::vector<int> taken_by(static_cast<size_t>(map.pitch), -1);
        for (int col = 0; col < map.cols; ++col) {
            int column = map.at(row, col);
            if (column < 0 || column >= map.pitch) {
                note({ColumnFault::Kind::outside, row, col, 0, column, 0});
                continue;
            }
            int& other = taken_by[static_cast<size_t>(column)];
            if (other >= 0)
                note({ColumnFault::Kind::collision, row, col, other, column, 0});
            else
                other = col;
        }
    }
    return first;
}

std::string in_words(const ColumnFault& fault, const ColumnMap& map) {
    auto element = [&](int col) {
        return "(" + std::to_string(fault.row) + ", " + std::to_string(col) + ")";
    };
    switch (fault.kind) {
        case ColumnFault::Kind::outside:
            return "Element " + element(fault.col) + " would lie in column " +
                   std::to_string(fault.column) + ", and a row has columns 0 to " +
                   std::to_string(map.pitch - 1) + ".";
        case ColumnFault::Kind::collision:
            return "Elements " + element(fault.other) + " and " + element(fault.col) +
                   " both lie in column " + std::to_string(fault.column) + " of row " +
                   std::to_string(fault.row) + ": the second overwrites the first.";
        default:
            return "";
    }
}

static std::string names_of(uint32_t bits, const char* name) {
    std::string words;
    for (int bit = 0; bit < 32; ++bit)
        if (bits >> bit & 1)
            words += (words.empty() ? "" : " ^ ") + std::string(name) + std::to_string(bit);
    return words;
}

std::string in_words(const XorBit& bit) {
    std::string words = names_of(bit.col_bits, "col"), rows = names_of(bit.row_bits, "row");
    if (!words.empty() && !rows.empty()) words += " ^ ";
    words += rows;
    if (words.empty()) return bit.inverted ? "1" : "0";
    return bit.inverted ? words + " ^ 1" : words;
}

std::optional<std::vector<XorBit>> as_xor(const ColumnMap& map) {
    if (map.rows <= 0 || map.cols <= 0) return std::nullopt;
    auto rows = static_cast<uint32_t>(map.rows), cols = static_cast<uint32_t>(map.cols);
    if (!std::has_single_bit(rows) || !std::has_single_bit(cols)) return std::nullopt;
    // If it is one, the elements of a single bit each say what that bit does …
    auto origin = static_cast<uint32_t>(map.at(0, 0));
    int out = std::bit_width(cols - 1);
    std::vector<XorBit> bits(static_cast<size_t>(out));
    auto learn = [&](uint32_t mapped, uint32_t input, uint32_t XorBit::*of) {
        for (int bit = 0; bit < out; ++bit)
            if ((mapped ^ origin) >> bit & 1) bits[static_cast<size_t>(bit)].*of |= input;
    };
    for (uint32_t row = 1; row < rows; row *= 2)
        learn(static_cast<uint32_t>(map.at(static_cast<int>(row), 0)), row, &XorBit::row_bits);
    for (uint32_t col = 1; col < cols; col *= 2)
        learn(static_cast<uint32_t>(map.at(0, static_cast<int>(col))), col, &XorBit::col_bits);
    for (int bit = 0; bit < out; ++bit) bits[static_cast<size_t>(bit)].inverted = origin >> bit & 1;
    // … and all the others must agree.
    for (uint32_t row = 0; row < rows; ++row)
        for (uint32_t col = 0; col < cols; ++col) {
            uint32_t expected = 0;
            for (int bit = 0; bit < out; ++bit) {
                const XorBit& b = bits[static_cast<size_t>(bit)];
                auto ones = std::popcount(row & b.row_bits) + std::popcount(col & b.col_bits);
                expected |= ((static_cast<uint32_t>(ones) & 1) ^ b.inverted) << bit;
            }
            if (static_cast<uint32_t>(map.at(static_cast<int>(row), static_cast<int>(col))) !=
                expected)
                return std::nullopt;
        }
    return bits;
}

}  // namespace lanewise
