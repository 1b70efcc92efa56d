// Frames of the real interface without a renderer: results come from the engine's methods in this
// very process, input is scripted.
#pragma once
#include <stdlib.h>

#include <algorithm>
#include <filesystem>
#include <string>

#include "base/error.h"
#include "local_engine.h"
#include "ui/kit/audit.h"
#include "ui/look/look.h"
#include "ui/session/session.h"

namespace lanewise::ui {

// One context and one app.
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
    // Everything that the engine would have sent once nothing more is wanted. Small matrices keep
    // it quick.
    void answer() {
        constexpr int kMost = 200;  // the roofline wants each stage's counts
        for (int i = 0; i < kMost; ++i) {
            link_->update(app, seconds_ += kLong);
            if (link_->settled(app)) return;
        }
        throw Error(Status::failed_check, "something is still wanted, or is asked for again");
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
    LocalEngine engine;

  private:
    static constexpr double kLong = 1;  // second; the hand rests
    int width_, height_;
    int frames_ = 0;
    double seconds_ = 0;
    std::unique_ptr<EngineLink> link_ = link_to(engine);
};

}  // namespace lanewise::ui
