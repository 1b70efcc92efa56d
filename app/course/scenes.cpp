#include "course/scenes.h"

#include "base/error.h"
#include "base/files.h"
#include "base/text.h"
#include "course/toml_head.h"

namespace lanewise {

std::vector<Scene> parse_scenes(const std::string& text, const std::string& file) {
    constexpr std::string_view kFence = "+++";
    std::vector<std::string_view> lines = lines_of(text);
    std::string head;
    for (size_t i = 1; i < lines.size() && trimmed(lines[i]) != kFence; ++i)
        head.append(lines[i]).push_back('\n');
    std::vector<Scene> scenes;
    for (const TomlTable& table : TomlTable::parse(head, file, 2).tables("scene")) {
        table.only({"title", "say", "show", "set"});
        Scene scene{table.text("title"), table.text("say"), table.text("show"), table.texts("set")};
        if (scene.asks() && !(scene.title + scene.say).empty())
            table.fail("show", "a scene that asks the prediction has no words of its own");
        if (!scene.asks())
            table.need("title", "title = \"…\" under [[scene]], or show = \"question\"");
        scenes.push_back(std::move(scene));
    }
    return scenes;
}

std::vector<Scene> read_scenes(const std::filesystem::path& file) {
    try {
        return parse_scenes(read_file(file), file.filename().string());
    } catch (const Error&) {
        return {};
    }
}

Lesson with_scenes(Lesson lesson, const std::vector<Scene>& scenes) {
    auto run = [](const std::string& text, const std::string& link) {
        LessonRun result;
        result.text = text;
        result.link = link;
        return result;
    };
    for (const Scene& scene : scenes) {
        LessonBlock block{LessonBlock::Kind::paragraph, 0, 0, {}};
        block.runs.push_back(run(scene.title + " ", ""));
        block.runs.push_back(run(scene.say, ""));
        if (!scene.show.empty() && !scene.asks()) block.runs.push_back(run("", scene.show));
        for (const std::string& setting : scene.set)
            block.runs.push_back(run("", "set:" + setting));
        lesson.blocks.push_back(std::move(block));
    }
    return lesson;
}

}  // namespace lanewise
