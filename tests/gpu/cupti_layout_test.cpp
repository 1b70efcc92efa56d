// Our parameter blocks against those of the toolkit's headers, member by member. Built only where
// the headers are.
#include <cupti_profiler_host.h>
#include <cupti_profiler_target.h>
#include <cupti_range_profiler.h>
#include <cupti_target.h>
#include <gtest/gtest.h>

#include <cstring>

#include "gpu/cupti.h"

namespace lanewise {

namespace {

// Where `member` begins in `block`.
template <typename Block, typename Member>
size_t offset(const Block& block, const Member& member) {
    return static_cast<size_t>(reinterpret_cast<const char*>(&member) -
                               reinterpret_cast<const char*>(&block));
}

template <typename Ours>
void expect_size(const Ours& ours, size_t theirs, const char* name) {
    EXPECT_EQ(theirs, cupti::size_of(ours)) << name;
    EXPECT_EQ(0u, offset(ours, ours.size)) << name;
    EXPECT_EQ(8u, offset(ours, ours.reserved)) << name;
}

}  // namespace

#define SIZE(ours, theirs) expect_size(cupti::ours{}, CUpti_##theirs##_Params_STRUCT_SIZE, #theirs)
#define MEMBER(ours, member, theirs, name)                                               \
    {                                                                                    \
        cupti::ours block;                                                               \
        EXPECT_EQ(offsetof(CUpti_##theirs##_Params, name), offset(block, block.member)); \
        EXPECT_EQ(sizeof(CUpti_##theirs##_Params::name), sizeof block.member);           \
    }

TEST(CuptiLayout, SizesAreTheHeaders) {
    SIZE(Initialize, Profiler_Initialize);
    SIZE(DeInitialize, Profiler_DeInitialize);
    SIZE(DeviceSupported, Profiler_DeviceSupported);
    SIZE(GetChipName, Device_GetChipName);
    SIZE(GetCounterAvailability, Profiler_GetCounterAvailability);
    SIZE(HostInitialize, Profiler_Host_Initialize);
    SIZE(HostDeinitialize, Profiler_Host_Deinitialize);
    SIZE(HostConfigAddMetrics, Profiler_Host_ConfigAddMetrics);
    SIZE(HostGetConfigImageSize, Profiler_Host_GetConfigImageSize);
    SIZE(HostGetConfigImage, Profiler_Host_GetConfigImage);
    SIZE(HostGetNumOfPasses, Profiler_Host_GetNumOfPasses);
    SIZE(HostEvaluateToGpuValues, Profiler_Host_EvaluateToGpuValues);
    SIZE(RangeEnable, RangeProfiler_Enable);
    SIZE(RangeDisable, RangeProfiler_Disable);
    SIZE(RangeGetCounterDataSize, RangeProfiler_GetCounterDataSize);
    SIZE(RangeInitializeCounterData, RangeProfiler_CounterDataImage_Initialize);
    SIZE(RangeSetConfig, RangeProfiler_SetConfig);
    SIZE(RangeStart, RangeProfiler_Start);
    SIZE(RangeStop, RangeProfiler_Stop);
    SIZE(RangePush, RangeProfiler_PushRange);
    SIZE(RangePop, RangeProfiler_PopRange);
    SIZE(RangeDecodeData, RangeProfiler_DecodeData);
}

TEST(CuptiLayout, MembersLieWhereTheHeadersHaveThem) {
    MEMBER(DeviceSupported, device, Profiler_DeviceSupported, cuDevice);
    MEMBER(DeviceSupported, supported, Profiler_DeviceSupported, isSupported);
    MEMBER(DeviceSupported, architecture, Profiler_DeviceSupported, architecture);
    MEMBER(DeviceSupported, sli, Profiler_DeviceSupported, sli);
    MEMBER(DeviceSupported, vgpu, Profiler_DeviceSupported, vGpu);
    MEMBER(DeviceSupported, confidential, Profiler_DeviceSupported, confidentialCompute);
    MEMBER(DeviceSupported, mining, Profiler_DeviceSupported, cmp);
    MEMBER(DeviceSupported, wsl, Profiler_DeviceSupported, wsl);
    MEMBER(DeviceSupported, api, Profiler_DeviceSupported, api);
    MEMBER(GetChipName, device_index, Device_GetChipName, deviceIndex);
    MEMBER(GetChipName, chip, Device_GetChipName, pChipName);
    MEMBER(GetCounterAvailability, context, Profiler_GetCounterAvailability, ctx);
    MEMBER(GetCounterAvailability, image_bytes, Profiler_GetCounterAvailability,
           counterAvailabilityImageSize);
    MEMBER(GetCounterAvailability, image, Profiler_GetCounterAvailability,
           pCounterAvailabilityImage);
    MEMBER(HostInitialize, profiler_type, Profiler_Host_Initialize, profilerType);
    MEMBER(HostInitialize, chip, Profiler_Host_Initialize, pChipName);
    MEMBER(HostInitialize, availability, Profiler_Host_Initialize, pCounterAvailabilityImage);
    MEMBER(HostInitialize, host, Profiler_Host_Initialize, pHostObject);
    MEMBER(HostConfigAddMetrics, host, Profiler_Host_ConfigAddMetrics, pHostObject);
    MEMBER(HostConfigAddMetrics, names, Profiler_Host_ConfigAddMetrics, ppMetricNames);
    MEMBER(HostConfigAddMetrics, count, Profiler_Host_ConfigAddMetrics, numMetrics);
    MEMBER(HostGetConfigImageSize, bytes, Profiler_Host_GetConfigImageSize, configImageSize);
    MEMBER(HostGetConfigImage, bytes, Profiler_Host_GetConfigImage, configImageSize);
    MEMBER(HostGetConfigImage, image, Profiler_Host_GetConfigImage, pConfigImage);
    MEMBER(HostGetNumOfPasses, image, Profiler_Host_GetNumOfPasses, pConfigImage);
    MEMBER(HostGetNumOfPasses, passes, Profiler_Host_GetNumOfPasses, numOfPasses);
    MEMBER(HostEvaluateToGpuValues, counter_data, Profiler_Host_EvaluateToGpuValues,
           pCounterDataImage);
    MEMBER(HostEvaluateToGpuValues, counter_data_bytes, Profiler_Host_EvaluateToGpuValues,
           counterDataImageSize);
    MEMBER(HostEvaluateToGpuValues, range, Profiler_Host_EvaluateToGpuValues, rangeIndex);
    MEMBER(HostEvaluateToGpuValues, names, Profiler_Host_EvaluateToGpuValues, ppMetricNames);
    MEMBER(HostEvaluateToGpuValues, count, Profiler_Host_EvaluateToGpuValues, numMetrics);
    MEMBER(HostEvaluateToGpuValues, values, Profiler_Host_EvaluateToGpuValues, pMetricValues);
    MEMBER(RangeEnable, context, RangeProfiler_Enable, ctx);
    MEMBER(RangeEnable, profiler, RangeProfiler_Enable, pRangeProfilerObject);
    MEMBER(RangeGetCounterDataSize, names, RangeProfiler_GetCounterDataSize, pMetricNames);
    MEMBER(RangeGetCounterDataSize, count, RangeProfiler_GetCounterDataSize, numMetrics);
    MEMBER(RangeGetCounterDataSize, most_ranges, RangeProfiler_GetCounterDataSize, maxNumOfRanges);
    MEMBER(RangeGetCounterDataSize, most_nodes, RangeProfiler_GetCounterDataSize,
           maxNumRangeTreeNodes);
    MEMBER(RangeGetCounterDataSize, bytes, RangeProfiler_GetCounterDataSize, counterDataSize);
    MEMBER(RangeInitializeCounterData, bytes, RangeProfiler_CounterDataImage_Initialize,
           counterDataSize);
    MEMBER(RangeInitializeCounterData, image, RangeProfiler_CounterDataImage_Initialize,
           pCounterData);
    MEMBER(RangeSetConfig, config_bytes, RangeProfiler_SetConfig, configSize);
    MEMBER(RangeSetConfig, config, RangeProfiler_SetConfig, pConfig);
    MEMBER(RangeSetConfig, counter_data_bytes, RangeProfiler_SetConfig, counterDataImageSize);
    MEMBER(RangeSetConfig, counter_data, RangeProfiler_SetConfig, pCounterDataImage);
    MEMBER(RangeSetConfig, range, RangeProfiler_SetConfig, range);
    MEMBER(RangeSetConfig, replay, RangeProfiler_SetConfig, replayMode);
    MEMBER(RangeSetConfig, most_ranges_per_pass, RangeProfiler_SetConfig, maxRangesPerPass);
    MEMBER(RangeSetConfig, nesting_levels, RangeProfiler_SetConfig, numNestingLevels);
    MEMBER(RangeSetConfig, least_nesting_level, RangeProfiler_SetConfig, minNestingLevel);
    MEMBER(RangeSetConfig, pass, RangeProfiler_SetConfig, passIndex);
    MEMBER(RangeSetConfig, target_nesting_level, RangeProfiler_SetConfig, targetNestingLevel);
    MEMBER(RangeStop, all_passes_submitted, RangeProfiler_Stop, isAllPassSubmitted);
    MEMBER(RangePush, name, RangeProfiler_PushRange, pRangeName);
    MEMBER(RangeDecodeData, dropped, RangeProfiler_DecodeData, numOfRangeDropped);
}

TEST(CuptiLayout, NumbersAreTheHeaders) {
    EXPECT_EQ(int{CUPTI_UserRange}, cupti::kUserRange);
    EXPECT_EQ(int{CUPTI_AutoRange}, cupti::kAutoRange);
    EXPECT_EQ(int{CUPTI_UserReplay}, cupti::kUserReplay);
    EXPECT_EQ(int{CUPTI_KernelReplay}, cupti::kKernelReplay);
    EXPECT_EQ(0, int{CUPTI_PROFILER_TYPE_RANGE_PROFILER});
    EXPECT_EQ(0, int{CUPTI_PROFILER_RANGE_PROFILING});
    EXPECT_EQ(int{CUPTI_PROFILER_CONFIGURATION_SUPPORTED}, int{cupti::kSupported});
    EXPECT_EQ(int{CUPTI_ERROR_INSUFFICIENT_PRIVILEGES}, int{Cupti::kInsufficientPrivileges});
    EXPECT_EQ(int{CUPTI_ERROR_NOT_SUPPORTED}, int{Cupti::kNotSupported});
    EXPECT_EQ(int{CUPTI_ERROR_HARDWARE_BUSY}, int{Cupti::kHardwareBusy});
    EXPECT_EQ(int{CUPTI_ERROR_INVALID_METRIC_NAME}, int{Cupti::kInvalidMetric});
    EXPECT_EQ(int{CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED}, int{Cupti::kOtherProfiler});
    EXPECT_EQ(int{CUPTI_ERROR_VIRTUALIZED_DEVICE_NOT_SUPPORTED}, int{Cupti::kVirtualized});
    EXPECT_EQ(int{CUPTI_ERROR_VIRTUALIZED_DEVICE_INSUFFICIENT_PRIVILEGES},
              int{Cupti::kVirtualizedPrivileges});
}

}  // namespace lanewise
