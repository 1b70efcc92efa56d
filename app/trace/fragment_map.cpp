#include "trace/fragment_map.h"

#include "sim/product.h"
#include "sim/wgmma.h"

namespace lanewise {

namespace {

void take_places(const ProductOperand& operand, FragmentReader::Numbers& fragment) {
    if (!operand.place) return;
    fragment.swizzle = operand.place->swizzle;
    for (size_t i = 0; i < operand.shared.size(); ++i) {
        int line = static_cast<int>(i) / HeldFragment::kDepth,
            depth = static_cast<int>(i) % HeldFragment::kDepth;
        fragment.addresses.push_back(
            static_cast<uint32_t>(operand.place->address(operand.first_line + line, depth)));
    }
}

}  // namespace

void FragmentReader::on_product(const ProductEvent& event) {
    if (event.warp != warp_ || seen_++ != product_) return;
    instruction_ = event.instruction;
    for (size_t f = 0; f < event.operands.size(); ++f) {
        const ProductOperand& operand = event.operands[f];
        Numbers& fragment = fragments_[f];
        fragment = {operand.registers, operand.per_register(), {}};
        fragment.numbers.assign(operand.shared.begin(), operand.shared.end());
        take_places(operand, fragment);
        for (int lane = 0; lane < 32; ++lane)
            for (int r = 0; r < operand.registers; ++r)
                for (int i = 0; i < operand.per_register(); ++i)
                    fragment.numbers.push_back(element_of(event, operand, lane, r, i));
    }
}

HeldFragment held_fragment(const FragmentReader::Numbers& rows,
                           const FragmentReader::Numbers& cols) {
    HeldFragment fragment{rows.registers, rows.per_register, {}, rows.addresses, rows.swizzle};
    for (size_t i = 0; i < rows.numbers.size() && i < cols.numbers.size(); ++i) {
        HeldElement element{static_cast<int>(rows.numbers[i]) - 1,
                            static_cast<int>(cols.numbers[i]) - 1};
        fragment.held.push_back(element.row < 0 || element.col < 0 ? HeldElement{} : element);
    }
    return fragment;
}

}  // namespace lanewise
