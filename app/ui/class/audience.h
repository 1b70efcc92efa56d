// Presenting on two screens: a window of its own has the slide alone, for the class, and the teacher's
// has it small, with what the class is not to see: notes, the answer, what comes next. Where the
// teacher points at the small one, the pointer is in the large one too: what lies under it is pointed
// at and clicked there, and a ring shows the class where. Whichever window has the keyboard, keys are
// the teacher's window's, but for a text field that was clicked there: what is typed goes into it.
#pragma once
#include <optional>
#include <string_view>

#include "ui/imgui/taken_keys.h"
#include "ui/state/app.h"

namespace lanewise::ui {

struct Presenter;

struct Audience {
    float width = 0, height = 0;  // pixels of its window; 0: nothing was drawn there yet
    unsigned picture = 0;         // what it shows, as a texture of OpenGL; 0: there is none
    // The teacher's pointer over the small slide: its place in parts of the width and the height.
    float x = 0, y = 0;
    bool over = false, held = false;
    float wheel = 0;                 // notches since the last frame there
    double moved = -1;               // when it moved last, in the window's seconds; -1: not yet
    bool takes_text = false;         // a text field there has been given the keyboard
    bool leaves_text = false;        // and is to lose it again
    std::optional<TakenKeys> keys;   // for its next frame
    std::optional<double> midnight;  // of today, in the window's seconds; nothing: no clock
};
inline constexpr double kPointerSeconds = 4;  // the ring shows so long after a movement

// A window for the class, or one window again.
void toggle_audience(App& app);
// Why there is none; empty where it can be.
std::string cannot_have_audience(const App& app);

// The pointer has come to this place; the ring shows where it moved.
void point_audience(Audience& audience, float x, float y, double now);
bool ring_shown(const Audience& audience, double now);

// Whether the keys of this frame are for a text field in the class's window; they are handed over
// then, and no others act but those of the function keys and with Ctrl.
bool hand_keys_to_class(App& app);

// "10:42" in minutes of the day; nothing where nobody has said what time it is.
std::optional<int> minute_of_day(const Audience& audience, double now);
// Seconds until the ring goes, or the clock shows another minute; negative: neither is due.
double audience_due(const Presenter& presenter, double now);

// What Space leads to.
struct Coming {
    enum class What { screen, answer, rest, slide, lesson, end } what = What::end;
    std::string_view title, say;  // of a slide and of a lesson; stand as long as these do
};
Coming what_comes(const App& app);

void draw_teacher(App& app, double now);  // overlay/view_teacher.cpp
// In the context and with the look of the class's screen (session/audience_screen.h): before its frame,
// how large everything is; and the frame (overlay/view_presenter.cpp).
void fit_audience();
void draw_audience(App& app);

}  // namespace lanewise::ui
