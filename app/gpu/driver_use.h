// How gpu/ calls the driver: every status checked, every call marked (driver_call.h), and none after
// an error that only a new process cures.
#pragma once
#include <atomic>
#include <string>

#include "gpu/driver.h"
#include "gpu/driver_call.h"

namespace lanewise {

// Set at the first sticky error and by Gpu::abandon(); owners then free nothing, because a call into
// a context whose kernel hangs would hang too. The process's end frees everything.
extern std::atomic<bool> gpu_is_lost;
extern std::atomic<Driver::Code> fault_code;

// Throws Error(failed_check) for every code but success; `what` completes "the GPU refused …".
void check_driver(Driver::Code code, const std::string& what);

// The driver for as long as this lives, and marked as being called.
class UsableDriver {
  public:
    explicit UsableDriver(const Driver& api, double limit_s = DriverCall::kWorkLimitS)
        : api_(api), call_(limit_s) {}
    const Driver* operator->() const { return &api_; }

  private:
    const Driver& api_;
    DriverCall call_;
};

// Throws Error: needs_gpu where there is none, failed_check where it is lost.
const Driver& usable_api();
inline UsableDriver usable_driver() { return UsableDriver(usable_api()); }

// For destructors, which ignore the status: what failed was reported by the call that made it fail.
template <typename Free>
void release(Free&& free) {
    if (const Driver* api = the_driver(); api && !gpu_is_lost) {
        DriverCall call;
        free(*api);
    }
}

}  // namespace lanewise
