#include "sim/operation/reach.h"

#include <bit>

#include "sim/operation/cluster_access.h"
#include "sim/warp/cluster.h"
#include "sim/warp/work.h"

namespace lanewise {

namespace {

void report(Warp& w, const Op& op, Fault::Kind kind, Space space, int lane, uint64_t address,
            uint32_t bytes, bool writes) {
    BlockMemory& memory = *w.memory;
    memory.work += kWorkOfFault;
    Fault fault{kind,
                space,
                writes,
                static_cast<uint8_t>(bytes),
                op.instruction,
                memory.block,
                w.index * kLanes + static_cast<uint32_t>(lane),
                address};
    if (kind == Fault::Kind::out_of_bounds && space == Space::global && is_on_heap(address))
        fault.text = memory.global->heap().fault_text(address, writes);
    memory.observer->on_fault(fault);
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
    const Memory::Buffer*& recent = w.memory->recent;
    const Memory::Buffer* buffer = w.memory->global->find(address, bytes, recent);
    if (buffer) recent = buffer;
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

// All lanes at once, where they lie in shared memory or in one buffer and nothing is wrong. False
// where that is not so.
static bool reach_together(Warp& w, Operations::Where where, uint32_t lanes,
                           const LaneAddresses32& addresses, uint32_t bytes, bool writes,
                           Reach& result) {
    using enum Operations::Where;
    uint64_t low = ~0ull, high = 0, bits = 0;
    for (size_t n = 0; n < kLanes; ++n) {
        bool active = lanes >> n & 1;
        low = active ? std::min(low, addresses[n]) : low;
        high = active ? std::max(high, addresses[n]) : high;
        bits |= active ? addresses[n] : 0;
    }
    if (lanes == 0 || bits % bytes != 0) return false;
    uint64_t window = where == generic ? kSharedWindow : 0, base = 0;
    std::byte* storage = nullptr;
    uint64_t shared_bytes = w.memory->shared_bytes;
    if (where == shared || (where == generic && low - window < kWindowBytes)) {
        if (low < window || high - window > shared_bytes || shared_bytes - (high - window) < bytes)
            return false;
        storage = w.memory->shared;
        result.shared = lanes;
    } else if (where == global || where == generic) {
        const Memory::Buffer*& recent = w.memory->recent;
        const Memory::Buffer* buffer = w.memory->global->find(low, high - low + bytes, recent);
        if (!buffer || (writes && !buffer->storage)) return false;
        recent = buffer;
        storage = buffer->storage;
        base = buffer->address;
        window = 0;
        result.global = lanes;
    } else {
        return false;
    }
    for (size_t n = 0; n < kLanes; ++n) {
        bool active = lanes >> n & 1;
        result.addresses[n] = active ? addresses[n] - window : 0;
        result.offset[n] = active ? addresses[n] - window - base : 0;
        result.bytes[n] = storage ? storage + result.offset[n] : nullptr;
    }
    return true;
}

Reach reach(Warp& w, const Op& op, Operations::Where where, uint32_t lanes,
            const LaneAddresses32& addresses, uint32_t bytes, bool writes) {
    using enum Operations::Where;
    Reach result;
    if (reach_together(w, where, lanes, addresses, bytes, writes, result)) return result;
    if (w.memory->cluster && (where == shared || where == generic)) {
        ClusterLanes there;
        lanes &= ~reach_cluster(w, op, where, lanes, addresses, bytes, true, writes, there);
        result.cluster = there.good;
        for (size_t rank = 0; rank < there.by_rank.size(); ++rank)
            for (uint32_t rest = there.by_rank[rank]; rest != 0; rest &= rest - 1) {
                auto n = static_cast<size_t>(std::countr_zero(rest));
                result.addresses[n] = there.inside[n];
                result.bytes[n] = w.memory->cluster->blocks[rank]->shared + there.inside[n];
            }
    }
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
                    uint32_t bytes, int element) {
    BlockMemory& memory = *w.memory;
    memory.work += work_of_lanes(reached.lanes());
    auto loads_shared = [&](Space space) { return space == Space::shared && !is_store; };
    auto announce = [&](Space space, uint32_t lanes) {
        if (lanes == 0) return;
        MemoryEvent event{op.instruction, space, is_store, static_cast<uint8_t>(bytes), memory.block,
                          static_cast<uint16_t>(w.index), lanes, &reached.addresses, kind,
                          loads_shared(space) ? memory.shared : nullptr};
        event.element = static_cast<uint8_t>(element);
        memory.observer->on_memory(event);
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
    read_unique(reached.offset[n], static_cast<std::byte*>(to), bytes);
}

void read_unique(uint64_t offset, std::byte* to, uint32_t bytes) {
    if ((offset | bytes) % 4 == 0)
        return operations().unique_words(static_cast<uint32_t>(offset / 4), bytes / 4, to);
    for (uint32_t i = 0; i < bytes; ++i, ++offset)
        to[i] = static_cast<std::byte>(unique_word(static_cast<uint32_t>(offset / 4)) >>
                                       (8 * (offset % 4)));
}

}  // namespace lanewise
