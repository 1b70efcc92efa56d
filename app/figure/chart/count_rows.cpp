// The rows of the table of counts.
#include "figure/drawing/figures.h"

namespace lanewise {

static void add_global(std::vector<CountRow>& rows, const std::string& name,
                       const GlobalCounts& counts) {
    if (counts.requests == 0) return;
    rows.push_back({name + " requests", counts.requests, counts.requests, false, 0});
    rows.push_back({name + " sectors", counts.sectors, counts.sectors_ideal, false, 0});
}

static void add_shared(std::vector<CountRow>& rows, const std::string& name,
                       const SharedCounts& counts) {
    if (counts.instructions == 0) return;
    rows.push_back({name + " wavefronts", counts.wavefronts, counts.wavefronts_ideal, false, 0});
}

std::vector<CountRow> count_rows(const Counts& counts) {
    std::vector<CountRow> rows;
    add_global(rows, "global load", counts.global_load);
    add_global(rows, "global store", counts.global_store);
    add_shared(rows, "shared load", counts.shared_load);
    add_shared(rows, "shared store", counts.shared_store);
    return rows;
}

}  // namespace lanewise
