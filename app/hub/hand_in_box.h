// What students hand in: a workspace each, as NAME.lanewise in one folder, so that `lanewise-engine
// grade FOLDER` reads it as it is. The two before the newest lie in .earlier there.
#pragma once
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lanewise {

// As `grade` has it (lab/grade/hand_ins.h).
inline constexpr size_t kMostHandInBytes = 8u << 20;

struct HandedIn {
    std::string student, time;  // "2026-12-01T09:30:00Z"
    bool late = false;          // after the time that it is due
    uint64_t bytes = 0;
    int earlier = 0;  // that are kept beside it
};

class HandInBox {
  public:
    static constexpr int kKept = 3;  // of each student, the newest included

    // Makes the folder with the first hand-in.
    explicit HandInBox(std::filesystem::path folder) : folder_(std::move(folder)) {}
    const std::filesystem::path& folder() const { return folder_; }

    // Keeps it as the student's newest. Throws Error(bad_input), a sentence for the student, where it is
    // no workspace or too large, and where it cannot be written: then what was there is still there.
    void keep(const std::string& student, std::string_view workspace) const;

    // `due` like `time`; "": nothing is late. In the order of the names.
    std::vector<HandedIn> all(const std::string& due) const;
    std::optional<HandedIn> of(const std::string& student, const std::string& due) const;

  private:
    std::filesystem::path file_of(const std::string& student, int age) const;

    std::filesystem::path folder_;
};

}  // namespace lanewise
