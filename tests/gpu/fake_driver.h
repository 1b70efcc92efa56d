// A CUDA driver for tests: a library with the driver's symbols whose "GPU" is the CPU's memory.
// It keeps a list of what is asked of it, fails where told to, runs the few kernels that it knows
// by name (fake_kernels.cpp) and has a clock that only work moves on. For programs it is told what
// to do by the environment: FAKE_DEVICES=2, FAKE_FAIL=cuInit=100,cuLaunchKernel=999@20 (what is
// called returns that code, from the 21st call on).
#pragma once
#include <cstddef>
#include <map>
#include <string>
#include <vector>

// A texture's or a surface's object: CUDA_RESOURCE_DESC and CUDA_TEXTURE_DESC as they were given.
struct FakeObject {
    unsigned char resource[144] = {};
    int texture[26] = {};
};

struct FakeDriver {
    std::vector<std::string> calls;   // symbols in order, EventQuery and error names left out
    std::map<std::string, int> fail;  // symbol -> the code that it returns
    std::map<std::string, size_t> fail_after;  // symbol -> how many calls of it go well first
    int version = 13000, devices = 1;
    std::vector<std::string> launched;  // kernels by mangled name, copies as "copy", as they ran
    std::string visible_entry;          // the kernel of the last cuModuleGetFunction
    unsigned grid[3] = {}, block[3] = {}, shared_bytes = 0;  // of the last launch
    unsigned cluster[3] = {};                                // likewise; zeros where it has none
    std::vector<unsigned char> arguments;                    // likewise
    size_t argument_bytes = 0;  // how many there are, where they are given one by one
    size_t allocations = 0, modules = 0, events = 0, graphs = 0;  // alive
    size_t memory_bytes = size_t{64} << 20;                       // of the card
    struct {
        size_t alive = 0;   // objects and arrays
        FakeObject last;    // of a texture
        int array[3] = {};  // of the last one: format, channels, flags
    } textures;
    size_t hoarded = 0;                                           // by kernels named so
    int math_mode = 0;             // as cublasSetMathMode had it last
    bool library_forgets = false;  // cuBLAS leaves the last column of what it writes as it was
    double gb_per_s = 4000;        // of every copy; of kernels where not told otherwise
    std::map<std::string, double> kernel_gb_per_s;  // by a part of the kernel's name
    double pending_s = 0;  // by the wall's clock, until an event that was recorded has happened

    size_t count(const std::string& symbol) const {
        size_t n = 0;
        for (const std::string& call : calls) n += call == symbol;
        return n;
    }
};
