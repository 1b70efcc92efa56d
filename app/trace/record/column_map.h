// Where the elements of a tile's rows lie when their columns are mapped: a swizzle, as a table.
// What is right and wrong with it, and whether it is an XOR of address bits. Pure functions.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace lanewise {

struct ColumnMap {
    int rows = 0, cols = 0;
    int pitch = 0;             // elements from a row's begin to the next one's; at least cols
    std::vector<int> columns;  // [row * cols + col]: the column where that element lies
    int at(int row, int col) const { return columns[static_cast<size_t>(row * cols + col)]; }
    // Element index in shared memory. Outside the tile where the column is outside its row.
    int64_t place(int row, int col) const { return int64_t{row} * pitch + at(row, col); }
    bool operator==(const ColumnMap&) const = default;
};

// The first element, row by row, that does not lie alone in its own row.
struct ColumnFault {
    enum class Kind : uint8_t { none, outside, collision } kind = Kind::none;
    int row = 0, col = 0;
    int other = 0;   // collision: the earlier column of this row that lies in the same place
    int column = 0;  // where both lie, or where the element outside its row does
    int count = 0;   // all elements of the tile that are at fault
};
// A row that keeps to its `pitch` columns and shares none is a permutation, of which padding may
// stay free.
ColumnFault first_fault(const ColumnMap& map);
// One sentence; "" where there is none.
std::string in_words(const ColumnFault& fault, const ColumnMap& map);

// One bit of the mapped column as the XOR of some bits of row and column.
struct XorBit {
    uint32_t row_bits = 0, col_bits = 0;
    bool inverted = false;
    bool operator==(const XorBit&) const = default;
};
// From the lowest bit up, for as many bits as `cols` takes; nothing where the mapping is no XOR of
// bits (a sum that carries, say), or where rows or cols are no power of two.
std::optional<std::vector<XorBit>> as_xor(const ColumnMap& map);
// "col0 ^ row0"; "0" or "1" where it depends on nothing.
std::string in_words(const XorBit& bit);

// One access to the tile by one warp.
struct TileAccess {
    uint32_t warp = 0, mask = 0;
    bool is_store = false;
    int line = 0;  // of the stage's source; 0 where unknown
    int bytes_per_lane = 4;
    int wavefronts = 0, wavefronts_ideal = 0;
    std::vector<int> elements;        // by lane: row * cols + col as the kernel names it; -1: none
    std::vector<uint64_t> addresses;  // by lane: byte offset into shared memory
};

}  // namespace lanewise
