// The gate of the chosen stage. The learner asks for judgement; the engine judges the source with
// the chosen knobs and type at the gate's hidden cases, whatever shape is on screen.
#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "lab/grade/judgement.h"

namespace lanewise::ui {

struct App;

struct GateState {
    bool wanted = false;   // to be asked for; requests.cpp clears it
    bool waiting = false;  // the engine is at it
    // What is judged, or was: all of it but the judgement is kept when the learner goes on.
    std::string stage, source, type;
    KnobValues knobs;
    std::optional<Judgement> judgement;
    std::string failure;  // why there is none: it does not compile, say
};

// Asks for judgement of what is chosen now.
void press_judge(App& app);
std::string_view cannot_judge(const App& app);  // why it cannot be asked for; "" where it can
GateTask gate_task(const App& app);             // what the chosen stage is held to
void take_judgement(App& app, Judgement judgement);
void fail_judgement(App& app, const std::string& message);  // "": it was stopped
// Of what is on screen; null where nothing was judged, or the source or a knob has changed since.
const Judgement* judgement_of(const App& app);

}  // namespace lanewise::ui
