#include "lab/step/register_use.h"

#include <algorithm>
#include <cctype>

#include "ptx/parts.h"

namespace lanewise {

namespace {

using ptx::Operand;
using ptx::Register;
using ptx::RegisterKind;

// Those whose first operand is no destination.
constexpr std::string_view kWriteNothing[] = {
    "st",       "red",  "bra",     "brx",       "bar",      "barrier", "ret",
    "exit",     "trap", "membar",  "fence",     "prefetch", "cp",      "wgmma",
    "stmatrix", "call", "discard", "nanosleep", "brkpt",    "pmevent"};

bool writes(const ptx::Instruction& instruction) {
    return std::find(std::begin(kWriteNothing), std::end(kWriteNothing), instruction.parts[0]) ==
           std::end(kWriteNothing);
}

// visit(register) of an operand's registers, those of its address included.
template <class F>
void each_register(const Operand& operand, F visit) {
    bool has = operand.kind == Operand::Kind::reg ||
               (operand.kind == Operand::Kind::address && operand.has_base);
    if (has) visit(operand.reg);
    for (const Operand& element : operand.elements) each_register(element, visit);
}

// "f32" of add.rn.f32, "s32" of mad.lo.s32, "b32" of selp.b32; of cvt the destination's.
std::string type_of(const ptx::Instruction& instruction) {
    static constexpr std::string_view kTypeParts[] = {"pred", "b8",  "u8",  "s8",  "b16", "u16",
                                                      "s16",  "f16", "b32", "u32", "s32", "f32",
                                                      "b64",  "u64", "s64", "f64", "bf16"};
    std::string found;
    for (const std::string& part : instruction.parts) {
        bool is_type = std::find(std::begin(kTypeParts), std::end(kTypeParts), part) !=
                       std::end(kTypeParts);
        if (!is_type) continue;
        if (instruction.parts[0] == "cvt" || instruction.parts[0] == "set") return part;
        found = part;
    }
    return found;
}

// What moves bits says nothing about what they are.
bool says_type(const ptx::Instruction& instruction) {
    static constexpr std::string_view kMovers[] = {"mov",  "ld",  "st", "selp", "shfl",
                                                   "cvta", "and", "or", "xor",  "not"};
    return std::find(std::begin(kMovers), std::end(kMovers), instruction.parts[0]) ==
           std::end(kMovers);
}

std::string element_of_ptx(std::string type, RegisterKind kind) {
    if (kind == RegisterKind::predicate) return "u8";
    bool wide = kind == RegisterKind::wide;
    if (type == "f32" || type == "f64" || type == "f16" || type == "bf16") return type;
    if (type.starts_with('u')) return wide ? "u64" : "u32";
    return wide ? "i64" : "i32";
}

// The registers and special registers of an instruction in the order in which its text has them.
void in_text_order(const Operand& operand, std::vector<const Operand*>& order) {
    bool has = operand.kind == Operand::Kind::reg || operand.kind == Operand::Kind::special ||
               (operand.kind == Operand::Kind::address && operand.has_base);
    if (has) order.push_back(&operand);
    for (const Operand& element : operand.elements) in_text_order(element, order);
}

std::vector<std::string> names_in(const std::string& text) {
    std::vector<std::string> names;
    for (size_t i = 0; i < text.size(); ++i) {
        if (text[i] != '%') continue;
        size_t end = i + 1;
        while (end < text.size() && (std::isalnum(static_cast<unsigned char>(text[end])) ||
                                     text[end] == '_' || text[end] == '$' || text[end] == '.'))
            ++end;
        names.push_back(text.substr(i, end - i));
        i = end - 1;
    }
    return names;
}

}  // namespace

RegisterUses::RegisterUses(const ptx::Kernel& kernel) : kernel_(kernel) {
    for (uint32_t i = 0; i < kernel.instructions.size(); ++i) {
        const ptx::Instruction& instruction = kernel.instructions[i];
        by_line_[{instruction.position.file, instruction.position.line}].push_back(i);
        take(instruction, i);
        take_names(instruction);
    }
}

void RegisterUses::take(const ptx::Instruction& instruction, uint32_t index) {
    if (instruction.guarded) uses_[instruction.guard.reg].readers.push_back(index);
    std::string type = says_type(instruction) ? type_of(instruction) : std::string();
    for (size_t i = 0; i < instruction.operands.size(); ++i) {
        const Operand& operand = instruction.operands[i];
        bool is_written = i == 0 && writes(instruction) && operand.kind != Operand::Kind::address;
        each_register(operand, [&](const Register& reg) {
            RegisterUse& use = uses_[reg];
            (is_written ? use.writers : use.readers).push_back(index);
            bool is_value = is_written || instruction.parts[0] != "cvt";
            if (!type.empty() && is_value && use.element.empty() &&
                operand.kind != Operand::Kind::address)
                use.element = element_of_ptx(type, reg.kind);
        });
    }
}

void RegisterUses::take_names(const ptx::Instruction& instruction) {
    std::vector<const Operand*> order;
    if (instruction.guarded) order.push_back(&instruction.guard);
    for (const Operand& operand : instruction.operands) in_text_order(operand, order);
    std::vector<std::string> names = names_in(instruction.text);
    if (names.size() != order.size()) return;
    for (size_t i = 0; i < names.size(); ++i) {
        if (order[i]->kind == Operand::Kind::special) continue;
        if (!by_name_.emplace(names[i], order[i]->reg).second) continue;
        names_of_.emplace(order[i]->reg, names[i]);
        names_.push_back(names[i]);
    }
}

const RegisterUse& RegisterUses::of(const Register& reg) const {
    static const RegisterUse kNone;
    auto found = uses_.find(reg);
    return found == uses_.end() ? kNone : found->second;
}

bool RegisterUses::named(std::string_view name, Register& reg) const {
    auto found = by_name_.find(name);
    if (found == by_name_.end()) return false;
    reg = found->second;
    return true;
}

const std::string& RegisterUses::name_of(const Register& reg) const {
    static const std::string kNone;
    auto found = names_of_.find(reg);
    return found == names_of_.end() ? kNone : found->second;
}

std::vector<uint32_t> RegisterUses::at_lines(int file, int first, int last) const {
    std::vector<uint32_t> found;
    auto end = by_line_.upper_bound({file, last});
    for (auto it = by_line_.lower_bound({file, first}); it != end; ++it)
        found.insert(found.end(), it->second.begin(), it->second.end());
    std::sort(found.begin(), found.end());
    return found;
}

// Predicates hold bools; all else by its width. A float lies in no register that integers are
// computed in, and the other way round.
bool RegisterUses::fits(const Register& reg, int bytes, bool is_float) const {
    if (reg.kind == RegisterKind::predicate) return bytes == 1;
    if (bytes == 0) return true;
    if ((bytes == 8) != (reg.kind == RegisterKind::wide)) return false;
    const std::string& element = of(reg).element;
    bool is_of_floats = element.starts_with('f') || element.starts_with('b');
    return element.empty() || is_of_floats == is_float;
}

std::vector<HeldIn> RegisterUses::held_in(const SourceVariable& variable, int file, int bytes,
                                          bool is_float) const {
    std::set<uint32_t> here;
    for (const SourceAssignment& each : variable.assignments)
        for (uint32_t i : at_lines(file, each.line, each.last_line)) here.insert(i);
    std::set<Register, RegisterOrder> written;
    for (uint32_t i : here) {
        const ptx::Instruction& instruction = kernel_.instructions[i];
        if (!writes(instruction) || instruction.operands.empty()) continue;
        each_register(instruction.operands[0], [&](const Register& reg) {
            if (fits(reg, bytes, is_float)) written.insert(reg);
        });
    }
    std::vector<HeldIn> carried;
    for (const Register& reg : written)
        if (of(reg).writers.size() > 1) carried.push_back({reg, of(reg).writers, true});
    if (variable.assignments.size() > 1 && carried.size() == 1) return carried;
    std::vector<HeldIn> ends = ends_of(written, here, false);
    return ends.empty() ? ends_of(written, here, true) : ends;
}

// Registers that other lines use, and that these lines do not compute with any more: a value that
// they do is only a part of theirs. only_next: but where other lines stand in between, as between
// the turns of an unrolled loop.
std::vector<HeldIn> RegisterUses::ends_of(const std::set<Register, RegisterOrder>& written,
                                          const std::set<uint32_t>& here, bool only_next) const {
    std::vector<HeldIn> ends;
    for (const Register& reg : written) {
        const RegisterUse& use = of(reg);
        auto is_part = [&](uint32_t reader) {
            const ptx::Instruction& at = kernel_.instructions[reader];
            if (!here.count(reader) || !writes(at) || at.operands.empty()) return false;
            uint32_t from = use.writers.back();
            for (uint32_t i = from; only_next && i < reader; ++i)
                if (!here.count(i)) return false;
            if (only_next && reader < from) return false;
            bool is_other = false;
            each_register(at.operands[0], [&](const Register& to) {
                is_other = is_other || (!(to == reg) && to.kind != RegisterKind::predicate);
            });
            return is_other;
        };
        bool is_used = only_next || std::any_of(use.readers.begin(), use.readers.end(),
                                                [&](uint32_t each) { return !here.count(each); });
        bool is_end = std::none_of(use.readers.begin(), use.readers.end(), is_part);
        if (is_end && is_used) ends.push_back({reg, use.writers, false});
    }
    return ends;
}

std::vector<HeldIn> RegisterUses::stored_by(const SourceAssignment& assignment, int file) const {
    std::vector<HeldIn> found;
    for (uint32_t i : at_lines(file, assignment.line, assignment.last_line)) {
        const ptx::Instruction& instruction = kernel_.instructions[i];
        bool stores = instruction.parts[0] == "st" && !ptx::has_part(instruction, "param");
        if (!stores || instruction.operands.size() < 2) continue;
        const Operand& value = instruction.operands[1];
        const Operand* first = value.kind == Operand::Kind::vector ? &value.elements[0] : &value;
        if (first->kind == Operand::Kind::reg) found.push_back({first->reg, {i}, false});
    }
    return found;
}

}  // namespace lanewise
