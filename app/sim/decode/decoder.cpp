#include "sim/decode/decoder.h"

#include <algorithm>
#include <bit>

#include "base/error.h"

namespace lanewise {

namespace {

using Kind = ptx::Operand::Kind;
using ptx::RegisterKind;

constexpr TypeName kTypes[] = {
    {"pred", Type::pred, 1},     {"b8", Type::u8, 1},       {"u8", Type::u8, 1},
    {"s8", Type::s8, 1},         {"b16", Type::u16, 2},     {"u16", Type::u16, 2},
    {"s16", Type::s16, 2},       {"f16", Type::f16, 2},     {"b32", Type::u32, 4},
    {"u32", Type::u32, 4},       {"s32", Type::s32, 4},     {"f32", Type::f32, 4},
    {"b64", Type::u64, 8},       {"u64", Type::u64, 8},     {"s64", Type::s64, 8},
    {"f64", Type::f64, 8},       {"bf16", Type::bf16, 2},   {"f16x2", Type::f16x2, 4},
    {"bf16x2", Type::bf16x2, 4}, {"u16x2", Type::u16x2, 4}, {"s16x2", Type::s16x2, 4},
    {"f32x2", Type::f32x2, 8},   {"tf32", Type::tf32, 4},   {"e4m3x2", Type::e4m3x2, 2},
    {"e5m2x2", Type::e5m2x2, 2},
};

RegisterKind kind_of(bool wide) { return wide ? RegisterKind::wide : RegisterKind::word; }

}  // namespace

const TypeName* find_type(std::string_view name) {
    for (const TypeName& type : kTypes)
        if (type.name == name) return &type;
    return nullptr;
}

std::string_view space_of(const ptx::Instruction& instruction) {
    static constexpr std::string_view spaces[] = {"global", "shared", "local", "param", "const"};
    for (std::string_view part : instruction.parts) {
        std::string_view space = part.substr(0, part.find(':'));
        if (is_one_of(space, spaces)) return space;
    }
    return "";
}

Operations::Where place_of(std::string_view space) {
    using enum Operations::Where;
    return space == "global"   ? global
           : space == "shared" ? shared
           : space == "local"  ? local
           : space == "const"  ? constant
           : space == "param"  ? parameter
                               : generic;
}

KernelDecoder::KernelDecoder(const ptx::Kernel& kernel) : kernel_(kernel) {
    always_ = take(kPredicateRow);
    never_ = take(kPredicateRow);
    spare_predicate_ = take(kPredicateRow);
    carry_ = take(kPredicateRow);
    predicates_ = take(kernel.predicates * kPredicateRow);
    next_row_ = (next_row_ + 63) / 64 * 64;
    spare_word_ = take(kWordRow);
    spare_wide_ = take(kWideRow);
    words_ = take(kernel.words * kWordRow);
    wides_ = take(kernel.wides * kWideRow);
}

bool KernelDecoder::has(std::string_view part) const {
    return std::find(now_->parts.begin() + 1, now_->parts.end(), part) != now_->parts.end();
}

const ptx::Operand& KernelDecoder::operand(size_t i) const {
    if (i >= now_->operands.size()) unknown();
    return now_->operands[i];
}

uint32_t KernelDecoder::source(const ptx::Operand& operand, bool wide) {
    switch (operand.kind) {
        case Kind::reg:
            if (operand.negated || operand.reg.kind != kind_of(wide)) unknown();
            return source_register(operand.reg);
        case Kind::immediate:
            if (!operand.name.empty() && !wide)  // 0.5
                return constant(std::bit_cast<uint32_t>(
                                    static_cast<float>(std::bit_cast<double>(operand.value))),
                                false);
            return constant(operand.value, wide);
        case Kind::special:
            return special(operand.name, wide);
        case Kind::symbol:
            if (operand.space == ptx::SymbolSpace::unknown) unknown();
            if (operand.space == ptx::SymbolSpace::parameter)
                return constant(kParameterWindow + operand.value, wide);
            return constant(operand.value, wide);
        default:
            unknown();
    }
}

uint32_t KernelDecoder::destination(const ptx::Operand& operand, bool wide) {
    if (operand.kind == Kind::sink) return spare(wide);
    if (operand.kind != Kind::reg || operand.negated || operand.reg.kind != kind_of(wide))
        unknown();
    flow().writes.push_back(number(operand.reg));
    return row_of(operand.reg);
}

uint32_t KernelDecoder::predicate_destination(const ptx::Operand& operand) {
    if (operand.kind == Kind::sink) return spare_predicate_;
    if (operand.kind != Kind::reg || operand.reg.kind != RegisterKind::predicate) unknown();
    flow().writes.push_back(number(operand.reg));
    return row_of(operand.reg);
}

uint32_t KernelDecoder::predicate_source(const ptx::Operand& operand, uint32_t& flip) {
    if (operand.kind == Kind::immediate) {  // 0 or not: a row of which all lanes are alike
        flip = 0;
        return constant(operand.value != 0 ? kAllLanes : 0, false);
    }
    if (operand.kind != Kind::reg || operand.reg.kind != RegisterKind::predicate) unknown();
    flip = operand.negated ? kAllLanes : 0;
    return source_register(operand.reg);
}

uint32_t KernelDecoder::source_register(const ptx::Register& reg) {
    flow().reads.push_back(number(reg));
    return row_of(reg);
}

uint32_t KernelDecoder::constant(uint64_t value, bool wide) {
    if (!wide) value = static_cast<uint32_t>(value);
    auto [it, is_new] = constant_rows_.try_emplace({value, wide}, 0);
    if (is_new) {
        it->second = take(wide ? kWideRow : kWordRow);
        result_.constants.push_back({it->second, wide, value});
    }
    return it->second;
}

uint32_t KernelDecoder::special(const std::string& name, bool wide) {
    const SpecialRegister* reg = find_special_register(name);
    if (!reg && name.starts_with("%envreg"))
        refuse("the kernel asks the driver for what is not known here");
    if (!reg) unknown();
    for (const auto& present : result_.specials)
        if (present.reg == reg && present.wide == wide) return present.row;
    result_.specials.push_back({take(wide ? kWideRow : kWordRow), wide, reg});
    return result_.specials.back().row;
}

void KernelDecoder::address(const ptx::Operand& operand, std::string_view space) {
    if (operand.kind != Kind::address) unknown();
    op_.immediate = operand.value;
    op_.has_base = operand.has_base;
    if (operand.has_base) {
        op_.wide_base = operand.reg.kind == RegisterKind::wide;
        op_.a = source_register(operand.reg);
    } else if (!operand.name.empty()) {
        bool matches = (operand.space == ptx::SymbolSpace::shared && space == "shared") ||
                       (operand.space == ptx::SymbolSpace::local && space == "local") ||
                       (operand.space == ptx::SymbolSpace::module &&
                        (space == "global" || space == "const" || space == ""));
        if (!matches) unknown();
    }
}

bool KernelDecoder::elements(const ptx::Operand& operand, bool read) {
    std::vector<ptx::Operand> list = {operand};
    if (operand.kind == Kind::vector) list = operand.elements;
    if (list.size() != op_.elements) unknown();
    bool wide = op_.bytes == 8;
    for (const ptx::Operand& element : list)
        if (element.kind == Kind::reg) wide = element.reg.kind == RegisterKind::wide;
    for (size_t i = 0; i < list.size(); ++i)
        op_.vector[i] = read ? source(list[i], wide) : destination(list[i], wide);
    return wide;
}

uint32_t KernelDecoder::row_of(const ptx::Register& reg) const {
    switch (reg.kind) {
        case RegisterKind::predicate:
            return predicates_ + reg.index * kPredicateRow;
        case RegisterKind::word:
            return words_ + reg.index * kWordRow;
        default:
            return wides_ + reg.index * kWideRow;
    }
}

// One numbering for all kinds, for control_flow().
uint32_t KernelDecoder::number(const ptx::Register& reg) const {
    switch (reg.kind) {
        case RegisterKind::predicate:
            return reg.index;
        case RegisterKind::word:
            return kernel_.predicates + reg.index;
        default:
            return kernel_.predicates + kernel_.words + reg.index;
    }
}

uint32_t KernelDecoder::take(uint32_t bytes) {
    uint32_t row = next_row_;
    next_row_ += bytes;
    return row;
}

void KernelDecoder::add_control_flow() {
    uint32_t registers = kernel_.predicates + kernel_.words + kernel_.wides;
    ControlFlow control = control_flow(flow_, registers);
    for (size_t i = 0; i < flow_.size(); ++i) result_.ops[i].meeting.reconverge = control.reconverge[i];
    for (const ControlFlow::Tail& tail : control.tails)
        result_.ops[tail.begin].meeting.gathers_before = tail.meet;
    for (size_t i = control.exits.size(); i-- > 0;)
        result_.ops[control.exits[i].branch].meeting.first_exit = static_cast<uint32_t>(i);
    result_.exits = std::move(control.exits);
    mark_straight();
    result_.loop_of = std::move(control.loop_of);
    result_.loop_parents = std::move(control.loop_parents);
    for (uint32_t r : control.live_at_entry) {
        if (r < kernel_.predicates)
            result_.zeroed.push_back({predicates_ + r * kPredicateRow, kPredicateRow});
        else if ((r -= kernel_.predicates) < kernel_.words)
            result_.zeroed.push_back({words_ + r * kWordRow, kWordRow});
        else
            result_.zeroed.push_back({wides_ + (r - kernel_.words) * kWideRow, kWideRow});
    }
}

// Sets Op::straight. Lanes meet where a branch leads, where its paths meet, and at tails.
void KernelDecoder::mark_straight() {
    std::vector<Op>& ops = result_.ops;
    std::vector<bool> meets(ops.size() + 1, false);
    auto mark = [&](uint32_t at) { meets[std::min<size_t>(at, ops.size())] = true; };
    for (uint32_t i = 0; i < ops.size(); ++i) {
        if (ops[i].meeting.gathers_before != kGathersNobody) mark(i);
        if (ops[i].flow != Flow::branch && ops[i].flow != Flow::branch_indexed) continue;
        mark(ops[i].meeting.reconverge);
        if (ops[i].flow == Flow::branch) mark(ops[i].target);
    }
    for (uint32_t target : result_.targets) mark(target);
    for (const ControlFlow::Exit& exit : result_.exits) mark(exit.target), mark(exit.meet);
    for (size_t i = ops.size(); i-- > 0;) {
        if (ops[i].flow != Flow::plain) continue;
        ops[i].straight = meets[i + 1] ? 1 : 1 + ops[i + 1].straight;
    }
}

void KernelDecoder::unknown() const {
    refuse("the kernel compiles to an instruction that cannot be interpreted");
}

void KernelDecoder::refuse(const std::string& reason) const {
    const ptx::Position& at = now_->position;
    std::string where;
    if (at.line > 0 && static_cast<size_t>(at.file) < kernel_.files.size())
        where = kernel_.files[static_cast<size_t>(at.file)] + ":" + std::to_string(at.line) + ": ";
    throw Error(Status::bad_input, where + reason + ": " + now_->text + " (PTX line " +
                                       std::to_string(now_->ptx_line) + ")");
}

}  // namespace lanewise
