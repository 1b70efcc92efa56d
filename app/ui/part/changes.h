// What became of a kernel's findings and of what each of its lines costs, from one version or
// setting to another. Lines are known by their text: where they stand may change.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace lanewise {
struct Report;
}

namespace lanewise::ui {

struct KeptFinding {
    std::string kind, space;  // trace/report.h's
    std::string text;         // of its source line, without the blanks around it; may be empty
    std::string message;
    int line = 0;
    uint64_t count = 0;
    bool operator==(const KeptFinding&) const = default;
};

// What the accesses of one source line cost, over the whole launch.
struct KeptLine {
    std::string text;
    int line = 0;
    uint64_t requests = 0, sectors = 0;         // of global memory
    uint64_t instructions = 0, wavefronts = 0;  // of shared memory
    bool operator==(const KeptLine&) const = default;
};

// Of `file` alone; `source` is its text.
std::vector<KeptFinding> kept_findings(const Report& report, const std::string& file,
                                       const std::string& source);
std::vector<KeptLine> kept_lines(const Report& report, const std::string& file,
                                 const std::string& source);

// One finding, before and now: appeared where it was not before, gone where it is no longer, moved
// where its line stands elsewhere, same where it stands. A line whose text has changed in its
// place counts as the same line.
struct FindingChange {
    enum class Kind { appeared, gone, moved, same } kind = Kind::same;
    KeptFinding before, now;  // empty where it was not, is not
};
// Those that appeared first, then those that are gone, that moved, that are the same.
std::vector<FindingChange> finding_changes(const std::vector<KeptFinding>& before,
                                           const std::vector<KeptFinding>& now);
const char* word_of(FindingChange::Kind kind);  // "new", "gone", "moved", "unchanged"

// A line whose accesses cost something else now, each: 32 wavefronts before, 1 now.
struct LineChange {
    int line = 0, line_before = 0;  // 0: there is no such line
    std::string text;
    std::string unit;            // "sectors", "wavefronts"
    double before = 0, now = 0;  // of one access; 0: it made none
};
// In the order of the lines as they stand now, lines that are gone last.
std::vector<LineChange> line_changes(const std::vector<KeptLine>& before,
                                     const std::vector<KeptLine>& now);

}  // namespace lanewise::ui
