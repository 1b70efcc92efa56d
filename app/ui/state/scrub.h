// The warp's life under a scrubber: how it plays, and how the wavefronts of an access that was just
// reached appear one after another. Where it stands is chosen (Selection::step).
#pragma once
#include <cstdint>
#include <vector>

#include "trace/record/warp_life.h"

namespace lanewise::ui {

struct App;

struct Scrub {
    bool playing = false;   // it goes on by itself
    bool arriving = false;  // the shown step's wavefronts are appearing
    double begun = -1;      // when the step was reached, in the window's seconds; -1: next frame
    double elapsed = 0;     // seconds since then
    double speed = 1;       // a learner's choice: 0.5, 1, 2 or 4
    uint64_t moves = 0;     // each changes what the figures show
};

// Where the shown access, or barrier, stands in app.derived.life; -1 where there is none.
int shown_step(const App& app);
// Which accesses the picture is of: the moment's where it is one, else those that the tab is for.
Space space_shown(const App& app);
const LifeStep* shown_moment(const App& app);

// ---- moving; each is clamped. The wavefronts of a step that is reached appear one by one.
void choose_step(App& app, int step);
void step_life(App& app, int by);
void step_chapter(App& app, int by);
void choose_end_step(App& app, bool last);
void press_play(App& app);  // from the begin where it stands at the end
void change_speed(App& app);

// ---- time
// Whether something moves: frames are then wanted at the display's rate, else none.
bool is_moving(const App& app);
// Lets so much time pass; called once per frame before anything is drawn.
void advance_scrub(App& app, double now);
// How many wavefronts have appeared by now, for draw_figure(); kAtRest where all have.
int wavefronts_shown(const App& app);
// How long an access of so many wavefronts takes to play at speed 1, in seconds.
double seconds_of(const LifeStep& step);

// ---- following
void list_life(App& app);  // of the chosen warp
// Another view of the middle is chosen: the moment stays, unless that view shows the other space.
void leave_moment(App& app, const std::string& view);
void rest(App& app);  // stops, and goes back to the access that the view's list shows

}  // namespace lanewise::ui
