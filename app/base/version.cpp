#include "base/version.h"

#include <commit.h>  // written by packaging/commit.cmake while building

namespace lanewise {

std::string version_and_commit() {
    std::string commit = LANEWISE_COMMIT;
    return LANEWISE_VERSION + (commit.empty() ? "" : " (" + commit + ")");
}

}  // namespace lanewise
