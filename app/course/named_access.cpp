#include "course/named_access.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cctype>
#include <cstdlib>
#include <map>
#include <set>

#include "base/text.h"

namespace lanewise {
namespace {

constexpr size_t kNone = std::string::npos;

bool is_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }
bool is_blank(char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; }

// Behind the bracket that is open at `at`; the text's end where none closes it.
size_t behind(std::string_view text, size_t at) {
    int depth = 0;
    for (; at < text.size(); ++at) {
        depth += text[at] == '(' || text[at] == '[' || text[at] == '{';
        depth -= text[at] == ')' || text[at] == ']' || text[at] == '}';
        if (depth == 0) return at + 1;
    }
    return text.size();
}

// One access: a name with its subscripts and members, [begin, end).
struct Place {
    size_t begin = 0, end = 0;
    std::string array;
};

size_t behind_subscripts(std::string_view text, size_t at) {
    while (at < text.size()) {
        if (text[at] == '[') {
            at = behind(text, at);
        } else if (text[at] == '.' && at + 1 < text.size() && is_name(text[at + 1])) {
            ++at;
            while (at < text.size() && is_name(text[at])) ++at;
        } else {
            break;
        }
    }
    return at;
}

// Names with subscripts, those within subscripts left out; "*…(to)" and "*to" where there are none.
std::vector<Place> places_in(std::string_view text, size_t begin, size_t end) {
    std::vector<Place> places;
    for (size_t at = begin; at < end;) {
        if (!is_name(text[at])) {
            ++at;
            continue;
        }
        size_t name_end = at;
        while (name_end < end && is_name(text[name_end])) ++name_end;
        size_t last =
            name_end < end && text[name_end] == '[' ? behind_subscripts(text, name_end) : at;
        if (last > at) places.push_back({at, last, std::string(text.substr(at, name_end - at))});
        at = std::max(last, name_end);
    }
    if (!places.empty()) return places;
    size_t star = text.substr(0, end).find("*reinterpret_cast<", begin);
    if (star == kNone) return places;
    size_t open = text.find('(', star);
    if (open == kNone || open >= end) return places;
    size_t close = behind(text, open);
    places.push_back({star, close, std::string(text.substr(open + 1, close - open - 2))});
    return places;
}

// The statement around `at`: from behind the last ; { or } to its own ;. Brackets' are their own.
size_t statement_begin(std::string_view text, size_t at) {
    int depth = 0;
    while (at > 0) {
        char c = text[at - 1];
        depth += c == ')';
        depth -= c == '(' && depth > 0;
        if (depth == 0 && (c == ';' || c == '{' || c == '}')) break;
        --at;
    }
    while (at < text.size() && is_blank(text[at])) ++at;
    return at;
}
size_t statement_end(std::string_view text, size_t at) {
    while (at < text.size() && text[at] != ';' && text[at] != '{') {
        at = text[at] == '(' || text[at] == '[' ? behind(text, at) : at + 1;
    }
    return at;
}

enum class Way { load, store, both };
Way way_of(std::string_view text, size_t end) {
    while (end < text.size() && (is_blank(text[end]) || text[end] == ')')) ++end;
    std::string_view rest = text.substr(end, 3);
    if (rest.size() < 2) return Way::load;
    if (rest[0] == '=' && rest[1] != '=') return Way::store;
    bool compound = std::string_view("+-*/|&^").find(rest[0]) != kNone && rest[1] == '=';
    return compound ? Way::both : Way::load;
}

int line_at(std::string_view text, size_t at) {
    return 1 + static_cast<int>(std::count(text.begin(), text.begin() + std::ptrdiff_t(at), '\n'));
}

// Shared variables of a kernel have mangled names, "_ZZ…E6a_tile".
bool array_is_called(const std::string& variable, const std::string& name) {
    return variable == name || variable.ends_with(fmt::format("E{}{}", name.size(), name));
}

// Where each instruction went in this block, as far as it executed there.
class Seen {
  public:
    Seen(const Report& report, const BlockTrace& block) : report_(report), block_(block) {
        for (size_t i = 0; i < block.accesses.size(); ++i)
            first_.try_emplace(block.accesses[i].instruction, static_cast<int>(i));
    }
    int first(uint32_t instruction) const {
        auto found = first_.find(instruction);
        return found == first_.end() ? -1 : found->second;
    }
    // "in", "_ZZ…E6a_tile", or "" where it is in no named array.
    std::string array_of(uint32_t instruction) const {
        int at = first(instruction);
        if (at < 0) return {};
        const TracedAccess& access = block_.accesses[static_cast<size_t>(at)];
        if (report_.instructions[instruction].space == Space::global)
            return access.buffer < 0 ? "" : block_.buffers[static_cast<size_t>(access.buffer)].name;
        uint64_t offset = access.addresses[static_cast<size_t>(std::countr_zero(access.mask))];
        for (const TracedArray& array : block_.arrays)
            if (offset >= array.offset && offset < array.offset + array.bytes) return array.name;
        return {};
    }

  private:
    const Report& report_;
    const BlockTrace& block_;
    std::map<uint32_t, int> first_;
};

bool is_known(const BlockTrace& block, const std::string& array) {
    return std::any_of(block.buffers.begin(), block.buffers.end(),
                       [&](const TracedBuffer& buffer) { return buffer.name == array; }) ||
           std::any_of(block.arrays.begin(), block.arrays.end(),
                       [&](const TracedArray& each) { return array_is_called(each.name, array); });
}

std::string access_in_words(const InstructionReport& instruction, const std::string& array) {
    size_t name = array.find_last_of("0123456789");
    std::string plain = array.starts_with("_Z") && name != kNone ? array.substr(name + 1) : array;
    return fmt::format("a {} {}{}", instruction.space == Space::shared ? "shared" : "global",
                       instruction.is_store ? "store" : "load",
                       plain.empty() ? "" : (instruction.is_store ? " to " : " from ") + plain);
}

}  // namespace

AccessText access_text(const std::string& at, const std::string& source) {
    AccessText text;
    size_t found = occurrences(source, at);
    if (found != 1) {
        text.problem = fmt::format("the source holds it {} times; quote what it holds once", found);
        return text;
    }
    const size_t begin = source.find(at);
    std::vector<Place> places = places_in(source, begin, begin + at.size());
    if (places.empty()) {
        text.problem = "it names no access; write it as the source does: a_tile[x][k]";
        return text;
    }
    if (places.size() > 1) {
        text.problem = fmt::format("it names {} accesses, of {} and {}: name one", places.size(),
                                   places[0].array, places[1].array);
        return text;
    }
    const Place& place = places[0];
    Way way = way_of(source, place.end);
    text.array = place.array;
    text.line = line_at(source, place.end - 1);
    text.is_store = way == Way::store;
    const size_t from = statement_begin(source, place.begin);
    text.first_line = std::min(line_at(source, from), text.line);
    if (way == Way::both) {
        text.problem = "it is read and written there: name the access beside it";
        return text;
    }
    // They are executed in the order of the source: "sums[x] += sums[x + step]" reads sums[x] first.
    std::vector<Place> same;
    for (const Place& each : places_in(source, from, statement_end(source, place.end))) {
        Way other = way_of(source, each.end);
        if (each.array != place.array || (other == Way::store) != text.is_store) continue;
        same.push_back(each);
    }
    text.places = std::max<int>(1, static_cast<int>(same.size()));
    for (size_t i = 0; i < same.size(); ++i)
        if (same[i].begin == place.begin) text.place = static_cast<int>(i);
    return text;
}

NamedAccess named_access(const std::string& at, const std::string& source, const Report& report,
                         const BlockTrace& block) {
    NamedAccess named;
    named.text = access_text(at, source);
    named.problem = named.text.problem;
    if (!named.problem.empty()) return named;
    const AccessText& text = named.text;
    const Seen seen(report, block);
    const bool known = is_known(block, text.array);
    std::vector<std::string> there;                    // all of the statement, in words
    std::map<std::string, std::vector<uint32_t>> fit;  // those that fit, by what they are
    for (int line = text.line; line >= text.first_line && fit.empty(); --line) {
        for (uint32_t i = 0; i < report.instructions.size(); ++i) {
            const InstructionReport& one = report.instructions[i];
            if (one.line != line || one.kind != AccessKind::plain || seen.first(i) < 0) continue;
            std::string array = seen.array_of(i), words = access_in_words(one, array);
            if (std::find(there.begin(), there.end(), words) == there.end()) there.push_back(words);
            if (one.is_store != text.is_store) continue;
            if (known && !array_is_called(array, text.array)) continue;
            fit[words].push_back(i);
        }
    }
    if (fit.size() != 1) {
        std::string list;
        for (const std::string& words : there) list += (list.empty() ? "" : ", ") + words;
        named.problem = fmt::format("it fits {} accesses of line {}, which has {}",
                                    fit.empty() ? "none of the" : "several", text.line,
                                    list.empty() ? "none that this block executes" : list);
        return named;
    }
    const std::vector<uint32_t>& all = fit.begin()->second;
    const auto places = static_cast<size_t>(text.places);
    for (size_t i = 0; i < all.size(); ++i)  // unrolled, they take turns
        if (all.size() % places != 0 || i % places == static_cast<size_t>(text.place))
            named.instructions.push_back(all[i]);
    if (all.size() % places != 0)
        named.problem = fmt::format("the statement reads {} {} times, and the compiler merged them",
                                    text.array, places);
    named.space = report.instructions[all[0]].space;
    named.first = seen.first(named.instructions.empty() ? all[0] : named.instructions[0]);
    return named;
}

NameLookup access_lookup(const NamedAccess* access, const Report& report, const BlockTrace& block,
                         NameLookup setting) {
    Counts counts = access ? Counts{} : report.totals;
    std::map<std::string, int64_t, std::less<>> own;
    if (access) {
        for (uint32_t i : access->instructions) counts += report.instructions[i].counts;
        if (access->first >= 0) {
            const TracedAccess& first = block.accesses[static_cast<size_t>(access->first)];
            std::set<uint64_t> addresses;
            for (size_t lane = 0; lane < first.addresses.size(); ++lane)
                if (first.mask >> lane & 1) addresses.insert(first.addresses[lane]);
            own["lanes"] = std::popcount(first.mask);
            own["addresses"] = static_cast<int64_t>(addresses.size());
            own["stride"] = (first.mask & 3) == 3
                                ? std::abs(static_cast<int64_t>(first.addresses[1]) -
                                           static_cast<int64_t>(first.addresses[0]))
                                : 0;
        }
    }
    for (const TracedAccess& each : block.accesses) {
        if (each.warp != 0) continue;
        const InstructionReport& instruction = report.instructions[each.instruction];
        if (instruction.is_store) break;
        own["loads_before_store"] += instruction.space == Space::global;
    }
    NameLookup counted = counts_lookup(counts, {}, 0, 0, 0);
    return [own, counted, setting](std::string_view name, int64_t& value) {
        if (auto found = own.find(name); found != own.end()) return value = found->second, true;
        if (name.find('.') != name.npos) return counted(name, value);
        return setting(name, value);
    };
}

}  // namespace lanewise
