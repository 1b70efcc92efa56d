#include "ui/plain/fuzzy.h"

#include <algorithm>
#include <cctype>

#include "base/text.h"

namespace lanewise::ui {
namespace {

constexpr int kLetter = 1, kInRow = 8, kWordBegins = 6, kTextBegins = 4;

char lower(char c) { return static_cast<char>(std::tolower(static_cast<unsigned char>(c))); }
bool is_letter(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || (c & 0x80); }

bool begins_word(std::string_view text, size_t at) {
    return is_letter(text[at]) && (at == 0 || !is_letter(text[at - 1]));
}

int worth(std::string_view text, size_t at, bool in_row) {
    int begin = begins_word(text, at) ? kWordBegins : 0;
    return kLetter + std::max(in_row ? kInRow : 0, begin) + (at == 0 ? kTextBegins : 0);
}

// The best way to place `word` in `text`: best[i][j] is the score with letter i on text[j], and
// from[i][j] where letter i - 1 is then. Queries and titles are short, so the square is small.
std::optional<FuzzyMatch> match_word(std::string_view word, std::string_view text) {
    const size_t n = word.size(), m = text.size();
    if (n > m) return std::nullopt;
    constexpr int kNone = -1;
    std::vector<int> best(n * m, kNone);
    std::vector<size_t> from(n * m, 0);
    for (size_t i = 0; i < n; ++i) {
        int before = kNone;  // the best of the row above, left of j - 1
        size_t before_at = 0;
        for (size_t j = i; j < m; ++j) {
            if (i > 0 && j >= 2 && best[(i - 1) * m + j - 2] > before) {
                before = best[(i - 1) * m + j - 2];
                before_at = j - 2;
            }
            if (lower(word[i]) != lower(text[j])) continue;
            int& score = best[i * m + j];
            if (i == 0) {
                score = worth(text, j, false);
                continue;
            }
            if (before != kNone) {
                score = before + worth(text, j, false);
                from[i * m + j] = before_at;
            }
            int beside = best[(i - 1) * m + j - 1];
            if (beside != kNone && beside + worth(text, j, true) > score) {
                score = beside + worth(text, j, true);
                from[i * m + j] = j - 1;
            }
        }
    }
    auto last = best.begin() + static_cast<std::ptrdiff_t>((n - 1) * m);
    auto top = std::max_element(last, best.end());
    if (*top == kNone) return std::nullopt;
    FuzzyMatch match{*top, std::vector<size_t>(n)};
    auto at = static_cast<size_t>(top - last);
    for (size_t i = n; i-- > 0; at = from[i * m + at]) match.bytes[i] = at;
    return match;
}

}  // namespace

std::optional<FuzzyMatch> fuzzy_match(std::string_view query, std::string_view text) {
    FuzzyMatch all;
    for (std::string_view word : split(query, ' ')) {
        if (word.empty()) continue;
        std::optional<FuzzyMatch> match = match_word(word, text);
        if (!match) return std::nullopt;
        all.score += match->score;
        all.bytes.insert(all.bytes.end(), match->bytes.begin(), match->bytes.end());
    }
    std::sort(all.bytes.begin(), all.bytes.end());
    all.bytes.erase(std::unique(all.bytes.begin(), all.bytes.end()), all.bytes.end());
    // Only between equals: a title's length counts less than any letter of it.
    all.score = all.bytes.empty() ? 0 : all.score * 256 - static_cast<int>(text.size());
    return all;
}

}  // namespace lanewise::ui
