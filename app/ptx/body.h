// The parser's inner steps: a kernel's body, and one instruction's operands. parser.cpp drives.
#pragma once
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "ptx/cursor.h"
#include "ptx/instruction.h"

namespace lanewise::ptx {

// The registers that can be named at one place of a kernel; an inner block's shadow outer ones.
class Registers {
  public:
    // `name`, or name0 … name(count-1) where count is given.
    void declare(Kernel& kernel, std::string_view name, RegisterKind kind, uint32_t count,
                 bool numbered);
    // False where no such register is declared.
    bool find(std::string_view name, Register& found) const;
    // The same of registers of 128 bits, which are two wide ones, the lower half first.
    void declare_pairs(Kernel& kernel, std::string_view name, uint32_t count, bool numbered);
    bool find_pair(std::string_view name, Register& first) const;

  private:
    struct Family {
        RegisterKind kind;
        uint32_t first, count;
    };
    std::map<std::string, Register, std::less<>> single_;
    std::map<std::string, Family, std::less<>> numbered_;
    std::map<std::string, Family, std::less<>> pairs_;  // count 0: of this name alone
};

// .reg .b32 %r<32>; after its .reg.
void parse_register_declaration(Cursor& cursor, Kernel& kernel, Registers& registers);

// operand, operand, … up to the semicolon, which stays. Symbols and labels keep their names; they
// are resolved when the whole body is known.
void parse_operands(Cursor& cursor, const Registers& registers, Instruction& instruction);
// %p or !%p
Operand parse_predicate(Cursor& cursor, const Registers& registers);

// A variable declaration after its .shared, .local or the like: [.align N] .type name [count] [=
// …]; count is empty for the dynamic shared array.
struct Declaration {
    std::string name;
    uint32_t align = 1, bytes = 0;
    uint32_t element_bytes = 1;
    std::vector<std::string> initial;  // the words behind its =, braces and commas left out
};
Declaration parse_declaration(Cursor& cursor);
// Where functions lie, so that no variable's address is one's.
inline constexpr uint64_t kFunctionAddress = 0x6e00'0000'0000, kFunctionBytes = 64;

// A .func of the module: the names of its results and parameters, and where its body begins.
struct Function {
    std::vector<Declaration> results, parameters;
    size_t body = 0;                 // Cursor::mark
    uint64_t address = 0;            // what a pointer to it holds
    bool is_taken = false;           // its address is: an indirect call may mean it
    std::vector<std::string> calls;  // whom its body calls; of no function: through a pointer
    int circle = 0;  // of functions that call each other in a circle, a number of their own; else 0
};
using Functions = std::map<std::string, Function, std::less<>>;

// Sets Function::circle. A call through a pointer may mean every function whose address is taken.
void find_circles(Functions& functions);
// The local memory that recursive calls have: their stack, of each thread.
inline constexpr uint32_t kRecursionBytes = 16 * 1024;

// Appends it to the variables of one space, whose first `used` bytes are taken.
void place(std::vector<Variable>& variables, uint32_t& used, const Declaration& declaration);

// Bytes of ".u32", ".b8", …; 0 for anything that is no type. A .pred has 1.
uint32_t type_bytes(std::string_view directive);

// { … }: fills the kernel's instructions, registers and variables, and resolves its names.
void parse_body(Cursor& cursor, Kernel& kernel, const Functions& functions);

}  // namespace lanewise::ptx
