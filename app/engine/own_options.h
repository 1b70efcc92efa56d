// The options that describe a kernel from outside the catalogue, and the limit on time.
#pragma once
#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "engine/engine_command.h"
#include "lab/kernel/own_kernel.h"
#include "lab/kernel/ptx_file.h"

namespace lanewise {

// --kernel, --grid, --block, --dynamic-shared, --arg, --constant, --device, --include, --define as
// typed.
struct OwnOptions {
    std::string kernel, grid, block;
    int64_t dynamic_shared = 0;
    std::vector<std::string> arguments, variables, include_folders, defines;

    bool is_later = false;  // stands behind --then

    void add_to(EngineCommand& command);
    bool any() const;
    // Throws Error(bad_input) for whatever is missing or cannot be used; `source` is the file's,
    // for the list of its kernels.
    OwnLaunch launch(const std::string& file, const std::string& source) const;
    // The same of a kernel of PTX, which may say itself which block it takes.
    OwnLaunch launch(const PtxFile& file, const PtxKernel& kernel) const;
};

// Where headers of a source's own may lie: in the folders of --include, and beside it.
std::vector<std::string> header_folders(const std::string& file, std::vector<std::string> includes);

// Takes what stands behind --then off the words of trace, check and run, up to the next: a kernel,
// then its own --grid, --block, --dynamic-shared, --arg, --constant and --device. They are the later
// launches of OwnOptions::launch(). Throws Error(bad_input) where a word is missing.
std::vector<std::string> without_later_launches(const std::vector<std::string>& words);

// Ends the process with status 5 and a sentence when it still lives after so many seconds: nothing
// else stops the compiler, or a block that never ends. 0: no limit.
class TimeLimit {
  public:
    explicit TimeLimit(double seconds);
    ~TimeLimit();
    TimeLimit(const TimeLimit&) = delete;
    TimeLimit& operator=(const TimeLimit&) = delete;

  private:
    std::mutex mutex_;
    std::condition_variable ended_;
    bool done_ = false;
    std::thread watch_;
};

}  // namespace lanewise
