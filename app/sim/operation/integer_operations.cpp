#include "sim/operation/rare_operations.h"

#include <algorithm>
#include <bit>

namespace lanewise {

namespace {

// d = F::of(a, b, c, fourth): as many words as F takes
template <class F>
void run_words(Warp& w, const Op& op) {
    const uint32_t *a = w.words(op.a), *b = w.words(op.b), *c = w.words(op.c);
    uint32_t* d = w.words(op.d);
    for (uint32_t rest = w.lanes; rest != 0; rest &= rest - 1) {
        int n = std::countr_zero(rest);
        if constexpr (requires { F::of(0u, 0u, 0u); })
            d[n] = F::of(a[n], b[n], c[n]);
        else
            d[n] = F::of(a[n], b[n]);
    }
}
template <class F>
Execute words(Type, Type) {
    return run_words<F>;
}

// 9.7.8 cnot: 1 for 0, else 0
void run_cnot(Warp& w, const Op& op) {
    const uint32_t* a = w.words(op.a);
    uint32_t* d = w.words(op.d);
    for (uint32_t rest = w.lanes; rest != 0; rest &= rest - 1) {
        int n = std::countr_zero(rest);
        d[n] = a[n] == 0;
    }
}
Execute cnot(Type type, Type) { return type == Type::u32 ? run_cnot : nullptr; }

// 9.7.1.16 bfind: the position of the highest bit that is no sign, or how far it is from the top;
// all ones where there is none
template <class T, bool shift>
void run_bfind(Warp& w, const Op& op) {
    using Bits = std::make_unsigned_t<T>;
    const Bits* a = reinterpret_cast<const Bits*>(w.state + op.a);
    uint32_t* d = w.words(op.d);
    for (uint32_t rest = w.lanes; rest != 0; rest &= rest - 1) {
        int n = std::countr_zero(rest);
        Bits bits = std::is_signed_v<T> && static_cast<T>(a[n]) < 0 ? ~a[n] : a[n];
        auto position = static_cast<uint32_t>(std::bit_width(bits)) - 1;
        d[n] = shift && bits != 0 ? 8 * sizeof(T) - 1 - position : position;
    }
}
template <bool shift>
Execute bfind(Type type, Type) {
    return type == Type::u32   ? run_bfind<uint32_t, shift>
           : type == Type::s32 ? run_bfind<int32_t, shift>
           : type == Type::u64 ? run_bfind<uint64_t, shift>
           : type == Type::s64 ? run_bfind<int64_t, shift>
                               : nullptr;
}

// 9.7.1.23 dp4a and dp2a: c and the products of b's bytes with a's bytes or halves. A, B: their
// types; `first`: the byte of b that meets a's first part.
template <class A, class B, int first>
struct Dot {
    static uint32_t of(uint32_t a, uint32_t b, uint32_t c) {
        constexpr int width = 8 * sizeof(A);
        for (int i = 0; i < 32 / width; ++i)
            c += static_cast<uint32_t>(int{static_cast<A>(a >> (width * i))} *
                                       int{static_cast<B>(b >> (8 * (first + i)))});
        return c;
    }
};
template <class Unsigned, int first>
Execute dot(Type a, Type b) {
    using Signed = std::make_signed_t<Unsigned>;
    if (a == Type::u32)
        return b == Type::u32 ? run_words<Dot<Unsigned, uint8_t, first>>
                              : run_words<Dot<Unsigned, int8_t, first>>;
    return b == Type::u32 ? run_words<Dot<Signed, uint8_t, first>>
                          : run_words<Dot<Signed, int8_t, first>>;
}

// 9.7.1.6 sad: c + |a - b|
template <class T>
struct Sad {
    static uint32_t of(uint32_t a, uint32_t b, uint32_t c) {
        auto x = static_cast<T>(a), y = static_cast<T>(b);
        return c + static_cast<uint32_t>(std::max(x, y)) - static_cast<uint32_t>(std::min(x, y));
    }
};
Execute sad(Type type, Type) {
    return type == Type::u32   ? run_words<Sad<uint32_t>>
           : type == Type::s32 ? run_words<Sad<int32_t>>
                               : nullptr;
}

// 9.7.1.8 mul24 and mad24: of the low 24 bits; .hi takes bits 16 to 47 of the product
template <bool is_signed, bool high>
struct Mul24 {
    static uint32_t of(uint32_t a, uint32_t b) {
        auto part = [](uint32_t v) -> int64_t {
            return is_signed ? static_cast<int32_t>(v << 8) >> 8
                             : static_cast<int32_t>(v & 0xffffff);
        };
        return static_cast<uint32_t>((part(a) * part(b)) >> (high ? 16 : 0));
    }
};
template <bool is_signed, bool high>
struct Mad24 {
    static uint32_t of(uint32_t a, uint32_t b, uint32_t c) {
        return Mul24<is_signed, high>::of(a, b) + c;
    }
};
template <template <bool, bool> class F, bool high>
Execute of_24_bits(Type type, Type) {
    return type == Type::u32   ? run_words<F<false, high>>
           : type == Type::s32 ? run_words<F<true, high>>
                               : nullptr;
}

// 9.7.1.21 bmsk: b ones from bit a on
template <bool wrap>
struct Mask {
    static uint32_t of(uint32_t a, uint32_t b) {
        if (wrap) a &= 31, b &= 31;
        uint64_t ones = b >= 32 ? 0xffffffffull : (1ull << b) - 1;
        return a >= 32 ? 0 : static_cast<uint32_t>(ones << a);
    }
};

// 9.7.1.20 szext: the low b bits of a, extended
template <bool is_signed, bool wrap>
struct Extend {
    static uint32_t of(uint32_t a, uint32_t b) {
        uint32_t bits = wrap ? b & 31 : b;
        if (bits >= 32) return a;
        if (bits == 0) return 0;
        uint32_t unused = 32 - bits;
        return is_signed ? static_cast<uint32_t>(static_cast<int32_t>(a << unused) >> unused)
                         : a << unused >> unused;
    }
};
template <bool wrap>
Execute szext(Type type, Type) {
    return type == Type::u32   ? run_words<Extend<false, wrap>>
           : type == Type::s32 ? run_words<Extend<true, wrap>>
                               : nullptr;
}

// 9.7.1.17 fns: the |offset|-th set bit of the mask, from the base up or down; all ones: none
struct NthSetBit {
    static uint32_t of(uint32_t mask, uint32_t base, uint32_t offset) {
        auto steps = static_cast<int32_t>(offset);
        if (base > 31) return ~0u;
        if (steps == 0) return mask >> base & 1 ? base : ~0u;
        int towards = steps > 0 ? 1 : -1, left = std::abs(steps);
        for (auto i = static_cast<int>(base); i >= 0 && i < 32; i += towards)
            if ((mask >> i & 1) && --left == 0) return static_cast<uint32_t>(i);
        return ~0u;
    }
};

// 9.7.9.7 prmt's modes: byte k of the result is byte(k, selector) of {b, a}
struct Forward4 {
    static uint32_t byte(uint32_t k, uint32_t s) { return k + s; }
};
struct Backward4 {
    static uint32_t byte(uint32_t k, uint32_t s) { return (s - k) & 7; }
};
struct Replicate8 {
    static uint32_t byte(uint32_t, uint32_t s) { return s; }
};
struct EdgeClampLeft {
    static uint32_t byte(uint32_t k, uint32_t s) { return std::max(k, s); }
};
struct EdgeClampRight {
    static uint32_t byte(uint32_t k, uint32_t s) { return std::min(k, s); }
};
struct Replicate16 {
    static uint32_t byte(uint32_t k, uint32_t s) { return (k & 1) + 2 * (s & 1); }
};
template <class Mode>
struct Permute {
    static uint32_t of(uint32_t a, uint32_t b, uint32_t selector) {
        uint64_t bytes = uint64_t{b} << 32 | a;
        uint32_t result = 0;
        for (uint32_t k = 0; k < 4; ++k)
            result |= static_cast<uint32_t>(bytes >> (8 * (Mode::byte(k, selector & 3) & 7)) & 255)
                      << (8 * k);
        return result;
    }
};

// 9.7.1.1 and the like, of two halves of a word
struct Plus {
    static int of(int a, int b) { return a + b; }
};
struct Least {
    static int of(int a, int b) { return std::min(a, b); }
};
struct Most {
    static int of(int a, int b) { return std::max(a, b); }
};
template <class Half, class F>
struct Halves {
    static uint32_t of(uint32_t a, uint32_t b) {
        auto half = [&](int shift) -> uint32_t {
            int result = F::of(static_cast<Half>(a >> shift), static_cast<Half>(b >> shift));
            return static_cast<uint32_t>(result) & 0xffff;
        };
        return half(16) << 16 | half(0);
    }
};
template <class F>
Execute halves(Type type, Type) {
    return type == Type::u16x2   ? run_words<Halves<uint16_t, F>>
           : type == Type::s16x2 ? run_words<Halves<int16_t, F>>
                                 : nullptr;
}

// min.relu and max.relu (9.7.1.10): what is below 0 is 0
template <class F>
struct Rectified {
    static int of(int a, int b) { return std::max(F::of(a, b), 0); }
    static uint32_t of(uint32_t a, uint32_t b) {
        return static_cast<uint32_t>(of(static_cast<int>(a), static_cast<int>(b)));
    }
};
template <class F>
Execute rectified(Type type, Type) {
    return type == Type::s16x2 ? run_words<Halves<int16_t, Rectified<F>>>
           : type == Type::s32 ? run_words<Rectified<F>>
                               : nullptr;
}

constexpr OpcodeRow kIntegerOperations[] = {
    {"cnot", "ds", cnot},
    {"bfind", "Ws", bfind<false>},
    {"bfind.shiftamt", "Ws", bfind<true>},
    {"dp4a", "dsss", dot<uint8_t, 0>},
    {"dp2a.lo", "dsss", dot<uint16_t, 0>},
    {"dp2a.hi", "dsss", dot<uint16_t, 2>},
    {"sad", "dsss", sad},
    {"mul24.lo", "dss", of_24_bits<Mul24, false>},
    {"mul24.hi", "dss", of_24_bits<Mul24, true>},
    {"mad24.lo", "dsss", of_24_bits<Mad24, false>},
    {"mad24.hi", "dsss", of_24_bits<Mad24, true>},
    {"bmsk.clamp", "dss", words<Mask<false>>},
    {"bmsk.wrap", "dss", words<Mask<true>>},
    {"szext.clamp", "dss", szext<false>},
    {"szext.wrap", "dss", szext<true>},
    {"fns", "dsss", words<NthSetBit>},
    {"prmt.f4e", "dsss", words<Permute<Forward4>>},
    {"prmt.b4e", "dsss", words<Permute<Backward4>>},
    {"prmt.rc8", "dsss", words<Permute<Replicate8>>},
    {"prmt.ecl", "dsss", words<Permute<EdgeClampLeft>>},
    {"prmt.ecr", "dsss", words<Permute<EdgeClampRight>>},
    {"prmt.rc16", "dsss", words<Permute<Replicate16>>},
    {"add", "dss", halves<Plus>},
    {"min", "dss", halves<Least>},
    {"max", "dss", halves<Most>},
    {"min.relu", "dss", rectified<Least>},
    {"max.relu", "dss", rectified<Most>},
};

}  // namespace

std::span<const OpcodeRow> integer_rows() { return kIntegerOperations; }

}  // namespace lanewise
