// Loads and stores of 32 lanes: addresses, checks, the event, then the data. Tracing lives here and
// nowhere else. Included only by the operations, once per instruction set.
#pragma once
#include "sim/lanes.h"
#include "sim/work.h"

namespace lanewise {
namespace {

using Addresses = std::array<uint64_t, kLanes>;

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

// A read of the input costs its computation instead of its storage. Of the element of T at an
// aligned offset; without a branch, so that lanes go together.
template <class T>
inline T unique_element(uint64_t offset) {
    auto index = static_cast<uint32_t>(offset / 4);
    if constexpr (sizeof(T) == 8)
        return static_cast<T>(unique_word(index) | uint64_t{unique_word(index + 1)} << 32);
    else if constexpr (sizeof(T) == 4)
        return static_cast<T>(unique_word(index));
    else
        return static_cast<T>(unique_word(index) >> (8 * (offset % 4)));
}

// T: the element in memory; R: the register's row.
template <class T, class R>
inline R extended(T v) {
    if constexpr (std::is_signed_v<T>)
        return static_cast<R>(static_cast<std::make_signed_t<R>>(v));
    else
        return static_cast<R>(v);
}

// True where lane n's element lies right behind lane n-1's.
template <class T>
inline bool consecutive(const Addresses& addresses) {
    uint64_t wrong = 0;
    for (size_t n = 0; n < kLanes; ++n) wrong |= addresses[n] ^ (addresses[0] + n * sizeof(T));
    return wrong == 0;
}

// Vectors of four words go through the registers four lanes at a time: rows and lanes change
// places.
using FourWords = uint32_t __attribute__((vector_size(16)));
inline void turn(FourWords (&v)[4]) {
    FourWords low01 = __builtin_shufflevector(v[0], v[1], 0, 4, 1, 5);
    FourWords high01 = __builtin_shufflevector(v[0], v[1], 2, 6, 3, 7);
    FourWords low23 = __builtin_shufflevector(v[2], v[3], 0, 4, 1, 5);
    FourWords high23 = __builtin_shufflevector(v[2], v[3], 2, 6, 3, 7);
    v[0] = __builtin_shufflevector(low01, low23, 0, 1, 4, 5);
    v[1] = __builtin_shufflevector(low01, low23, 2, 3, 6, 7);
    v[2] = __builtin_shufflevector(high01, high23, 0, 1, 4, 5);
    v[3] = __builtin_shufflevector(high01, high23, 2, 3, 6, 7);
}

inline void load_fours(Warp& w, const Op& op, const Addresses& where, const std::byte* base) {
    for (size_t n = 0; n < kLanes; n += 4) {
        FourWords v[4];
        for (size_t k = 0; k < 4; ++k) std::memcpy(&v[k], base + where[n + k], 16);
        turn(v);
        for (size_t e = 0; e < 4; ++e) std::memcpy(w.state + op.vector[e] + 4 * n, &v[e], 16);
    }
}

inline void store_fours(Warp& w, const Op& op, const Addresses& where, std::byte* base) {
    for (size_t n = 0; n < kLanes; n += 4) {
        FourWords v[4];
        for (size_t e = 0; e < 4; ++e) std::memcpy(&v[e], w.state + op.vector[e] + 4 * n, 16);
        turn(v);
        for (size_t k = 0; k < 4; ++k) std::memcpy(base + where[n + k], &v[k], 16);
    }
}

// The same of two words of eight bytes.
inline void load_pairs(Warp& w, const Op& op, const Addresses& where, const std::byte* base) {
    uint64_t *first = w.wides(op.vector[0]), *second = w.wides(op.vector[1]);
    for (size_t n = 0; n < kLanes; ++n) {
        std::array<uint64_t, 2> both;
        std::memcpy(&both, base + where[n], 16);
        first[n] = both[0];
        second[n] = both[1];
    }
}

inline void store_pairs(Warp& w, const Op& op, const Addresses& where, std::byte* base) {
    const uint64_t *first = w.wides(op.vector[0]), *second = w.wides(op.vector[1]);
    for (size_t n = 0; n < kLanes; ++n) {
        std::array<uint64_t, 2> both{first[n], second[n]};
        std::memcpy(base + where[n], &both, 16);
    }
}

// f(n) for each of the lanes.
template <class F>
inline void each_of(uint32_t lanes, F f) {
    if (lanes == kAllLanes)
        for (size_t n = 0; n < kLanes; ++n) f(n);
    else
        for (; lanes != 0; lanes &= lanes - 1) f(static_cast<size_t>(__builtin_ctz(lanes)));
}

// `base` + address is the host's byte; for local memory each lane has a base of its own.
template <class T, class R>
inline void load_lanes(Warp& w, const Op& op, uint32_t lanes, const Addresses& addresses,
                       const std::byte* base, uint64_t lane_stride = 0) {
    bool all_in_one = sizeof(T) == sizeof(R) && lanes == kAllLanes && lane_stride == 0;
    if (all_in_one && op.elements == 1 && consecutive<T>(addresses)) {
        std::memcpy(w.state + op.vector[0], base + addresses[0], kLanes * sizeof(T));
        return;
    }
    // Lanes first: the base row of addresses may also be a destination.
    std::array<uint64_t, kLanes> where = addresses;
    if (sizeof(T) == 4 && all_in_one && op.elements == 4) return load_fours(w, op, where, base);
    if (sizeof(T) == 8 && all_in_one && op.elements == 2) return load_pairs(w, op, where, base);
    for (uint32_t e = 0; e < op.elements; ++e) {
        R* d = reinterpret_cast<R*>(w.state + op.vector[e]);
        each_of(lanes, [&](size_t n) {
            T v;
            std::memcpy(&v, base + where[n] + n * lane_stride + e * sizeof(T), sizeof(T));
            d[n] = extended<T, R>(v);
        });
    }
}

template <class T, class R>
inline void load_unique(Warp& w, const Op& op, uint32_t lanes, const Addresses& addresses,
                        uint64_t base) {
    std::array<uint64_t, kLanes> offsets;
    for (size_t n = 0; n < kLanes; ++n) offsets[n] = addresses[n] - base;
    for (uint32_t e = 0; e < op.elements; ++e) {
        R* d = reinterpret_cast<R*>(w.state + op.vector[e]);
        uint64_t plus = e * sizeof(T);
        if (lanes == kAllLanes) {
            for (size_t n = 0; n < kLanes; ++n)
                d[n] = extended<T, R>(unique_element<T>(offsets[n] + plus));
            continue;
        }
        for (size_t n = 0; n < kLanes; ++n) {
            R v = extended<T, R>(unique_element<T>(offsets[n] + plus));
            d[n] = (lanes >> n & 1) ? v : d[n];
        }
    }
}

template <class T, class R>
inline void store_lanes(Warp& w, const Op& op, uint32_t lanes, const Addresses& addresses,
                        std::byte* base, uint64_t lane_stride = 0) {
    bool all_in_one = sizeof(T) == sizeof(R) && lanes == kAllLanes && lane_stride == 0;
    if (all_in_one && op.elements == 1 && consecutive<T>(addresses)) {
        std::memcpy(base + addresses[0], w.state + op.vector[0], kLanes * sizeof(T));
        return;
    }
    if (sizeof(T) == 4 && all_in_one && op.elements == 4)
        return store_fours(w, op, addresses, base);
    if (sizeof(T) == 8 && all_in_one && op.elements == 2)
        return store_pairs(w, op, addresses, base);
    for (uint32_t e = 0; e < op.elements; ++e) {
        const R* s = reinterpret_cast<const R*>(w.state + op.vector[e]);
        each_of(lanes, [&](size_t n) {
            T v = static_cast<T>(s[n]);
            std::memcpy(base + addresses[n] + n * lane_stride + e * sizeof(T), &v, sizeof(T));
        });
    }
}

// A faulting load gives 0.
template <class R>
inline void load_zero(Warp& w, const Op& op, uint32_t lanes) {
    for (uint32_t e = 0; e < op.elements; ++e) {
        R* d = reinterpret_cast<R*>(w.state + op.vector[e]);
        for (size_t n = 0; n < kLanes; ++n) d[n] = (lanes >> n & 1) ? 0 : d[n];
    }
}

// The access of the lanes that lie in one buffer, which is theirs to touch.
template <class T, class R, bool store>
inline void access_buffer(Warp& w, const Op& op, uint32_t lanes, const Addresses& addresses,
                          const Memory::Buffer& buffer) {
    // Addresses count from the buffer's start: base + address stays within the storage.
    if constexpr (store)
        store_lanes<T, R>(w, op, lanes, addresses, buffer.storage - buffer.address);
    else if (buffer.storage)
        load_lanes<T, R>(w, op, lanes, addresses, buffer.storage - buffer.address);
    else
        load_unique<T, R>(w, op, lanes, addresses, buffer.address);
}

inline bool holds(const Memory::Buffer* buffer, const Extent& e, uint32_t bytes, bool store) {
    return buffer && e.low >= buffer->address && e.high <= buffer->address + buffer->bytes &&
           buffer->address + buffer->bytes - e.high >= bytes && (buffer->storage || !store);
}

// Lane by lane: several buffers, or a fault. Lanes of one buffer are done together.
template <class T, class R, bool store>
void access_global_slowly(Warp& w, const Op& op, uint32_t lanes, const Addresses& given) {
    Addresses addresses = given;  // a destination may be the row of addresses
    uint32_t bytes = access_bytes(op), good = 0;
    const Memory::Buffer* found[kLanes] = {};
    for (int n = 0; n < kLanes; ++n) {
        if (!(lanes >> n & 1)) continue;
        uint64_t address = addresses[static_cast<size_t>(n)];
        found[n] = w.memory->global->find(address, bytes);
        if (!found[n] || (store && !found[n]->storage))
            report(w, op, Fault::Kind::out_of_bounds, Space::global, n, address);
        else if (address % bytes != 0)
            report(w, op, Fault::Kind::misaligned, Space::global, n, address);
        else
            good |= 1u << n;
    }
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
inline uint32_t good_lanes(Warp& w, const Op& op, uint32_t lanes, const Addresses& addresses,
                           uint64_t size) {
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

template <class T, class R, bool store>
void access_shared(Warp& w, const Op& op, uint32_t lanes, const Addresses& given) {
    uint32_t bytes = access_bytes(op);
    uint64_t size = w.memory->shared_bytes;
    Extent e = extent(given, lanes);
    Addresses copy;
    const Addresses* addresses = &given;
    if (e.high > size || size - e.high < bytes || e.bits % bytes != 0) {
        copy = given;
        addresses = &copy;
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

// Local memory is the thread's own: no event. Its faults are reported as global ones.
template <class T, class R, bool store>
void access_local(Warp& w, const Op& op, uint32_t lanes, const Addresses& addresses) {
    uint32_t bytes = access_bytes(op), good = 0;
    for (int n = 0; n < kLanes; ++n) {
        if (!(lanes >> n & 1)) continue;
        uint64_t address = addresses[static_cast<size_t>(n)];
        if (address > w.local_bytes || w.local_bytes - address < bytes)
            report(w, op, Fault::Kind::out_of_bounds, Space::global, n, kLocalWindow + address);
        else
            good |= 1u << n;
    }
    if constexpr (store) {
        store_lanes<T, R>(w, op, good, addresses, w.local, w.local_bytes);
    } else {
        Addresses copy = addresses;
        load_zero<R>(w, op, lanes & ~good);
        load_lanes<T, R>(w, op, good, copy, w.local, w.local_bytes);
    }
}

// A parameter by its address: the kernel's own (kParameterWindow), or that of a function whose call
// was put in place, which lies in local memory. No event.
template <class T, class R>
void access_parameter(Warp& w, const Op& op, uint32_t lanes, const Addresses& given) {
    Addresses inside = given;  // offsets into the parameters
    uint32_t bytes = access_bytes(op), good = 0, local = 0;
    for (int n = 0; n < kLanes; ++n) {
        if (!(lanes >> n & 1)) continue;
        uint64_t address = given[static_cast<size_t>(n)], offset = address - kParameterWindow;
        inside[static_cast<size_t>(n)] = offset;
        uint64_t size = w.memory->argument_bytes;
        if (address < kWindowBytes)
            local |= 1u << n;
        else if (offset > size || size - offset < bytes)
            report(w, op, Fault::Kind::out_of_bounds, Space::global, n, address);
        else
            good |= 1u << n;
    }
    load_zero<R>(w, op, lanes & ~good & ~local);
    load_lanes<T, R>(w, op, good, inside, w.memory->arguments);
    if (local != 0) access_local<T, R, false>(w, op, local, given);
}

// Each lane's address says its space; lanes of one space are done together.
template <class T, class R, bool store>
void access_generic(Warp& w, const Op& op, uint32_t lanes, const Addresses& given) {
    Addresses addresses = given, inside = given;
    uint32_t shared = 0, local = 0, parameter = 0;
    for (size_t n = 0; n < kLanes; ++n) {
        bool in_shared = addresses[n] - kSharedWindow < kWindowBytes;
        bool in_local = addresses[n] - kLocalWindow < kWindowBytes;
        bool in_parameter = !store && addresses[n] - kParameterWindow < kWindowBytes;
        parameter |= (in_parameter ? 1u : 0u) << n;
        shared |= (in_shared ? 1u : 0u) << n;
        local |= (in_local ? 1u : 0u) << n;
        inside[n] -= in_shared ? kSharedWindow : in_local ? kLocalWindow : 0;
    }
    if (uint32_t some = lanes & shared) access_shared<T, R, store>(w, op, some, inside);
    if (uint32_t some = lanes & local) access_local<T, R, store>(w, op, some, inside);
    if constexpr (!store)
        if (uint32_t some = lanes & parameter) access_parameter<T, R>(w, op, some, addresses);
    if (uint32_t some = lanes & ~shared & ~local & ~parameter)
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
