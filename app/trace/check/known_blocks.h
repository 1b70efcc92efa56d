// Blocks that do in shared memory, event after event, exactly what a block before them did: the
// checker need not search them again.
//
// What the search for races and uninitialized reads comes to depends on the sequence of these
// events alone (which instruction, warp, lanes, addresses; which barriers), as long as it looked at
// no stored values. Where it found nothing, every block with the same sequence is free of faults
// too, and most blocks of most kernels have one of two or three sequences. They are compared in
// full: no hash decides. Where a block goes another way, the caller is given the events that it
// has not searched, and goes on searching.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <type_traits>
#include <vector>

#include "sim/event/event.h"

namespace lanewise {

// An event as far as the search looks at it.
struct SharedEvent {
    enum class What : uint8_t {
        access,
        matrix_read,
        copy_complete,
        proxy_fence,
        mbarrier,
        barrier,
        arrive,
        warp_sync
    };
    What what;
    uint8_t kind = 0;  // AccessKind, or MbarrierEvent::What
    uint8_t bytes_per_lane = 0, issuing_lane = 0;
    uint16_t warp = 0;
    bool is_store = false;
    bool has_place = false;    // copy_complete; barrier: it is the whole block's
    uint32_t instruction = 0;  // not of barriers, each warp of which has one
    uint32_t lanes = 0;        // barrier: the warps
    uint32_t place = 0;        // the mbarrier's address, or the barrier's number
    uint32_t finished = 0;     // barrier: warps that had ended before
    uint32_t pieces = 0;       // of a bulk copy, told of whole
    bool operator==(const SharedEvent& other) const {
        return std::memcmp(this, &other, sizeof other) == 0;
    }
    static SharedEvent of(const MemoryEvent& event, What what);
    static SharedEvent of(const BulkAccess& access, What what);
    // copy: a MemoryEvent or a BulkAccess
    template <class Copy>
    static SharedEvent completed(const Copy& copy, std::optional<uint32_t> mbarrier) {
        SharedEvent e = of(copy, What::copy_complete);
        e.has_place = mbarrier.has_value();
        e.place = mbarrier.value_or(0);
        return e;
    }
    static SharedEvent of(const MbarrierEvent& event);
    static SharedEvent of(const BarrierEvent& event);
    static SharedEvent of_warp(What what, uint32_t warp, uint32_t lanes, uint32_t place);
    // How many EventWords belong to it.
    size_t rows() const {
        if (pieces != 0) return (size_t{pieces} + 31) / 32;
        return what <= What::copy_complete || what == What::barrier ? 1 : 0;
    }
};

static_assert(std::has_unique_object_representations_v<SharedEvent>);

// Of each lane its address, or (barrier) of each warp its instruction; unspecified where the lane
// or the warp takes no part. Of a bulk copy that is told of whole: of 32 pieces their addresses.
using EventWords = std::array<uint32_t, 32>;

class KnownBlocks {
  public:
    // The next event of the present block. `words` is a pointer to an array of 32 words, null where
    // the event has none, or to the BulkAccess that it is of. True where some block did the same up
    // to here. Else the caller has to search, from now to the end of the block; the first time,
    // missed(event, its rows of words) is called before for each event that was only followed.
    template <class Words, class Missed>
    bool follow(const SharedEvent& event, const Words* words, Missed missed) {
        if (followed_) {
            if (is_next(*followed_, event, words) || find_other(event, words))
                return advance(event);
            leave(missed);
        }
        record(event, words);
        return false;
    }
    // The present block cannot be told by its events: there was a fault.
    template <class Missed>
    void abandon(Missed missed) {
        if (followed_) leave(missed);
        is_recording_ = false;
    }
    // The block is over: true where it is a known one.
    template <class Missed>
    bool end(Missed missed) {
        if (!followed_) return false;
        if (at_ == followed_->events.size() || find_ended()) return true;
        leave(missed);
        return false;
    }
    // After end(). is_clean: the block was searched, nothing was found and no stored value was
    // looked at, so that later ones may follow it.
    void start_next(bool is_clean);

  private:
    struct Sequence {
        std::vector<SharedEvent> events;
        std::vector<EventWords> words;  // of those events that have some, in their order
        // BulkCut::pattern of those events that are bulk copies, 0 of others: copies of one pattern
        // have the same words.
        std::vector<uint64_t> patterns;
    };
    template <class Words>
    bool is_next(Sequence&, const SharedEvent&, const Words* words) const;
    template <class Words>
    bool find_other(const SharedEvent&, const Words* words);
    bool find_ended();
    bool agrees_so_far(const Sequence& other) const;
    template <class Words>
    void record(const SharedEvent&, const Words* words);
    void record_followed();
    bool advance(const SharedEvent& event) {
        ++at_;
        words_at_ += event.rows();
        return true;
    }
    template <class Missed>
    void leave(Missed missed) {
        record_followed();
        followed_ = nullptr;
        std::span<const EventWords> words = recorded_.words;
        for (size_t i = 0; i < at_; ++i) {
            const SharedEvent& event = recorded_.events[i];
            missed(event, words.first(event.rows()));
            words = words.subspan(event.rows());
        }
    }

    static constexpr size_t kMost = 4;  // sequences that are known at a time
    static constexpr size_t kMostEvents = size_t{1} << 16;

    std::vector<Sequence> known_;
    size_t oldest_ = 0;
    Sequence* followed_ = nullptr;
    size_t at_ = 0, words_at_ = 0;  // of the present block, while it follows
    Sequence recorded_;             // of the present block, while it is searched
    bool is_recording_ = true;
};

}  // namespace lanewise
