// Many programs in one file: those of one stage, which are much alike. shipped_programs.h finds
// them.
//
//   "lanewise programs 1\n"       the number changes with the format
//   checksum                      16 hexadecimal digits, of all that follows
//   directory, block, block, …    each: unpacked bytes, packed bytes (8 bytes each, little-endian),
//                                 and then these, packed as xz
// The directory has a text for each program: key, entry, arch, compiler, log, the block that it is
// in, and the bytes of its PTX and of its cubin. A block has the programs' PTX and cubins one after
// another, up to 32 MiB and at least one program, so that reading one program costs no more
// than unpacking one block: 1 to 60 ms, some 400 MB a second.
#pragma once
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "compile/compiler.h"

namespace lanewise {

struct ArchivedProgram {
    std::string key;  // program_store.h
    Program program;  // of which entry, ptx, cubin, log, arch and compiler are kept
};

// The file's bytes, the same for the same programs. Neighbours should be alike: what one has of the
// one before it costs nothing. Throws Error(bad_input) for a program beyond kMostArchiveBytes.
std::string encode_archive(const std::vector<ArchivedProgram>& programs);

inline constexpr size_t kMostArchiveBytes = 64u << 20;  // unpacked, directory and blocks together

// An archive's bytes, of which only the directory is unpacked. Immutable.
class ProgramArchive {
  public:
    // Throws Error(bad_input) for what is no archive: cut, damaged, of another version, or
    // claiming more than kMostArchiveBytes. The message begins with `name`.
    ProgramArchive(std::string bytes, const std::string& name);

    struct Entry {
        Program program;  // without ptx and cubin
        size_t block = 0, begin = 0, ptx_bytes = 0, cubin_bytes = 0;
    };
    size_t size() const { return keys_.size(); }
    const std::vector<std::string>& keys() const { return keys_; }
    const std::vector<Entry>& entries() const { return entries_; }  // in the keys' order
    const Entry* find(const std::string& key) const;                // nullptr where there is none
    size_t packed_bytes() const { return bytes_.size(); }

    // A block's bytes; nullopt where they cannot be unpacked.
    std::optional<std::string> block(size_t number) const;

  private:
    struct Block {
        size_t begin, packed_bytes, bytes;
    };
    std::string bytes_;
    std::vector<std::string> keys_;
    std::vector<Entry> entries_;
    std::vector<Block> blocks_;
};

// The entry's program, out of its block.
Program program_in(const ProgramArchive::Entry& entry, std::string_view block);

}  // namespace lanewise
