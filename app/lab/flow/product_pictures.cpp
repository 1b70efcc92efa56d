#include "lab/flow/product_pictures.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "lab/machine/prepared.h"

namespace lanewise {

namespace {

constexpr int64_t kMostWork = int64_t{1} << 26;  // multiplications: a second or so of the machine
constexpr int64_t kMostSide = 2000;              // fragment_map()
constexpr int64_t kMostHalves = 4 * 65'535;      // of A and B: as many runs as four

constexpr int64_t kEdge = 128;  // the largest tile whose edges stay as they are

bool can_be_pictured(const Job& job) {
    int64_t elements = job.inner * (job.rows + job.cols);
    return std::max({job.rows, job.cols, job.inner}) <= kMostSide &&
           job.rows * job.cols * std::max<int64_t>(job.inner, 1) <= kMostWork &&
           (job.type != "f16" || elements <= kMostHalves);
}

int64_t cut(int64_t side) {
    if (side <= 2 * kEdge) return side;
    return side % kEdge == 0 ? 2 * kEdge : kEdge + side % kEdge;
}

// Nothing where the warp makes no such product.
std::optional<FragmentMap> fragments_at(const ProbedLaunch& launch, ProductPlace& place) {
    for (uint64_t product : {place.product, uint64_t{0}}) {
        try {
            place.product = product;
            return fragment_map(launch, place.block, place.warp, product);
        } catch (const Error&) {  // none of that number, or no tensor cores
        }
    }
    return std::nullopt;
}

std::string name_of_instruction(const ptx::Instruction& instruction) {
    std::string name;
    for (const std::string& part : instruction.parts) name += (name.empty() ? "" : ".") + part;
    return name;
}

}  // namespace

ProductSize pictured_size(const Job& job) {
    bool whole = can_be_pictured(job);
    auto side = [&](int64_t n) { return static_cast<int>(whole ? n : cut(n)); };
    return {side(job.rows), side(job.cols), side(job.inner)};
}

std::string reuse_caption(const ProductPictures& pictures) {
    const ProductSize& size = pictures.size;
    std::string caption =
        fmt::format("M = {}, N = {}, K = {}, the whole launch.", size.M, size.N, size.K);
    if (pictures.fragments && !pictures.fragments->group.empty())
        caption += " One fetch from shared memory is one wgmma of four warps that reads it there.";
    return caption;
}

ProductPictures product_pictures(const Job& given, ProductPlace place, bool with_reuse) {
    Job job = given;
    validate(job);
    ProductPictures result;
    result.stage = job.stage.id;
    result.size = pictured_size(job);
    job.rows = result.size.M;
    job.cols = result.size.N;
    job.inner = result.size.K;
    Preparation preparation = prepare(job);
    const PreparedKernel& prepared = *preparation.kernel;
    StageLaunch stage(job, prepared.kernel);
    LaunchShape shape =
        launch_shape(job.stage, job.knobs, job.type, job.rows, job.cols, 1, job.inner);
    ProbedLaunch launch{*prepared.machine, shape,
                        result.size,       static_cast<uint32_t>(element_bytes(job.type)),
                        stage.memory,      stage.arguments()};
    auto last = [](uint64_t count) { return static_cast<uint32_t>(count - 1); };
    place.block = std::min(place.block, last(shape.grid.count()));
    place.warp = std::min(place.warp, last((shape.block.count() + 31) / 32));
    if (with_reuse) result.reuse = reuse_maps(launch);
    result.walk = tile_walk(launch, place.block);
    result.fragments = fragments_at(launch, place);
    if (!result.fragments) result.multiplying = warps_that_multiply(launch, place.block);
    if (result.fragments)
        result.instruction = name_of_instruction(prepared.kernel.instructions[result.fragments->instruction]);
    result.place = place;
    return result;
}

}  // namespace lanewise
