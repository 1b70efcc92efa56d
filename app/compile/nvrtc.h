// NVRTC's C API, loaded at run time: our own declarations, so that building needs no toolkit.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace lanewise {

// The functions that we call, with the signatures of NVIDIA's nvrtc.h (CUDA 12 and newer).
struct Nvrtc {
    using Result = int;  // 0 is success
    using Program = void*;
    static constexpr Result kInvalidOption = 5, kCompilation = 6;

    const char* (*GetErrorString)(Result) = nullptr;
    Result (*Version)(int* major, int* minor) = nullptr;
    Result (*GetNumSupportedArchs)(int*) = nullptr;
    Result (*GetSupportedArchs)(int*) = nullptr;
    Result (*CreateProgram)(Program*, const char* source, const char* name, int headers,
                            const char* const* header_texts,
                            const char* const* header_names) = nullptr;
    Result (*DestroyProgram)(Program*) = nullptr;
    Result (*CompileProgram)(Program, int options, const char* const*) = nullptr;
    Result (*AddNameExpression)(Program, const char*) = nullptr;
    Result (*GetLoweredName)(Program, const char* expression, const char** lowered) = nullptr;
    Result (*GetPTXSize)(Program, size_t*) = nullptr;
    Result (*GetPTX)(Program, char*) = nullptr;
    Result (*GetCUBINSize)(Program, size_t*) = nullptr;
    Result (*GetCUBIN)(Program, char*) = nullptr;
    Result (*GetProgramLogSize)(Program, size_t*) = nullptr;
    Result (*GetProgramLog)(Program, char*) = nullptr;

    std::string version;         // "13.0"
    std::string path;            // of the library
    std::string include_folder;  // the toolkit's headers; empty where missing

    std::vector<std::string> supported_archs() const;  // "sm_75", …
};

struct NvrtcSearch {
    bool found = false;
    Nvrtc nvrtc;
    std::vector<std::string> looked_in;  // places, each with what was wrong with it if anything was
};

// Searches at the first call (loading the library takes about 100 ms), then answers at once.
const NvrtcSearch& find_nvrtc();

// How often NVRTC has been run in this process; for tests.
uint64_t nvrtc_runs();

// What to do where there is none.
std::string how_to_get_nvrtc();

}  // namespace lanewise
