// How much a student's folder holds.
#pragma once
#include <cstdint>
#include <filesystem>
#include <string>

namespace lanewise {

struct DiskUse {
    uint64_t bytes =
        0;  // that the disk gives for it, so that a file with holes is not counted larger
    int64_t files = 0;
};

// More files than any engine makes. Counting stops there, so that it takes no longer.
inline constexpr int64_t kMostFilesOfAStudent = 50'000;

// Of all below it. Links are not followed. What cannot be read, or goes meanwhile, is left out.
DiskUse disk_use(const std::filesystem::path& folder);

// A sentence for the student whose folder holds more than that; "" where it does not.
std::string disk_problem(const DiskUse& use, int64_t most_megabytes);

}  // namespace lanewise
