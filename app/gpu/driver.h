// The CUDA driver's C API, loaded at run time: our own declarations, so that building needs no
// toolkit. Only gpu/ includes this.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "gpu/device.h"

namespace lanewise {

// The functions that we call, with the signatures of NVIDIA's cuda.h; the names of the symbols,
// with their version suffixes, stand in driver.cpp, and what one handle is used with stands
// together. Handles are opaque pointers.
struct Driver {
    using Code = int;  // CUresult; 0 is success
    using Address = unsigned long long;
    enum : Code {
        kOutOfMemory = 2,
        kStubLibrary = 34,
        kDeviceUnavailable = 46,
        kNoDevice = 100,
        kInvalidImage = 200,
        kNoBinaryForGpu = 209,
        kInvalidPtx = 218,
        kNoJitCompiler = 221,
        kUnsupportedPtxVersion = 222,
        kNotFound = 500,
        kNotReady = 600,
        kIllegalAddress = 700,
        kTooManyBlocksAtOnce = 720,
        kSystemNotReady = 802,
        kDriverMismatch = 803,
        kUnknown = 999,
    };

    Code (*Init)(unsigned flags) = nullptr;
    Code (*DriverGetVersion)(int*) = nullptr;
    Code (*GetErrorName)(Code, const char**) = nullptr;
    Code (*GetErrorString)(Code, const char**) = nullptr;
    struct Devices {  // cuDevice…
        Code (*GetCount)(int*) = nullptr;
        Code (*Get)(int* device, int ordinal) = nullptr;
        Code (*GetName)(char*, int length, int device) = nullptr;
        Code (*GetUuid)(unsigned char* sixteen_bytes, int device) = nullptr;
        Code (*GetPCIBusId)(char*, int length, int device) = nullptr;
        Code (*GetAttribute)(int* value, int attribute, int device) = nullptr;
        Code (*TotalMem)(size_t*, int device) = nullptr;
        Code (*PrimaryCtxRetain)(void** context, int device) = nullptr;
    } devices;
    struct Contexts {  // cuCtx…
        Code (*SetCurrent)(void* context) = nullptr;
        Code (*GetCurrent)(void** context) = nullptr;
    } contexts;
    struct Memory {  // cuMem…; the copies by their whole names
        Code (*GetInfo)(size_t* free, size_t* total) = nullptr;
        Code (*Alloc)(Address*, size_t bytes) = nullptr;
        Code (*Free)(Address) = nullptr;
        Code (*MemcpyHtoDAsync)(Address, const void*, size_t bytes, void* stream) = nullptr;
        Code (*MemcpyDtoHAsync)(void*, Address, size_t bytes, void* stream) = nullptr;
        Code (*MemcpyDtoDAsync)(Address to, Address from, size_t bytes, void* stream) = nullptr;
        Code (*MemsetD32Async)(Address, unsigned word, size_t words, void* stream) = nullptr;
    } memory;
    enum JitOption : int { kErrorLog = 5, kErrorLogBytes = 6 };
    struct Modules {  // cuModule…
        // image: a cubin, or PTX that ends with a zero. options: numbers of JitOption, each with
        // its value, or a pointer to it.
        Code (*LoadDataEx)(void** module, const void* image, unsigned count, int* options,
                           void** values) = nullptr;
        Code (*Unload)(void*) = nullptr;
        Code (*GetFunction)(void** function, void* module, const char* name) = nullptr;
        Code (*GetGlobal)(uint64_t* address, size_t* bytes, void* module,
                          const char* name) = nullptr;
    } modules;
    struct Kernels {  // what is set, asked and given to launch one
        Code (*FuncSetAttribute)(void* function, int attribute, int value) = nullptr;
        Code (*OccupancyMaxActiveBlocksPerMultiprocessor)(int* blocks, void* function, int threads,
                                                          size_t dynamic_shared_bytes) = nullptr;
        Code (*TensorMapEncodeTiled)(void* map, int type, uint32_t dimensions, void* address,
                                     const uint64_t* sizes, const uint64_t* strides,
                                     const uint32_t* box, const uint32_t* element_strides,
                                     int interleave, int swizzle, int promotion,
                                     int outside) = nullptr;
        Code (*TensorMapEncodeIm2col)(void* map, int type, uint32_t dimensions, void* address,
                                      const uint64_t* sizes, const uint64_t* strides,
                                      const int* lower_corner, const int* upper_corner,
                                      uint32_t channels, uint32_t pixels,
                                      const uint32_t* element_strides, int interleave, int swizzle,
                                      int promotion, int outside) = nullptr;
        Code (*LaunchKernel)(void* function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                             unsigned block_x, unsigned block_y, unsigned block_z,
                             unsigned shared_bytes, void* stream, void** parameters,
                             void** extra) = nullptr;
        Code (*LaunchCooperativeKernel)(void* function, unsigned grid_x, unsigned grid_y,
                                        unsigned grid_z, unsigned block_x, unsigned block_y,
                                        unsigned block_z, unsigned shared_bytes, void* stream,
                                        void** parameters) = nullptr;
        // config: a LaunchConfig. Null where the driver is older than clusters.
        Code (*LaunchKernelEx)(const void* config, void* function, void** parameters,
                               void** extra) = nullptr;
    } kernels;
    struct LaunchAttribute {  // CUlaunchAttribute, of the kind cluster dimension
        int id = 4;           // CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION
        int padding = 0;
        unsigned blocks[3] = {1, 1, 1};
        unsigned rest[13] = {};  // of the 64 bytes that any kind may have
    };
    struct LaunchConfig {  // CUlaunchConfig
        unsigned grid[3] = {}, block[3] = {}, shared_bytes = 0;
        void* stream = nullptr;
        const LaunchAttribute* attributes = nullptr;
        unsigned attribute_count = 0;
    };
    struct Textures {  // cuTexObject…, cuSurfObject…, cuArray…; the structs as cuda.h lays them out
        Code (*TexObjectCreate)(uint64_t* object, const void* resource, const void* texture,
                                const void* view) = nullptr;
        Code (*TexObjectDestroy)(uint64_t object) = nullptr;
        Code (*SurfObjectCreate)(uint64_t* object, const void* resource) = nullptr;
        Code (*SurfObjectDestroy)(uint64_t object) = nullptr;
        Code (*Array3DCreate)(void** array, const void* description) = nullptr;
        Code (*ArrayDestroy)(void* array) = nullptr;
        Code (*Memcpy2DAsync)(const void* description, void* stream) = nullptr;
    } textures;
    struct Streams {  // cuStream…
        Code (*Create)(void** stream, unsigned flags) = nullptr;
        Code (*Synchronize)(void* stream) = nullptr;
        Code (*BeginCapture)(void* stream, int mode) = nullptr;
        Code (*EndCapture)(void* stream, void** graph) = nullptr;
    } streams;
    struct Graphs {  // cuGraph…
        Code (*Instantiate)(void** executable, void* graph, unsigned long long flags) = nullptr;
        Code (*Launch)(void* executable, void* stream) = nullptr;
        Code (*ExecDestroy)(void* executable) = nullptr;
        Code (*Destroy)(void* graph) = nullptr;
    } graphs;
    struct Events {  // cuEvent…
        Code (*Create)(void** event, unsigned flags) = nullptr;
        Code (*Destroy)(void* event) = nullptr;
        Code (*Record)(void* event, void* stream) = nullptr;
        Code (*Query)(void* event) = nullptr;
        Code (*Synchronize)(void* event) = nullptr;
        Code (*ElapsedTime)(float* ms, void* start, void* end) = nullptr;
    } events;

    // "CUDA_ERROR_ILLEGAL_ADDRESS (an illegal memory access was encountered)".
    std::string in_words(Code code) const;
};

// Loads `library`; null with the reason in `problem` where that does not work. The library stays
// loaded for the life of the process.
std::unique_ptr<const Driver> load_driver(const std::string& library, std::string& problem);

// $LANEWISE_CUDA_DRIVER where set (a path, for tests), else libcuda.so.1.
std::string driver_library();

// Initialises `driver` and describes its GPUs and the one that `wish` means (see choose_gpu); where
// there is none, says why and what to do.
GpuStatus probe(const Driver& driver, const std::string& wish = "");

// The process's driver, loaded at the first call together with gpu_status(); null where there is
// no usable one.
const Driver* the_driver();

// True for errors after which the context can do no more: a kernel's illegal access, a hang, an
// uncorrectable memory error. Only a new process helps.
bool is_sticky(Driver::Code code);

}  // namespace lanewise
