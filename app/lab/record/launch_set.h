// The launches that the model of time is judged by: kernels of several classes in
// assets/launches/<class>.cu, each with its launch in a comment before it:
//     // launch NAME: --kernel … --grid … --block … --arg …
// Options are as `lanewise-engine run FILE.cu` takes them; one with blanks stands in single quotes.
//
// Those are for making the model. Those in assets/launches/sealed are not: they were written by
// somebody who did not know the model, are recorded apart, and compared with it once. After that they
// move to a folder beside it (any name: opened, seen, seen_later …), which is for making as well; new ones
// take their place. A folder has one half, as a file's name is its class and recordings know its text.
#pragma once
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "lab/job/job.h"

namespace lanewise {

inline constexpr const char* kSealed = "sealed";

struct SetLaunch {
    std::string kind, name;  // "reduction", "tree_shared"
    std::string folder = "launches";  // or the folder's in it: "opened", "seen", "sealed"
    bool is_sealed() const { return folder == kSealed; }
    Job job;
    std::string id() const { return kind + "/" + name; }
};

// The folders that were sealed once, by name.
std::vector<std::string> halves_seen(const std::filesystem::path& content);

enum class SetHalf { making, sealed, all };
// "making", "sealed", "all". Throws Error(bad_input) for anything else.
SetHalf half_called(const std::string& name);

// In the order of the files' names and of the launches in each. `content`: content_folder().
// Throws Error(bad_input) that names the file and the line which cannot be used, and where there is
// no launch at all.
std::vector<SetLaunch> read_launch_set(const std::filesystem::path& content, SetHalf half);

// The launches of one source, each a line `// launch NAME: …`, as if it lay in assets/launches.
std::vector<SetLaunch> launches_in(const std::string& file, const std::string& source);

}  // namespace lanewise
