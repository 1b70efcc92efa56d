#include "model/timed_code.h"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <set>
#include <string_view>

namespace lanewise {
namespace {

using ptx::Instruction;
using ptx::Operand;

bool has_part(const Instruction& i, std::string_view part) {
    return std::find(i.parts.begin(), i.parts.end(), part) != i.parts.end();
}

bool one_of(std::string_view verb, std::initializer_list<std::string_view> verbs) {
    return std::find(verbs.begin(), verbs.end(), verb) != verbs.end();
}

bool is_half(const Instruction& i) {
    return has_part(i, "f16") || has_part(i, "f16x2") || has_part(i, "bf16") || has_part(i, "bf16x2");
}

bool is_of_memory(const Instruction& i) {
    const std::string& verb = i.parts[0];
    if (verb == "wmma") return i.parts[1] != "mma";
    if (verb == "cp") return has_part(i, "async") && has_part(i, "shared") && has_part(i, "global");
    bool accesses = one_of(verb, {"ld", "ldu", "st", "atom", "red", "ldmatrix", "stmatrix"});
    return accesses && !has_part(i, "param") && !has_part(i, "const") &&
           !has_part(i, "local");
}

Unit unit_of_arithmetic(const Instruction& i) {
    const std::string& verb = i.parts[0];
    if (has_part(i, "f64")) return Unit::real;
    if (is_half(i)) return Unit::half;
    if (has_part(i, "f32")) return one_of(verb, {"min", "max"}) ? Unit::compare : Unit::single;
    if (one_of(verb, {"mul", "mad", "mul24", "mad24"})) return Unit::multiply;
    return one_of(verb, {"min", "max"}) ? Unit::compare : Unit::integer;
}

Unit unit_of(const Instruction& i) {
    const std::string& verb = i.parts[0];
    if (is_of_memory(i)) return Unit::memory;
    if (verb == "cp") {
        if (has_part(i, "commit_group")) return Unit::commit;
        return has_part(i, "wait_group") || has_part(i, "wait_all") ? Unit::wait : Unit::none;
    }
    if (one_of(verb, {"mma", "wmma"})) return Unit::tensor;
    if (one_of(verb, {"bra", "ret", "exit", "brx", "call"})) return Unit::branch;
    if (one_of(verb, {"bar", "barrier"}))
        return has_part(i, "warp") ? Unit::integer : has_part(i, "arrive") ? Unit::integer : Unit::barrier;
    if (verb == "shfl") return Unit::shuffle;
    if (one_of(verb, {"vote", "match", "activemask", "elect"})) return Unit::vote;
    if (verb == "redux") return Unit::reduce;
    if (one_of(verb, {"popc", "clz", "brev", "bfind", "fns"})) return Unit::count;
    if (one_of(verb, {"ex2", "lg2", "sin", "cos", "rcp", "rsqrt", "sqrt", "tanh", "div"}))
        return has_part(i, "f64") ? Unit::real
               : has_part(i, "f32") || is_half(i) ? Unit::function : Unit::convert;
    if (verb == "rem") return Unit::convert;
    if (verb == "cvt") {
        bool from = has_part(i, "f32") || has_part(i, "f64") || is_half(i);
        return from ? Unit::convert : Unit::integer;
    }
    if (one_of(verb, {"setp", "set", "selp", "slct"})) return Unit::compare;
    if (one_of(verb, {"shl", "shr", "shf", "bfe", "bfi", "prmt"})) return Unit::shift;
    if (one_of(verb, {"add", "sub", "mul", "mad", "fma", "min", "max", "neg", "abs", "sad", "addc",
                      "subc", "madc", "mul24", "mad24", "dp4a", "dp2a"}))
        return unit_of_arithmetic(i);
    if (one_of(verb, {"mov", "cvta", "ld"})) return Unit::integer;
    return Unit::integer;
}

// How many of halves take as long as one of these: of each next width of operands half as many are multiplied in a
// clock (NVIDIA's architecture whitepapers from the A100 on, "Tensor Core").
double halves_for_one(const Instruction& i) {
    struct Width {
        const char* part;
        double halves;
    };
    constexpr Width kWidths[] = {{"tf32", 2}, {"s8", 0.5}, {"u8", 0.5}, {"s4", 0.25}, {"u4", 0.25}, {"b1", 0.0625}};
    for (const Width& width : kWidths)
        if (has_part(i, width.part)) return width.halves;
    return 1;
}

// "m16n8k16" of halves -> 1, as multiples of that; of doubles as multiples of m16n8k8. On an H200 a scheduler's m16n8k4, k8
// and k16 of doubles take 16.2, 32.4 and 64.7 clocks, and m8n8k4 as long as m16n8k4.
double products_of(const Instruction& i) {
    for (const std::string& part : i.parts) {
        int m = 0, n = 0, k = 0;
        constexpr int kLeastOfDoubles = 16, kDeepDoubles = 8;
        const bool is_shape = std::sscanf(part.c_str(), "m%dn%dk%d", &m, &n, &k) == 3;
        if (is_shape && has_part(i, "f64")) return double(std::max(m, kLeastOfDoubles)) * n * k / (16.0 * 8 * kDeepDoubles);
        if (is_shape)
            return double(m) * n * k / (16.0 * 8 * 16) * halves_for_one(i);
    }
    return 1;
}

// What the simulation has no part for.
std::string_view unknown_in(const Instruction& i) {
    const std::string& verb = i.parts[0];
    if (verb == "wgmma") return "products of warpgroups (wgmma)";
    if (verb == "mbarrier") return "mbarriers";
    if (has_part(i, "bulk")) return "bulk copies (TMA)";
    if (one_of(verb, {"tex", "tld4", "suld", "sust"})) return "textures";
    if (verb == "call") return "calls of functions";
    return {};
}

class RegisterNumbers {
  public:
    explicit RegisterNumbers(const ptx::Kernel& kernel)
        : words_(kernel.predicates), wides_(kernel.predicates + kernel.words) {}
    uint32_t of(const ptx::Register& r) const {
        return r.index + (r.kind == ptx::RegisterKind::predicate ? 0
                          : r.kind == ptx::RegisterKind::word    ? words_
                                                                 : wides_);
    }
    void collect(const Operand& operand, std::vector<uint32_t>& into) const {
        if (operand.kind == Operand::Kind::reg) into.push_back(of(operand.reg));
        if (operand.kind == Operand::Kind::address && operand.has_base) into.push_back(of(operand.reg));
        for (const Operand& element : operand.elements) collect(element, into);
    }

  private:
    uint32_t words_, wides_;
};

bool writes_first(const Instruction& i) {
    const std::string& verb = i.parts[0];
    if (one_of(verb, {"st", "red", "bar", "barrier", "bra", "ret", "exit", "cp", "stmatrix", "membar",
                      "fence", "brx", "trap", "nanosleep", "prefetch"}))
        return false;
    return !(verb == "wmma" && i.parts[1] == "store");
}

void take_registers(const Instruction& i, const RegisterNumbers& numbers, TimedInstruction& timed) {
    bool writes = writes_first(i);
    for (size_t n = 0; n < i.operands.size(); ++n) {
        const Operand& operand = i.operands[n];
        bool is_result = n == 0 && writes && operand.kind != Operand::Kind::address;
        numbers.collect(operand, is_result ? timed.writes : timed.reads);
    }
    if (i.guarded) numbers.collect(i.guard, timed.reads);
}

// A line whose work is one machine instruction as a rule.
bool is_simple(const TimedInstruction& timed, const Instruction& i) {
    const std::string& verb = i.parts[0];
    if (timed.unit == Unit::memory) return one_of(verb, {"ld", "st"});
    if (timed.unit == Unit::single || timed.unit == Unit::half || timed.unit == Unit::shuffle)
        return !one_of(verb, {"neg", "abs"});
    return timed.unit == Unit::multiply || timed.unit == Unit::compare || timed.unit == Unit::shift ||
           one_of(verb, {"add", "sub", "and", "or", "xor"});
}

// What a line costs of the work that ptxas neither merges nor moves, as a rule.
void take_known_work(const Instruction& i, TimedInstruction& timed) {
    const std::string& verb = i.parts[0];
    bool adds = one_of(verb, {"add", "sub", "mul", "fma", "mad"});
    if (timed.unit == Unit::memory && one_of(verb, {"ld", "st"})) timed.known_unit = MachineUnit::memory;
    if (timed.unit == Unit::single && adds) timed.known_unit = MachineUnit::fma;
    if (timed.unit == Unit::half && adds) timed.known_unit = MachineUnit::half;
    if (timed.unit == Unit::real && adds) timed.known_unit = MachineUnit::real;
    if (timed.unit == Unit::tensor) timed.known_unit = MachineUnit::products;
    if (timed.unit == Unit::shuffle) timed.known_unit = MachineUnit::shuffle;
    if (timed.unit == Unit::barrier) timed.known_unit = MachineUnit::barrier;
    timed.known = timed.known_unit == MachineUnit::none ? 0 : 1;
    // wmma's are two of mma's, and of tf32 four, as they have the depth of four; doubles have one size.
    if (timed.unit == Unit::tensor && verb == "wmma" && !has_part(i, "f64")) timed.known = has_part(i, "tf32") ? 4 : 2;
}

bool works_in(const MachineInstruction& machine, MachineUnit unit) {
    return machine.unit == unit || (machine.unit == MachineUnit::half_mma && unit == MachineUnit::half);
}

// How many copies ptxas made of a stretch of code: the number that most of the lines say which cost a known number
// of machine instructions; the smaller of two that are as frequent.
int copies_of(const TimedCode& code, std::span<const TimedInstruction> run) {
    std::map<size_t, int> numbers;
    for (const TimedInstruction& timed : run) {
        if (timed.places.empty() || (timed.known == 0 && (!timed.is_simple || timed.is_wide))) continue;
        auto is_its_work = [&](uint32_t place) {
            const MachineInstruction* machine = code.machine_at(place);
            return timed.known == 0 || (machine && works_in(*machine, timed.known_unit));
        };
        auto places = static_cast<size_t>(std::count_if(timed.places.begin(), timed.places.end(), is_its_work));
        if (size_t copies = places / static_cast<size_t>(std::max(1, timed.known)); copies > 0) ++numbers[copies];
    }
    auto most = std::max_element(numbers.begin(), numbers.end(),
                                 [](const auto& a, const auto& b) { return a.second < b.second; });
    return most == numbers.end() ? 1 : static_cast<int>(most->first);
}

// What is called for operands that are rare (of a quotient, say) stands far behind the rest.
void leave_out_far_places(TimedInstruction& timed) {
    constexpr uint32_t kFar = 48 * 16;
    if (timed.unit != Unit::function && timed.unit != Unit::real) return;
    for (size_t n = 1; n < timed.places.size(); ++n)
        if (timed.places[n] - timed.places[n - 1] > kFar) return timed.places.resize(n);
}

// By machine instruction: whether the machine comes there, as far as the code says where it goes on.
std::vector<uint8_t> reached(std::span<const MachineInstruction> machine) {
    using Flow = MachineInstruction::Flow;
    auto has_unknown_target = [](const MachineInstruction& m) {
        return m.flow == Flow::branch && m.target == MachineInstruction::kNowhere;
    };
    std::vector<uint8_t> is_reached(machine.size());
    if (std::any_of(machine.begin(), machine.end(), has_unknown_target)) {
        std::fill(is_reached.begin(), is_reached.end(), uint8_t{1});
        return is_reached;
    }
    std::vector<size_t> open = {0};
    while (!open.empty()) {
        size_t at = open.back();
        open.pop_back();
        for (bool goes_on = true; goes_on && at < machine.size() && !is_reached[at]; ++at) {
            const MachineInstruction& m = machine[at];
            is_reached[at] = 1;
            if (m.target != MachineInstruction::kNowhere) {
                auto to = std::lower_bound(machine.begin(), machine.end(), m.target,
                                           [](const MachineInstruction& one, uint32_t address) { return one.address < address; });
                open.push_back(static_cast<size_t>(to - machine.begin()));
            }
            goes_on = m.flow == Flow::next || m.flow == Flow::call || m.is_guarded;
        }
    }
    return is_reached;
}

// Whether the machine branches there: else ptxas made guards of it, across which it moves what it likes.
bool is_branch_there(const TimedCode& code, const TimedInstruction& timed) {
    if (code.machine.empty()) return true;
    return std::any_of(timed.places.begin(), timed.places.end(), [&](uint32_t place) {
        const MachineInstruction* machine = code.machine_at(place);
        return machine && machine->flow != MachineInstruction::Flow::next;
    });
}

void mark_runs(const ptx::Kernel& kernel, TimedCode& code) {
    for (size_t n = 0; n < kernel.instructions.size(); ++n) {
        const Instruction& i = kernel.instructions[n];
        TimedInstruction& timed = code.instructions[n];
        timed.ends_run = timed.unit == Unit::branch || timed.unit == Unit::barrier;
        if (timed.unit != Unit::branch) continue;
        bool goes_back = std::any_of(i.operands.begin(), i.operands.end(), [&](const Operand& operand) {
            return operand.kind == Operand::Kind::label && operand.value <= n;
        });
        timed.ends_run = goes_back || is_branch_there(code, timed);
        if (!timed.ends_run) continue;
        for (const Operand& operand : i.operands)
            if (operand.kind == Operand::Kind::label && operand.value < code.instructions.size()) {
                code.instructions[operand.value].begins_run = true;
                if (operand.value <= n) timed.back_to = static_cast<uint32_t>(operand.value);
            }
    }
}

void share_places(TimedCode& code) {
    size_t begin = 0, count = code.instructions.size();
    while (begin < count) {
        size_t end = begin + 1;
        while (end < count && !code.instructions[end - 1].ends_run && !code.instructions[end].begins_run)
            ++end;
        std::span<TimedInstruction> run(&code.instructions[begin], end - begin);
        int copies = copies_of(code, run);
        for (TimedInstruction& timed : run) {
            timed.copies = copies;
            timed.issues = static_cast<double>(timed.places.size()) / copies;
        }
        begin = end;
    }
}

}  // namespace

const MachineInstruction* TimedCode::machine_at(uint32_t address) const {
    auto found = std::lower_bound(machine.begin(), machine.end(), address,
                                  [](const MachineInstruction& m, uint32_t at) { return m.address < at; });
    return found != machine.end() && found->address == address ? &*found : nullptr;
}

// Once round for each register that may stand between a load and an address.
static void mark_gathers(const ptx::Kernel& kernel, TimedCode& code) {
    std::vector<uint8_t> is_loaded(code.registers);
    auto loads = [&](size_t i) {
        const ptx::Instruction& instruction = kernel.instructions[i];
        const bool is_other = has_part(instruction, "param") || has_part(instruction, "shared") || has_part(instruction, "local") ||
                              has_part(instruction, "const");
        return (instruction.parts[0] == "ld" || instruction.parts[0] == "ldu") && !is_other;
    };
    for (bool is_new = true; is_new;) {
        is_new = false;
        for (size_t i = 0; i < code.instructions.size(); ++i) {
            TimedInstruction& timed = code.instructions[i];
            const bool reads = std::any_of(timed.reads.begin(), timed.reads.end(), [&](uint32_t r) { return is_loaded[r] != 0; });
            if (loads(i)) timed.load.is_gather = reads;
            if (!reads && !loads(i)) continue;
            for (uint32_t r : timed.writes) is_new |= std::exchange(is_loaded[r], uint8_t{1}) == 0;
        }
    }
}

TimedCode timed_code(const ptx::Kernel& kernel, std::vector<MachineInstruction> machine) {
    TimedCode code;
    RegisterNumbers numbers(kernel);
    code.registers = kernel.predicates + kernel.words + kernel.wides;
    std::map<int, std::vector<uint32_t>> places;
    std::map<int, int> guarded;
    const std::vector<uint8_t> is_reached = reached(machine);
    for (size_t m = 0; m < machine.size(); ++m) {
        if (!is_reached[m]) continue;
        places[machine[m].ptx_line].push_back(machine[m].address);
        guarded[machine[m].ptx_line] += machine[m].is_guarded;
    }
    code.machine = std::move(machine);
    std::set<std::string_view> unknown;
    for (const Instruction& i : kernel.instructions) {
        TimedInstruction timed;
        timed.unit = unit_of(i);
        if (timed.unit == Unit::tensor) timed.products = products_of(i);
        if (timed.unit == Unit::wait && has_part(i, "wait_group") && !i.operands.empty())
            timed.groups_left = static_cast<int>(i.operands[0].value);
        for (const char* part : {"cv", "cg", "volatile", "relaxed", "acquire"})
            timed.load.passes_l1 |= has_part(i, part);
        take_registers(i, numbers, timed);
        if (auto found = places.find(i.ptx_line); found != places.end()) timed.places = found->second;
        leave_out_far_places(timed);
        timed.is_simple = is_simple(timed, i);
        take_known_work(i, timed);
        timed.is_guarded_there = !i.guarded && timed.unit != Unit::branch && !timed.places.empty() &&
                                 guarded[i.ptx_line] == static_cast<int>(timed.places.size());
        timed.is_local = one_of(i.parts[0], {"ld", "st"}) && has_part(i, "local");
        timed.is_wide = has_part(i, "s64") || has_part(i, "u64") || has_part(i, "b64") ||
                        (timed.unit == Unit::tensor && has_part(i, "f64"));
        if (std::string_view what = unknown_in(i); !what.empty()) unknown.insert(what);
        code.instructions.push_back(std::move(timed));
    }
    mark_runs(kernel, code);
    mark_gathers(kernel, code);
    if (!code.machine.empty()) share_places(code);
    for (std::string_view what : unknown)
        code.unknown += (code.unknown.empty() ? "" : ", ") + std::string(what);
    return code;
}

}  // namespace lanewise
