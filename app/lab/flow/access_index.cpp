#include "lab/flow/access_index.h"

#include <algorithm>

#include "base/error.h"
#include "lab/job/operation_code.h"
#include "lab/kernel/kernel_arguments.h"
#include "lab/kernel/kernel_list.h"
#include "lab/kernel/source_names.h"

namespace lanewise {
namespace {

// The picture's, which may be of another size than the job.
Job setting_of(const Job& job, const Picture& picture) {
    Job setting = job;
    setting.knobs = picture.knobs;
    setting.type = picture.type;
    setting.rows = picture.rows;
    setting.cols = picture.cols;
    setting.batch = picture.batch;
    return setting;
}

SourceNames names_of_stage(const Job& job, const Picture& picture) {
    SourceNames names;
    for (const auto& [name, value] : default_knobs(job.stage)) names[name] = value;
    for (const auto& [name, value] : picture.knobs) names[name] = value;
    names["sizeof(T)"] = picture.element_bytes;
    names["batch"] = picture.batch;
    for (const Scalar& scalar : code_of(job.stage).scalars(setting_of(job, picture)))
        names[scalar.name] = scalar.value;
    return names;
}

// The elements of the buffer that a parameter points to.
int bytes_in_buffer(const Job& job, const Picture& picture, const std::string& name) {
    if (!job.own.is_used()) {
        for (const KernelBuffer& buffer : code_of(job.stage).buffers(setting_of(job, picture)))
            if (buffer.name == name) return element_bytes(buffer.type);
        return picture.element_bytes;
    }
    for (const KernelInSource& kernel : kernels_in_source(job.stage.source)) {
        if (kernel.name != base_name(job.own.kernel)) continue;
        for (size_t i = 0; i < std::min(kernel.parameters.size(), job.own.arguments.size()); ++i) {
            try {
                KernelArgument argument = parse_argument(job.own.arguments[i]);
                for (const ArgumentPart& part :
                     parts_in_source(argument, job.stage.source, kernel.parameters[i]))
                    if (part.name == name) return part.argument->element_bytes;
            } catch (const Error&) {
                return 0;
            }
        }
    }
    return 0;
}

// Each shared array in turn, where it would lie if those before it lay before it in memory. That
// is a guess which the answer proves: the index has to come to the byte that the machine saw.
std::optional<IndexAnswer> in_shared_memory(IndexQuestion question) {
    const uint64_t seen = question.offset;
    uint64_t begin = 0;
    for (const SharedArray& array : shared_arrays(*question.source, question.kernel)) {
        int bytes = bytes_of_type(array.type, question.at.names);
        uint64_t size = bytes > 0 ? static_cast<uint64_t>(bytes) : 0;
        for (const std::string& extent : array.extents)
            size *= static_cast<uint64_t>(
                std::max<int64_t>(c_value(extent, question.at.names).value_or(0), 0));
        if (bytes > 0 && seen >= begin && (size == 0 || seen < begin + size)) {
            question.array = array.name;
            question.element_bytes = bytes;
            question.offset = seen - begin;
            if (auto answer = substituted_index(question)) return answer;
        }
        begin += size;
    }
    return std::nullopt;
}

}  // namespace

std::optional<IndexAnswer> index_of_lane(const Job& job, const Picture& picture, int access,
                                         int lane) {
    if (access < 0 || lane < 0 || lane > 31 ||
        access >= static_cast<int>(picture.block.accesses.size()))
        return std::nullopt;
    const TracedAccess& traced = picture.block.accesses[static_cast<size_t>(access)];
    if (!(traced.mask >> lane & 1)) return std::nullopt;
    const InstructionReport& instruction = picture.report.instructions[traced.instruction];
    IndexQuestion question;
    question.source = &job.stage.source;
    question.kernel = job.own.is_used() ? base_name(job.own.kernel) : job.stage.kernel;
    question.line = instruction.line;
    question.at = {picture.launch.grid, picture.launch.block, picture.block.block,
                   traced.warp * 32 + static_cast<uint32_t>(lane),
                   job.own.is_used() ? names_of_own(job) : names_of_stage(job, picture)};
    question.offset = traced.addresses[static_cast<size_t>(lane)];
    question.is_store = instruction.is_store;
    if (instruction.space == Space::shared) return in_shared_memory(question);
    if (traced.buffer < 0) return std::nullopt;
    question.array = picture.block.buffers[static_cast<size_t>(traced.buffer)].name;
    question.element_bytes = bytes_in_buffer(job, picture, question.array);
    return question.element_bytes > 0 ? substituted_index(question) : std::nullopt;
}

}  // namespace lanewise
