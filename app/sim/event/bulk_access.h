// A bulk copy's access as events of up to 32 pieces.
#pragma once
#include "sim/event/event.h"

namespace lanewise {

// f(event) for every 32 of the pieces that are accessed.
template <class F>
void each_event(const BulkAccess& access, F f) {
    std::array<uint64_t, 32> addresses{};
    MemoryEvent event{
        access.instruction, access.space, access.is_store, access.pieces.cut().width, access.block,
        access.warp,        ~0u,          &addresses,      AccessKind::bulk_copy};
    event.issuing_lane = access.lane;
    size_t count = 0;
    auto tell = [&] {
        if (count == 0) return;
        event.mask = count == 32 ? ~0u : (1u << count) - 1;
        f(event);
        count = 0;
    };
    for (const BulkPiece& piece : access.pieces.cut().all) {
        if (!access.is_accessed(piece)) continue;
        addresses[count++] =
            access.space == Space::shared ? piece.shared : access.pieces.base() + piece.global;
        if (count == 32) tell();
    }
    tell();
}

}  // namespace lanewise
