// The window's loop, one turn at a time: who waits between two turns is the system's matter.
#pragma once
#include <memory>
#include <string>

#include "base/heap.h"
#include "ui/plain/file_watch.h"
#include "ui/screen/glfw_window.h"
#include "ui/screen/render.h"
#include "ui/session/options.h"
#include "ui/state/requests.h"

namespace lanewise::ui {

// Draws frames, one for each call, as long as something has to settle, and says when the next is due.
class Loop {
  public:
    Loop(App& app, Window& window, const Options& options);
    void frame();
    bool settles() const { return frames_left_ > 0; }
    void draw_again();  // what another window has just drawn shows in this one too
    double due();  // seconds; negative: when something is done or arrives
    // Nothing has to settle where only time has passed.
    void wake(bool in_time);

  private:
    std::unique_ptr<EngineLink> link() const;
    void dump_widgets();

    App& app_;
    Window& window_;
    const Options& options_;
    Renderer renderer_;
    FileWatch watch_;
    WindowState saved_ = app_.saved;
    std::string title_, dumped_;
    bool run_pressed_;
    int frames_left_;
    double begun_ = 0;
    HeapTrimmer heap_;
    std::unique_ptr<EngineLink> engine_;
};

}  // namespace lanewise::ui
