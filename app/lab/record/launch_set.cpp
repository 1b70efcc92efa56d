#include "lab/record/launch_set.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "base/files.h"
#include "base/text.h"
#include "lab/kernel/own_kernel.h"

namespace lanewise {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view kBegin = "// launch ";

// "--kernel 'a<b, c>' --grid 4" -> --kernel, a<b, c>, --grid, 4
std::vector<std::string> words_of(std::string_view text) {
    std::vector<std::string> words;
    bool quoted = false, open = false;
    for (char c : text) {
        if (c == '\'') {
            quoted = !quoted;
        } else if (c == ' ' && !quoted) {
            open = false;
            continue;
        }
        if (!open) words.emplace_back();
        open = true;
        if (c != '\'') words.back() += c;
    }
    return words;
}

void take_option(const std::string& option, const std::string& value, OwnLaunch& own) {
    int64_t bytes = 0;
    if (option == "--kernel")
        own.kernel = value;
    else if (option == "--grid")
        own.shape.grid = parse_grid(value);
    else if (option == "--block")
        own.shape.block = parse_block(value);
    else if (option == "--arg")
        own.arguments.push_back(value);
    else if (option == "--dynamic-shared" && parse_integer(value, bytes) && bytes >= 0)
        own.shape.dynamic_shared_bytes = static_cast<uint32_t>(bytes);
    else
        throw Error(Status::bad_input, fmt::format("{} {} is no option of a launch", option, value));
}

SetLaunch launch_in(std::string_view line, const std::string& file, const std::string& source) {
    line.remove_prefix(kBegin.size());
    size_t colon = line.find(": ");
    if (colon == std::string_view::npos)
        throw Error(Status::bad_input, "a launch is `// launch NAME: --kernel …`");
    SetLaunch launch;
    launch.kind = fs::path(file).stem().string();
    launch.name = line.substr(0, colon);
    Job& job = launch.job;
    job.stage.file = job.stage.id = file;
    job.stage.source = source;
    std::vector<std::string> words = words_of(line.substr(colon + 2));
    if (words.size() % 2 != 0)
        throw Error(Status::bad_input, "each option of a launch has one value");
    for (size_t i = 0; i < words.size(); i += 2) take_option(words[i], words[i + 1], job.own);
    if (job.own.kernel.empty()) throw Error(Status::bad_input, "a launch needs --kernel");
    job.stage.kernel = job.stage.title = job.own.kernel;
    validate(job);
    return launch;
}

}  // namespace

SetHalf half_called(const std::string& name) {
    if (name == "making") return SetHalf::making;
    if (name == "sealed") return SetHalf::sealed;
    if (name == "all") return SetHalf::all;
    throw Error(Status::bad_input,
                "--set wants making, sealed or all, not \"" + name + "\"");
}

std::vector<SetLaunch> launches_in(const std::string& file, const std::string& source) {
    std::vector<SetLaunch> launches;
    int number = 0;
    for (std::string_view line : lines_of(source)) {
        ++number;
        if (!line.starts_with(kBegin)) continue;
        try {
            launches.push_back(launch_in(line, file, source));
        } catch (const Error& error) {
            throw Error(Status::bad_input, fmt::format("{}:{}: {}", file, number, error.what()));
        }
    }
    return launches;
}

std::vector<std::string> halves_seen(const fs::path& content) {
    std::vector<std::string> folders;
    std::error_code none;  // an empty list, then
    for (const fs::directory_entry& entry : fs::directory_iterator(content / "assets" / "launches", none))
        if (entry.is_directory() && entry.path().filename() != kSealed) folders.push_back(entry.path().filename().string());
    std::sort(folders.begin(), folders.end());
    return folders;
}

std::vector<SetLaunch> read_launch_set(const fs::path& content, SetHalf half) {
    fs::path folder = content / "assets" / "launches";
    std::vector<SetLaunch> all;
    auto add = [&](const fs::path& from) {
        for (const fs::path& file : files_in(from, ".cu"))
            for (SetLaunch& launch : launches_in(file.filename().string(), read_file(file))) {
                launch.folder = from.filename().string();
                all.push_back(std::move(launch));
            }
    };
    if (half != SetHalf::sealed) {
        add(folder);
        for (const std::string& seen : halves_seen(content)) add(folder / seen);
    }
    if (half != SetHalf::making) add(folder / kSealed);
    if (all.empty())
        throw Error(Status::bad_input, "there are no launches in " + folder.string());
    return all;
}

}  // namespace lanewise
