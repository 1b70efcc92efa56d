#include "sim/reach.h"

#include <bit>

#include "sim/work.h"

namespace lanewise {

namespace {

void report(Warp& w, const Op& op, Fault::Kind kind, Space space, int lane, uint64_t address,
            uint32_t bytes, bool writes) {
    BlockMemory& memory = *w.memory;
    memory.work += kWorkOfFault;
    memory.observer->on_fault({kind, space, writes, static_cast<uint8_t>(bytes), op.instruction,
                               memory.block, w.index * kLanes + static_cast<uint32_t>(lane),
                               address});
}

struct Place {
    uint32_t Reach::*space = nullptr;  // null: out of bounds
    uint64_t address = 0;
    std::byte* bytes = nullptr;
    uint64_t offset = 0;
};

Place within(uint32_t Reach::*space, std::byte* base, uint64_t size, uint64_t address,
             uint32_t bytes) {
    if (address > size || size - address < bytes) return {nullptr, address, nullptr, 0};
    return {space, address, base + address, 0};
}
Place in_global(Warp& w, uint64_t address, uint32_t bytes, bool writes) {
    const Memory::Buffer* buffer = w.memory->global->find(address, bytes);
    if (!buffer || (writes && !buffer->storage)) return {nullptr, address, nullptr, 0};
    uint64_t offset = address - buffer->address;
    return {&Reach::global, address, buffer->storage ? buffer->storage + offset : nullptr, offset};
}

}  // namespace

LaneAddresses32 lane_addresses(Warp& w, uint32_t base, bool has_base, bool wide,
                               uint64_t displacement) {
    LaneAddresses32 result;
    for (size_t n = 0; n < kLanes; ++n)
        result[n] = !has_base ? displacement
                    : wide    ? w.wides(base)[n] + displacement
                              : static_cast<uint32_t>(w.words(base)[n] + displacement);
    return result;
}

Reach reach(Warp& w, const Op& op, Operations::Where where, uint32_t lanes,
            const LaneAddresses32& addresses, uint32_t bytes, bool writes) {
    using enum Operations::Where;
    Reach result;
    for (uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
        int lane = std::countr_zero(rest);
        auto n = static_cast<size_t>(lane);
        uint64_t address = addresses[n];
        auto at = where;
        if (at == generic && address - kSharedWindow < kWindowBytes)
            at = shared, address -= kSharedWindow;
        else if (at == generic && address - kLocalWindow < kWindowBytes)
            at = local, address -= kLocalWindow;
        Place place =
            at == shared
                ? within(&Reach::shared, w.memory->shared, w.memory->shared_bytes, address, bytes)
            : at == local
                ? within(&Reach::local, w.local + n * w.local_bytes, w.local_bytes, address, bytes)
                : in_global(w, address, bytes, writes);
        Space space = at == shared ? Space::shared : Space::global;
        if (!place.space)
            report(w, op, Fault::Kind::out_of_bounds, space, lane, address, bytes, writes);
        else if (address % bytes != 0)
            report(w, op, Fault::Kind::misaligned, space, lane, address, bytes, writes);
        else
            result.*place.space |= 1u << lane;
        result.addresses[n] = address;
        result.bytes[n] = place.bytes;
        result.offset[n] = place.offset;
    }
    return result;
}

void announce_reach(Warp& w, const Op& op, const Reach& reached, AccessKind kind, bool is_store,
                    uint32_t bytes) {
    BlockMemory& memory = *w.memory;
    memory.work += work_of_lanes(reached.lanes());
    auto loads_shared = [&](Space space) { return space == Space::shared && !is_store; };
    auto announce = [&](Space space, uint32_t lanes) {
        if (lanes == 0) return;
        memory.observer->on_memory({op.instruction, space, is_store, static_cast<uint8_t>(bytes),
                                    memory.block, static_cast<uint16_t>(w.index), lanes,
                                    &reached.addresses, kind,
                                    loads_shared(space) ? memory.shared : nullptr});
    };
    announce(Space::global, reached.global);
    announce(Space::shared, reached.shared);
}

void fetch(const Reach& reached, int lane, void* to, uint32_t bytes) {
    auto n = static_cast<size_t>(lane);
    if (reached.bytes[n]) {
        std::memcpy(to, reached.bytes[n], bytes);
        return;
    }
    for (uint32_t i = 0; i < bytes; ++i) {
        uint64_t offset = reached.offset[n] + i;
        uint32_t word = unique_word(static_cast<uint32_t>(offset / 4));
        static_cast<uint8_t*>(to)[i] = static_cast<uint8_t>(word >> (8 * (offset % 4)));
    }
}

}  // namespace lanewise
