// Many programs in one file: those of one stage, which are much alike. shipped_programs.h finds
// them.
//
//   "lanewise programs 2\n"       the number changes with the format
//   checksum                      16 hexadecimal digits, of all that follows
//   directory, pack, pack, …      each: unpacked bytes, packed bytes (8 bytes each, little-endian),
//                                 and then these, as lzma2.h packs them
// The directory has a text for each program: key, entry, arch, compiler, log, the block that it is
// in, and the bytes of its PTX as ptx_counts.h tells it and of its cubin. A block is four packs, so that
// each lies among its like: the programs' PTX one after another; their code; their tables of lines; and
// what else their cubins have, before which stands what was taken out of them (a number, and for each
// part its kind, begin and bytes; 8 bytes each). A block has up to 32 MiB and at least one program, so
// that reading one program costs no more than unpacking one block: 1 to 60 ms, some 400 MB a second.
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

// A block as it is used: its programs' PTX, as ptx_counts.h tells it, and their cubins.
struct ProgramBlock {
    std::string ptx, cubins;
    size_t bytes() const { return ptx.size() + cubins.size(); }
};

// An archive's bytes, of which only the directory is unpacked. Immutable.
class ProgramArchive {
  public:
    // Throws Error(bad_input) for what is no archive: cut, damaged, of another version, or
    // claiming more than kMostArchiveBytes. The message begins with `name`.
    ProgramArchive(std::string bytes, const std::string& name);

    struct Entry {
        Program program;  // without ptx and cubin
        size_t block = 0;
        size_t ptx_begin = 0, ptx_bytes = 0, cubin_begin = 0, cubin_bytes = 0;  // in the block
    };
    size_t size() const { return keys_.size(); }
    const std::vector<std::string>& keys() const { return keys_; }
    const std::vector<Entry>& entries() const { return entries_; }  // in the keys' order
    const Entry* find(const std::string& key) const;                // nullptr where there is none
    size_t packed_bytes() const { return bytes_.size(); }

    // nullopt where it cannot be unpacked.
    std::optional<ProgramBlock> block(size_t number) const;

  private:
    struct Pack {
        size_t begin, packed_bytes, bytes;
    };
    std::optional<std::string> unpacked(const Pack& pack) const;
    std::string bytes_;
    std::vector<std::string> keys_;
    std::vector<Entry> entries_;
    std::vector<Pack> packs_;  // of the blocks
};

// The entry's program, out of its block; nullopt where what stands there is no PTX so told.
std::optional<Program> program_in(const ProgramArchive::Entry& entry, const ProgramBlock& block);

}  // namespace lanewise
