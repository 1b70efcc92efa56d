// The programs that Lanewise brings along: PTX and cubin of what the course offers, made beforehand
// by NVRTC, for machines that have none. They lie in the content's assets/programs/<course>/, one
// archive (program_archive.h) for each source, named as it is: 30_padded.cu's are in
// 30_padded.programs. Those of the launches that the model of time is judged by, which no course offers,
// lie beside their sources, in assets/launches and its folders. `lanewise-engine prebuild --all` writes
// all of them.
#pragma once
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "compile/compiler.h"

namespace lanewise {

// nullopt where this very source, under this name, and with these options is not shipped. Where it
// is, but not for this architecture, the newest older one's that a card of this one can run: arch
// says which, and the cubin is left out where such a card runs the PTX alone. Never throws: an
// archive that cannot be read is none (shipped_problem). Unpacks a block of an archive, which takes
// 1 to 60 ms; the last few stay unpacked.
std::optional<Program> shipped_program(const Source& source, const CompileOptions& options);

// What is wrong with the archive of this source, in one sentence with what to do; "" for nothing,
// and where none is shipped.
std::string shipped_problem(const Source& source);

// What shipped_program() looks for in place of options.arch, that one first: "sm_89" has "sm_86",
// "sm_80" and "sm_75" behind it. One that ends in a letter runs nowhere else, and has none;
// nor has one that no card has ("sm_9999").
std::vector<std::string> shipped_archs(const std::string& arch);
// Whether a card of architecture `arch` runs a cubin made for `older`, which is not newer: one of
// the same generation. "sm_89" runs sm_80's and sm_86's; none of them runs sm_75's.
bool runs_cubin(const std::string& arch, const std::string& older);

// content_folder()/assets/programs; empty where there is no content.
std::filesystem::path shipped_folder();
// In which NAME.programs of an archive lies: shipped_folder() for "transpose/30_padded", and
// content_folder()/assets for "launches/sealed/sort".
std::filesystem::path shipped_folder_of(const std::string& archive);

// All archives, as doctor tells of them: numbers and bytes of what the course offers, problems of the
// launches' too. Reads every directory: some 20 ms.
struct ShippedStatus {
    size_t archives = 0, programs = 0;
    uint64_t bytes = 0;                 // packed
    std::string compiler;               // "NVRTC 13.0"; of the first program
    std::vector<std::string> problems;  // a sentence for each archive that cannot be read
};
ShippedStatus shipped_status();

}  // namespace lanewise
