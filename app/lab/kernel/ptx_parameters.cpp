#include "lab/kernel/ptx_parameters.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <optional>

#include "base/text.h"
#include "lab/kernel/kernel_list.h"
#include "ptx/parts.h"

namespace lanewise {

namespace {

using ptx::Instruction;
using ptx::Operand;
using ptx::Register;
using ptx::RegisterKind;

// ---- what the code does with each parameter

// What speaks for a register's type: the types of the instructions that compute with it.
struct Evidence {
    bool is_float = false, is_double = false, is_half = false, is_brain = false, is_whole = false;
    void operator|=(const Evidence& other) {
        is_float |= other.is_float;
        is_double |= other.is_double;
        is_half |= other.is_half;
        is_brain |= other.is_brain;
        is_whole |= other.is_whole;
    }
};

void add_type(Evidence& evidence, std::string_view type) {
    evidence.is_float |= type == "f32" || type == "tf32";
    evidence.is_double |= type == "f64";
    evidence.is_half |= type == "f16" || type == "f16x2";
    evidence.is_brain |= type == "bf16" || type == "bf16x2";
    evidence.is_whole |= type.size() == 3 && (type[0] == 's' || type[0] == 'u') &&
                         (type.ends_with("16") || type.ends_with("32") || type.ends_with("64"));
}

// Bits of a type's name, "v4" and whatever is none: 0.
uint32_t bytes_of(std::string_view type) {
    static const std::map<std::string_view, uint32_t> kBytes = {
        {"b8", 1},    {"u8", 1},     {"s8", 1},  {"b16", 2}, {"u16", 2}, {"s16", 2},
        {"f16", 2},   {"bf16", 2},   {"b32", 4}, {"u32", 4}, {"s32", 4}, {"f32", 4},
        {"f16x2", 4}, {"bf16x2", 4}, {"b64", 8}, {"u64", 8}, {"s64", 8}, {"f64", 8}};
    auto found = kBytes.find(type);
    return found == kBytes.end() ? 0 : found->second;
}

bool is_verb(const Instruction& i, std::initializer_list<std::string_view> verbs) {
    return std::find(verbs.begin(), verbs.end(), i.parts[0]) != verbs.end();
}

template <typename Visit>
void each_register(const Operand& operand, const Visit& visit) {
    if (operand.kind == Operand::Kind::reg) visit(operand.reg);
    if (operand.kind == Operand::Kind::vector || operand.kind == Operand::Kind::pair)
        for (const Operand& element : operand.elements) each_register(element, visit);
}

// Registers that hold the same value, or halves of it, are one: what is known of one is known of
// all. Words and wide ones are numbered apart.
class Same {
  public:
    explicit Same(const ptx::Kernel& kernel)
        : words_(kernel.words),
          next_(size_t{kernel.words} + kernel.wides),
          evidence_(next_.size()) {
        std::iota(next_.begin(), next_.end(), size_t{0});
    }
    void join(Register a, Register b) {
        if (a.kind == RegisterKind::predicate || b.kind == RegisterKind::predicate) return;
        size_t one = root(number(a)), other = root(number(b));
        if (one == other) return;
        next_[one] = other;
        evidence_[other] |= evidence_[one];
    }
    Evidence& of(Register reg) { return evidence_[root(number(reg))]; }

  private:
    size_t number(Register reg) const {
        return reg.index + (reg.kind == RegisterKind::wide ? words_ : 0);
    }
    size_t root(size_t at) {
        while (next_[at] != at) at = next_[at] = next_[next_[at]];
        return at;
    }
    size_t words_;
    std::vector<size_t> next_;
    std::vector<Evidence> evidence_;
};

struct Use {
    bool is_read = false, is_address = false, is_number = false;
    uint32_t element_bytes = 0;  // of the first access through it
    Evidence evidence;           // of the value, or of what it points to
};

class Uses {
  public:
    explicit Uses(const ptx::Kernel& kernel)
        : kernel_(kernel), same_(kernel), begun_by_(kernel.wides), uses_(kernel.parameters.size()) {
        for (const Instruction& i : kernel.instructions) note_types(i);
        constexpr int kMostTurns = 8;  // round loops; nothing goes round more often in practice
        bool changed = true;
        for (int turn = 0; changed && turn < kMostTurns; ++turn) {
            changed = false;
            for (const Instruction& i : kernel.instructions) changed |= follow(i);
        }
        for (const Instruction& i : kernel.instructions) note_uses(i);
        for (const auto& [reg, parameter] : loaded_)
            if (!uses_[parameter].is_address) uses_[parameter].evidence |= same_.of(reg);
    }
    const std::vector<Use>& uses() const { return uses_; }

  private:
    // A wide register's value begins with these parameters: it is one of them, or an address that
    // was computed from one.
    struct Beginning {
        std::vector<size_t> parameters;
        bool is_whole = false;  // nothing was added
    };

    std::optional<size_t> parameter_at(const Operand& operand) const {
        if (operand.space != ptx::SymbolSpace::parameter) return std::nullopt;
        for (size_t i = 0; i < kernel_.parameters.size(); ++i) {
            const ptx::Parameter& parameter = kernel_.parameters[i];
            if (operand.value >= parameter.offset &&
                operand.value < parameter.offset + parameter.bytes)
                return i;
        }
        return std::nullopt;
    }

    void note_types(const Instruction& i) {
        if (is_verb(i, {"mov"}) && i.operands.size() == 2) {
            each_register(i.operands[0], [&](Register to) {
                each_register(i.operands[1], [&](Register from) { same_.join(to, from); });
            });
            return;
        }
        if (is_verb(i, {"ld", "ldu", "st", "mma", "wgmma", "wmma", "cp", "call", "shfl"})) return;
        std::vector<std::string_view> types;
        for (const std::string& part : i.parts)
            if (bytes_of(part) != 0) types.push_back(part);
        if (types.empty()) return;
        bool converts = is_verb(i, {"cvt"});
        for (size_t n = 0; n < i.operands.size(); ++n)
            each_register(i.operands[n], [&](Register reg) {
                if (reg.kind == RegisterKind::predicate) return;
                add_type(same_.of(reg), converts && n == 0 ? types.front() : types.back());
            });
    }

    bool begin(Register reg, const std::vector<size_t>& with, bool whole) {
        constexpr size_t kMost = 8;
        if (reg.kind != RegisterKind::wide) return false;
        Beginning& beginning = begun_by_[reg.index];
        bool changed = false;
        for (size_t parameter : with) {
            auto& all = beginning.parameters;
            if (all.size() >= kMost || std::find(all.begin(), all.end(), parameter) != all.end())
                continue;
            all.push_back(parameter);
            beginning.is_whole = whole;
            changed = true;
        }
        return changed;
    }
    const Beginning* beginning_of(const Operand& operand) const {
        bool is_wide = operand.reg.kind == RegisterKind::wide &&
                       (operand.kind == Operand::Kind::reg || operand.has_base);
        return is_wide ? &begun_by_[operand.reg.index] : nullptr;
    }

    // How addresses are made.
    bool follow(const Instruction& i) {
        if (i.operands.size() < 2) return false;
        if (is_verb(i, {"ld"}) && ptx::has_part(i, "param")) {
            std::optional<size_t> parameter = parameter_at(i.operands[1]);
            if (!parameter) return false;
            bool changed = false;
            each_register(i.operands[0],
                          [&](Register reg) { changed |= begin(reg, {*parameter}, true); });
            return changed;
        }
        bool copies = is_verb(i, {"mov", "cvta"});
        if (!copies && !is_verb(i, {"add", "sub", "or", "mad", "selp"})) return false;
        if (i.operands[0].kind != Operand::Kind::reg) return false;
        size_t first = is_verb(i, {"mad"}) ? 3 : 1;  // a * b + c: c
        bool changed = false;
        for (size_t n = first; n < i.operands.size(); ++n)
            if (const Beginning* from = beginning_of(i.operands[n]))
                changed |= begin(i.operands[0].reg, std::vector(from->parameters),
                                 copies && from->is_whole);
        return changed;
    }

    void note_uses(const Instruction& i) {
        for (const Operand& operand : i.operands)
            if (std::optional<size_t> parameter = parameter_at(operand)) {
                uses_[*parameter].is_read = true;
                if (is_verb(i, {"ld"}))
                    each_register(i.operands[0], [&](Register reg) {
                        if (reg.kind != RegisterKind::predicate)
                            loaded_.emplace_back(reg, *parameter);
                    });
            }
        if (is_verb(i, {"mul", "div", "rem", "shl", "shr", "cvt", "min", "max"}))
            note_numbers(i, 1);
        if (is_verb(i, {"mad"})) note_numbers(i, 1, 3);
        bool compares_size =
            is_verb(i, {"setp"}) && !ptx::has_part(i, "eq") && !ptx::has_part(i, "ne");
        if (compares_size) note_numbers(i, 1);
        bool elsewhere = ptx::has_part(i, "param") || ptx::has_part(i, "local") ||
                         ptx::has_part(i, "const") ||
                         (ptx::has_part(i, "shared") && !is_verb(i, {"cp"}));
        if (!elsewhere && is_verb(i, {"ld", "ldu", "st", "atom", "red", "cp", "prefetch"}))
            note_access(i);
    }
    void note_numbers(const Instruction& i, size_t begin, size_t end = ~size_t{0}) {
        for (size_t n = begin; n < std::min(end, i.operands.size()); ++n)
            if (const Beginning* from = beginning_of(i.operands[n]); from && from->is_whole)
                for (size_t parameter : from->parameters) uses_[parameter].is_number = true;
    }
    void note_access(const Instruction& i) {
        uint32_t bytes = is_verb(i, {"cp"}) ? 0 : bytes_of(i.parts.back());
        for (size_t n = 0; n < i.operands.size(); ++n) {
            const Operand& address = i.operands[n];
            bool is_target = is_verb(i, {"cp"}) && n == 0;  // shared memory
            const Beginning* from = beginning_of(address);
            if (address.kind != Operand::Kind::address || is_target || !from) continue;
            for (size_t parameter : from->parameters) {
                Use& use = uses_[parameter];
                use.is_address = true;
                if (use.element_bytes == 0) use.element_bytes = bytes;
                add_type(use.evidence, i.parts.back());
                for (size_t other = 0; other < i.operands.size(); ++other)
                    if (other != n)
                        each_register(i.operands[other], [&](Register reg) {
                            if (reg.kind != RegisterKind::predicate) use.evidence |= same_.of(reg);
                        });
            }
        }
    }

    const ptx::Kernel& kernel_;
    Same same_;
    std::vector<Beginning> begun_by_;  // by wide register
    std::vector<Use> uses_;            // by parameter
    std::vector<std::pair<Register, size_t>> loaded_;
};

// As C++ spells it.
std::string type_of(uint32_t bytes, const Evidence& evidence, bool is_pointee) {
    switch (bytes) {
        case 1:
            return "unsigned char";
        case 2:
            return evidence.is_half ? "__half" : evidence.is_brain ? "__nv_bfloat16" : "short";
        case 4:
            if (evidence.is_half) return "__half";  // two at once
            if (evidence.is_brain) return "__nv_bfloat16";
            // What is only moved is more often a float where it is an array's.
            return evidence.is_float || (is_pointee && !evidence.is_whole) ? "float" : "int";
        case 8:
            return evidence.is_double || (is_pointee && !evidence.is_whole) ? "double"
                                                                            : "long long";
        default:
            return "";
    }
}

void guess(KernelParameter& parameter, const ptx::Parameter& written, const Use& use) {
    parameter.is_guess = true;
    bool is_pointer =
        parameter.bytes == 8 && (written.is_pointer || (use.is_address && !use.is_number));
    if (is_pointer) {
        std::string element =
            use.element_bytes > 0 ? type_of(use.element_bytes, use.evidence, true) : "";
        parameter.type = (element.empty() ? "void" : element) + "*";
    } else {
        uint32_t bytes = parameter.bytes;
        bool is_half = bytes == 4 && (use.evidence.is_half || use.evidence.is_brain);
        parameter.type = is_half ? "int" : type_of(bytes, use.evidence, false);
    }
}

// ---- names

// The parts that Numba passes of an array of `dimensions`, in order.
std::vector<std::string> parts_of_array(int64_t dimensions) {
    std::vector<std::string> parts = {"meminfo", "parent", "items", "itemsize", "data"};
    for (const char* part : {"shape", "stride"})
        for (int64_t i = 0; i < dimensions; ++i) parts.push_back(fmt::format("{}{}", part, i));
    return parts;
}

// "Array<float, 2, C, mutable, aligned>" -> 2; 0 for anything else.
int64_t dimensions_of(const std::string& type) {
    constexpr std::string_view kArray = "Array<";
    if (!type.starts_with(kArray) || !type.ends_with('>')) return 0;
    auto pieces = comma_separated(
        std::string_view(type).substr(kArray.size(), type.size() - kArray.size() - 1));
    int64_t dimensions = 0;
    constexpr int64_t kMost = 32;
    bool read = pieces.size() > 1 && parse_integer(pieces[1], dimensions);
    return read && dimensions <= kMost ? dimensions : 0;
}

// The names of the parameters that Numba makes of arguments of these types; empty where it makes
// another number of them.
std::vector<std::string> names_by_numba(const std::vector<std::string>& types,
                                        const std::vector<std::string>& arguments, size_t wanted) {
    std::vector<std::string> names;
    for (size_t i = 0; i < types.size(); ++i) {
        bool is_named = arguments.size() == types.size();
        std::string name = is_named ? arguments[i] : fmt::format("argument{}", i + 1);
        int64_t dimensions = dimensions_of(types[i]);
        if (dimensions == 0)
            names.push_back(name);
        else
            for (const std::string& part : parts_of_array(dimensions))
                names.push_back(name + "_" + part);
    }
    return names.size() == wanted ? names : std::vector<std::string>();
}

// Triton adds pointers to memory of its own, which is null where the kernel needs none.
constexpr std::string_view kScratch[] = {"global_scratch", "profile_scratch"};

void name_by_python(std::vector<KernelParameter>& parameters, const ptx::Kernel& kernel,
                    const Stage& shown, const std::string& name) {
    std::vector<std::string> arguments = python_parameters(shown.source, base_name(name));
    std::vector<std::string> names = arguments;
    if (arguments.size() != parameters.size()) {
        std::vector<std::string> types = demangled_types(kernel.name);
        names = names_by_numba(types, arguments, parameters.size());
    }
    size_t more = parameters.size() - std::min(parameters.size(), arguments.size());
    bool is_scratch = names.empty() && !arguments.empty() && more <= std::size(kScratch);
    for (size_t i = arguments.size(); is_scratch && i < parameters.size(); ++i)
        is_scratch = kernel.parameters[i].is_pointer;
    if (is_scratch) {
        names = arguments;
        for (size_t i = 0; i < more; ++i) names.emplace_back(kScratch[i]);
    }
    for (size_t i = 0; i < names.size() && names.size() == parameters.size(); ++i)
        parameters[i].name = names[i];
}

}  // namespace

std::vector<std::string> python_parameters(const std::string& source, const std::string& function) {
    const std::string head = "def " + function;
    std::vector<std::string> names;
    size_t found = std::string::npos;
    for (size_t at = source.find(head); at != std::string::npos; at = source.find(head, at + 1)) {
        size_t open = source.find_first_not_of(" \t", at + head.size());
        if (open == std::string::npos || source[open] != '(') continue;
        if (found != std::string::npos) return {};
        found = open;
    }
    if (function.empty() || found == std::string::npos) return {};
    int depth = 0;
    size_t close = found;
    for (; close < source.size(); ++close) {
        depth += source[close] == '(' || source[close] == '[';
        depth -= source[close] == ')' || source[close] == ']';
        if (depth == 0) break;
    }
    std::string inside;  // without comments
    for (std::string_view line :
         lines_of(std::string_view(source).substr(found + 1, close - found - 1)))
        inside += std::string(line.substr(0, line.find('#'))) + "\n";
    for (const std::string& each : comma_separated(inside)) {
        if (each.empty() || each == "*" || each == "/") continue;
        size_t end = each.find_first_of(":=");
        bool is_taken = each.find("constexpr") != std::string::npos;
        if (!is_taken) names.emplace_back(trimmed(each.substr(0, end)));
    }
    return names;
}

std::vector<KernelParameter> ptx_parameters(const ptx::Kernel& kernel, const Stage& shown,
                                            const std::string& name) {
    std::vector<KernelParameter> parameters = kernel_parameters(kernel, shown, name);
    std::vector<Use> uses = Uses(kernel).uses();
    bool is_named = std::any_of(parameters.begin(), parameters.end(),
                                [](const KernelParameter& p) { return !p.name.empty(); });
    for (size_t i = 0; i < parameters.size(); ++i) {
        parameters[i].is_read = uses[i].is_read;
        if (parameters[i].type.empty()) guess(parameters[i], kernel.parameters[i], uses[i]);
    }
    if (!is_named) name_by_python(parameters, kernel, shown, name);
    return parameters;
}

}  // namespace lanewise
