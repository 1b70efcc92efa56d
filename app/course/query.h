// What a lesson may ask of the app, and --expect of the counts: an expression (expression.h) over
//   global_load | global_store | global_atomic | global_reduction
//                              . instructions, requests, sectors, sectors_ideal, bytes
//   shared_load | shared_store | shared_atomic | matrix_load
//                              . instructions, wavefronts, wavefronts_ideal, bytes
//   async_copy                 . all of these
//   bulk_load | bulk_store     . instructions, sectors, sectors_ideal, bytes
//   sm_90 (or another)         . threads, blocks, registers, shared_bytes, shared_bytes_per_block:
//                              what a multiprocessor of this architecture has room for
//   card . name, dram_latency_ns …: figures of one card (card_figures.h)
//   the stage's knobs, rows, cols, element_bytes; of a product (inner >= 0) also M, N and K
// or one of these, each with "load" or "store":
//   sectors_per_request     global sectors per request
//   useful_percent          share of the bytes of those sectors that a lane asked for
//   wavefronts_per_request  shared-memory wavefronts per warp access
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "course/card_figures.h"
#include "course/expression.h"
#include "course/stage.h"
#include "trace/report.h"

namespace lanewise {

// The names above; for gates, predictions and --expect. The counts are copied.
NameLookup counts_lookup(const Counts& totals, const KnobValues& knobs, int64_t rows, int64_t cols,
                         int element_bytes, int64_t inner = kNoInner);
// Those names, and what became of the launch: `wrong`, how many elements of the result, and
// `findings`, how many different ones.
NameLookup with_outcome(NameLookup counts, uint64_t wrong, uint64_t findings);
// The dotted names, for "did you mean".
std::vector<std::string> counts_names();

// The number asked for: whole expressions exactly, the ratios as reals, percent as 0 … 100.
// Throws Error(bad_input) where the query cannot be read, or divides by a count that is 0.
double query_value(const std::string& query, const NameLookup& names);

// The first part of an expectation, cut at its &&s, that does not hold, and how far off it is:
// "PAD == 1: now 0, must be 1"; "" where all of it holds. Throws as query_value().
std::string unmet_part(const std::string& expect, const NameLookup& names);

// What query_value() gives, as text: "524,288", "32", "4.5", "12.5 %". Never throws: "–" where the run has nothing
// to count (no shared memory, say) and for a query that cannot be read, which lesson_problems
// finds.
std::string answer_query(const std::string& query, const Counts& totals, const KnobValues& knobs,
                         int64_t rows, int64_t cols, int element_bytes, int64_t inner = kNoInner);
// Likewise of names that are there already; and of `card`, which may be null.
std::string answer_query(const std::string& query, const NameLookup& names,
                         const DeviceProfile* card = nullptr);

}  // namespace lanewise
