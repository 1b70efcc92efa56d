// The machine view's state: which of its pictures is shown. What they show follows from the chosen
// launch and from the profile of the card that the model is for (machine.cpp).
#pragma once
#include <span>
#include <string>

#include "figure/machine/machine_figure.h"
#include "ui/state/app.h"

namespace lanewise::ui {

// One row per picture, in the order in which they are offered.
struct MachinePart {
    const char *id, *title;
    Drawing (*make)(const App&, float width, float height);  // points
};
std::span<const MachinePart> machine_parts();

// Both throw Error(bad_input) with the closest name.
void check_machine_part(const std::string& id);
// Why the view is not offered: a product has a view of its own. Empty where it is.
std::string_view no_machine(const App& app);
void choose_machine_part(App& app, const std::string& id);

WorkersFigureInput workers_of(const App& app);
MultiprocessorFigureInput multiprocessor_of(const App& app);
LaunchFigureInput launch_of(const App& app);  // without a grid while nothing has arrived
LevelsFigureInput levels_of(const App& app);

}  // namespace lanewise::ui
