// Engines that share a GPU measure one after the other: a queue per GPU, across processes and
// users.
#pragma once
#include <chrono>
#include <filesystem>
#include <optional>
#include <string>

#include "lab/job/measurement.h"
#include "service/gpu_pace.h"
#include "service/process.h"

namespace lanewise {

// $LANEWISE_QUEUE_FOLDER, else /run/lock/lanewise, else a folder under /tmp; every user may make
// files in it, and none may remove another's.
std::filesystem::path gpu_queue_folder();

// A place in the queue for one GPU, given up with the object or with the process, however that
// ends: a ticket is a lock on one byte of a file named by the GPU's UUID, which the kernel
// releases.
class GpuQueue {
  public:
    // Takes the next ticket. Where the file cannot be used, there is no queue: problem() says why.
    GpuQueue(const std::filesystem::path& folder, const std::string& uuid);

    int before() const;  // tickets in use that are older; 0: it is this one's turn
    // Waits for the turn; `progress` hears of every change of place, and of the end. Throws Cancelled
    // once either flag is set.
    void wait(const Progress& progress, const CancelFlag* cancel,
              const CancelFlag* given_up = nullptr) const;
    bool others_wait() const;  // tickets in use that are newer
    const std::string& problem() const { return problem_; }

  private:
    Descriptor file_;
    int64_t ticket_ = 0;
    std::string problem_;
};

// The turn on a GPU, as long as it lives: first among the engines of one student, whose queue is in
// $LANEWISE_OWN_TURN where that is set, and then among all. So a student with several engines has one
// place among the others, comes round as often as they do, and rests after turns that were long
// (gpu_pace.h).
class GpuTurn {
  public:
    // Waits as GpuQueue and GpuPace do. Throws Cancelled.
    GpuTurn(const std::string& uuid, const Progress& progress, const CancelFlag* cancel,
            const CancelFlag* given_up = nullptr);
    GpuTurn(const std::filesystem::path& own, const std::filesystem::path& all,
            const std::string& uuid, const Progress& progress, const CancelFlag* cancel,
            const CancelFlag* given_up = nullptr);
    ~GpuTurn();
    GpuTurn(const GpuTurn&) = delete;
    GpuTurn& operator=(const GpuTurn&) = delete;
    // It ended because a kernel did not.
    void was_given_up() { given_up_ = true; }

  private:
    std::optional<GpuQueue> own_;
    std::optional<GpuPace> pace_;  // of the student's own
    std::optional<GpuQueue> all_;
    std::chrono::steady_clock::time_point begin_;
    bool given_up_ = false;
};

}  // namespace lanewise
