// Decodes set, and setp where the vectorised table has no row.
#include "sim/decode/decoder.h"
#include "sim/operation/rare_operations.h"
#include "sim/warp/modes.h"

namespace lanewise {

namespace {

constexpr struct {
    std::string_view name;
    Combination combination;
} kCombinations[] = {
    {"and", Combination::both}, {"or", Combination::either}, {"xor", Combination::differ}};

// What a comparison's modifiers say: the outcomes and the combination, into the op; types, in
// order.
std::vector<const TypeName*> modifiers(KernelDecoder& d) {
    std::vector<const TypeName*> types;
    Modes modes;
    Op& op = d.op();
    op.elements = 0;
    for (size_t i = 1; i < d.now().parts.size(); ++i) {
        std::string_view part = d.now().parts[i];
        const TypeName* type = find_type(part);
        bool known = type || add_mode(part, modes);
        if (type) types.push_back(type);
        if (uint8_t outcomes = accepted_outcomes(part); outcomes != 0) {
            op.bytes = outcomes;
            known = true;
        }
        for (const auto& row : kCombinations)
            if (part == row.name) {
                op.elements = static_cast<uint8_t>(row.combination);
                known = true;
            }
        if (!known) d.unknown();
    }
    op.immediate = packed(modes);
    size_t operands = op.elements != 0 ? 4 : 3;
    if (op.bytes == 0 || d.operands() != operands) d.unknown();
    if (op.elements != 0) op.c = d.predicate_source(d.operand(3), op.c_flip);
    return types;
}

void compared(KernelDecoder& d, const TypeName& source) {
    d.op().a = d.source(d.operand(1), source.bytes == 8);
    d.op().b = d.source(d.operand(2), source.bytes == 8);
    if (!d.op().execute) d.unknown();
}

}  // namespace

// setp.lt[.and][.ftz].type d[|q], a, b [, [!]c]
void decode_setp(KernelDecoder& d) {
    auto types = modifiers(d);
    if (types.size() != 1) d.unknown();
    const ptx::Operand& to = d.operand(0);
    bool pair = to.kind == ptx::Operand::Kind::pair;
    d.op().d = d.predicate_destination(pair ? to.elements[0] : to);
    if (pair) d.op().d2 = d.predicate_destination(to.elements[1]);
    d.op().execute = predicate_comparison(types[0]->type);
    compared(d, *types[0]);
}

// set.lt[.and][.ftz].dtype.stype d, a, b [, [!]c]
void decode_set(KernelDecoder& d) {
    auto types = modifiers(d);
    if (types.size() != 2) d.unknown();
    d.op().d = d.destination(d.operand(0), false);
    d.op().targets = static_cast<uint32_t>(types[0]->type);
    d.op().execute = number_comparison(types[0]->type, types[1]->type);
    compared(d, *types[1]);
}

}  // namespace lanewise
