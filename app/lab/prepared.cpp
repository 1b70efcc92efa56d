#include "lab/prepared.h"

#include <chrono>
#include <cstring>
#include <list>
#include <mutex>

#include "base/hash.h"
#include "lab/devices.h"
#include "ptx/parser.h"

namespace lanewise {

namespace {

constexpr size_t kKept = 64;  // a decoded kernel and its program take some 100 kB

struct Key {
    uint64_t source_hash;
    CompileOptions options;
    bool operator==(const Key&) const = default;
};

// The most recently used first.
struct Kept {
    std::mutex mutex;
    std::list<std::pair<Key, std::shared_ptr<const PreparedKernel>>> kernels;

    std::shared_ptr<const PreparedKernel> find(const Key& key) {
        std::lock_guard lock(mutex);
        for (auto it = kernels.begin(); it != kernels.end(); ++it) {
            if (!(it->first == key)) continue;
            kernels.splice(kernels.begin(), kernels, it);
            return it->second;
        }
        return nullptr;
    }
    void add(const Key& key, std::shared_ptr<const PreparedKernel> kernel) {
        std::lock_guard lock(mutex);
        kernels.emplace_front(key, std::move(kernel));
        if (kernels.size() > kKept) kernels.pop_back();
    }
};

std::shared_ptr<const PreparedKernel> make(const Job& job, const CompileOptions& options) {
    auto prepared = std::make_shared<PreparedKernel>();
    prepared->program = compile({job.stage.file, job.stage.source}, options);
    prepared->kernel = ptx::parse(prepared->program.ptx, prepared->program.entry);
    prepared->resources = kernel_resources(prepared->program.cubin, prepared->program.entry);
    prepared->machine = std::make_unique<Machine>(prepared->kernel);
    return prepared;
}

}  // namespace

Preparation prepare(const Job& job) {
    static Kept kept;
    auto start = std::chrono::steady_clock::now();
    CompileOptions options;
    options.kernel = name_expression(job.stage, job.knobs, job.type);
    options.arch = job.arch.empty() ? default_arch() : job.arch;
    Key key{hash(job.stage.source, hash(job.stage.file)), options};

    Preparation result;
    result.kernel = kept.find(key);
    result.reused = result.kernel != nullptr;
    if (!result.reused) kept.add(key, result.kernel = make(job, options));
    result.milliseconds =
        std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
    return result;
}

StageLaunch::StageLaunch(const Job& job, const ptx::Kernel& kernel) {
    uint64_t bytes = static_cast<uint64_t>(job.rows) * static_cast<uint64_t>(job.cols) *
                     static_cast<uint64_t>(job.batch) *
                     static_cast<uint64_t>(element_bytes(job.type));
    struct Argument {
        uint32_t bytes;
        uint64_t value;
    };
    std::vector<Argument> values = {{8, memory.allocate_unique_words(bytes, "in")},
                                    {8, memory.allocate(bytes, "out")},
                                    {4, static_cast<uint64_t>(job.rows)},
                                    {4, static_cast<uint64_t>(job.cols)}};
    outputs = {1};
    if (takes_batch(job.stage) && kernel.parameters.size() == values.size() + 1)
        values.push_back({4, static_cast<uint64_t>(job.batch)});

    bool fits = kernel.parameters.size() == values.size();
    for (size_t i = 0; fits && i < values.size(); ++i) {
        const ptx::Parameter& parameter = kernel.parameters[i];
        fits = parameter.bytes == values[i].bytes;
        arguments_.resize(parameter.offset + parameter.bytes);
        if (fits) std::memcpy(&arguments_[parameter.offset], &values[i].value, parameter.bytes);
    }
    if (!fits)
        throw Error(Status::bad_input,
                    job.stage.file +
                        ": a stage's kernel takes (const T* in, T* out, int rows, int "
                        "cols), and int batch after them if its launch names batch");
}

std::span<std::byte> StageLaunch::output() {
    const Memory::Buffer& out = memory.buffers()[1];
    return {out.storage, static_cast<size_t>(out.bytes)};
}

}  // namespace lanewise
