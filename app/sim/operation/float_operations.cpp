#include "sim/operation/rare_operations.h"

#include "sim/warp/float_types.h"

namespace lanewise {

namespace {

// Whether F has a form for .rz, .rm and .rp. (A small format rounds when it is written.)
template <class F, class C>
concept has_directed = requires(C v) {
    F::template directed<C>(v, v, v, Modes::rz);
};

template <class N, class F>
typename N::Slot apply(typename N::Slot a, typename N::Slot b, typename N::Slot c, const Modes& m) {
    using C = typename N::Number;
    C x = N::read(a, m), y = N::read(b, m), z = N::read(c, m);
    if constexpr (sizeof(C) == sizeof(typename N::Slot) && has_directed<F, C>) {
        if (is_directed(m.rounding))
            return N::write(F::template directed<C>(x, y, z, m.rounding), m);
    }
    return N::write(F::of(x, y, z, m), m);
}
template <class One, class F>
uint32_t apply_pair(uint32_t a, uint32_t b, uint32_t c, const Modes& m) {
    uint32_t low = apply<One, F>(a, b, c, m);
    return low | apply<One, F>(a >> 16, b >> 16, c >> 16, m) << 16;
}

template <class N, class F, int operands>
void run(Warp& w, const Op& op) {
    Modes m = modes_of(op);
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
    template <class C>
    static C directed(C a, C b, C, Modes::Rounding rounding) {
        return rounded_sum<C>(exact_sum(a, b), !std::signbit(a) && !std::signbit(b), rounding);
    }
};
struct Sub {
    template <class C>
    static C of(C a, C b, C, const Modes&) {
        return a - b;
    }
    template <class C>
    static C directed(C a, C b, C c, Modes::Rounding rounding) {
        return Add::directed<C>(a, -b, c, rounding);
    }
};
struct Mul {
    template <class C>
    static C of(C a, C b, C, const Modes&) {
        return a * b;
    }
    template <class C>
    static C directed(C a, C b, C, Modes::Rounding rounding) {
        return rounded<C>(exact_product(a, b), rounding);
    }
};
struct Fma {
    template <class C>
    static C of(C a, C b, C c, const Modes&) {
        return std::fma(a, b, c);
    }
    template <class C>
    static C directed(C a, C b, C c, Modes::Rounding rounding) {
        bool both_positive = std::signbit(a) == std::signbit(b) && !std::signbit(c);
        return rounded_sum<C>(exact_fused(a, b, c), both_positive, rounding);
    }
};
// Of small formats: the product is exact in a double, the sum is rounded once by write().
struct SmallFma {
    static double of(double a, double b, double c, const Modes&) { return sum_to_odd(a * b, c); }
};
// a b - c and c - a b (contraction.h), of any format
template <bool negates_product, class Fused>
struct FusedDifference {
    template <class C>
    static C of(C a, C b, C c, const Modes& m) {
        return negates_product ? Fused::of(-a, b, c, m) : Fused::of(a, b, -c, m);
    }
};  // found only where the rounding is left open, so that it is never directed
// div.approx gives 0 where the divisor's reciprocal would be denormal (9.7.3.8).
struct Div {
    template <class C>
    static C of(C a, C b, C, const Modes& m) {
        bool huge = std::fabs(b) > C{0x1p126} && std::isfinite(b);
        if (m.approx && sizeof(C) == 4 && huge) return a * std::copysign(C{0}, b);
        return a / b;
    }
    template <class C>
    static C directed(C a, C b, C, Modes::Rounding rounding) {
        return rounded<C>(exact_quotient(a, b), rounding);
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
        if (!m.xorsign) return of_two(a, b, m);
        C extreme = of_two(std::fabs(a), std::fabs(b), m);
        return std::signbit(a) != std::signbit(b) ? -extreme : extreme;
    }
    template <class C>
    static C of_two(C a, C b, const Modes& m) {
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
    template <class C>
    static C directed(C a, C, C, Modes::Rounding rounding) {
        return rounded<C>(exact_root(a), rounding);
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
    template <class C>
    static C directed(C a, C, C, Modes::Rounding rounding) {
        return rounded<C>(exact_quotient(1, a), rounding);
    }
};
struct Rsqrt {
    template <class C>
    static C of(C a, C, C, const Modes& m) {
        return upper_half(static_cast<C>(1 / std::sqrt(static_cast<double>(a))), m);
    }
};
// The approximations are the true value rounded, which lies within every bound that the manual
// states for f32 (9.7.3): sin and cos 2^-20.5 between -2 pi and 2 pi, lg2 2^-22 (near 1 absolute,
// else relative), ex2 2^-22, rsqrt 2^-22.9, sqrt 2^-23, tanh 2^-11 (relative), rcp one and div two
// units in the last place. A card's own values differ from these by no more than that.
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

template <class F, int operands>
void run_wide_pair(Warp& w, const Op& op);
Execute fused(Type type, Type) {
    if (type == Type::f32x2) return run_wide_pair<Fma, 3>;
    Execute wide = wide_floats<Fma, 3>(type, type);
    return wide ? wide : small_floats<SmallFma, 3>(type, type);
}

template <bool negates_product>
Execute fused_difference(Type type, Type) {
    Execute wide = wide_floats<FusedDifference<negates_product, Fma>, 3>(type, type);
    return wide ? wide : small_floats<FusedDifference<negates_product, SmallFma>, 3>(type, type);
}

// add, sub, mul and fma of f32x2, from sm_100 on: two in a register of 64 bits
template <class F, int operands>
void run_wide_pair(Warp& w, const Op& op) {
    Modes m = modes_of(op);
    each<uint64_t, operands>(w, op, [&](uint64_t a, uint64_t b, uint64_t c) {
        auto half = [&](int shift) {
            return uint64_t{apply<F32, F>(static_cast<uint32_t>(a >> shift),
                                          static_cast<uint32_t>(b >> shift),
                                          static_cast<uint32_t>(c >> shift), m)};
        };
        return half(32) << 32 | half(0);
    });
}

// The least or largest of three, from sm_100 on.
template <bool least>
struct ExtremeOfThree {
    template <class C>
    static C of(C a, C b, C c, const Modes& m) {
        return Extreme<least>::of(Extreme<least>::of(a, b, c, m), c, c, m);
    }
};
template <bool least>
Execute extreme_of_three(Type type, Type) {
    return type == Type::f32 ? run<F32, ExtremeOfThree<least>, 3> : nullptr;
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
    return type == Type::s32     ? run_saturated<sign>
           : type == Type::f32x2 ? run_wide_pair<F, 2>
                                 : all_floats<F, 2>(type, type);
}
Execute product(Type type, Type) {
    return type == Type::f32x2 ? run_wide_pair<Mul, 2> : all_floats<Mul, 2>(type, type);
}

constexpr OpcodeRow kFloatOperations[] = {
    {"add", "dss", sum<Add, 1>},
    {"sub", "dss", sum<Sub, -1>},
    {"mul", "dss", product},
    {"fma", "dsss", fused},
    {"mad", "dsss", wide_floats<Fma, 3>},
    {"fused_less", "dsss", fused_difference<false>},
    {"less_fused", "dsss", fused_difference<true>},
    {"div", "dss", wide_floats<Div, 2>},
    {"neg", "ds", all_floats<Neg, 1>},
    {"abs", "ds", all_floats<Abs, 1>},
    {"min", "dss", all_floats<Extreme<true>, 2>},
    {"max", "dss", all_floats<Extreme<false>, 2>},
    {"min3", "dsss", extreme_of_three<true>},
    {"max3", "dsss", extreme_of_three<false>},
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

}  // namespace

std::span<const OpcodeRow> float_rows() { return kFloatOperations; }

}  // namespace lanewise
