// Any bytes as an archive of programs, as they are and with a right checksum in front, so that what
// is behind it is reached: every program that it claims to hold is taken out.
#include "base/hash.h"
#include "compile/program_archive.h"
#include "fuzz.h"

namespace lanewise {

static void fuzz_archive(std::string bytes) {
    refusing([&] {
        ProgramArchive archive(std::move(bytes), "fuzzed.programs");
        if (archive.keys().size() != archive.entries().size()) __builtin_trap();
        for (const std::string& key : archive.keys()) {
            const ProgramArchive::Entry* entry = archive.find(key);
            std::optional<ProgramBlock> block = archive.block(entry->block);
            if (!block) continue;
            std::optional<Program> program = program_in(*entry, *block);
            if (program && program->cubin.size() != entry->cubin_bytes) __builtin_trap();
        }
    });
}

void fuzz(std::string_view bytes) {
    fuzz_archive(std::string(bytes));
    constexpr size_t kHead = 20 + 16;  // the first line, the checksum
    if (bytes.size() < kHead) return;
    std::string_view body = bytes.substr(kHead);
    fuzz_archive("lanewise programs 2\n" + hex(hash(body)) + std::string(body));
}

}  // namespace lanewise
