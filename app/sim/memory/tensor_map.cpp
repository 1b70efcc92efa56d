#include "sim/memory/tensor_map.h"

#include <cstring>
#include <type_traits>

#include "base/error.h"

namespace lanewise {

namespace {

constexpr uint64_t kMark = 0x70616d2d6c77'0002;  // what no real map begins with, and a version

constexpr uint64_t kMostBoxBytes = 227 * 1024;

struct Encoded {
    uint64_t mark = kMark;
    uint64_t address;
    std::array<uint64_t, 5> sizes;
    std::array<uint64_t, 4> strides;
    std::array<uint16_t, 5> box;
    std::array<uint8_t, 5> element_strides;
    uint8_t element_bytes, dimensions, swizzle, is_im2col;
    std::array<int16_t, 3> lower, upper;
};
static_assert(sizeof(Encoded) <= kTensorMapBytes && std::is_trivially_copyable_v<Encoded>);

void demand(bool holds, const char* what) {
    if (!holds) throw Error(Status::bad_input, std::string("the tensor map is refused: ") + what);
}

uint32_t width_of(Swizzle swizzle) { return 16u << static_cast<uint32_t>(swizzle); }

uint64_t rows_of(const TensorMap& map) {
    if (map.is_im2col) return map.box[1];
    uint64_t rows = 1;
    for (size_t i = 1; i < map.dimensions; ++i)
        rows *= (map.box[i] + map.element_strides[i] - 1) / map.element_strides[i];
    return rows;
}

// The corners have 16, 8 or 5 bits, by how many there are.
void check_im2col(const TensorMap& map) {
    demand(map.dimensions >= 3, "a tensor for im2col has 3 to 5 dimensions");
    demand(map.box[0] >= 1 && map.box[0] <= 256, "im2col copies 1 to 256 channels of a pixel");
    demand(map.box[1] >= 1 && map.box[1] <= 1024, "im2col copies 1 to 1024 pixels");
    size_t sides = map.dimensions - 2;
    int most = sides == 1 ? 1 << 15 : sides == 2 ? 1 << 7 : 1 << 4;
    for (size_t i = 0; i < sides; ++i) {
        demand(map.lower[i] >= -most && map.lower[i] < most && map.upper[i] >= -most &&
                   map.upper[i] < most,
               sides == 1   ? "a corner for im2col of 3 dimensions is -32768 to 32767"
               : sides == 2 ? "a corner for im2col of 4 dimensions is -128 to 127"
                            : "a corner for im2col of 5 dimensions is -16 to 15");
        demand(map.lower[i] <= static_cast<int64_t>(map.sizes[i + 1]) - 1 + map.upper[i],
               "the lower corner for im2col lies behind the upper one");
    }
}

void check(const TensorMap& map) {
    uint32_t element = map.element_bytes;
    demand(map.address % 16 == 0, "the tensor's address must be a multiple of 16");
    demand(element == 1 || element == 2 || element == 4 || element == 8,
           "an element has 1, 2, 4 or 8 bytes");
    demand(map.dimensions >= 1 && map.dimensions <= TensorMap::kMostDimensions,
           "a tensor has 1 to 5 dimensions");
    for (size_t i = 0; i < map.dimensions; ++i) {
        demand(map.sizes[i] >= 1 && map.sizes[i] <= 1ull << 32, "a size is 1 to 2^32");
        demand(map.is_im2col || (map.box[i] >= 1 && map.box[i] <= 256),
               "the box has 1 to 256 elements each way");
        demand(map.element_strides[i] >= 1 && map.element_strides[i] <= 8,
               "an element stride is 1 to 8");
        if (i == 0) continue;
        demand(map.strides[i - 1] % 16 == 0 && map.strides[i - 1] < 1ull << 40,
               "a stride is a multiple of 16 bytes below 2^40");
    }
    if (map.is_im2col) check_im2col(map);
    demand(map.element_strides[0] == 1, "the innermost dimension has no element stride");
    demand(map.row_bytes() % 16 == 0, "a row of the box must be a multiple of 16 bytes");
    demand(map.swizzle <= Swizzle::bytes_128, "a swizzle is of 32, 64 or 128 bytes");
    demand(map.swizzle == Swizzle::none || map.row_bytes() <= width_of(map.swizzle),
           "a row of the box must be no wider than the swizzle: 32, 64 or 128 bytes");
    demand(map.footprint_bytes() <= kMostBoxBytes,
           "the box must fit into the 227 KiB of a block's shared memory");
}

}  // namespace

uint32_t TensorMap::row_pitch() const {
    return swizzle == Swizzle::none ? row_bytes() : width_of(swizzle);
}
uint64_t TensorMap::box_bytes() const { return row_bytes() * rows_of(*this); }
uint64_t TensorMap::footprint_bytes() const { return row_pitch() * rows_of(*this); }

TensorMapBytes encoded(const TensorMap& map) {
    check(map);
    Encoded all{kMark, map.address, map.sizes, map.strides, {}, {}, {}, {}, {}, {}, {}, {}};
    for (size_t i = 0; i < TensorMap::kMostDimensions; ++i) {
        all.box[i] = static_cast<uint16_t>(map.box[i]);
        all.element_strides[i] = static_cast<uint8_t>(map.element_strides[i]);
    }
    all.element_bytes = static_cast<uint8_t>(map.element_bytes);
    all.dimensions = static_cast<uint8_t>(map.dimensions);
    all.swizzle = static_cast<uint8_t>(map.swizzle);
    all.is_im2col = map.is_im2col ? 1 : 0;
    for (size_t i = 0; i < map.lower.size(); ++i) {
        all.lower[i] = static_cast<int16_t>(map.lower[i]);
        all.upper[i] = static_cast<int16_t>(map.upper[i]);
    }
    TensorMapBytes bytes{};
    std::memcpy(bytes.data(), &all, sizeof all);
    return bytes;
}

std::optional<TensorMap> decoded(std::span<const std::byte> bytes) {
    Encoded all{};
    if (bytes.size() < kTensorMapBytes) return {};
    std::memcpy(&all, bytes.data(), sizeof all);
    if (all.mark != kMark) return {};
    TensorMap map;
    map.address = all.address;
    map.element_bytes = all.element_bytes;
    map.dimensions = all.dimensions;
    map.sizes = all.sizes;
    map.strides = all.strides;
    for (size_t i = 0; i < TensorMap::kMostDimensions; ++i) {
        map.box[i] = all.box[i];
        map.element_strides[i] = all.element_strides[i];
    }
    map.swizzle = static_cast<Swizzle>(all.swizzle);
    if (all.is_im2col > 1) return {};
    map.is_im2col = all.is_im2col == 1;
    for (size_t i = 0; i < map.lower.size(); ++i) {
        map.lower[i] = all.lower[i];
        map.upper[i] = all.upper[i];
    }
    try {
        check(map);  // a kernel may have written into it
    } catch (const Error&) {
        return {};
    }
    return map;
}

}  // namespace lanewise
