#include "lab/machine/stage_tensors.h"

#include <algorithm>
#include <iterator>

#include "course/expression.h"
#include "lab/job/operation_code.h"

namespace lanewise {

namespace {

Swizzle swizzle_named(const std::string& name) {
    static const std::string kNames[] = {"none", "32B", "64B", "128B"};
    return static_cast<Swizzle>(std::find(std::begin(kNames), std::end(kNames), name) -
                                std::begin(kNames));
}

TensorMap map_of(const KernelBuffer& buffer, const Job& job, const Stage::Tensor& tensor) {
    NameLookup names = knob_names(job.knobs, job.type);
    auto rows = static_cast<uint64_t>(buffer.rows), cols = static_cast<uint64_t>(buffer.cols);
    TensorMap map;
    map.element_bytes = static_cast<uint32_t>(element_bytes(buffer.type));
    uint64_t row_bytes = cols * map.element_bytes;
    map.dimensions = 2;
    map.sizes = {cols, rows};
    map.strides = {row_bytes};
    map.box = {static_cast<uint32_t>(evaluate(tensor.box_cols, names)),
               static_cast<uint32_t>(evaluate(tensor.box_rows, names))};
    map.swizzle = swizzle_named(tensor.swizzle);
    if (!operation_of(job.stage).takes_batch) return map;
    map.dimensions = 3;
    map.sizes[2] = static_cast<uint64_t>(job.batch);
    map.strides[1] = row_bytes * rows;
    map.box[2] = 1;
    return map;
}

}  // namespace

std::vector<StageTensor> stage_tensors(const Job& job, const std::vector<uint64_t>& addresses) {
    std::vector<KernelBuffer> buffers = code_of(job.stage).buffers(job);
    std::vector<StageTensor> maps;
    for (const Stage::Tensor& tensor : job.stage.tensors) {
        auto of = std::find_if(buffers.begin(), buffers.end(),
                               [&](const KernelBuffer& each) { return each.name == tensor.of; });
        const KernelBuffer& buffer = *of;  // read_head() has let no other name pass
        TensorMap map = map_of(buffer, job, tensor);
        maps.push_back({buffer.type, std::nullopt});
        if (map.sizes[0] == 0 || map.sizes[1] == 0 || map.strides[0] % 16 != 0) continue;
        map.address = addresses[static_cast<size_t>(of - buffers.begin())];
        maps.back().map = map;
    }
    return maps;
}

}  // namespace lanewise
