#include "gpu/driver.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <array>
#include <cstdlib>

#include "gpu/math_library.h"

namespace lanewise {

// The suffixes are those of cuda.h's `#define cuMemAlloc cuMemAlloc_v2` and the like, all present
// in every driver since CUDA 12.0.
static auto driver_entries(Driver& api) {
    auto row = [](const char* symbol, auto& function) {
        return LibraryFunction(symbol, function);
    };
    return std::to_array<LibraryFunction>({
        row("cuInit", api.Init),
        row("cuDriverGetVersion", api.DriverGetVersion),
        row("cuGetErrorName", api.GetErrorName),
        row("cuGetErrorString", api.GetErrorString),
        row("cuDeviceGetCount", api.devices.GetCount),
        row("cuDeviceGet", api.devices.Get),
        row("cuDeviceGetName", api.devices.GetName),
        row("cuDeviceGetUuid_v2", api.devices.GetUuid),
        row("cuDeviceGetPCIBusId", api.devices.GetPCIBusId),
        row("cuDeviceGetAttribute", api.devices.GetAttribute),
        row("cuDeviceTotalMem_v2", api.devices.TotalMem),
        row("cuDevicePrimaryCtxRetain", api.devices.PrimaryCtxRetain),
        row("cuCtxSetCurrent", api.contexts.SetCurrent),
        row("cuCtxGetCurrent", api.contexts.GetCurrent),
        row("cuMemGetInfo_v2", api.memory.GetInfo),
        row("cuMemAlloc_v2", api.memory.Alloc),
        row("cuMemFree_v2", api.memory.Free),
        row("cuMemcpyHtoDAsync_v2", api.memory.MemcpyHtoDAsync),
        row("cuMemcpyDtoHAsync_v2", api.memory.MemcpyDtoHAsync),
        row("cuMemcpyDtoDAsync_v2", api.memory.MemcpyDtoDAsync),
        row("cuMemsetD32Async", api.memory.MemsetD32Async),
        row("cuModuleLoadDataEx", api.modules.LoadDataEx),
        row("cuModuleUnload", api.modules.Unload),
        row("cuModuleGetFunction", api.modules.GetFunction),
        row("cuModuleGetGlobal_v2", api.modules.GetGlobal),
        row("cuFuncSetAttribute", api.kernels.FuncSetAttribute),
        row("cuOccupancyMaxActiveBlocksPerMultiprocessor",
            api.kernels.OccupancyMaxActiveBlocksPerMultiprocessor),
        row("cuTensorMapEncodeTiled", api.kernels.TensorMapEncodeTiled),
        row("cuTensorMapEncodeIm2col", api.kernels.TensorMapEncodeIm2col),
        row("cuLaunchKernel", api.kernels.LaunchKernel),
        row("cuLaunchCooperativeKernel", api.kernels.LaunchCooperativeKernel),
        row("cuTexObjectCreate", api.textures.TexObjectCreate),
        row("cuTexObjectDestroy", api.textures.TexObjectDestroy),
        row("cuSurfObjectCreate", api.textures.SurfObjectCreate),
        row("cuSurfObjectDestroy", api.textures.SurfObjectDestroy),
        row("cuArray3DCreate_v2", api.textures.Array3DCreate),
        row("cuArrayDestroy", api.textures.ArrayDestroy),
        row("cuMemcpy2DAsync_v2", api.textures.Memcpy2DAsync),
        row("cuStreamCreate", api.streams.Create),
        row("cuStreamSynchronize", api.streams.Synchronize),
        row("cuStreamBeginCapture_v2", api.streams.BeginCapture),
        row("cuStreamEndCapture", api.streams.EndCapture),
        row("cuGraphInstantiateWithFlags", api.graphs.Instantiate),
        row("cuGraphLaunch", api.graphs.Launch),
        row("cuGraphExecDestroy", api.graphs.ExecDestroy),
        row("cuGraphDestroy", api.graphs.Destroy),
        row("cuEventCreate", api.events.Create),
        row("cuEventDestroy_v2", api.events.Destroy),
        row("cuEventRecord", api.events.Record),
        row("cuEventQuery", api.events.Query),
        row("cuEventSynchronize", api.events.Synchronize),
        row("cuEventElapsedTime", api.events.ElapsedTime),
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
    for (const LibraryFunction& entry : driver_entries(*driver)) {
        *entry.function = ::dlsym(handle, entry.name);
        if (*entry.function) continue;
        problem = fmt::format("the NVIDIA driver is too old: {} lacks {}", library, entry.name);
        ::dlclose(handle);
        return nullptr;
    }
    // Drivers before 520 have no clusters, and all else works with them.
    driver->kernels.LaunchKernelEx = reinterpret_cast<decltype(driver->kernels.LaunchKernelEx)>(
        ::dlsym(handle, "cuLaunchKernelEx"));
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
