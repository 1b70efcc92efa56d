// Splits a lesson into its TOML head and its Markdown body.
#include "course/lesson.h"

#include <algorithm>

#include "base/error.h"
#include "base/files.h"
#include "base/text.h"
#include "course/markdown.h"
#include "course/toml_head.h"

namespace lanewise {
namespace {

constexpr std::string_view kFence = "+++";

struct Parts {
    std::string head, body;
};

// The head lies between the first line, "+++", and the next line that is "+++".
Parts parts_of(const std::string& text, const std::string& file) {
    std::vector<std::string_view> lines = lines_of(text);
    if (lines.empty() || trimmed(lines[0]) != kFence)
        throw Error(Status::bad_input,
                    file + ":1: a lesson begins with a TOML head between two lines +++");
    Parts parts;
    bool in_head = true;
    for (size_t i = 1; i < lines.size(); ++i) {
        if (in_head && trimmed(lines[i]) == kFence) {
            in_head = false;
            continue;
        }
        (in_head ? parts.head : parts.body).append(lines[i]).push_back('\n');
    }
    if (in_head) throw Error(Status::bad_input, file + ": the head is not closed by a line +++");
    return parts;
}

std::vector<Change> solution_of(const TomlTable& gate) {
    std::vector<Change> solution;
    for (const TomlTable& change : gate.tables("solution")) {
        change.only({"find", "replace"});
        change.need("find", "find = \"…\" under [[gate.solution]]");
        solution.push_back({change.text("find"), change.text("replace")});
    }
    return solution;
}

void read(const std::string& text, const std::string& file, Lesson& lesson) {
    Parts parts = parts_of(text, file);
    TomlTable head = TomlTable::parse(parts.head, file, 2);
    head.only({"title", "aim", "still_wrong", "predict", "gate", "scene"});
    head.need("title", "title = \"Padding spreads the banks\"");
    head.need("aim", "aim = \"After this you can …\"");
    head.need("still_wrong", "still_wrong = \"…\"");
    TomlTable predict = head.table("predict"), gate = head.table("gate");
    predict.only({"question", "answer", "choices", "explain"});
    for (const char* key : {"question", "answer", "explain"})
        predict.need(key, std::string(key) + " = \"…\" under [predict]");
    predict.need("choices", "choices = [\"1\", \"32\"] under [predict]");
    gate.only({"task", "expect", "solution"});
    for (const char* key : {"task", "expect"})
        gate.need(key, std::string(key) + " = \"…\" under [gate]");
    lesson.title = head.text("title");
    lesson.aim = head.text("aim");
    lesson.still_wrong = head.text("still_wrong");
    lesson.predict = {predict.text("question"), predict.text("answer"), predict.text("explain"),
                      predict.texts("choices")};
    lesson.gate = {gate.text("task"), gate.text("expect"), solution_of(gate)};
    lesson.blocks = markdown_blocks(parts.body);
}

Lesson parse(const std::string& text, const std::string& file, const std::string& stage) {
    Lesson lesson;
    lesson.stage = stage;
    lesson.title = stage;
    try {
        read(text, file, lesson);
    } catch (const Error& error) {
        lesson.error = error.what();
    }
    return lesson;
}

}  // namespace

std::string solved(const Lesson& lesson, const std::string& source) {
    std::string result = source;
    for (const Change& change : lesson.gate.solution) {
        size_t at = result.find(change.find);
        if (at == result.npos || result.find(change.find, at + 1) != result.npos)
            throw Error(Status::bad_input, "lesson " + lesson.stage + ": the solution changes \"" +
                                               change.find +
                                               "\", which the source must hold exactly once");
        result.replace(at, change.find.size(), change.replace);
    }
    return result;
}

Lesson parse_lesson(const std::string& text, const std::string& stage) {
    return parse(text, stage.substr(stage.find('/') + 1) + ".md", stage);
}

Lesson read_lesson(const std::filesystem::path& file, const std::string& stage) {
    try {
        return parse(read_file(file), file.filename().string(), stage);
    } catch (const Error& error) {
        Lesson lesson;
        lesson.stage = stage;
        lesson.title = stage;
        lesson.error = error.what();
        return lesson;
    }
}

}  // namespace lanewise
