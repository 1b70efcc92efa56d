// What a CUtensorMap says, as plain values: a tensor in global memory and the box of it that one
// cp.async.bulk.tensor copies (CUDA driver API, cuTensorMapEncodeTiled).
//
// A kernel takes the map as 128 opaque bytes, by value (`const __grid_constant__`) or by address.
// For the machine these bytes are encoded(map); for a GPU the same description goes to
// cuTensorMapEncodeTiled, or to cuTensorMapEncodeIm2col. Interleaved layouts are not described.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace lanewise {

// The 16-byte chunks of a row in shared memory are permuted: bits of their number are XOR-ed with
// the bits 7, 8, 9 of the address, one, two or all three of them (PTX manual, "Swizzling Modes").
enum class Swizzle : uint8_t { none, bytes_32, bytes_64, bytes_128 };

struct TensorMap {
    static constexpr size_t kMostDimensions = 5;
    uint64_t address = 0;                                 // device address, a multiple of 16
    uint32_t element_bytes = 4;                           // 1, 2, 4 or 8
    uint32_t dimensions = 1;                              // 1 to 5; the innermost comes first
    std::array<uint64_t, kMostDimensions> sizes{};        // in elements
    std::array<uint64_t, kMostDimensions - 1> strides{};  // bytes from one row to the next, of
                                                          // dimension 1, 2, …; multiples of 16
    std::array<uint32_t, kMostDimensions> box{};          // in elements, 1 to 256
    // Every how manyeth element of the box is copied, 1 to 8; of the innermost dimension always 1.
    std::array<uint32_t, kMostDimensions> element_strides{1, 1, 1, 1, 1};
    Swizzle swizzle = Swizzle::none;
    // im2col (PTX manual, "Im2col mode"), of 3 to 5 dimensions: channels, then W, H and D, then images.
    // A copy takes box[1] pixels of box[0] channels each, and the other sides of the box are 0. They
    // follow each other in W, then H, then D, then from image to image, element_strides apart, within
    // these corners. Those of D, H, W count from the tensor's first and last pixel; W comes first.
    bool is_im2col = false;
    std::array<int32_t, 3> lower{}, upper{};

    uint32_t row_bytes() const { return box[0] * element_bytes; }
    // From one row of the box to the next in shared memory: with a swizzle all of its width, even
    // where the rows are narrower, as an H200 does it (tests/golden/h200/narrow_boxes.txt).
    uint32_t row_pitch() const;
    // That are copied, and of which an mbarrier is told.
    uint64_t box_bytes() const;
    // Of shared memory that the box lies in.
    uint64_t footprint_bytes() const;
    bool operator==(const TensorMap&) const = default;
};

// The box that one copy moves: of which tensor, and from which element on; coordinates may lie
// outside.
struct TensorBox {
    TensorMap map;
    std::array<int64_t, TensorMap::kMostDimensions> start{};
    std::array<int64_t, 3> offsets{};  // im2col: from the place in W, H, D to the pixel that is read
};

inline constexpr size_t kTensorMapBytes = 128;
using TensorMapBytes = std::array<std::byte, kTensorMapBytes>;

// Throws Error(bad_input) for what the driver's functions refuse, and for a box larger than shared
// memory.
TensorMapBytes encoded(const TensorMap& map);
// Nothing where the bytes are not those of encoded().
std::optional<TensorMap> decoded(std::span<const std::byte> bytes);

// Where a byte of the box lies in shared memory: `address` is that which it would have without
// swizzle. Bits below 4 stay.
inline uint64_t swizzled(uint64_t address, Swizzle swizzle) {
    uint64_t chunk_bits = (1ull << static_cast<uint32_t>(swizzle)) - 1;  // 0, 1, 3, 7
    return address ^ ((address >> 7 & chunk_bits) << 4);
}

}  // namespace lanewise
