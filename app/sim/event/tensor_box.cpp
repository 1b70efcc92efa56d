#include "sim/event/tensor_box.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <utility>

namespace lanewise {

namespace {

class Box {
  public:
    Box(const TensorMap& map, const std::array<int64_t, 5>& start, uint64_t shared, bool to_shared)
        : map_(map), start_(start), shared_(shared) {
        // The end of a row of the tensor is a multiple of a piece.
        uint64_t ends = (to_shared ? map.sizes[0] * map.element_bytes : 0) | kAlignInRow;
        width_ = static_cast<uint32_t>(ends & (0 - ends));
    }

    BulkCut cut() {
        size_t rows = 1;
        for (size_t i = 1; i < map_.dimensions; ++i) rows *= map_.box[i];
        cut_.width = static_cast<uint8_t>(width_);
        cut_.all.reserve(rows * ((map_.row_bytes() + width_ - 1) / width_));
        dimension(map_.dimensions - 1, map_.address, false);
        return std::move(cut_);
    }

    // Pixel after pixel, from the box's start: W first, and behind the upper corner from the lower
    // one again, one H on, and so on; then the next image.
    BulkCut pixels(const std::array<int64_t, 3>& offsets) {
        cut_.width = static_cast<uint8_t>(width_);
        cut_.all.reserve(map_.box[1] * ((map_.row_bytes() + width_ - 1) / width_));
        std::array<int64_t, 5> at = start_;
        const size_t images = map_.dimensions - 1;
        for (uint32_t pixel = 0; pixel < map_.box[1]; ++pixel) {
            uint64_t address = map_.address;
            bool is_outside = false;
            for (size_t i = 1; i < map_.dimensions; ++i) {
                int64_t index = at[i] + (i < images ? offsets[i - 1] : 0);
                is_outside |= index < 0 || static_cast<uint64_t>(index) >= map_.sizes[i];
                address += static_cast<uint64_t>(index) * map_.strides[i - 1];
            }
            row(address, is_outside);
            size_t i = 1;
            for (; i < images; ++i) {
                at[i] += map_.element_strides[i];
                if (at[i] <= static_cast<int64_t>(map_.sizes[i]) - 1 + map_.upper[i - 1]) break;
                at[i] = map_.lower[i - 1];
            }
            if (i == images) ++at[i];
        }
        return std::move(cut_);
    }

  private:
    void dimension(size_t i, uint64_t address, bool is_outside) {
        if (i == 0) return row(address, is_outside);
        for (uint32_t at = 0; at < map_.box[i]; at += map_.element_strides[i]) {
            int64_t index = start_[i] + at;
            bool beyond = index < 0 || static_cast<uint64_t>(index) >= map_.sizes[i];
            dimension(i - 1, address + static_cast<uint64_t>(index) * map_.strides[i - 1],
                      is_outside || beyond);
        }
    }
    void row(uint64_t address, bool is_outside) {
        auto first = static_cast<int64_t>(map_.element_bytes) * start_[0];
        auto size = static_cast<int64_t>(map_.sizes[0] * map_.element_bytes);
        uint64_t to = shared_ + offset_;
        offset_ += map_.row_pitch();
        for (uint32_t at = 0; at < map_.row_bytes(); at += width_) {
            int64_t index = first + at;
            bool beyond = is_outside || index < 0 || index >= size;
            auto shared = static_cast<uint32_t>(swizzled(to + at, map_.swizzle));
            cut_.add({shared, address + static_cast<uint64_t>(index), beyond, row_});
        }
        ++row_;
    }

    const TensorMap& map_;
    const std::array<int64_t, 5>& start_;
    uint64_t shared_, offset_ = 0;
    uint32_t width_, row_ = 0;
    BulkCut cut_;
};

// One that no other thread has, as a counter may see the boxes of several machines.
uint64_t new_pattern() {
    static std::atomic<uint64_t> last{0};
    return ++last;
}

bool is_within(const TensorMap& map, const std::array<int64_t, 5>& start) {
    for (size_t i = 0; i < map.dimensions; ++i)
        if (start[i] < 0 || static_cast<uint64_t>(start[i]) + map.box[i] > map.sizes[i])
            return false;
    return true;
}

uint64_t first_byte(const TensorMap& map, const std::array<int64_t, 5>& start) {
    uint64_t address = map.address + static_cast<uint64_t>(start[0]) * map.element_bytes;
    for (size_t i = 1; i < map.dimensions; ++i)
        address += static_cast<uint64_t>(start[i]) * map.strides[i - 1];
    return address;
}

}  // namespace

const TensorMap* TensorBoxes::map(std::span<const std::byte> bytes) {
    for (const Known& known : maps_)
        if (bytes.size() == known.bytes.size() &&
            std::memcmp(bytes.data(), known.bytes.data(), bytes.size()) == 0)
            return &known.map;
    std::optional<TensorMap> map = decoded(bytes);
    if (!map) return nullptr;
    if (maps_.size() < kMost) maps_.emplace_back();
    Known& known = maps_[oldest_map_++ % kMost];
    std::copy(bytes.begin(), bytes.end(), known.bytes.begin());
    known.map = *map;
    return &known.map;
}

BulkPieces TensorBoxes::cut_im2col(const TensorBox& box, uint64_t shared, bool to_shared) {
    return Box(box.map, box.start, shared, to_shared).pixels(box.offsets);
}

BulkPieces TensorBoxes::cut(const TensorMap& map, const std::array<int64_t, 5>& start,
                            uint64_t shared, bool to_shared) {
    bool is_inside = is_within(map, start);
    uint64_t first = first_byte(map, start);
    for (const Pattern& known : patterns_) {
        if (!is_inside) break;
        if (known.shared == shared && known.to_shared == to_shared && known.map == map)
            return {known.cut, first};
    }
    BulkCut cut = Box(map, start, shared, to_shared).cut();
    if (!is_inside) return cut;
    cut.pattern = new_pattern();
    cut.count_from(first);
    auto kept = std::make_shared<const BulkCut>(std::move(cut));
    if (patterns_.size() < kMost) patterns_.emplace_back();
    patterns_[oldest_pattern_++ % kMost] = {map, shared, to_shared, kept};
    return {kept, first};
}

}  // namespace lanewise
