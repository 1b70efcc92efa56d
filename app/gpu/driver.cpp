#include "gpu/driver.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <array>
#include <cstdlib>

namespace lanewise {

namespace {
struct Entry {  // one row of the function table
    const char* symbol;
    void** function;
};
}  // namespace

// The suffixes are those of cuda.h's `#define cuMemAlloc cuMemAlloc_v2` and the like, all present
// in every driver since CUDA 12.0.
static auto entries(Driver& api) {
    auto row = [](const char* symbol, auto& function) {
        return Entry{symbol, reinterpret_cast<void**>(&function)};
    };
    return std::to_array<Entry>({
        row("cuInit", api.Init),
        row("cuDriverGetVersion", api.DriverGetVersion),
        row("cuGetErrorName", api.GetErrorName),
        row("cuGetErrorString", api.GetErrorString),
        row("cuDeviceGetCount", api.DeviceGetCount),
        row("cuDeviceGet", api.DeviceGet),
        row("cuDeviceGetName", api.DeviceGetName),
        row("cuDeviceGetUuid_v2", api.DeviceGetUuid),
        row("cuDeviceGetPCIBusId", api.DeviceGetPCIBusId),
        row("cuDeviceGetAttribute", api.DeviceGetAttribute),
        row("cuDeviceTotalMem_v2", api.DeviceTotalMem),
        row("cuDevicePrimaryCtxRetain", api.DevicePrimaryCtxRetain),
        row("cuCtxSetCurrent", api.CtxSetCurrent),
        row("cuCtxGetCurrent", api.CtxGetCurrent),
        row("cuMemGetInfo_v2", api.MemGetInfo),
        row("cuMemAlloc_v2", api.MemAlloc),
        row("cuMemFree_v2", api.MemFree),
        row("cuMemcpyHtoDAsync_v2", api.MemcpyHtoDAsync),
        row("cuMemcpyDtoHAsync_v2", api.MemcpyDtoHAsync),
        row("cuMemcpyDtoDAsync_v2", api.MemcpyDtoDAsync),
        row("cuMemsetD32Async", api.MemsetD32Async),
        row("cuModuleLoadDataEx", api.ModuleLoadDataEx),
        row("cuModuleUnload", api.ModuleUnload),
        row("cuModuleGetFunction", api.ModuleGetFunction),
        row("cuModuleGetGlobal_v2", api.ModuleGetGlobal),
        row("cuFuncSetAttribute", api.FuncSetAttribute),
        row("cuOccupancyMaxActiveBlocksPerMultiprocessor",
            api.OccupancyMaxActiveBlocksPerMultiprocessor),
        row("cuLaunchKernel", api.LaunchKernel),
        row("cuTensorMapEncodeTiled", api.TensorMapEncodeTiled),
        row("cuStreamCreate", api.StreamCreate),
        row("cuStreamSynchronize", api.StreamSynchronize),
        row("cuStreamBeginCapture_v2", api.StreamBeginCapture),
        row("cuStreamEndCapture", api.StreamEndCapture),
        row("cuGraphInstantiateWithFlags", api.GraphInstantiate),
        row("cuGraphLaunch", api.GraphLaunch),
        row("cuGraphExecDestroy", api.GraphExecDestroy),
        row("cuGraphDestroy", api.GraphDestroy),
        row("cuEventCreate", api.EventCreate),
        row("cuEventDestroy_v2", api.EventDestroy),
        row("cuEventRecord", api.EventRecord),
        row("cuEventQuery", api.EventQuery),
        row("cuEventSynchronize", api.EventSynchronize),
        row("cuEventElapsedTime", api.EventElapsedTime),
    });
}

std::string driver_library() {
    const char* path = std::getenv("LANEWISE_CUDA_DRIVER");
    return path && *path ? path : "libcuda.so.1";
}

std::unique_ptr<const Driver> load_driver(const std::string& library, std::string& problem) {
    auto driver = std::make_unique<Driver>();
    void* handle = ::dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!handle) {
        problem = fmt::format("no NVIDIA driver: {}", ::dlerror());
        return nullptr;
    }
    for (const Entry& entry : entries(*driver)) {
        *entry.function = ::dlsym(handle, entry.symbol);
        if (*entry.function) continue;
        problem = fmt::format("the NVIDIA driver is too old: {} lacks {}", library, entry.symbol);
        ::dlclose(handle);
        return nullptr;
    }
    return driver;
}

std::string Driver::in_words(Code code) const {
    const char *name = nullptr, *text = nullptr;
    if (GetErrorName(code, &name) != 0 || !name) return fmt::format("CUDA error {}", code);
    if (GetErrorString(code, &text) != 0 || !text) return name;
    return fmt::format("{} ({})", name, text);
}

bool is_sticky(Driver::Code code) {
    static constexpr Driver::Code kSticky[] = {
        214,
        220,  // uncorrectable memory or NVLink error
        Driver::kIllegalAddress,
        702,  // illegal address, launch timeout
        709,
        710,  // context destroyed, a kernel's assert
        714,
        715,
        716,
        717,
        718,
        719,  // the kernel's own faults: stack, instruction, alignment, …
        721,
        999};
    for (Driver::Code one : kSticky)
        if (one == code) return true;
    return false;
}

}  // namespace lanewise
