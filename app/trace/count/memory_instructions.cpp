#include "trace/count/memory_instructions.h"

#include <algorithm>

#include "base/text.h"
#include "ptx/parts.h"

namespace lanewise {

namespace {

// The opcodes of what is reported, each with its kind and whether the machine's events of it store.
// `part` tells them from others of the same opcode.
struct Reported {
    std::string_view opcode, part;
    AccessKind kind;
    bool is_store;
};
constexpr Reported kReported[] = {
    {"ld", "", AccessKind::plain, false},
    {"ldu", "", AccessKind::plain, false},
    {"st", "", AccessKind::plain, true},
    {"atom", "", AccessKind::atomic, false},
    {"red", "", AccessKind::atomic, true},
    {"cp", "ca", AccessKind::async_copy, false},
    {"cp", "cg", AccessKind::async_copy, false},
    {"ldmatrix", "", AccessKind::matrix, false},
    {"wmma", "load", AccessKind::matrix, false},
    {"wmma", "store", AccessKind::matrix, true},
    {"cp", "mbarrier::complete_tx::bytes", AccessKind::bulk_copy, false},
    {"cp", "bulk_group", AccessKind::bulk_copy, true},
};

const Reported* reported(const ptx::Instruction& instruction) {
    for (const Reported& row : kReported)
        if (instruction.parts[0] == row.opcode &&
            (row.part.empty() || has_part(instruction, row.part)))
            return &row;
    return nullptr;
}

bool is_reported(const ptx::Instruction& instruction) {
    if (!reported(instruction)) return false;
    for (const char* space : {"param", "param::entry", "local", "const"})
        if (has_part(instruction, space)) return false;
    // An H200 counts nothing of a bulk copy from one block's shared memory to another's (cluster_cases.txt).
    bool is_bulk = reported(instruction)->kind == AccessKind::bulk_copy;
    return !is_bulk || !has_part(instruction, "shared::cta") || has_part(instruction, "global");
}

// ".v4.f32" -> 16
int bytes_of_lane(const ptx::Instruction& instruction) {
    if (instruction.parts[0] == "ldmatrix" || has_part(instruction, "bulk")) return 16;
    if (instruction.parts[0] == "cp" && instruction.operands.size() > 2)
        return static_cast<int>(instruction.operands[2].value);
    int64_t bits = 32;
    int elements = has_part(instruction, "v4") ? 4 : has_part(instruction, "v2") ? 2 : 1;
    for (const std::string& part : instruction.parts) {
        bool is_type = part.size() >= 2 &&
                       (part[0] == 'b' || part[0] == 'u' || part[0] == 's' || part[0] == 'f');
        std::string_view digits = std::string_view(part).substr(part.starts_with("bf") ? 2 : 1);
        if (is_type && digits.ends_with("x2")) {  // f16x2
            digits.remove_suffix(2);
            elements *= 2;
        }
        if (is_type) parse_integer(digits, bits);
    }
    return static_cast<int>(bits) / 8 * elements;
}

}  // namespace

std::vector<InstructionReport> memory_instructions(const ptx::Kernel& kernel) {
    std::vector<InstructionReport> result;
    for (uint32_t i = 0; i < kernel.instructions.size(); ++i) {
        const ptx::Instruction& instruction = kernel.instructions[i];
        if (!is_reported(instruction)) continue;
        InstructionReport report;
        report.instruction = i;
        report.text = instruction.text;
        auto file = static_cast<size_t>(instruction.position.file);
        if (file < kernel.files.size()) report.file = kernel.files[file];
        report.line = instruction.position.line;
        report.column = instruction.position.column;
        report.is_store = reported(instruction)->is_store;
        report.kind = reported(instruction)->kind;
        bool shared = has_part(instruction, "shared") || has_part(instruction, "shared::cta");
        bool is_copy =
            report.kind == AccessKind::async_copy || report.kind == AccessKind::bulk_copy;
        if (is_copy) shared = false;  // it names both
        report.space = shared ? Space::shared : Space::global;
        report.bytes_per_lane = bytes_of_lane(instruction);
        result.push_back(std::move(report));
    }
    return result;
}

std::vector<int> report_indices(const ptx::Kernel& kernel) {
    std::vector<int> result(kernel.instructions.size(), -1);
    int next = 0;
    for (uint32_t i = 0; i < kernel.instructions.size(); ++i)
        if (is_reported(kernel.instructions[i])) result[i] = next++;
    return result;
}

}  // namespace lanewise
