// Runs PTX on the machine for tests: a whole file, or a few instructions of one warp.
#pragma once
#include <array>
#include <cstring>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/files.h"
#include "ptx/parser.h"
#include "sim/warp/machine.h"
#include "sim/warp/warp.h"

namespace lanewise {

// The driver's packing: each value at its natural alignment.
class Arguments {
  public:
    template <class T>
    Arguments& add(T value) {
        while (bytes_.size() % sizeof(T) != 0) bytes_.push_back(std::byte{0});
        bytes_.resize(bytes_.size() + sizeof(T));
        std::memcpy(bytes_.data() + bytes_.size() - sizeof(T), &value, sizeof(T));
        return *this;
    }
    operator std::span<const std::byte>() const { return bytes_; }

  private:
    std::vector<std::byte> bytes_;
};

struct Recorder : Observer {
    struct Access {
        MemoryEvent event;
        std::array<uint64_t, 32> addresses;
    };
    void on_memory(const MemoryEvent& event) override {
        accesses.push_back({event, *event.addresses});
    }
    void on_fault(const Fault& fault) override { faults.push_back(fault); }
    std::vector<Access> accesses;
    std::vector<Fault> faults;
};

inline ptx::Kernel fixture(const std::string& name) {
    return ptx::parse(read_file(std::string(TESTS_FOLDER) + "/sim/fixtures/" + name)).kernels.at(0);
}

// A kernel named k with one parameter, `out`, and registers %p0-9, %h0-9 (16 bits), %r0-19, %f0-9,
// %rd0-19, %fd0-9. %rd0 is out, %r0 is %tid.x, %rd1 is out + 8 * thread when the body begins.
inline std::string kernel_around(const std::string& body) {
    return ".version 9.0\n.target sm_90\n.address_size 64\n"
           ".visible .entry k(.param .u64 k_param_0)\n{\n"
           ".reg .pred %p<10>;\n.reg .b16 %h<10>;\n.reg .b32 %r<20>;\n.reg .f32 %f<10>;\n"
           ".reg .b64 %rd<20>;\n.reg .f64 %fd<10>;\n"
           "ld.param.u64 %rd0, [k_param_0];\nmov.u32 %r0, %tid.x;\nmul.wide.u32 %rd1, %r0, 8;\n"
           "add.s64 %rd1, %rd0, %rd1;\n" +
           body + "\nret;\n}\n.file 1 \"kernel.cu\"\n";
}

struct Outcome {
    std::vector<uint64_t> out;  // one word of 64 bits per thread
    Recorder seen;
    uint64_t executed = 0;
};

// The body run by one block; it stores its results at [%rd1].
inline Outcome run_block(const std::string& body, Dim3 block = {32},
                         uint64_t instructions_per_warp = 1'000'000) {
    ptx::Kernel kernel = ptx::parse(kernel_around(body)).kernels.at(0);
    Machine machine(kernel);
    Memory memory;
    uint64_t threads = block.count();
    uint64_t out = memory.allocate(threads * 8, "out");
    Outcome outcome;
    Machine::Limits limits;
    limits.instructions_per_warp = instructions_per_warp;
    outcome.executed =
        machine.run({{1}, block}, Arguments().add(out), memory, 0, 1, outcome.seen, limits);
    outcome.out.resize(threads);
    std::memcpy(outcome.out.data(), memory.buffers()[0].storage, threads * 8);
    return outcome;
}

// What ends a body: %rd2 is the thread's result.
inline const std::string kStoreWide = "\nst.global.u64 [%rd1], %rd2;";

// What thread `thread` of one warp stores in %rd2 after `body`.
inline uint64_t wide_result(const std::string& body, size_t thread = 0) {
    return run_block(body + kStoreWide).out[thread];
}
// The same for %r1, %h1, %f1 (its bits).
inline uint32_t word_result(const std::string& body, size_t thread = 0) {
    return static_cast<uint32_t>(run_block(body + "\nst.global.u32 [%rd1], %r1;").out[thread]);
}

}  // namespace lanewise
