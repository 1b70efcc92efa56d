#include "sim/memory/tensor_map.h"

#include <cstring>
#include <type_traits>

#include "base/error.h"

namespace lanewise {

namespace {

constexpr uint64_t kMark = 0x70616d2d6c77'0001;  // what no real map begins with, and a version

constexpr uint64_t kMostBoxBytes = 227 * 1024;

struct Encoded {
    uint64_t mark = kMark;
    uint64_t address;
    std::array<uint64_t, 5> sizes;
    std::array<uint64_t, 4> strides;
    std::array<uint16_t, 5> box;
    std::array<uint8_t, 5> element_strides;
    uint8_t element_bytes, dimensions, swizzle;
};
static_assert(sizeof(Encoded) <= kTensorMapBytes && std::is_trivially_copyable_v<Encoded>);

void demand(bool holds, const char* what) {
    if (!holds) throw Error(Status::bad_input, std::string("the tensor map is refused: ") + what);
}

uint32_t width_of(Swizzle swizzle) { return 16u << static_cast<uint32_t>(swizzle); }

uint64_t rows_of(const TensorMap& map) {
    uint64_t rows = 1;
    for (size_t i = 1; i < map.dimensions; ++i)
        rows *= (map.box[i] + map.element_strides[i] - 1) / map.element_strides[i];
    return rows;
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
        demand(map.box[i] >= 1 && map.box[i] <= 256, "the box has 1 to 256 elements each way");
        demand(map.element_strides[i] >= 1 && map.element_strides[i] <= 8,
               "an element stride is 1 to 8");
        if (i == 0) continue;
        demand(map.strides[i - 1] % 16 == 0 && map.strides[i - 1] < 1ull << 40,
               "a stride is a multiple of 16 bytes below 2^40");
    }
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
    Encoded all{kMark, map.address, map.sizes, map.strides, {}, {}, {}, {}, {}};
    for (size_t i = 0; i < TensorMap::kMostDimensions; ++i) {
        all.box[i] = static_cast<uint16_t>(map.box[i]);
        all.element_strides[i] = static_cast<uint8_t>(map.element_strides[i]);
    }
    all.element_bytes = static_cast<uint8_t>(map.element_bytes);
    all.dimensions = static_cast<uint8_t>(map.dimensions);
    all.swizzle = static_cast<uint8_t>(map.swizzle);
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
    try {
        check(map);  // a kernel may have written into it
    } catch (const Error&) {
        return {};
    }
    return map;
}

}  // namespace lanewise
