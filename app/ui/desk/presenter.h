// Presenting a lesson to a class (F11): large type over the whole window, one scene after the other
// on Space or a clicker's Page Down, a clock, and questions: hands are counted for each answer, and
// neither the tally nor the right answer is shown until it is asked for. course/slides.h has the
// slides in order. Where there is a second screen, the class has a window of its own (audience.h).
#pragma once
#include <array>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "course/slides.h"
#include "ui/state/app.h"

namespace lanewise::ui {

struct Audience;  // ui/class/audience.h

struct Presenter {
    bool on = false;
    std::vector<Slide> slides;
    std::string of;  // the stage
    size_t at = 0;
    bool revealed = false;        // the answer to the question, and who raised a hand for what
    std::optional<size_t> right;  // its place among the choices; nothing before it is counted
    uint64_t looked_at = 0;       // app.revision when it was last looked whether it is
    bool blank = false;           // the screen, as a clicker's third key wants it
    bool scroll_wanted = false, more_below = false;  // of a part longer than the screen
    // By stage and scene: for each choice, or all together where there are none.
    std::map<std::string, std::map<size_t, std::vector<int>>> hands;
    std::vector<size_t> raised;  // in order, in this scene
    double clock_began = -1;     // in the window's seconds; -1: not yet drawn
    float scale_before = 1;
    Selection choice_before;  // of the stage, as its first scene found it
    std::array<CompareWith, 2> beside_before;
    std::set<std::string> seen_before;  // the stages that the learner had progress of
    std::string look_at;  // source text, until the picture is there in which its access is found
    int lane = -1;        // of that access
    bool moment_wanted = false;  // the scene moves, and its first moment was not reached yet
    std::shared_ptr<Audience> audience;  // null: one window has it all
    int screens = 1;                     // that the system has; with two, the class gets one
};

// What the clock shows after so many seconds. Each of its pictures is a whole frame, the only one
// while nobody does anything, so that it goes by quarters of a minute ("4:45"), and after ten
// minutes by whole ones ("12 min").
struct ClockTime {
    int minutes = 0, seconds = 0;
    bool whole_minutes = false;
    double next = 0;  // seconds until it shows something else
};
ClockTime clock_time(double elapsed);

void start_presenting(App& app);  // at the chosen stage's first scene
void stop_presenting(App& app);
void toggle_presenting(App& app);
// The next scene; the answer first, where it is still hidden, and the rest of a long part. After
// the last one the next stage's first; before the first one the stage before's last.
void next_scene(App& app);
void scene_before(App& app);
void raise_hand(App& app, size_t choice);                  // place 0 where the scene has no choices
void raise_another(App& app);                              // for the same choice as the last
void take_back_hand(App& app);                             // the last that was raised
void lower_hands(App& app);                                // of this scene
const std::vector<int>* raised_hands(const Presenter& p);  // null: none was
void show_answer(App& app, bool shown);
void restart_clock(App& app);
// Seconds until the clock shows something else; negative: none is shown. A blank screen has none,
// unless the teacher has another.
double clock_due(const Presenter& p, double now);
// Where the scene's picture is the map of the result, right or wrong ("proof:correct"), and the
// machine has counted what the scene is about.
bool presents_proof(const App& app);
// What stands beside the words; empty: nothing does.
std::string_view shown_link(const Presenter& p);
// Once the scene's picture is there: the access and the lane that it is about. And the right
// answer, once it is counted.
void settle_scene(App& app);

// Of a scene that moves (SceneState::moments): its moments as steps of the data flow, found in what
// the machine did. Empty while that is not there, and in every other scene.
std::vector<int> scene_moments(const App& app);
void step_moment(App& app, int by);  // clamped

void handle_presenter_keys(App& app);
void draw_presenter(App& app, double now);  // view_presenter.cpp

}  // namespace lanewise::ui
