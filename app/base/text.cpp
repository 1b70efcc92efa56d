#include "base/text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdio>
#include <numeric>

namespace lanewise {

std::string_view trimmed(std::string_view text) {
    constexpr std::string_view kBlank = " \t\r\n";
    size_t first = text.find_first_not_of(kBlank);
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(kBlank) - first + 1);
}

std::vector<std::string_view> split(std::string_view text, char separator) {
    std::vector<std::string_view> pieces;
    for (;;) {
        size_t end = text.find(separator);
        pieces.push_back(text.substr(0, end));
        if (end == std::string_view::npos) return pieces;
        text.remove_prefix(end + 1);
    }
}

std::vector<std::string_view> lines_of(std::string_view text) {
    std::vector<std::string_view> lines = split(text, '\n');
    if (lines.back().empty()) lines.pop_back();
    for (auto& line : lines)
        if (line.ends_with('\r')) line.remove_suffix(1);
    return lines;
}

size_t occurrences(std::string_view text, std::string_view piece) {
    size_t count = 0;
    if (piece.empty()) return 0;
    for (size_t at = text.find(piece); at != text.npos; at = text.find(piece, at + 1)) ++count;
    return count;
}

std::string with_thousands(uint64_t number) {
    std::string digits = std::to_string(number), grouped;
    for (size_t i = 0; i < digits.size(); ++i) {
        if (i > 0 && (digits.size() - i) % 3 == 0) grouped += ',';
        grouped += digits[i];
    }
    return grouped;
}

std::string counted(uint64_t number, std::string_view singular) {
    return with_thousands(number).append(" ").append(singular).append(number == 1 ? "" : "s");
}

std::string percent(double share) {
    char text[32];
    bool small = share > 0 && share < 0.0095;
    std::snprintf(text, sizeof text, small ? "%.1f %%" : "%.0f %%", 100 * share);
    return text;
}

std::string in_bytes(uint64_t bytes) {
    constexpr std::array kUnits = {"B", "KiB", "MiB", "GiB", "TiB"};
    double value = static_cast<double>(bytes);
    size_t unit = 0;
    while (value >= 1000 && unit + 1 < kUnits.size()) value /= 1024, ++unit;
    bool whole = unit == 0 || value >= 100 || value == static_cast<double>(static_cast<int>(value));
    char text[32];
    std::snprintf(text, sizeof text, whole ? "%.0f %s" : "%.1f %s", value, kUnits[unit]);
    return text;
}

bool parse_integer(std::string_view text, int64_t& value) {
    auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc() && end == text.data() + text.size() && !text.empty();
}

static size_t edit_distance(std::string_view a, std::string_view b) {
    std::vector<size_t> row(b.size() + 1);
    std::iota(row.begin(), row.end(), 0u);
    for (size_t i = 1; i <= a.size(); ++i) {
        size_t diagonal = row[0];
        row[0] = i;
        for (size_t j = 1; j <= b.size(); ++j) {
            size_t substitute = diagonal + (a[i - 1] != b[j - 1]);
            diagonal = row[j];
            row[j] = std::min({row[j] + 1, row[j - 1] + 1, substitute});
        }
    }
    return row.back();
}

std::string closest(std::string_view word, const std::vector<std::string>& candidates) {
    const std::string* best = nullptr;
    size_t best_distance = std::max<size_t>(2, word.size() / 3) + 1;
    for (const std::string& candidate : candidates) {
        size_t distance = edit_distance(word, candidate);
        if (distance < best_distance) best_distance = distance, best = &candidate;
    }
    return best ? *best : std::string();
}

}  // namespace lanewise
