// Loads and stores of 32 lanes: addresses, checks, the event, then the data. Tracing lives here and
// nowhere else. Included only by the operations, once per instruction set.
#pragma once
#include "sim/operation/cluster_access.h"
#include "sim/operation/lane_moves.h"
#include "sim/operation/lanes.h"
#include "sim/warp/cluster.h"
#include "sim/warp/work.h"

namespace lanewise {
namespace {

// The lanes' addresses: the base row itself where nothing is to be added.
inline const Addresses& addresses_of(Warp& w, const Op& op, Addresses& scratch) {
    if (op.has_base && op.wide_base) {
        const uint64_t* base = w.wides(op.a);
        if (op.immediate == 0) return *reinterpret_cast<const Addresses*>(base);
        for (size_t n = 0; n < kLanes; ++n) scratch[n] = base[n] + op.immediate;
    } else if (op.has_base) {
        const uint32_t* base = w.words(op.a);
        for (size_t n = 0; n < kLanes; ++n)
            scratch[n] = static_cast<uint32_t>(base[n] + op.immediate);
    } else {
        scratch.fill(op.immediate);
    }
    return scratch;
}

inline uint32_t access_bytes(const Op& op) { return uint32_t{op.bytes} * op.elements; }

// Lowest and highest address of the active lanes, and the OR of all, which shows misalignment.
struct Extent {
    uint64_t low = ~0ull, high = 0, bits = 0;
};
inline Extent extent(const Addresses& addresses, uint32_t lanes) {
    Extent e;
    if (lanes == kAllLanes) {
        for (uint64_t a : addresses) {
            e.low = a < e.low ? a : e.low;
            e.high = a > e.high ? a : e.high;
            e.bits |= a;
        }
        return e;
    }
    for (size_t n = 0; n < kLanes; ++n) {
        bool active = lanes >> n & 1;
        uint64_t a = addresses[n];
        e.low = active && a < e.low ? a : e.low;
        e.high = active && a > e.high ? a : e.high;
        e.bits |= active ? a : 0;
    }
    return e;
}

// Whether all of the lanes' accesses lie within [0, size) and are aligned, where their addresses'
// bits together say so already, as they do of most of shared memory.
inline bool plainly_within(const Addresses& addresses, uint32_t lanes, uint32_t bytes,
                           uint64_t size) {
    if (lanes != kAllLanes) return false;
    uint64_t bits = 0;
    for (uint64_t a : addresses) bits |= a;
    return bits % bytes == 0 && bits <= size && size - bits >= bytes;
}

inline void report(Warp& w, const Op& op, Fault::Kind kind, Space space, int lane,
                   uint64_t address) {
    BlockMemory& memory = *w.memory;
    memory.work += kWorkOfFault;
    Fault fault{kind,
                space,
                op.is_store,
                static_cast<uint8_t>(access_bytes(op)),
                op.instruction,
                memory.block,
                w.index * kLanes + static_cast<uint32_t>(lane),
                address};
    if (kind == Fault::Kind::out_of_bounds && space == Space::global && is_on_heap(address))
        fault.text = memory.global->heap().fault_text(address, op.is_store);
    memory.observer->on_fault(fault);
}

// R: the row of the register that is loaded or stored.
template <class R>
inline void announce(Warp& w, const Op& op, Space space, uint32_t lanes,
                     const Addresses& addresses) {
    BlockMemory& memory = *w.memory;
    memory.work += work_of_access(lanes);
    memory.observer->on_memory(
        {op.instruction, space, op.is_store, static_cast<uint8_t>(access_bytes(op)), memory.block,
         static_cast<uint16_t>(w.index), lanes, &addresses, AccessKind::plain,
         space == Space::shared ? memory.shared : nullptr, op.is_store ? w.state : nullptr,
         op.vector.data(), op.elements, sizeof(R)});
}

// The access of the lanes that lie in one buffer, which is theirs to touch.
template <class T, class R, bool store>
[[gnu::noinline]] void access_buffer(Warp& w, const Op& op, uint32_t lanes,
                                     const Addresses& addresses, const Memory::Buffer& buffer) {
    // Addresses count from the buffer's start: base + address stays within the storage. Where no pointer
    // lies so far before it, as for the heap's, which are too high for any, they count by themselves.
    const Addresses* counted = &addresses;
    uint64_t start = buffer.address;
    Addresses within;
    bool is_before_all = sizeof(uintptr_t) == sizeof(uint64_t) && buffer.storage &&
                         start > reinterpret_cast<uintptr_t>(buffer.storage);
    if (is_on_heap(start) || is_before_all) {
        for (size_t n = 0; n < kLanes; ++n) within[n] = addresses[n] - start;
        counted = &within;
        start = 0;
    }
    if constexpr (store)
        store_lanes<T, R>(w, op, lanes, *counted, buffer.storage - start);
    else if (buffer.storage)
        load_lanes<T, R>(w, op, lanes, *counted, buffer.storage - start);
    else
        load_unique<T, R>(w, op, lanes, addresses, buffer.address);
}

inline bool holds(const Memory::Buffer* buffer, const Extent& e, uint32_t bytes, bool store) {
    return buffer && e.low >= buffer->address && e.high <= buffer->address + buffer->bytes &&
           buffer->address + buffer->bytes - e.high >= bytes && (buffer->storage || !store);
}

// The buffer of each lane, where there are several, and the lanes that may touch theirs: the others
// are reported.
[[gnu::noinline]] uint32_t find_buffers(Warp& w, const Op& op, uint32_t lanes,
                                        const Addresses& addresses, const Memory::Buffer** found) {
    uint32_t bytes = access_bytes(op), good = 0;
    for (int n = 0; n < kLanes; ++n) {
        if (!(lanes >> n & 1)) continue;
        uint64_t address = addresses[static_cast<size_t>(n)];
        found[n] = w.memory->global->find(address, bytes);
        if (!found[n] || (op.is_store && !found[n]->storage))
            report(w, op, Fault::Kind::out_of_bounds, Space::global, n, address);
        else if (address % bytes != 0)
            report(w, op, Fault::Kind::misaligned, Space::global, n, address);
        else
            good |= 1u << n;
    }
    return good;
}

// Lane by lane: several buffers, or a fault. Lanes of one buffer are done together.
template <class T, class R, bool store>
[[gnu::noinline]] void access_global_slowly(Warp& w, const Op& op, uint32_t lanes,
                                            const Addresses& given) {
    Addresses addresses = given;  // a destination may be the row of addresses
    const Memory::Buffer* found[kLanes] = {};
    uint32_t good = find_buffers(w, op, lanes, addresses, found);
    if constexpr (!store) load_zero<R>(w, op, lanes & ~good);
    if (good == 0) return;
    announce<R>(w, op, Space::global, good, addresses);
    while (good != 0) {
        const Memory::Buffer* buffer = found[__builtin_ctz(good)];
        uint32_t same = 0;
        for (int n = 0; n < kLanes; ++n)
            same |= (good >> n & 1) && found[n] == buffer ? 1u << n : 0;
        access_buffer<T, R, store>(w, op, same, addresses, *buffer);
        good &= ~same;
    }
}

// Constants are not memory of the load/store unit: no event.
template <class T, class R>
void access_constant(Warp& w, const Op& op, uint32_t lanes, const Addresses& given) {
    Addresses addresses = given;
    uint32_t bytes = access_bytes(op);
    for (uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
        int n = __builtin_ctz(rest);
        uint64_t address = addresses[static_cast<size_t>(n)];
        const Memory::Buffer* buffer = w.memory->global->find(address, bytes);
        if (!buffer || address % bytes != 0) {
            auto kind = buffer ? Fault::Kind::misaligned : Fault::Kind::out_of_bounds;
            report(w, op, kind, Space::global, n, address);
            load_zero<R>(w, op, 1u << n);
        } else {
            access_buffer<T, R, false>(w, op, 1u << n, addresses, *buffer);
        }
    }
}

template <class T, class R, bool store>
void access_global(Warp& w, const Op& op, uint32_t lanes, const Addresses& addresses) {
    uint32_t bytes = access_bytes(op);
    Extent e = extent(addresses, lanes);
    const Memory::Buffer*& recent = w.memory->recent;
    if (!holds(recent, e, bytes, store)) recent = w.memory->global->find(e.low, bytes);
    if (e.bits % bytes != 0 || !holds(recent, e, bytes, store))
        return access_global_slowly<T, R, store>(w, op, lanes, addresses);
    announce<R>(w, op, Space::global, lanes, addresses);
    access_buffer<T, R, store>(w, op, lanes, addresses, *recent);
}

// The lanes within [0, size) and aligned; the others are reported.
[[gnu::noinline]] uint32_t good_lanes(Warp& w, const Op& op, uint32_t lanes,
                                      const Addresses& addresses, uint64_t size) {
    uint32_t bytes = access_bytes(op), good = 0;
    for (int n = 0; n < kLanes; ++n) {
        if (!(lanes >> n & 1)) continue;
        uint64_t address = addresses[static_cast<size_t>(n)];
        if (address > size || size - address < bytes)
            report(w, op, Fault::Kind::out_of_bounds, Space::shared, n, address);
        else if (address % bytes != 0)
            report(w, op, Fault::Kind::misaligned, Space::shared, n, address);
        else
            good |= 1u << n;
    }
    return good;
}

// The lanes that access another block's shared memory are done, and come back.
template <class T, class R, bool store>
[[gnu::noinline]] uint32_t access_cluster(Warp& w, const Op& op, uint32_t lanes,
                                          const Addresses& addresses) {
    ClusterLanes found;
    uint32_t elsewhere = reach_cluster(w, op, Operations::Where::shared, lanes, addresses,
                                       access_bytes(op), !store, store, found, sizeof(R));
    if constexpr (!store) load_zero<R>(w, op, elsewhere & ~found.good);
    for (size_t rank = 0; rank < found.by_rank.size(); ++rank) {
        if (found.by_rank[rank] == 0) continue;
        std::byte* shared = w.memory->cluster->blocks[rank]->shared;
        if constexpr (store)
            store_lanes<T, R>(w, op, found.by_rank[rank], found.inside, shared);
        else
            load_lanes<T, R>(w, op, found.by_rank[rank], found.inside, shared);
    }
    return elsewhere;
}

template <class T, class R, bool store>
void access_shared(Warp& w, const Op& op, uint32_t lanes, const Addresses& given) {
    uint32_t bytes = access_bytes(op);
    uint64_t size = w.memory->shared_bytes;
    Addresses copy;
    const Addresses* addresses = &given;
    Extent e;
    if (!plainly_within(given, lanes, bytes, size)) e = extent(given, lanes);
    if (e.high > size || size - e.high < bytes || e.bits % bytes != 0) {
        copy = given;
        addresses = &copy;
        if (w.memory->cluster) lanes &= ~access_cluster<T, R, store>(w, op, lanes, copy);
        uint32_t good = good_lanes(w, op, lanes, copy, size);
        if constexpr (!store) load_zero<R>(w, op, lanes & ~good);
        lanes = good;
        if (lanes == 0) return;
    }
    announce<R>(w, op, Space::shared, lanes, *addresses);
    if constexpr (store)
        store_lanes<T, R>(w, op, lanes, *addresses, w.memory->shared);
    else
        load_lanes<T, R>(w, op, lanes, *addresses, w.memory->shared);
}

// The lanes within local memory; the others are reported.
[[gnu::noinline]] uint32_t local_lanes(Warp& w, const Op& op, uint32_t lanes,
                                       const Addresses& addresses) {
    uint32_t bytes = access_bytes(op), good = 0;
    for (int n = 0; n < kLanes; ++n) {
        if (!(lanes >> n & 1)) continue;
        uint64_t address = addresses[static_cast<size_t>(n)];
        if (address > w.local_bytes || w.local_bytes - address < bytes)
            report(w, op, Fault::Kind::out_of_bounds, Space::global, n, kLocalWindow + address);
        else
            good |= 1u << n;
    }
    return good;
}

// Local memory is the thread's own: no event. Its faults are reported as global ones.
template <class T, class R, bool store>
[[gnu::noinline]] void access_local(Warp& w, const Op& op, uint32_t lanes,
                                    const Addresses& addresses) {
    uint32_t good = local_lanes(w, op, lanes, addresses);
    if constexpr (store) {
        store_lanes<T, R>(w, op, good, addresses, w.local, w.local_bytes);
    } else {
        Addresses copy = addresses;
        load_zero<R>(w, op, lanes & ~good);
        load_lanes<T, R>(w, op, good, copy, w.local, w.local_bytes);
    }
}

// Where addresses of parameters lead: offsets into the kernel's own, or local memory.
struct ParameterLanes {
    Addresses inside;
    uint32_t good = 0, local = 0;
};
[[gnu::noinline]] void find_parameters(Warp& w, const Op& op, uint32_t lanes,
                                       const Addresses& given, ParameterLanes& found) {
    found.inside = given;
    uint32_t bytes = access_bytes(op);
    for (int n = 0; n < kLanes; ++n) {
        if (!(lanes >> n & 1)) continue;
        uint64_t address = given[static_cast<size_t>(n)], offset = address - kParameterWindow;
        found.inside[static_cast<size_t>(n)] = offset;
        uint64_t size = w.memory->argument_bytes;
        if (address < kWindowBytes)
            found.local |= 1u << n;
        else if (offset > size || size - offset < bytes)
            report(w, op, Fault::Kind::out_of_bounds, Space::global, n, address);
        else
            found.good |= 1u << n;
    }
}

// A parameter by its address: the kernel's own (kParameterWindow), or that of a function whose call
// was put in place, which lies in local memory. No event.
template <class T, class R>
[[gnu::noinline]] void access_parameter(Warp& w, const Op& op, uint32_t lanes,
                                        const Addresses& given) {
    ParameterLanes found;
    find_parameters(w, op, lanes, given, found);
    load_zero<R>(w, op, lanes & ~found.good & ~found.local);
    load_lanes<T, R>(w, op, found.good, found.inside, w.memory->arguments);
    if (found.local != 0) access_local<T, R, false>(w, op, found.local, given);
}

// Generic addresses by the space that each says.
struct SpaceLanes {
    Addresses inside;  // each address within its space
    uint32_t shared = 0, local = 0, parameter = 0;
};
[[gnu::noinline]] void find_spaces(const Addresses& given, bool store, SpaceLanes& found) {
    for (size_t n = 0; n < kLanes; ++n) {
        bool in_shared = given[n] - kSharedWindow < kWindowBytes;
        bool in_local = given[n] - kLocalWindow < kWindowBytes;
        bool in_parameter = !store && given[n] - kParameterWindow < kWindowBytes;
        found.parameter |= (in_parameter ? 1u : 0u) << n;
        found.shared |= (in_shared ? 1u : 0u) << n;
        found.local |= (in_local ? 1u : 0u) << n;
        found.inside[n] = given[n] - (in_shared ? kSharedWindow : in_local ? kLocalWindow : 0);
    }
}

// Each lane's address says its space; lanes of one space are done together.
template <class T, class R, bool store>
void access_generic(Warp& w, const Op& op, uint32_t lanes, const Addresses& given) {
    Addresses addresses = given;
    SpaceLanes in;
    find_spaces(addresses, store, in);
    if (uint32_t some = lanes & in.shared) access_shared<T, R, store>(w, op, some, in.inside);
    if (uint32_t some = lanes & in.local) access_local<T, R, store>(w, op, some, in.inside);
    if constexpr (!store)
        if (uint32_t some = lanes & in.parameter) access_parameter<T, R>(w, op, some, addresses);
    if (uint32_t some = lanes & ~in.shared & ~in.local & ~in.parameter)
        access_global<T, R, store>(w, op, some, addresses);
}

template <class T, class R, bool store, Operations::Where where>
void run_access(Warp& w, const Op& op) {
    if (w.lanes == 0) return;
    using enum Operations::Where;
    alignas(64) Addresses scratch;
    const Addresses& addresses = addresses_of(w, op, scratch);
    if constexpr (where == global) access_global<T, R, store>(w, op, w.lanes, addresses);
    if constexpr (where == shared) access_shared<T, R, store>(w, op, w.lanes, addresses);
    if constexpr (where == local) access_local<T, R, store>(w, op, w.lanes, addresses);
    if constexpr (where == constant && !store) access_constant<T, R>(w, op, w.lanes, addresses);
    if constexpr (where == parameter && !store) access_parameter<T, R>(w, op, w.lanes, addresses);
    if constexpr (where == generic) access_generic<T, R, store>(w, op, w.lanes, addresses);
}

template <class T, class R, bool store>
Execute at(Operations::Where where) {
    using enum Operations::Where;
    static constexpr Execute by_place[] = {run_access<T, R, store, global>,
                                           run_access<T, R, store, shared>,
                                           run_access<T, R, store, local>,
                                           run_access<T, R, store, generic>,
                                           store ? nullptr : run_access<T, R, store, constant>,
                                           store ? nullptr : run_access<T, R, store, parameter>};
    return by_place[static_cast<int>(where)];
}

Execute select_load(Operations::Where where, Type type, bool wide) {
    switch (type) {
        case Type::u8:
            return wide ? at<uint8_t, uint64_t, false>(where) : at<uint8_t, uint32_t, false>(where);
        case Type::s8:
            return wide ? at<int8_t, uint64_t, false>(where) : at<int8_t, uint32_t, false>(where);
        case Type::f16:
        case Type::u16:
            return wide ? at<uint16_t, uint64_t, false>(where)
                        : at<uint16_t, uint32_t, false>(where);
        case Type::s16:
            return wide ? at<int16_t, uint64_t, false>(where) : at<int16_t, uint32_t, false>(where);
        case Type::f32:
        case Type::u32:
            return wide ? at<uint32_t, uint64_t, false>(where)
                        : at<uint32_t, uint32_t, false>(where);
        case Type::s32:
            return wide ? at<int32_t, uint64_t, false>(where)
                        : at<uint32_t, uint32_t, false>(where);
        case Type::f64:
        case Type::s64:
        case Type::u64:
            return wide ? at<uint64_t, uint64_t, false>(where) : nullptr;
        default:
            return nullptr;
    }
}

Execute select_store(Operations::Where where, Type type, bool wide) {
    switch (type) {
        case Type::u8:
        case Type::s8:
            return wide ? at<uint8_t, uint64_t, true>(where) : at<uint8_t, uint32_t, true>(where);
        case Type::f16:
        case Type::u16:
        case Type::s16:
            return wide ? at<uint16_t, uint64_t, true>(where) : at<uint16_t, uint32_t, true>(where);
        case Type::f32:
        case Type::u32:
        case Type::s32:
            return wide ? at<uint32_t, uint64_t, true>(where) : at<uint32_t, uint32_t, true>(where);
        case Type::f64:
        case Type::s64:
        case Type::u64:
            return wide ? at<uint64_t, uint64_t, true>(where) : nullptr;
        default:
            return nullptr;
    }
}

// Parameters are the same for all lanes; decode has checked the extent. c_flip: sign-extended.
template <class R>
void run_load_parameter(Warp& w, const Op& op) {
    for (uint32_t e = 0; e < op.elements; ++e) {
        uint64_t v = 0;
        std::memcpy(&v, w.memory->arguments + op.immediate + e * op.bytes, op.bytes);
        int unused = 64 - 8 * op.bytes;
        if (op.c_flip) v = static_cast<uint64_t>(static_cast<int64_t>(v << unused) >> unused);
        each_lane<R>(w, reinterpret_cast<R*>(w.state + op.vector[e]),
                     [=](int) { return static_cast<R>(v); });
    }
}

}  // namespace
}  // namespace lanewise
