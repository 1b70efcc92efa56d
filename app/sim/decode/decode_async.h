// Decodes the asynchronous instructions: cp.async, mbarrier and what belongs to them.
#pragma once
#include <deque>

#include "ptx/instruction.h"
#include "sim/async/async_operands.h"

namespace lanewise {

// What the decoder of a kernel gives to that of a family of instructions: rows for operands, and
// the error for what is not known.
class OperandRows {
  public:
    virtual uint32_t source(const ptx::Operand& operand, bool wide) = 0;
    virtual uint32_t source_register(const ptx::Register& reg) = 0;
    virtual uint32_t destination(const ptx::Operand& operand, bool wide) = 0;
    virtual uint32_t predicate_destination(const ptx::Operand& operand) = 0;
    virtual uint32_t constant(uint64_t value, bool wide) = 0;
    virtual uint32_t false_predicate() = 0;
    [[noreturn]] virtual void unknown() const = 0;

  protected:
    ~OperandRows() = default;
};

// False where the instruction is none of these. `kept` holds what ops point to.
bool decode_async(const ptx::Instruction& instruction, Op& op, OperandRows& rows,
                  std::deque<AsyncOperands>& kept);

}  // namespace lanewise
