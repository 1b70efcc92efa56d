// What goes with an exported header: a test and a bench that nvcc alone builds, a README with what was
// counted and measured, and the licence.
#pragma once
#include <vector>

#include "lab/analysis/analysis.h"
#include "lab/export/export_header.h"
#include "lab/record/recording.h"

namespace lanewise {

// A job of the export, with what the machine counted of it.
struct ExportedStage {
    Job job;
    Analysis counted;
};

// Every file of the folder: the header, test.cu, bench.cu, README.md, LICENSE. Of two stages, a transpose
// of whole vectors and one of any shape, the header has the call that picks. Throws as export_kind().
std::vector<ExportFile> export_files(const std::vector<ExportedStage>& stages,
                                     const std::vector<Recording>& recordings);

}  // namespace lanewise
