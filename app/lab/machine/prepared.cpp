#include "lab/machine/prepared.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <list>
#include <mutex>
#include <optional>

#include "base/error.h"
#include "base/hash.h"
#include "base/text.h"
#include "base/threads.h"
#include "compile/host_code.h"
#include "compile/program_store.h"
#include "lab/job/devices.h"
#include "lab/job/needs.h"
#include "lab/job/operation_code.h"
#include "lab/kernel/cluster_option.h"
#include "lab/kernel/own_kernel.h"
#include "lab/kernel/ptx_file.h"
#include "lab/machine/calls_apart.h"
#include "lab/machine/cooperative.h"
#include "lab/machine/load_groups.h"
#include "lab/machine/stage_tensors.h"
#include "lab/machine/sunk_loads.h"
#include "ptx/callers.h"
#include "ptx/parser.h"

namespace lanewise {

namespace fs = std::filesystem;

namespace {

// The largest kernels that people write have a tenth of this.
constexpr size_t kMostPtxBytes = 8u << 20;
// What is kept from job to job: 64 small kernels, or eight of the products that are unrolled most.
// Who comes back to one that was let go waits until its PTX is read again, 5 ms for 100 kB;
// compiled it still is (compiler.h).
constexpr size_t kKept = 64, kKeptBytes = 48u << 20;
constexpr size_t kBytesPerPtxByte = 32;  // parsed and decoded; of all stages 16 to 37

struct Key {
    uint64_t source_hash;
    CompileOptions options;
    std::optional<CompilerKind> chosen;
    bool operator==(const Key&) const = default;
};

size_t estimated_bytes(const PreparedKernel& kernel) {
    return kernel.program.ptx.size() * kBytesPerPtxByte + kernel.program.cubin.size();
}

struct KeptKernel {
    Key key;
    std::shared_ptr<const PreparedKernel> kernel;
    std::optional<double> untold_ms;  // how long it took, where no job has heard of it
};

// The most recently used first; that one stays whatever its size.
struct Kept {
    std::mutex mutex;
    std::list<KeptKernel> kernels;
    size_t bytes = 0;

    // Null where it is not kept. `tells`: whether a job hears how long it took.
    Preparation find(const Key& key, bool tells) {
        std::lock_guard lock(mutex);
        for (auto it = kernels.begin(); it != kernels.end(); ++it) {
            if (!(it->key == key)) continue;
            kernels.splice(kernels.begin(), kernels, it);
            Preparation found{it->kernel, !it->untold_ms, it->untold_ms.value_or(0)};
            if (tells) it->untold_ms.reset();
            return found;
        }
        return {};
    }
    void add(const Key& key, std::shared_ptr<const PreparedKernel> kernel,
             std::optional<double> untold_ms) {
        std::lock_guard lock(mutex);
        bytes += estimated_bytes(*kernel);
        kernels.push_front({key, std::move(kernel), untold_ms});
        while (kernels.size() > kKept || (bytes > kKeptBytes && kernels.size() > 1)) {
            bytes -= estimated_bytes(*kernels.back().kernel);
            kernels.pop_back();
        }
    }
};

// Whether it lay in a toolkit where a shipped program was compiled, as in
// /usr/local/cuda-13.0/targets/x86_64-linux/include/cub.
bool lay_in_a_toolkit(const fs::path& file) {
    bool toolkit = false;
    for (const fs::path& part : file) {
        if (toolkit && part == "include") return true;
        toolkit |= part.string().starts_with("cuda-");
    }
    return false;
}

// Whether it lies in the toolkit's include folder: nobody looks for a line of their own there.
bool is_toolkit_header(const std::string& file) {
    static const std::string folder = compiler_status().include_folder;
    if (fs::path(file).filename().string().starts_with("__nv_nvrtc_")) return true;  // NVRTC's own
    if (lay_in_a_toolkit(file)) return true;
    std::error_code ignored;
    return !folder.empty() &&
           fs::weakly_canonical(file, ignored)
               .string()
               .starts_with((fs::weakly_canonical(folder, ignored) / "").string());
}

// Where there is no cubin, what the PTX says by itself.
KernelResources resources_of(const Program& program, const ptx::Kernel& kernel) {
    KernelResources resources = kernel_resources(program.cubin, program.entry);
    if (program.cubin.empty())
        resources.static_shared_bytes = static_cast<int>(kernel.shared_bytes);
    return resources;
}

ptx::Kernel kernel_of(const Job& job, const Program& program) {
    if (!job.own.ptx.empty()) return ptx_kernel(job, program);
    ptx::Kernel kernel = ptx::parse(program.ptx, program.entry);
    ptx::attribute_to_callers(kernel, is_toolkit_header);
    return kernel;
}

Program program_of(const Job& job, const CompileOptions& options) {
    return job.own.is_used() ? compile_own(job.stage, job.own, options)
                             : compile({job.stage.file, job.stage.source}, options);
}

std::shared_ptr<const PreparedKernel> make(const Job& job, const CompileOptions& options) {
    auto prepared = std::make_shared<PreparedKernel>();
    prepared->program = program_of(job, options);
    if (size_t bytes = prepared->program.ptx.size(); bytes > kMostPtxBytes)
        throw Error(Status::bad_input,
                    job.stage.file + " compiles to " + in_bytes(bytes) + " of PTX, and at most " +
                        in_bytes(kMostPtxBytes) +
                        " are interpreted; unroll less, or keep fewer kernels in one file");
    prepared->kernel = kernel_of(job, prepared->program);
    std::vector<SassTurn> turns = sass_turns(prepared->program.cubin, prepared->program.entry);
    take_cluster(job.own, prepared->kernel);
    sink_loads(prepared->kernel,
               sass_memory_operations(prepared->program.cubin, prepared->program.entry), turns);
    keep_calls_apart(prepared->kernel, turns);
    prepared->resources = resources_of(prepared->program, prepared->kernel);
    prepared->counting = sass_counting(prepared->program, prepared->kernel);
    if (std::string lines = hidden_in_log(prepared->program.log); !lines.empty())
        prepared->counting.notes.push_back(
            "Only device code is compiled here; host code is left out (" + lines + ").");
    if (std::string why = refused_in_log(prepared->program.log); !why.empty())
        prepared->counting.notes.push_back(
            fmt::format("{} compiled this file, because the others refuse it ({}).",
                        prepared->program.compiler, why));
    if (prepared->program.kind == CompilerKind::clang)
        prepared->counting.notes.emplace_back(
            "clang's instructions differ from NVRTC's: at the course's stages the counts of memory "
            "agree, the number of all instructions does not.");
    if (!job.own.ptx.empty())
        for (std::string& note : notes_on_ptx(job, prepared->kernel))
            prepared->counting.notes.push_back(std::move(note));
    prepared->load_groups = load_groups(prepared->program, prepared->kernel);
    prepared->listing = code_listing(prepared->program, prepared->kernel, job.stage.file);
    prepared->machine = std::make_unique<Machine>(prepared->kernel);
    for (std::string& note : notes_on_counts(*prepared))
        prepared->counting.notes.push_back(std::move(note));
    return prepared;
}

}  // namespace

// With what its kernel is compiled. Throws Error(bad_input) where it is not.
static CompileOptions options_for(const Job& job) {
    if (is_library_call(job.stage)) throw Error(Status::bad_input, nothing_to_interpret(job.stage));
    std::string arch = job.arch.empty() ? arch_for(job.stage, default_arch()) : job.arch;
    if (!runs_on(job.stage, arch))
        throw Error(Status::bad_input, job.stage.id + " uses what " + job.stage.arch +
                                           " brought; choose --arch " + job.stage.arch +
                                           " or newer");
    return job.own.is_used() ? own_options(job.stage, job.own, arch)
                             : compile_options(job.stage, job.knobs, job.type, arch);
}

void check_source(const Job& given) {
    Job job = given;
    validate(job);
    if (!job.own.ptx.empty()) return;  // there is nothing to compile
    check_source({job.stage.file, job.stage.source}, options_for(job));
}

void compile_ahead(const Job& job) {
    if (!is_library_call(job.stage)) program_of(job, options_for(job));
}

static Key key_for(const Job& job, const CompileOptions& options) {
    Key key{hash(job.stage.source, hash(job.stage.file)), options, chosen_compiler()};
    if (job.own.is_used())  // its headers may change as well
        key.source_hash = hash(program_key({job.stage.file, job.stage.source}, options),
                               hash(job.own.ptx, hash(job.own.ptx_file)));
    if (const auto cluster = cluster_given(job.own))
        key.source_hash = hash(
            fmt::format("cluster {} {} {}", cluster->x, cluster->y, cluster->z), key.source_hash);
    return key;
}

static Preparation prepare(const Job& job, bool tells) {
    static Kept kept;
    auto start = std::chrono::steady_clock::now();
    CompileOptions options = options_for(job);
    Key key = key_for(job, options);
    Preparation result = kept.find(key, tells);
    bool is_new = !result.kernel;
    if (is_new) result = {make(job, options), false, 0};
    result.milliseconds +=
        std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
    if (is_new)
        kept.add(key, result.kernel, tells ? std::nullopt : std::optional(result.milliseconds));
    return result;
}

Preparation prepare(const Job& job) { return prepare(job, true); }

void prepare_ahead(const Job& job) { prepare(job, false); }

StageLaunch::StageLaunch(const Job& job, const ptx::Kernel& kernel, int threads,
                         const StageLaunch* before)
    : earlier_(before || job.own.before.empty() ? nullptr : after_launches(job, threads)),
      shared_(before     ? before->shared_
              : earlier_ ? earlier_->shared_
                         : std::make_shared<Memory>()),
      memory(*shared_) {
    if (job.own.is_used())
        take_own(job, kernel, threads, before ? before : earlier_.get());
    else
        take_stage(job, kernel);
}

// Plain memory, readable and writable, in which every word is different.
void fill_with_unique_words(const Memory::Buffer& buffer, int threads) {
    constexpr uint64_t kGrain = uint64_t{1} << 20;
    in_ranges((buffer.bytes + 3) / 4, kGrain, threads, [&](int, uint64_t begin, uint64_t end) {
        for (uint64_t i = begin; i < end; ++i) {
            uint32_t word = unique_word(static_cast<uint32_t>(i));
            std::memcpy(buffer.storage + 4 * i, &word, std::min<uint64_t>(4, buffer.bytes - 4 * i));
        }
    });
}

std::vector<StageLaunch::Argument> StageLaunch::place_buffers(const Job& job) {
    const OperationCode& code = code_of(job.stage);
    std::vector<Argument> values;
    for (const KernelBuffer& buffer : code.buffers(job)) {
        uint64_t bytes = buffer.bytes(job.batch);
        if (buffer.role == KernelBuffer::Role::output) outputs.push_back(memory.buffers().size());
        values.push_back({8, buffer.unique_words ? memory.allocate_unique_words(bytes, buffer.name)
                                                 : memory.allocate(bytes, buffer.name)});
    }
    for (const Scalar& scalar : code.scalars(job))
        values.push_back({4, static_cast<uint64_t>(scalar.value)});
    return values;
}

// What a stage's kernel has to take, for the message where it takes something else.
static std::string parameters_of(const Stage& stage) {
    std::string batch = takes_batch(stage) ? ", then int batch, which its launch names" : "";
    std::string maps = stage.tensors.empty() ? "" : ", then the tensor maps of its head";
    return code_of(stage).parameters(stage) + batch + maps;
}

void StageLaunch::take_stage(const Job& job, const ptx::Kernel& kernel) {
    LaunchShape shape =
        launch_shape(job.stage, job.knobs, job.type, job.rows, job.cols, job.batch, job.inner);
    if (uint64_t most = code_of(job.stage).most_instructions_of_block(job, shape.grid.count()))
        limits.instructions_per_block = limits.instructions_per_warp = most;
    std::vector<Argument> values = place_buffers(job);
    size_t maps_taken = job.stage.tensors.size();
    if (takes_batch(job.stage) && kernel.parameters.size() == values.size() + 1 + maps_taken)
        values.push_back({4, static_cast<uint64_t>(job.batch)});

    bool fits = kernel.parameters.size() == values.size() + maps_taken;
    for (size_t i = 0; fits && i < values.size(); ++i) {
        const ptx::Parameter& parameter = kernel.parameters[i];
        fits = parameter.bytes == values[i].bytes;
        arguments_.resize(parameter.offset + parameter.bytes);
        if (fits) std::memcpy(&arguments_[parameter.offset], &values[i].value, parameter.bytes);
    }
    if (fits && maps_taken > 0) {
        std::vector<uint64_t> buffers;
        for (const Argument& value : values)
            if (value.bytes == 8) buffers.push_back(value.value);
        std::vector<StageTensor> tensors = stage_tensors(job, buffers);
        arguments_.resize(kernel.parameter_bytes);  // zeros where there is no map
        for (size_t i = 0; fits && i < tensors.size(); ++i) {
            const ptx::Parameter& parameter = kernel.parameters[values.size() + i];
            fits = parameter.bytes == kTensorMapBytes;
            TensorMapBytes map = tensors[i].map ? encoded(*tensors[i].map) : TensorMapBytes{};
            if (fits) std::memcpy(&arguments_[parameter.offset], map.data(), map.size());
        }
    }
    if (!fits)
        throw Error(Status::bad_input,
                    job.stage.file + ": a stage's kernel takes " + parameters_of(job.stage));
}

std::span<std::byte> StageLaunch::buffer(size_t index) {
    const Memory::Buffer& buffer = memory.buffers()[index];
    return {buffer.storage, static_cast<size_t>(buffer.bytes)};
}

std::span<std::byte> StageLaunch::output() { return buffer(memory.buffers().size() - 1); }

}  // namespace lanewise
