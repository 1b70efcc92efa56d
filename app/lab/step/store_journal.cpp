#include "lab/step/store_journal.h"

#include <cstring>

namespace lanewise {

// Neighbours that one instruction stores become one place.
void StoreJournal::add(const MemoryEvent& event, const Memory& memory) {
    std::byte* begin = nullptr;
    uint32_t count = 0;
    for (size_t n = 0; n < event.addresses->size(); ++n) {
        if (!(event.mask >> n & 1)) continue;
        uint64_t address = (*event.addresses)[n];
        const Memory::Buffer* buffer = memory.find(address, event.bytes_per_lane);
        if (!buffer || !buffer->storage) continue;
        std::byte* at = buffer->storage + (address - buffer->address);
        if (begin && at == begin + count) {
            count += event.bytes_per_lane;
            continue;
        }
        if (begin) add(begin, count);
        begin = at;
        count = event.bytes_per_lane;
    }
    if (begin) add(begin, count);
}

void StoreJournal::add(const BulkAccess& access, const Memory& memory) {
    for (size_t i = 0; i < access.pieces.size(); ++i) {
        BulkPiece piece = access.pieces[i];
        if (!access.is_accessed(piece)) continue;
        uint32_t width = access.pieces.width();
        const Memory::Buffer* buffer = memory.find(piece.global, width);
        if (buffer && buffer->storage)
            add(buffer->storage + (piece.global - buffer->address), width);
    }
}

void StoreJournal::add(std::byte* at, uint32_t bytes) {
    places_.push_back({at, bytes});
    old_.insert(old_.end(), at, at + bytes);
}

void StoreJournal::undo_to(size_t length) {
    while (this->length() > length) {
        const Place& last = places_.back();
        size_t from = old_.size() - last.bytes;
        std::memcpy(last.at, old_.data() + from, last.bytes);
        old_.resize(from);
        places_.pop_back();
    }
}

void StoreJournal::forget_before(size_t length) {
    if (length <= first_) return;
    size_t count = length - first_, bytes = 0;
    for (size_t i = 0; i < count; ++i) bytes += places_[i].bytes;
    places_.erase(places_.begin(), places_.begin() + static_cast<std::ptrdiff_t>(count));
    old_.erase(old_.begin(), old_.begin() + static_cast<std::ptrdiff_t>(bytes));
    places_.shrink_to_fit();
    old_.shrink_to_fit();
    first_ = length;
}

void StoreJournal::clear() { *this = StoreJournal(); }

}  // namespace lanewise
