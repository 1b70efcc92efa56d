// Any text as a table of recorded accesses (CSV).
#include "trace/count/access_table.h"

#include "fuzz.h"

namespace lanewise {

void fuzz(std::string_view text) {
    AccessTableResult result = check_access_table(text, "table.csv");
    for (const AccessMismatch& mismatch : result.mismatches)
        if (mismatch.line < 1 || mismatch.count.empty()) __builtin_trap();
}

}  // namespace lanewise
