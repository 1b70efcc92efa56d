#include "lab/access_index.h"

namespace lanewise {
namespace {

ThreadPlace place_of(const Job& job, const Picture& picture, uint32_t thread) {
    ThreadPlace place{picture.launch.grid, picture.launch.block, picture.block.block, thread, {}};
    for (const auto& [name, value] : default_knobs(job.stage)) place.names[name] = value;
    for (const auto& [name, value] : picture.knobs) place.names[name] = value;
    place.names["sizeof(T)"] = picture.element_bytes;
    place.names["rows"] = picture.rows;
    place.names["cols"] = picture.cols;
    place.names["batch"] = picture.batch;
    if (is_product(job.stage)) {
        place.names["M"] = picture.rows;
        place.names["N"] = picture.cols;
        place.names["K"] = job.inner;
    }
    if (is_in_place(job.stage)) place.names["side"] = picture.rows;
    return place;
}

}  // namespace

std::optional<IndexAnswer> index_of_lane(const Job& job, const Picture& picture, int access,
                                         int lane) {
    if (job.own.is_used() || access < 0 || lane < 0 || lane > 31 ||
        access >= static_cast<int>(picture.block.accesses.size()))
        return std::nullopt;
    const TracedAccess& traced = picture.block.accesses[static_cast<size_t>(access)];
    if (!(traced.mask >> lane & 1)) return std::nullopt;
    const InstructionReport& instruction = picture.report.instructions[traced.instruction];
    bool shared = instruction.space == Space::shared;
    IndexQuestion question;
    question.source = &job.stage.source;
    question.kernel = job.stage.kernel;
    if (shared)
        question.array = job.stage.tile.array;
    else if (traced.buffer >= 0)
        question.array = picture.block.buffers[static_cast<size_t>(traced.buffer)].name;
    question.line = instruction.line;
    question.at = place_of(job, picture, traced.warp * 32 + static_cast<uint32_t>(lane));
    question.offset = traced.addresses[static_cast<size_t>(lane)];
    question.element_bytes = picture.element_bytes;
    question.is_store = instruction.is_store;
    return substituted_index(question);
}

}  // namespace lanewise
