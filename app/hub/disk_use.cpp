#include "hub/disk_use.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include "base/text.h"

namespace lanewise {

namespace fs = std::filesystem;

DiskUse disk_use(const fs::path& folder) {
    constexpr uint64_t kBlock = 512;  // st_blocks' unit, stat(2)
    DiskUse use;
    std::error_code failure;
    auto options = fs::directory_options::skip_permission_denied;
    for (fs::recursive_directory_iterator at(folder, options, failure), end; !failure && at != end;
         at.increment(failure)) {
        struct stat about = {};
        if (::lstat(at->path().c_str(), &about) != 0) continue;
        use.bytes += static_cast<uint64_t>(about.st_blocks) * kBlock;
        if (++use.files > kMostFilesOfAStudent) break;
    }
    return use;
}

std::string disk_problem(const DiskUse& use, int64_t most_megabytes) {
    uint64_t most = static_cast<uint64_t>(most_megabytes) << 20;
    std::string held;
    if (use.bytes > most)
        held = fmt::format("{}, and a student may have {}", in_bytes(use.bytes), in_bytes(most));
    else if (use.files > kMostFilesOfAStudent)
        held = fmt::format("more than {} files", with_thousands(kMostFilesOfAStudent));
    return held.empty() ? "" : "your folder holds " + held + ": it is emptied for your next engine";
}

}  // namespace lanewise
