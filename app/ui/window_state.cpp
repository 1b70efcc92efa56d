#include "ui/window_state.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/files.h"
#include "ui/look.h"

namespace lanewise::ui {
namespace {

using Json = nlohmann::json;

KernelForm form_of(const Json& json) {
    KernelForm form;
    json.at("kernel").get_to(form.kernel);
    json.at("grid").get_to(form.grid);
    json.at("block").get_to(form.block);
    json.at("dynamic_shared").get_to(form.dynamic_shared);
    json.at("arguments").get_to(form.arguments);
    json.at("include_folders").get_to(form.include_folders);
    json.at("defines").get_to(form.defines);
    return form;
}

WindowState parsed(const std::string& text) {
    Json json = Json::parse(text);
    WindowState state;
    state.theme = json.at("theme").get<std::string>();
    palette(state.theme);  // throws where there is none of this name
    state.scale = std::clamp(json.at("scale").get<float>(), kLeastScale, kMostScale);
    state.stage = json.at("stage").get<std::string>();
    state.width = std::clamp(json.at("width").get<int>(), 320, 16384);
    state.height = std::clamp(json.at("height").get<int>(), 240, 16384);
    for (const auto& [stage, entry] : json.at("progress").items())
        state.progress[stage] = {entry.at("guess").get<std::string>(),
                                 entry.at("right").get<bool>(), entry.at("passed").get<bool>()};
    if (json.contains("kernels"))  // not yet in the files of the first version
        for (const auto& [file, form] : json.at("kernels").items())
            state.kernels[file] = form_of(form);
    return state;
}

Json json_of(const KernelForm& form) {
    return {{"kernel", form.kernel},       {"grid", form.grid},
            {"block", form.block},         {"dynamic_shared", form.dynamic_shared},
            {"arguments", form.arguments}, {"include_folders", form.include_folders},
            {"defines", form.defines}};
}

}  // namespace

WindowState read_window_state(const std::filesystem::path& file, std::string& message) {
    std::error_code ignored;
    if (!std::filesystem::exists(file, ignored)) return {};
    try {
        return parsed(read_file(file));
    } catch (const std::exception&) {
        std::filesystem::path aside = file;
        aside += ".bad";
        std::filesystem::rename(file, aside, ignored);
        message = "The window's saved state could not be read; it is kept as " + aside.string() +
                  ", and the window starts afresh.";
        return {};
    }
}

void write_window_state(const std::filesystem::path& file, const WindowState& state,
                        std::string& message) {
    Json progress = Json::object();
    for (const auto& [stage, entry] : state.progress)
        progress[stage] = {
            {"guess", entry.guess}, {"right", entry.right}, {"passed", entry.passed}};
    Json kernels = Json::object();
    for (const auto& [path, form] : state.kernels) kernels[path] = json_of(form);
    Json json = {{"kernels", kernels},   {"theme", state.theme}, {"scale", state.scale},
                 {"stage", state.stage}, {"width", state.width}, {"height", state.height},
                 {"progress", progress}};
    try {
        write_file(file, json.dump(2) + "\n");
    } catch (const Error& error) {
        message = std::string("The window's state cannot be saved: ") + error.what();
    }
}

}  // namespace lanewise::ui
