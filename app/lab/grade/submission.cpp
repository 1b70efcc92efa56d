#include "lab/grade/submission.h"

#include <cctype>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/files.h"
#include "base/text.h"
#include "course/catalogue.h"
#include "course/lesson.h"

namespace lanewise {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

// Messages name the file that was handed in. What is as it came keeps the name under which its
// program is shipped.
Job job_of(const std::string& source, const Stage& original, const std::string& file) {
    Stage like = original;
    if (source != original.source) like.file = file;
    Job job;
    job.stage = parse_stage(source, like);
    if (!job.stage.error.empty()) throw Error(Status::bad_input, job.stage.error);
    job.type = job.stage.types.front();
    return job;
}

// The setting in a link, lanewise://1/STAGE?PAD=1&type=f32&…: the window writes it
// (ui/workspace/link.cpp), and here only knobs and type matter. False where it is of another stage.
bool take_setting_of_link(const std::string& link, Job& job) {
    size_t question = link.find('?');
    if (question == link.npos || !link.substr(0, question).ends_with("/" + job.stage.id))
        return false;
    for (std::string_view field : split(std::string_view(link).substr(question + 1), '&')) {
        if (field.starts_with("type="))
            job.type = field.substr(5);
        else if (!field.empty() && std::isupper(static_cast<unsigned char>(field[0])))
            parse_setting(std::string(field), job.knobs);
    }
    return true;
}

Job from_workspace(const fs::path& file, const Stage& original) {
    const std::string name = file.filename().string();
    try {
        Json json = Json::parse(read_file(file));
        if (!json.is_object() || !json.contains("lanewise_workspace"))
            throw Error(Status::bad_input, name + " is no workspace of Lanewise");
        const Json& edits = json.at("edits");
        bool edited = edits.contains(original.id);
        Job job = job_of(edited ? edits[original.id].get<std::string>() : original.source, original,
                         original.file);
        bool chosen = take_setting_of_link(json.at("state").get<std::string>(), job);
        if (!edited && !chosen)
            throw Error(Status::bad_input,
                        name + " holds nothing for " + original.id +
                            ": neither a version of its source nor a setting; save the workspace "
                            "while that stage is shown");
        return job;
    } catch (const Json::exception&) {
        throw Error(Status::bad_input,
                    name + " is no workspace of Lanewise, or was cut: save it again in the window");
    }
}

}  // namespace

Job submission_from(const fs::path& file, const Stage& original) {
    const std::string ending = file.extension().string();
    if (ending == ".lanewise") return from_workspace(file, original);
    if (ending == ".cu") {
        const std::string source = read_file(file), name = file.filename().string();
        if (source.find("/*---") == source.npos)
            throw Error(Status::bad_input,
                        name +
                            " has no head between /*--- and ---*/: begin with a copy of the "
                            "stage's own file, kernels/" +
                            original.id + ".cu, and change that");
        return job_of(source, original, name);
    }
    throw Error(Status::bad_input, "\"" + file.string() +
                                       "\" cannot be graded: give a .cu file, or a workspace "
                                       "saved by the window (.lanewise)");
}

}  // namespace lanewise
