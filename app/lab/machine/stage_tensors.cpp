#include "lab/machine/stage_tensors.h"

#include <algorithm>
#include <iterator>

#include "course/expression.h"
#include "lab/product/product.h"

namespace lanewise {

namespace {

Swizzle swizzle_named(const std::string& name) {
    static const std::string kNames[] = {"none", "32B", "64B", "128B"};
    return static_cast<Swizzle>(std::find(std::begin(kNames), std::end(kNames), name) -
                                std::begin(kNames));
}

struct Operand {
    size_t buffer = 0;  // its place among the stage's
    int64_t rows = 0, cols = 0;
    std::string type;
};

Operand operand_called(const std::string& name, const Job& job) {
    if (name == "A") return {0, job.rows, job.inner, job.type};
    if (name == "B") return {1, job.inner, job.cols, job.type};
    if (name == "C") return {2, job.rows, job.cols, "f32"};
    bool turned = name == "out" && job.stage.reference == "transpose";
    size_t buffer = name == "out" ? 1 : 0;
    return turned ? Operand{buffer, job.cols, job.rows, job.type}
                  : Operand{buffer, job.rows, job.cols, job.type};
}

TensorMap map_of(const Operand& operand, const Job& job, const Stage::Tensor& tensor) {
    NameLookup names = knob_names(job.knobs, job.type);
    auto rows = static_cast<uint64_t>(operand.rows), cols = static_cast<uint64_t>(operand.cols);
    TensorMap map;
    map.element_bytes = static_cast<uint32_t>(element_bytes(operand.type));
    uint64_t row_bytes = cols * map.element_bytes;
    map.dimensions = 2;
    map.sizes = {cols, rows};
    map.strides = {row_bytes};
    map.box = {static_cast<uint32_t>(evaluate(tensor.box_cols, names)),
               static_cast<uint32_t>(evaluate(tensor.box_rows, names))};
    map.swizzle = swizzle_named(tensor.swizzle);
    if (is_product(job.stage)) return map;
    map.dimensions = 3;
    map.sizes[2] = static_cast<uint64_t>(job.batch);
    map.strides[1] = row_bytes * rows;
    map.box[2] = 1;
    return map;
}

}  // namespace

std::vector<StageTensor> stage_tensors(const Job& job, const std::vector<uint64_t>& buffers) {
    std::vector<StageTensor> maps;
    for (const Stage::Tensor& tensor : job.stage.tensors) {
        Operand operand = operand_called(tensor.of, job);
        TensorMap map = map_of(operand, job, tensor);
        maps.push_back({operand.type, std::nullopt});
        if (map.sizes[0] == 0 || map.sizes[1] == 0 || map.strides[0] % 16 != 0) continue;
        map.address = buffers[operand.buffer];
        maps.back().map = map;
    }
    return maps;
}

}  // namespace lanewise
