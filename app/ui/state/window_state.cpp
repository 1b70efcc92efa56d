#include "ui/state/window_state.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/files.h"
#include "ui/look/look.h"
#include "ui/plain/kept_file.h"
#include "ui/state/settings.h"

namespace lanewise::ui {
namespace {

using Json = nlohmann::json;

// Version 2 has "version", "engine", and "confidence" and "known" of each stage's progress.
constexpr int kVersion = 2;

struct Newer {};  // thrown for a file that a newer version wrote

WindowState::Engine engine_of(const Json& json) {
    WindowState::Engine engine;
    json.at("prefix").get_to(engine.prefix);
    json.at("gpu").get_to(engine.gpu);
    engine.time_limit_s =
        std::clamp(json.at("time_limit_s").get<double>(), kLeastTimeLimit, kMostTimeLimit);
    json.at("sandbox").get_to(engine.sandbox);
    engine.compiler = json.value("compiler", "");
    engine_command(engine);  // throws where it is no command at all
    return engine;
}

// In the files of the first version a guess that turned out right was known to be; of another it is
// not known whether it was compared.
WindowState::Progress progress_of(const Json& json) {
    WindowState::Progress progress;
    json.at("guess").get_to(progress.guess);
    json.at("right").get_to(progress.right);
    json.at("passed").get_to(progress.passed);
    progress.confidence = std::clamp(json.value("confidence", 0), 0, 100);
    progress.known = json.value("known", progress.right);
    progress.second = json.value("second", false);
    progress.hints = std::clamp(json.value("hints", 0), 0, 3);
    progress.written = json.value("written", std::vector<std::string>());
    progress.tested_out = json.value("tested_out", false);  // not in files from before the path
    return progress;
}

// What a file of an older version does not have is as it begins.
Panes panes_of(const Json& json) {
    Panes panes;
    panes.side = json.value("side", panes.side);
    if (panes.side != "files" && panes.side != "issues" && panes.side != "accesses")
        panes.side.clear();
    auto view = [&](const char* field) {
        const std::string id = json.value(field, "");
        for (const char* known : {"picture", "timeline", "code", "bytes", "issues", "step"})
            if (id == known) return id;
        return std::string();
    };
    panes.beside = view("beside");
    panes.below = view("below");
    panes.setting = json.value("setting", true);
    auto size = [&](const char* field) { return std::clamp(json.value(field, 0.f), 0.f, 4000.f); };
    panes.side_width = size("side_width");
    panes.setting_width = size("setting_width");
    panes.beside_width = size("beside_width");
    panes.below_height = size("below_height");
    panes.apart = json.value("apart", "");
    panes.apart_width = std::clamp(json.value("apart_width", panes.apart_width), 320, 16384);
    panes.apart_height = std::clamp(json.value("apart_height", panes.apart_height), 240, 16384);
    panes.code_hits = json.value("code_hits", false);
    return panes;
}

Json json_of(const Panes& panes) {
    return {{"side", panes.side},
            {"beside", panes.beside},
            {"below", panes.below},
            {"setting", panes.setting},
            {"side_width", panes.side_width},
            {"setting_width", panes.setting_width},
            {"beside_width", panes.beside_width},
            {"below_height", panes.below_height},
            {"apart", panes.apart},
            {"apart_width", panes.apart_width},
            {"apart_height", panes.apart_height},
            {"code_hits", panes.code_hits}};
}

KernelForm form_of(const Json& json) {
    KernelForm form;
    json.at("kernel").get_to(form.kernel);
    json.at("grid").get_to(form.grid);
    json.at("block").get_to(form.block);
    json.at("dynamic_shared").get_to(form.dynamic_shared);
    json.at("arguments").get_to(form.arguments);
    json.at("include_folders").get_to(form.include_folders);
    json.at("defines").get_to(form.defines);
    form.variables = json.value("variables", "");  // not yet in older files
    form.cluster = json.value("cluster", "");      // nor this
    return form;
}

WindowState parsed(const std::string& text) {
    Json json = Json::parse(text);
    if (json.value("version", 1) > kVersion) throw Newer();
    WindowState state;
    state.theme = json.at("theme").get<std::string>();
    palette(state.theme);  // throws where there is none of this name
    state.scale = std::clamp(json.at("scale").get<float>(), kLeastScale, kMostScale);
    state.stage = json.at("stage").get<std::string>();
    state.mode = json.value("mode", "");
    if (state.mode != kLearn && state.mode != kWorkbench) state.mode.clear();
    state.width = std::clamp(json.at("width").get<int>(), 320, 16384);
    state.height = std::clamp(json.at("height").get<int>(), 240, 16384);
    if (json.contains("panes")) state.panes = panes_of(json.at("panes"));
    state.reduce_motion = json.value("reduce_motion", false);
    for (const auto& [stage, entry] : json.at("progress").items())
        state.progress[stage] = progress_of(entry);
    if (json.contains("engine")) state.engine = engine_of(json.at("engine"));
    if (json.contains("kernels"))  // not yet in the files of the first version
        for (const auto& [file, form] : json.at("kernels").items())
            state.kernels[file] = form_of(form);
    return state;
}

Json json_of(const KernelForm& form) {
    return {{"kernel", form.kernel},       {"grid", form.grid},
            {"block", form.block},         {"dynamic_shared", form.dynamic_shared},
            {"arguments", form.arguments}, {"include_folders", form.include_folders},
            {"defines", form.defines},     {"variables", form.variables},
            {"cluster", form.cluster}};
}

}  // namespace

WindowState read_window_state(const std::filesystem::path& file, std::string& message) {
    std::error_code ignored;
    if (!std::filesystem::exists(file, ignored)) return {};
    try {
        return parsed(read_file(file));
    } catch (const Newer&) {
        message = "The window's saved state needs a newer Lanewise; it is kept as " +
                  set_aside(file, "newer").string() + ", and the window starts afresh.";
    } catch (const std::exception&) {
        message = "The window's saved state could not be read; it is kept as " +
                  set_aside(file, "bad").string() + ", and the window starts afresh.";
    }
    return {};
}

void write_window_state(const std::filesystem::path& file, const WindowState& state,
                        std::string& message) {
    Json progress = Json::object();
    for (const auto& [stage, entry] : state.progress)
        progress[stage] = {{"guess", entry.guess},          {"confidence", entry.confidence},
                           {"known", entry.known},          {"right", entry.right},
                           {"passed", entry.passed},        {"second", entry.second},
                           {"hints", entry.hints},          {"written", entry.written},
                           {"tested_out", entry.tested_out}};
    Json kernels = Json::object();
    for (const auto& [path, form] : state.kernels) kernels[path] = json_of(form);
    Json json = {{"kernels", kernels},
                 {"theme", state.theme},
                 {"scale", state.scale},
                 {"stage", state.stage},
                 {"mode", state.mode},
                 {"width", state.width},
                 {"height", state.height},
                 {"panes", json_of(state.panes)},
                 {"reduce_motion", state.reduce_motion},
                 {"progress", progress},
                 {"version", kVersion},
                 {"engine",
                  {{"prefix", state.engine.prefix},
                   {"gpu", state.engine.gpu},
                   {"time_limit_s", state.engine.time_limit_s},
                   {"sandbox", state.engine.sandbox},
                   {"compiler", state.engine.compiler}}}};
    try {
        write_file(file, json.dump(2) + "\n");
    } catch (const Error& error) {
        message = std::string("The window's state cannot be saved: ") + error.what();
    }
}

}  // namespace lanewise::ui
