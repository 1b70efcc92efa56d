#include "lab/machine/sass_counting.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "compile/sass.h"
#include "compile/sass_counts.h"
#include "compile/sass_places.h"
#include "ptx/parts.h"
#include "trace/count/memory_instructions.h"

namespace lanewise {

namespace {

// What ptxas can merge, widen and split: loads and stores. For whatever else a report lists see
// other_as().
std::optional<MemoryKind> kind_of(const ptx::Instruction& instruction) {
    const auto& parts = instruction.parts;
    auto has = [&](std::string_view part) { return has_part(instruction, part); };
    bool is_load = parts[0] == "ld" || parts[0] == "ldu";
    if (!is_load && parts[0] != "st") return std::nullopt;
    if (has("shared::cluster")) return std::nullopt;
    if (has("global")) return is_load ? MemoryKind::global_load : MemoryKind::global_store;
    if (has("shared") || has("shared::cta"))
        return is_load ? MemoryKind::shared_load : MemoryKind::shared_store;
    return is_load ? MemoryKind::generic_load : MemoryKind::generic_store;
}

using Executed = CountAs::Executed;

bool mentions(const ptx::Operand& operand, const ptx::Register& wanted) {
    bool here =
        operand.reg == wanted && (operand.kind == ptx::Operand::Kind::reg || operand.has_base);
    return here || std::any_of(operand.elements.begin(), operand.elements.end(),
                               [&](const ptx::Operand& part) { return mentions(part, wanted); });
}

// Whether no other instruction mentions the register that gets an atomic's old value.
bool nobody_wants_result(const ptx::Kernel& kernel, uint32_t index) {
    const ptx::Instruction& i = kernel.instructions[index];
    if (i.parts[0] == "red" || i.operands[0].kind == ptx::Operand::Kind::sink) return true;
    for (uint32_t other = 0; other < kernel.instructions.size(); ++other)
        for (const ptx::Operand& operand : kernel.instructions[other].operands)
            if (other != index && mentions(operand, i.operands[0].reg)) return false;
    return true;
}

// atom.shared.add.u32 d, [a], 1 whose d no other instruction mentions.
bool is_increment(const ptx::Kernel& kernel, uint32_t index) {
    const ptx::Instruction& i = kernel.instructions[index];
    auto has = [&](std::string_view part) { return has_part(i, part); };
    const ptx::Operand& by = i.operands.back();
    bool adds_one = has("add") && (has("u32") || has("s32")) &&
                    by.kind == ptx::Operand::Kind::immediate && by.value == 1;
    return adds_one && nobody_wants_result(kernel, index);
}

// All of them of a kind that is not the usual one, or as it is written: of copies of one
// instruction each may have a predicate of its own.
Executed copy_as(const std::vector<const SassMemoryOperation*>& sass) {
    auto all = [&](CopySize size) {
        return !sass.empty() && std::all_of(sass.begin(), sass.end(), [&](auto* op) {
            return op->kind == MemoryKind::copy_async && op->copy_size == size;
        });
    };
    if (all(CopySize::by_register)) return Executed::zeros_by_size;
    return all(CopySize::by_first_predicate) ? Executed::zeros_by_first_predicate
                                             : Executed::as_written;
}

// How atomics, cp.async and wmma execute; ldmatrix is as it is written. `sass`: the operations of
// the instruction's line; `beside`: the units of all that stands there. With REDUX one lane does an
// atomic for all, and with a shuffle it tells the others.
Executed other_as(const InstructionReport& report, const ptx::Kernel& kernel,
                  const std::vector<const SassMemoryOperation*>& sass, const std::set<SassPlace::Unit>& beside) {
    const bool reduces = beside.contains(SassPlace::Unit::reduce), shuffles = beside.contains(SassPlace::Unit::shuffle);
    auto has = [&](MemoryKind kind) {
        return std::any_of(sass.begin(), sass.end(), [&](auto* op) { return op->kind == kind; });
    };
    if (report.kind == AccessKind::async_copy) return copy_as(sass);
    bool is_wmma = report.kind == AccessKind::matrix && report.text.starts_with("wmma");
    if (report.kind == AccessKind::atomic) {
        if (has(MemoryKind::shared_atomic) && has(MemoryKind::shared_load))
            return Executed::swap_loop;
        if (has(MemoryKind::shared_atomic) && is_increment(kernel, report.instruction))
            return Executed::increment;
        if (has(MemoryKind::shared_atomic) && reduces) return Executed::elected;
        // Under a predicate of its own: one lane for all, or a guard become a predicate.
        const bool is_guarded = !sass.empty() && sass.front()->predicate != SassMemoryOperation::kAlways;
        if (has(MemoryKind::global_atomic) && shuffles && is_guarded) return Executed::elected_for_all;
        if (!has(MemoryKind::global_reduction)) return Executed::as_written;
        return is_guarded ? Executed::elected : Executed::reduction;
    }
    if (!is_wmma || sass.empty()) return Executed::as_written;
    if (has(MemoryKind::ldmatrix)) return Executed::matrix_rows;
    if (sass.front()->bytes_per_lane == 4 * report.bytes_per_lane) return Executed::quads;
    return sass.front()->bytes_per_lane == 2 * report.bytes_per_lane ? Executed::pairs
                                                                     : Executed::elements;
}

// "turn.cu:12, turn.cu:14", each once; the first few.
class Places {
  public:
    void add(const InstructionReport& instruction) {
        std::string file = instruction.file.substr(instruction.file.rfind('/') + 1);
        if (seen_.emplace(file, instruction.line).second)
            listed_.push_back(file + ":" + std::to_string(instruction.line));
    }
    bool empty() const { return listed_.empty(); }
    std::string text() const {
        constexpr size_t kShown = 8;
        std::string text;
        for (size_t i = 0; i < std::min(kShown, listed_.size()); ++i)
            text += (i == 0 ? "" : ", ") + listed_[i];
        if (listed_.size() > kShown)
            text += " and " + std::to_string(listed_.size() - kShown) + " more";
        return text;
    }

  private:
    std::set<std::pair<std::string, int>> seen_;
    std::vector<std::string> listed_;
};

// The reported instructions that the SASS is asked about, side by side with what it says.
struct Asked {
    std::vector<size_t> index;  // into the report's instructions
    std::vector<PtxMemoryInstruction> ptx;
    std::vector<CountedAs> counted;
};

Asked ask(const std::vector<SassMemoryOperation>& sass, const ptx::Kernel& kernel,
          const std::vector<InstructionReport>& reports) {
    Asked asked;
    for (size_t i = 0; i < reports.size(); ++i) {
        const ptx::Instruction& instruction = kernel.instructions[reports[i].instruction];
        std::optional<MemoryKind> kind = kind_of(instruction);
        if (!kind) continue;
        asked.index.push_back(i);
        asked.ptx.push_back({instruction.ptx_line, *kind, reports[i].bytes_per_lane});
    }
    bool has_lines = std::any_of(sass.begin(), sass.end(),
                                 [](const SassMemoryOperation& op) { return op.ptx_line > 0; });
    if (has_lines) asked.counted = counted_as(asked.ptx, sass);
    for (size_t i = asked.counted.size(); i < asked.ptx.size(); ++i)
        asked.counted.push_back({1, asked.ptx[i].bytes_per_lane, false});
    return asked;
}

std::vector<const SassMemoryOperation*> of_line(const std::vector<SassMemoryOperation>& sass,
                                                int ptx_line) {
    std::vector<const SassMemoryOperation*> result;
    for (const SassMemoryOperation& op : sass)
        if (op.ptx_line == ptx_line && !op.never_executes) result.push_back(&op);
    return result;
}

// An instruction that vanished was taken over by a wider operation of its kind. Where there is
// none, it was joined with its like in another branch, or its value was known already: which of the
// two, the SASS does not tell.
void doubt_what_nobody_took_over(Asked& asked) {
    std::map<MemoryKind, bool> has_wider;
    for (size_t i = 0; i < asked.ptx.size(); ++i)
        has_wider[asked.ptx[i].kind] |=
            asked.counted[i].bytes_per_lane > asked.ptx[i].bytes_per_lane;
    for (size_t i = 0; i < asked.ptx.size(); ++i)
        if (asked.counted[i].operations == 0 && !has_wider[asked.ptx[i].kind])
            asked.counted[i] = {1, asked.ptx[i].bytes_per_lane, false};
}

// How wmma's loads and stores execute, by the PTX alone: what ptxas 13.0 makes of them for sm_80
// and sm_90, of m16n16k16 in both layouts and spaces. Of other types nothing is known here.
Executed matrix_as(const ptx::Instruction& i) {
    const std::string &of = i.parts[2], &type = i.parts.back();
    bool is_operand = of == "a" || of == "b", is_row = has_part(i, "row");
    bool is_byte = type == "s8" || type == "u8", is_half = type == "f16" || type == "bf16";
    bool in_shared = has_part(i, "shared") || has_part(i, "shared::cta");
    if (is_operand && is_byte && is_row != (of == "a")) return Executed::elements;
    if (is_operand && (is_byte || is_half) && in_shared) return Executed::matrix_rows;
    if (is_operand && is_byte) return Executed::quads;
    if (is_half) return Executed::pairs;
    if (is_operand || (type != "f32" && type != "s32")) return Executed::as_written;
    return is_row ? Executed::pairs : Executed::elements;
}

// Without machine code: as it is written, but for wmma and for atomics, of which the PTX decides
// how they execute. Not known is which of those of global memory one lane does for all
// (Executed::elected).
SassCounting counted_as_ptx(const ptx::Kernel& kernel) {
    std::vector<InstructionReport> reports = memory_instructions(kernel);
    SassCounting result;
    result.count_as.resize(reports.size());
    for (size_t i = 0; i < reports.size(); ++i) {
        Executed& executed = result.count_as[i].executed;
        uint32_t index = reports[i].instruction;
        if (kernel.instructions[index].parts[0] == "wmma")
            executed = matrix_as(kernel.instructions[index]);
        if (reports[i].kind != AccessKind::atomic) continue;
        if (has_part(kernel.instructions[index], "shared")) {
            if (is_increment(kernel, index)) executed = Executed::increment;
        } else if (nobody_wants_result(kernel, index)) {
            executed = Executed::reduction;
        }
    }
    bool all_as_written = std::all_of(result.count_as.begin(), result.count_as.end(),
                                      [](const CountAs& as) { return as.is_as_written(); });
    if (all_as_written) result.count_as.clear();
    result.notes.emplace_back(
        "Counted as written in PTX: there is no machine code here, for which ptxas may merge, "
        "widen or split accesses.");
    return result;
}

}  // namespace

SassCounting sass_counting(const Program& program, const ptx::Kernel& kernel) {
    if (program.cubin.empty()) return counted_as_ptx(kernel);
    std::vector<InstructionReport> reports = memory_instructions(kernel);
    auto sass = sass_memory_operations(program.cubin, program.entry);
    Asked asked = ask(sass, kernel, reports);
    doubt_what_nobody_took_over(asked);

    std::map<int, std::set<SassPlace::Unit>> units_of_line;
    for (const SassPlace& place : sass_places(program.cubin, program.entry)) units_of_line[place.ptx_line].insert(place.unit);

    SassCounting result;
    result.count_as.resize(reports.size());
    Places as_sass, as_ptx;
    for (size_t i = 0; i < asked.ptx.size(); ++i) {
        const CountedAs& counted = asked.counted[i];
        const InstructionReport& report = reports[asked.index[i]];
        if (!counted.is_certain) as_ptx.add(report);
        if (counted.operations == 1 && counted.bytes_per_lane == report.bytes_per_lane) continue;
        result.count_as[asked.index[i]] = {counted.operations, counted.bytes_per_lane};
        as_sass.add(report);
    }
    for (size_t i = 0; i < reports.size(); ++i)
        if (reports[i].kind != AccessKind::plain) {
            const int line = kernel.instructions[reports[i].instruction].ptx_line;
            result.count_as[i].executed = other_as(reports[i], kernel, of_line(sass, line), units_of_line[line]);
        }
    if (!as_sass.empty())
        result.notes.push_back(
            "Counted as SASS, which merges, widens or splits what the PTX asks for: " +
            as_sass.text() + ".");
    bool all_as_written = std::all_of(result.count_as.begin(), result.count_as.end(),
                                      [](const CountAs& as) { return as.is_as_written(); });
    if (all_as_written) result.count_as.clear();
    if (!as_ptx.empty())
        result.notes.push_back("Counted as PTX, because the SASS does not tell how it executes: " +
                               as_ptx.text() + ".");
    return result;
}

}  // namespace lanewise
