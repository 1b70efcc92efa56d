#include "lab/grade/hand_ins.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <cctype>
#include <ctime>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "base/error.h"
#include "base/files.h"
#include "base/text.h"
#include "course/kernel_signature.h"
#include "lab/grade/submission.h"

namespace lanewise {
namespace fs = std::filesystem;

namespace {

constexpr int kDeepest = 4;  // folders below a student's
constexpr size_t kMostFiles = 200;
const std::set<std::string> kArchives = {".zip", ".tar", ".gz", ".tgz", ".xz", ".7z", ".rar"};

std::string time_of(const fs::path& file) {
    struct stat about = {};
    if (::stat(file.c_str(), &about) != 0) return {};
    char text[32];
    return {text,
            std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", std::gmtime(&about.st_mtime))};
}

class Collector {
  public:
    explicit Collector(HandIn& hand_in) : hand_in_(hand_in) {}

    void look_at(const fs::path& path, int depth = 0) {
        std::error_code error;
        const fs::file_status status = fs::symlink_status(path, error);
        if (fs::is_symlink(status)) return leave_out(path, "is a link, which is not followed");
        if (fs::is_directory(status)) return walk(path, depth);
        if (!fs::is_regular_file(status)) return leave_out(path, "is no plain file");
        take(path);
    }

    void finish() { std::sort(hand_in_.files.begin(), hand_in_.files.end()); }

  private:
    void walk(const fs::path& folder, int depth) {
        if (depth == kDeepest) return leave_out(folder, "lies too deep in other folders");
        std::error_code error;
        std::vector<fs::path> inside;
        for (fs::directory_iterator at(folder, error), end; !error && at != end;
             at.increment(error)) {
            inside.push_back(at->path());
            if (inside.size() > kMostFiles)
                return leave_out(folder, fmt::format("holds more than {} files", kMostFiles));
        }
        if (error) return leave_out(folder, "cannot be read: " + error.message());
        std::sort(inside.begin(), inside.end());
        for (const fs::path& each : inside) look_at(each, depth + 1);
    }

    void take(const fs::path& file) {
        const std::string ending = file.extension().string();
        if (kArchives.count(ending)) return leave_out(file, "is an archive: unpack it first");
        if (ending != ".cu" && ending != ".lanewise") return;
        std::error_code error;
        const uint64_t size = fs::file_size(file, error);
        if (!error && size > kMostHandIn)
            return leave_out(file, "has " + in_bytes(size) + ", more than a hand-in may have");
        hand_in_.files.push_back(file);
        hand_in_.handed_in = std::max(hand_in_.handed_in, time_of(file));
    }

    void leave_out(const fs::path& path, const std::string& why) {
        hand_in_.problems.push_back(path.filename().string() + " " + why + ".");
    }

    HandIn& hand_in_;
};

HandIn collect(const std::string& student, const fs::path& from) {
    HandIn hand_in;
    hand_in.student = student;
    Collector collector(hand_in);
    collector.look_at(from);
    collector.finish();
    return hand_in;
}

// A hidden file, and a class's own files, are nobody's hand-in.
bool is_entry(const fs::path& path) {
    const std::string name = path.filename().string();
    if (name.starts_with('.') || name.ends_with(".assignment")) return false;
    std::error_code error;
    if (fs::is_directory(fs::symlink_status(path, error))) return true;
    const std::string ending = path.extension().string();
    return ending == ".cu" || ending == ".lanewise" || kArchives.count(ending);
}

// Whether a workspace has a version of the stage's source, or shows the stage. Throws
// Error(bad_input) where it is none, or cut.
bool holds(const fs::path& workspace, const Stage& stage) {
    const std::string name = workspace.filename().string();
    const auto json = nlohmann::json::parse(read_file(workspace), nullptr, false);
    if (!json.is_object() || !json.contains("lanewise_workspace") || !json.contains("edits") ||
        !json.contains("state") || !json["state"].is_string() || !json["edits"].is_object())
        throw Error(Status::bad_input,
                    name + " is no workspace of Lanewise, or was cut: save it again in the window");
    if (json["lanewise_workspace"] != 1)
        throw Error(Status::bad_input, name + " is from a newer Lanewise: grade it with that");
    if (json["edits"].contains(stage.id)) return true;
    const std::string link = json["state"];
    return link.substr(0, link.find('?')).ends_with("/" + stage.id);
}

}  // namespace

std::vector<HandIn> hand_ins_in(const fs::path& where) {
    std::error_code error;
    if (fs::is_regular_file(where, error)) return {collect(where.stem().string(), where)};
    if (!fs::is_directory(where, error))
        throw Error(Status::bad_input,
                    "\"" + where.string() + "\" is no folder of hand-ins, and no hand-in's file");
    std::map<std::string, int> named;
    std::vector<fs::path> entries;
    for (fs::directory_iterator at(where, error), end; !error && at != end; at.increment(error))
        if (is_entry(at->path())) entries.push_back(at->path());
    if (entries.empty())
        throw Error(Status::bad_input,
                    "\"" + where.string() +
                        "\" holds no hand-in: it needs a folder for each student, or a file "
                        "NAME.lanewise or NAME.cu");
    std::sort(entries.begin(), entries.end());
    const auto plain_name = [](const fs::path& entry) {
        return fs::is_directory(entry) ? entry.filename().string() : entry.stem().string();
    };
    for (const fs::path& entry : entries) ++named[plain_name(entry)];
    std::vector<HandIn> all;
    for (const fs::path& entry : entries) {
        const std::string plain = plain_name(entry), whole = entry.filename().string();
        all.push_back(collect(named[plain] > 1 ? whole : plain, entry));
        if (named[plain] > 1)
            all.back().problems.push_back("There are " + std::to_string(named[plain]) +
                                          " hand-ins of the name " + plain + ".");
    }
    return all;
}

fs::path file_for(const HandIn& hand_in, const Stage& stage, std::string& problem) {
    const std::string stem = stage.id.substr(stage.id.rfind('/') + 1);
    std::vector<fs::path> found;
    problem.clear();
    for (const fs::path& file : hand_in.files) {
        try {
            if (file.extension() == ".cu" ? file.stem() == stem : holds(file, stage))
                found.push_back(file);
        } catch (const Error& error) {
            if (problem.empty()) problem = std::string(error.what()) + ".";
        }
    }
    // A student who handed in one source for all has it graded, whatever its name.
    if (found.empty() && problem.empty() && hand_in.files.size() == 1 &&
        hand_in.files[0].extension() == ".cu" && hand_in.files[0].stem() == hand_in.student)
        found = hand_in.files;
    if (found.size() == 1) {
        problem.clear();
        return found[0];
    }
    if (found.size() > 1)
        problem = fmt::format("Handed in twice: {} and {}; keep one.", found[0].filename().string(),
                              found[1].filename().string());
    else if (problem.empty())
        problem = "Nothing was handed in: it wants " + stem +
                  ".cu, or a workspace in which the stage was edited or shown.";
    return {};
}

namespace {

// As the preprocessor reads it: lines that end in a backslash joined, %: for #, comments gone.
std::string as_preprocessed(std::string source) {
    for (const auto& [from, to] :
         {std::pair<std::string_view, std::string_view>{"\\\r\n", ""}, {"\\\n", ""}, {"%:", "#"}})
        for (size_t at = 0; (at = source.find(from, at)) != source.npos;)
            source.replace(at, from.size(), to);
    return without_comments(source);
}

// Of what follows `include`: <cuda_fp16.h>, "mine.h". Anything else is a macro's.
bool stays_inside(std::string_view name) {
    const size_t open = name.find_first_not_of(" \t(");
    if (open == name.npos || (name[open] != '<' && name[open] != '"')) return false;
    name = name.substr(open + 1);
    name = name.substr(0, name.find_first_of(">\""));
    return !name.empty() && name[0] != '/' && name.find("..") == name.npos &&
           name.find('\\') == name.npos;
}

}  // namespace

std::string include_that_leads_out(const std::string& source) {
    static constexpr std::string_view kTakes[] = {"include_next", "include", "embed", "import"};
    const std::string text = as_preprocessed(source);
    for (std::string_view line : lines_of(text)) {
        const std::string_view whole = trimmed(line);
        if (whole.starts_with('#')) {
            const std::string_view word = trimmed(whole.substr(1));
            for (std::string_view takes : kTakes) {
                if (!word.starts_with(takes)) continue;
                if (!stays_inside(word.substr(takes.size()))) return std::string(whole);
                break;
            }
        }
        for (std::string_view asks : {"__has_include", "__has_embed"}) {
            const size_t at = whole.find(asks);
            if (at != whole.npos && !stays_inside(whole.substr(at + asks.size())))
                return std::string(whole);
        }
    }
    return {};
}

std::string bare_source(const std::string& source) {
    std::string bare;
    for (char c : without_comments(source))
        if (!std::isspace(static_cast<unsigned char>(c))) bare += c;
    return bare;
}

}  // namespace lanewise
