// The lane loops: each owns the active mask and the conversion between rows and C++ types once, so
// that an operation is one line. Included only by the operations, once per instruction set; hence
// the unnamed namespace, which keeps the copies apart.
#pragma once
#include <limits>
#include <type_traits>

#include "sim/operation/operations.h"

namespace lanewise {
namespace {

template <class T>
using Row = std::conditional_t<sizeof(T) == 8, uint64_t, uint32_t>;
template <class T>
using Bits =
    std::conditional_t<sizeof(T) == 8, uint64_t,
                       std::conditional_t<sizeof(T) == 4, uint32_t,
                                          std::conditional_t<sizeof(T) == 2, uint16_t, uint8_t>>>;
template <class T>
struct TwiceOf;
template <>
struct TwiceOf<uint16_t> {
    using type = uint32_t;
};
template <>
struct TwiceOf<int16_t> {
    using type = int32_t;
};
template <>
struct TwiceOf<uint32_t> {
    using type = uint64_t;
};
template <>
struct TwiceOf<int32_t> {
    using type = int64_t;
};
template <class T>
using Twice = typename TwiceOf<T>::type;

template <class T>
inline Row<T>* row(Warp& w, uint32_t offset) {
    return reinterpret_cast<Row<T>*>(__builtin_assume_aligned(w.state + offset, 64));
}
template <class T>
inline T value(Row<T> slot) {
    return __builtin_bit_cast(T, static_cast<Bits<T>>(slot));
}
template <class T>
inline Row<T> slot(T v) {
    return static_cast<Row<T>>(__builtin_bit_cast(Bits<T>, v));
}

// d[lane] = f(lane) for the active lanes. Rows are the same or apart, so lanes are independent.
template <class D, class F>
inline void each_lane(Warp& w, Row<D>* d, F f) {
    if (w.lanes == kAllLanes) {
#pragma GCC ivdep
        for (int lane = 0; lane < kLanes; ++lane) d[lane] = slot<D>(f(lane));
    } else {
        const uint32_t lanes = w.lanes;
#pragma GCC ivdep
        for (int lane = 0; lane < kLanes; ++lane) {
            Row<D> result = slot<D>(f(lane));
            d[lane] = (lanes >> lane & 1) ? result : d[lane];
        }
    }
}

// The mask of the lanes where f(lane) holds, active or not.
template <class F>
inline uint32_t mask_of(F f) {
    uint32_t mask = 0;
    for (int lane = 0; lane < kLanes; ++lane) mask |= f(lane) ? 1u << lane : 0u;
    return mask;
}

inline void set_predicate(Warp& w, uint32_t offset, uint32_t mask) {
    uint32_t& d = w.predicate(offset);
    d = (d & ~w.lanes) | (mask & w.lanes);
}

template <class D, class T, class F>
void run_unary(Warp& w, const Op& op) {
    const Row<T>* a = row<T>(w, op.a);
    each_lane<D>(w, row<D>(w, op.d), [=](int n) { return F::of(value<T>(a[n])); });
}
template <class D, class T, class B, class F>
void run_binary(Warp& w, const Op& op) {
    const Row<T>* a = row<T>(w, op.a);
    const Row<B>* b = row<B>(w, op.b);
    each_lane<D>(w, row<D>(w, op.d), [=](int n) { return F::of(value<T>(a[n]), value<B>(b[n])); });
}
template <class D, class T, class B, class C, class F>
void run_ternary(Warp& w, const Op& op) {
    const Row<T>* a = row<T>(w, op.a);
    const Row<B>* b = row<B>(w, op.b);
    const Row<C>* c = row<C>(w, op.c);
    each_lane<D>(w, row<D>(w, op.d),
                 [=](int n) { return F::of(value<T>(a[n]), value<B>(b[n]), value<C>(c[n])); });
}

// Type -> function, for the types that an operation has.
template <class T>
constexpr Type type_of() {
    if constexpr (std::is_same_v<T, float>) return Type::f32;
    if constexpr (std::is_same_v<T, double>) return Type::f64;
    if constexpr (std::is_integral_v<T>) {
        constexpr int width = sizeof(T) == 1 ? 0 : sizeof(T) == 2 ? 2 : sizeof(T) == 4 ? 4 : 6;
        return static_cast<Type>(static_cast<int>(Type::u8) + width + std::is_signed_v<T>);
    }
}
template <class... Ts>
struct Types {};
using Narrow = Types<uint16_t, int16_t, uint32_t, int32_t>;
using Words = Types<uint32_t, int32_t, uint64_t, int64_t>;
using Ints = Types<uint16_t, int16_t, uint32_t, int32_t, uint64_t, int64_t>;
using Floats = Types<float, double>;
using Numbers = Types<uint16_t, int16_t, uint32_t, int32_t, uint64_t, int64_t, float, double>;

template <class F, class... Ts>
Execute choose(Type type, Types<Ts...>) {
    Execute found = nullptr;
    ((type == type_of<Ts>() ? void(found = F::template run<Ts>()) : void()), ...);
    return found;
}

// How a functor's operands are typed; each is a column of the table.
template <class F>
struct Unary {
    template <class T>
    static Execute run() {
        return run_unary<T, T, F>;
    }
};
template <class F>
struct UnaryToWord {
    template <class T>
    static Execute run() {
        return run_unary<uint32_t, T, F>;
    }
};
template <class F>
struct Binary {
    template <class T>
    static Execute run() {
        return run_binary<T, T, T, F>;
    }
};
template <class F>
struct Shift {
    template <class T>
    static Execute run() {
        return run_binary<T, T, uint32_t, F>;
    }
};
template <class F>
struct Widening {
    template <class T>
    static Execute run() {
        return run_binary<Twice<T>, T, T, F>;
    }
};
template <class F>
struct Ternary {
    template <class T>
    static Execute run() {
        return run_ternary<T, T, T, T, F>;
    }
};
template <class F>
struct WideningTernary {
    template <class T>
    static Execute run() {
        return run_ternary<Twice<T>, T, T, Twice<T>, F>;
    }
};
template <class F>
struct FieldExtract {
    template <class T>
    static Execute run() {
        return run_ternary<T, T, uint32_t, uint32_t, F>;
    }
};
template <class Shape, class Set>
Execute over(Type type, Type) {
    return choose<Shape>(type, Set{});
}

}  // namespace
}  // namespace lanewise
