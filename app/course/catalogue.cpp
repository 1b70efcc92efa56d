// Stages as they lie in the content folder; what a stage's head may say is stage_head.cpp's matter.
#include "course/catalogue.h"

#include <algorithm>

#include "base/error.h"
#include "base/files.h"
#include "base/text.h"
#include "course/operation.h"
#include "course/stage_head.h"

namespace lanewise {
namespace fs = std::filesystem;

// What lies in the content folder is looked through, since it may be somebody's own. In a browser it is the
// course that came with the page, which the tests have looked through: a third of a second is saved there.
#ifdef __EMSCRIPTEN__
constexpr Settings kContent = Settings::trusted;
#else
constexpr Settings kContent = Settings::looked_at;
#endif

static Stage parsed(const std::string& text, const Stage& like, Settings settings) {
    Stage stage;
    stage.id = like.id;
    stage.operation = like.operation;
    stage.title = like.title;
    stage.file = like.file;
    stage.path = like.path;
    stage.source = text;
    try {
        read_head(stage, settings);
    } catch (const Error& error) {
        stage.error = error.what();
    }
    return stage;
}

Stage parse_stage(const std::string& text, const Stage& like) {
    return parsed(text, like, Settings::looked_at);
}

Stage read_stage(const fs::path& file, const std::string& operation) {
    Stage stage;
    stage.operation = operation;
    stage.id = operation + "/" + file.stem().string();
    stage.title = file.stem().string();
    stage.file = file.filename().string();
    stage.path = file;
    try {
        return parsed(read_file(file), stage, kContent);
    } catch (const Error& error) {
        stage.error = error.what();
        return stage;
    }
}

// The number that a stage's name begins with, whatever its length: 5 for "05_strided".
static int64_t number_of(const fs::path& file) {
    std::string stem = file.stem().string();
    int64_t number = 0;
    return parse_integer(stem.substr(0, stem.find('_')), number) ? number : INT64_MAX;
}

// By number, then by name: never as the file system happens to list them. A missing folder has
// none.
static std::vector<fs::path> entries(const fs::path& folder) {
    std::vector<fs::path> found;
    std::error_code failed;
    for (const auto& entry : fs::directory_iterator(folder, failed)) found.push_back(entry.path());
    std::sort(found.begin(), found.end(), [](const fs::path& a, const fs::path& b) {
        return std::pair(number_of(a), a) < std::pair(number_of(b), b);
    });
    return found;
}

// The folders of kernels/ in the order in which they teach: the first steps, then the operations;
// one that is unknown comes behind.
static std::vector<fs::path> courses(const fs::path& kernels) {
    auto place = [](const fs::path& folder) -> std::ptrdiff_t {
        const std::vector<Operation>& all = all_operations();
        if (folder.filename() == kFirstSteps) return -1;
        return std::find_if(all.begin(), all.end(),
                            [&](const Operation& each) { return folder.filename() == each.id; }) -
               all.begin();
    };
    std::vector<fs::path> folders = entries(kernels);
    std::stable_sort(folders.begin(), folders.end(),
                     [&](const fs::path& a, const fs::path& b) { return place(a) < place(b); });
    return folders;
}

const Stage* stage_called(const std::vector<Stage>& stages, const std::string& id) {
    auto found =
        std::find_if(stages.begin(), stages.end(), [&](const Stage& s) { return s.id == id; });
    return found == stages.end() ? nullptr : &*found;
}

Catalogue Catalogue::load(const fs::path& content) {
    Catalogue catalogue;
    catalogue.content_ = content;
    for (const fs::path& operation : courses(content / "kernels"))
        for (const fs::path& file : entries(operation))
            if (file.extension() == ".cu")
                catalogue.stages_.push_back(read_stage(file, operation.filename().string()));
    std::stable_partition(catalogue.stages_.begin(), catalogue.stages_.end(),
                          [](const Stage& stage) { return !is_exercise(stage); });
    return catalogue;
}

// "transpose/30_padded" is called so, "30_padded", or "30". A first step has no number of its own:
// the ladders' are meant.
static bool is_called(const Stage& stage, const std::string& name) {
    std::string stem = stage.id.substr(stage.operation.size() + 1);
    return name == stage.id || name == stem ||
           (!is_first_step(stage) && name == stem.substr(0, stem.find('_')));
}

static std::string advice(const std::vector<Stage>& stages, const std::string& name) {
    std::vector<std::string> ids, stems;
    for (const Stage& stage : stages) {
        ids.push_back(stage.id);
        stems.push_back(stage.id.substr(stage.operation.size() + 1));
    }
    std::string near = closest(name, ids);
    if (near.empty()) near = closest(name, stems);
    if (!near.empty()) return "; did you mean \"" + near + "\"?";
    return "; `lanewise-engine stages` lists what there is";
}

const Stage& Catalogue::find(const std::string& name) const {
    std::vector<const Stage*> found;
    for (const Stage& stage : stages_)
        if (is_called(stage, name) &&
            (found.empty() || found[0]->operation == stage.operation || name == stage.id))
            found.push_back(&stage);
    if (found.empty())
        throw Error(Status::bad_input, "no stage \"" + name + "\"" + advice(stages_, name));
    if (found.size() > 1) {
        std::string ids;
        for (const Stage* stage : found) ids += (ids.empty() ? "" : ", ") + stage->id;
        throw Error(Status::bad_input, "\"" + name + "\" could be any of " + ids + "; say which");
    }
    if (!found[0]->error.empty()) throw Error(Status::bad_input, found[0]->error);
    return *found[0];
}

}  // namespace lanewise
