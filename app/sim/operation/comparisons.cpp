#include "sim/operation/rare_operations.h"

#include "sim/warp/float_types.h"

namespace lanewise {

namespace {

enum Outcome : uint8_t { less = 1, equal = 2, greater = 4, unordered = 8 };

struct Accepts {
    std::string_view name;
    uint8_t outcomes;
};
constexpr Accepts kComparisons[] = {
    {"eq", equal},
    {"ne", less | greater},
    {"lt", less},
    {"lo", less},
    {"le", less | equal},
    {"ls", less | equal},
    {"gt", greater},
    {"hi", greater},
    {"ge", greater | equal},
    {"hs", greater | equal},
    {"equ", equal | unordered},
    {"neu", less | greater | unordered},
    {"ltu", less | unordered},
    {"leu", less | equal | unordered},
    {"gtu", greater | unordered},
    {"geu", greater | equal | unordered},
    {"num", less | equal | greater},
    {"nan", unordered},
};

// Integers, read as the types of float_types.h are.
template <class T>
struct Whole {
    using Slot = std::conditional_t<sizeof(T) == 8, uint64_t, uint32_t>;
    static T read(Slot slot, const Modes&) { return static_cast<T>(slot); }
};

// The lanes (active or not) whose comparison holds; `shift`: which half of a pair.
template <class N>
uint32_t holds(Warp& w, const Op& op, int shift = 0) {
    Modes m = modes_of(op);
    const auto* a = slots<typename N::Slot>(w, op.a);
    const auto* b = slots<typename N::Slot>(w, op.b);
    uint32_t mask = 0;
    for (int n = 0; n < kLanes; ++n) {
        auto x = N::read(a[n] >> shift, m), y = N::read(b[n] >> shift, m);
        uint8_t outcome = x < y ? less : x > y ? greater : x == y ? equal : unordered;
        mask |= (outcome & op.bytes ? 1u : 0u) << n;
    }
    return mask;
}

uint32_t combined(Warp& w, const Op& op, uint32_t mask) {
    uint32_t c = w.predicate(op.c) ^ op.c_flip;
    switch (static_cast<Combination>(op.elements)) {
        case Combination::both:
            return mask & c;
        case Combination::either:
            return mask | c;
        case Combination::differ:
            return mask ^ c;
        default:
            return mask;
    }
}
void set(Warp& w, uint32_t offset, uint32_t value) {
    uint32_t& d = w.predicate(offset);
    d = (d & ~w.lanes) | (value & w.lanes);
}

// setp d|q: of a single, q is the opposite; of a pair, d is the lower half's and q the upper's.
template <class N>
void run_setp(Warp& w, const Op& op) {
    uint32_t mask = holds<N>(w, op);
    uint32_t first = combined(w, op, mask), second = combined(w, op, ~mask);
    set(w, op.d, first);
    set(w, op.d2, second);
}
template <class Half>
void run_setp_pair(Warp& w, const Op& op) {
    uint32_t first = combined(w, op, holds<Half>(w, op));
    uint32_t second = combined(w, op, holds<Half>(w, op, 16));
    set(w, op.d, first);
    set(w, op.d2, second);
}

// What stands for true: all ones of an integer, one of a float.
uint32_t one_of(Type type) {
    switch (type) {
        case Type::f32:
            return 0x3f800000;
        case Type::f16:
        case Type::f16x2:
            return 0x3c00;
        case Type::bf16:
        case Type::bf16x2:
            return 0x3f80;
        case Type::u16:
        case Type::s16:
            return 0xffff;
        default:
            return 0xffffffff;
    }
}
template <class N>
void run_set(Warp& w, const Op& op) {
    uint32_t mask = combined(w, op, holds<N>(w, op)), one = one_of(static_cast<Type>(op.targets));
    uint32_t* d = w.words(op.d);
    for (uint32_t rest = w.lanes; rest != 0; rest &= rest - 1) {
        int n = std::countr_zero(rest);
        d[n] = mask >> n & 1 ? one : 0;
    }
}
template <class Half>
void run_set_pair(Warp& w, const Op& op) {
    uint32_t low = combined(w, op, holds<Half>(w, op));
    uint32_t high = combined(w, op, holds<Half>(w, op, 16));
    uint32_t one = one_of(static_cast<Type>(op.targets)) & 0xffff, *d = w.words(op.d);
    for (uint32_t rest = w.lanes; rest != 0; rest &= rest - 1) {
        int n = std::countr_zero(rest);
        d[n] = (low >> n & 1 ? one : 0) | (high >> n & 1 ? one << 16 : 0);
    }
}

struct Row {
    Type source;
    Execute setp, set;
};
constexpr Row kSources[] = {
    {Type::u16, run_setp<Whole<uint16_t>>, run_set<Whole<uint16_t>>},
    {Type::s16, run_setp<Whole<int16_t>>, run_set<Whole<int16_t>>},
    {Type::u32, run_setp<Whole<uint32_t>>, run_set<Whole<uint32_t>>},
    {Type::s32, run_setp<Whole<int32_t>>, run_set<Whole<int32_t>>},
    {Type::u64, run_setp<Whole<uint64_t>>, run_set<Whole<uint64_t>>},
    {Type::s64, run_setp<Whole<int64_t>>, run_set<Whole<int64_t>>},
    {Type::f16, run_setp<F16>, run_set<F16>},
    {Type::bf16, run_setp<Bf16>, run_set<Bf16>},
    {Type::f32, run_setp<F32>, run_set<F32>},
    {Type::f64, run_setp<F64>, run_set<F64>},
    {Type::f16x2, run_setp_pair<F16>, run_set_pair<F16>},
    {Type::bf16x2, run_setp_pair<Bf16>, run_set_pair<Bf16>},
};

// slct d, a, b, c    d = c >= 0 ? a : b
template <class Slot, class N>
void run_slct(Warp& w, const Op& op) {
    Modes m = modes_of(op);
    const auto* c = slots<typename N::Slot>(w, op.c);
    const auto *a = slots<Slot>(w, op.a), *b = slots<Slot>(w, op.b);
    auto* d = reinterpret_cast<Slot*>(w.state + op.d);
    for (uint32_t rest = w.lanes; rest != 0; rest &= rest - 1) {
        int n = std::countr_zero(rest);
        d[n] = N::read(c[n], m) >= 0 ? a[n] : b[n];
    }
}
Execute slct(Type type, Type sign) {
    bool wide = type == Type::u64 || type == Type::s64 || type == Type::f64;
    if (sign == Type::s32)
        return wide ? run_slct<uint64_t, Whole<int32_t>> : run_slct<uint32_t, Whole<int32_t>>;
    if (sign == Type::f32) return wide ? run_slct<uint64_t, F32> : run_slct<uint32_t, F32>;
    return nullptr;
}

// testp: what a float is
enum class Class { finite, infinite, number, notanumber, normal, subnormal };
template <class N, Class wanted>
void run_testp(Warp& w, const Op& op) {
    const auto* a = slots<typename N::Slot>(w, op.a);
    uint32_t mask = 0;
    for (int n = 0; n < kLanes; ++n) {
        int kind = std::fpclassify(N::read(a[n], Modes{}));
        bool is = wanted == Class::finite       ? kind != FP_NAN && kind != FP_INFINITE
                  : wanted == Class::infinite   ? kind == FP_INFINITE
                  : wanted == Class::number     ? kind != FP_NAN
                  : wanted == Class::notanumber ? kind == FP_NAN
                  : wanted == Class::normal     ? kind == FP_NORMAL
                                                : kind == FP_SUBNORMAL;
        mask |= (is ? 1u : 0u) << n;
    }
    set(w, op.d, mask);
}
template <Class wanted>
Execute testp(Type type, Type) {
    return type == Type::f32   ? run_testp<F32, wanted>
           : type == Type::f64 ? run_testp<F64, wanted>
                               : nullptr;
}

constexpr OpcodeRow kSelections[] = {
    {"slct", "dsst", slct},
    {"testp.finite", "Ps", testp<Class::finite>},
    {"testp.infinite", "Ps", testp<Class::infinite>},
    {"testp.number", "Ps", testp<Class::number>},
    {"testp.notanumber", "Ps", testp<Class::notanumber>},
    {"testp.normal", "Ps", testp<Class::normal>},
    {"testp.subnormal", "Ps", testp<Class::subnormal>},
};

}  // namespace

uint8_t accepted_outcomes(std::string_view name) {
    for (const Accepts& comparison : kComparisons)
        if (comparison.name == name) return comparison.outcomes;
    return 0;
}

Execute predicate_comparison(Type source) {
    for (const Row& row : kSources)
        if (row.source == source) return row.setp;
    return nullptr;
}

Execute number_comparison(Type result, Type source) {
    bool wide = result == Type::u64 || result == Type::s64 || result == Type::f64;
    if (wide || result == Type::pred || result == Type::none) return nullptr;
    for (const Row& row : kSources)
        if (row.source == source) return row.set;
    return nullptr;
}

std::span<const OpcodeRow> selection_rows() { return kSelections; }

}  // namespace lanewise
