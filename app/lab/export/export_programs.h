// The test and the bench of an export, each a .cu file that needs nothing but the header beside it.
#pragma once
#include <string>

#include "lab/export/export_header.h"

namespace lanewise {

// call: the launcher's name, "transpose" or export_name(); header: its file. types: C++ types that it
// takes, "float".
std::string export_test(ExportKind kind, const std::string& call, const std::string& header,
                        const std::vector<std::string>& types);
std::string export_bench(ExportKind kind, const std::string& call, const std::string& header,
                         const std::string& type);

}  // namespace lanewise
