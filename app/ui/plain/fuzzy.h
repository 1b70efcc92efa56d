// Finding a title by a few of its letters, as the command palette does.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lanewise::ui {

struct FuzzyMatch {
    int score = 0;              // higher is better; comparable for one query only
    std::vector<size_t> bytes;  // of the text, in order: those that the query's letters matched
};

// How well `text` answers `query`. The query's words, split at blanks, must each occur in the text
// as letters in order, not necessarily next to each other, upper and lower case alike; a blank
// query matches everything with score 0. Letters that begin a word and letters in a row count
// more, and of two equal matches the shorter text wins. Nothing where a word does not occur.
std::optional<FuzzyMatch> fuzzy_match(std::string_view query, std::string_view text);

}  // namespace lanewise::ui
