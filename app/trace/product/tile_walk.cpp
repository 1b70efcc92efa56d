#include "trace/product/tile_walk.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <map>

namespace lanewise {

namespace {

// Calls f(address, bytes) for everything that the access touches of global memory.
template <class F>
void each_address(const MemoryEvent& event, F f) {
    for (uint32_t lanes = event.mask; lanes != 0; lanes &= lanes - 1)
        f((*event.addresses)[static_cast<size_t>(std::countr_zero(lanes))], event.bytes_per_lane);
}

// Parts that are fetched together and multiplied together are one, where that is known.
bool are_one(const WalkStep& a, const WalkStep& b) {
    return a.fetched == b.fetched && a.multiplied == b.multiplied && a.k.end == b.k.begin;
}

}  // namespace

void Span::add(int index) { add({index, index + 1}); }
void Span::add(const Span& other) {
    if (other.is_empty()) return;
    *this = is_empty() ? other : Span{std::min(begin, other.begin), std::max(end, other.end)};
}

int fetched_ahead(const TileWalk& walk, size_t step) {
    int ahead = 0;
    for (size_t i = step + 1; i < walk.steps.size(); ++i)
        ahead += walk.through_shared && walk.steps[i].fetched <= walk.steps[step].multiplied;
    return ahead;
}

TileWalker::TileWalker(const Matrices& matrices)
    : m_(matrices), indices_(static_cast<size_t>(matrices.K)) {
    found_.M = m_.M, found_.N = m_.N, found_.K = m_.K;
}

void TileWalker::on_memory(const MemoryEvent& event) {
    found_.block = event.block;
    bool global = event.space == Space::global;
    if (global && event.is_store) return write(event);
    if (global) return fetch(event);
    bool is_read = !event.is_store && event.shared && event.kind != AccessKind::barrier &&
                   event.kind != AccessKind::bulk_copy;
    if (is_read) read_shared(event);
}

void TileWalker::fetch(const MemoryEvent& event) {
    last_a_ = -1;
    found_.by_bulk_copies |= event.kind == AccessKind::bulk_copy;
    each_address(event, [&](uint64_t address, uint32_t bytes) { take(address, bytes); });
}

void TileWalker::take(uint64_t address, uint32_t bytes) {
    auto K = static_cast<uint64_t>(m_.K), N = static_cast<uint64_t>(m_.N);
    for (uint32_t at = 0; at < bytes; at += m_.element_bytes) {
        uint64_t a = (address + at - m_.a) / m_.element_bytes;  // huge where it lies before
        uint64_t b = (address + at - m_.b) / m_.element_bytes;
        if (a < static_cast<uint64_t>(m_.M) * K)
            take_a(a);
        else if (b < K * N)
            take_b(b);
    }
}

void TileWalker::take_a(uint64_t element) {
    auto K = static_cast<uint64_t>(m_.K);
    auto k = static_cast<int>(element % K);
    indices_[static_cast<size_t>(k)].rows.add(static_cast<int>(element / K));
    mark_fetched(k);
    if (last_a_ >= 0) join(k, last_a_);
    last_a_ = k;
}

void TileWalker::take_b(uint64_t element) {
    auto N = static_cast<uint64_t>(m_.N);
    auto k = static_cast<int>(element / N);
    indices_[static_cast<size_t>(k)].cols.add(static_cast<int>(element % N));
    mark_fetched(k);
}

void TileWalker::read_shared(const MemoryEvent& event) {
    each_address(event, [&](uint64_t address, uint32_t bytes) {
        for (uint32_t at = 0; at < bytes; at += m_.element_bytes) {
            uint32_t mark = 0;
            std::memcpy(&mark, event.shared + address + at, m_.element_bytes);
            if (mark < 1 || mark > 2 * static_cast<uint32_t>(m_.K)) continue;
            int& read = indices_[(mark - 1) % static_cast<uint32_t>(m_.K)].read;
            if (read < 0) read = phase_;
        }
    });
}

void TileWalker::write(const MemoryEvent& event) {
    auto N = static_cast<uint64_t>(m_.N);
    each_address(event, [&](uint64_t address, uint32_t bytes) {
        for (uint32_t at = 0; at < bytes; at += 4) {
            uint64_t element = (address + at - m_.c) / 4;
            if (element >= static_cast<uint64_t>(m_.M) * N) continue;
            found_.c_rows.add(static_cast<int>(element / N));
            found_.c_cols.add(static_cast<int>(element % N));
        }
    });
}

void TileWalker::mark_fetched(int k) {
    int& fetched = indices_[static_cast<size_t>(k)].fetched;
    if (fetched < 0) fetched = phase_;
}

int TileWalker::root_of(int k) const {
    while (indices_[static_cast<size_t>(k)].with >= 0) k = indices_[static_cast<size_t>(k)].with;
    return k;
}

// The least index stands for all of a step.
void TileWalker::join(int k, int other) {
    int a = root_of(k), b = root_of(other);
    if (a != b) indices_[static_cast<size_t>(std::max(a, b))].with = std::min(a, b);
}

TileWalk TileWalker::walk() const {
    TileWalk walk = found_;
    std::map<int, WalkStep> parts;  // by the index that stands for them
    for (int k = 0; k < m_.K; ++k) {
        const Index& index = indices_[static_cast<size_t>(k)];
        if (index.fetched < 0) continue;
        int read = index.read >= 0 ? index.read : index.fetched;
        walk.through_shared |= index.read >= 0;
        WalkStep& part =
            parts.try_emplace(root_of(k), WalkStep{{}, {}, {}, index.fetched, read}).first->second;
        part.k.add(k);
        part.rows.add(index.rows);
        part.cols.add(index.cols);
        part.fetched = std::min(part.fetched, index.fetched);
        part.multiplied = std::min(part.multiplied, read);
    }
    for (const auto& [root, part] : parts) walk.steps.push_back(part);
    std::stable_sort(
        walk.steps.begin(), walk.steps.end(),
        [](const WalkStep& a, const WalkStep& b) { return a.multiplied < b.multiplied; });
    if (!walk.through_shared) return walk;
    std::vector<WalkStep> merged;
    for (const WalkStep& step : walk.steps) {
        if (merged.empty() || !are_one(merged.back(), step)) {
            merged.push_back(step);
            continue;
        }
        merged.back().k.add(step.k);
        merged.back().rows.add(step.rows);
        merged.back().cols.add(step.cols);
    }
    walk.steps = std::move(merged);
    return walk;
}

}  // namespace lanewise
