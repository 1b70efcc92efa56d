// Writes what is shipped: `lanewise-engine prebuild`.
#pragma once
#include <filesystem>

#include "lab/record/offered_programs.h"

namespace lanewise {

// Compiles with NVRTC, past the cache, and writes FOLDER/NAME.programs: the same bytes for the same
// sources, with the same versions of NVRTC, of the headers and of liblzma. An older
// architecture that a source does not compile for is left out, all of it. Throws as
// compile_afresh() does, and Error(bad_input) where the file cannot be written. Returns the file's
// bytes.
size_t write_archive(const OfferedArchive& archive, const std::filesystem::path& folder);

}  // namespace lanewise
