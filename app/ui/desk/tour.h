// Guided walks over the window: a ring around a real widget, found by its label, and a card beside
// it. The tour (a minute, for who is new) and "this stage in one minute" are lists of steps.
#pragma once
#include <span>
#include <string>

#include "ui/desk/share.h"
#include "ui/state/app.h"

namespace lanewise::ui {

struct TourStep {
    const char* widget;  // the first widget whose label begins so
    const char *title, *text;
    Region region;     // the column that it is in
    const char* view;  // chosen for it; "": as it is
};
std::span<const TourStep> tour_steps();  // of the tour of the window

struct Tour {
    std::span<const TourStep> steps;  // empty: no tour is on
    size_t at = 0;
    int direction = 1;         // that the last step was taken in
    int frames_missing = 0;    // that the widget was not there
    int frames_to_scroll = 0;  // it is being brought into sight
    bool returns = false;      // to what was chosen before
    SharedState before;
};

void start_tour(App& app);
void start_minute(App& app);  // a step whose widget the stage lacks is left out
void step_tour(App& app, int by);  // beyond the last step it ends
void end_tour(App& app);
bool tour_on(const App& app);
bool tour_goes_on(const App& app);  // past the question, to what answers it

bool handle_tour_keys(App& app);  // false: the key is the window's
// Before the interface is built: what the audit is to look for. After it: the ring and the card.
void aim_tour(App& app);
void draw_tour(App& app);  // view_tour.cpp

}  // namespace lanewise::ui
