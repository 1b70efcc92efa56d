#include "course/gate_cases.h"

#include <algorithm>

#include "course/query.h"

namespace lanewise {

static GateCase case_at(const Stage& stage, const Operation::Size& size) {
    GateCase one;
    one.offered = false;
    one.at.rows = is_in_place(stage) ? std::min(size.rows, size.cols) : size.rows;
    one.at.cols = is_in_place(stage) ? one.at.rows : size.cols;
    one.at.inner = size.inner;
    return one;
}

bool is_of_shape(const Gate& gate, const Stage& stage, const Operation::Size& size) {
    if (gate.shapes.empty()) return true;
    return evaluate(gate.shapes, counts_lookup({}, {}, size.rows, size.cols, 0,
                                               inner_for(stage, size.inner))) != 0;
}

std::vector<GateCase> hidden_cases(const Gate& gate, const Stage& stage) {
    std::vector<GateCase> cases;
    if (is_library_call(stage)) return cases;
    auto add = [&](const GateCase& one) {
        if (!one.offered && !is_of_shape(gate, stage, {one.at.rows, one.at.cols, one.at.inner}))
            return;
        if (std::find(cases.begin(), cases.end(), one) == cases.end()) cases.push_back(one);
    };
    const Operation& operation = operation_of(stage);
    for (const Operation::Size& size : operation.sizes.judged_at) {
        GateCase one = case_at(stage, size);
        one.expect = gate.expect;
        add(one);
    }
    for (const Operation::Size& size : operation.sizes.awkward) add(case_at(stage, size));
    // One odd size does for these: what they could break, they break there.
    const Operation::Size& odd = operation.sizes.awkward.at(1);
    for (size_t i = 0; stage.types.size() > 1 && i < stage.types.size(); ++i) {
        GateCase one = case_at(stage, odd);
        one.at.type = stage.types[i];
        add(one);
    }
    if (operation.takes_batch && takes_batch(stage)) {
        GateCase one = case_at(stage, odd);
        one.batch = 2;
        add(one);
    }
    for (const GateCase& one : gate.cases) add(one);
    return cases;
}

}  // namespace lanewise
