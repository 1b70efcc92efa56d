#include "lab/stage_tensors.h"

#include <algorithm>
#include <iterator>

#include "course/expression.h"

namespace lanewise {

static Swizzle swizzle_named(const std::string& name) {
    static const std::string kNames[] = {"none", "32B", "64B", "128B"};
    return static_cast<Swizzle>(std::find(std::begin(kNames), std::end(kNames), name) -
                                std::begin(kNames));
}

std::vector<std::optional<TensorMap>> stage_tensors(const Job& job, uint64_t in, uint64_t out) {
    NameLookup names = knob_names(job.knobs, job.type);
    std::vector<std::optional<TensorMap>> maps;
    for (const Stage::Tensor& tensor : job.stage.tensors) {
        bool turned = tensor.of == "out" && job.stage.reference == "transpose";
        auto rows = static_cast<uint64_t>(turned ? job.cols : job.rows);
        auto cols = static_cast<uint64_t>(turned ? job.rows : job.cols);
        TensorMap map;
        map.address = tensor.of == "out" ? out : in;
        map.element_bytes = static_cast<uint32_t>(element_bytes(job.type));
        map.dimensions = 3;
        map.sizes = {cols, rows, static_cast<uint64_t>(job.batch)};
        uint64_t row_bytes = cols * map.element_bytes;
        map.strides = {row_bytes, row_bytes * rows};
        map.box = {static_cast<uint32_t>(evaluate(tensor.box_cols, names)),
                   static_cast<uint32_t>(evaluate(tensor.box_rows, names)), 1};
        map.swizzle = swizzle_named(tensor.swizzle);
        maps.emplace_back();
        if (row_bytes % 16 == 0) maps.back() = map;
    }
    return maps;
}

}  // namespace lanewise
