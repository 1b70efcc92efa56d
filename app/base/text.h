// Small text helpers that the standard library lacks.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace lanewise {

// `text` without leading and trailing blanks, tabs and line ends. A view into `text`.
std::string_view trimmed(std::string_view text);

// The pieces of `text` between `separator`s; always at least one, pieces may be empty.
std::vector<std::string_view> split(std::string_view text, char separator);

// The lines of `text` without their line ends ("\n" or "\r\n"); a final newline adds no line.
std::vector<std::string_view> lines_of(std::string_view text);

// How often `piece` stands in `text`, also where two overlap; 0 where it is empty.
size_t occurrences(std::string_view text, std::string_view piece);

// 16777216 -> "16,777,216".
std::string with_thousands(uint64_t number);

// "1 sector", "4 sectors", "1,024 sectors".
std::string counted(uint64_t number, std::string_view singular);

// 0.88 -> "88 %", 0.0042 -> "0.4 %": whole percents, tenths of what is less than one.
std::string percent(double share);

// 4224 -> "4.1 KiB", 268435456 -> "256 MiB". Three significant digits, binary units.
std::string in_bytes(uint64_t bytes);

// The whole of `text` as a decimal integer that fits int64; false where it is anything else.
bool parse_integer(std::string_view text, int64_t& value);

// The candidate closest to `word` by edit distance, for "did you mean"; empty if none is close.
std::string closest(std::string_view word, const std::vector<std::string>& candidates);

}  // namespace lanewise
