// The modifiers of an instruction that change its result but not its shape: rounding, flushing of
// denormals, saturation and the like. Decode packs them into Op::immediate.
#pragma once
#include <bit>
#include <cstdint>
#include <string_view>

#include "sim/warp/warp.h"

namespace lanewise {

struct Modes {
    // To the nearest (even), toward zero, down, up; then the same, to an integer.
    enum Rounding : uint8_t { none, rn, rz, rm, rp, rni, rzi, rmi, rpi };
    Rounding rounding = none;
    bool ftz = false;      // .ftz: denormals of f32 are zeros, on the way in and out
    bool sat = false;      // .sat: [0, 1], NaN gives 0; integers do not wrap
    bool approx = false;   // .approx
    bool full = false;     // .full
    bool nan = false;      // .NaN: min and max of a NaN are NaN
    bool relu = false;     // .relu: negative results and NaN are 0
    bool xorsign = false;  // .xorsign.abs: of magnitudes, and the sign is the product's
};
static_assert(sizeof(Modes) == 8);

inline Modes modes_of(const Op& op) { return std::bit_cast<Modes>(op.immediate); }
inline uint64_t packed(const Modes& modes) { return std::bit_cast<uint64_t>(modes); }

// Adds what `part` ("ftz") says. False where it is no such modifier.
inline bool add_mode(std::string_view part, Modes& modes) {
    static constexpr std::string_view roundings[] = {"rn",  "rz",  "rm",  "rp",
                                                     "rni", "rzi", "rmi", "rpi"};
    for (uint8_t i = 0; i < 8; ++i)
        if (part == roundings[i]) {
            modes.rounding = static_cast<Modes::Rounding>(i + 1);
            return true;
        }
    if (part == "ftz") return modes.ftz = true;
    if (part == "sat") return modes.sat = true;
    if (part == "approx") return modes.approx = true;
    if (part == "full") return modes.full = true;
    if (part == "NaN") return modes.nan = true;
    if (part == "relu") return modes.relu = true;
    if (part == "xorsign") return modes.xorsign = true;
    if (part == "abs") return modes.xorsign;  // always behind it
    return false;
}

}  // namespace lanewise
