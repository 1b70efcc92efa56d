// A job's kernel, ready to be interpreted: compiled, parsed and decoded.
#pragma once
#include <memory>
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
    double milliseconds = 0;
};

// Keeps the last few dozen kernels, fewer where they are large, so that a picture and an analysis
// of the same job compile and parse once. Safe to call from several threads. Throws as compile()
// and Machine do.
Preparation prepare(const Job& job);

// Throws at once what is wrong with the job's source (compiler.h), or with its setting.
void check_source(const Job& job);

// Makes a buffer of the machine's memory hold the stream of unique words (sim/memory/memory.h).
void fill_with_unique_words(const Memory::Buffer& buffer, int threads);

// A job's buffers in the machine's memory and its arguments, packed as the driver packs them. A
// stage's are its operation's operands and scalars (lab/job/operation_code.h), with int batch at
// the end where its launch has one; a kernel of the user's own has what its --arg say.
class StageLaunch {
  public:
    // Throws Error(bad_input) for a kernel with other parameters.
    StageLaunch(const Job& job, const ptx::Kernel& kernel, int threads = 1);
    std::span<const std::byte> arguments() const { return arguments_; }
    // Of a stage: an operand by its place, or the last, which its kernel writes.
    std::span<std::byte> buffer(size_t index);
    std::span<std::byte> output();
    Machine::Limits limits;  // of each block's instructions
    Memory memory;
    std::vector<size_t> outputs;  // those of memory.buffers() that hold nothing before the launch
    // Of a kernel of the user's own: the type of each buffer's elements ("f32"), and where
    // arguments() or one of the buffers hold a buffer's address, or the map of a tensor in it.
    static constexpr size_t kArguments = ~size_t{0};
    struct PlacedAddress {
        size_t offset, buffer;     // bytes; index into memory.buffers()
        size_t home = kArguments;  // or the buffer in which it lies
    };
    struct PlacedMap {
        size_t offset, buffer;
        TensorMap map;
        std::string type;
        size_t home = kArguments;
    };
    std::vector<std::string> types;
    std::vector<PlacedAddress> addresses;
    std::vector<PlacedMap> maps;

  private:
    struct Argument {
        uint32_t bytes;
        uint64_t value;
    };
    std::vector<Argument> place_buffers(const Job& job);
    void take_stage(const Job& job, const ptx::Kernel& kernel);
    void take_own(const Job& job, const ptx::Kernel& kernel, int threads);
    std::vector<std::byte> arguments_;
};

}  // namespace lanewise
