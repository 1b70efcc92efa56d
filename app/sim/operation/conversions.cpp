// 9.7.9.21 cvt, where the vectorised table has no row.
#include "sim/operation/rare_operations.h"
#include "sim/warp/float_types.h"

namespace lanewise {

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
template <class C>
C to_wide(const Value& v, const Modes& m) {
    if (is_directed(m.rounding)) {
        bool negative = v.integer < 0;
        auto magnitude = static_cast<uint64_t>(negative ? -v.integer : v.integer);
        return rounded<C>(v.is_float ? Exactly{v.number} : exact_integer(negative, magnitude),
                          m.rounding);
    }
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
    auto to = static_cast<Type>(op.bytes), from = static_cast<Type>(op.elements);
    // cvt.sat.f32.f32, of which every expf() has one.
    if (to == Type::f32 && from == Type::f32 && m.rounding == Modes::none)
        return each<uint32_t, 1>(w, op, [&](uint32_t a, uint32_t, uint32_t) {
            return F32::write(F32::read(a, m), m);
        });
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

SmallFormat byte_format(Type type) { return type == Type::e4m3x2 ? kE4m3 : kE5m2; }

// cvt.rn.satfinite.e4m3x2.f32 d, a, b: a becomes the upper byte; …f16x2 d, a: two halves at once
void run_cvt_to_bytes(Warp& w, const Op& op) {
    Modes m = modes_of(op);
    SmallFormat format = byte_format(static_cast<Type>(op.bytes));
    bool from_pair = static_cast<Type>(op.elements) == Type::f16x2;
    auto one = [&](double v) -> uint32_t { return to_byte(limited(v, m), format); };
    each<uint32_t, 2>(w, op, [&](uint32_t a, uint32_t b, uint32_t) {
        if (from_pair)
            return one(from_small(static_cast<uint16_t>(a >> 16), kHalf)) << 8 |
                   one(from_small(static_cast<uint16_t>(a), kHalf));
        return one(read(a, Type::f32, m).number) << 8 | one(read(b, Type::f32, m).number);
    });
}

// cvt.rn.f16x2.e4m3x2 d, a: every number of eight bits is a half
void run_cvt_from_bytes(Warp& w, const Op& op) {
    Modes m = modes_of(op);
    SmallFormat format = byte_format(static_cast<Type>(op.elements));
    auto one = [&](uint32_t byte) -> uint32_t {
        return to_small(limited(from_byte(static_cast<uint8_t>(byte), format), m), kHalf,
                        Modes::rn);
    };
    each<uint32_t, 1>(w, op,
                      [&](uint32_t a, uint32_t, uint32_t) { return one(a >> 8) << 16 | one(a); });
}

// cvt.rna.tf32.f32: to 10 bits of mantissa, half away from zero; cvt.rn: half to even
void run_cvt_tf32(Warp& w, const Op& op) {
    Modes m = modes_of(op);
    each<uint32_t, 1>(w, op, [&](uint32_t a, uint32_t, uint32_t) -> uint32_t {
        if ((a & 0x7f800000) == 0x7f800000) return (a & 0x7fffff) != 0 ? 0x7fffffff : a;
        if (m.relu && a >> 31) return 0;
        uint32_t half = 0x1000, to_even = m.rounding == Modes::rn && !(a >> 13 & 1) ? 1 : 0;
        if (m.rounding == Modes::rz) return a & 0xffffe000;
        return (a + half - to_even) & 0xffffe000;
    });
}

}  // namespace

Execute conversion(Type to, Type from) {
    auto known = [](Type type) { return type >= Type::u8 && type <= Type::f64; };
    auto bytes = [](Type type) { return type == Type::e4m3x2 || type == Type::e5m2x2; };
    if (bytes(to)) return from == Type::f32 || from == Type::f16x2 ? run_cvt_to_bytes : nullptr;
    if (to == Type::f16x2 && bytes(from)) return run_cvt_from_bytes;
    if (to == Type::f16x2 || to == Type::bf16x2) return from == Type::f32 ? run_cvt_pair : nullptr;
    if (to == Type::tf32) return from == Type::f32 ? run_cvt_tf32 : nullptr;
    if (!known(to) || !known(from)) return nullptr;
    bool wide_to = bits_of(to) == 64, wide_from = bits_of(from) == 64;
    if (wide_to) return wide_from ? run_cvt<uint64_t, uint64_t> : run_cvt<uint64_t, uint32_t>;
    return wide_from ? run_cvt<uint32_t, uint64_t> : run_cvt<uint32_t, uint32_t>;
}

}  // namespace lanewise
