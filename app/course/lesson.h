// A lesson: lessons/<operation>/<NN_idea>.md, CommonMark under a TOML head.
//   +++
//   title = "Padding spreads the banks"
//   aim = "After this you can …"
//   still_wrong = "…"                       what the stage still gets wrong; leads to the next
//   [predict]
//   question = "How many wavefronts does one warp's read of a column take?"
//   answer = "shared_load.wavefronts / shared_load.instructions"   asked of the app, never typed in
//   choices = ["1", "2", "16", "32"]        one must equal the answer for the default knobs
//   explain = "…"
//   [gate]
//   task = "…"
//   expect = "shared_load.wavefronts == shared_load.wavefronts_ideal"
//   [[gate.solution]]                       of an exercise: what to change in its source
//   find = "tile[threadIdx.y][threadIdx.x]"     text that it holds exactly once
//   replace = "tile[threadIdx.x][threadIdx.y]"
//   +++
// The texts of the head are plain. In the body {{expression}} or {{name argument}} asks the app for
// a number (query.h); links act on the program: [text](view:banks), (stage:30_padded), (set:PAD=0),
// (<code:quoted source>), (lesson:22_coarsened).
#pragma once
#include <filesystem>
#include <string>
#include <vector>

namespace lanewise {

struct Prediction {  // the learner's, not the model's
    std::string question, answer, explain;
    std::vector<std::string> choices;
};

struct Change {
    std::string find, replace;
};

struct Gate {
    std::string task, expect;  // passed where `expect` holds, the result is right, nothing is found
    std::vector<Change> solution;  // in order; empty but for an exercise
};

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
    Prediction predict;
    Gate gate;
    std::vector<LessonBlock> blocks;
    std::string error;  // why it cannot be shown; empty when fine
};

// Neither throws: what cannot be read comes back with `error` set, "FILE:LINE: …".
Lesson read_lesson(const std::filesystem::path& file, const std::string& stage);
Lesson parse_lesson(const std::string& text, const std::string& stage);

// The source with the lesson's solution put in. Throws Error(bad_input) naming a change whose text
// the source does not hold exactly once.
std::string solved(const Lesson& lesson, const std::string& source);

}  // namespace lanewise
