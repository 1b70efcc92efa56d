#include "gpu/driver_use.h"

#include <fmt/format.h>

#include "base/error.h"

namespace lanewise {

std::atomic<bool> gpu_is_lost = false;
std::atomic<Driver::Code> fault_code = 0;

static std::string after_a_fault(const Driver& api, Driver::Code code) {
    const char* what = "the kernel or the card failed";
    if (code == Driver::kIllegalAddress || code == 717)
        what = "the kernel read or wrote memory that is not its own";
    if (code == 716) what = "the kernel read or wrote an address that its type does not allow";
    return fmt::format("{}: {}", what, api.in_words(code));
}

void check_driver(Driver::Code code, const std::string& what) {
    if (code == 0) return;
    const Driver& api = *the_driver();
    if (is_sticky(code)) {
        fault_code = code;
        gpu_is_lost = true;
        throw Error(Status::failed_check, after_a_fault(api, code));
    }
    throw Error(Status::failed_check,
                fmt::format("the GPU refused {}: {}", what, api.in_words(code)));
}

const Driver& usable_api() {
    if (!the_driver()) throw Error(Status::needs_gpu, gpu_status().problem);
    if (gpu_is_lost)
        throw Error(Status::failed_check,
                    "an earlier kernel lost the GPU for this process: a new one has to be started");
    return *the_driver();
}

}  // namespace lanewise
