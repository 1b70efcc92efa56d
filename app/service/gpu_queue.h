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

}  // namespace lanewise
