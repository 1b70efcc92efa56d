// The operations, in the order of the PTX manual's chapter 9.7. Not a header: operations_*.cpp
// include it once each, compiled for one instruction set, with LANEWISE_OPERATIONS naming the
// function that it defines.
#include <cmath>

#include "sim/operation/access.h"
#include "sim/operation/lanes.h"

namespace lanewise {
namespace {

// The hardware's one NaN of f32.
template <class T>
inline T canonical(T v) {
    if constexpr (std::is_same_v<T, float>)
        return v == v ? v : __builtin_bit_cast(float, 0x7fffffffu);
    else
        return v;
}

// Integers wrap as on the hardware; unsigned arithmetic makes that well defined here.
template <class T>
using Unsigned = std::conditional_t<sizeof(T) == 2, uint32_t, std::make_unsigned_t<T>>;
template <class T, class F>
inline T wrapped(T a, T b, F f) {
    if constexpr (std::is_floating_point_v<T>)
        return canonical(f(a, b));
    else
        return static_cast<T>(f(static_cast<Unsigned<T>>(a), static_cast<Unsigned<T>>(b)));
}

// 9.7.1  Integer arithmetic (add, sub, mul, fma and the like also 9.7.3, floating point)
struct Add {
    template <class T>
    static T of(T a, T b) {
        return wrapped(a, b, [](auto x, auto y) { return x + y; });
    }
};
struct Sub {
    template <class T>
    static T of(T a, T b) {
        return wrapped(a, b, [](auto x, auto y) { return x - y; });
    }
};
struct Mul {
    template <class T>
    static T of(T a, T b) {
        return wrapped(a, b, [](auto x, auto y) { return x * y; });
    }
};
struct MulHigh {
    template <class T>
    static T of(T a, T b) {
        if constexpr (sizeof(T) == 8) {
            using Wide = std::conditional_t<std::is_signed_v<T>, __int128, unsigned __int128>;
            return static_cast<T>((static_cast<Wide>(a) * static_cast<Wide>(b)) >> 64);
        } else {
            return static_cast<T>((static_cast<Twice<T>>(a) * static_cast<Twice<T>>(b)) >>
                                  (8 * sizeof(T)));
        }
    }
};
struct MulWide {
    template <class T>
    static Twice<T> of(T a, T b) {
        return static_cast<Twice<T>>(a) * static_cast<Twice<T>>(b);
    }
};
struct Mad {
    template <class T>
    static T of(T a, T b, T c) {
        return Add::of(Mul::of(a, b), c);
    }
};
struct MadHigh {
    template <class T>
    static T of(T a, T b, T c) {
        return Add::of(MulHigh::of(a, b), c);
    }
};
struct MadWide {
    template <class T>
    static Twice<T> of(T a, T b, Twice<T> c) {
        return Add::of(MulWide::of(a, b), c);
    }
};
// Division by zero gives all ones, the remainder then is the dividend; as on the hardware.
struct Div {
    template <class T>
    static T of(T a, T b) {
        if constexpr (std::is_floating_point_v<T>)
            return canonical(a / b);
        else if (b == 0)
            return static_cast<T>(-1);
        else if (std::is_signed_v<T> && b == static_cast<T>(-1))
            return Sub::of(T{0}, a);
        else
            return static_cast<T>(a / b);
    }
};
struct Rem {
    template <class T>
    static T of(T a, T b) {
        if (b == 0) return a;
        if (std::is_signed_v<T> && b == static_cast<T>(-1)) return 0;
        return static_cast<T>(a % b);
    }
};
struct Neg {
    template <class T>
    static T of(T a) {
        if constexpr (std::is_floating_point_v<T>)
            return -a;
        else
            return Sub::of(T{0}, a);
    }
};
struct Abs {
    template <class T>
    static T of(T a) {
        if constexpr (std::is_floating_point_v<T>)
            return sizeof(T) == 4 ? static_cast<T>(__builtin_fabsf(static_cast<float>(a)))
                                  : static_cast<T>(__builtin_fabs(a));
        else
            return a < 0 ? Neg::of(a) : a;
    }
};
// Of two equal numbers: -0 is less than +0.
template <bool least, class T>
inline T equal_extreme(T a, T b) {
    auto x = __builtin_bit_cast(Bits<T>, a), y = __builtin_bit_cast(Bits<T>, b);
    return __builtin_bit_cast(T, static_cast<Bits<T>>(least ? x | y : x & y));
}
// Of a number and a NaN the number.
struct Min {
    template <class T>
    static T of(T a, T b) {
        if constexpr (std::is_floating_point_v<T>)
            return canonical(a != a   ? b
                             : b != b ? a
                             : a == b ? equal_extreme<true>(a, b)
                             : a < b  ? a
                                      : b);
        else
            return a < b ? a : b;
    }
};
struct Max {
    template <class T>
    static T of(T a, T b) {
        if constexpr (std::is_floating_point_v<T>)
            return canonical(a != a   ? b
                             : b != b ? a
                             : a == b ? equal_extreme<false>(a, b)
                             : a > b  ? a
                                      : b);
        else
            return a > b ? a : b;
    }
};
struct Popc {
    template <class T>
    static uint32_t of(T a) {
        return static_cast<uint32_t>(__builtin_popcountll(a));
    }
};
struct Clz {
    template <class T>
    static uint32_t of(T a) {
        constexpr int width = 8 * sizeof(T);
        return a == 0 ? width : static_cast<uint32_t>(__builtin_clzll(a) - (64 - width));
    }
};
struct Brev {
    template <class T>
    static T of(T a) {
        T result = 0;
        for (unsigned i = 0; i < 8 * sizeof(T); ++i)
            result = static_cast<T>(result << 1 | (a >> i & 1));
        return result;
    }
};
// bfe d, a, position, length: beyond the top the sign bit (or 0) goes on
struct Bfe {
    template <class T>
    static T of(T a, uint32_t position, uint32_t length) {
        constexpr uint32_t width = 8 * sizeof(T);
        position &= 255, length &= 255;
        if (length == 0) return 0;
        T shifted = static_cast<T>(position >= width ? (a < 0 ? T(-1) : T(0)) : T(a >> position));
        if (length >= width) return shifted;
        uint32_t unused = width - length;
        if (std::is_signed_v<T> && position + length > width) return shifted;
        return static_cast<T>(
            static_cast<T>(static_cast<std::make_unsigned_t<T>>(shifted) << unused) >> unused);
    }
};
template <class T>
inline T bit_field_insert(T a, T b, uint32_t position, uint32_t length) {
    constexpr uint32_t width = 8 * sizeof(T);
    position &= 255, length &= 255;
    if (position >= width || length == 0) return b;
    T field = length >= width ? T(-1) : static_cast<T>((T{1} << length) - 1);
    return static_cast<T>((b & ~(field << position)) | ((a & field) << position));
}

// 9.7.4  Comparison and selection. Ordered comparisons are false with a NaN, those with a u are
// true.
struct Eq {
    template <class T>
    static bool of(T a, T b) {
        return a == b;
    }
};
struct Ne {
    template <class T>
    static bool of(T a, T b) {
        return (a < b) | (a > b) | ((a == a) & (b == b) & (a != b));
    }
};
struct Lt {
    template <class T>
    static bool of(T a, T b) {
        return a < b;
    }
};
struct Le {
    template <class T>
    static bool of(T a, T b) {
        return a <= b;
    }
};
struct Gt {
    template <class T>
    static bool of(T a, T b) {
        return a > b;
    }
};
struct Ge {
    template <class T>
    static bool of(T a, T b) {
        return a >= b;
    }
};
struct Equ {
    template <class T>
    static bool of(T a, T b) {
        return !Ne::of(a, b);
    }
};
struct Neu {
    template <class T>
    static bool of(T a, T b) {
        return a != b;
    }
};
struct Ltu {
    template <class T>
    static bool of(T a, T b) {
        return !(a >= b);
    }
};
struct Leu {
    template <class T>
    static bool of(T a, T b) {
        return !(a > b);
    }
};
struct Gtu {
    template <class T>
    static bool of(T a, T b) {
        return !(a <= b);
    }
};
struct Geu {
    template <class T>
    static bool of(T a, T b) {
        return !(a < b);
    }
};
struct Num {
    template <class T>
    static bool of(T a, T b) {
        return (a == a) & (b == b);
    }
};
struct Nan {
    template <class T>
    static bool of(T a, T b) {
        return (a != a) | (b != b);
    }
};

struct TakeFirst {
    static uint32_t of(uint32_t p, uint32_t) { return p; }
};
struct And {
    template <class T>
    static T of(T a, T b) {
        return static_cast<T>(a & b);
    }
};
struct Or {
    template <class T>
    static T of(T a, T b) {
        return static_cast<T>(a | b);
    }
};
struct Xor {
    template <class T>
    static T of(T a, T b) {
        return static_cast<T>(a ^ b);
    }
};
struct Not {
    template <class T>
    static T of(T a) {
        return static_cast<T>(~a);
    }
};
struct Copy {
    template <class T>
    static T of(T a) {
        return a;
    }
};

// setp d|q, a, b, c: d = combine(compare(a, b), c), q = combine(!compare(a, b), c)
template <class T, class Compare>
inline uint32_t compared(Warp& w, const Op& op) {
    const Row<T>* a = row<T>(w, op.a);
    const Row<T>* b = row<T>(w, op.b);
    return mask_of([=](int n) { return Compare::of(value<T>(a[n]), value<T>(b[n])); });
}
// The rare combinations share one loop.
template <class T, class Compare>
[[gnu::noinline]] uint32_t compared_for_combination(Warp& w, const Op& op) {
    return compared<T, Compare>(w, op);
}
template <class T, class Compare, class Combine>
void run_setp(Warp& w, const Op& op) {
    uint32_t mask = std::is_same_v<Combine, TakeFirst>
                        ? compared<T, Compare>(w, op)
                        : compared_for_combination<T, Compare>(w, op);
    uint32_t c = w.predicate(op.c) ^ op.c_flip;
    set_predicate(w, op.d, Combine::of(mask, c));
    set_predicate(w, op.d2, Combine::of(~mask, c));
}
template <class Compare, class Combine>
struct Setp {
    template <class T>
    static Execute run() {
        return run_setp<T, Compare, Combine>;
    }
};

// selp d, a, b, p    d = p ? a : b
struct Selp {
    template <class T>
    static Execute run() {
        return [](Warp& w, const Op& op) {
            const Row<T>* a = row<T>(w, op.a);
            const Row<T>* b = row<T>(w, op.b);
            uint32_t p = w.predicate(op.c) ^ op.c_flip;
            each_lane<T>(w, row<T>(w, op.d),
                         [=](int n) { return value<T>((p >> n & 1) ? a[n] : b[n]); });
        };
    }
};

// 9.7.8  Logic and shifts. Amounts beyond the width shift everything out.
template <class F>
Execute predicate_binary(Type, Type) {
    return [](Warp& w, const Op& op) {
        set_predicate(w, op.d, F::of(w.predicate(op.a), w.predicate(op.b)));
    };
}
template <class F>
Execute predicate_unary(Type, Type) {
    return [](Warp& w, const Op& op) { set_predicate(w, op.d, F::of(w.predicate(op.a))); };
}
struct Shl {
    template <class T>
    static T of(T a, uint32_t n) {
        return n >= 8 * sizeof(T)
                   ? T{0}
                   : static_cast<T>(static_cast<Unsigned<T>>(a) << (n & (8 * sizeof(T) - 1)));
    }
};
struct Shr {
    template <class T>
    static T of(T a, uint32_t n) {
        constexpr uint32_t top = 8 * sizeof(T) - 1;
        if (std::is_signed_v<T>) return static_cast<T>(a >> (n > top ? top : n));
        return n > top ? T{0} : static_cast<T>(a >> (n & top));
    }
};
// shf: the 64-bit value {b, a} shifted; wrap takes the amount modulo 32, clamp at most 32
template <bool left, bool wrap>
struct FunnelShift {
    static uint32_t of(uint32_t a, uint32_t b, uint32_t c) {
        uint32_t n = wrap ? c & 31 : c < 32 ? c : 32;
        uint64_t both = uint64_t{b} << 32 | a;
        return static_cast<uint32_t>(left ? (both << n) >> 32 : both >> n);
    }
};
template <class F>
Execute ternary_word(Type, Type) {
    return run_ternary<uint32_t, uint32_t, uint32_t, uint32_t, F>;
}

// 9.7.9  Data movement and conversion
struct Prmt {
    static uint32_t of(uint32_t a, uint32_t b, uint32_t selector) {
        uint64_t bytes = uint64_t{b} << 32 | a;
        uint32_t result = 0;
        for (int i = 0; i < 4; ++i) {
            uint32_t pick = selector >> (4 * i) & 15;
            uint32_t byte = static_cast<uint32_t>(bytes >> (8 * (pick & 7))) & 255;
            if (pick & 8) byte = byte & 128 ? 255 : 0;  // only its sign
            result |= byte << (8 * i);
        }
        return result;
    }
};
// lop3: `table` has the result for each combination of three bits
struct Lop3Op {
    static uint32_t of(uint32_t a, uint32_t b, uint32_t c, uint32_t table) {
        uint32_t result = 0;
        for (uint32_t i = 0; i < 8; ++i)
            if (table >> i & 1) result |= (i & 4 ? a : ~a) & (i & 2 ? b : ~b) & (i & 1 ? c : ~c);
        return result;
    }
};
inline void run_lop3(Warp& w, const Op& op) {
    const uint32_t *a = row<uint32_t>(w, op.a), *b = row<uint32_t>(w, op.b),
                   *c = row<uint32_t>(w, op.c);
    const uint32_t* table = row<uint32_t>(w, op.d2);
    each_lane<uint32_t>(w, row<uint32_t>(w, op.d),
                        [=](int n) { return Lop3Op::of(a[n], b[n], c[n], table[n]); });
}
template <class T>
void run_bfi(Warp& w, const Op& op) {
    const Row<T>*a = row<T>(w, op.a), *b = row<T>(w, op.b);
    const uint32_t *position = row<uint32_t>(w, op.c), *length = row<uint32_t>(w, op.d2);
    each_lane<T>(w, row<T>(w, op.d),
                 [=](int n) { return bit_field_insert<T>(a[n], b[n], position[n], length[n]); });
}
inline Execute select_bfi(Type type, Type) {
    return type == Type::u32 ? run_bfi<uint32_t> : type == Type::u64 ? run_bfi<uint64_t> : nullptr;
}

enum class Rounding { nearest_even, zero, down, up };
template <class D, class S, Rounding rounding>
struct Convert {
    static D of(S a) {
        if constexpr (std::is_floating_point_v<S> && std::is_integral_v<D>) {
            // 9.7.9.21: 0, or the top bit where one of the types has 64 bits.
            constexpr bool top_bit = sizeof(D) == 8 || sizeof(S) == 8;
            if (a != a)
                return top_bit ? static_cast<D>(std::make_unsigned_t<D>{1} << (8 * sizeof(D) - 1))
                               : D{0};
            S r = rounded(a);
            constexpr S limit =
                static_cast<S>(1ull << (8 * sizeof(D) - 1)) * (std::is_signed_v<D> ? 1 : 2);
            if (r >= limit) return std::numeric_limits<D>::max();
            if (r < (std::is_signed_v<D> ? -limit : S{0})) return std::numeric_limits<D>::min();
            return static_cast<D>(r);
        } else if constexpr (std::is_floating_point_v<S> && std::is_same_v<S, D> &&
                             rounding != Rounding::nearest_even) {
            return rounded(a);
        } else {
            return static_cast<D>(a);
        }
    }
    static S rounded(S a) {
        if constexpr (rounding == Rounding::nearest_even)
            return static_cast<S>(__builtin_nearbyint(a));
        if constexpr (rounding == Rounding::zero) return static_cast<S>(__builtin_trunc(a));
        if constexpr (rounding == Rounding::down) return static_cast<S>(__builtin_floor(a));
        if constexpr (rounding == Rounding::up) return static_cast<S>(__builtin_ceil(a));
    }
};
// Values narrower than their register are read by their own width and written with their sign.
template <class D, Rounding rounding>
struct ConvertTo {
    template <class S>
    static Execute run() {
        using Written =
            std::conditional_t<sizeof(D) >= 4, D,
                               std::conditional_t<std::is_signed_v<D>, int32_t, uint32_t>>;
        struct Through {
            static Written of(S a) { return static_cast<Written>(Convert<D, S, rounding>::of(a)); }
        };
        return run_unary<Written, S, Through>;
    }
};
using AllIntegers = Types<uint8_t, int8_t, uint16_t, int16_t, uint32_t, int32_t, uint64_t, int64_t>;
using AllTypes =
    Types<uint8_t, int8_t, uint16_t, int16_t, uint32_t, int32_t, uint64_t, int64_t, float, double>;

template <Rounding rounding, class Sources, class... Ds>
Execute choose_conversion(Type d, Type s, Types<Ds...>) {
    Execute found = nullptr;
    ((d == type_of<Ds>() ? void(found = choose<ConvertTo<Ds, rounding>>(s, Sources{})) : void()),
     ...);
    return found;
}
// Without a rounding: between integers, and f32 to f64. .rn: to a float.
inline Execute convert(Type d, Type s) {
    return choose_conversion<Rounding::nearest_even, AllIntegers>(d, s, AllIntegers{});
}
inline Execute widen_float(Type d, Type s) {
    if (d == Type::f64 && s == Type::f32)
        return ConvertTo<double, Rounding::nearest_even>::run<float>();
    return convert(d, s);
}
inline Execute to_float(Type d, Type s) {
    return choose_conversion<Rounding::nearest_even, AllTypes>(d, s, Floats{});
}
template <Rounding rounding>
Execute to_integer(Type d, Type s) {
    if (d == s && rounding == Rounding::nearest_even) return nullptr;  // left to conversion()
    if (d == s)
        return choose_conversion<rounding, Floats>(d, s, Floats{});  // f32.f32: stays a float
    return choose_conversion<rounding, Floats>(d, s, AllIntegers{});
}

// shfl d|p, a, b, c: c holds the clamp (bits 0-4) and the segment mask (bits 8-12)
enum class Shuffle { up, down, bfly, idx };
template <Shuffle mode>
void run_shfl(Warp& w, const Op& op) {
    const uint32_t *b = row<uint32_t>(w, op.b), *c = row<uint32_t>(w, op.c);
    ShuffleEvent event{
        op.instruction, w.memory->block, static_cast<uint16_t>(w.index), w.lanes, {}, {}};
    auto& a = event.given;
    uint32_t in_range = 0;
    std::memcpy(a.data(), row<uint32_t>(w, op.a), sizeof a);
    uint32_t* d = row<uint32_t>(w, op.d);
    for (int lane = 0; lane < kLanes; ++lane) {
        int by = static_cast<int>(b[lane] & 31), clamp = static_cast<int>(c[lane] & 31);
        int segment = static_cast<int>(c[lane] >> 8 & 31);
        int top = (lane & segment) | (clamp & ~segment);
        int from = mode == Shuffle::up     ? lane - by
                   : mode == Shuffle::down ? lane + by
                   : mode == Shuffle::bfly ? lane ^ by
                                           : (lane & segment) | (by & ~segment & 31);
        bool reaches = mode == Shuffle::up ? from >= top : from <= top;
        if (!reaches) from = lane;
        in_range |= (reaches ? 1u : 0u) << lane;
        event.from[static_cast<size_t>(lane)] = static_cast<uint8_t>(from);
        if (w.lanes >> lane & 1) d[lane] = a[static_cast<size_t>(from)];
    }
    set_predicate(w, op.d2, in_range);
    w.memory->observer->on_shuffle(event);
}
template <Shuffle mode>
Execute shuffle(Type, Type) {
    return run_shfl<mode>;
}

// mov d, {a, b, …} and back: elements of op.bytes each, the first lowest
template <class Wide, class Part>
void run_pack(Warp& w, const Op& op) {
    Wide packed[kLanes] = {};
    for (uint32_t e = 0; e < op.elements; ++e) {
        const Part* part = reinterpret_cast<const Part*>(w.state + op.vector[e]);
        uint64_t keep = op.bytes == 8 ? ~0ull : (1ull << (8 * op.bytes)) - 1;
        for (int n = 0; n < kLanes; ++n)
            packed[n] |= static_cast<Wide>((uint64_t{part[n]} & keep) << (8 * op.bytes * e));
    }
    each_lane<Wide>(w, row<Wide>(w, op.d), [&](int n) { return packed[n]; });
}
template <class Wide>
void run_unpack(Warp& w, const Op& op) {
    Wide whole[kLanes];
    std::memcpy(whole, row<Wide>(w, op.a), sizeof whole);
    uint32_t keep = op.bytes == 4 ? ~0u : (1u << (8 * op.bytes)) - 1;
    for (uint32_t e = 0; e < op.elements; ++e)
        each_lane<uint32_t>(w, row<uint32_t>(w, op.vector[e]), [&](int n) {
            return static_cast<uint32_t>(uint64_t{whole[n]} >> (8 * op.bytes * e)) & keep;
        });
}

// cvta: generic address = window + address in the space; global addresses are generic already
template <uint64_t window, bool to_space>
Execute convert_address(Type, Type) {
    struct Shifted {
        static uint64_t of(uint64_t a) { return to_space ? a - window : a + window; }
    };
    return run_unary<uint64_t, uint64_t, Shifted>;
}

// 9.7.10 Time: one instruction of a warp takes one tick.
template <class T>
void run_clock(Warp& w, const Op& op) {
    T now = static_cast<T>(w.executed);
    each_lane<T>(w, row<T>(w, op.d), [=](int) { return now; });
}

void write_unique_words(uint32_t first, uint32_t count, std::byte* to) {
    for (uint32_t i = 0; i < count; ++i) {
        uint32_t word = unique_word(first + i);
        std::memcpy(to + size_t{4} * i, &word, 4);
    }
}

void do_nothing(Warp&, const Op&) {}
Execute nothing(Type, Type) { return do_nothing; }

struct Sqrt {
    template <class T>
    static T of(T a) {
        return canonical(sizeof(T) == 4 ? static_cast<T>(__builtin_sqrtf(static_cast<float>(a)))
                                        : static_cast<T>(__builtin_sqrt(a)));
    }
};
struct Fma {
    static float of(float a, float b, float c) { return canonical(__builtin_fmaf(a, b, c)); }
    static double of(double a, double b, double c) { return __builtin_fma(a, b, c); }
};

using Unsigneds = Types<uint32_t, uint64_t>;
using Logical = Types<uint16_t, uint32_t, uint64_t>;
using Signeds = Types<int16_t, int32_t, int64_t, float, double>;

constexpr OpcodeRow kOperations[] = {
    // 9.7.1 and 9.7.3
    {"add", "dss", over<Binary<Add>, Numbers>},
    {"sub", "dss", over<Binary<Sub>, Numbers>},
    {"mul", "dss", over<Binary<Mul>, Floats>},
    {"mul.lo", "dss", over<Binary<Mul>, Ints>},
    {"mul.hi", "dss", over<Binary<MulHigh>, Ints>},
    {"mul.wide", "Dss", over<Widening<MulWide>, Narrow>},
    {"mad.lo", "dsss", over<Ternary<Mad>, Ints>},
    {"mad.hi", "dsss", over<Ternary<MadHigh>, Ints>},
    {"mad.wide", "DssD", over<WideningTernary<MadWide>, Narrow>},
    {"fma", "dsss", over<Ternary<Fma>, Floats>},
    {"div", "dss", over<Binary<Div>, Numbers>},
    {"rem", "dss", over<Binary<Rem>, Ints>},
    {"neg", "ds", over<Unary<Neg>, Signeds>},
    {"abs", "ds", over<Unary<Abs>, Signeds>},
    {"sqrt", "ds", over<Unary<Sqrt>, Floats>},
    {"min", "dss", over<Binary<Min>, Numbers>},
    {"max", "dss", over<Binary<Max>, Numbers>},
    {"popc", "Ws", over<UnaryToWord<Popc>, Unsigneds>},
    {"clz", "Ws", over<UnaryToWord<Clz>, Unsigneds>},
    {"brev", "ds", over<Unary<Brev>, Unsigneds>},
    {"bfe", "dsww", over<FieldExtract<Bfe>, Words>},
    {"bfi", "dssww", select_bfi},
    // 9.7.6
    {"selp", "dssp", over<Selp, Numbers>},
    // 9.7.8
    {"and", "dss", over<Binary<And>, Logical>},
    {"or", "dss", over<Binary<Or>, Logical>},
    {"xor", "dss", over<Binary<Xor>, Logical>},
    {"not", "ds", over<Unary<Not>, Logical>},
    {"and.pred", "Ppp", predicate_binary<And>},
    {"or.pred", "Ppp", predicate_binary<Or>},
    {"xor.pred", "Ppp", predicate_binary<Xor>},
    {"not.pred", "Pp", predicate_unary<Not>},
    {"mov.pred", "Pp", predicate_unary<Copy>},
    {"shl", "dsw", over<Shift<Shl>, Logical>},
    {"shr", "dsw", over<Shift<Shr>, Ints>},
    {"shf.l.wrap", "dsss", ternary_word<FunnelShift<true, true>>},
    {"shf.l.clamp", "dsss", ternary_word<FunnelShift<true, false>>},
    {"shf.r.wrap", "dsss", ternary_word<FunnelShift<false, true>>},
    {"shf.r.clamp", "dsss", ternary_word<FunnelShift<false, false>>},
    {"lop3", "dsssw", [](Type, Type) -> Execute { return run_lop3; }},
    // 9.7.9
    {"mov", "ds", over<Unary<Copy>, Numbers>},
    {"prmt", "dsss", ternary_word<Prmt>},
    {"cvt", "dt", widen_float},
    {"cvt.rn", "dt", to_float},
    {"cvt.rni", "dt", to_integer<Rounding::nearest_even>},
    {"cvt.rzi", "dt", to_integer<Rounding::zero>},
    {"cvt.rmi", "dt", to_integer<Rounding::down>},
    {"cvt.rpi", "dt", to_integer<Rounding::up>},
    {"cvta.global", "ds", convert_address<0, false>},
    {"cvta.to.global", "ds", convert_address<0, true>},
    {"cvta.shared", "ds", convert_address<kSharedWindow, false>},
    {"cvta.to.shared", "ds", convert_address<kSharedWindow, true>},
    {"cvta.shared::cluster", "ds", convert_address<kSharedWindow, false>},
    {"cvta.to.shared::cluster", "ds", convert_address<kSharedWindow, true>},
    {"cvta.param", "ds", convert_address<0, false>},
    {"cvta.to.param", "ds", convert_address<0, true>},
    {"cvta.const", "ds", convert_address<0, false>},
    {"cvta.to.const", "ds", convert_address<0, true>},
    {"cvta.local", "ds", convert_address<kLocalWindow, false>},
    {"cvta.to.local", "ds", convert_address<kLocalWindow, true>},
    {"shfl.up", "dsssm", shuffle<Shuffle::up>},
    {"shfl.down", "dsssm", shuffle<Shuffle::down>},
    {"shfl.bfly", "dsssm", shuffle<Shuffle::bfly>},
    {"shfl.idx", "dsssm", shuffle<Shuffle::idx>},
    // 9.7.13
    {"membar", "", nothing},
    {"fence", "", nothing},
};

// setp.lt, setp.lt.and, …: the rows of one comparison, by combination.
struct Comparison {
    std::string_view name;
    OpcodeRow rows[4];
};
constexpr std::string_view kCombinations[] = {"", ".and", ".or", ".xor"};
template <class Compare, class Set>
constexpr Comparison comparison(std::string_view name) {
    return {name,
            {{name, "Pss", over<Setp<Compare, TakeFirst>, Set>},
             {name, "Pssp", over<Setp<Compare, And>, Set>},
             {name, "Pssp", over<Setp<Compare, Or>, Set>},
             {name, "Pssp", over<Setp<Compare, Xor>, Set>}}};
}
constexpr Comparison kComparisons[] = {
    comparison<Eq, Numbers>("eq"),  comparison<Ne, Numbers>("ne"),  comparison<Lt, Numbers>("lt"),
    comparison<Le, Numbers>("le"),  comparison<Gt, Numbers>("gt"),  comparison<Ge, Numbers>("ge"),
    comparison<Lt, Logical>("lo"),  comparison<Le, Logical>("ls"),  comparison<Gt, Logical>("hi"),
    comparison<Ge, Logical>("hs"),  comparison<Equ, Floats>("equ"), comparison<Neu, Floats>("neu"),
    comparison<Ltu, Floats>("ltu"), comparison<Leu, Floats>("leu"), comparison<Gtu, Floats>("gtu"),
    comparison<Geu, Floats>("geu"), comparison<Num, Floats>("num"), comparison<Nan, Floats>("nan"),
};

const OpcodeRow* find_setp(std::string_view name) {
    std::string_view compare = name.substr(0, name.find('.'));
    std::string_view combine = name.substr(compare.size());
    for (const Comparison& candidate : kComparisons)
        for (size_t k = 0; k < 4; ++k)
            if (candidate.name == compare && kCombinations[k] == combine) return &candidate.rows[k];
    return nullptr;
}

const OpcodeRow* find_operation(std::string_view name) {
    if (name.starts_with("setp.")) return find_setp(name.substr(5));
    for (const OpcodeRow& operation : kOperations)
        if (operation.name == name) return &operation;
    return nullptr;
}

}  // namespace
}  // namespace lanewise

#include "sim/operation/matrix_steps_body.h"

namespace lanewise {

const Operations& LANEWISE_OPERATIONS() {
    static constexpr Operations all = {
        LANEWISE_INSTRUCTION_SET,
        kOperations,
        find_operation,
        select_load,
        select_store,
        run_load_parameter<uint32_t>,
        run_load_parameter<uint64_t>,
        run_pack<uint32_t, uint32_t>,
        run_pack<uint64_t, uint32_t>,
        run_unpack<uint32_t>,
        run_unpack<uint64_t>,
        run_clock<uint32_t>,
        run_clock<uint64_t>,
        write_unique_words,
        {add_products, widen_halves, read_sums, write_sums},
    };
    return all;
}

}  // namespace lanewise
