#include "gpu/nvml.h"

#include <dlfcn.h>

#include <cstdlib>

namespace lanewise {

static constexpr int kSmClock = 1;  // NVML_CLOCK_SM

namespace {
struct Reason {
    unsigned long long bit;  // nvmlClocksEventReason…
    const char* words;
};
}  // namespace
// Idle and clocks set by an administrator are not here: they are how this card runs.
static constexpr Reason kReasons[] = {
    {0x04, "it is at its power limit"},       {0x20, "it is too hot (software limit)"},
    {0x40, "it is too hot (hardware limit)"}, {0x80, "its power supply asks it to"},
    {0x08, "the hardware slows it down"},
};

struct Nvml::Api {
    int (*Init)() = nullptr;
    int (*SystemGetDriverVersion)(char*, unsigned length) = nullptr;
    int (*DeviceGetHandleByPciBusId)(const char*, void** device) = nullptr;
    int (*DeviceGetClockInfo)(void* device, int which, unsigned* mhz) = nullptr;
    int (*DeviceGetThrottleReasons)(void* device, unsigned long long*) = nullptr;
};

Nvml::Nvml(const std::string& pci_bus_id) {
    const char* told = std::getenv("LANEWISE_NVML");  // a path, for tests
    void* library = ::dlopen(told && *told ? told : "libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL);
    if (!library) return;
    auto api = std::make_unique<Api>();
    auto find = [&](auto& function, const char* symbol) {
        function =
            reinterpret_cast<std::remove_reference_t<decltype(function)>>(::dlsym(library, symbol));
        return function != nullptr;
    };
    bool complete =
        find(api->Init, "nvmlInit_v2") &&
        find(api->SystemGetDriverVersion, "nvmlSystemGetDriverVersion") &&
        find(api->DeviceGetHandleByPciBusId, "nvmlDeviceGetHandleByPciBusId_v2") &&
        find(api->DeviceGetClockInfo, "nvmlDeviceGetClockInfo") &&
        find(api->DeviceGetThrottleReasons, "nvmlDeviceGetCurrentClocksThrottleReasons");
    if (!complete || api->Init() != 0) return;
    if (api->DeviceGetHandleByPciBusId(pci_bus_id.c_str(), &device_) != 0) device_ = nullptr;
    api_ = std::move(api);
}

Nvml::~Nvml() = default;

std::string Nvml::driver_version() const {
    char text[96] = {};
    if (!api_ || api_->SystemGetDriverVersion(text, sizeof text - 1) != 0) return "";
    return text;
}

double Nvml::sm_clock_mhz() const {
    unsigned mhz = 0;
    if (!device_ || api_->DeviceGetClockInfo(device_, kSmClock, &mhz) != 0) return 0;
    return mhz;
}

std::string Nvml::slowed_down_by() const {
    unsigned long long bits = 0;
    if (!device_ || api_->DeviceGetThrottleReasons(device_, &bits) != 0) return "";
    for (const Reason& reason : kReasons)
        if (bits & reason.bit) return reason.words;
    return "";
}

}  // namespace lanewise
