// Which Lanewise this is, for --version. A library of its own, `version`, because it alone is
// compiled again after every commit.
#pragma once
#include <string>

namespace lanewise {

// "0.2.0 (f856dea)": the version of CMake's project() and the commit that was built. The commit is
// that of the clone, or of the archive that git made of it; without either, "0.2.0".
std::string version_and_commit();

}  // namespace lanewise
