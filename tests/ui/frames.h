// Frames of the real interface without a renderer: results come from the laboratory in this very
// process, input is scripted.
#pragma once
#include <stdlib.h>

#include <algorithm>
#include <filesystem>
#include <string>

#include "base/error.h"
#include "lab/analysis/analysis.h"
#include "lab/analysis/pad_table.h"
#include "ui/kit/audit.h"
#include "ui/kit/look.h"
#include "ui/shell/session.h"

namespace lanewise::ui {

// One context and one app; everything is asked of the laboratory as soon as it is stale.
class Frames {
  public:
    explicit Frames(int width = 1280, int height = 720) : width_(width), height_(height) {
        setenv("LANEWISE_HOME", CONTENT_FOLDER, 1);
        map_keys();
        Options options;
        options.offscreen = true;  // no saved state
        app = open_app(options);
        app.engine.known = true;
        app.engine.problem = "There is no GPU in this test.";
        audit().on = true;
    }
    void resize(int width, int height) {
        width_ = width;
        height_ = height;
    }
    // Everything that the engine would have sent by now. Small matrices keep it quick.
    void answer() {
        try {
            if (app.picture_stale) take_picture(app, trace_block(job_of(app), app.choice.block));
            for (size_t i = 0; i < app.beside.size(); ++i)
                if (app.beside[i].stale && app.beside[i].wanted)
                    take_comparison(app, i, trace_block(comparison_job(app, i), app.choice.block));
            if (app.analysis_stale) take_analysis(app, analyse(job_of(app)));
            if (with_pads && app.pads_stale && !app.own && has_padding(app.stage()))
                take_pads(app, pad_table(job_of(app), app.choice.block));
            if (app.gate.wanted) take_judgement(app, judge(job_of(app), gate_task(app)));
        } catch (const CompileError& error) {
            app.error = error.what();
            std::map<int, std::string> lines;
            for (const Diagnostic& each : error.diagnostics())
                if (each.is_error) lines[each.line] = each.text;
            take_diagnostics(app, lines);
        } catch (const NoCompiler& error) {
            app.uncompiled = error.what();
        } catch (const Error& error) {
            app.error = error.what();
        }
        if (app.gate.wanted) fail_judgement(app, app.error);
        app.picture_stale = app.analysis_stale = app.pads_stale = false;
        for (Beside& beside : app.beside) beside.stale = false;
    }
    void frame(int count = 1) {
        for (int i = 0; i < count; ++i) {
            bake_fonts_unseen();
            build_frame(app, width_, height_, 0.016 * ++frames_);
        }
    }
    void press(Key key, bool ctrl = false, bool shift = false) {
        send_modifiers(ctrl, shift);
        send_key(key, true);
        frame();
        send_key(key, false);
        send_modifiers(false, false);
        frame();
    }
    void type(char character) {
        send_character(static_cast<unsigned>(character));
        frame(2);
    }
    void type(const std::string& word) {
        for (char character : word) type(character);
    }
    // The middle of the widget that the last frame drew under this name.
    bool click(const std::string& id) {
        for (const WidgetRecord& widget : audit().widgets) {
            if (widget.id != id) continue;
            send_pointer(
                {(widget.box.x0 + widget.box.x1) / 2, (widget.box.y0 + widget.box.y1) / 2});
            frame(2);
            send_button(true);
            frame();
            send_button(false);
            frame(2);
            return true;
        }
        return false;
    }

    // Whether some text that the last frame drew holds these words.
    bool says(const std::string& words) const {
        return std::any_of(audit().texts.begin(), audit().texts.end(), [&](const TextRecord& t) {
            return t.text.find(words) != std::string::npos;
        });
    }

    Context context;
    App app;
    bool with_pads = false;  // nine kernels are compiled for them

  private:
    int width_, height_;
    int frames_ = 0;
};

}  // namespace lanewise::ui
