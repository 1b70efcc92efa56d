// Splits a lesson into its TOML head and its Markdown body.
#include "course/lesson.h"

#include <algorithm>
#include <charconv>
#include <cmath>

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

void read_setting(const TomlTable& table, WantedSetting& setting) {
    for (const std::string& each : table.texts("set")) {
        KnobValues ignored;
        if (!parse_setting(each, ignored)) table.fail("set", "\"" + each + "\" is not like PAD=0");
        setting.set.push_back(each);
    }
    if (table.has("type")) setting.type = table.text("type");
    if (table.has("size") &&
        !parse_size(table.text("size"), setting.rows, setting.cols, setting.inner))
        table.fail("size", "write it like \"1000x50\", of a product \"512x512x256\"");
}

void read_solution(const TomlTable& table, Gate& gate) {
    for (const TomlTable& step : table.tables("solution")) {
        step.only({"find", "replace", "set", "type", "size"});
        read_setting(step, gate.solved_at);
        if (step.has("find") || step.has("replace")) {
            step.need("find", "find = \"…\" under [[gate.solution]]");
            gate.solution.push_back({step.text("find"), step.text("replace")});
        } else if (!step.has("set") && !step.has("type") && !step.has("size")) {
            step.need("find", "find = \"…\" or set = [\"PAD=0\"] under [[gate.solution]]");
        }
    }
}

void read_cases(const TomlTable& table, Gate& gate) {
    for (const TomlTable& each : table.tables("case")) {
        each.only({"size", "set", "type", "input", "expect"});
        each.need("size", "size = \"96x160\" under [[gate.case]]");
        GateCase one;
        read_setting(each, one.at);
        one.input = each.text("input");
        one.expect = each.text("expect");
        gate.cases.push_back(std::move(one));
    }
}

void read(const std::string& text, const std::string& file, Lesson& lesson) {
    Parts parts = parts_of(text, file);
    TomlTable head = TomlTable::parse(parts.head, file, 2);
    head.only({"title", "aim", "still_wrong", "still_wrong_term", "still_wrong_is", "predict",
               "gate", "scene"});
    head.need("title", "title = \"Padding spreads the banks\"");
    head.need("aim", "aim = \"After this you can …\"");
    head.need("still_wrong", "still_wrong = \"…\"");
    TomlTable predict = head.table("predict"), gate = head.table("gate");
    predict.only({"question", "answer", "choices", "explain"});
    for (const char* key : {"question", "answer", "explain"})
        predict.need(key, std::string(key) + " = \"…\" under [predict]");
    predict.need("choices", "choices = [\"1\", \"32\"] under [predict]");
    gate.only({"task", "expect", "catches", "shapes", "solution", "case"});
    gate.need("task", "task = \"…\" under [gate]");
    lesson.title = head.text("title");
    lesson.aim = head.text("aim");
    lesson.still_wrong = head.text("still_wrong");
    lesson.still_wrong_term = head.text("still_wrong_term");
    lesson.still_wrong_is = head.text("still_wrong_is");
    const std::string& kind = lesson.still_wrong_is;
    if (!kind.empty() && kind != "conjecture" && kind != "scope")
        head.fail("still_wrong_is", "it is one of \"conjecture\", \"scope\"");
    if (!kind.empty() && !lesson.still_wrong_term.empty())
        head.fail("still_wrong_is",
                  "what has a term of the model is neither: leave one of them out");
    lesson.predict = {predict.text("question"), predict.text("answer"), predict.text("explain"),
                      predict.texts("choices")};
    lesson.gate = {gate.text("task"), gate.text("expect"), gate.text("catches"),
                   gate.text("shapes")};
    read_solution(gate, lesson.gate);
    read_cases(gate, lesson.gate);
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

std::optional<double> choice_number(const std::string& choice) {
    std::string digits(trimmed(choice));
    std::erase(digits, ',');
    double value = 0;
    const char* last = digits.data() + digits.size();
    auto [end, error] = std::from_chars(digits.data(), last, value);
    std::string_view unit = trimmed(std::string_view(end, static_cast<size_t>(last - end)));
    if (error != std::errc() || !(unit.empty() || unit == "%")) return std::nullopt;
    return value;
}

bool asks_for_number(const Prediction& question) {
    return std::all_of(question.choices.begin(), question.choices.end(),
                       [](const std::string& choice) { return choice_number(choice).has_value(); });
}

// Choices are rounded as a person writes them: "3.13 %" is right where 3.125 is counted.
std::optional<size_t> right_choice(const Prediction& question, std::optional<double> counted) {
    const bool numbers = asks_for_number(question);
    for (size_t i = 0; i < question.choices.size(); ++i) {
        const std::string& choice = question.choices[i];
        if (!numbers && choice == question.answer) return i;
        if (numbers && counted &&
            std::abs(*choice_number(choice) - *counted) <= 0.005 * std::abs(*counted))
            return i;
    }
    return std::nullopt;
}

std::string still_wrong_label(const Lesson& lesson) {
    return lesson.still_wrong_is == "conjecture" ? "Conjecture" : "Still wrong";
}

bool parse_size(const std::string& text, int64_t& rows, int64_t& cols, int64_t& inner) {
    std::vector<std::string_view> parts = split(text, 'x');
    int64_t numbers[3] = {0, 0, 0};
    if (parts.size() != 2 && parts.size() != 3) return false;
    for (size_t i = 0; i < parts.size(); ++i)
        if (!parse_integer(parts[i], numbers[i]) || numbers[i] < 1) return false;
    rows = numbers[0];
    cols = numbers[1];
    if (parts.size() == 3) inner = numbers[2];
    return true;
}

bool parse_setting(const std::string& text, KnobValues& knobs) {
    size_t equals = text.find('=');
    int64_t value = 0;
    bool read =
        equals != text.npos && parse_integer(std::string_view(text).substr(equals + 1), value);
    if (read) knobs[text.substr(0, equals)] = value;
    return read;
}

KnobValues knobs_at(const Stage& stage, const WantedSetting& setting) {
    KnobValues knobs = default_knobs(stage);
    for (const std::string& each : setting.set) parse_setting(each, knobs);
    return knobs;
}

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
