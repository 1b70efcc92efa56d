// Reading and writing whole files, and where the program's folders are.
#pragma once
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace lanewise {

// The file's bytes. Throws Error(bad_input) naming the path and the reason; one of more than 64 MiB
// (/dev/zero, say) is refused.
std::string read_file(const std::filesystem::path& path);

// Writes `bytes` to a temporary file beside `path` and renames it over `path`, so that a reader
// sees the old or the new content, never a torn one. Creates missing parent folders.
// Throws Error(bad_input) naming the path and the reason; the old file is then untouched.
void write_file(const std::filesystem::path& path, std::string_view bytes);

// The files of a folder, not of those below it, whose names end so (".json", "-counters.csv"), in
// the order of their names; none where the folder is missing or cannot be read.
std::vector<std::filesystem::path> files_in(const std::filesystem::path& folder,
                                            std::string_view suffix);

// The folder that holds kernels/, lessons/ and assets/: $LANEWISE_HOME where set, else the first
// that holds kernels/ of: <prefix>/share/lanewise, the source tree above the program, because one
// beside an unpacked Lanewise is somebody's own. Throws Error(bad_input) where there is none.
std::filesystem::path content_folder();

// The folder of the running program's file.
std::filesystem::path program_folder();

// $XDG_CACHE_HOME/lanewise, else ~/.cache/lanewise, else a folder under the system's temporary
// one. Not created here.
std::filesystem::path cache_folder();

// $XDG_STATE_HOME/lanewise, else ~/.local/state/lanewise; likewise.
std::filesystem::path state_folder();

}  // namespace lanewise
