// What is chosen, as one line of text that can be mailed, pasted and typed on a command line:
//   lanewise://1/transpose/30_padded?PAD=1&TILE=32&type=f32&size=4096x4096&view=banks&check=1a2b3c4d
// The number is the version. Knobs are in capitals; the rest has names of its own, each only where
// it is not what one would have anyway: batch, inner (K), block, warp, lane, global and shared (the
// chosen accesses), step (of the warp's life), zoom (of the microscope), beside (what stands in
// lock-step, "PAD=0", a stage's id or none; once for each place), tab (the middle's view, where
// another was asked for last), window (what is shown of a chart, in ten-thousandths of it), swizzle
// (what is typed in the forge, as it is typed, right or wrong) and swizzle_pad (elements added to a
// row there). A kernel of the user's own is lanewise://1/file?path=…&kernel=…&grid=…&arg=… An
// assignment is lanewise://1/assignment?text=… (course/assignment_link.h). Values are percent-encoded. check is the low half of hash() over all that stands before
// "&check=", so that a link that was cut on its way is not taken for a shorter one.
#pragma once
#include <array>
#include <string>
#include <vector>

#include "course/stage.h"
#include "ui/part/kernel_form.h"

namespace lanewise::ui {

struct App;

inline constexpr const char* kLinkBegins = "lanewise://";

inline constexpr std::array<int, 4> kWholeChart = {0, 10'000, 0, 10'000};  // x from, to; y

struct SharedState : MatrixSize {
    SharedState() : MatrixSize{4096, 4096} {}
    std::string stage;  // "transpose/30_padded"; empty: a kernel of the user's own
    std::string file;   // its path
    KernelForm form;
    KnobValues knobs;
    std::string type = "f32";
    uint64_t block = 0;
    uint32_t warp = 0;
    int lane = -1;
    int access[2] = {-1, -1};
    int step = -1;                         // of the warp's life; -1: at the chosen access
    std::string zoom;                      // empty: the warp
    std::vector<std::string> beside = {};  // empty: as the stage has it
    std::string view = "access", tab;      // tab empty: the view's
    std::array<int, 4> window = kWholeChart;
    std::string swizzle;  // empty: what the forge begins with
    int swizzle_pad = 0;
    std::string assignment = {};  // a handout's text; then nothing else is said
    bool operator==(const SharedState&) const = default;
};

SharedState shared_state(const App& app);
// link.cpp
std::string link_of(const SharedState& state);

// Blanks and line breaks, which mail programs put in, do not count. Throws Error(bad_input), one
// sentence: no link, a newer version's, cut or changed, or a value that makes no sense.
SharedState parse_link(const std::string& text);

// Makes it what is shown. Throws Error(bad_input) where it cannot be, and then changes nothing: a
// stage, knob, type or view that this program does not have, a file that cannot be read.
void restore(App& app, const SharedState& state);

// To the clipboard, with a word in passing.
void copy_link(App& app);

// "Padded tile, PAD = 0, 4,096 × 4,096 f64": the stage and what differs from its defaults.
std::string setting_in_words(const App& app);

}  // namespace lanewise::ui
