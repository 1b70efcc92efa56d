// PTX as typed instructions: what ptx/parser.h makes of the compiler's text.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace lanewise::ptx {

// Where an instruction comes from, as the .loc directive before it says. For inlined code this is
// the inlined function's own line.
struct Position {
    int file = 0;  // index into Kernel::files; 0 = unknown
    int line = 0, column = 0;
};

// A call that the compiler put in place: where it stands, and the call around it.
struct InlinedCall {
    Position at;
    int outer = -1;  // index into Kernel::calls; -1: none
};

// A virtual register. Registers of one kind are numbered from 0 within the kernel.
enum class RegisterKind : uint8_t {
    predicate,
    word,  // up to 32 bits: .b16 .b32 .f32 …
    wide,  // 64 bits
};
struct Register {
    RegisterKind kind = RegisterKind::word;
    uint32_t index = 0;
    bool operator==(const Register&) const = default;
};

enum class SymbolSpace : uint8_t { unknown, parameter, shared, local, module };

struct Operand {
    enum class Kind : uint8_t {
        reg,        // %r1, or !%p1
        immediate,  // -1, 0x7F, 0f3F800000 (its bits), 0d3FF0000000000000 (its bits), and with its
                    // name 0.5 (the bits of the double)
        special,    // %tid.x
        symbol,     // the address of a variable
        label,      // a branch target
        address,    // [reg + displacement], [symbol + displacement], [displacement]; with elements
                    // [map, {a, b}]: the coordinates in a tensor
        vector,     // {a, b}
        pair,       // a|b
        sink,       // _
    };
    Kind kind = Kind::sink;
    Register reg;                              // reg; address where has_base
    bool negated = false;                      // reg: !%p
    bool has_base = false;                     // address: reg is its base
    SymbolSpace space = SymbolSpace::unknown;  // symbol, and address with a symbol as base
    uint64_t value = 0;  // immediate: bits; label: instruction index; symbol: its offset in its
                         // space (of a module's variable its address); address: displacement (the
                         // symbol's offset included)
    std::string name;    // symbol, special, label, address with a symbol: as written
    std::vector<Operand> elements;  // vector, pair, address
};

struct Instruction {
    std::string text;  // as written, without the semicolon
    Position position;
    int call = -1;                   // index into Kernel::calls; -1: not inlined
    std::vector<std::string> parts;  // "ld.global.f32" -> ld, global, f32; never empty
    std::vector<Operand> operands;   // the destination first
    bool guarded = false;            // @%p or @!%p
    Operand guard;
    int ptx_line = 0;  // in the PTX text, 1-based
};

struct Parameter {
    std::string name;
    uint32_t offset = 0, bytes = 0;  // within the packed argument block, naturally aligned
    bool is_pointer = false;         // as its .ptr says; not every compiler writes that
};

// A variable in shared or local memory, where the block's (thread's) memory is laid out in order of
// declaration. The dynamic shared array (bytes == 0) comes after all others.
struct Variable {
    std::string name;
    uint32_t offset = 0, bytes = 0, align = 1;
};

// A .global or .const variable of the module, at an address of its own; generic addresses of
// constants are the same as those in their space.
inline constexpr uint64_t kModuleAddress = 0x6f00'0000'0000;
struct ModuleVariable {
    std::string name;
    uint64_t address = 0;
    uint32_t bytes = 0;
    bool is_constant = false;
    std::vector<uint8_t> initial;  // the first bytes; the rest are 0
};

// What a kernel says of the block that it is launched with; x is 0 where it says nothing.
struct BlockLimit {
    uint32_t x = 0, y = 1, z = 1;
    uint64_t count() const { return uint64_t{x} * y * z; }
};

// A device function's body is put in place of each call of it; its parameters lie in the thread's
// local memory, and its returns are branches. A call of anything else (vprintf) stays an
// instruction whose operands are its name, then the addresses of its result and its parameters.
struct Kernel {
    std::string name;
    std::vector<Parameter> parameters;
    std::vector<Instruction> instructions;
    std::vector<std::string> files;  // by .file number; [0] is empty
    std::vector<InlinedCall> calls;
    std::vector<Variable> shared, local;
    std::vector<ModuleVariable> variables;
    uint32_t shared_bytes = 0;  // static
    uint32_t local_bytes = 0;   // per thread
    uint32_t parameter_bytes = 0;
    uint32_t predicates = 0, words = 0, wides = 0;  // registers of each kind
    BlockLimit required_block;  // .reqntid: it is launched with this block and no other
    BlockLimit most_block;      // .maxntid, of __launch_bounds__: with no more threads than that
    int line = 0;               // of its .entry in the PTX text, 1-based
};

struct Module {
    std::string version, target;  // "9.0", "sm_90"
    std::vector<Kernel> kernels;
};

}  // namespace lanewise::ptx
