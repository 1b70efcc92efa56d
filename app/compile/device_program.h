// A source and its local headers, each without its host code (host_code.h), as compile() gives them
// to a compiler that takes device code alone.
#pragma once
#include <string>
#include <vector>

#include "compile/compiler.h"
#include "compile/host_code.h"
#include "compile/local_headers.h"

namespace lanewise {

class DeviceProgram {
  public:
    // Reads every local header. Throws Error(bad_input) where one cannot be read.
    DeviceProgram(const Source& source, const CompileOptions& options);

    // Hides the declaration around a line of the source, or of a header by its path; an include
    // there that nobody finds. False where there is nothing that may be hidden.
    bool hide_at(const std::string& file, int line);
    // Hides the line's include alone.
    bool hide_include_at(const std::string& file, int line);
    bool hides_nothing() const;
    // Whether the source could compile this way after it failed as it is, with these errors. False only
    // where the first of them stays whatever is left out: a word that no host header brings, or a
    // missing bracket or the like, in a source that has nothing to leave out.
    bool may_cure(const std::vector<Diagnostic>& errors) const;

    // What to compile: includes of local headers name them by their paths, as headers() does.
    Source source() const;
    std::vector<LocalHeader> headers() const;
    // "lines 2, 10-14 and 20; common.h: lines 3-9"; "" where nothing is hidden.
    std::string hidden() const;

  private:
    struct File {
        std::string path, text;  // as it is; the source's path is its name
        DeviceCode device;
    };
    File* find(const std::string& path);
    std::string with_paths(const File& file) const;

    std::vector<std::string> folders_;
    std::vector<File> files_;  // the source first
};

}  // namespace lanewise
