#include "trace/product/fragment_map.h"

#include "sim/async/wgmma.h"
#include "sim/matrix/product.h"

namespace lanewise {

namespace {

// What lies in shared memory, line by line; B comes by depth, then by column.
void take_shared(const ProductOperand& operand, FragmentReader::Numbers& fragment) {
    if (!operand.place) return;
    fragment.swizzle = operand.place->swizzle;
    int lines = static_cast<int>(operand.shared.size()) / HeldFragment::kDepth;
    for (int line = 0; line < lines; ++line)
        for (int depth = 0; depth < HeldFragment::kDepth; ++depth) {
            int at =
                operand.matrix == 'b' ? depth * lines + line : line * HeldFragment::kDepth + depth;
            fragment.numbers.push_back(operand.shared[static_cast<size_t>(at)]);
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
        take_shared(operand, fragment);
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
