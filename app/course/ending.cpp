// The file of what stands at the end of each course.
#include "course/ending.h"

#include <algorithm>

#include "base/error.h"
#include "base/files.h"
#include "base/text.h"
#include "course/lesson.h"
#include "course/toml_head.h"

namespace lanewise {
namespace {

// The stage under `key`, with the knobs and the type under those that begin with `prefix`.
SetStage set_stage(const TomlTable& table, const std::string& key, const std::string& prefix,
                   const Catalogue& catalogue) {
    const std::string set_key = prefix + "set", type_key = prefix + "type";
    const Stage* stage = nullptr;
    try {
        stage = &catalogue.find(table.text(key));
    } catch (const Error& error) {
        table.fail(key, error.what());
    }
    KnobValues knobs = default_knobs(*stage);
    for (const std::string& setting : table.texts(set_key))
        if (!parse_setting(setting, knobs))
            table.fail(set_key, "\"" + setting + "\" is no setting; write it as \"PAD=1\"");
    if (stage->types.empty()) table.fail(key, stage->id + " has no type, so nothing is timed");
    const std::string type = table.has(type_key) ? table.text(type_key) : stage->types.front();
    if (std::find(stage->types.begin(), stage->types.end(), type) == stage->types.end())
        table.fail(type_key, stage->id + " has no type \"" + type + "\"");
    if (std::string problem = knob_problem(*stage, knobs, type); !problem.empty())
        table.fail(set_key, stage->id + ": " + problem);
    return {stage->id, type, knobs};
}

NotWorth not_worth_of(const TomlTable& table, const Catalogue& catalogue) {
    table.only({"says", "stage", "set", "type", "than", "than_set", "than_type"});
    table.need("says", "says = \"A diagonal order of blocks is no faster.\"");
    table.need("stage", "stage = \"50_diagonal\", where it was tried");
    table.need("than", "than = \"30_padded\", what it is compared with");
    NotWorth row{table.text("says"), set_stage(table, "stage", "", catalogue),
                 set_stage(table, "than", "than_", catalogue)};
    if (row.tried == row.than)
        table.fail("than", "the stage is compared with itself; name another stage or other knobs");
    return row;
}

Ending ending_of(const TomlTable& table, const Catalogue& catalogue) {
    table.only({"course", "learned", "beware", "not_worth"});
    table.need("course", "course = \"transpose\", the folder of its lessons");
    Ending ending{table.text("course"), table.texts("learned"), table.text("beware"), {}};
    const std::vector<Stage>& stages = catalogue.stages();
    if (std::none_of(stages.begin(), stages.end(),
                     [&](const Stage& s) { return s.operation == ending.course; })) {
        std::vector<std::string> names;
        for (const Stage& stage : stages) names.push_back(stage.operation);
        const std::string near = closest(ending.course, names);
        table.fail("course", "no lesson is of a course \"" + ending.course + "\"" +
                                 (near.empty() ? "; its folder lies under lessons"
                                               : "; did you mean \"" + near + "\"?"));
    }
    if (ending.learned.empty())
        table.fail("learned", "say what was learned; write learned = [\"You can say why …\"]");
    for (const TomlTable& row : table.tables("not_worth"))
        ending.not_worth.push_back(not_worth_of(row, catalogue));
    return ending;
}

}  // namespace

const Ending* Endings::of(const std::string& course) const {
    auto found =
        std::find_if(all.begin(), all.end(), [&](const Ending& e) { return e.course == course; });
    return found == all.end() ? nullptr : &*found;
}

Endings parse_endings(const std::string& text, const std::string& file,
                      const Catalogue& catalogue) {
    Endings endings;
    try {
        TomlTable head = TomlTable::parse(text, file, 1);
        head.only({"course"});
        for (const TomlTable& table : head.tables("course")) {
            Ending ending = ending_of(table, catalogue);
            if (endings.of(ending.course))
                table.fail("course", "\"" + ending.course + "\" is there already; say it once");
            endings.all.push_back(std::move(ending));
        }
        return endings;
    } catch (const Error& error) {
        return {{}, error.what()};
    }
}

Endings read_endings(const Catalogue& catalogue) {
    const std::filesystem::path file = catalogue.content() / "lessons" / "endings.toml";
    try {
        return parse_endings(read_file(file), file.filename().string(), catalogue);
    } catch (const Error& error) {
        return {{}, error.what()};
    }
}

std::vector<size_t> core_of_course(const Path& path, const std::vector<Stage>& stages,
                                   const std::string& course) {
    std::vector<size_t> core;
    for (size_t place : in_path_order(path, stages))
        if (stages[place].operation == course && core_lesson(path, stages[place].id))
            core.push_back(place);
    return core;
}

}  // namespace lanewise
