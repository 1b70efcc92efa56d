// The gate of the chosen stage. The learner asks for judgement; the engine judges the source with
// the chosen knobs and type at the gate's hidden cases, whatever shape is on screen.
#pragma once
#include <map>
#include <optional>
#include <set>
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
    std::string write;  // the size of the task in code that it is of; "": the gate
    KnobValues knobs;
    std::optional<Judgement> judgement;
    std::string failure;  // why there is none: it does not compile, say
};

// A task in code that the learner has begun (course/lesson.h, WriteTask).
struct Writing {
    std::string size = {};
    int hints = 0;            // how many were taken
    bool shown = false;       // the fix was: it does not count then
    std::string before = {};  // the learner's source, which comes back when the task is left
};

// What the learner has said and begun here. The lesson's buttons change it; what is kept of it is
// in WindowState.
struct Learner {
    bool predicts_first = false;  // answers stay hidden until predicted (predict_first.h)
    std::set<std::string> shown_unpredicted;  // stages whose answer was asked for at once
    int confidence = 0;                       // percent, said with the next prediction; 0: not said
    GateState gate;
    std::map<std::string, Writing> writing;  // by stage
    std::set<std::string> fix_opened;        // stages whose sections "Explain" and "Fix" are open
};

// Null where none is begun for the chosen stage.
const WriteTask* writing_now(const App& app);
bool has_written(const App& app, const std::string& size);
bool may_write(const App& app);  // the gate was passed
// The default knobs and the first type, and the task's start in the editor.
void start_writing(App& app, const std::string& size);
void show_the_fix(App& app);  // behind the last hint; else nothing happens
void stop_writing(App& app);

// Asks for judgement of what is chosen now.
void press_judge(App& app);
std::string_view cannot_judge(const App& app);  // why it cannot be asked for; "" where it can
GateTask gate_task(const App& app);             // what the chosen stage is held to
void take_judgement(App& app, Judgement judgement);
void fail_judgement(App& app, const std::string& message);  // "": it was stopped
// Of what is on screen; null where nothing was judged, or the source or a knob has changed since.
const Judgement* judgement_of(const App& app);

}  // namespace lanewise::ui
