// What comes back to be predicted again: wrong answers soon, right ones after longer and longer
// pauses (Leitner's boxes). Kept with what the counts have proven of each stage, and with whether
// the welcome was answered, in state_folder()/review.json. Days are counted from 1970-01-01, UTC.
#pragma once
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace lanewise::ui {

struct App;

struct Reviewed {
    int box = 0;      // how often right in a row; 0: wrong
    int64_t day = 0;  // of the last answer that was compared; 0: none yet
    bool right = false;
    bool open = false;                // is asked again already
    std::vector<std::string> badges;  // what the counts have proven, in words
    bool operator==(const Reviewed&) const = default;
};

struct ReviewBook {
    bool welcomed = false;
    std::map<std::string, Reviewed> stages;
    std::filesystem::path file;  // where it is kept; empty: in memory
};

int64_t today();

// Days from an answer until it is asked for again, by the box that it is in.
int64_t pause_days(int box);
inline constexpr int kLastBox = 5;

// The machine has said whether a guess was right.
void note_answer(Reviewed& stage, bool right, int64_t day);

struct Due {
    std::string stage;
    bool right = false;    // the last answer
    int64_t days_ago = 0;  // that it was given
};
// Those whose pause is over, wrong ones first, then those whose answer is oldest.
std::vector<Due> due_for_review(const ReviewBook& book, int64_t day);

// ---- the app's
void note_answer(App& app, const std::string& stage, bool right);
void note_badges(App& app);  // what the counts prove of the chosen stage as the course has it
void ask_again(App& app, const std::string& stage);  // its question is open again; the box stays
// Reads the file, or begins with the answers that an older version's window.json has. One that
// cannot be read is set aside and said.
void read_review(App& app, const std::filesystem::path& file);
void review_changed(App& app);  // writes it; what goes wrong becomes a notice, once

// As JSON text (review_file.cpp). parse throws Error(bad_input), one sentence.
std::string review_text(const ReviewBook& book);
ReviewBook parse_review(const std::string& text);

}  // namespace lanewise::ui
