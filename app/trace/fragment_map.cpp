#include "trace/fragment_map.h"

#include "sim/product.h"

namespace lanewise {

void FragmentReader::on_product(const ProductEvent& event) {
    if (event.warp != warp_ || seen_++ != product_) return;
    instruction_ = event.instruction;
    for (size_t f = 0; f < event.operands.size(); ++f) {
        const ProductOperand& operand = event.operands[f];
        Numbers& fragment = fragments_[f];
        fragment = {operand.registers, operand.per_register(), {}};
        fragment.numbers.assign(operand.shared.begin(), operand.shared.end());
        for (int lane = 0; lane < 32; ++lane)
            for (int r = 0; r < operand.registers; ++r)
                for (int i = 0; i < operand.per_register(); ++i)
                    fragment.numbers.push_back(element_of(event, operand, lane, r, i));
    }
}

HeldFragment held_fragment(const FragmentReader::Numbers& rows,
                           const FragmentReader::Numbers& cols) {
    HeldFragment fragment{rows.registers, rows.per_register, {}};
    for (size_t i = 0; i < rows.numbers.size() && i < cols.numbers.size(); ++i) {
        HeldElement element{static_cast<int>(rows.numbers[i]) - 1,
                            static_cast<int>(cols.numbers[i]) - 1};
        fragment.held.push_back(element.row < 0 || element.col < 0 ? HeldElement{} : element);
    }
    return fragment;
}

}  // namespace lanewise
