#include "gpu/cupti.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <array>
#include <cstdlib>

#include "gpu/math_library.h"

namespace lanewise {

namespace cupti {

template <typename T, typename Member>
static size_t up_to(const T& block, const Member& last) {
    return static_cast<size_t>(reinterpret_cast<const char*>(&last) -
                               reinterpret_cast<const char*>(&block)) +
           sizeof last;
}
size_t size_of(const Initialize& b) { return up_to(b, b.reserved); }
size_t size_of(const DeInitialize& b) { return up_to(b, b.reserved); }
size_t size_of(const DeviceSupported& b) { return up_to(b, b.api); }
size_t size_of(const GetChipName& b) { return up_to(b, b.chip); }
size_t size_of(const GetCounterAvailability& b) { return up_to(b, b.image); }
size_t size_of(const HostInitialize& b) { return up_to(b, b.host); }
size_t size_of(const HostDeinitialize& b) { return up_to(b, b.host); }
size_t size_of(const HostConfigAddMetrics& b) { return up_to(b, b.count); }
size_t size_of(const HostGetConfigImageSize& b) { return up_to(b, b.bytes); }
size_t size_of(const HostGetConfigImage& b) { return up_to(b, b.image); }
size_t size_of(const HostGetNumOfPasses& b) { return up_to(b, b.passes); }
size_t size_of(const HostEvaluateToGpuValues& b) { return up_to(b, b.values); }
size_t size_of(const RangeEnable& b) { return up_to(b, b.profiler); }
size_t size_of(const RangeDisable& b) { return up_to(b, b.profiler); }
size_t size_of(const RangeGetCounterDataSize& b) { return up_to(b, b.bytes); }
size_t size_of(const RangeInitializeCounterData& b) { return up_to(b, b.image); }
size_t size_of(const RangeSetConfig& b) { return up_to(b, b.target_nesting_level); }
size_t size_of(const RangeStart& b) { return up_to(b, b.profiler); }
size_t size_of(const RangeStop& b) { return up_to(b, b.all_passes_submitted); }
size_t size_of(const RangePush& b) { return up_to(b, b.name); }
size_t size_of(const RangePop& b) { return up_to(b, b.profiler); }
size_t size_of(const RangeDecodeData& b) { return up_to(b, b.dropped); }

}  // namespace cupti

static auto cupti_entries(Cupti& api) {
    auto row = [](const char* symbol, auto& function) {
        return LibraryFunction(symbol, function);
    };
    return std::to_array<LibraryFunction>({
        row("cuptiGetResultString", api.GetResultString),
        row("cuptiGetVersion", api.GetVersion),
        row("cuptiProfilerInitialize", api.Initialize),
        row("cuptiProfilerDeInitialize", api.DeInitialize),
        row("cuptiProfilerDeviceSupported", api.DeviceSupported),
        row("cuptiDeviceGetChipName", api.GetChipName),
        row("cuptiProfilerGetCounterAvailability", api.GetCounterAvailability),
        row("cuptiProfilerHostInitialize", api.HostInitialize),
        row("cuptiProfilerHostDeinitialize", api.HostDeinitialize),
        row("cuptiProfilerHostConfigAddMetrics", api.HostConfigAddMetrics),
        row("cuptiProfilerHostGetConfigImageSize", api.HostGetConfigImageSize),
        row("cuptiProfilerHostGetConfigImage", api.HostGetConfigImage),
        row("cuptiProfilerHostGetNumOfPasses", api.HostGetNumOfPasses),
        row("cuptiProfilerHostEvaluateToGpuValues", api.HostEvaluateToGpuValues),
        row("cuptiRangeProfilerEnable", api.RangeEnable),
        row("cuptiRangeProfilerDisable", api.RangeDisable),
        row("cuptiRangeProfilerGetCounterDataSize", api.RangeGetCounterDataSize),
        row("cuptiRangeProfilerCounterDataImageInitialize", api.RangeInitializeCounterData),
        row("cuptiRangeProfilerSetConfig", api.RangeSetConfig),
        row("cuptiRangeProfilerStart", api.RangeStart),
        row("cuptiRangeProfilerStop", api.RangeStop),
        row("cuptiRangeProfilerPushRange", api.RangePush),
        row("cuptiRangeProfilerPopRange", api.RangePop),
        row("cuptiRangeProfilerDecodeData", api.RangeDecodeData),
    });
}

std::vector<std::string> cupti_libraries() {
    const char* told = std::getenv("LANEWISE_CUPTI");
    if (told && *told) return {told};
    std::vector<std::string> folders = {""};  // wherever the loader looks
    const char* home = std::getenv("CUDA_HOME");
    for (std::string root : {std::string(home ? home : ""), std::string("/usr/local/cuda")})
        if (!root.empty())
            for (const char* folder : {"/lib64/", "/extras/CUPTI/lib64/", "/lib/"})
                folders.push_back(root + folder);
    folders.emplace_back("/usr/lib/x86_64-linux-gnu/");
    std::vector<std::string> libraries;
    for (const std::string& folder : folders)
        for (const char* name : {"libcupti.so.13", "libcupti.so.12"})
            libraries.push_back(folder + name);
    return libraries;
}

std::unique_ptr<const Cupti> load_cupti(const std::vector<std::string>& libraries,
                                        std::string& problem) {
    problem =
        "CUPTI, which reads the counters, is not here: install the CUDA toolkit's package "
        "cuda-cupti, or set CUDA_HOME to the toolkit's folder";
    for (const std::string& library : libraries) {
        void* handle = ::dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
        if (!handle) continue;
        auto api = std::make_unique<Cupti>();
        const char* missing = nullptr;
        for (const LibraryFunction& entry : cupti_entries(*api)) {
            *entry.function = ::dlsym(handle, entry.name);
            if (!*entry.function) missing = entry.name;
        }
        if (!missing) {
            api->library = library;
            problem.clear();
            return api;
        }
        ::dlclose(handle);
        problem = fmt::format("CUPTI is too old: {} lacks {}: install that of CUDA 12.6 or newer",
                              library, missing);
    }
    return nullptr;
}

std::string Cupti::in_words(Code code) const {
    const char* name = nullptr;
    if (GetResultString(code, &name) != 0 || !name) return fmt::format("CUPTI error {}", code);
    return name;
}

}  // namespace lanewise
