#include "fake_nvml.h"

#include <cstring>

static FakeNvml fake;
extern "C" {

FakeNvml* the_fake_nvml() { return &fake; }

int nvmlInit_v2() { return 0; }
int nvmlSystemGetDriverVersion(char* text, unsigned length) {
    return std::strncpy(text, "1.2.3", length), 0;
}
int nvmlDeviceGetHandleByPciBusId_v2(const char*, void** device) { return *device = &fake, 0; }
int nvmlDeviceGetClockInfo(void*, int, unsigned* mhz) {
    *mhz = fake.sm_clock_mhz;
    fake.sm_clock_mhz = fake.then_mhz;
    return 0;
}
int nvmlDeviceGetCurrentClocksThrottleReasons(void*, unsigned long long* reasons) {
    ++fake.answers;
    *reasons = fake.hot_answers > 0 ? 0x40 : 0x1;  // too hot; idle, which is no reason
    if (fake.hot_answers > 0) --fake.hot_answers;
    return 0;
}
}
