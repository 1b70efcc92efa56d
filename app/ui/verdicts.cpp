#include "ui/verdicts.h"

#include <fmt/format.h>

#include "base/text.h"

namespace lanewise::ui {
namespace {

using Kind = Verdict::Kind;

// A finding is worth more than the lack of a reference: it is wrong whatever the kernel is for.
Verdict of_the_result(const Analysis& a) {
    uint64_t elements = static_cast<uint64_t>(a.rows) * static_cast<uint64_t>(a.cols) *
                        static_cast<uint64_t>(a.batch);
    if (a.has_reference && !a.correct)
        return {Kind::bad, "wrong result",
                fmt::format("{} of {} elements are wrong, first at row {}, column {}.",
                            with_thousands(a.mismatch.count), with_thousands(elements),
                            a.mismatch.row, a.mismatch.col)};
    if (!a.report.findings.empty()) {
        size_t count = a.report.findings.size();
        return {Kind::bad, count == 1 ? "1 finding" : fmt::format("{} findings", count),
                a.report.findings[0].message};
    }
    if (!a.has_reference)
        return {Kind::unknown, "not verified",
                "There is no reference for a kernel from outside the catalogue, so nothing says "
                "what its output should be. No fault was found in its accesses."};
    return {Kind::good, "correct",
            fmt::format("All {} elements of the output are right.", with_thousands(elements))};
}

Verdict of_global(const Counts& t) {
    uint64_t sectors = t.global_load.sectors + t.global_store.sectors;
    uint64_t least = t.global_load.sectors_ideal + t.global_store.sectors_ideal;
    bool good = sectors == least;
    return {good ? Kind::good : Kind::bad, good ? "coalesced" : "not coalesced",
            fmt::format("{} sectors of global memory; {} would do.", with_thousands(sectors),
                        with_thousands(least))};
}

Verdict of_shared(const Counts& t) {
    uint64_t waves = t.shared_load.wavefronts + t.shared_store.wavefronts;
    uint64_t fewest = t.shared_load.wavefronts_ideal + t.shared_store.wavefronts_ideal;
    bool good = waves == fewest;
    return {good ? Kind::good : Kind::bad, good ? "conflict-free" : "bank conflicts",
            fmt::format("{} wavefronts of shared memory; {} would do.", with_thousands(waves),
                        with_thousands(fewest))};
}

}  // namespace

std::vector<Verdict> verdicts(const Analysis& a) {
    const Counts& t = a.report.totals;
    std::vector<Verdict> found{of_the_result(a)};
    if (t.global_load.instructions + t.global_store.instructions > 0) found.push_back(of_global(t));
    if (t.shared_load.instructions + t.shared_store.instructions > 0) found.push_back(of_shared(t));
    return found;
}

}  // namespace lanewise::ui
