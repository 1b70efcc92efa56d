// What instructions take of a block's budget (Machine::Limits) besides the one that each takes, in
// instructions of 32 lanes that only compute: as long as both take to interpret and to count.
// Whoever does the work adds it to BlockMemory::work.
#pragma once
#include <bit>
#include <cstdint>

namespace lanewise {

constexpr uint64_t work_of_access(uint32_t lanes) {
    return 8 + static_cast<uint64_t>(std::popcount(lanes)) / 4;
}
// Atomics, ldmatrix and others that go from lane to lane.
constexpr uint64_t work_of_lanes(uint32_t lanes) {
    return 16 + static_cast<uint64_t>(std::popcount(lanes));
}
inline constexpr uint64_t kWorkOfProduct = 256;    // mma and wmma, one sum after another
inline constexpr uint64_t kWorkSideBySide = 32;    // the same, all sums at once
inline constexpr uint64_t kWorkOfPiece = 16;       // of a bulk copy; also bounds its memory
inline constexpr uint64_t kWorkOfCharacter = 8;    // of printf's format and text
inline constexpr uint64_t kWorkOfAllocation = 32;  // of one lane, and its release
inline constexpr uint64_t kWorkOfFault = 8;        // of one lane

}  // namespace lanewise
