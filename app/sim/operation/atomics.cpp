#include "sim/operation/atomics.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "sim/operation/reach.h"
#include "sim/warp/small_float.h"

namespace lanewise {

namespace {

// What is written, from what was there and the operands. `global`: not shared memory.
struct Add {
    template <class T>
    static T of(T old, T b, T, bool) {
        return static_cast<T>(old + b);
    }
};
struct Min {
    template <class T>
    static T of(T old, T b, T, bool) {
        return b < old ? b : old;
    }
};
struct Max {
    template <class T>
    static T of(T old, T b, T, bool) {
        return b > old ? b : old;
    }
};
struct And {
    template <class T>
    static T of(T old, T b, T, bool) {
        return old & b;
    }
};
struct Or {
    template <class T>
    static T of(T old, T b, T, bool) {
        return old | b;
    }
};
struct Xor {
    template <class T>
    static T of(T old, T b, T, bool) {
        return old ^ b;
    }
};
struct Exchange {
    template <class T>
    static T of(T, T b, T, bool) {
        return b;
    }
};
struct CompareAndSwap {
    template <class T>
    static T of(T old, T b, T c, bool) {
        return old == b ? c : old;
    }
};
// Counts up to b and begins again, and down.
struct Increment {
    static uint32_t of(uint32_t old, uint32_t b, uint32_t, bool) { return old >= b ? 0 : old + 1; }
};
struct Decrement {
    static uint32_t of(uint32_t old, uint32_t b, uint32_t, bool) {
        return old == 0 || old > b ? b : old - 1;
    }
};
// 9.7.13.6: atom.add.f32 flushes denormals in global memory, and not in shared.
struct AddF32 {
    static uint32_t of(uint32_t old, uint32_t b, uint32_t, bool global) {
        float sum = flushed(old, global) + flushed(b, global);
        if (sum != sum) return 0x7fffffff;
        return std::bit_cast<uint32_t>(flushed(std::bit_cast<uint32_t>(sum), global));
    }
    static float flushed(uint32_t bits, bool global) {
        bool denormal = (bits & 0x7f800000) == 0;
        return std::bit_cast<float>(global && denormal ? bits & 0x80000000 : bits);
    }
};
struct AddF64 {
    static uint64_t of(uint64_t old, uint64_t b, uint64_t, bool) {
        return std::bit_cast<uint64_t>(std::bit_cast<double>(old) + std::bit_cast<double>(b));
    }
};
template <const SmallFormat& format>
struct AddSmall {
    static uint16_t of(uint16_t old, uint16_t b, uint16_t, bool) {
        return to_small(from_small(old, format) + from_small(b, format), format, Modes::rn);
    }
};
template <const SmallFormat& format>
struct AddPair {
    static uint32_t of(uint32_t old, uint32_t b, uint32_t, bool) {
        auto half = [&](int shift) -> uint32_t {
            return AddSmall<format>::of(static_cast<uint16_t>(old >> shift),
                                        static_cast<uint16_t>(b >> shift), 0, true);
        };
        return half(16) << 16 | half(0);
    }
};

template <class T, class F>
T update(T* where, T b, T c, bool global) {
    T old = __atomic_load_n(where, __ATOMIC_RELAXED);
    while (!__atomic_compare_exchange_n(where, &old, F::of(old, b, c, global), false,
                                        __ATOMIC_ACQ_REL, __ATOMIC_RELAXED)) {
    }
    return old;
}

template <class T, class F>
void run_atomic(Warp& w, const Op& op) {
    using Bits = std::make_unsigned_t<T>;
    using Row = std::conditional_t<sizeof(T) == 8, uint64_t, uint32_t>;
    if (w.lanes == 0) return;
    LaneAddresses32 addresses = lane_addresses(w, op.a, op.has_base, op.wide_base, op.immediate);
    Reach reached = reach(w, op, static_cast<Operations::Where>(op.elements), w.lanes, addresses,
                          sizeof(T), true);
    announce_reach(w, op, reached, AccessKind::atomic, op.is_store, sizeof(T));
    const auto* b = reinterpret_cast<const Row*>(w.state + op.b);
    const auto* c = reinterpret_cast<const Row*>(w.state + op.c);
    auto* d = reinterpret_cast<Row*>(w.state + op.d);
    for (uint32_t rest = w.lanes; rest != 0; rest &= rest - 1) {
        int n = std::countr_zero(rest);
        bool reaches = reached.lanes() >> n & 1, global = reached.global >> n & 1;
        T old = 0;
        if (reaches)
            old = update<T, F>(reinterpret_cast<T*>(reached.bytes[static_cast<size_t>(n)]),
                               static_cast<T>(b[n]), static_cast<T>(c[n]), global);
        d[n] = static_cast<Bits>(old);
    }
}

// Of 2 bytes: the hardware has a load and then a loop around a compare-and-swap of the word that
// they lie in, in which the lanes of a word go in order: the first has its way, another one only if
// the word is still what it expects (tests/golden/h200/kernels/half_atomics.cu).
template <class T, class F>
void run_narrow(Warp& w, const Op& op) {
    if (w.lanes == 0) return;
    LaneAddresses32 addresses = lane_addresses(w, op.a, op.has_base, op.wide_base, op.immediate);
    Reach elsewhere = reach(w, op, static_cast<Operations::Where>(op.elements), w.lanes, addresses,
                            sizeof(T), true);
    Reach turn = elsewhere;
    elsewhere.global = turn.shared = turn.local = 0;
    announce_reach(w, op, elsewhere, AccessKind::atomic, op.is_store, sizeof(T));
    if (!op.is_store) announce_reach(w, op, turn, AccessKind::plain, false, sizeof(T));
    auto swap = [&](int n, bool global) {
        T b = static_cast<T>(w.words(op.b)[n]), c = static_cast<T>(w.words(op.c)[n]);
        T* where = reinterpret_cast<T*>(turn.bytes[static_cast<size_t>(n)]);
        T old = update<T, F>(where, b, c, global);
        w.words(op.d)[n] = old;
        return F::of(old, b, c, global) != old;  // whether it has changed the word
    };
    for (uint32_t rest = w.lanes & ~turn.global; rest != 0; rest &= rest - 1) {
        int n = std::countr_zero(rest);
        w.words(op.d)[n] = 0;
        if (elsewhere.lanes() >> n & 1) swap(n, false);
    }
    while (turn.global != 0) {
        announce_reach(w, op, turn, AccessKind::atomic, op.is_store, sizeof(T));
        std::array<uint64_t, kLanes> changed;
        size_t words = 0;
        uint32_t again = 0;
        for (uint32_t rest = turn.global; rest != 0; rest &= rest - 1) {
            int n = std::countr_zero(rest);
            uint64_t word = turn.addresses[static_cast<size_t>(n)] / 4;
            auto end = changed.begin() + static_cast<std::ptrdiff_t>(words);
            if (std::find(changed.begin(), end, word) != end)
                again |= 1u << n;
            else if (swap(n, true))
                changed[words++] = word;
        }
        turn.global = again;
    }
}

template <class T, class F>
void run_vector(Warp& w, const Op& op) {
    const auto& vector = *reinterpret_cast<const AtomicVector*>(op.immediate);
    if (w.lanes == 0) return;
    LaneAddresses32 addresses =
        lane_addresses(w, op.a, op.has_base, op.wide_base, vector.displacement);
    uint32_t bytes = vector.count * sizeof(T);
    Reach reached =
        reach(w, op, static_cast<Operations::Where>(op.elements), w.lanes, addresses, bytes, true);
    announce_reach(w, op, reached, AccessKind::atomic, op.is_store, bytes);
    for (uint32_t rest = w.lanes; rest != 0; rest &= rest - 1) {
        int n = std::countr_zero(rest);
        bool reaches = reached.lanes() >> n & 1, global = reached.global >> n & 1;
        for (uint32_t e = 0; e < vector.count; ++e) {
            T old = 0, b = static_cast<T>(w.words(vector.b[e])[n]);
            std::byte* place = reached.bytes[static_cast<size_t>(n)];
            if (reaches)
                old = update<T, F>(reinterpret_cast<T*>(place + e * sizeof(T)), b, b, global);
            w.words(vector.d[e])[n] = old;
        }
    }
}

struct AtomicRow {
    std::string_view name;
    Type type;
    Execute execute;
};
constexpr AtomicRow kAtomics[] = {
    {"add", Type::u32, run_atomic<uint32_t, Add>},
    {"add", Type::s32, run_atomic<uint32_t, Add>},
    {"add", Type::u64, run_atomic<uint64_t, Add>},
    {"add", Type::f32, run_atomic<uint32_t, AddF32>},
    {"add", Type::f64, run_atomic<uint64_t, AddF64>},
    {"add", Type::f16, run_narrow<uint16_t, AddSmall<kHalf>>},
    {"add", Type::bf16, run_narrow<uint16_t, AddSmall<kBrain>>},
    {"add", Type::f16x2, run_atomic<uint32_t, AddPair<kHalf>>},
    {"add", Type::bf16x2, run_atomic<uint32_t, AddPair<kBrain>>},
    {"min", Type::u32, run_atomic<uint32_t, Min>},
    {"min", Type::s32, run_atomic<int32_t, Min>},
    {"min", Type::u64, run_atomic<uint64_t, Min>},
    {"min", Type::s64, run_atomic<int64_t, Min>},
    {"max", Type::u32, run_atomic<uint32_t, Max>},
    {"max", Type::s32, run_atomic<int32_t, Max>},
    {"max", Type::u64, run_atomic<uint64_t, Max>},
    {"max", Type::s64, run_atomic<int64_t, Max>},
    {"and", Type::u32, run_atomic<uint32_t, And>},
    {"and", Type::u64, run_atomic<uint64_t, And>},
    {"or", Type::u32, run_atomic<uint32_t, Or>},
    {"or", Type::u64, run_atomic<uint64_t, Or>},
    {"xor", Type::u32, run_atomic<uint32_t, Xor>},
    {"xor", Type::u64, run_atomic<uint64_t, Xor>},
    {"exch", Type::u32, run_atomic<uint32_t, Exchange>},
    {"exch", Type::u64, run_atomic<uint64_t, Exchange>},
    {"cas", Type::u16, run_narrow<uint16_t, CompareAndSwap>},
    {"cas", Type::u32, run_atomic<uint32_t, CompareAndSwap>},
    {"cas", Type::u64, run_atomic<uint64_t, CompareAndSwap>},
    {"inc", Type::u32, run_atomic<uint32_t, Increment>},
    {"dec", Type::u32, run_atomic<uint32_t, Decrement>},
};

constexpr AtomicRow kVectors[] = {
    {"add", Type::f32, run_vector<uint32_t, AddF32>},
    {"add", Type::f16, run_vector<uint16_t, AddSmall<kHalf>>},
    {"add", Type::bf16, run_vector<uint16_t, AddSmall<kBrain>>},
    {"add", Type::f16x2, run_vector<uint32_t, AddPair<kHalf>>},
    {"add", Type::bf16x2, run_vector<uint32_t, AddPair<kBrain>>},
};

}  // namespace

Execute find_vector_atomic(std::string_view name, Type type) {
    for (const AtomicRow& row : kVectors)
        if (row.name == name && row.type == type) return row.execute;
    return nullptr;
}

Execute find_atomic(std::string_view name, Type type) {
    for (const AtomicRow& row : kAtomics)
        if (row.name == name && row.type == type) return row.execute;
    return nullptr;
}

}  // namespace lanewise
