#define FAKE_CUPTI ""  // this is it
#include "fake_cupti.h"

#include <cstring>

#include "gpu/cupti.h"

using namespace lanewise;

static FakeCupti fake;
extern "C" FakeCupti* the_fake_cupti() { return &fake; }

namespace {

constexpr int kWrongSize = 10, kWrongOrder = 7, kUnknownMetric = 17;

struct Host {
    std::vector<std::string> metrics;
};
struct Profiler {
    bool is_configured = false, is_automatic = false, is_started = false, is_pushed = false;
    int passes = 0;
};
bool is_initialized = false;

// Notes the call; the code to return. size: as far as the block's last member in CUDA 13.0.
template <typename Block>
int note(const char* symbol, const Block* block, size_t size) {
    fake.calls.push_back(symbol);
    if (block->size != size || block->reserved) return kWrongSize;
    auto told = fake.fail.find(symbol);
    return told == fake.fail.end() ? 0 : told->second;
}
Host* host_of(void* host) { return static_cast<Host*>(host); }
Profiler* profiler_of(void* profiler) { return static_cast<Profiler*>(profiler); }

}  // namespace

#define NOTED(symbol, size)                                \
    if (int code = note(symbol, block, size)) return code; \
    if (!is_initialized) return kWrongOrder

extern "C" {

int cuptiGetResultString(int code, const char** text) {
    static std::string words;
    words = "CUPTI_ERROR_" + std::to_string(code);
    return *text = words.c_str(), 0;
}
int cuptiGetVersion(uint32_t* version) { return *version = 130000, 0; }
int cuptiProfilerInitialize(cupti::Initialize* block) {
    is_initialized = true;
    NOTED("cuptiProfilerInitialize", 16);
    return 0;
}
int cuptiProfilerDeInitialize(cupti::DeInitialize*) { return 0; }
int cuptiProfilerDeviceSupported(cupti::DeviceSupported* block) {
    NOTED("cuptiProfilerDeviceSupported", 52);
    block->supported = fake.supported;
    block->architecture = block->sli = block->confidential = block->mining = block->wsl = 3;
    block->vgpu = fake.vgpu;
    return 0;
}
int cuptiDeviceGetChipName(cupti::GetChipName* block) {
    NOTED("cuptiDeviceGetChipName", 32);
    return block->chip = "FAKE100", 0;
}
int cuptiProfilerGetCounterAvailability(cupti::GetCounterAvailability* block) {
    NOTED("cuptiProfilerGetCounterAvailability", 40);
    if (block->image) std::memset(block->image, 7, block->image_bytes);
    return block->image_bytes = 5, 0;
}
int cuptiProfilerHostInitialize(cupti::HostInitialize* block) {
    NOTED("cuptiProfilerHostInitialize", 48);
    if (block->profiler_type != 0 || std::strcmp(block->chip, "FAKE100") != 0) return 1;
    if (!block->availability || block->availability[4] != 7) return 1;
    return block->host = new Host, ++fake.hosts, 0;
}
int cuptiProfilerHostDeinitialize(cupti::HostDeinitialize* block) {
    NOTED("cuptiProfilerHostDeinitialize", 24);
    delete host_of(block->host);
    return --fake.hosts, 0;
}
int cuptiProfilerHostConfigAddMetrics(cupti::HostConfigAddMetrics* block) {
    NOTED("cuptiProfilerHostConfigAddMetrics", 40);
    for (size_t i = 0; i < block->count; ++i) {
        if (!fake.values.count(block->names[i])) return kUnknownMetric;
        host_of(block->host)->metrics.push_back(block->names[i]);
    }
    return fake.asked = host_of(block->host)->metrics, 0;
}
int cuptiProfilerHostGetConfigImageSize(cupti::HostGetConfigImageSize* block) {
    NOTED("cuptiProfilerHostGetConfigImageSize", 32);
    return block->bytes = 3, 0;
}
int cuptiProfilerHostGetConfigImage(cupti::HostGetConfigImage* block) {
    NOTED("cuptiProfilerHostGetConfigImage", 40);
    return std::memset(block->image, 9, block->bytes), 0;
}
int cuptiProfilerHostGetNumOfPasses(cupti::HostGetNumOfPasses*) { return 0; }
int cuptiProfilerHostEvaluateToGpuValues(cupti::HostEvaluateToGpuValues* block) {
    NOTED("cuptiProfilerHostEvaluateToGpuValues", 72);
    if (block->counter_data_bytes != 11 || block->counter_data[0] != 2) return kWrongOrder;
    for (size_t i = 0; i < block->count; ++i) block->values[i] = fake.values[block->names[i]];
    return 0;
}
int cuptiRangeProfilerEnable(cupti::RangeEnable* block) {
    NOTED("cuptiRangeProfilerEnable", 32);
    if (!block->context) return 1;
    return block->profiler = new Profiler, ++fake.profilers, 0;
}
int cuptiRangeProfilerDisable(cupti::RangeDisable* block) {
    NOTED("cuptiRangeProfilerDisable", 24);
    delete profiler_of(block->profiler);
    return --fake.profilers, 0;
}
int cuptiRangeProfilerGetCounterDataSize(cupti::RangeGetCounterDataSize* block) {
    NOTED("cuptiRangeProfilerGetCounterDataSize", 64);
    if (block->most_ranges != 1 || block->most_nodes != 1) return 1;
    return block->bytes = 11, 0;
}
int cuptiRangeProfilerCounterDataImageInitialize(cupti::RangeInitializeCounterData* block) {
    NOTED("cuptiRangeProfilerCounterDataImageInitialize", 40);
    return block->image[0] = 1, 0;
}
static uint8_t* counter_data = nullptr;
int cuptiRangeProfilerSetConfig(cupti::RangeSetConfig* block) {
    NOTED("cuptiRangeProfilerSetConfig", 90);
    bool good = block->config_bytes == 3 && block->config[2] == 9 &&
                block->counter_data_bytes == 11 && block->counter_data[0] == 1 &&
                (block->range == 2 ? block->replay == 3 : block->replay == 2) &&
                block->most_ranges_per_pass == 1 && block->nesting_levels == 1 &&
                block->least_nesting_level == 1;
    counter_data = block->counter_data;
    profiler_of(block->profiler)->is_configured = good;
    profiler_of(block->profiler)->is_automatic = block->range == 1;
    return good ? 0 : 1;
}
int cuptiRangeProfilerStart(cupti::RangeStart* block) {
    NOTED("cuptiRangeProfilerStart", 24);
    Profiler* profiler = profiler_of(block->profiler);
    if (!profiler->is_configured || profiler->is_started) return kWrongOrder;
    return profiler->is_started = true, 0;
}
int cuptiRangeProfilerStop(cupti::RangeStop* block) {
    NOTED("cuptiRangeProfilerStop", 41);
    Profiler* profiler = profiler_of(block->profiler);
    if (!profiler->is_started || profiler->is_pushed) return kWrongOrder;
    profiler->is_started = false;
    block->all_passes_submitted = ++profiler->passes >= fake.passes;
    return 0;
}
int cuptiRangeProfilerPushRange(cupti::RangePush* block) {
    NOTED("cuptiRangeProfilerPushRange", 32);
    Profiler* profiler = profiler_of(block->profiler);
    bool may = profiler->is_started && !profiler->is_automatic && !profiler->is_pushed;
    if (!may || !block->name) return kWrongOrder;
    return profiler->is_pushed = true, 0;
}
int cuptiRangeProfilerPopRange(cupti::RangePop* block) {
    NOTED("cuptiRangeProfilerPopRange", 24);
    Profiler* profiler = profiler_of(block->profiler);
    if (!profiler->is_pushed) return kWrongOrder;
    return profiler->is_pushed = false, 0;
}
int cuptiRangeProfilerDecodeData(cupti::RangeDecodeData* block) {
    NOTED("cuptiRangeProfilerDecodeData", 32);
    Profiler* profiler = profiler_of(block->profiler);
    if (profiler->passes < (profiler->is_automatic ? 1 : fake.passes)) return kWrongOrder;
    counter_data[0] = 2;
    return block->dropped = 0, 0;
}
}
