// How a lesson is presented to a class: the scenes in its head, one after the other.
//   [[scene]]
//   title = "Where does the column lie?"
//   say = "One or two sentences."           may be left out, as what follows
//   notes = "…"                             for whoever presents, and nobody else
//   show = "view:banks"                     any link of a lesson: what stands beside the words;
//                                           "question": the prediction's, hands up, and no more
//   set = ["PAD=0", "TILE=32"]              knobs; the others are as the stage has them
//   type = "f64"                            of the elements, where it is another
//   size = "1000x50"                        rows x cols, of a product M x N x K
//   at = "tile[threadIdx.x][threadIdx.y]"   this access is looked at, named as the source writes it
//   expect = "shared_load.wavefronts == shared_load.wavefronts_ideal"   what the words claim of it,
//                                           or without `at` of the block: access_lookup() has the
//                                           names (named_access.h), and a test asks the machine
//   lane = "5"                              this lane of it
//   zoom = "block"                          grid, block, warp or lane, in the warp microscope
//   block = "1"                             of the grid, counted along x first; "0" unless said
//   moments = ["tile store"]                of a data flow (show = "view:flow"): the scene stops at
//                                           these steps of the block, one after another (moments.h)
//   beside = ["PAD=0", "32_swizzled"]       settings or stages in lock-step; ["none"]: nothing
//   choices = ["1", "2", "32"]              hands up: `say` is the question, these its answers
//   answer = "wavefronts_per_request load"  of numbers: asked of the app at this very setting; of
//                                           words: the one of them that is right
//   explain = "Because …"                   said with the answer
//   reveal = "view:banks"                   what stands beside the words from then on
// Plain texts, as everywhere in the head (lesson.h). A scene says all that it needs: whatever the
// one before it set, or the teacher tried, is as it was.
#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "course/catalogue.h"
#include "course/lesson.h"

namespace lanewise {

// What of the window a scene sets besides the view and the knobs.
struct SceneState {
    std::string type = {}, at = {}, zoom = {};     // empty: as it was
    int64_t rows = 0, cols = 0, inner = kNoInner;  // 0, kNoInner: as they were
    int lane = -1;
    std::vector<std::string> beside = {};
    int64_t block = 0;
    std::vector<std::string> moments = {};  // kinds of them; empty: the scene stands still
    bool operator==(const SceneState&) const = default;
};

struct Scene {
    std::string title, say, show;
    std::vector<std::string> set = {};
    SceneState state = {};
    Prediction poll = {};  // its question is `say`; without choices it asks nothing
    std::string reveal = {};
    std::string expect = {};
    std::string notes = {};
    bool asks() const { return show == "question"; }
};

// Those of a lesson's text, none where it scripts none. Throws Error(bad_input), "FILE:LINE: …".
std::vector<Scene> parse_scenes(const std::string& text, const std::string& file);
// Those of a file; none where it cannot be read, since the lesson itself says so then.
std::vector<Scene> read_scenes(const std::filesystem::path& file);

// One sentence for each scene whose state there is not: a type or a combination of knobs that the
// stage does not offer, a size that it refuses, text that its source does not hold exactly once, a
// setting or stage to stand beside it that does not exist, more choices than there are keys.
std::vector<std::string> scene_problems(const std::vector<Scene>& scenes, const Stage& stage,
                                        const Catalogue& catalogue);

// The lesson with its scenes as paragraphs of its body and with their questions, so that
// lesson_problems() looks at them: links that lead nowhere, knobs that are not offered, figures
// that the app computes, a right answer that is no choice.
Lesson with_scenes(Lesson lesson, const std::vector<Scene>& scenes);

}  // namespace lanewise
