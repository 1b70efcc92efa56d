#include "trace/product/reuse.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <numeric>

namespace lanewise {

namespace {

uint32_t bits_at(const std::byte* from, uint32_t bytes) {
    uint32_t bits = 0;
    std::memcpy(&bits, from, bytes);
    return bits;
}

// Calls f(address) once for each distinct element of `bytes` that the instruction reads.
template <class F>
void each_element(const MemoryEvent& event, uint32_t bytes, std::vector<uint64_t>& seen, F f) {
    seen.clear();
    for (uint32_t lanes = event.mask; lanes != 0; lanes &= lanes - 1) {
        uint64_t address = (*event.addresses)[static_cast<size_t>(std::countr_zero(lanes))];
        for (uint32_t at = 0; at < event.bytes_per_lane; at += bytes) seen.push_back(address + at);
    }
    std::sort(seen.begin(), seen.end());
    seen.erase(std::unique(seen.begin(), seen.end()), seen.end());
    for (uint64_t address : seen) f(address);
}

}  // namespace

ReuseMap::Range range_of(std::span<const uint32_t> fetches) {
    if (fetches.empty()) return {};
    auto [least, most] = std::minmax_element(fetches.begin(), fetches.end());
    double sum = std::accumulate(fetches.begin(), fetches.end(), 0.0);
    return {*least, *most, sum / static_cast<double>(fetches.size())};
}

ReuseCounter::ReuseCounter(std::span<const Matrix> matrices)
    : matrices_(matrices.begin(), matrices.end()) {
    for (size_t m = 0; m < matrices_.size(); ++m) {
        const Matrix& matrix = matrices_[m];
        size_t elements = static_cast<size_t>(matrix.rows) * static_cast<size_t>(matrix.cols);
        maps_.push_back({matrix.rows, matrix.cols, std::vector<uint32_t>(elements),
                         std::vector<uint32_t>(elements)});
        smallest_ = std::min(smallest_, matrix.element_bytes);
        for (size_t i = 0; matrix.elements && i < elements; ++i) {
            uint32_t bits =
                bits_at(matrix.elements + i * matrix.element_bytes, matrix.element_bytes);
            if (bits != 0) by_bits_[bits] = {m, i};  // zeros are what stands beyond the edges
        }
    }
}

void ReuseCounter::on_memory(const MemoryEvent& event) {
    if (event.space == Space::global) return count_global(event);
    // A bulk copy fetches each element of its box once, and one that stores none; nor does an
    // mbarrier, whose bits may look like an element's.
    bool is_fetch = event.kind != AccessKind::bulk_copy && event.kind != AccessKind::barrier;
    if (!event.is_store && event.shared && is_fetch) count_shared(event);
}

void ReuseCounter::on_matrix_read(const MemoryEvent& event) {
    if (event.is_of_warpgroup && event.warp % 4 != 0) return;  // the first of the four has told
    count_shared(event);
}

void ReuseCounter::count_global(const MemoryEvent& event) {
    each_element(event, smallest_, seen_, [&](uint64_t address) {
        for (size_t m = 0; m < matrices_.size(); ++m) {
            if (event.is_store == (matrices_[m].elements != nullptr)) continue;
            uint64_t offset = address - matrices_[m].address;  // huge where it lies before
            uint64_t element = offset / matrices_[m].element_bytes;
            if (offset % matrices_[m].element_bytes == 0 && element < maps_[m].global.size())
                ++maps_[m].global[element];
        }
    });
}

void ReuseCounter::count_shared(const MemoryEvent& event) {
    each_element(event, smallest_, seen_, [&](uint64_t address) {
        auto place = by_bits_.find(bits_at(event.shared + address, smallest_));
        if (place != by_bits_.end()) ++maps_[place->second.matrix].shared[place->second.element];
    });
}

}  // namespace lanewise
