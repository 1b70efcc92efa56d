// Somebody who types in the editor of the real interface, in front of the real engine: what passes
// between the last key and the underline of an error, in the time of a clock on the wall.
#pragma once
#include <chrono>
#include <string>
#include <thread>

#include "frames.h"
#include "service/client.h"
#include "ui/code/editor.h"
#include "ui/code/editor_parts.h"
#include "ui/shell/engine_requests.h"
#include "ui/state/edits.h"

namespace lanewise::ui {

class Typist {
  public:
    // The engine lies beside this program.
    Typist()
        : engine_(std::make_unique<EngineClient>(default_engine_command()), engine_requests()) {
        choose_shape(app, 128, 128);
    }

    // Opens this stage's source, and waits until all is counted.
    void open(const std::string& stage) {
        choose_stage(app, stage);
        open_editor(app);
        rest();
    }
    // As the source is in the catalogue, with so many lines of comment behind it.
    void restore(int lines = 0) {
        std::string text = original_source(app);
        for (int i = 0; i < lines; ++i) text += "// line " + std::to_string(i) + "\n";
        replace_source(app, text);
        until([&] { return !app.editing.changed; });
        rest();
    }
    // A comment in the kernel's first line that no text had before, in an earlier run neither (what
    // compiled is kept on disk), so that it is compiled whole and anew; waits until that has begun.
    void change() {
        std::string text = original_source(app);
        auto now = std::chrono::system_clock::now().time_since_epoch().count();
        text.insert(body(), " // changed at " + std::to_string(now) + "\n");
        replace_source(app, text);
        until([&] { return !app.editing.changed; });
        turn_for(0.1);
    }
    // Types a word that means nothing into the kernel's first line, key by key. Seconds from the
    // last key to the end of the frame that drew the line under the error; negative: there was none
    // within minutes.
    double mistake() {
        std::string word = " oops" + std::to_string(++words_) + ";";
        size_t place = body();
        int line = line_at(app.editing.text, place);
        place_cursor(app, place, 0);
        turn_for(0.05);
        double last_key = 0;
        for (char character : word) {
            turn_for(kKeySeconds);
            last_key = seconds();
            send_character(static_cast<unsigned>(character));
            turn();
        }
        std::string underline = "underline:" + std::to_string(line);
        bool drawn = until([&] {
            return std::any_of(audit().widgets.begin(), audit().widgets.end(),
                               [&](const WidgetRecord& each) { return each.id == underline; });
        });
        return drawn ? seconds() - last_key : -1;
    }

    Frames frames;
    App& app = frames.app;

  private:
    static constexpr double kKeySeconds = 0.03, kPatience = 200;

    static double seconds() {
        using namespace std::chrono;
        return duration<double>(steady_clock::now().time_since_epoch()).count();
    }
    // Just inside the kernel.
    size_t body() const {
        const std::string& text = app.editing.text;
        return text.find('{', text.find(')', text.find("__global__"))) + 1;
    }
    // As the window's loop does.
    void turn() {
        engine_.update(app, seconds());
        frames.frame();
    }
    void turn_for(double time) {
        for (double end = seconds() + time; seconds() < end;) {
            turn();
            pause(end - seconds());
        }
    }
    template <class Condition>
    bool until(Condition condition) {
        for (double end = seconds() + kPatience; seconds() < end; pause(0.02)) {
            turn();
            if (condition()) return true;
        }
        return false;
    }
    void rest() {
        until([&] { return engine_.settled(app); });
    }
    // Until something arrives or is due.
    void pause(double most) {
        double due = engine_.next_due(app, seconds());
        engine_.wait(std::max(0.0, due < 0 ? most : std::min(due, most)));
    }

    EngineLink engine_;
    int words_ = 0;
};

}  // namespace lanewise::ui
