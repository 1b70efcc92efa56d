#include "lab/product_pictures.h"

#include "base/error.h"
#include "lab/prepared.h"
#include "lab/stage_tensors.h"

namespace lanewise {

// The maps of the stage's head, behind A, B, C, M, N and K.
static ProbeMaps maps_of(const Job& job, const ptx::Kernel& kernel) {
    constexpr size_t kOthers = 6;
    ProbeMaps maps;
    maps.made = [&job](const std::vector<uint64_t>& buffers) {
        std::vector<TensorMapBytes> made;
        for (const StageTensor& tensor : stage_tensors(job, buffers))
            made.push_back(tensor.map ? encoded(*tensor.map) : TensorMapBytes{});
        return made;
    };
    for (size_t i = kOthers; i < kernel.parameters.size(); ++i)
        maps.offsets.push_back(kernel.parameters[i].offset);
    return maps;
}

ProductPictures product_pictures(const Job& job) {
    ProductPictures result;
    result.size = {static_cast<int>(job.rows), static_cast<int>(job.cols),
                   static_cast<int>(job.inner)};
    Preparation preparation = prepare(job);
    const Machine& machine = *preparation.kernel->machine;
    LaunchShape shape =
        launch_shape(job.stage, job.knobs, job.type, job.rows, job.cols, 1, job.inner);
    ProbeMaps maps = maps_of(job, preparation.kernel->kernel);
    auto bytes = static_cast<uint32_t>(element_bytes(job.type));
    try {
        result.reuse = reuse_maps(machine, shape, result.size, bytes, maps);
    } catch (const Error&) {  // too many elements for halves
    }
    try {
        result.fragments = fragment_map(machine, shape, result.size, bytes, 0, 0, 0, maps);
    } catch (const Error&) {  // no tensor cores
    }
    return result;
}

}  // namespace lanewise
