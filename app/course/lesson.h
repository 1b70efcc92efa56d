// A lesson: lessons/<operation>/<NN_idea>.md, CommonMark under a TOML head.
//   +++
//   title = "Padding spreads the banks"
//   aim = "After this you can …"
//   still_wrong = "…"                       what the stage still gets wrong; leads to the next
//   still_wrong_term = "order of blocks"    the model's largest loss at the stage's default setting,
//                                           of which the sentence speaks (model/bandwidth.h); or
//   still_wrong_is = "conjecture"           neither counts nor model can show it; "scope": it says
//                                           what the stage cannot do, not what costs it time
//   [predict]
//   question = "How many wavefronts does one warp's read of a column take?"
//   answer = "shared_load.wavefronts / shared_load.instructions"   asked of the app, never typed in
//   choices = ["1", "2", "16", "32"]        one must equal the answer for the default knobs
//   explain = "…"                           of the right choice, and of each of the others:
//   wrong = [{ choice = "32", because = "…" }]   which belief leads there, and why it is not so
//   [predict.again]                         the question in another form, for when it is due again
//   question, answer, choices, explain, wrong    as above; set, type, size as of a solution: where
//                                           it is asked; what it does not name is the default
//   [gate]
//   task = "…"
//   catches = "A padding of one suits every tile."   the belief with which a learner fails it
//   hints = ["…", "…", "…"]                 three, the last of which leads to the fix
//   expect = "shared_load.wavefronts == shared_load.wavefronts_ideal"   of the counts; left out
//                                           where a right result without a finding is all
//   shapes = "rows % 4 == 0"                of which the task is, over rows and cols, or M, N and K;
//                                           left out: all
//   [[gate.solution]]                       one way to pass it: settings to choose,
//   set = ["TILE=16", "PAD=2"]                  and the others stay as the stage has them
//   type = "f64"                                where it is another
//   size = "1000x50"                            where a task asks for one; of a product M x N x K
//   [[gate.solution]]                       and of an exercise what to change in its source
//   find = "tile[threadIdx.y][threadIdx.x]"     text that it holds exactly once
//   replace = "tile[threadIdx.x][threadIdx.y]"
//   [[gate.case]]                           a hidden case, besides those that every gate has
//   size = "4100x4100"                          (gate_cases.h): the source is judged there, too;
//   set = ["TILE=16"]                           what a case does not name is as the learner has it
//   type = "f64"
//   input = "cancellation"                      of a product: what it multiplies
//   expect = "…"                                what must hold of the counts there; left out: only
//                                               a right result, and nothing found
//   [[write]]                               "Now you write it": a task in code, after the gate
//   size = "index"                              or "line", or "kernel"; one of each
//   task = "…"
//   expect = "…"                                as of the gate, of its hidden cases
//   hints = ["…", "…", "…"]                     three, the last of which leads to the fix
//   blank = [{ find = "…", replace = "…" }]     cut out of the source (of an exercise: of its
//   +++                                         solution); with `to`, up to that text
// The texts of the head are plain. In the body {{expression}} or {{name argument}} asks the app for
// a number (query.h); links act on the program: [text](view:banks), (stage:30_padded), (set:PAD=0),
// (<code:quoted source>), (<at:a_tile[x][k]>), an access (named_access.h), (lesson:22_coarsened), (proof:correct), the map of what is wrong.
#pragma once
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "course/stage.h"

namespace lanewise {

class TomlTable;  // course/toml_head.h

// A question to be answered before one looks: by the learner (not the model's prediction), or by a
// class with raised hands.
struct Prediction {
    std::string question, answer, explain;
    std::vector<std::string> choices;
    // Of each other choice: which belief leads there, and why it is not so.
    struct Wrong {
        std::string choice, because;
    };
    std::vector<Wrong> wrong = {};
};

struct Change {
    std::string find, replace;
    std::string to = {};  // changed is all from `find` to the end of `to`; "": `find` alone
};

// What is to be chosen; what it does not name stays as the stage has it.
struct WantedSetting {
    std::vector<std::string> set = {};  // "PAD=0"
    std::string type = {};
    int64_t rows = 0, cols = 0, inner = kNoInner;  // 0, kNoInner: any
    bool operator==(const WantedSetting&) const = default;
};

// A hidden case: where the learner's source is judged, whatever is on screen.
struct GateCase {
    WantedSetting at = {};   // what it does not name is the learner's; its size is always named
    std::string input = {};  // of a product; "": random
    int64_t batch = 1;
    std::string expect = {};  // besides a right result and no finding; "": no more than that
    bool offered = true;      // by the author: it must be possible; else it is left out where not
    bool operator==(const GateCase&) const = default;
};

struct Gate {
    std::string task;
    std::string expect = {};  // passed where it holds, the result is right, nothing is found
    std::string catches = {};  // the belief with which one fails it, one sentence
    std::string shapes = {};   // those that it is of, as an expression; "": all
    std::vector<Change> solution = {};  // in order; empty where settings alone solve it
    WantedSetting solved_at = {};
    std::vector<GateCase> cases = {};     // the author's own; hidden_cases() has all (gate_cases.h)
    std::vector<std::string> hints = {};  // taken one after another
};

// A task in code, after the gate: part of the source is blank, and the learner fills it in.
struct WriteTask {
    std::string size;           // "index", "line", "kernel"
    Gate gate;                  // what it is held to: its own `expect`, at the lesson's `shapes`
    std::vector<Change> blank;  // in order
};
inline constexpr const char* kWriteSizes[] = {"index", "line", "kernel"};

// Lesson text, parsed: a list of blocks, each a list of styled runs.
struct LessonRun {
    std::string text;
    bool strong = false, emphasis = false, code = false;
    std::string link;   // target, e.g. "view:banks"; empty for plain text
    std::string query;  // for {{…}}: the expression to ask; text then holds the raw {{…}}
};
struct LessonBlock {
    enum class Kind { heading, paragraph, bullet, numbered, code, quote, rule } kind;
    int level = 0;   // heading level, or list depth
    int number = 0;  // for numbered items
    std::vector<LessonRun> runs;
};

struct Lesson {
    std::string stage;  // "transpose/30_padded"
    std::string title, aim, still_wrong;
    std::string still_wrong_term = {}, still_wrong_is = {};  // at most one of them
    Prediction predict;
    Prediction again;        // the question's second form; none: its question is empty
    WantedSetting again_at;  // where that is asked
    Gate gate;
    std::vector<WriteTask> write;  // in the order of kWriteSizes
    std::vector<LessonBlock> blocks;
    // For each block, whether it stands in a section that tells the fix: "Explain" or "Fix", with
    // its heading.
    std::vector<bool> tells_fix;
    std::vector<Prediction> polls;  // its scenes' questions, where with_scenes() put them
    std::string error;              // why it cannot be shown; empty when fine
};

// Neither throws: what cannot be read comes back with `error` set, "FILE:LINE: …".
Lesson read_lesson(const std::filesystem::path& file, const std::string& stage);
Lesson parse_lesson(const std::string& text, const std::string& stage);

// The hidden cases of a table with [[…case]]: a lesson's gate, or a task of an assignment. Appends
// them to `gate`. Throws Error(bad_input), "FILE:LINE: …".
void read_gate_cases(const TomlTable& table, Gate& gate);

// The number that a choice says, "16,777,216" or "12.5 %"; nothing where it is words.
std::optional<double> choice_number(const std::string& choice);
// Whether all choices are numbers. Then `answer` is asked of the app, else it is one of them.
bool asks_for_number(const Prediction& question);
// The place of the right choice, `counted` being the number that the app gives for `answer`;
// nothing while that is not known, and where no choice is as the app counts.
std::optional<size_t> right_choice(const Prediction& question, std::optional<double> counted);
// What the lesson says of this choice: why it is wrong, else `explain`.
const std::string& explanation_of(const Prediction& question, const std::string& choice);

// The card on whose model still_wrong_term is the largest loss: another card may lose elsewhere.
inline constexpr const char* kModelledCard = "NVIDIA H200";
// What stands before `still_wrong`: "Still wrong", where it is the model's to say with the card that
// is modelled; or "Conjecture" where nothing here can show it.
std::string still_wrong_label(const Lesson& lesson);

// "1000x50", of a product "512x512x256"; false where it is neither. Two numbers leave `inner`.
bool parse_size(const std::string& text, int64_t& rows, int64_t& cols, int64_t& inner);
// "PAD=0" into the knobs; false where it is nothing like it.
bool parse_setting(const std::string& text, KnobValues& knobs);
// The stage's knobs with these turned.
KnobValues knobs_at(const Stage& stage, const WantedSetting& setting);

// The source with the lesson's solution put in. Throws Error(bad_input) naming a change whose text
// the source does not hold exactly once.
std::string solved(const Lesson& lesson, const std::string& source);
// Null where the lesson has no task of this size.
const WriteTask* write_task(const Lesson& lesson, const std::string& size);
// What one begins with: the stage's source, of an exercise with its solution put in, and the blanks
// cut out. Throws as solved().
std::string write_start(const Lesson& lesson, const WriteTask& task, const std::string& source);
// What the blanks were cut out of, which passes.
std::string write_solution(const Lesson& lesson, const std::string& source);

}  // namespace lanewise
