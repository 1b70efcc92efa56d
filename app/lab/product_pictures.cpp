#include "lab/product_pictures.h"

#include "base/error.h"
#include "lab/prepared.h"

namespace lanewise {

ProductPictures product_pictures(const Job& job) {
    ProductPictures result;
    result.size = {static_cast<int>(job.rows), static_cast<int>(job.cols),
                   static_cast<int>(job.inner)};
    Preparation preparation = prepare(job);
    const Machine& machine = *preparation.kernel->machine;
    LaunchShape shape =
        launch_shape(job.stage, job.knobs, job.type, job.rows, job.cols, 1, job.inner);
    auto bytes = static_cast<uint32_t>(element_bytes(job.type));
    try {
        result.reuse = reuse_maps(machine, shape, result.size, bytes);
    } catch (const Error&) {  // too many elements for halves
    }
    try {
        result.fragments = fragment_map(machine, shape, result.size, bytes, 0, 0, 0);
    } catch (const Error&) {  // no tensor cores
    }
    return result;
}

}  // namespace lanewise
