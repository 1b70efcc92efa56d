// Scripted use, as an hour of it would be, quicker: every view, chart and page, knobs, edits, the
// forge, the flow and the walk played to their ends, lessons presented. One round after the other
// does the same, so that whatever the window keeps for each round shows as growth.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "base/heap.h"
#include "frames.h"
#include "ui/desk/tools.h"
#include "ui/launch/charts.h"
#include "ui/launch/products.h"
#include "ui/state/edits.h"
#include "ui/state/views.h"

namespace lanewise::ui {

class Soak {
  public:
    explicit Soak(int width = 1280, int height = 720) : frames(width, height) {
        audit().on = false;
        choose_shape(app, 128, 128);
    }

    // One time through these stages; each is one of the catalogue's.
    void round(const std::vector<std::string>& stages) {
        for (const std::string& stage : stages) {
            choose_stage(app, stage);
            acted();
            look_everywhere();
            turn_knobs();
            edit();
            present();
        }
    }
    size_t actions() const { return actions_; }

    Frames frames;
    App& app = frames.app;

  private:
    // Everything that the engine would send for what is shown now, then a few frames.
    void acted(int frames_shown = 3) {
        ++actions_;
        frames.answer();
        frames.frame();
        frames.frame(frames_shown);
    }
    void press(Key key, bool ctrl = false) {
        frames.press(key, ctrl);
        acted(1);
    }

    void look_everywhere() {
        for (const View& view : views()) {
            choose_view(app, view.id);
            acted();
            for (Key key : {Key::down, Key::right, Key::right, Key::end, Key::up, Key::home})
                press(key);
        }
        for (const ChartKind& kind : chart_kinds()) {
            choose_view(app, std::string("charts:") + kind.id);
            acted();
        }
        for (const char* view : {"flow", "banks", "product:walk"}) {
            if (app.chosen().operation->has_inner() || view != std::string("product:walk"))
                choose_view(app, view);
            press(Key::space);
            acted(20);
            press(Key::space);
        }
        if (no_mismatch(app).empty()) {
            show_mismatch(app);
            acted();
        }
        press(Key::p, true);  // the commands, and away again
        frames.type("pad");
        press(Key::escape);
        app.tools->palette.open = false;
        app.said.error.clear();
    }

    void turn_knobs() {
        choose_view(app, "banks");
        for (const Knob& knob : app.stage().knobs)
            for (int64_t value : knob.choices) {
                KnobValues tried = app.chosen().knobs;
                tried[knob.name] = value;
                if (!knob_problem(app.stage(), tried, app.chosen().type).empty()) continue;
                choose_knob(app, knob.name, value);
                acted();
                undo_setting(app);
                acted(1);
            }
    }

    void edit() {
        if (is_library_call(app.stage())) return;
        open_editor(app);
        acted();
        replace_source(app, original_source(app) + "// tried\n");
        settle_edit(app);
        acted();
        reset_edit(app);
        acted();
        app.editing.set_aside.clear();
        close_editor(app);
        acted();
    }

    void present() {
        start_presenting(app);
        const std::string stage = app.course_id();
        for (size_t i = 0; i < 40 && app.course_id() == stage; ++i) {
            raise_hand(app, 0);
            acted();
            next_scene(app);
        }
        stop_presenting(app);
        choose_stage(app, stage);
        acted();
    }

    size_t actions_ = 0;
};

}  // namespace lanewise::ui
