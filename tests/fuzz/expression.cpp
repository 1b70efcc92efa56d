// Any text as a launch expression, and as what a lesson asks of the app.
#include "course/expression.h"

#include <string>

#include "course/query.h"
#include "fuzz.h"

namespace lanewise {

void fuzz(std::string_view text) {
    KnobValues knobs = {{"TILE", 32}, {"ROWS", 0}, {"LEAST", INT64_MIN}};
    std::string query(text);
    refusing([&] { evaluate(text, launch_names(knobs, "f32", 65536, INT64_MAX, 1)); });
    Counts counts;
    counts.global_load.requests = UINT64_MAX;
    refusing([&] { query_value(query, counts_lookup(counts, knobs, 4096, 1, 4)); });
    if (answer_query(query, counts, knobs, 4096, 1, 4).empty()) __builtin_trap();
}

}  // namespace lanewise
