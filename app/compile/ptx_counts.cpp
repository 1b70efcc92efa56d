#include "compile/ptx_counts.h"

#include <charconv>
#include <cstdint>
#include <unordered_map>

namespace lanewise {

namespace {

// The first byte says which: with counts, or as it is, where the text has the bytes that mark them.
constexpr char kCounted = 'c', kAsItIs = '=';
// Before how many further, and before how many back. None of them for one further.
constexpr char kFurther = '\x01', kBack = '\x02';
constexpr std::string_view kMarks = "\x01\x02";
constexpr size_t kMostDigits = 9;
constexpr std::string_view kLine = ".loc\t";

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_of_name(char c) {
    return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

// Where the name ends that begins at `at` with % or $, or .loc's file: behind "%rd12", ".loc\t1 ".
// `at` where none begins.
size_t end_of_name(std::string_view text, size_t at) {
    size_t end = at;
    if (text[at] == '%' || text[at] == '$') {
        for (++end; end < text.size() && is_of_name(text[end]); ++end) {}
        return end;
    }
    if (text[at] != '.' || !text.substr(at).starts_with(kLine)) return at;
    for (end += kLine.size(); end < text.size() && is_digit(text[end]); ++end) {}
    return end < text.size() && text[end] == ' ' ? end + 1 : at;
}

// The last numbers, by name and by the character before it.
class LastNumbers {
  public:
    int64_t& of(std::string_view name, char before) {
        key_.assign(name);
        key_ += before;
        return last_[key_];
    }

  private:
    std::string key_;
    std::unordered_map<std::string, int64_t> last_;
};

// The digits from `from` on, as one number; nullopt where there are none, or too many, or where
// they would be written otherwise ("007").
std::optional<int64_t> number_at(std::string_view text, size_t from, size_t end) {
    if (from == end || end - from > kMostDigits || (text[from] == '0' && end - from > 1)) return {};
    int64_t number = 0;
    std::from_chars(text.data() + from, text.data() + end, number);
    return number;
}

// Where the digits begin that end at `end`.
size_t begin_of_digits(std::string_view text, size_t begin, size_t end) {
    while (end > begin && is_digit(text[end - 1])) --end;
    return end;
}

size_t end_of_digits(std::string_view text, size_t at) {
    while (at < text.size() && is_digit(text[at])) ++at;
    return at;
}

void put_count(std::string& out, int64_t number, int64_t& last) {
    const int64_t further = number - last;
    out += further > 0 ? kFurther : kBack;
    if (further != 1) out += std::to_string(further > 0 ? further : -further);
    last = number;
}

}  // namespace

std::string ptx_counted(std::string_view ptx) {
    if (ptx.find_first_of(kMarks) != std::string_view::npos) return kAsItIs + std::string(ptx);
    std::string out(1, kCounted);
    LastNumbers last;
    for (size_t at = 0; at < ptx.size();) {
        const size_t end = end_of_name(ptx, at);
        if (end == at) {
            out += ptx[at++];
            continue;
        }
        // .loc's number stands behind its name, a name's own is its end.
        const bool is_line = ptx[at] == '.';
        const size_t from = is_line ? end : begin_of_digits(ptx, at, end);
        const size_t to = is_line ? end_of_digits(ptx, end) : end;
        std::optional<int64_t> number = number_at(ptx, from, to);
        const std::string_view name = ptx.substr(at, from - at);
        out += name;
        if (number)
            put_count(out, *number, last.of(name, at ? ptx[at - 1] : '\n'));
        else
            out += ptx.substr(from, to - from);
        at = to;
    }
    return out;
}

std::optional<std::string> ptx_restored(std::string_view counted) {
    if (counted.empty()) return {};
    const char kind = counted.front();
    counted.remove_prefix(1);
    if (kind == kAsItIs) return std::string(counted);
    if (kind != kCounted) return {};
    std::string out;
    LastNumbers last;
    for (size_t at = 0; at < counted.size();) {
        const size_t end = end_of_name(counted, at);
        if (end == at) {
            if (kMarks.find(counted[at]) != std::string_view::npos) return {};  // with no name before it
            out += counted[at++];
            continue;
        }
        const std::string_view name = counted.substr(at, end - at);
        const char before = out.empty() ? '\n' : out.back();
        out += name;
        at = end;
        if (at == counted.size() || kMarks.find(counted[at]) == std::string_view::npos) continue;
        const bool is_further = counted[at++] == kFurther;
        const size_t to = end_of_digits(counted, at);
        const int64_t count = to == at ? 1 : number_at(counted, at, to).value_or(-1);
        int64_t& number = last.of(name, before);
        number += is_further ? count : -count;
        if (count < 0 || number < 0) return {};
        out += std::to_string(number);
        at = to;
    }
    return out;
}

}  // namespace lanewise
