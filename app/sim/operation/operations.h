// The table of operations, laid out like the PTX manual's chapter 9.7: how an opcode is executed,
// for 32 lanes at once. Built once for each instruction set of the host; the best is picked at run
// time.
#pragma once
#include <span>
#include <string_view>

#include "sim/warp/warp.h"

namespace lanewise {

// PTX's fundamental types, where .b8 to .b64 count as unsigned.
enum class Type : uint8_t {
    none,
    pred,
    u8,
    s8,
    u16,
    s16,
    u32,
    s32,
    u64,
    s64,
    f16,
    bf16,
    f32,
    f64,
    f16x2,
    bf16x2,
    u16x2,
    s16x2,
    f32x2,
    tf32,
    e4m3x2,
    e5m2x2
};

struct OpcodeRow {
    std::string_view name;  // opcode with the modifiers that matter: "mul.wide", "setp.lt"
    // Operands in order, a letter each:
    //   d  destination of the instruction's type
    //   D  destination of twice its width; where it is not the first operand, such a source
    //   W  32-bit destination
    //   P  predicate destination, with an optional second one
    //   V  32-bit destination with an optional predicate
    //   s  source of the instruction's type
    //   t  source of the second type (cvt)
    //   w  32-bit source
    //   l  64-bit source
    //   p  predicate source
    //   m  the lanes that must take part, which makes the executor wait for them
    std::string_view operands;
    // The function for a type (and the source's type for cvt); null where it does not exist.
    Execute (*select)(Type, Type);
};

// What products of matrices by a warp (mma, wmma, wgmma), and their references, are made of.
struct MatrixSteps {
    // sums (rows x columns, `stride` apart) += a (rows x depth) * b (depth x columns), all row by
    // row. Each sum takes its terms in order of depth and is rounded after each: the products have
    // to be exact in a double, as those of numbers of up to 26 bits are.
    void (*add_products)(double* sums, size_t stride, const double* a, const double* b, size_t rows,
                         size_t columns, size_t depth);
    // f16, or where `brain` is set bf16, as doubles
    void (*widen_halves)(const uint16_t* bits, double* to, size_t count, bool brain);
    // Eight rows of eight sums in f32, as two registers hold them (9.7.14.5.8, c of m16n8k16): lane
    // n has columns n % 4 * 2 and the one after of row n / 4. Rounded once when they are written.
    void (*read_sums)(const uint32_t* even, const uint32_t* odd, double* to, size_t stride);
    void (*write_sums)(const double* from, size_t stride, uint32_t* even, uint32_t* odd);
};

struct Operations {
    std::string_view name;            // of the host's instruction set
    std::span<const OpcodeRow> rows;  // without setp's, which find() knows
    const OpcodeRow* (*find)(std::string_view name);
    // Memory: element type, whether the register has 64 bits.
    enum class Where : uint8_t { global, shared, local, generic, constant, parameter };
    Execute (*load)(Where, Type, bool wide);
    Execute (*store)(Where, Type, bool wide);
    Execute load_parameter_word, load_parameter_wide;
    Execute pack_word, pack_wide, unpack_word, unpack_wide;
    Execute clock_word, clock_wide;
    // Words `first` and those after it of a buffer of unique words.
    void (*unique_words)(uint32_t first, uint32_t count, std::byte* to);
    MatrixSteps matrices;
};

// The best that this machine runs.
const Operations& operations();

// Each built from the same source for another instruction set; operations() chooses.
const Operations& operations_baseline();
const Operations& operations_avx2();
const Operations& operations_avx512();

}  // namespace lanewise
