// A job's kernel, ready to be interpreted: compiled, parsed and decoded.
#pragma once
#include <map>
#include <memory>
#include <set>
#include <span>
#include <vector>

#include "compile/compiler.h"
#include "lab/job/job.h"
#include "lab/job/results.h"
#include "lab/machine/code_listing.h"
#include "lab/machine/sass_counting.h"
#include "ptx/instruction.h"
#include "sim/memory/memory.h"
#include "sim/memory/tensor_map.h"
#include "sim/warp/machine.h"

namespace lanewise {

struct KernelArgument;  // lab/kernel/kernel_arguments.h

// Immutable and shared; the machine refers to the kernel beside it, so it never moves.
struct PreparedKernel {
    Program program;
    ptx::Kernel kernel;
    KernelResources resources;
    SassCounting counting;
    std::vector<int> load_groups;  // by PTX instruction
    CodeListing listing;
    std::unique_ptr<const Machine> machine;
};

struct Preparation {
    std::shared_ptr<const PreparedKernel> kernel;
    bool reused = false;  // by an earlier job of this process
    double milliseconds = 0;  // that it took, ahead of the job or in it
};

// Keeps the last few dozen kernels, fewer where they are large, so that a picture and an analysis
// of the same job compile and parse once. Safe to call from several threads. Throws as compile()
// and Machine do.
Preparation prepare(const Job& job);

// The same before anybody asks: the first job that does hears what it would have heard, who compiled it
// and how long that took. Throws as prepare() does.
void prepare_ahead(const Job& job);

// What the job launches, compiled and no more: whoever compiles the same next, in another process as
// well, finds it made (compiler.h). Nothing for a library's call. Throws as compile() does.
void compile_ahead(const Job& job);

// Throws at once what is wrong with the job's source (compiler.h), or with its setting.
void check_source(const Job& job);

// Makes a buffer of the machine's memory hold the stream of unique words (sim/memory/memory.h).
void fill_with_unique_words(const Memory::Buffer& buffer, int threads);

// A job's buffers in the machine's memory and its arguments, packed as the driver packs them. A
// stage's are its operation's operands and scalars (lab/job/operation_code.h), with int batch at
// the end where its launch has one; a kernel of the user's own has what its --arg say
// (own_memory.cpp), and its module's variables have what --constant and --device say.
class StageLaunch {
    std::unique_ptr<const StageLaunch> earlier_;  // where job.own.before was interpreted here
    std::shared_ptr<Memory> shared_;

  public:
    // before: a launch whose memory this one works on, as it left it; it must be done. Without one,
    // the launches of job.own.before are interpreted here, and nothing of them is kept but memory.
    // Throws Error(bad_input) for a kernel with other parameters.
    StageLaunch(const Job& job, const ptx::Kernel& kernel, int threads = 1,
                const StageLaunch* before = nullptr);
    std::span<const std::byte> arguments() const { return arguments_; }
    // Of a stage: an operand by its place, or the last, which its kernel writes.
    std::span<std::byte> buffer(size_t index);
    std::span<std::byte> output();
    Machine::Limits limits;  // of each block's instructions
    Memory& memory;
    std::vector<size_t> outputs;  // those of memory.buffers() that hold nothing before the launch
    // Of a kernel of the user's own: the type of each buffer's elements ("f32"), and where
    // arguments() or one of the buffers hold a buffer's address, or the map of a tensor in it.
    static constexpr size_t kArguments = ~size_t{0};
    struct PlacedAddress {
        size_t offset, buffer;     // bytes; index into memory.buffers()
        size_t home = kArguments;  // or the buffer in which it lies
        bool in_variable = false;  // home is then an index into ptx::Kernel::variables
        uint64_t beyond = 0;       // bytes behind the buffer's first
    };
    struct PlacedMap {
        size_t offset, buffer;
        TensorMap map;
        std::string type;
        size_t home = kArguments;
        bool in_variable = false;
    };
    std::vector<std::string> types;
    std::vector<PlacedAddress> addresses;
    std::vector<PlacedMap> maps;
    std::map<std::string, size_t> named;  // buffers, as a later launch may name them
    std::set<std::string> fixed_names;    // of those, what no parameter's name stands for
    std::set<std::string> variables_set;  // as the PTX calls them, by this launch or one before

  private:
    struct Argument {
        uint32_t bytes;
        uint64_t value;
    };
    std::vector<Argument> place_buffers(const Job& job);
    void take_stage(const Job& job, const ptx::Kernel& kernel);
    void take_own(const Job& job, const ptx::Kernel& kernel, int threads,
                  const StageLaunch* before);
    struct Root;
    struct Placing;
    // Runs the launches before, one after the other, for what they leave in memory.
    static std::unique_ptr<const StageLaunch> after_launches(const Job& job, int threads);
    void go_on_from(const StageLaunch& before);
    size_t place_buffer(const KernelArgument& value, const std::string& name, const Job& job,
                        int threads);
    void place_parts(std::vector<Placing>& parts, const Job& job, int threads);
    void write_part(const Placing& part, const std::vector<Placing>& parts);
    void set_variable(const std::string& text, const Job& job, const ptx::Kernel& kernel,
                      int threads);
    std::vector<std::byte> arguments_;
};

// A sentence for each variable of the module that the kernel uses, that nobody has set and that holds
// zeros when the launch is done: a filter of zeros is mostly one that was forgotten.
std::vector<std::string> notes_on_variables(const StageLaunch& stage, const ptx::Kernel& kernel);

}  // namespace lanewise
