// What the decoders of the instruction families (decode_*.cpp) share: the instruction at hand, the
// op that it becomes, rows for its operands, and the error for what is not known.
#pragma once
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/decode/control_flow.h"
#include "sim/decode/decode.h"
#include "sim/decode/decode_async.h"
#include "sim/operation/operations.h"

namespace lanewise {

struct TypeName {
    std::string_view name;
    Type type;
    uint8_t bytes;
};
// Null for anything that is no type.
const TypeName* find_type(std::string_view name);

// "shared" of ld.shared::cta, "" where the address is generic; and what that means to the machine.
std::string_view space_of(const ptx::Instruction& instruction);
Operations::Where place_of(std::string_view space);

template <size_t n>
bool is_one_of(std::string_view word, const std::string_view (&words)[n]) {
    for (std::string_view candidate : words)
        if (candidate == word) return true;
    return false;
}

class KernelDecoder final : private OperandRows {
  public:
    explicit KernelDecoder(const ptx::Kernel& kernel);
    DecodedKernel run();

    // The instruction at hand, and what becomes of it. The op has its guard already, and rows that
    // swallow what is written to d2 and c.
    const ptx::Instruction& now() const { return *now_; }
    Op& op() { return op_; }
    FlowInstruction& flow() { return flow_.back(); }
    DecodedKernel& result() { return result_; }
    const ptx::Kernel& kernel() const { return kernel_; }

    // Throws Error(bad_input) naming the instruction and its source line.
    [[noreturn]] void unknown() const override;
    // The same with a sentence of its own on why.
    [[noreturn]] void refuse(const std::string& reason) const;

    // Whether the opcode has this modifier.
    bool has(std::string_view part) const;
    const ptx::Operand& operand(size_t i) const;
    size_t operands() const { return now_->operands.size(); }

    // Operands -> rows. Each is unknown() where it is not of the kind and width asked for.
    uint32_t source(const ptx::Operand& operand, bool wide) override;
    uint32_t destination(const ptx::Operand& operand, bool wide) override;
    uint32_t predicate_destination(const ptx::Operand& operand) override;
    // A predicate, and all lanes where it is negated.
    uint32_t predicate_source(const ptx::Operand& operand, uint32_t& flip);
    uint32_t source_register(const ptx::Register& reg) override;
    uint32_t constant(uint64_t value, bool wide) override;
    uint32_t false_predicate() override { return never_; }
    // Rows that are written and never read.
    uint32_t spare(bool wide) const { return wide ? spare_wide_ : spare_word_; }
    // The predicate row of the carry bits (9.7.2).
    uint32_t carry() const { return carry_; }
    // [a + displacement] into op().a, has_base, wide_base and immediate.
    void address(const ptx::Operand& operand, std::string_view space);
    // The registers of a load's destination, a store's source or half a mov, into op().vector. True
    // where they have 64 bits.
    bool elements(const ptx::Operand& operand, bool read);

  private:
    Op one(const ptx::Instruction& instruction);
    void add_control_flow();
    void mark_straight();
    uint32_t special(const std::string& name, bool wide);
    uint32_t row_of(const ptx::Register& reg) const;
    uint32_t number(const ptx::Register& reg) const;
    uint32_t take(uint32_t bytes);

    const ptx::Kernel& kernel_;
    DecodedKernel result_;
    std::vector<FlowInstruction> flow_;
    std::map<std::pair<uint64_t, bool>, uint32_t> constant_rows_;
    uint32_t next_row_ = 0;
    uint32_t always_, never_, spare_predicate_, carry_, predicates_, spare_word_, spare_wide_,
        words_, wides_;
    uint32_t at_ = 0;
    const ptx::Instruction* now_ = nullptr;
    Op op_;
};

// The families. Each decodes KernelDecoder::now() into KernelDecoder::op().
// decode_flow.cpp
void decode_branch(KernelDecoder& d);
void decode_indexed_branch(KernelDecoder& d);
void decode_exit(KernelDecoder& d);
void decode_barrier(KernelDecoder& d);
void decode_trap(KernelDecoder& d);
void decode_call(KernelDecoder& d);
void decode_registers(KernelDecoder& d);
// decode_memory.cpp
void decode_load(KernelDecoder& d);
void decode_store(KernelDecoder& d);
void decode_atomic(KernelDecoder& d);
void decode_hint(KernelDecoder& d);
// decode_cluster.cpp: false where the instruction is none of a cluster's
bool decode_cluster(KernelDecoder& d);
// decode_matrix.cpp
void decode_matrix_access(KernelDecoder& d);
void decode_matrix_move(KernelDecoder& d);
void decode_mma(KernelDecoder& d);
// decode_wmma.cpp
void decode_wmma(KernelDecoder& d);
// decode_wgmma.cpp
void decode_wgmma(KernelDecoder& d);
// decode_compare.cpp
void decode_setp(KernelDecoder& d);
void decode_set(KernelDecoder& d);
// video_operations.cpp
void decode_video(KernelDecoder& d);
// decode_plain.cpp: what is a row of the operations' tables; and moves of vectors and clocks
void decode_move(KernelDecoder& d);
void decode_convert(KernelDecoder& d);
void decode_plain(KernelDecoder& d);

}  // namespace lanewise
