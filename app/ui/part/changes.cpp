#include "ui/part/changes.h"

#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "trace/report.h"

namespace lanewise::ui {
namespace {

// A line from 1 without the blanks around it; empty where there is no such line.
std::string text_of_line(const std::vector<std::string_view>& lines, int line) {
    if (line < 1 || static_cast<size_t>(line) > lines.size()) return "";
    return std::string(trimmed(lines[static_cast<size_t>(line) - 1]));
}

bool is_of(const std::string& named, const std::string& file) {
    return named == file || named.ends_with("/" + file);
}

// The partner of each of `now` among `before`, npos for none: first by text and the nearest line,
// then by the line's number alone. `alike`: whether two may be partners at all.
template <class T, class Alike>
std::vector<size_t> partners(const std::vector<T>& before, const std::vector<T>& now, Alike alike) {
    constexpr size_t kNone = std::string::npos;
    std::vector<size_t> partner(now.size(), kNone);
    std::vector<bool> taken(before.size(), false);
    for (bool by_text : {true, false})
        for (size_t i = 0; i < now.size(); ++i) {
            size_t best = kNone;
            for (size_t j = 0; j < before.size() && partner[i] == kNone; ++j) {
                bool fits = by_text ? before[j].text == now[i].text : before[j].line == now[i].line;
                if (taken[j] || !fits || !alike(before[j], now[i])) continue;
                auto away = [&](size_t of) { return std::abs(before[of].line - now[i].line); };
                if (best == kNone || away(j) < away(best)) best = j;
            }
            if (best == kNone) continue;
            partner[i] = best;
            taken[best] = true;
        }
    return partner;
}

double each(uint64_t cost, uint64_t accesses) {
    return accesses ? static_cast<double>(cost) / static_cast<double>(accesses) : 0;
}

bool differ(double a, double b) { return std::abs(a - b) > 1e-9; }

void add_line(const KeptLine& before, const KeptLine& now, std::vector<LineChange>& found) {
    const std::string& text = now.line ? now.text : before.text;
    auto add = [&](const char* unit, double was, double is) {
        if (differ(was, is)) found.push_back({now.line, before.line, text, unit, was, is});
    };
    add("sectors", each(before.sectors, before.requests), each(now.sectors, now.requests));
    add("wavefronts", each(before.wavefronts, before.instructions),
        each(now.wavefronts, now.instructions));
}

}  // namespace

std::vector<KeptFinding> kept_findings(const Report& report, const std::string& file,
                                       const std::string& source) {
    std::vector<std::string_view> lines = lines_of(source);
    std::vector<KeptFinding> kept;
    for (const Finding& each : report.findings) {
        std::string text = is_of(each.file, file) ? text_of_line(lines, each.line) : "";
        kept.push_back({each.kind, each.space, text, each.message, each.line, each.count});
    }
    return kept;
}

std::vector<KeptLine> kept_lines(const Report& report, const std::string& file,
                                 const std::string& source) {
    std::vector<std::string_view> lines = lines_of(source);
    std::vector<KeptLine> kept;
    for (const LineReport& each : report.lines) {
        if (!is_of(each.file, file)) continue;
        const Counts& c = each.counts;
        KeptLine line{text_of_line(lines, each.line), each.line};
        line.requests = c.global_load.requests + c.global_store.requests;
        line.sectors = c.global_load.sectors + c.global_store.sectors;
        line.instructions = c.shared_load.instructions + c.shared_store.instructions;
        line.wavefronts = c.shared_load.wavefronts + c.shared_store.wavefronts;
        if (line.requests || line.instructions) kept.push_back(std::move(line));
    }
    return kept;
}

std::vector<FindingChange> finding_changes(const std::vector<KeptFinding>& before,
                                           const std::vector<KeptFinding>& now) {
    using Kind = FindingChange::Kind;
    std::vector<size_t> partner =
        partners(before, now, [](const KeptFinding& a, const KeptFinding& b) {
            return a.kind == b.kind && a.space == b.space;
        });
    std::vector<FindingChange> found;
    for (size_t i = 0; i < now.size(); ++i) {
        if (partner[i] == std::string::npos) {
            found.push_back({Kind::appeared, {}, now[i]});
            continue;
        }
        const KeptFinding& was = before[partner[i]];
        found.push_back({was.line == now[i].line ? Kind::same : Kind::moved, was, now[i]});
    }
    for (size_t j = 0; j < before.size(); ++j)
        if (std::find(partner.begin(), partner.end(), j) == partner.end())
            found.push_back({Kind::gone, before[j], {}});
    std::stable_sort(found.begin(), found.end(),
                     [](const auto& a, const auto& b) { return a.kind < b.kind; });
    return found;
}

const char* word_of(FindingChange::Kind kind) {
    switch (kind) {
        case FindingChange::Kind::appeared:
            return "new";
        case FindingChange::Kind::gone:
            return "gone";
        case FindingChange::Kind::moved:
            return "moved";
        case FindingChange::Kind::same:
            break;
    }
    return "unchanged";
}

std::vector<LineChange> line_changes(const std::vector<KeptLine>& before,
                                     const std::vector<KeptLine>& now) {
    std::vector<size_t> partner =
        partners(before, now, [](const KeptLine&, const KeptLine&) { return true; });
    std::vector<LineChange> found;
    for (size_t i = 0; i < now.size(); ++i)
        add_line(partner[i] == std::string::npos ? KeptLine{} : before[partner[i]], now[i], found);
    for (size_t j = 0; j < before.size(); ++j)
        if (std::find(partner.begin(), partner.end(), j) == partner.end())
            add_line(before[j], {}, found);
    return found;
}

}  // namespace lanewise::ui
