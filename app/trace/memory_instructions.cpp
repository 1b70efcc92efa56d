#include "trace/memory_instructions.h"

#include <algorithm>

#include "base/text.h"

namespace lanewise {

namespace {

bool has_part(const ptx::Instruction& instruction, std::string_view part) {
    const auto& parts = instruction.parts;
    return std::find(parts.begin() + 1, parts.end(), part) != parts.end();
}

bool is_reported(const ptx::Instruction& instruction) {
    const std::string& opcode = instruction.parts[0];
    if (opcode != "ld" && opcode != "ldu" && opcode != "st") return false;
    for (const char* space : {"param", "param::entry", "local", "const"})
        if (has_part(instruction, space)) return false;
    return true;
}

// ".v4.f32" -> 16
int bytes_per_lane(const ptx::Instruction& instruction) {
    int64_t bits = 32;
    int elements = has_part(instruction, "v4") ? 4 : has_part(instruction, "v2") ? 2 : 1;
    for (const std::string& part : instruction.parts) {
        bool is_type = part.size() >= 2 &&
                       (part[0] == 'b' || part[0] == 'u' || part[0] == 's' || part[0] == 'f');
        if (is_type) parse_integer(std::string_view(part).substr(1), bits);
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
        bool shared = has_part(instruction, "shared") || has_part(instruction, "shared::cta");
        report.space = shared ? Space::shared : Space::global;
        report.is_store = instruction.parts[0] == "st";
        report.bytes_per_lane = bytes_per_lane(instruction);
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
