// Links as text: written, read, and refused in a sentence. share.cpp shows what they say.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "base/error.h"
#include "base/percent.h"
#include "base/text.h"
#include "course/assignment_link.h"
#include "lab/change/swizzle.h"
#include "lab/job/job.h"
#include "ui/desk/share.h"

namespace lanewise::ui {
namespace {

constexpr int kLinkVersion = 1;
constexpr std::string_view kCheck = "&check=";
constexpr const char* kOwn = "file";  // where a stage's id stands otherwise

std::string decoded(std::string_view text) {
    std::optional<std::string> result = percent_decoded(text);
    if (!result) reject("The link has a % that is followed by no number; copy it again.");
    return std::move(*result);
}

// ---- the fields

int64_t number(const std::string& name, const std::string& value, int64_t least, int64_t most) {
    int64_t result = 0;
    if (!parse_integer(value, result) || result < least || result > most)
        reject(fmt::format("The link's {} is \"{}\", which makes no sense; copy it again.", name,
                           value));
    return result;
}

void take_size(const std::string& value, SharedState& state) {
    size_t by = std::min(value.find('x'), value.size());
    state.rows = number("size", value.substr(0, by), 1, kMaxDimension);
    state.cols = number("size", value.substr(std::min(by + 1, value.size())), 1, kMaxDimension);
}

void take_window(const std::string& value, SharedState& state) {
    std::vector<std::string_view> parts = split(value, ',');
    if (parts.size() != state.window.size()) number("window", value, 1, 0);
    constexpr int kFar = 1'000'000;  // a chart may be moved beyond its edges
    for (size_t i = 0; i < parts.size(); ++i)
        state.window[i] =
            static_cast<int>(number("window", std::string(parts[i]), i % 2 ? 1 : -kFar, kFar));
    if (state.window[0] >= state.window[1] || state.window[2] >= state.window[3])
        number("window", value, 1, 0);
}

// What nobody can type is no part of it. Too long a text stays too long, so that the forge refuses
// it in its own words.
std::string as_typed(std::string text) {
    text.resize(std::min(text.size(), kLongestSwizzle + 1));
    for (char& c : text)
        if (c < ' ' || c > '~') c = '?';
    return text;
}

void take_field(const std::string& name, const std::string& value, SharedState& state) {
    constexpr int64_t kMany = int64_t{1} << 40;
    constexpr int kMostArguments = 256;
    constexpr size_t kMostBeside = 2;
    KernelForm& form = state.form;
    if (std::isupper(static_cast<unsigned char>(name[0]))) {
        state.knobs[name] = number(name, value, -kMany, kMany);
    } else if (name == "type") {
        state.type = value;
    } else if (name == "size") {
        take_size(value, state);
    } else if (name == "batch") {
        state.batch = number(name, value, 1, kMaxDimension);
    } else if (name == "inner") {
        state.inner = number(name, value, 0, kMaxDimension);
    } else if (name == "block") {
        state.block = static_cast<uint64_t>(number(name, value, 0, kMany));
    } else if (name == "warp") {
        state.warp = static_cast<uint32_t>(number(name, value, 0, 31));
    } else if (name == "lane") {
        state.lane = static_cast<int>(number(name, value, 0, 31));
    } else if (name == "global" || name == "shared") {
        state.access[name == "shared"] = static_cast<int>(number(name, value, 0, 1 << 24));
    } else if (name == "step") {
        state.step = static_cast<int>(number(name, value, 0, 1 << 24));
    } else if (name == "zoom") {
        state.zoom = value;
    } else if (name == "beside" && state.beside.size() < kMostBeside) {
        state.beside.push_back(value);
    } else if (name == "window") {
        take_window(value, state);
    } else if (name == "swizzle") {
        state.swizzle = as_typed(value);
    } else if (name == "swizzle_pad") {
        state.swizzle_pad = static_cast<int>(number(name, value, 0, kMostSwizzlePad));
    } else if (name == "tab") {
        state.tab = value;
    } else if (name == "view") {
        state.view = value;
    } else if (name == "text") {
        state.assignment = value;
    } else if (name == "path") {
        state.file = value;
    } else if (name == "kernel") {
        form.kernel = value;
    } else if (name == "grid") {
        form.grid = value;
    } else if (name == "threads") {
        form.block = value;
    } else if (name == "cluster") {
        form.cluster = value;
    } else if (name == "dynamic") {
        form.dynamic_shared = value;
    } else if (name == "arg" && form.arguments.size() < kMostArguments) {
        form.arguments.push_back(value);
    } else if (name == "include") {
        form.include_folders = value;
    } else if (name == "define") {
        form.defines = value;
    } else if (name == "variables") {
        form.variables = value;
    }
    // Any other name is a detail that a later program of this version adds: what is known is shown.
}

// What belongs to the other kind of link is not looked at.
SharedState only_own(SharedState state) {
    const SharedState none;
    state.knobs.clear();
    state.type = none.type;
    state.rows = none.rows;
    state.cols = none.cols;
    state.batch = none.batch;
    state.inner = none.inner;
    state.beside.clear();
    state.swizzle.clear();
    state.swizzle_pad = none.swizzle_pad;
    state.assignment.clear();
    return state;
}
SharedState only_assignment(SharedState state) {
    if (state.assignment.empty())
        reject("This link has no assignment in it; copy it again, all of it.");
    SharedState only;
    only.assignment = std::move(state.assignment);
    return only;
}
SharedState only_stage(SharedState state) {
    state.file.clear();
    state.assignment.clear();
    state.form = {};
    return state;
}

std::string without_blanks(const std::string& text) {
    std::string result;
    for (char c : text)
        if (!std::isspace(static_cast<unsigned char>(c))) result += c;
    // Mail programs put links into angle brackets, people into quotes.
    while (!result.empty() && std::string_view("<\"'").find(result.front()) != result.npos)
        result.erase(0, 1);
    while (!result.empty() && std::string_view(">\"'").find(result.back()) != result.npos)
        result.pop_back();
    return result;
}

}  // namespace

std::string link_of(const SharedState& state) {
    std::string link = fmt::format("{}{}/{}?", kLinkBegins, kLinkVersion,
                                   state.stage.empty() ? kOwn : percent_encoded(state.stage));
    std::string fields;
    auto add = [&](const std::string& name, const std::string& value) {
        fields += (fields.empty() ? "" : "&") + name + "=" + percent_encoded(value);
    };
    if (state.stage.empty()) {
        const KernelForm& form = state.form;
        add("path", state.file);
        add("kernel", form.kernel);
        add("grid", form.grid);
        add("threads", form.block);
        if (!form.cluster.empty()) add("cluster", form.cluster);
        add("dynamic", form.dynamic_shared);
        for (const std::string& argument : form.arguments) add("arg", argument);
        if (!form.include_folders.empty()) add("include", form.include_folders);
        if (!form.defines.empty()) add("define", form.defines);
        if (!form.variables.empty()) add("variables", form.variables);
    } else {
        for (const auto& [name, value] : state.knobs) add(name, std::to_string(value));
        add("type", state.type);
        add("size", fmt::format("{}x{}", state.rows, state.cols));
    }
    if (state.batch > 1) add("batch", std::to_string(state.batch));
    if (state.inner != kNoInner) add("inner", std::to_string(state.inner));
    if (state.block) add("block", std::to_string(state.block));
    if (state.warp) add("warp", std::to_string(state.warp));
    if (state.lane >= 0) add("lane", std::to_string(state.lane));
    if (state.access[0] >= 0) add("global", std::to_string(state.access[0]));
    if (state.access[1] >= 0) add("shared", std::to_string(state.access[1]));
    if (state.step >= 0) add("step", std::to_string(state.step));
    if (!state.zoom.empty()) add("zoom", state.zoom);
    for (const std::string& beside : state.beside) add("beside", beside);
    if (state.window != kWholeChart) add("window", fmt::format("{}", fmt::join(state.window, ",")));
    if (!state.swizzle.empty()) add("swizzle", state.swizzle);
    if (state.swizzle_pad > 0) add("swizzle_pad", std::to_string(state.swizzle_pad));
    if (!state.tab.empty()) add("tab", state.tab);
    add("view", state.view);
    link += fields;
    return link + std::string(kCheck) + link_check(link);
}

SharedState parse_link(const std::string& text) {
    std::string link = without_blanks(text);
    if (!link.starts_with(kLinkBegins))
        reject(fmt::format("This is no link of Lanewise: one begins with {}", kLinkBegins));
    if (link.size() > kLongestLink) reject("This link is longer than any that Lanewise makes.");
    std::string rest = link.substr(std::string_view(kLinkBegins).size());
    size_t slash = rest.find('/');
    int64_t version = 0;
    if (slash != rest.npos && parse_integer(rest.substr(0, slash), version) && version > kLinkVersion)
        reject("This link needs a newer Lanewise.");
    size_t check = link.rfind(kCheck), question = rest.find('?');
    bool whole = version == kLinkVersion && check != link.npos && question != rest.npos &&
                 link.substr(check + kCheck.size()) == link_check(link.substr(0, check));
    if (!whole) reject("This link was cut or changed; copy it again, all of it.");
    SharedState state;
    std::string place = decoded(rest.substr(slash + 1, question - slash - 1));
    if (place != kOwn && place != kAssignmentPlace) state.stage = place;
    size_t begin = std::string_view(kLinkBegins).size() + question + 1;
    std::string fields = link.substr(begin, check - std::min(check, begin));
    if (place == kOwn) state.form.arguments.clear();
    for (std::string_view field : split(fields, '&')) {
        size_t equals = field.find('=');
        if (equals == field.npos || equals == 0) continue;
        take_field(std::string(field.substr(0, equals)), decoded(field.substr(equals + 1)), state);
    }
    if (place == kAssignmentPlace) return only_assignment(std::move(state));
    if (place.empty() || (place == kOwn && state.file.empty()))
        reject("This link names no stage and no file; copy it again, all of it.");
    return place == kOwn ? only_own(state) : only_stage(state);
}

}  // namespace lanewise::ui
