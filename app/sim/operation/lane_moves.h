// The data of 32 lanes' loads and stores, between rows of registers and the host's bytes. Where
// they may go is settled before (sim/operation/access.h). Included only by the operations, once per
// instruction set.
#pragma once
#include "sim/operation/lanes.h"

namespace lanewise {
namespace {

using Addresses = std::array<uint64_t, kLanes>;

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

// Where the lanes' elements lie, eight lanes at a time: all eight at one address, as where a row of
// a tile is broadcast, or one behind the other, as along it.
struct Eights {
    bool alike, consecutive;
};
inline Eights eights(const Addresses& addresses, size_t bytes) {
    using EightWides = uint64_t __attribute__((vector_size(64)));
    const EightWides steps = EightWides{0, 1, 2, 3, 4, 5, 6, 7} * bytes;
    EightWides apart{}, astray{};
    for (size_t n = 0; n < kLanes; n += 8) {
        EightWides eight;
        std::memcpy(&eight, &addresses[n], sizeof eight);
        apart |= eight ^ addresses[n];
        astray |= eight ^ (steps + addresses[n]);
    }
    uint64_t any_apart = 0, any_astray = 0;
    for (size_t i = 0; i < 8; ++i) any_apart |= apart[i], any_astray |= astray[i];
    return {any_apart == 0, any_astray == 0};
}

// `elements` of each lane, which lie as said.
template <class R>
inline void load_eights(Warp& w, const Op& op, const Addresses& addresses, const std::byte* base,
                        bool consecutive) {
    // The base row of addresses may also be a destination.
    const uint64_t first[] = {addresses[0], addresses[8], addresses[16], addresses[24]};
    for (uint32_t e = 0; e < op.elements; ++e) {
        R* d = reinterpret_cast<R*>(w.state + op.vector[e]);
        for (size_t k = 0; k < 4; ++k) {
            const std::byte* from = base + first[k] + e * sizeof(R);
            if (consecutive) {
                std::memcpy(d + 8 * k, from, 8 * sizeof(R));
            } else {
                R v;
                std::memcpy(&v, from, sizeof v);
                for (size_t n = 0; n < 8; ++n) d[8 * k + n] = v;
            }
        }
    }
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
    if (all_in_one) {
        Eights lie = eights(addresses, sizeof(T));
        bool consecutive_eights = lie.consecutive && op.elements == 1;
        if (lie.alike || consecutive_eights)
            return load_eights<R>(w, op, addresses, base, consecutive_eights);
    }
    // Lanes first: the base row of addresses may also be a destination.
    std::array<uint64_t, kLanes> where = addresses;
    if (sizeof(T) == 4 && all_in_one && op.elements == 4) return load_fours(w, op, where, base);
    if (sizeof(T) == 8 && all_in_one && op.elements == 2) return load_pairs(w, op, where, base);
    for (uint32_t e = 0; e < op.elements; ++e) {
        R* d = reinterpret_cast<R*>(w.state + op.vector[e]);
        auto load = [&](size_t n, const std::byte* from) {
            T v;
            std::memcpy(&v, from + where[n] + e * sizeof(T), sizeof(T));
            d[n] = extended<T, R>(v);
        };
        if (lanes == kAllLanes && lane_stride == 0) {
#pragma GCC unroll 32
            for (size_t n = 0; n < kLanes; ++n) load(n, base);
        } else {
            each_of(lanes, [&](size_t n) { load(n, base + n * lane_stride); });
        }
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

}  // namespace
}  // namespace lanewise
