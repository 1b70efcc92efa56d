#include "lab/analysis/issues.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "base/text.h"

namespace lanewise {
namespace {

constexpr double kWorthNaming = 0.01;  // of the launch's time

double real(uint64_t number) { return static_cast<double>(number); }
uint64_t excess(const GlobalCounts& c) {
    return c.sectors > c.sectors_ideal ? c.sectors - c.sectors_ideal : 0;
}
uint64_t excess(const SharedCounts& c) {
    return c.wavefronts > c.wavefronts_ideal ? c.wavefronts - c.wavefronts_ideal : 0;
}
uint64_t shared_excess(const Counts& c) { return excess(c.shared_load) + excess(c.shared_store); }

std::string conflict_title(const Counts& c) {
    const double moved = real(c.shared_load.wavefronts + c.shared_store.wavefronts);
    const double ideal = real(c.shared_load.wavefronts_ideal + c.shared_store.wavefronts_ideal);
    return fmt::format("{:.0f}-way bank conflict", std::max(2.0, moved / std::max(1.0, ideal)));
}
std::string partial_title(const char* verb, const GlobalCounts& c) {
    const double share = 100 * real(excess(c)) / real(c.sectors);
    return fmt::format("{:.0f} % of the sectors that it {} are wasted", share, verb);
}

// ---- accesses: the model solved with the ideal in their place

// `traffic` without what of it lies above the ideal in these counts, of the whole launch.
Traffic without_conflicts(Traffic traffic, const Counts& line) {
    traffic.shared_wavefronts -= real(shared_excess(line)) / traffic.blocks;
    return traffic;
}

// Fewer sectors of a request lie in fewer lines, four to a line at most.
void shrink(double& sectors, double& lines, double by) {
    const double before = sectors;
    sectors = std::max(0.0, sectors - by);
    if (before > 0) lines = std::max(lines * sectors / before, sectors / 4);
}

Traffic without_partial_loads(Traffic traffic, const Counts& line) {
    const double by = real(excess(line.global_load)) / traffic.blocks;
    shrink(traffic.load_sectors, traffic.load_lines, by);
    traffic.load_sectors_once = std::min(traffic.load_sectors_once, traffic.load_sectors);
    traffic.load_sectors_together = std::min(traffic.load_sectors_together, traffic.load_sectors);
    return traffic;
}

// What is written in part is shared out by the excess, of which it is a consequence.
Traffic without_partial_stores(Traffic traffic, const Counts& line, const Counts& totals) {
    const double by = real(excess(line.global_store)) / traffic.blocks;
    const double all = real(excess(totals.global_store)) / traffic.blocks;
    shrink(traffic.store_sectors, traffic.store_lines, by);
    if (all > 0) traffic.store_sectors_in_part *= std::max(0.0, 1 - by / all);
    traffic.store_sectors_in_part = std::min(traffic.store_sectors_in_part, traffic.store_sectors);
    return traffic;
}

class IssueFinder {
  public:
    explicit IssueFinder(const IssueSource& source) : source_(source) {}

    std::vector<Issue> find() {
        if (source_.prediction->time_us <= 0) return {};
        if (source_.traffic)
            for (const LineReport& line : source_.report->lines) look_at(line);
        for (const Station& station : source_.prediction->stations) look_at(station);
        std::stable_sort(found_.begin(), found_.end(),
                         [](const Issue& a, const Issue& b) { return a.us > b.us; });
        return std::move(found_);
    }

  private:
    double all() const { return source_.prediction->time_us; }

    void add(const std::string& title, int line, double us_without, const std::string& fix) {
        const double us = all() - us_without;
        if (us < kWorthNaming * all()) return;
        found_.push_back({title, line, us, us_without, fix});
    }

    double time_with(const Traffic& traffic) const {
        return predict_bandwidth(*source_.device, traffic, *source_.occupancy, source_.useful_bytes)
            .time_us;
    }

    void look_at(const LineReport& line) {
        const Counts& c = line.counts;
        if (shared_excess(c) > 0)
            add(conflict_title(c), line.line, time_with(without_conflicts(*source_.traffic, c)),
                "Pad the tile's row by one word, or swizzle its columns: then each lane has a bank "
                "of its own.");
        if (excess(c.global_load) > 0)
            add(partial_title("reads", c.global_load), line.line,
                time_with(without_partial_loads(*source_.traffic, c)),
                "Let neighbouring lanes read neighbouring addresses, through a tile in shared "
                "memory if need be.");
        if (excess(c.global_store) > 0)
            add(partial_title("writes", c.global_store), line.line,
                time_with(without_partial_stores(*source_.traffic, c, source_.report->totals)),
                "Let neighbouring lanes write neighbouring addresses, through a tile in shared "
                "memory if need be.");
    }

    // ---- what the model names: steps that a kernel can avoid, and how
    void look_at(const Station& station) {
        struct Row {
            const char *name, *title, *fix;
        };
        static constexpr Row kRows[] = {
            {"order of blocks", "Blocks walk the memory in short runs",
             "Let blocks that follow each other touch addresses that follow each other."},
            {"instruction issue", "Instructions take the schedulers' time",
             "Move more bytes with each instruction: float4 instead of float."},
            {"busiest warp", "One warp executes more than the others",
             "Deal its work out among the block's warps."},
            {"bytes in flight", "Too few bytes are under way",
             "Load several elements before the first is used, or have more warps resident."},
            {"blocks coming and going", "Blocks come and go too often",
             "Give each block more elements, so that fewer blocks start."},
            {"barriers", "Warps wait at barriers",
             "Do more between two barriers, or make the block smaller."},
            {"last round", "The last round of blocks is not full",
             "Choose a block's share so that the grid fills whole rounds."},
        };
        for (const Row& row : kRows)
            if (station.name == row.name)
                add(row.title, 0, all() - station.time_us, fix_of(row.fix, station));
    }

    std::string fix_of(const char* fix, const Station& station) const {
        const bool limited = station.name == "bytes in flight" && source_.occupancy &&
                             !source_.occupancy->limited_by.empty();
        if (!limited) return fix;
        return fmt::format("{} Now {} fit, limited by {}.", fix,
                           counted(static_cast<uint64_t>(source_.occupancy->warps_per_sm), "warp"),
                           source_.occupancy->limited_by);
    }

    const IssueSource& source_;
    std::vector<Issue> found_;
};

// ---- by line

// What a line asks of a step of the waterfall; 0 where the step belongs to no line.
double asked_of(const std::string& station, const Counts& c) {
    const double loads = real(c.global_load.sectors + c.async_copy.sectors + c.bulk_load.sectors);
    const double stores = real(c.global_store.sectors + c.bulk_store.sectors +
                               c.global_atomic.sectors + c.global_reduction.sectors);
    if (station == "DRAM" || station == "order of blocks")
        return real(c.global_load.sectors_ideal + c.async_copy.sectors_ideal +
                    c.bulk_load.sectors_ideal + c.global_store.sectors_ideal +
                    c.bulk_store.sectors_ideal);
    if (station == "L2 sectors" || station == "L1 lines") return loads + stores;
    if (station == "bytes in flight") return loads;
    if (station == "shared-memory wavefronts")
        return real(c.shared_load.wavefronts + c.shared_store.wavefronts +
                    c.matrix_load.wavefronts + c.shared_atomic.wavefronts +
                    c.async_copy.wavefronts);
    return 0;
}

}  // namespace

std::vector<Issue> issues_of(const IssueSource& source) { return IssueFinder(source).find(); }

static std::string with_capital(std::string text) {
    if (!text.empty() && text[0] >= 'a' && text[0] <= 'z') text[0] = static_cast<char>(text[0] - 32);
    return text;
}

// With the line's own figures, where these say more than the cause's name.
static std::string title_of(const TimeCause& cause, const Report& report) {
    for (const LineReport& line : report.lines) {
        if (cause.line <= 0 || line.line != cause.line) continue;
        const Counts& c = line.counts;
        if (cause.name == kConflictsCause && shared_excess(c) > 0) return conflict_title(c);
        if (cause.name != kSectorsCause) continue;
        const bool reads = excess(c.global_load) >= excess(c.global_store);
        const GlobalCounts& dearer = reads ? c.global_load : c.global_store;
        if (excess(dearer) > 0) return partial_title(reads ? "reads" : "writes", dearer);
    }
    return with_capital(cause.name);
}

std::vector<Issue> issues_of(const CauseTable& table, const Report& report) {
    std::vector<Issue> issues;
    for (const TimeCause& cause : table.causes)
        issues.push_back({title_of(cause, report), cause.line, cause.us, table.time_us - cause.us,
                          cause.fix.empty() ? "" : with_capital(cause.fix) + "."});
    return issues;
}

static IssuesFigureInput with_rows(const std::vector<Issue>& issues) {
    IssuesFigureInput input;
    for (const Issue& each : issues)
        input.rows.push_back({each.title, each.line, each.us, each.us_without, each.fix});
    return input;
}

IssuesFigureInput issues_figure_of(const Analysis& analysis, const std::string& why_this_model) {
    IssuesFigureInput input = with_rows(analysis.issues);
    input.time_us = analysis.prediction.time_us;
    input.card = analysis.prediction.device;
    input.about = "This is the bandwidth model. " + why_this_model +
                  " Issues overlap: what they add is no sum.";
    return input;
}

// What is said where nothing is known that helps.
static const char* why_it_stays(const TimeCause& cause) {
    if (cause.name == kClockCause) return "The card slows its clock down wherever tensor cores multiply. Nothing is known that helps.";
    return "The work needs these bytes, unless it fetches some of them twice.";
}

IssuesFigureInput issues_figure_of(const CauseTable& table, const Report& report) {
    if (!table.holds) {
        IssuesFigureInput input;
        input.instead = table.sentence;
        return input;
    }
    IssuesFigureInput input = with_rows(issues_of(table, report));
    for (size_t i = 0; i < input.rows.size(); ++i) {
        IssueRow& row = input.rows[i];
        row.avoidable = !row.fix.empty();
        if (!row.avoidable) row.fix = why_it_stays(table.causes[i]);
    }
    input.time_us = table.time_us;
    input.low_us = table.low_us;
    input.high_us = table.high_us;
    input.card = table.card;
    input.about = fmt::format("Limited by {}. {}", table.limited_by, table.sentence);
    input.below.push_back(fmt::format(
        "Without all of them at once, {} are left: {} that any launch takes, and {} that no cause "
        "explains.",
        in_microseconds(table.without_us), in_microseconds(table.launch_us),
        in_microseconds(unexplained_us(table))));
    constexpr double kNothing = 0.005;  // microseconds
    if (double us = only_together_us(table); us > kNothing)
        input.below.push_back(in_microseconds(us) + " go only where several of them go together.");
    if (double us = counted_again_us(table); us > kNothing)
        input.below.push_back(in_microseconds(us) +
                              " are counted more than once, as causes hide behind each other.");
    return input;
}

std::vector<LineTime> time_by_line(const Report& report, const BandwidthPrediction& prediction) {
    std::map<int, double> lines;
    for (const Station& station : prediction.stations) {
        double all = 0;
        for (const LineReport& line : report.lines) all += asked_of(station.name, line.counts);
        if (all <= 0) continue;
        for (const LineReport& line : report.lines)
            if (double part = asked_of(station.name, line.counts); part > 0)
                lines[line.line] += station.time_us * part / all;
    }
    std::vector<LineTime> times;
    for (const auto& [line, us] : lines) times.push_back({line, us});
    return times;
}

}  // namespace lanewise
