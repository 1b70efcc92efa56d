#include "lab/micro/staircase_show.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/text.h"

namespace lanewise {

// A step whose cycles lie on the line to within so many wavefronts agrees with the count.
static constexpr double kHalfAWavefront = 0.5;

static std::string direction(int bytes_per_lane, bool is_store) {
    return fmt::format("{}-byte {}", bytes_per_lane, is_store ? "stores" : "loads");
}

static std::string tooltip(const StaircaseStep& step) {
    const StaircaseAccess& a = step.access;
    std::string where = a.line > 0 ? fmt::format("line {}: ", a.line) : "";
    std::string text = fmt::format("{}{} ({}): {}, {:.1f} cycles ({:.1f} to {:.1f})", where, a.name,
                                   direction(a.bytes_per_lane, a.is_store), counted(uint64_t(a.wavefronts), "wavefront"),
                                   step.cycles.median, step.cycles.p05, step.cycles.p95);
    if (a.of_stage && step.seen > 0)
        text += fmt::format("; the cycles say {:.1f} wavefronts", step.seen);
    return text;
}

StaircaseFigureInput staircase_figure_input(const Staircase& staircase, bool recorded) {
    StaircaseFigureInput input;
    for (const StaircaseStep& step : staircase.steps) {
        const StaircaseAccess& a = step.access;
        input.points.push_back({static_cast<double>(a.wavefronts), step.cycles.median,
                                step.cycles.p05, step.cycles.p95, a.bytes_per_lane, a.is_store,
                                a.of_stage, a.line, tooltip(step)});
    }
    for (const StaircaseLine& line : staircase.lines)
        input.lines.push_back({line.bytes_per_lane, line.is_store, line.base,
                               line.per_wavefront.median,
                               direction(line.bytes_per_lane, line.is_store), in_words(line)});
    const Provenance& p = staircase.provenance;
    input.caption = fmt::format(
        "{} on {}, {}: one warp, each access waiting for the one before. A "
        "store is timed with a load behind it.",
        recorded ? "Recorded" : "Measured", p.card, p.date.substr(0, 10));
    if (!staircase.note.empty()) input.caption += " " + staircase.note;
    return input;
}

static std::string verdict(const StaircaseStep& step) {
    if (step.seen <= 0) return "no line to compare with";
    bool agrees = std::abs(step.seen - step.access.wavefronts) <= kHalfAWavefront;
    return agrees ? "agrees" : "differs";
}

std::string staircase_text(const Staircase& staircase) {
    const Provenance& p = staircase.provenance;
    std::string text = fmt::format("{}, driver {}, {}, {}\n", p.card, p.driver, p.compiler, p.date);
    text += "An access of one warp, each waiting for the one before; stores with a load behind:\n";
    for (const StaircaseLine& line : staircase.lines)
        text += fmt::format("    {}; no step is further off than {:.1f} cycles\n", in_words(line),
                            line.worst);
    if (!staircase.note.empty()) text += staircase.note + "\n";
    bool any = std::any_of(staircase.steps.begin(), staircase.steps.end(),
                           [](const StaircaseStep& step) { return step.access.of_stage; });
    if (!any) return text;
    text += fmt::format("\n{:<44} {:>5} {:>11} {:>9} {:>15} {:>9}\n", staircase.stage, "line",
                        "wavefronts", "cycles", "5th - 95th", "seen");
    for (const StaircaseStep& step : staircase.steps) {
        const StaircaseAccess& a = step.access;
        if (!a.of_stage) continue;
        text += fmt::format("{:<44} {:>5} {:>11} {:>9.1f} {:>15} {:>9.1f}   {}\n",
                            a.name.substr(0, 44), a.line, a.wavefronts, step.cycles.median,
                            fmt::format("{:.1f} - {:.1f}", step.cycles.p05, step.cycles.p95),
                            step.seen, verdict(step));
    }
    return text;
}

}  // namespace lanewise
