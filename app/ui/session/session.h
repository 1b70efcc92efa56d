// What a window and a picture without a window have in common: Dear ImGui's context, the app, the
// engine, and building one frame after the other.
#pragma once
#include <filesystem>
#include <functional>
#include <memory>
#include <string>

#include "ui/kit/audit.h"
#include "ui/session/options.h"
#include "ui/state/app.h"

namespace lanewise::ui {

// Dear ImGui's context, set up for this program. One at a time.
class Context {
  public:
    Context();
    ~Context();
    Context(const Context&) = delete;
    Context& operator=(const Context&) = delete;
};

// For frames that nobody renders (tests, benchmarks): bakes the fonts where they have changed.
void bake_fonts_unseen();
// Begins and ends one frame of `width` x `height` pixels; the result is ImGui::GetDrawData().
void build_frame(App& app, int width, int height, double now);

// The same for the window of the view that stands apart, whose context is the current one. Returns
// what it drew; audit() stays that of the first window.
const Audit& build_apart_frame(App& app, int width, int height);

// Reads content and saved state, then applies the command line to them. Throws Error(bad_input).
App open_app(const Options& options);
std::filesystem::path window_state_file();
void save_state(App& app);

// The frame's widgets and the app's state as JSON, for scripts (--dump-widgets).
std::string dump(const App& app);

}  // namespace lanewise::ui
