// A CUPTI for tests: a library with the symbols that app/gpu/cupti.cpp asks for. It holds the calls
// to their order and their blocks to the sizes of CUDA 13.0's headers, fails where told to, and
// counts what it is told to.
#pragma once
#include <dlfcn.h>

#include <cstdlib>
#include <map>
#include <string>
#include <vector>

struct FakeCupti {
    std::vector<std::string> calls;        // symbols in order
    std::map<std::string, int> fail;       // symbol -> the code that it returns
    std::map<std::string, double> values;  // by metric; others are not known here
    int supported = 3, vgpu = 3;           // as CUPTI says yes
    int passes = 2;                        // that the counters need
    int hosts = 0, profilers = 0;          // alive
    std::vector<std::string> asked;        // metrics of the last plan
    size_t count(const std::string& symbol) const {
        size_t n = 0;
        for (const std::string& call : calls) n += call == symbol;
        return n;
    }
};

// Makes a test program use the fake; to be called before anything reads counters. FAKE_CUPTI: the
// path of the library, from CMakeLists.txt.
inline FakeCupti& fake_cupti() {
    static FakeCupti* fake = [] {
        ::setenv("LANEWISE_CUPTI", FAKE_CUPTI, 1);
        void* library = ::dlopen(FAKE_CUPTI, RTLD_NOW | RTLD_LOCAL);
        void* symbol = library ? ::dlsym(library, "the_fake_cupti") : nullptr;
        if (!symbol) std::abort();  // a broken build of the tests
        return reinterpret_cast<FakeCupti* (*)()>(symbol)();
    }();
    return *fake;
}
