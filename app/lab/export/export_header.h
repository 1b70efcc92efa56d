// A stage's kernel as a header of its own: the kernel as it stands in the stage, and a launcher for any
// shape, type and stream, with the knobs chosen.
#pragma once
#include <string>
#include <vector>

#include "lab/job/job.h"

namespace lanewise {

struct ExportFile {
    std::string name, text;
};

// What an export is of, for the files that go with its header.
enum class ExportKind { transpose, copy, product, sums };

// Throws Error(bad_input) that says why the stage cannot be exported: a library's call, tensor maps, a
// matrix in its own place, or headers of others.
ExportKind export_kind(const Stage& stage);

// "transpose_register_tiles": of the header's file and of the function that launches.
std::string export_name(const Stage& stage);

// The header of one stage.
std::string export_header(const Job& job);

// The header of both transposes behind one call, lanewise::transpose(out, in, rows, cols, stream): tiles
// of registers where both sides are whole vectors, else cut where the output's sectors begin.
std::string export_transpose_header(const Job& whole_vectors, const Job& any_shape);

}  // namespace lanewise
