// What each store to global memory overwrote, in order, to be undone from the end.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/event/event.h"
#include "sim/memory/memory.h"

namespace lanewise {

class StoreJournal {
  public:
    // Before an access that may change global memory: the bytes that are there.
    void add(const MemoryEvent& event, const Memory& memory);
    void add(const BulkAccess& access, const Memory& memory);

    size_t length() const { return first_ + places_.size(); }
    uint64_t bytes() const { return places_.size() * sizeof(Place) + old_.size(); }
    // Puts back what was there at that length, which must not be forgotten.
    void undo_to(size_t length);
    // What came before that length can no longer be undone.
    void forget_before(size_t length);
    void clear();

  private:
    struct Place {
        std::byte* at;
        uint32_t bytes;
    };
    void add(std::byte* at, uint32_t bytes);
    std::vector<Place> places_;
    std::vector<std::byte> old_;  // of all places, one after another
    size_t first_ = 0;            // the number of places that were forgotten
};

}  // namespace lanewise
