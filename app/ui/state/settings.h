// The settings page: where the engine runs and what it may do, typed, tested, and then used. Theme
// and scale change at once; the rest with "Use".
#pragma once
#include <functional>
#include <future>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "service/client.h"
#include "ui/state/app.h"

namespace lanewise::ui {

inline constexpr double kLeastTimeLimit = 0.5, kMostTimeLimit = 300;  // seconds

struct SettingsPage {
    WindowState::Engine engine;                   // as typed
    std::string time_limit;                       // likewise
    std::map<std::string, std::string> problems;  // by field: prefix, time_limit
    bool focus_wanted = true;
    std::future<EngineTest> running;   // the test under way, where it is valid
    double test_began = -1;            // in the window's seconds; -1: not yet drawn
    std::string tested;                // the command of the last test
    std::optional<EngineTest> result;  // its result
    std::function<EngineTest(const std::string&)> test = test_engine;
};

void open_settings(App& app);
void close_settings(App& app);     // forgets what was typed and not used
void settings_changed(App& app);   // after each change of the fields
void start_engine_test(App& app);  // of the command as typed; not while one is under way
bool engine_test_runs(const App& app);
void take_engine_test(App& app);  // its result, once it is there
void use_settings(App& app);      // nothing while a field has a problem; else closes the page

// The command that starts such an engine: the prefix, "serve" where it is missing, then --gpu and
// --sandbox and --compiler. Throws Error(bad_input) for a prefix that cannot be split into words.
std::string engine_command(const WindowState::Engine& engine);

// What to call the GPU at `index`, so that it alone is meant: a word of its name, else its UUID.
std::string wish_for(const std::vector<EngineState::Gpu>& gpus, size_t index);

}  // namespace lanewise::ui
