#include "compile/sass.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <tuple>

#include "base/error.h"
#include "compile/elf.h"
#include "compile/line_table.h"
#include "compile/sass_opcodes.h"

namespace lanewise {

static constexpr int kFirstArch = 75;

// The ELF header's flags hold it: in their second byte since CUDA 13 (ABI version 8), in their first
// before.
int sass_arch(std::string_view cubin) {
    auto header = Elf::read<Elf64_Ehdr>(cubin, 0);
    return header.e_ident[EI_ABIVERSION] >= 8 ? header.e_flags >> 8 & 0xff : header.e_flags & 0xff;
}

// What the instruction says by itself; the lines are the tables' to give.
static SassMemoryOperation decode(const SassOpcode& opcode, const SassInstruction& i, int arch) {
    SassMemoryOperation op;
    op.kind = opcode.kind;
    op.bytes_per_lane = opcode.bytes_per_lane(i, arch);
    op.is_signed = opcode.is_load && op.bytes_per_lane <= 2 && i.bits(73, 1);
    op.predicate = i.bits(12, 3);
    op.predicate_negated = i.bits(15, 1);
    if (op.kind == MemoryKind::copy_async) op.copy_size = sass_copy_size(i);
    op.never_executes = op.predicate == SassMemoryOperation::kAlways && op.predicate_negated;
    return op;
}

std::vector<SassMemoryOperation> sass_memory_operations(std::string_view cubin,
                                                        std::string_view entry) {
    if (cubin.empty()) return {};
    Elf elf(cubin);
    const Elf64_Shdr* section = elf.section(".text." + std::string(entry));
    if (!section) throw Error(Status::bad_input, "the cubin has no kernel " + std::string(entry));
    int arch = sass_arch(cubin);
    if (arch < kFirstArch) Elf::fail("it is for an architecture before sm_75");
    std::string_view code = elf.contents(*section);
    if (code.size() % kSassInstructionBytes != 0) Elf::fail("its code ends within an instruction");

    LineTable source = read_line_table(elf, ".debug_line", *section);
    LineTable ptx = read_line_table(elf, ".nv_debug_line_sass", *section);
    std::vector<SassMemoryOperation> result;
    for (uint64_t at = 0; at < code.size(); at += kSassInstructionBytes) {
        SassInstruction instruction{Elf::read<uint64_t>(code, at),
                                    Elf::read<uint64_t>(code, at + 8)};
        const SassOpcode* opcode = sass_memory_opcode(instruction);
        if (!opcode) continue;
        SassMemoryOperation op = decode(*opcode, instruction, arch);
        op.address = static_cast<uint32_t>(at);
        if (const LineTable::Row* row = ptx.at(at)) op.ptx_line = row->line;
        if (const LineTable::Row* row = source.at(at)) {
            op.source_line = row->line;
            op.source_file = source.file_of(*row);
        }
        result.push_back(std::move(op));
    }
    return result;
}

OneToOne compare_with_ptx(const std::vector<PtxMemoryInstruction>& ptx,
                          const std::vector<SassMemoryOperation>& sass) {
    struct Numbers {
        int in_ptx = 0, in_sass = 0;
    };
    std::map<std::tuple<int, MemoryKind, int>, Numbers> numbers;  // by line, kind, width
    for (const PtxMemoryInstruction& i : ptx) ++numbers[{i.line, i.kind, i.bytes_per_lane}].in_ptx;
    for (const SassMemoryOperation& op : sass)
        if (!op.never_executes) ++numbers[{op.ptx_line, op.kind, op.bytes_per_lane}].in_sass;

    constexpr int kMostNamed = 4;
    OneToOne result;
    int differences = 0;
    for (const auto& [key, number] : numbers) {
        if (number.in_ptx == number.in_sass || ++differences > kMostNamed) continue;
        const auto& [line, kind, bytes] = key;
        result.difference += fmt::format("{}PTX line {}: {} {} of {} B in the PTX, {} in the SASS",
                                         differences > 1 ? "; " : "", line, number.in_ptx,
                                         in_words(kind), bytes, number.in_sass);
    }
    result.holds = differences == 0;
    if (differences > kMostNamed)
        result.difference += fmt::format("; and {} more", differences - kMostNamed);
    return result;
}

}  // namespace lanewise
