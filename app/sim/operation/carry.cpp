#include "sim/operation/rare_operations.h"

#include <bit>

namespace lanewise {

namespace {

enum class Carry { Add, Subtract, MultiplyLow, MultiplyHigh };

template <class T>
struct DoubleOf;
template <>
struct DoubleOf<uint32_t> {
    using type = uint64_t;
    using Signed = int64_t;
};
template <>
struct DoubleOf<uint64_t> {
    using type = unsigned __int128;
    using Signed = __int128;
};

// The upper half of a product depends on the sign, the lower one does not.
template <class T, bool is_signed>
T high_half(T a, T b) {
    using Wide =
        std::conditional_t<is_signed, typename DoubleOf<T>::Signed, typename DoubleOf<T>::type>;
    using Narrow = std::conditional_t<is_signed, std::make_signed_t<T>, T>;
    return static_cast<T>((Wide{static_cast<Narrow>(a)} * Wide{static_cast<Narrow>(b)}) >>
                          (8 * sizeof(T)));
}

template <class T, bool is_signed, Carry what, bool takes, bool gives>
void run(Warp& w, const Op& op) {
    const T *a = reinterpret_cast<const T*>(w.state + op.a),
            *b = reinterpret_cast<const T*>(w.state + op.b),
            *c = reinterpret_cast<const T*>(w.state + op.c);
    T* d = reinterpret_cast<T*>(w.state + op.d);
    uint32_t before = w.predicate(op.d2), after = before;
    for (uint32_t rest = w.lanes; rest != 0; rest &= rest - 1) {
        int n = std::countr_zero(rest);
        using Double = typename DoubleOf<T>::type;
        Double in = takes ? before >> n & 1 : what == Carry::Subtract, result;
        if constexpr (what == Carry::Add) result = Double{a[n]} + b[n] + in;
        if constexpr (what == Carry::Subtract) result = Double{a[n]} + static_cast<T>(~b[n]) + in;
        if constexpr (what == Carry::MultiplyLow)
            result = Double{static_cast<T>(a[n] * b[n])} + c[n] + in;
        if constexpr (what == Carry::MultiplyHigh)
            result = Double{high_half<T, is_signed>(a[n], b[n])} + c[n] + in;
        d[n] = static_cast<T>(result);
        bool out = result >> (8 * sizeof(T)) & 1;
        after = (after & ~(1u << n)) | (out ? 1u : 0u) << n;
    }
    if (gives) w.predicate(op.d2) = after;
}

// takes: the carry is added; gives: it is set anew. A difference is a + ~b + 1, so that its carry
// says that nothing was borrowed. The manual calls it a borrow, which subc cannot tell apart; but
// the compiler's own division of __int128 asks by addc whether there was none.
template <Carry what, bool takes, bool gives>
Execute carried(Type type, Type) {
    return type == Type::u32   ? run<uint32_t, false, what, takes, gives>
           : type == Type::s32 ? run<uint32_t, true, what, takes, gives>
           : type == Type::u64 ? run<uint64_t, false, what, takes, gives>
           : type == Type::s64 ? run<uint64_t, true, what, takes, gives>
                               : nullptr;
}

constexpr OpcodeRow kCarryOperations[] = {
    {"add.cc", "dss", carried<Carry::Add, false, true>},
    {"addc", "dss", carried<Carry::Add, true, false>},
    {"addc.cc", "dss", carried<Carry::Add, true, true>},
    {"sub.cc", "dss", carried<Carry::Subtract, false, true>},
    {"subc", "dss", carried<Carry::Subtract, true, false>},
    {"subc.cc", "dss", carried<Carry::Subtract, true, true>},
    {"mad.lo.cc", "dsss", carried<Carry::MultiplyLow, false, true>},
    {"madc.lo", "dsss", carried<Carry::MultiplyLow, true, false>},
    {"madc.lo.cc", "dsss", carried<Carry::MultiplyLow, true, true>},
    {"mad.hi.cc", "dsss", carried<Carry::MultiplyHigh, false, true>},
    {"madc.hi", "dsss", carried<Carry::MultiplyHigh, true, false>},
    {"madc.hi.cc", "dsss", carried<Carry::MultiplyHigh, true, true>},
};

}  // namespace

std::span<const OpcodeRow> carry_rows() { return kCarryOperations; }

}  // namespace lanewise
