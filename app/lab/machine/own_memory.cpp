// What a kernel of the user's own finds in memory: the buffers of its --arg, the values of its module's
// variables, and what the launches before it have left.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "base/error.h"
#include "base/text.h"
#include "base/threads.h"
#include "lab/kernel/cluster_option.h"
#include "lab/kernel/kernel_arguments.h"
#include "lab/kernel/module_variables.h"
#include "lab/kernel/own_kernel.h"
#include "lab/kernel/ptx_parameters.h"
#include "lab/kernel/texture_argument.h"
#include "lab/machine/prepared.h"
#include "ptx/cluster.h"
#include "ptx/grid_barrier.h"

namespace lanewise {

// Where a part's bytes go that lies in no buffer: into the arguments, or into a variable.
struct StageLaunch::Root {
    bool in_variable = false;
    size_t variable = 0;  // index into ptx::Kernel::variables
    std::byte* storage = nullptr;
};

// A part of an argument or of a variable's value, on its way into memory.
struct StageLaunch::Placing {
    ArgumentPart part;
    Root root;
    size_t buffer = 0;  // its own, where it has one
};

namespace {

bool is_used(const ptx::Kernel& kernel, const std::string& variable) {
    return names_variable(kernel, variable);
}

// What the kernel itself says of how it is launched. A CUDA source that is launched without the
// dynamic shared memory it uses gets a finding with the line where it does; of PTX that is mostly
// from a compiler whose own launch gives it unasked.
void check_own_launch(const OwnLaunch& own, const ptx::Kernel& kernel) {
    const Dim3& block = own.shape.block;
    const ptx::BlockLimit &required = kernel.required_block, &most = kernel.most_block;
    bool fits = required.x == 0 ||
                (block.x == required.x && block.y == required.y && block.z == required.z);
    if (!fits)
        throw Error(Status::bad_input,
                    fmt::format("{} is compiled for blocks of {}x{}x{} threads and no others: "
                                "say --block {},{},{}",
                                own.kernel, required.x, required.y, required.z, required.x,
                                required.y, required.z));
    if (most.x != 0 && block.count() > most.count())
        throw Error(
            Status::bad_input,
            fmt::format("{} is compiled for blocks of at most {} threads, not {}: choose a "
                        "smaller --block",
                        own.kernel, with_thousands(most.count()), with_thousands(block.count())));
    if (own.ptx.empty() || own.shape.dynamic_shared_bytes > 0) return;
    for (const ptx::Variable& variable : kernel.shared)
        if (variable.bytes == 0 && is_used(kernel, variable.name))
            throw Error(Status::bad_input,
                        fmt::format("{} has a shared array whose size the launch says ({}): say "
                                    "--dynamic-shared BYTES",
                                    own.kernel, variable.name));
}

// With what --arg says of it; what a ptr[…] holds is written later.
void fill_own(std::span<std::byte> bytes, uint64_t address, const KernelArgument& value,
              const Job& job, int threads) {
    if (value.is_pointer) return;
    if (value.fill.kind == BufferFill::Kind::unique_words)
        return fill_with_unique_words({address, bytes.size(), bytes.data(), {}}, threads);
    try {
        fill_buffer(bytes, value.fill, *find_element_type(value.type),
                    job.stage.path.parent_path());
    } catch (const Error& error) {
        throw Error(Status::bad_input, "--arg \"" + value.text + "\": " + error.what());
    }
}

std::string list_of(const std::map<std::string, size_t>& buffers) {
    std::string names;
    for (const auto& [name, buffer] : buffers) names += (names.empty() ? "" : ", ") + name;
    return names;
}

// The buffer of the parameter that a tensor says it lies in.
size_t buffer_called(const std::map<std::string, size_t>& buffers, const KernelArgument& tensor) {
    auto found = buffers.find(tensor.of);
    if (found != buffers.end()) return found->second;
    std::string names = list_of(buffers);
    throw Error(Status::bad_input,
                "--arg \"" + tensor.text + "\": no parameter \"" + tensor.of + "\" has a buffer" +
                    (names.empty() ? "; leave the name out, and the tensor gets one of its own"
                                   : "; those that have: " + names));
}

// The same of a texture; in a launch after others it may lie in an earlier one's.
size_t buffer_of_texture(const std::map<std::string, size_t>& own,
                         const std::map<std::string, size_t>& named, const KernelArgument& value) {
    for (const auto* buffers : {&own, &named})
        if (auto found = buffers->find(value.of); found != buffers->end()) return found->second;
    std::map<std::string, size_t> all = own;
    all.insert(named.begin(), named.end());
    throw Error(Status::bad_input,
                fmt::format("--arg \"{}\": there is no buffer \"{}\"{}", value.text, value.of,
                            all.empty() ? "; leave the name out, and the texture gets one of its own"
                                        : "; those that there are: " + list_of(all)));
}

void check_fits(const KernelArgument& value, const Memory::Buffer& buffer) {
    const uint64_t bytes = texture_of(value.text).bytes();
    if (bytes > buffer.bytes)
        throw Error(Status::bad_input,
                    fmt::format("--arg \"{}\" has {}, and the buffer {} has {}", value.text,
                                in_bytes(bytes), buffer.name, in_bytes(buffer.bytes)));
}

size_t buffer_named(const std::map<std::string, size_t>& buffers, const KernelArgument& name) {
    auto found = buffers.find(name.of);
    if (found != buffers.end()) return found->second;
    throw Error(Status::bad_input, "--arg \"" + name.text + "\": there is no buffer \"" + name.of +
                                       "\" from before; those that there are: " + list_of(buffers));
}

struct Nobody : Observer {};

}  // namespace

std::unique_ptr<const StageLaunch> StageLaunch::after_launches(const Job& job, int threads) {
    std::unique_ptr<StageLaunch> last;
    for (const OwnLaunch& before : job.own.before) {
        Job one = job;
        one.own = before;
        Preparation preparation = prepare(one);
        auto stage =
            std::make_unique<StageLaunch>(one, preparation.kernel->kernel, threads, last.get());
        auto run = [&](int, uint64_t begin, uint64_t end) {
            Nobody nobody;
            preparation.kernel->machine->run(before.shape, stage->arguments(), stage->memory, begin,
                                             end, nobody, stage->limits);
        };
        const uint64_t blocks = before.shape.grid.count();
        const ptx::Kernel& code = preparation.kernel->kernel;
        if (ptx::waits_for_grid(code) || ptx::works_in_clusters(code))
            run(0, 0, blocks);
        else
            in_ranges(blocks, 8, threads, run);
        last = std::move(stage);
    }
    return last;
}

void StageLaunch::go_on_from(const StageLaunch& before) {
    types = before.types;
    named = before.named;
    fixed_names = before.fixed_names;
    variables_set = before.variables_set;
    for (const PlacedAddress& placed : before.addresses)
        if (placed.home != kArguments) addresses.push_back(placed);
    for (const PlacedMap& placed : before.maps)
        if (placed.home != kArguments) maps.push_back(placed);
}

size_t StageLaunch::place_buffer(const KernelArgument& value, const std::string& name,
                                 const Job& job, int threads) {
    memory.allocate(value.own_bytes(), name);
    const Memory::Buffer& buffer = memory.buffers().back();
    fill_own({buffer.storage, static_cast<size_t>(buffer.bytes)}, buffer.address, value, job,
             threads);
    types.push_back(value.type);
    return memory.buffers().size() - 1;
}

// Buffers first: a tensor may lie in a later parameter's.
void StageLaunch::place_parts(std::vector<Placing>& parts, const Job& job, int threads) {
    std::map<std::string, size_t> own;  // of those that are pointers
    for (Placing& placing : parts) {
        const KernelArgument& value = *placing.part.argument;
        bool is_object = value.is_pointer && is_texture_text(value.text);
        const std::string& name = placing.part.name;
        if (value.own_bytes() > 0)
            placing.buffer =
                place_buffer(value, is_object ? "the object of " + name : name, job, threads);
        if (value.is_name && !is_texture_text(value.text)) placing.buffer = buffer_named(named, value);
        if (value.is_buffer) own[placing.part.name] = placing.buffer;
    }
    for (Placing& placing : parts) {
        const KernelArgument& value = *placing.part.argument;
        if (value.is_tensor && !value.of.empty()) placing.buffer = buffer_called(own, value);
        if (value.is_name && is_texture_text(value.text)) {
            placing.buffer = buffer_of_texture(own, named, value);
            check_fits(value, memory.buffers()[placing.buffer]);
        }
    }
    for (const Placing& placing : parts) write_part(placing, parts);
    for (const auto& [name, buffer] : own)
        if (!fixed_names.contains(name)) named[name] = buffer;
}

void StageLaunch::write_part(const Placing& placing, const std::vector<Placing>& parts) {
    const KernelArgument& value = *placing.part.argument;
    const size_t offset = placing.part.offset;
    size_t home = kArguments;
    bool in_variable = false;
    std::byte* place = nullptr;
    if (placing.part.home != ArgumentPart::kInParameter) {
        home = parts[placing.part.home].buffer;
        place = memory.buffers()[home].storage + offset;
    } else if (placing.root.in_variable) {
        home = placing.root.variable;
        in_variable = true;
        place = placing.root.storage + offset;
    } else {
        place = &arguments_[offset];
    }
    if (value.is_tensor) {
        maps.push_back({offset, placing.buffer, value.map, value.type, home, in_variable});
        maps.back().map.address = memory.buffers()[placing.buffer].address;
        TensorMapBytes bytes = encoded(maps.back().map);
        std::memcpy(place, bytes.data(), bytes.size());
        return;
    }
    uint64_t bits = value.bits;
    if (value.is_buffer || value.is_name) {
        const auto size = static_cast<uint64_t>(
            value.is_name ? find_element_type(types[placing.buffer])->bytes : 0);
        addresses.push_back({offset, placing.buffer, home, in_variable, value.first * size});
        bits = memory.buffers()[placing.buffer].address + value.first * size;
    }
    std::memcpy(place, &bits, value.bytes);
}

void StageLaunch::set_variable(const std::string& text, const Job& job, const ptx::Kernel& kernel,
                               int threads) {
    const VariableValue given = parse_variable(text);
    const std::optional<size_t> index = variable_called(kernel, given.name, job);
    if (!index) return;  // the compiler has left it out of this kernel's module
    const ptx::ModuleVariable& variable = kernel.variables[*index];
    const Memory::Buffer& place = *memory.find(variable.address, variable.bytes);
    variables_set.insert(variable.name);
    const bool holds_address = is_address(given, variable, job.stage.source);
    if (given.value.is_buffer && !holds_address)
        return fill_own({place.storage, static_cast<size_t>(given.value.own_bytes())},
                        place.address, given.value, job, threads);
    std::vector<Placing> parts;
    for (ArgumentPart& part : parts_of(given.value, {}, given.name))
        parts.push_back({std::move(part), {true, *index, place.storage}, 0});
    place_parts(parts, job, threads);
}

void StageLaunch::take_own(const Job& job, const ptx::Kernel& kernel, int threads,
                           const StageLaunch* before) {
    constexpr size_t kMostNamed = 1000;  // of --then and .launch
    if (job.own.before.size() > kMostNamed)
        throw Error(Status::bad_input,
                    fmt::format("{} launches before one; at most {} are followed",
                                job.own.before.size(), kMostNamed));
    if (before) go_on_from(*before);
    check_own_launch(job.own, kernel);
    auto parameters = job.own.ptx.empty() ? kernel_parameters(kernel, job.stage, job.own.kernel)
                                          : ptx_parameters(kernel, job.stage, job.own.kernel);
    auto values = arguments_for(parameters, job.own);
    check_buffers(values);
    for (const std::string& text : job.own.buffers) {
        const VariableValue buffer = parse_variable(text);
        named[buffer.name] = place_buffer(buffer.value, buffer.name, job, threads);
        fixed_names.insert(buffer.name);
    }
    memory.load_module(kernel.variables);
    for (const std::string& text : job.own.variables)
        if (!is_cluster_variable(text)) set_variable(text, job, kernel, threads);
    arguments_.resize(kernel.parameter_bytes);
    std::vector<Placing> parts;
    for (size_t i = 0; i < values.size(); ++i) {
        std::string name = parameters[i].name;
        if (name.empty()) name = "argument " + std::to_string(i + 1);
        const size_t first = parts.size();
        for (ArgumentPart& part : parts_of(values[i], parameters[i].layout, name)) {
            if (part.home == ArgumentPart::kInParameter)
                part.offset += kernel.parameters[i].offset;
            else
                part.home += first;
            parts.push_back({std::move(part), {}, 0});
        }
    }
    place_parts(parts, job, threads);
}

static bool is_all_zeros(const Memory::Buffer& buffer) {
    return std::all_of(buffer.storage, buffer.storage + buffer.bytes,
                       [](std::byte byte) { return byte == std::byte{0}; });
}

std::vector<std::string> notes_on_variables(const StageLaunch& stage, const ptx::Kernel& kernel) {
    std::vector<std::string> notes;
    for (const ptx::ModuleVariable& variable : kernel.variables) {
        const std::string name = variable_name(variable.name);
        const bool is_compilers = name.starts_with("__") || name.starts_with("$");
        if (is_compilers || stage.variables_set.contains(variable.name) ||
            !names_variable(kernel, variable.name))
            continue;
        const Memory::Buffer* buffer = stage.memory.find(variable.address, variable.bytes);
        if (!buffer || !is_all_zeros(*buffer)) continue;
        notes.push_back(fmt::format(
            "The kernel uses {}, which was never set: it is all zeros. Say its value with {}, as "
            "--arg has it for a buffer.",
            variable_in_words(variable), variable_option(variable)));
    }
    return notes;
}

}  // namespace lanewise
