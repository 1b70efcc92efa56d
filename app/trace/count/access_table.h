// Recorded warp accesses against the rules of trace/count/rules.h: `lanewise-engine rules FILE.csv`.
// A table's columns: op (ld.global, st.global, ld.shared, st.shared), bytes_per_lane, case,
// active_mask (hexadecimal), requests, sectors, wavefronts, bank_conflicts, offset0 … offset31.
// An empty count means that nobody recorded it. bank_conflicts is not predicted: the hardware
// counts wavefronts, and a conflict is one that is not ideal.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace lanewise {

struct AccessMismatch {
    int line = 0;        // in the table, 1-based
    std::string access;  // "ld.shared, 16 bytes a lane, rand11"
    std::string count;   // "requests", "sectors" or "wavefronts"
    int recorded = 0, predicted = 0;
};

struct AccessTableResult {
    int cases = 0;
    std::vector<AccessMismatch> mismatches;
};

// Throws Error(bad_input) with `name`, line and reason where the table cannot be read.
AccessTableResult check_access_table(std::string_view table, const std::string& name);

}  // namespace lanewise
