// What the settings page does; view_settings.cpp draws it.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <thread>

#include "base/browser.h"
#include "base/error.h"
#include "base/text.h"
#include "service/command_line.h"
#include "ui/state/settings.h"

namespace lanewise::ui {

std::string engine_command(const WindowState::Engine& engine) {
    std::string command(trimmed(engine.prefix));
    if (command.empty()) command = default_engine_command();
    std::vector<std::string> words = split_command(command);
    if (is_engine_address(words)) return command;  // the rest is the server's to say
    // The last word may be a whole command for another machine's shell.
    bool serves = words.back().find(" serve") != std::string::npos ||
                  std::find(words.begin(), words.end(), "serve") != words.end();
    if (!serves) command += " serve";
    if (!engine.gpu.empty()) command += " --gpu '" + engine.gpu + "'";
    if (engine.sandbox) command += " --sandbox";
    if (!engine.compiler.empty()) command += " --compiler " + engine.compiler;
    return command;
}

std::string wish_for(const std::vector<EngineState::Gpu>& gpus, size_t index) {
    auto is_unique = [&](std::string_view word) {
        return std::count_if(gpus.begin(), gpus.end(), [&](const EngineState::Gpu& gpu) {
                   return gpu.name.find(word) != std::string::npos;
               }) == 1;
    };
    int64_t number = 0;  // which would be taken for an index
    std::vector<std::string_view> words = split(gpus[index].name, ' ');
    std::reverse(words.begin(), words.end());
    for (std::string_view word : words)
        if (!word.empty() && !parse_integer(word, number) && is_unique(word))
            return std::string(word);
    return gpus[index].uuid;
}

void open_settings(App& app) {
    app.open.settings = std::make_shared<SettingsPage>();
    app.open.settings->engine = app.saved.engine;
    app.open.settings->time_limit = fmt::format("{:g}", app.saved.engine.time_limit_s);
}

void close_settings(App& app) {
    app.open.settings.reset();
    app.keyboard.focus_wanted = true;
}

void settings_changed(App& app) {
    SettingsPage& page = *app.open.settings;
    page.problems.clear();
    try {
        engine_command(page.engine);
    } catch (const Error& error) {
        page.problems["prefix"] = error.what();
    }
    if (page.engine.gpu.find('\'') != std::string::npos)
        page.problems["gpu"] = "An index, a part of a name or the start of a UUID has no quote.";
    std::string_view text = trimmed(page.time_limit);
    double seconds = 0;
    auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), seconds);
    bool read = failed == std::errc() && end == text.data() + text.size();
    if (!read || !(seconds >= kLeastTimeLimit && seconds <= kMostTimeLimit))
        page.problems["time_limit"] =
            fmt::format("From {:g} to {:g} seconds.", kLeastTimeLimit, kMostTimeLimit);
    else
        page.engine.time_limit_s = seconds;
}

void start_engine_test(App& app) {
    SettingsPage& page = *app.open.settings;
    if (engine_test_runs(app) || page.problems.contains("prefix")) return;
    page.tested = engine_command(page.engine);
    page.result.reset();
    page.test_began = -1;
    if (kInBrowser) {  // which starts no commands
        page.result =
            EngineTest{false, "A browser starts no engine elsewhere: the desktop program does."};
        return;
    }
    // On a thread of its own, which nobody waits for: an engine elsewhere takes its time, and the
    // page may be closed meanwhile.
    std::packaged_task<EngineTest(std::string)> task(page.test);
    page.running = task.get_future();
    std::thread(std::move(task), page.tested).detach();
}

bool engine_test_runs(const App& app) {
    return app.open.settings && app.open.settings->running.valid();
}

void take_engine_test(App& app) {
    if (!engine_test_runs(app)) return;
    SettingsPage& page = *app.open.settings;
    if (page.running.wait_for(std::chrono::seconds(0)) != std::future_status::ready) return;
    try {
        page.result = page.running.get();
    } catch (const Error& error) {
        page.result = EngineTest{false, error.what()};
    }
}

void use_settings(App& app) {
    settings_changed(app);
    if (!app.open.settings->problems.empty()) return;
    const WindowState::Engine used = app.open.settings->engine;
    bool other = engine_command(used) != engine_command(app.saved.engine);
    app.saved.engine = used;
    close_settings(app);
    if (!other) return;
    app.wanted.another_engine = true;
    app.editing.checked.clear();
    app.engine = {};
    mark_all_stale(app);
}

}  // namespace lanewise::ui
