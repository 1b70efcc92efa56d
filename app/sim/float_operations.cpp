#include "sim/float_operations.h"

#include <cfenv>
#include <cmath>

#include "sim/modes.h"
#include "sim/small_float.h"

namespace lanewise {

namespace {

// The host rounds as the instruction says, from here to the end of the scope. Operands are loaded
// after it begins and results stored before it ends, so nothing is computed outside.
class HostRounding {
  public:
    explicit HostRounding(Modes::Rounding rounding)
        : changed_(rounding > Modes::rn && rounding <= Modes::rp) {
        if (changed_)
            fesetround(rounding == Modes::rz   ? FE_TOWARDZERO
                       : rounding == Modes::rm ? FE_DOWNWARD
                                               : FE_UPWARD);
    }
    ~HostRounding() {
        if (changed_) fesetround(FE_TONEAREST);
    }
    HostRounding(const HostRounding&) = delete;
    HostRounding& operator=(const HostRounding&) = delete;

  private:
    bool changed_;
};

float flushed(float v) { return std::fpclassify(v) == FP_SUBNORMAL ? std::copysign(0.0f, v) : v; }
template <class C>
C limited(C v, const Modes& m) {
    if (m.sat) return v > 0 ? std::min(v, C{1}) : C{0};
    if (m.relu) return v > 0 ? v : C{0};
    return v;
}

// The types: how a register's slot becomes a number to compute with, and back.
struct F32 {
    using Slot = uint32_t;
    using Number = float;
    static float read(uint32_t slot, const Modes& m) {
        float v = std::bit_cast<float>(slot);
        return m.ftz ? flushed(v) : v;
    }
    static uint32_t write(float v, const Modes& m) {
        v = limited(v, m);
        if (v != v) return 0x7fffffff;
        return std::bit_cast<uint32_t>(m.ftz ? flushed(v) : v);
    }
};
struct F64 {
    using Slot = uint64_t;
    using Number = double;
    static double read(uint64_t slot, const Modes&) { return std::bit_cast<double>(slot); }
    static uint64_t write(double v, const Modes& m) {
        return std::bit_cast<uint64_t>(limited(v, m));
    }
};
template <const SmallFormat& format>
struct Small {
    using Slot = uint32_t;
    using Number = double;
    static double read(uint32_t slot, const Modes& m) {
        auto bits = static_cast<uint16_t>(slot);
        bool denormal = (bits & 0x7fff) < (1 << format.mantissa_bits);
        if (m.ftz && denormal) bits &= 0x8000;
        return from_small(bits, format);
    }
    static uint32_t write(double v, const Modes& m) {
        uint16_t bits = to_small(limited(v, m), format, m.rounding);
        bool denormal = (bits & 0x7fff) < (1 << format.mantissa_bits);
        return m.ftz && denormal ? bits & 0x8000 : bits;
    }
};
using F16 = Small<kHalf>;
using Bf16 = Small<kBrain>;

template <class N, class F>
typename N::Slot apply(typename N::Slot a, typename N::Slot b, typename N::Slot c, const Modes& m) {
    return N::write(F::of(N::read(a, m), N::read(b, m), N::read(c, m), m), m);
}
template <class One, class F>
uint32_t apply_pair(uint32_t a, uint32_t b, uint32_t c, const Modes& m) {
    uint32_t low = apply<One, F>(a, b, c, m);
    return low | apply<One, F>(a >> 16, b >> 16, c >> 16, m) << 16;
}

template <class Slot>
const Slot* slots(Warp& w, uint32_t offset) {
    return reinterpret_cast<const Slot*>(w.state + offset);
}

// `one` computes a lane from three slots; what an operation does not have repeats its first.
template <class Slot, int operands, class One>
void each(Warp& w, const Op& op, One one) {
    const Slot* a = slots<Slot>(w, op.a);
    const Slot* b = slots<Slot>(w, operands > 1 ? op.b : op.a);
    const Slot* c = slots<Slot>(w, operands > 2 ? op.c : op.a);
    auto* d = reinterpret_cast<Slot*>(w.state + op.d);
    for (uint32_t rest = w.lanes; rest != 0; rest &= rest - 1) {
        int n = std::countr_zero(rest);
        d[n] = one(a[n], b[n], c[n]);
    }
}
template <class N, class F, int operands>
void run(Warp& w, const Op& op) {
    Modes m = modes_of(op);
    HostRounding rounding(m.rounding);
    each<typename N::Slot, operands>(
        w, op, [&](auto a, auto b, auto c) { return apply<N, F>(a, b, c, m); });
}
template <class One, class F, int operands>
void run_pair(Warp& w, const Op& op) {
    Modes m = modes_of(op);
    each<uint32_t, operands>(
        w, op, [&](auto a, auto b, auto c) { return apply_pair<One, F>(a, b, c, m); });
}

// 9.7.3 and 9.7.4. All take three numbers, of which they use those that they have.
struct Add {
    template <class C>
    static C of(C a, C b, C, const Modes&) {
        return a + b;
    }
};
struct Sub {
    template <class C>
    static C of(C a, C b, C, const Modes&) {
        return a - b;
    }
};
struct Mul {
    template <class C>
    static C of(C a, C b, C, const Modes&) {
        return a * b;
    }
};
struct Fma {
    template <class C>
    static C of(C a, C b, C c, const Modes&) {
        return std::fma(a, b, c);
    }
};
// Of small formats: the product is exact in a double, the sum is rounded once by write().
struct SmallFma {
    static double of(double a, double b, double c, const Modes&) { return sum_to_odd(a * b, c); }
};
// div.approx gives 0 where the divisor's reciprocal would be denormal (9.7.3.8).
struct Div {
    template <class C>
    static C of(C a, C b, C, const Modes& m) {
        bool huge = std::fabs(b) > C{0x1p126} && std::isfinite(b);
        if (m.approx && sizeof(C) == 4 && huge) return a * std::copysign(C{0}, b);
        return a / b;
    }
};
struct Neg {
    template <class C>
    static C of(C a, C, C, const Modes&) {
        return -a;
    }
};
struct Abs {
    template <class C>
    static C of(C a, C, C, const Modes&) {
        return std::fabs(a);
    }
};
template <bool least>
struct Extreme {
    template <class C>
    static C of(C a, C b, C, const Modes& m) {
        if (m.nan && (a != a || b != b)) return std::numeric_limits<C>::quiet_NaN();
        if (a != a) return b;
        if (b != b) return a;
        if (a == b) return std::signbit(a) == least ? a : b;  // -0 is less than +0
        return (a < b) == least ? a : b;
    }
};
struct Sqrt {
    template <class C>
    static C of(C a, C, C, const Modes&) {
        return std::sqrt(a);
    }
};
// rcp.approx.ftz.f64 has only the upper 32 bits of its result, as the manual says.
template <class C>
C upper_half(C v, const Modes& m) {
    if constexpr (sizeof(C) == 8) {
        if (m.approx && m.ftz)
            return std::bit_cast<double>(std::bit_cast<uint64_t>(v) & 0xffffffff00000000);
    }
    return v;
}
struct Rcp {
    template <class C>
    static C of(C a, C, C, const Modes& m) {
        return upper_half(C{1} / a, m);
    }
};
struct Rsqrt {
    template <class C>
    static C of(C a, C, C, const Modes& m) {
        return upper_half(static_cast<C>(1 / std::sqrt(static_cast<double>(a))), m);
    }
};
// The approximations: computed in double, so nearer than the manual's bounds ask.
template <double (*f)(double)>
struct Approximate {
    template <class C>
    static C of(C a, C, C, const Modes&) {
        return static_cast<C>(f(static_cast<double>(a)));
    }
};
struct Copysign {
    template <class C>
    static C of(C a, C b, C, const Modes&) {
        return std::copysign(b, a);
    }
};

template <class F, int operands>
Execute wide_floats(Type type, Type) {
    return type == Type::f32   ? run<F32, F, operands>
           : type == Type::f64 ? run<F64, F, operands>
                               : nullptr;
}
template <class F, int operands>
Execute small_floats(Type type, Type) {
    return type == Type::f16      ? run<F16, F, operands>
           : type == Type::bf16   ? run<Bf16, F, operands>
           : type == Type::f16x2  ? run_pair<F16, F, operands>
           : type == Type::bf16x2 ? run_pair<Bf16, F, operands>
                                  : nullptr;
}
template <class F, int operands>
Execute all_floats(Type type, Type) {
    Execute wide = wide_floats<F, operands>(type, type);
    return wide ? wide : small_floats<F, operands>(type, type);
}

Execute fused(Type type, Type) {
    Execute wide = wide_floats<Fma, 3>(type, type);
    return wide ? wide : small_floats<SmallFma, 3>(type, type);
}

// add.sat.s32, sub.sat.s32
template <int sign>
void run_saturated(Warp& w, const Op& op) {
    each<uint32_t, 2>(w, op, [](uint32_t a, uint32_t b, uint32_t) {
        int64_t sum = int64_t{static_cast<int32_t>(a)} + sign * int64_t{static_cast<int32_t>(b)};
        return static_cast<uint32_t>(std::clamp<int64_t>(sum, INT32_MIN, INT32_MAX));
    });
}
template <class F, int sign>
Execute sum(Type type, Type) {
    return type == Type::s32 ? run_saturated<sign> : all_floats<F, 2>(type, type);
}

constexpr Operation kOperations[] = {
    {"add", "dss", sum<Add, 1>},
    {"sub", "dss", sum<Sub, -1>},
    {"mul", "dss", all_floats<Mul, 2>},
    {"fma", "dsss", fused},
    {"mad", "dsss", wide_floats<Fma, 3>},
    {"div", "dss", wide_floats<Div, 2>},
    {"neg", "ds", all_floats<Neg, 1>},
    {"abs", "ds", all_floats<Abs, 1>},
    {"min", "dss", all_floats<Extreme<true>, 2>},
    {"max", "dss", all_floats<Extreme<false>, 2>},
    {"rcp", "ds", wide_floats<Rcp, 1>},
    {"sqrt", "ds", wide_floats<Sqrt, 1>},
    {"rsqrt", "ds", wide_floats<Rsqrt, 1>},
    {"sin", "ds", wide_floats<Approximate<std::sin>, 1>},
    {"cos", "ds", wide_floats<Approximate<std::cos>, 1>},
    {"lg2", "ds", wide_floats<Approximate<std::log2>, 1>},
    {"ex2", "ds", all_floats<Approximate<std::exp2>, 1>},
    {"tanh", "ds", all_floats<Approximate<std::tanh>, 1>},
    {"copysign", "dss", wide_floats<Copysign, 2>},
};

// setp, for the types and modifiers that the vectorised table does not have. A comparison is the
// set of the outcomes that it accepts.
enum Outcome : uint8_t { less = 1, equal = 2, greater = 4, unordered = 8 };
struct Accepts {
    std::string_view name;
    uint8_t outcomes;
};
constexpr Accepts kComparisons[] = {{"eq", 2},   {"ne", 5},   {"lt", 1},   {"le", 3},  {"gt", 4},
                                    {"ge", 6},   {"equ", 10}, {"neu", 13}, {"ltu", 9}, {"leu", 11},
                                    {"gtu", 12}, {"geu", 14}, {"num", 7},  {"nan", 8}};

template <class N, uint8_t outcomes>
void run_setp(Warp& w, const Op& op) {
    Modes m = modes_of(op);
    const auto* a = slots<typename N::Slot>(w, op.a);
    const auto* b = slots<typename N::Slot>(w, op.b);
    uint32_t mask = 0;
    for (int n = 0; n < kLanes; ++n) {
        auto x = N::read(a[n], m), y = N::read(b[n], m);
        uint8_t outcome = x < y ? less : x > y ? greater : x == y ? equal : unordered;
        mask |= (outcome & outcomes ? 1u : 0u) << n;
    }
    auto set = [&](uint32_t& d, uint32_t value) { d = (d & ~w.lanes) | (value & w.lanes); };
    set(w.predicate(op.d), mask);
    set(w.predicate(op.d2), ~mask);
}
template <uint8_t outcomes>
Execute compare(Type type, Type) {
    return type == Type::f32    ? run_setp<F32, outcomes>
           : type == Type::f64  ? run_setp<F64, outcomes>
           : type == Type::f16  ? run_setp<F16, outcomes>
           : type == Type::bf16 ? run_setp<Bf16, outcomes>
                                : nullptr;
}
template <size_t... i>
constexpr std::array<Operation, sizeof...(i)> comparisons(std::index_sequence<i...>) {
    return {{{kComparisons[i].name, "Pss", compare<kComparisons[i].outcomes>}...}};
}
constexpr auto kSetp = comparisons(std::make_index_sequence<std::size(kComparisons)>());

}  // namespace

const Operation* find_float_operation(std::string_view name) {
    if (name.starts_with("setp.")) {
        for (const Operation& operation : kSetp)
            if (operation.name == name.substr(5)) return &operation;
        return nullptr;
    }
    for (const Operation& operation : kOperations)
        if (operation.name == name) return &operation;
    return nullptr;
}

// 9.7.9.21 cvt --------------------------------------------------------------------------------

namespace {

struct Value {
    bool is_float = false;
    double number = 0;  // f16, bf16, f32, f64: exactly
    __int128 integer = 0;
};

int bits_of(Type type) {
    switch (type) {
        case Type::u8:
        case Type::s8:
            return 8;
        case Type::u16:
        case Type::s16:
        case Type::f16:
        case Type::bf16:
            return 16;
        case Type::u64:
        case Type::s64:
        case Type::f64:
            return 64;
        default:
            return 32;
    }
}
bool is_float(Type type) {
    return type == Type::f16 || type == Type::bf16 || type == Type::f32 || type == Type::f64;
}
bool is_signed(Type type) {
    return type == Type::s8 || type == Type::s16 || type == Type::s32 || type == Type::s64;
}

Value read(uint64_t slot, Type type, const Modes& m) {
    Value v;
    v.is_float = is_float(type);
    Modes flush;
    flush.ftz = m.ftz;
    if (type == Type::f16) v.number = from_small(static_cast<uint16_t>(slot), kHalf);
    if (type == Type::bf16) v.number = from_small(static_cast<uint16_t>(slot), kBrain);
    if (type == Type::f32) v.number = double{F32::read(static_cast<uint32_t>(slot), flush)};
    if (type == Type::f64) v.number = std::bit_cast<double>(slot);
    if (v.is_float) return v;
    int unused = 64 - bits_of(type);
    if (is_signed(type))
        v.integer = static_cast<int64_t>(slot << unused) >> unused;
    else
        v.integer = (slot << unused) >> unused;
    return v;
}

double to_integral(double v, Modes::Rounding rounding) {
    if (rounding == Modes::rni) return std::nearbyint(v);
    if (rounding == Modes::rmi) return std::floor(v);
    if (rounding == Modes::rpi) return std::ceil(v);
    return std::trunc(v);
}

// Clamps to the type; a NaN gives 0, or the top bit where one of the types is a wide one.
uint64_t to_integer(const Value& v, Type to, Type from, const Modes& m) {
    int bits = bits_of(to);
    __int128 least = is_signed(to) ? -(__int128{1} << (bits - 1)) : 0;
    __int128 most = (__int128{1} << (is_signed(to) ? bits - 1 : bits)) - 1;
    __int128 integer = v.integer;
    if (v.is_float) {
        if (v.number != v.number) return bits == 64 || from == Type::f64 ? 1ull << (bits - 1) : 0;
        double whole = to_integral(v.number, m.rounding);
        integer = whole >= 0x1p64    ? __int128{1} << 65
                  : whole <= -0x1p64 ? -(__int128{1} << 65)
                                     : static_cast<__int128>(whole);
    }
    if (v.is_float || m.sat) integer = std::clamp(integer, least, most);
    auto result = static_cast<uint64_t>(integer);
    int unused = 64 - bits;  // a register holds a narrow value with its sign
    if (is_signed(to))
        return static_cast<uint64_t>(static_cast<int64_t>(result << unused) >> unused);
    return (result << unused) >> unused;
}

uint16_t to_small(const Value& v, SmallFormat format, const Modes& m) {
    if (v.is_float) {
        double number = m.rounding >= Modes::rni ? to_integral(v.number, m.rounding) : v.number;
        return to_small(limited(number, m), format, m.rounding);
    }
    bool negative = v.integer < 0;
    return round_to_small(negative, static_cast<uint64_t>(negative ? -v.integer : v.integer), 0,
                          format, m.rounding);
}
// float or double, by the host's rounding
template <class C>
C to_wide(const Value& v, const Modes& m) {
    if (v.is_float)
        return static_cast<C>(m.rounding >= Modes::rni ? to_integral(v.number, m.rounding)
                                                       : v.number);
    return v.integer < 0 ? static_cast<C>(static_cast<int64_t>(v.integer))
                         : static_cast<C>(static_cast<uint64_t>(v.integer));
}

uint64_t converted(const Value& v, Type to, Type from, const Modes& m) {
    if (to == Type::f16) return to_small(v, kHalf, m);
    if (to == Type::bf16) return to_small(v, kBrain, m);
    if (to == Type::f32) return F32::write(to_wide<float>(v, m), m);
    if (to == Type::f64) return F64::write(to_wide<double>(v, m), m);
    return to_integer(v, to, from, m);
}

template <class D, class S>
void run_cvt(Warp& w, const Op& op) {
    Modes m = modes_of(op);
    HostRounding rounding(m.rounding);
    auto to = static_cast<Type>(op.bytes), from = static_cast<Type>(op.elements);
    const S* a = slots<S>(w, op.a);
    auto* d = reinterpret_cast<D*>(w.state + op.d);
    for (uint32_t rest = w.lanes; rest != 0; rest &= rest - 1) {
        int n = std::countr_zero(rest);
        d[n] = static_cast<D>(converted(read(a[n], from, m), to, from, m));
    }
}

// cvt.rn.f16x2.f32 d, a, b: a becomes the upper half
void run_cvt_pair(Warp& w, const Op& op) {
    Modes m = modes_of(op);
    SmallFormat format = static_cast<Type>(op.bytes) == Type::f16x2 ? kHalf : kBrain;
    each<uint32_t, 2>(w, op, [&](uint32_t a, uint32_t b, uint32_t) {
        uint32_t high = to_small(read(a, Type::f32, m), format, m);
        return high << 16 | to_small(read(b, Type::f32, m), format, m);
    });
}

}  // namespace

Execute conversion(Type to, Type from) {
    auto known = [](Type type) { return type >= Type::u8 && type <= Type::f64; };
    if (to == Type::f16x2 || to == Type::bf16x2) return from == Type::f32 ? run_cvt_pair : nullptr;
    if (!known(to) || !known(from)) return nullptr;
    bool wide_to = bits_of(to) == 64, wide_from = bits_of(from) == 64;
    if (wide_to) return wide_from ? run_cvt<uint64_t, uint64_t> : run_cvt<uint64_t, uint32_t>;
    return wide_from ? run_cvt<uint32_t, uint64_t> : run_cvt<uint32_t, uint32_t>;
}

}  // namespace lanewise
