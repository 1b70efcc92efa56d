// Decodes and executes the SIMD video instructions (9.7.18.2): two or four numbers in each word,
//   vadd4.dtype.atype.btype{.sat} d, a, b, c        c: what a mask would leave of d; unused here
//   vadd4.dtype.atype.btype.add d, a, b, c          d = c + the sum of the four results
//   vset4.atype.btype.cmp{.add} d, a, b, c          results of 1 and 0
// without selectors and masks, which no compiler writes.
#include <algorithm>
#include <bit>
#include <cstdlib>

#include "sim/decode/decoder.h"

namespace lanewise {

namespace {

enum class Video : uint8_t { add, sub, average, difference, min, max, eq, ne, lt, le, gt, ge };

// Op::immediate.
struct VideoMode {
    Video operation = Video::add;
    uint8_t bits = 8;  // of a part
    bool signed_d = false, signed_a = false, signed_b = false;
    bool saturates = false, sums = false;
    bool unused = false;
};
static_assert(sizeof(VideoMode) == 8);

int part_of(uint32_t word, int shift, int bits, bool is_signed) {
    uint32_t top = word << (32 - shift - bits);
    return is_signed ? static_cast<int>(top) >> (32 - bits) : static_cast<int>(top >> (32 - bits));
}

int result_of(Video operation, int a, int b) {
    switch (operation) {
        case Video::add:
            return a + b;
        case Video::sub:
            return a - b;
        case Video::average:
            return (a + b + (a + b >= 0 ? 1 : 0)) >> 1;
        case Video::difference:
            return std::abs(a - b);
        case Video::min:
            return std::min(a, b);
        case Video::max:
            return std::max(a, b);
        case Video::eq:
            return a == b;
        case Video::ne:
            return a != b;
        case Video::lt:
            return a < b;
        case Video::le:
            return a <= b;
        case Video::gt:
            return a > b;
        case Video::ge:
            return a >= b;
    }
    return 0;
}

uint32_t apply(const VideoMode& mode, uint32_t a, uint32_t b, uint32_t c) {
    int bits = mode.bits;
    uint32_t ones = (1u << bits) - 1, result = mode.sums ? c : 0;
    int least = mode.signed_d ? -(1 << (bits - 1)) : 0;
    for (int shift = 0; shift < 32; shift += bits) {
        int part = result_of(mode.operation, part_of(a, shift, bits, mode.signed_a),
                             part_of(b, shift, bits, mode.signed_b));
        if (mode.saturates) part = std::clamp(part, least, least + static_cast<int>(ones));
        if (mode.sums)
            result += static_cast<uint32_t>(part);
        else
            result |= (static_cast<uint32_t>(part) & ones) << shift;
    }
    return result;
}

void run_video(Warp& w, const Op& op) {
    auto mode = std::bit_cast<VideoMode>(op.immediate);
    const uint32_t *a = w.words(op.a), *b = w.words(op.b), *c = w.words(op.c);
    uint32_t* d = w.words(op.d);
    for (uint32_t rest = w.lanes; rest != 0; rest &= rest - 1) {
        int n = std::countr_zero(rest);
        d[n] = apply(mode, a[n], b[n], c[n]);
    }
}

struct VideoName {
    std::string_view name;
    Video operation;
};
constexpr VideoName kOperations[] = {{"vadd", Video::add},      {"vsub", Video::sub},
                                     {"vavrg", Video::average}, {"vabsdiff", Video::difference},
                                     {"vmin", Video::min},      {"vmax", Video::max}};
constexpr VideoName kComparisons[] = {{"eq", Video::eq}, {"ne", Video::ne}, {"lt", Video::lt},
                                      {"le", Video::le}, {"gt", Video::gt}, {"ge", Video::ge}};

template <size_t n>
bool find(const VideoName (&names)[n], std::string_view name, Video& operation) {
    for (const VideoName& row : names) {
        if (row.name != name) continue;
        operation = row.operation;
        return true;
    }
    return false;
}

}  // namespace

void decode_video(KernelDecoder& d) {
    std::string_view opcode = d.now().parts[0];
    VideoMode mode;
    mode.bits = opcode.ends_with('2') ? 16 : 8;
    bool compares = opcode.starts_with("vset");
    bool known = find(kOperations, opcode.substr(0, opcode.size() - 1), mode.operation);
    std::vector<bool> is_signed;
    for (size_t i = 1; i < d.now().parts.size(); ++i) {
        std::string_view part = d.now().parts[i];
        if (part == "u32" || part == "s32")
            is_signed.push_back(part == "s32");
        else if (part == "sat")
            mode.saturates = true;
        else if (part == "add")
            mode.sums = true;
        else if (compares && !known)
            known = find(kComparisons, part, mode.operation);
        else
            d.unknown();
    }
    if (compares) is_signed.insert(is_signed.begin(), false);
    if (!known || is_signed.size() != 3 || d.operands() != 4) d.unknown();
    mode.signed_d = is_signed[0];
    mode.signed_a = is_signed[1];
    mode.signed_b = is_signed[2];
    Op& op = d.op();
    op.immediate = std::bit_cast<uint64_t>(mode);
    op.a = d.source(d.operand(1), false);
    op.b = d.source(d.operand(2), false);
    op.c = d.source(d.operand(3), false);
    op.d = d.destination(d.operand(0), false);
    op.execute = run_video;
}

}  // namespace lanewise
