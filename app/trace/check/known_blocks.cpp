#include "trace/check/known_blocks.h"

#include <algorithm>

#include "trace/lane_compare.h"

namespace lanewise {

SharedEvent SharedEvent::of(const MemoryEvent& event, What what) {
    SharedEvent e{what};
    e.kind = static_cast<uint8_t>(event.kind);
    e.bytes_per_lane = event.bytes_per_lane;
    e.issuing_lane = event.issuing_lane;
    e.warp = event.warp;
    e.is_store = event.is_store;
    e.instruction = event.instruction;
    e.lanes = event.mask;
    return e;
}

SharedEvent SharedEvent::of(const BulkAccess& access, What what) {
    SharedEvent e{what};
    e.kind = static_cast<uint8_t>(AccessKind::bulk_copy);
    e.bytes_per_lane = access.pieces.cut().width;
    e.issuing_lane = access.lane;
    e.warp = access.warp;
    e.is_store = access.is_store;
    e.instruction = access.instruction;
    e.pieces = static_cast<uint32_t>(access.count());
    return e;
}

SharedEvent SharedEvent::of(const MbarrierEvent& event) {
    SharedEvent e{What::mbarrier};
    e.kind = static_cast<uint8_t>(event.what);
    e.warp = event.warp;
    e.instruction = event.instruction;
    e.lanes = event.lanes;
    e.place = event.address;
    return e;
}

SharedEvent SharedEvent::of(const BarrierEvent& event) {
    SharedEvent e{What::barrier};
    e.has_place = event.whole_block;
    e.lanes = event.warps;
    e.place = event.barrier;
    e.finished = event.finished;
    return e;
}

SharedEvent SharedEvent::of_warp(What what, uint32_t warp, uint32_t lanes, uint32_t place) {
    SharedEvent e{what};
    e.warp = static_cast<uint16_t>(warp);
    e.lanes = lanes;
    e.place = place;
    return e;
}

namespace {

template <class Word>
bool same_words(const EventWords* known, const std::array<Word, 32>& words,
                const SharedEvent& event) {
    if constexpr (std::is_same_v<std::array<Word, 32>, LaneWides>)
        if (event.lanes == ~0u) return lie_at(words, *known);
    Word difference = 0;
    for (size_t n = 0; n < 32; ++n) difference |= event.lanes >> n & 1 ? (*known)[n] ^ words[n] : 0;
    return difference == 0;
}

bool same_words(const EventWords* known, const BulkAccess& access, const SharedEvent&) {
    size_t n = 0;
    for (const BulkPiece& piece : access.pieces.cut().all) {
        if (!access.is_accessed(piece)) continue;
        if (known[n / 32][n % 32] != piece.shared) return false;
        ++n;
    }
    return true;
}

template <class Word>
void append(std::vector<EventWords>& to, const std::array<Word, 32>& words,
            const SharedEvent& event) {
    EventWords& copy = to.emplace_back();
    for (size_t n = 0; n < 32; ++n)
        copy[n] = event.lanes >> n & 1 ? static_cast<uint32_t>(words[n]) : 0;
}

void append(std::vector<EventWords>& to, const BulkAccess& access, const SharedEvent& event) {
    size_t first = to.size(), n = 0;
    to.resize(first + event.rows());
    for (const BulkPiece& piece : access.pieces.cut().all) {
        if (!access.is_accessed(piece)) continue;
        to[first + n / 32][n % 32] = piece.shared;
        ++n;
    }
}

template <class Word>
uint64_t pattern_of(const std::array<Word, 32>*) {
    return 0;
}
uint64_t pattern_of(const BulkAccess* access) { return access->pieces.cut().pattern; }

}  // namespace

template <class Words>
bool KnownBlocks::is_next(Sequence& sequence, const SharedEvent& event, const Words* words) const {
    if (at_ >= sequence.events.size() || sequence.events[at_] != event) return false;
    if (!words) return true;
    uint64_t pattern = pattern_of(words);
    if (pattern != 0 && sequence.patterns[at_] == pattern) return true;
    if (!same_words(&sequence.words[words_at_], *words, event)) return false;
    if (pattern != 0) sequence.patterns[at_] = pattern;
    return true;
}

// What the present block has done so far it has followed; the other one must have done it, too.
bool KnownBlocks::agrees_so_far(const Sequence& other) const {
    if (other.events.size() < at_ || other.words.size() < words_at_) return false;
    auto end = static_cast<std::ptrdiff_t>(at_), words_end = static_cast<std::ptrdiff_t>(words_at_);
    return std::equal(other.events.begin(), other.events.begin() + end,
                      followed_->events.begin()) &&
           std::equal(other.words.begin(), other.words.begin() + words_end,
                      followed_->words.begin());
}

template <class Words>
bool KnownBlocks::find_other(const SharedEvent& event, const Words* words) {
    for (Sequence& other : known_) {
        if (&other == followed_ || !is_next(other, event, words) || !agrees_so_far(other)) continue;
        followed_ = &other;
        return true;
    }
    return false;
}

bool KnownBlocks::find_ended() {
    for (Sequence& other : known_) {
        if (other.events.size() != at_ || !agrees_so_far(other)) continue;
        followed_ = &other;
        return true;
    }
    return false;
}

template <class Words>
void KnownBlocks::record(const SharedEvent& event, const Words* words) {
    if (!is_recording_) return;
    if (recorded_.events.size() == kMostEvents ||
        recorded_.words.size() + event.rows() > kMostEvents) {
        is_recording_ = false;
        return;
    }
    recorded_.events.push_back(event);
    recorded_.patterns.push_back(words ? pattern_of(words) : 0);
    if (words) append(recorded_.words, *words, event);
}

void KnownBlocks::record_followed() {
    auto end = static_cast<std::ptrdiff_t>(at_), words_end = static_cast<std::ptrdiff_t>(words_at_);
    recorded_.events.assign(followed_->events.begin(), followed_->events.begin() + end);
    recorded_.patterns.assign(followed_->patterns.begin(), followed_->patterns.begin() + end);
    recorded_.words.assign(followed_->words.begin(), followed_->words.begin() + words_end);
}

void KnownBlocks::start_next(bool is_clean) {
    if (is_clean && is_recording_ && !followed_) {
        if (known_.size() < kMost) known_.emplace_back();
        followed_ = &known_[oldest_++ % kMost];
        std::swap(*followed_, recorded_);
    }
    if (!followed_ && !known_.empty()) followed_ = &known_.front();
    recorded_.events.clear();
    recorded_.words.clear();
    recorded_.patterns.clear();
    is_recording_ = true;
    at_ = words_at_ = 0;
}

template bool KnownBlocks::is_next(Sequence&, const SharedEvent&,
                                   const std::array<uint64_t, 32>*) const;
template bool KnownBlocks::is_next(Sequence&, const SharedEvent&, const EventWords*) const;
template bool KnownBlocks::is_next(Sequence&, const SharedEvent&, const BulkAccess*) const;
template bool KnownBlocks::find_other(const SharedEvent&, const std::array<uint64_t, 32>*);
template bool KnownBlocks::find_other(const SharedEvent&, const EventWords*);
template bool KnownBlocks::find_other(const SharedEvent&, const BulkAccess*);
template void KnownBlocks::record(const SharedEvent&, const std::array<uint64_t, 32>*);
template void KnownBlocks::record(const SharedEvent&, const EventWords*);
template void KnownBlocks::record(const SharedEvent&, const BulkAccess*);

}  // namespace lanewise
