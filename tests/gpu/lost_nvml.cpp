// An NVML for tests, whose card is lost after a few questions: what a machine says once a GPU has
// fallen off the bus.
namespace {
constexpr int kGpuIsLost = 15;  // NVML_ERROR_GPU_IS_LOST
int questions = 0;
int answer() { return ++questions > 5 ? kGpuIsLost : 0; }
}  // namespace

extern "C" {
int nvmlInit_v2() { return 0; }
int nvmlSystemGetDriverVersion(char* text, unsigned length) {
    const char version[] = "580.0";
    for (unsigned i = 0; i < sizeof version && i < length; ++i) text[i] = version[i];
    return 0;
}
int nvmlDeviceGetHandleByPciBusId_v2(const char*, void** device) {
    *device = &questions;
    return 0;
}
int nvmlDeviceGetClockInfo(void*, int, unsigned* mhz) {
    *mhz = 1980;
    return answer();
}
int nvmlDeviceGetCurrentClocksThrottleReasons(void*, unsigned long long* reasons) {
    *reasons = 0;
    return answer();
}
}
