// How a register's slot becomes a floating-point number to compute with, and back, with what Modes
// asks for.
#pragma once
#include <cmath>

#include "sim/warp/directed.h"
#include "sim/warp/modes.h"
#include "sim/warp/small_float.h"

namespace lanewise {
namespace {

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
}  // namespace
}  // namespace lanewise
