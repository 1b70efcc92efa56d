// A folder of this process alone, for what another program has to read.
#pragma once
#include <stdlib.h>  // mkdtemp

#include <filesystem>
#include <string>

#include "base/error.h"

namespace lanewise {

// Gone with this object. Throws Error(bad_input) where no folder can be made.
struct TemporaryFolder {
    TemporaryFolder() {
        std::string name = (std::filesystem::temp_directory_path() / "lanewise-XXXXXX").string();
        if (!::mkdtemp(name.data()))
            throw Error(Status::bad_input, "cannot make a folder in " +
                                               std::filesystem::temp_directory_path().string() +
                                               "; set TMPDIR to one that can be written to");
        path = name;
    }
    ~TemporaryFolder() {
        std::error_code ignored;
        std::filesystem::remove_all(path, ignored);
    }
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;
    std::filesystem::path path;
};

}  // namespace lanewise
