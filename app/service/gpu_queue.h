// Engines that share a GPU measure one after the other: a queue per GPU, across processes and
// users.
#pragma once
#include <filesystem>
#include <optional>
#include <string>

#include "lab/job/measurement.h"
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
    // Waits for the turn; `progress` hears of every change of place. Throws Cancelled.
    void wait(const Progress& progress, const CancelFlag* cancel) const;
    const std::string& problem() const { return problem_; }

  private:
    Descriptor file_;
    int64_t ticket_ = 0;
    std::string problem_;
};

// The turn on a GPU, as long as it lives: first among the engines of one student, whose queue is in
// $LANEWISE_OWN_TURN where that is set, and then among all. So a student with several engines has one
// place among the others, and comes round as often as they do.
class GpuTurn {
  public:
    // Waits as GpuQueue does. Throws Cancelled.
    GpuTurn(const std::string& uuid, const Progress& progress, const CancelFlag* cancel);
    GpuTurn(const std::filesystem::path& own, const std::filesystem::path& all,
            const std::string& uuid, const Progress& progress, const CancelFlag* cancel);

  private:
    std::optional<GpuQueue> own_, all_;
};

}  // namespace lanewise
