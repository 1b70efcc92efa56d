// A table of names and a table of ratios; everything else is expression.cpp's work.
#include "course/query.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <optional>

#include "base/error.h"
#include "base/text.h"

namespace lanewise {
namespace {

struct CountName {
    const char* name;
    uint64_t (*of)(const Counts&);
};
constexpr std::array<CountName, 18> kCounts = {{
    {"global_load.instructions", [](const Counts& c) { return c.global_load.instructions; }},
    {"global_load.requests", [](const Counts& c) { return c.global_load.requests; }},
    {"global_load.sectors", [](const Counts& c) { return c.global_load.sectors; }},
    {"global_load.sectors_ideal", [](const Counts& c) { return c.global_load.sectors_ideal; }},
    {"global_load.bytes", [](const Counts& c) { return c.global_load.bytes; }},
    {"global_store.instructions", [](const Counts& c) { return c.global_store.instructions; }},
    {"global_store.requests", [](const Counts& c) { return c.global_store.requests; }},
    {"global_store.sectors", [](const Counts& c) { return c.global_store.sectors; }},
    {"global_store.sectors_ideal", [](const Counts& c) { return c.global_store.sectors_ideal; }},
    {"global_store.bytes", [](const Counts& c) { return c.global_store.bytes; }},
    {"shared_load.instructions", [](const Counts& c) { return c.shared_load.instructions; }},
    {"shared_load.wavefronts", [](const Counts& c) { return c.shared_load.wavefronts; }},
    {"shared_load.wavefronts_ideal",
     [](const Counts& c) { return c.shared_load.wavefronts_ideal; }},
    {"shared_load.bytes", [](const Counts& c) { return c.shared_load.bytes; }},
    {"shared_store.instructions", [](const Counts& c) { return c.shared_store.instructions; }},
    {"shared_store.wavefronts", [](const Counts& c) { return c.shared_store.wavefronts; }},
    {"shared_store.wavefronts_ideal",
     [](const Counts& c) { return c.shared_store.wavefronts_ideal; }},
    {"shared_store.bytes", [](const Counts& c) { return c.shared_store.bytes; }},
}};

// A ratio of two counts: "sectors_per_request store" is global_store.sectors / .requests.
struct Ratio {
    const char *name, *space, *over, *under;
    double scale;
    const char* unit;
};
constexpr std::array<Ratio, 3> kRatios = {{
    {"sectors_per_request", "global_", ".sectors", ".requests", 1, ""},
    {"useful_percent", "global_", ".bytes", ".sectors", 100.0 / 32, " %"},
    {"wavefronts_per_request", "shared_", ".wavefronts", ".instructions", 1, ""},
}};

struct RatioQuery {
    const Ratio* ratio;
    std::string side;  // "load" or "store"
};

std::optional<RatioQuery> ratio_query(const std::string& query) {
    std::string_view text = trimmed(query);
    size_t blank = text.find(' ');
    std::string_view name = text.substr(0, blank);
    for (const Ratio& ratio : kRatios) {
        if (name != ratio.name) continue;
        std::string_view side = blank == text.npos ? "" : trimmed(text.substr(blank));
        if (side != "load" && side != "store")
            throw Error(Status::bad_input,
                        std::string(name) + " needs \"load\" or \"store\" after it");
        return RatioQuery{&ratio, std::string(side)};
    }
    return std::nullopt;
}

// 4 -> "4", 4.5 -> "4.5", 3.125 -> "3.13"
std::string real_text(double value) {
    if (value == std::floor(value) && value < 1e15)
        return with_thousands(static_cast<uint64_t>(value));
    char text[32];
    std::snprintf(text, sizeof text, "%.2f", value);
    std::string result = text;
    if (result.ends_with('0')) result.pop_back();
    return result;
}

std::string integer_text(int64_t value) {
    if (value >= 0) return with_thousands(static_cast<uint64_t>(value));
    return std::string("-").append(with_thousands(0 - static_cast<uint64_t>(value)));
}

}  // namespace

NameLookup counts_lookup(const Counts& totals, const KnobValues& knobs, int64_t rows, int64_t cols,
                         int element_bytes) {
    return [=](std::string_view name, int64_t& value) {
        if (name == "rows") return value = rows, true;
        if (name == "cols") return value = cols, true;
        if (name == "element_bytes") return value = element_bytes, true;
        auto knob = knobs.find(std::string(name));
        if (knob != knobs.end()) return value = knob->second, true;
        for (const CountName& count : kCounts)
            if (name == count.name) return value = static_cast<int64_t>(count.of(totals)), true;
        return false;
    };
}

std::vector<std::string> counts_names() {
    std::vector<std::string> names;
    for (const CountName& count : kCounts) names.emplace_back(count.name);
    return names;
}

double query_value(const std::string& query, const NameLookup& names) {
    std::optional<RatioQuery> ratio = ratio_query(query);
    if (!ratio) return static_cast<double>(evaluate(query, names));
    const Ratio& rule = *ratio->ratio;
    std::string prefix = rule.space + ratio->side;
    auto over = static_cast<double>(evaluate(prefix + rule.over, names));
    auto under = static_cast<double>(evaluate(prefix + rule.under, names));
    if (under == 0) throw Error(Status::bad_input, query + ": this run has no such access");
    return rule.scale * over / under;
}

std::string answer_query(const std::string& query, const Counts& totals, const KnobValues& knobs,
                         int64_t rows, int64_t cols, int element_bytes) {
    NameLookup names = counts_lookup(totals, knobs, rows, cols, element_bytes);
    try {
        std::optional<RatioQuery> ratio = ratio_query(query);
        if (!ratio) return integer_text(evaluate(query, names));
        return real_text(query_value(query, names)) + ratio->ratio->unit;
    } catch (const Error&) {
        return "–";
    }
}

}  // namespace lanewise
