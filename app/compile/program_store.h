// Compiled programs on disk: the user's cache, and what the build produced beforehand.
// One file per program, named <key>-<compiler version>.program; a torn, truncated or foreign file
// is noticed by its magic, sizes and checksum, and treated as missing.
#pragma once
#include <filesystem>
#include <optional>
#include <string>

#include "compile/compiler.h"

namespace lanewise {

// Identifies what is compiled: source, name, options and the text of every header that it includes
// from options.include_folders. The compiler's version is not part of it, nor that of
// options.headers: both are in the name of the file.
std::string program_key(const Source& source, const CompileOptions& options);

// The file's bytes, and back; nullopt where `bytes` is not an intact program of this key.
std::string encode_program(const Program& program, const std::string& key);
std::optional<Program> decode_program(std::string_view bytes, const std::string& key);

// A folder of programs. Every call is safe beside other threads and processes, and none throws:
// a folder that cannot be read or written is an empty one.
class ProgramStore {
  public:
    // Keeps its files below `most_bytes`, dropping those unused for longest; 0 keeps everything.
    explicit ProgramStore(std::filesystem::path folder, uint64_t most_bytes = 0)
        : folder_(std::move(folder)), most_bytes_(most_bytes) {}

    // `version`: of the compiler, or "" for any, newest file first.
    std::optional<Program> find(const std::string& key, const std::string& version) const;
    void store(const Program& program, const std::string& key, const std::string& version) const;
    // Removes the files unused for longest until at most half of most_bytes is left, if there are
    // more than most_bytes; store() calls it now and then.
    void trim() const;

  private:
    std::filesystem::path file(const std::string& key, const std::string& version) const;
    std::filesystem::path folder_;
    uint64_t most_bytes_;
};

}  // namespace lanewise
