#include "hub/hand_in_box.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <ctime>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/files.h"
#include "base/text.h"
#include "hub/token_file.h"

namespace lanewise {

namespace fs = std::filesystem;

namespace {

constexpr const char* kEnding = ".lanewise";

// Nothing is built: that is for whoever grades it.
void check_workspace(std::string_view workspace) {
    if (workspace.size() > kMostHandInBytes)
        throw Error(Status::bad_input, "this workspace has " + in_bytes(workspace.size()) +
                                           ", and a hand-in may have " +
                                           in_bytes(kMostHandInBytes));
    if (workspace.find("\"lanewise_workspace\"") == workspace.npos ||
        !nlohmann::json::accept(workspace))
        throw Error(
            Status::bad_input,
            "this is no workspace of Lanewise, or was cut: save it again, and hand in that");
}

// Older by one; its time stays.
void keep_copy(const fs::path& from, const fs::path& to) {
    std::error_code failure;
    auto time = fs::last_write_time(from, failure);
    if (failure) return;  // there is none
    fs::create_directories(to.parent_path(), failure);
    fs::copy_file(from, to, fs::copy_options::overwrite_existing, failure);
    if (failure)
        throw Error(Status::bad_input,
                    "your hand-in cannot be kept: " + failure.message() + "; tell your teacher");
    fs::last_write_time(to, time, failure);
}

}  // namespace

fs::path HandInBox::file_of(const std::string& student, int age) const {
    return age == 0 ? folder_ / (student + kEnding)
                    : folder_ / ".earlier" / fmt::format("{}.{}{}", student, age, kEnding);
}

void HandInBox::keep(const std::string& student, std::string_view workspace) const {
    if (!is_student_name(student))
        throw Error(Status::bad_input, "\"" + student + "\" is no student's name");
    check_workspace(workspace);
    for (int age = kKept - 1; age > 0; --age)
        keep_copy(file_of(student, age - 1), file_of(student, age));
    write_file(file_of(student, 0), workspace);
}

std::optional<HandedIn> HandInBox::of(const std::string& student, const std::string& due) const {
    struct stat about = {};
    if (!is_student_name(student) || ::lstat(file_of(student, 0).c_str(), &about) != 0 ||
        !S_ISREG(about.st_mode))
        return std::nullopt;
    std::tm utc = {};
    ::gmtime_r(&about.st_mtime, &utc);
    char text[32];
    HandedIn found;
    found.student = student;
    found.time = {text, std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &utc)};
    found.late = !due.empty() && found.time > due;
    found.bytes = static_cast<uint64_t>(about.st_size);
    std::error_code failure;
    for (int age = 1; age < kKept; ++age)
        found.earlier += fs::is_regular_file(file_of(student, age), failure);
    return found;
}

std::vector<HandedIn> HandInBox::all(const std::string& due) const {
    std::vector<HandedIn> list;
    for (const fs::path& file : files_in(folder_, kEnding))
        if (auto one = of(file.stem().string(), due)) list.push_back(std::move(*one));
    return list;
}

}  // namespace lanewise
