#include "lab/machine/code_listing.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/text.h"
#include "compile/sass.h"
#include "trace/count/memory_instructions.h"

namespace lanewise {

namespace {

// What an operation is called in NVIDIA's listings.
struct Mnemonic {
    MemoryKind kind;
    const char* name;
    bool has_width;  // whether a suffix says how wide it is
};
constexpr Mnemonic kMnemonics[] = {
    {MemoryKind::global_load, "LDG", true},      {MemoryKind::global_store, "STG", true},
    {MemoryKind::global_atomic, "ATOMG", false}, {MemoryKind::global_reduction, "RED", false},
    {MemoryKind::shared_load, "LDS", true},      {MemoryKind::shared_store, "STS", true},
    {MemoryKind::shared_atomic, "ATOMS", false}, {MemoryKind::ldmatrix, "LDSM", false},
    {MemoryKind::stmatrix, "STSM", false},       {MemoryKind::copy_async, "LDGSTS", true},
    {MemoryKind::local_load, "LDL", true},       {MemoryKind::local_store, "STL", true},
    {MemoryKind::generic_load, "LD", true},      {MemoryKind::generic_store, "ST", true},
    {MemoryKind::generic_atomic, "ATOM", false}, {MemoryKind::bulk_copy, "TMA", false},
};

std::string opcode_of(const SassMemoryOperation& op) {
    const Mnemonic* mnemonic = std::find_if(std::begin(kMnemonics), std::end(kMnemonics),
                                            [&](const Mnemonic& m) { return m.kind == op.kind; });
    std::string name = mnemonic->name;
    if (!mnemonic->has_width || op.bytes_per_lane == 4 || op.bytes_per_lane == 0) return name;
    const char* sign = op.bytes_per_lane > 2 ? "" : op.is_signed ? "S" : "U";
    return fmt::format("{}.{}{}", name, sign, 8 * op.bytes_per_lane);
}

std::string predicate_of(const SassMemoryOperation& op) {
    const char* negated = op.predicate_negated ? "!" : "";
    if (op.predicate != SassMemoryOperation::kAlways)
        return fmt::format("@{}P{}", negated, op.predicate);
    return op.predicate_negated ? "@!PT" : "";
}

// "@%p1 ld.shared.f32 %f1, [%rd2]" -> "ld.shared.f32"
std::string mnemonic_of(const ptx::Instruction& instruction) {
    return fmt::format("{}", fmt::join(instruction.parts, "."));
}

bool is_file(const std::string& path, const std::string& file) {
    return path == file || path.ends_with("/" + file);
}

// The PTX's instructions by their line; of a function that is called more than once the first copy.
std::map<int, PtxRow> instruction_rows(const ptx::Kernel& kernel, const std::string& file) {
    std::vector<int> access = report_indices(kernel);
    std::map<int, PtxRow> rows;
    for (size_t i = 0; i < kernel.instructions.size(); ++i) {
        const ptx::Instruction& instruction = kernel.instructions[i];
        const ptx::Position& at = instruction.position;
        auto index = static_cast<size_t>(at.file);
        bool here = index < kernel.files.size() && is_file(kernel.files[index], file);
        rows.try_emplace(instruction.ptx_line, PtxRow{instruction.ptx_line, here ? at.line : 0,
                                                      access[i], instruction.text});
    }
    return rows;
}

// With the labels between them, which take the source line of what follows.
std::vector<PtxRow> with_labels(const std::map<int, PtxRow>& rows, const std::string& ptx) {
    std::vector<PtxRow> all, labels;
    std::vector<std::string_view> lines = lines_of(ptx);
    for (size_t i = 0; i < lines.size(); ++i) {
        std::string_view text = trimmed(lines[i]);
        auto number = static_cast<int>(i) + 1;
        if (text.ends_with(':') && text.starts_with('$'))
            labels.push_back({number, 0, -1, std::string(text)});
        if (text == "}" || text.starts_with(".entry") || text.starts_with(".func")) labels.clear();
        auto row = rows.find(number);
        if (row == rows.end()) continue;
        for (PtxRow& label : labels) {
            label.source_line = row->second.source_line;
            all.push_back(std::move(label));
        }
        labels.clear();
        all.push_back(row->second);
    }
    return all;
}

// What the PTX asks for at one of its lines: a load or store of these many bytes.
struct PtxAccess {
    int source_line = 0, bytes_per_lane = 0;
    MemoryKind kind = MemoryKind::global_load;
    std::string mnemonic;
};

std::map<int, PtxAccess> asked_by_line(const ptx::Kernel& kernel, const std::map<int, PtxRow>& rows) {
    std::map<int, PtxAccess> asked;
    for (const InstructionReport& report : memory_instructions(kernel)) {
        const ptx::Instruction& instruction = kernel.instructions[report.instruction];
        const std::string& verb = instruction.parts[0];
        if (verb != "ld" && verb != "st") continue;  // the others execute as they are written
        bool shared = report.space == Space::shared;
        MemoryKind kind = report.is_store
                              ? shared ? MemoryKind::shared_store : MemoryKind::global_store
                          : shared ? MemoryKind::shared_load
                                   : MemoryKind::global_load;
        auto row = rows.find(instruction.ptx_line);
        asked[instruction.ptx_line] = {row->second.source_line, report.bytes_per_lane, kind,
                                       mnemonic_of(instruction)};
    }
    return asked;
}

using Numbers = std::map<std::string, int>;

std::string in_numbers(const Numbers& numbers) {
    std::string text;
    for (const auto& [name, number] : numbers)
        text += fmt::format("{}{} {}", text.empty() ? "" : " + ", number, name);
    return text.empty() ? "none" : text;
}

// One kind of access of one source line, before and after ptxas.
struct Group {
    Numbers ptx, sass;
    int asked = 0, executed = 0;  // instructions
    int lines_gone = 0;           // PTX lines of which the SASS has nothing
    bool has_wider = false, has_narrower = false;

    std::string verdict() const {
        if (has_wider) return lines_gone > 0 ? "merged" : "widened";
        if (has_narrower) return "split";
        if (executed == 0) return "done elsewhere, or left out";
        if (executed > asked) return "copied, as where a loop is unrolled";
        return executed < asked ? "joined, or left out" : "";
    }
};

class Relations {
  public:
    Relations(const std::map<int, PtxAccess>& asked, const std::vector<SassMemoryOperation>& sass)
        : asked_(asked) {
        for (const SassMemoryOperation& op : sass) add(op);
        for (const auto& [line, asks] : asked_) {
            Group& group = group_of(asks);
            ++group.ptx[asks.mnemonic];
            ++group.asked;
            group.lines_gone += executed_.find(line) == executed_.end();
        }
    }

    // Of one operation; see SassRow::relation.
    std::string of(const SassMemoryOperation& op) {
        auto asks = asked_.find(op.ptx_line);
        if (op.never_executes || asks == asked_.end() || asks->second.kind != op.kind) return "";
        const Group& group = group_of(asks->second);
        if (op.bytes_per_lane > asks->second.bytes_per_lane)
            return group.lines_gone > 0 ? "merged" : "widened";
        if (op.bytes_per_lane < asks->second.bytes_per_lane) return "split";
        return executed_[op.ptx_line] > 1 ? "copy" : "";
    }

    std::vector<CodeNote> notes() const {
        std::vector<CodeNote> notes;
        for (const auto& [key, group] : groups_)
            if (std::string verdict = group.verdict(); !verdict.empty())
                notes.push_back(
                    {key.first, fmt::format("{}: {} → {}", verdict, in_numbers(group.ptx),
                                            in_numbers(group.sass))});
        return notes;
    }

  private:
    Group& group_of(const PtxAccess& asks) { return groups_[{asks.source_line, asks.kind}]; }

    void add(const SassMemoryOperation& op) {
        auto asks = asked_.find(op.ptx_line);
        if (op.never_executes || asks == asked_.end() || asks->second.kind != op.kind) return;
        Group& group = group_of(asks->second);
        ++group.sass[opcode_of(op)];
        ++group.executed;
        ++executed_[op.ptx_line];
        group.has_wider |= op.bytes_per_lane > asks->second.bytes_per_lane;
        group.has_narrower |= op.bytes_per_lane < asks->second.bytes_per_lane;
    }

    const std::map<int, PtxAccess>& asked_;
    std::map<int, int> executed_;  // operations by PTX line
    std::map<std::pair<int, MemoryKind>, Group> groups_;
};

void list_sass(CodeListing& listing, const Program& program, const ptx::Kernel& kernel,
               const std::map<int, PtxRow>& rows, const std::string& file) {
    std::vector<SassMemoryOperation> sass = sass_memory_operations(program.cubin, program.entry);
    std::map<int, PtxAccess> asked = asked_by_line(kernel, rows);
    Relations relations(asked, sass);
    bool has_lines = false;
    for (const SassMemoryOperation& op : sass) {
        SassRow row{op.address,       op.ptx_line,     0, op.bytes_per_lane, opcode_of(op),
                    predicate_of(op), relations.of(op)};
        // The PTX's line first: it is what the window links by.
        auto ptx = rows.find(op.ptx_line);
        if (ptx != rows.end())
            row.source_line = ptx->second.source_line;
        else if (is_file(op.source_file, file))
            row.source_line = op.source_line;
        has_lines |= op.ptx_line > 0;
        listing.sass.push_back(std::move(row));
    }
    if (has_lines)
        listing.notes = relations.notes();
    else if (!sass.empty())
        listing.remark = "The machine code does not say which line it comes from.";
}

}  // namespace

CodeListing code_listing(const Program& program, const ptx::Kernel& kernel,
                         const std::string& file) {
    CodeListing listing;
    std::map<int, PtxRow> rows = instruction_rows(kernel, file);
    if (program.cubin.empty())
        listing.remark =
            "There is no machine code (SASS) to list. ptxas makes it, and was not here: what it "
            "merges, widens, splits or moves is not known.";
    try {
        list_sass(listing, program, kernel, rows, file);
    } catch (const Error& error) {
        listing.remark = std::string("The machine code cannot be listed: ") + error.what() + ".";
    }
    listing.ptx = with_labels(rows, program.ptx);
    if (listing.ptx.size() > kMostPtxRows) {
        listing.remark =
            fmt::format("Only the first {} of {} lines of the PTX are listed.",
                        with_thousands(kMostPtxRows), with_thousands(listing.ptx.size()));
        listing.ptx.resize(kMostPtxRows);
    }
    return listing;
}

}  // namespace lanewise
