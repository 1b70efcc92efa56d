// Kernels run in a worker, a process of its own: what a kernel breaks is that process, and the next
// one already waits. The engine itself never initialises the CUDA driver.
#pragma once
#include <future>
#include <memory>
#include <mutex>
#include <vector>

#include "base/error.h"
#include "gpu/device.h"
#include "lab/job/measurement.h"
#include "service/worker_process.h"

namespace lanewise {

// The worker ended, or had to be ended, in the middle of a job.
class WorkerLost : public Error {
  public:
    WorkerLost(Status status, const std::string& message, std::string kind, CapturedText printed)
        : Error(status, message), kind_(std::move(kind)), printed_(std::move(printed)) {}
    const std::string& kind() const { return kind_; }  // a Gpu::fault(), or killed
    const CapturedText& printed() const { return printed_; }

  private:
    std::string kind_;
    CapturedText printed_;
};

class GpuWorker {
  public:
    // command: starts a worker, which answers on descriptor 3. With a spare, a second process has
    // the driver ready whenever the first one is lost.
    // silence_limit_s: a worker that shows no sign of life for so long, where it should twice a
    // second, is given up.
    GpuWorker(std::vector<std::string> command, bool with_spare, double silence_limit_s = 15);
    ~GpuWorker();  // leaves no process behind

    // What the worker says of the GPU; starts it where none runs. Never throws.
    GpuStatus status();

    struct Reply {
        nlohmann::json result;
        CapturedText printed;
    };
    // Throws what the method threw in the worker as Error or DetailedError; Cancelled soon after
    // `cancel` is set (it may cost the worker); WorkerLost. One call at a time: others wait.
    Reply call(const std::string& method, const nlohmann::json& params, const Progress& progress,
               const CancelFlag* cancel);

    void renew();      // the spare takes over: where the worker holds what others need
    int process_id();  // 0 where none runs

  private:
    struct Call;
    WorkerProcess& ready();
    void retire();  // the worker ends in the background; the spare takes its place
    std::optional<nlohmann::json> receive(const Call& call);
    std::optional<Reply> take(Call& call, nlohmann::json& message);
    void press(Call& call);
    [[noreturn]] void lose(const Call& call, Status status, const std::string& what,
                           const std::string& kind);

    std::vector<std::string> command_;
    bool with_spare_;
    double silence_limit_s_;
    std::mutex mutex_;
    std::unique_ptr<WorkerProcess> worker_, spare_;
    std::vector<std::future<void>> ending_;
    uint64_t last_id_ = 0;
};

// The engine's own: `lanewise-engine worker` beside this program, started at the first use.
GpuWorker& gpu_worker();
// Makes gpu_status() ask it, where there is a driver at all. Before anything asks for the GPU.
// `gpu`: see choose_gpu. with_spare: for an engine that goes on after a crash.
void use_gpu_worker(const std::string& gpu, bool with_spare);
// Makes its workers live in a sandbox (sandbox.h). Throws Error(bad_input) where there is none.
void use_sandbox();

}  // namespace lanewise
