#include "sim/operation/rare_operations.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "sim/warp/cluster.h"

namespace lanewise {

namespace {

template <class D, class F>
void each(Warp& w, uint32_t offset, F f) {
    D* d = reinterpret_cast<D*>(w.state + offset);
    for (uint32_t rest = w.lanes; rest != 0; rest &= rest - 1) {
        int n = std::countr_zero(rest);
        d[n] = f(n);
    }
}
void set_predicate(Warp& w, uint32_t offset, uint32_t mask) {
    uint32_t& d = w.predicate(offset);
    d = (d & ~w.lanes) | (mask & w.lanes);
}
template <class Row>
const Row* row(Warp& w, uint32_t offset) {
    return reinterpret_cast<const Row*>(w.state + offset);
}

// 9.7.13.8 vote.sync: over the lanes that take part
enum class Vote { all, any, uni };
template <Vote mode>
void run_vote(Warp& w, const Op& op) {
    uint32_t yes = (w.predicate(op.a) ^ op.c_flip) & w.lanes;
    bool result = mode == Vote::all   ? yes == w.lanes
                  : mode == Vote::any ? yes != 0
                                      : yes == 0 || yes == w.lanes;
    set_predicate(w, op.d, result ? kAllLanes : 0);
}
void run_ballot(Warp& w, const Op& op) {
    uint32_t yes = (w.predicate(op.a) ^ op.c_flip) & w.lanes;
    each<uint32_t>(w, op.d, [=](int) { return yes; });
}
template <void (*run)(Warp&, const Op&)>
Execute always(Type, Type) {
    return run;
}

// 9.7.13.9 match.sync: the lanes that hold the same value
template <class T>
uint32_t same_as(Warp& w, const T* a, T value) {
    uint32_t mask = 0;
    for (uint32_t rest = w.lanes; rest != 0; rest &= rest - 1)
        if (int n = std::countr_zero(rest); a[n] == value) mask |= 1u << n;
    return mask;
}
template <class T>
void run_match_any(Warp& w, const Op& op) {
    const T* a = row<T>(w, op.a);
    std::array<uint32_t, kLanes> masks{};
    for (uint32_t rest = w.lanes; rest != 0; rest &= rest - 1) {
        auto n = static_cast<size_t>(std::countr_zero(rest));
        masks[n] = same_as(w, a, a[n]);
    }
    each<uint32_t>(w, op.d, [&](int n) { return masks[static_cast<size_t>(n)]; });
}
template <class T>
void run_match_all(Warp& w, const Op& op) {
    if (w.lanes == 0) return;
    const T* a = row<T>(w, op.a);
    bool all = same_as(w, a, a[std::countr_zero(w.lanes)]) == w.lanes;
    each<uint32_t>(w, op.d, [&](int) { return all ? w.lanes : 0; });
    set_predicate(w, op.d2, all ? kAllLanes : 0);
}
template <bool all>
Execute match(Type type, Type) {
    if (type == Type::u32) return all ? run_match_all<uint32_t> : run_match_any<uint32_t>;
    if (type == Type::u64) return all ? run_match_all<uint64_t> : run_match_any<uint64_t>;
    return nullptr;
}

// 9.7.13.11 redux.sync
struct ReduxAdd {
    template <class T>
    static T of(T a, T b) {
        return static_cast<T>(static_cast<uint32_t>(a) + static_cast<uint32_t>(b));
    }
};
struct ReduxMin {
    template <class T>
    static T of(T a, T b) {
        return std::min(a, b);
    }
};
struct ReduxMax {
    template <class T>
    static T of(T a, T b) {
        return std::max(a, b);
    }
};
struct ReduxAnd {
    template <class T>
    static T of(T a, T b) {
        return a & b;
    }
};
struct ReduxOr {
    template <class T>
    static T of(T a, T b) {
        return a | b;
    }
};
struct ReduxXor {
    template <class T>
    static T of(T a, T b) {
        return a ^ b;
    }
};
template <class T, class F>
void run_redux(Warp& w, const Op& op) {
    if (w.lanes == 0) return;
    const T* a = row<T>(w, op.a);
    int first = std::countr_zero(w.lanes);
    T result = a[first];
    for (uint32_t rest = w.lanes & (w.lanes - 1); rest != 0; rest &= rest - 1)
        result = F::of(result, a[std::countr_zero(rest)]);
    each<uint32_t>(w, op.d, [=](int) { return static_cast<uint32_t>(result); });
}
template <class F>
Execute redux(Type type, Type) {
    if (type == Type::u32) return run_redux<uint32_t, F>;
    if (type == Type::s32) return run_redux<int32_t, F>;
    return nullptr;
}

// Of floats, from sm_100 on: .abs of their magnitudes, .NaN: NaN where any is; else NaN where all
// are
template <bool least, bool of_magnitudes, bool keeps_nan>
void run_redux_float(Warp& w, const Op& op) {
    if (w.lanes == 0) return;
    const uint32_t* a = w.words(op.a);
    float result = std::numeric_limits<float>::quiet_NaN();
    bool has_nan = false;
    for (uint32_t rest = w.lanes; rest != 0; rest &= rest - 1) {
        auto value = std::bit_cast<float>(a[std::countr_zero(rest)]);
        if (of_magnitudes) value = std::fabs(value);
        has_nan |= value != value;
        // of zeros -0 is the lesser
        bool closer = least ? value < result || (value == result && std::signbit(value))
                            : value > result || (value == result && !std::signbit(value));
        if (value == value && (result != result || closer)) result = value;
    }
    bool is_nan = result != result || (keeps_nan && has_nan);
    uint32_t bits = is_nan ? 0x7fffffffu : std::bit_cast<uint32_t>(result);
    each<uint32_t>(w, op.d, [=](int) { return bits; });
}
template <class F, bool least>
Execute extreme(Type type, Type second) {
    return type == Type::f32 ? run_redux_float<least, false, false> : redux<F>(type, second);
}
template <bool least, bool of_magnitudes, bool keeps_nan>
Execute float_extreme(Type type, Type) {
    return type == Type::f32 ? run_redux_float<least, of_magnitudes, keeps_nan> : nullptr;
}

void run_activemask(Warp& w, const Op& op) {
    each<uint32_t>(w, op.d, [&](int) { return w.lanes; });
}
// elect.sync d|p: the first lane leads
void run_elect(Warp& w, const Op& op) {
    if (w.lanes == 0) return;
    auto leader = static_cast<uint32_t>(std::countr_zero(w.lanes));
    each<uint32_t>(w, op.d, [=](int) { return leader; });
    set_predicate(w, op.d2, 1u << leader);
}

// isspacep: whether a generic address lies in the space
template <uint64_t window>
void run_isspacep(Warp& w, const Op& op) {
    const auto* a = row<uint64_t>(w, op.a);
    uint32_t mask = 0;
    for (int n = 0; n < kLanes; ++n) {
        bool shared = a[n] - kSharedWindow < kWindowBytes;
        bool local = a[n] - kLocalWindow < kWindowBytes;
        bool inside = window == 0 ? !shared && !local : a[n] - window < kWindowBytes;
        mask |= (inside ? 1u : 0u) << n;
    }
    set_predicate(w, op.d, mask);
}

// isspacep.shared: whether it lies in the block's own shared memory
void run_isspacep_own(Warp& w, const Op& op) {
    const auto* a = row<uint64_t>(w, op.a);
    uint32_t mask = 0;
    for (int n = 0; n < kLanes; ++n) {
        uint64_t address = a[n] - kSharedWindow;
        uint32_t rank = rank_of(address);
        bool inside = address < kWindowBytes &&
                      (rank == kOwn || !w.memory->cluster || rank == w.memory->rank);
        mask |= (inside ? 1u : 0u) << n;
    }
    set_predicate(w, op.d, mask);
}

void run_nothing(Warp&, const Op&) {}

// bar.warp.sync membermask: lanes that name different members meet apart from each other
void run_warp_sync(Warp& w, const Op& op) {
    for (uint32_t rest = w.lanes; rest != 0;) {
        uint32_t members = w.words(op.target)[std::countr_zero(rest)];
        w.memory->observer->on_warp_sync(w.memory->block, w.index, members);
        rest &= (rest - 1) & ~members;
    }
}

constexpr OpcodeRow kWarpOperations[] = {
    {"vote.all.pred", "Ppm", always<run_vote<Vote::all>>},
    {"vote.any.pred", "Ppm", always<run_vote<Vote::any>>},
    {"vote.uni.pred", "Ppm", always<run_vote<Vote::uni>>},
    {"vote.ballot", "Wpm", always<run_ballot>},
    {"match.any", "Wsm", match<false>},
    {"match.all", "Vsm", match<true>},
    {"redux.add", "dsm", redux<ReduxAdd>},
    {"redux.min", "dsm", extreme<ReduxMin, true>},
    {"redux.max", "dsm", extreme<ReduxMax, false>},
    {"redux.min.abs", "dsm", float_extreme<true, true, false>},
    {"redux.max.abs", "dsm", float_extreme<false, true, false>},
    {"redux.min.NaN", "dsm", float_extreme<true, false, true>},
    {"redux.max.NaN", "dsm", float_extreme<false, false, true>},
    {"redux.min.abs.NaN", "dsm", float_extreme<true, true, true>},
    {"redux.max.abs.NaN", "dsm", float_extreme<false, true, true>},
    {"redux.and", "dsm", redux<ReduxAnd>},
    {"redux.or", "dsm", redux<ReduxOr>},
    {"redux.xor", "dsm", redux<ReduxXor>},
    {"elect", "Vm", always<run_elect>},
    {"activemask", "W", always<run_activemask>},
    {"bar.warp", "m", always<run_warp_sync>},
    {"nanosleep", "w", always<run_nothing>},
    {"isspacep.global", "Pl", always<run_isspacep<0>>},
    {"isspacep.shared", "Pl", always<run_isspacep_own>},
    {"isspacep.shared::cta", "Pl", always<run_isspacep_own>},
    {"isspacep.shared::cluster", "Pl", always<run_isspacep<kSharedWindow>>},
    {"isspacep.param", "Pl", always<run_isspacep<kParameterWindow>>},
    {"isspacep.param::entry", "Pl", always<run_isspacep<kParameterWindow>>},
    {"isspacep.local", "Pl", always<run_isspacep<kLocalWindow>>},
};

}  // namespace

std::span<const OpcodeRow> warp_rows() { return kWarpOperations; }

}  // namespace lanewise
