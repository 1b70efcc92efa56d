// CUPTI's C API, loaded at run time: our own declarations, so that building needs no toolkit. Only
// gpu/ includes this. What each call does: CUPTI's documentation, "Profiler Host API" and "Range
// Profiling API" (CUDA 12.6 and later). Where the toolkit's headers are at hand, a test holds these
// parameter blocks to theirs, member by member.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace lanewise {

// Each call takes a pointer to one block, which begins with its own size as far as its last member
// (without padding behind it: that is how CUPTI tells versions apart) and a null pointer.
namespace cupti {

struct Block {
    size_t size = 0;
    void* reserved = nullptr;
};
struct Initialize : Block {};
struct DeInitialize : Block {};
// The answers are one of Support for each thing that may stand in the way.
enum Support : int { kUnknown, kUnsupported, kDisabled, kSupported };
struct DeviceSupported : Block {
    int device = 0;  // a CUdevice
    int supported = 0, architecture = 0, sli = 0, vgpu = 0, confidential = 0, mining = 0, wsl = 0;
    int api = 0;  // 0: the range profiler
};
struct GetChipName : Block {
    size_t device_index = 0;
    const char* chip = nullptr;
};
struct GetCounterAvailability : Block {
    void* context = nullptr;
    size_t image_bytes = 0;
    uint8_t* image = nullptr;  // null: only the size is asked for
};
struct HostInitialize : Block {
    int profiler_type = 0;  // 0: the range profiler
    const char* chip = nullptr;
    const uint8_t* availability = nullptr;
    void* host = nullptr;
};
struct HostDeinitialize : Block {
    void* host = nullptr;
};
struct HostConfigAddMetrics : Block {
    void* host = nullptr;
    const char** names = nullptr;
    size_t count = 0;
};
struct HostGetConfigImageSize : Block {
    void* host = nullptr;
    size_t bytes = 0;
};
struct HostGetConfigImage : Block {
    void* host = nullptr;
    size_t bytes = 0;
    uint8_t* image = nullptr;
};
struct HostGetNumOfPasses : Block {
    size_t bytes = 0;
    uint8_t* image = nullptr;
    size_t passes = 0;
};
struct HostEvaluateToGpuValues : Block {
    void* host = nullptr;
    const uint8_t* counter_data = nullptr;
    size_t counter_data_bytes = 0;
    size_t range = 0;
    const char** names = nullptr;
    size_t count = 0;
    double* values = nullptr;
};
struct RangeEnable : Block {
    void* context = nullptr;
    void* profiler = nullptr;
};
struct RangeDisable : Block {
    void* profiler = nullptr;
};
struct RangeGetCounterDataSize : Block {
    void* profiler = nullptr;
    const char** names = nullptr;
    size_t count = 0;
    size_t most_ranges = 0;
    uint32_t most_nodes = 0;
    size_t bytes = 0;
};
struct RangeInitializeCounterData : Block {
    void* profiler = nullptr;
    size_t bytes = 0;
    uint8_t* image = nullptr;
};
struct RangeSetConfig : Block {
    void* profiler = nullptr;
    size_t config_bytes = 0;
    const uint8_t* config = nullptr;
    size_t counter_data_bytes = 0;
    uint8_t* counter_data = nullptr;
    int range = 0, replay = 0;  // kUserRange, kUserReplay, …
    size_t most_ranges_per_pass = 0;
    uint16_t nesting_levels = 0, least_nesting_level = 0;
    size_t pass = 0;
    uint16_t target_nesting_level = 0;
};
inline constexpr int kAutoRange = 1, kUserRange = 2;      // CUpti_ProfilerRange
inline constexpr int kKernelReplay = 2, kUserReplay = 3;  // CUpti_ProfilerReplayMode
struct RangeStart : Block {
    void* profiler = nullptr;
};
struct RangeStop : Block {
    void* profiler = nullptr;
    size_t pass = 0, target_nesting_level = 0;
    uint8_t all_passes_submitted = 0;
};
struct RangePush : Block {
    void* profiler = nullptr;
    const char* name = nullptr;
};
struct RangePop : Block {
    void* profiler = nullptr;
};
struct RangeDecodeData : Block {
    void* profiler = nullptr;
    size_t dropped = 0;
};

// The size that a block must say.
size_t size_of(const Initialize&);
size_t size_of(const DeInitialize&);
size_t size_of(const DeviceSupported&);
size_t size_of(const GetChipName&);
size_t size_of(const GetCounterAvailability&);
size_t size_of(const HostInitialize&);
size_t size_of(const HostDeinitialize&);
size_t size_of(const HostConfigAddMetrics&);
size_t size_of(const HostGetConfigImageSize&);
size_t size_of(const HostGetConfigImage&);
size_t size_of(const HostGetNumOfPasses&);
size_t size_of(const HostEvaluateToGpuValues&);
size_t size_of(const RangeEnable&);
size_t size_of(const RangeDisable&);
size_t size_of(const RangeGetCounterDataSize&);
size_t size_of(const RangeInitializeCounterData&);
size_t size_of(const RangeSetConfig&);
size_t size_of(const RangeStart&);
size_t size_of(const RangeStop&);
size_t size_of(const RangePush&);
size_t size_of(const RangePop&);
size_t size_of(const RangeDecodeData&);

}  // namespace cupti

struct Cupti {
    using Code = int;  // CUptiResult; 0 is success
    enum : Code {
        kNotSupported = 27,
        kVirtualized = 33,
        kInsufficientPrivileges = 35,
        kOtherProfiler = 39,
        kVirtualizedPrivileges = 40,
        kInvalidMetric = 17,
        kHardwareBusy = 26,
    };

    Code (*GetResultString)(Code, const char**) = nullptr;
    Code (*GetVersion)(uint32_t*) = nullptr;
    Code (*Initialize)(cupti::Initialize*) = nullptr;
    Code (*DeInitialize)(cupti::DeInitialize*) = nullptr;
    Code (*DeviceSupported)(cupti::DeviceSupported*) = nullptr;
    Code (*GetChipName)(cupti::GetChipName*) = nullptr;
    Code (*GetCounterAvailability)(cupti::GetCounterAvailability*) = nullptr;
    Code (*HostInitialize)(cupti::HostInitialize*) = nullptr;
    Code (*HostDeinitialize)(cupti::HostDeinitialize*) = nullptr;
    Code (*HostConfigAddMetrics)(cupti::HostConfigAddMetrics*) = nullptr;
    Code (*HostGetConfigImageSize)(cupti::HostGetConfigImageSize*) = nullptr;
    Code (*HostGetConfigImage)(cupti::HostGetConfigImage*) = nullptr;
    Code (*HostGetNumOfPasses)(cupti::HostGetNumOfPasses*) = nullptr;
    Code (*HostEvaluateToGpuValues)(cupti::HostEvaluateToGpuValues*) = nullptr;
    Code (*RangeEnable)(cupti::RangeEnable*) = nullptr;
    Code (*RangeDisable)(cupti::RangeDisable*) = nullptr;
    Code (*RangeGetCounterDataSize)(cupti::RangeGetCounterDataSize*) = nullptr;
    Code (*RangeInitializeCounterData)(cupti::RangeInitializeCounterData*) = nullptr;
    Code (*RangeSetConfig)(cupti::RangeSetConfig*) = nullptr;
    Code (*RangeStart)(cupti::RangeStart*) = nullptr;
    Code (*RangeStop)(cupti::RangeStop*) = nullptr;
    Code (*RangePush)(cupti::RangePush*) = nullptr;
    Code (*RangePop)(cupti::RangePop*) = nullptr;
    Code (*RangeDecodeData)(cupti::RangeDecodeData*) = nullptr;

    std::string library;  // as it was found

    std::string in_words(Code code) const;  // "CUPTI_ERROR_NOT_SUPPORTED"
};

// Where CUPTI is looked for, in order: $LANEWISE_CUPTI alone where set (a path, for tests), else
// the loader's own search, $CUDA_HOME, /usr/local/cuda and the distribution's folder.
std::vector<std::string> cupti_libraries();

// Loads the first of `libraries` that there is; null with the reason and what to do in `problem`.
// It stays loaded for the life of the process.
std::unique_ptr<const Cupti> load_cupti(const std::vector<std::string>& libraries,
                                        std::string& problem);

}  // namespace lanewise
