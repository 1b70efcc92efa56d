// A table of names and a table of ratios; everything else is expression.cpp's work.
#include "course/query.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <optional>

#include "base/error.h"
#include "base/text.h"
#include "course/card_limits.h"
#include "course/element_count.h"

namespace lanewise {
namespace {

template <class Group>
struct Field {
    const char* name;
    uint64_t Group::*value;
};
constexpr Field<GlobalCounts> kGlobalFields[] = {{"instructions", &GlobalCounts::instructions},
                                                 {"requests", &GlobalCounts::requests},
                                                 {"sectors", &GlobalCounts::sectors},
                                                 {"sectors_ideal", &GlobalCounts::sectors_ideal},
                                                 {"bytes", &GlobalCounts::bytes}};
constexpr Field<SharedCounts> kSharedFields[] = {
    {"instructions", &SharedCounts::instructions},
    {"wavefronts", &SharedCounts::wavefronts},
    {"wavefronts_ideal", &SharedCounts::wavefronts_ideal},
    {"bytes", &SharedCounts::bytes}};
constexpr Field<CopyCounts> kCopyFields[] = {{"instructions", &CopyCounts::instructions},
                                             {"requests", &CopyCounts::requests},
                                             {"sectors", &CopyCounts::sectors},
                                             {"sectors_ideal", &CopyCounts::sectors_ideal},
                                             {"wavefronts", &CopyCounts::wavefronts},
                                             {"wavefronts_ideal", &CopyCounts::wavefronts_ideal},
                                             {"bytes", &CopyCounts::bytes},
                                             {"tag_sectors", &CopyCounts::tag_sectors}};
constexpr Field<BulkCounts> kBulkFields[] = {{"instructions", &BulkCounts::instructions},
                                             {"sectors", &BulkCounts::sectors},
                                             {"sectors_ideal", &BulkCounts::sectors_ideal},
                                             {"bytes", &BulkCounts::bytes}};

// visit(name, value) for every count; the names are the members' own.
template <class Visit>
void each_count(const Counts& counts, Visit visit) {
    auto group = [&](const std::string& name, const auto& values, const auto& fields) {
        for (const auto& field : fields) visit(name + "." + field.name, values.*field.value);
    };
    group("global_load", counts.global_load, kGlobalFields);
    group("global_store", counts.global_store, kGlobalFields);
    group("shared_load", counts.shared_load, kSharedFields);
    group("shared_store", counts.shared_store, kSharedFields);
    group("global_atomic", counts.global_atomic, kGlobalFields);
    group("global_reduction", counts.global_reduction, kGlobalFields);
    group("shared_atomic", counts.shared_atomic, kSharedFields);
    group("async_copy", counts.async_copy, kCopyFields);
    group("matrix_load", counts.matrix_load, kSharedFields);
    group("bulk_load", counts.bulk_load, kBulkFields);
    group("bulk_store", counts.bulk_store, kBulkFields);
}

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
                         int element_bytes, int64_t inner) {
    return [=](std::string_view name, int64_t& value) {
        bool product = inner != kNoInner;
        if (name == "rows" || (product && name == "M")) return value = rows, true;
        if (name == "cols" || (product && name == "N")) return value = cols, true;
        if (product && name == "K") return value = inner, true;
        if (name == "n") return value = element_count(rows, cols), true;
        if (name == "element_bytes") return value = element_bytes, true;
        auto knob = knobs.find(std::string(name));
        if (knob != knobs.end()) return value = knob->second, true;
        if (look_up_limit(name, value)) return true;
        bool found = false;
        each_count(totals, [&](const std::string& count, uint64_t number) {
            if (count != name) return;
            value = static_cast<int64_t>(number);
            found = true;
        });
        return found;
    };
}

NameLookup with_outcome(NameLookup counts, uint64_t wrong, uint64_t findings) {
    return [=](std::string_view name, int64_t& value) {
        if (name == "wrong") return value = static_cast<int64_t>(wrong), true;
        if (name == "findings") return value = static_cast<int64_t>(findings), true;
        return counts(name, value);
    };
}

std::vector<std::string> counts_names() {
    std::vector<std::string> names;
    each_count({}, [&](const std::string& name, uint64_t) { names.push_back(name); });
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

static std::string unmet_comparison(const std::string& part, const NameLookup& names) {
    if (query_value(part, names) != 0) return {};
    for (std::string_view sign : {"==", "!=", "<=", ">=", "<", ">"}) {
        size_t at = part.find(sign);
        if (at == part.npos) continue;
        auto value = [&](std::string_view side) {
            return integer_text(evaluate(trimmed(side), names));
        };
        std::string_view text = part;
        return part + ": now " + value(text.substr(0, at)) + ", must be " +
               (sign == "==" ? "" : std::string(sign) + " ") + value(text.substr(at + sign.size()));
    }
    return part;
}

// Lessons' expectations are plain: comparisons with && between them. Others are told whole.
std::string unmet_part(const std::string& expect, const NameLookup& names) {
    if (query_value(expect, names) != 0) return {};
    if (expect.find("||") != expect.npos || expect.find("(") != expect.npos) return expect;
    std::string_view rest = expect;
    while (!rest.empty()) {
        size_t end = std::min(rest.find("&&"), rest.size());
        std::string unmet = unmet_comparison(std::string(trimmed(rest.substr(0, end))), names);
        if (!unmet.empty()) return unmet;
        rest.remove_prefix(std::min(end + 2, rest.size()));
    }
    return expect;
}

std::string answer_query(const std::string& query, const NameLookup& names,
                         const DeviceProfile* card) {
    constexpr const char* kNone = "–";
    if (trimmed(query) == kCardName) return card ? card->name : kNone;
    const NameLookup all = with_card(names, card);
    try {
        std::optional<RatioQuery> ratio = ratio_query(query);
        if (!ratio) return integer_text(evaluate(query, all));
        return real_text(query_value(query, all)) + ratio->ratio->unit;
    } catch (const Error&) {
        return kNone;
    }
}

std::string answer_query(const std::string& query, const Counts& totals, const KnobValues& knobs,
                         int64_t rows, int64_t cols, int element_bytes, int64_t inner) {
    return answer_query(query, counts_lookup(totals, knobs, rows, cols, element_bytes, inner));
}

}  // namespace lanewise
