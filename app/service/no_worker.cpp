// Where no kernel can run: a browser has neither processes nor graphics cards. Whatever needs them says
// so; everything else is answered as elsewhere.
#include "base/browser.h"
#include "service/gpu_worker.h"
#include "service/kernel_runs.h"

namespace lanewise {

GpuWorker& gpu_worker() {
    throw Error(Status::needs_gpu, std::string("Nothing can be measured here: ") + kWantsDesktop);
}

nlohmann::json run_in_worker(GpuWorker& worker, const std::string&, const nlohmann::json&,
                             const Progress&, const CancelFlag*) {
    (void)worker;
    return {};  // gpu_worker() has refused by then
}

}  // namespace lanewise
