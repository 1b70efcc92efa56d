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

std::vector<bool> tells_the_fix(const std::vector<LessonBlock>& blocks) {
    std::vector<bool> tells(blocks.size(), false);
    int closed_by = 0;  // a heading of this level or above ends the section; 0: in none
    for (size_t i = 0; i < blocks.size(); ++i) {
        const LessonBlock& block = blocks[i];
        if (block.kind == LessonBlock::Kind::heading) {
            if (block.level <= closed_by) closed_by = 0;
            std::string title;
            for (const LessonRun& run : block.runs) title += run.text;
            if (closed_by == 0 && (title == "Explain" || title == "Fix")) closed_by = block.level;
        }
        tells[i] = closed_by != 0;
    }
    return tells;
}

Prediction read_question(const TomlTable& table, const std::string& name) {
    for (const char* key : {"question", "answer", "explain"})
        table.need(key, std::string(key) + " = \"…\" under [" + name + "]");
    table.need("choices", "choices = [\"1\", \"32\"] under [" + name + "]");
    Prediction question{table.text("question"), table.text("answer"), table.text("explain"),
                        table.texts("choices")};
    for (const TomlTable& each : table.tables("wrong")) {
        each.only({"choice", "because"});
        each.need("choice", "{ choice = \"32\", because = \"…\" }");
        each.need("because", "{ choice = \"32\", because = \"…\" }");
        Prediction::Wrong wrong{each.text("choice"), each.text("because")};
        if (std::count(question.choices.begin(), question.choices.end(), wrong.choice) != 1)
            each.fail("choice", "\"" + wrong.choice + "\" is none of the choices");
        for (const Prediction::Wrong& before : question.wrong)
            if (before.choice == wrong.choice)
                each.fail("choice", "\"" + wrong.choice + "\" is explained already");
        question.wrong.push_back(std::move(wrong));
    }
    return question;
}

// None at all, or three steps.
std::vector<std::string> read_hints(const TomlTable& table) {
    std::vector<std::string> hints = table.texts("hints");
    if (!hints.empty() && hints.size() != 3)
        table.fail("hints", "hints come in three steps: hints = [\"…\", \"…\", \"…\"]");
    return hints;
}

std::vector<WriteTask> read_write(const TomlTable& head, const std::string& shapes) {
    std::vector<WriteTask> tasks;
    for (const char* size : kWriteSizes)
        for (const TomlTable& table : head.tables("write")) {
            table.only({"size", "task", "expect", "hints", "blank"});
            const std::string is = table.text("size");
            if (std::find(std::begin(kWriteSizes), std::end(kWriteSizes), is) ==
                std::end(kWriteSizes))
                table.fail("size", "the size of a task in code is index, line or kernel");
            if (is != size) continue;
            if (!tasks.empty() && tasks.back().size == size)
                table.fail("size", "there is a task of this size already");
            table.need("task", "task = \"…\" under [[write]]");
            table.need("hints", "hints = [\"…\", \"…\", \"…\"] under [[write]]");
            table.need("blank", "blank = [{ find = \"…\", replace = \"…\" }] under [[write]]");
            WriteTask task;
            task.size = is;
            task.gate.task = table.text("task");
            task.gate.expect = table.text("expect");
            task.gate.shapes = shapes;
            task.gate.hints = read_hints(table);
            for (const TomlTable& cut : table.tables("blank")) {
                cut.only({"find", "to", "replace"});
                cut.need("find", "{ find = \"…\", replace = \"…\" }");
                task.blank.push_back({cut.text("find"), cut.text("replace"), cut.text("to")});
            }
            tasks.push_back(std::move(task));
        }
    return tasks;
}

void read(const std::string& text, const std::string& file, Lesson& lesson) {
    Parts parts = parts_of(text, file);
    TomlTable head = TomlTable::parse(parts.head, file, 2);
    head.only({"title", "aim", "still_wrong", "still_wrong_term", "still_wrong_is", "predict",
               "gate", "scene", "write"});
    head.need("title", "title = \"Padding spreads the banks\"");
    head.need("aim", "aim = \"After this you can …\"");
    head.need("still_wrong", "still_wrong = \"…\"");
    TomlTable predict = head.table("predict"), gate = head.table("gate");
    predict.only({"question", "answer", "choices", "explain", "wrong", "again"});
    gate.only({"task", "expect", "catches", "shapes", "solution", "case", "hints"});
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
    lesson.predict = read_question(predict, "predict");
    if (predict.has("again")) {
        TomlTable again = predict.table("again");
        again.only({"question", "answer", "choices", "explain", "wrong", "set", "type", "size"});
        lesson.again = read_question(again, "predict.again");
        read_setting(again, lesson.again_at);
    }
    lesson.gate = {gate.text("task"), gate.text("expect"), gate.text("catches"),
                   gate.text("shapes")};
    read_solution(gate, lesson.gate);
    read_gate_cases(gate, lesson.gate);
    lesson.gate.hints = read_hints(gate);
    lesson.write = read_write(head, lesson.gate.shapes);
    lesson.blocks = markdown_blocks(parts.body);
    lesson.tells_fix = tells_the_fix(lesson.blocks);
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

void read_gate_cases(const TomlTable& table, Gate& gate) {
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
    if (lesson.still_wrong_is == "conjecture") return "Conjecture";
    if (lesson.still_wrong_term.empty()) return "Still wrong";
    return std::string("Still wrong, in the model of an ") + kModelledCard;
}

const std::string& explanation_of(const Prediction& question, const std::string& choice) {
    for (const Prediction::Wrong& wrong : question.wrong)
        if (wrong.choice == choice) return wrong.because;
    return question.explain;
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

static std::string changed(const std::string& source, const std::vector<Change>& changes,
                           const std::string& what) {
    std::string result = source;
    for (const Change& change : changes) {
        size_t at = result.find(change.find);
        if (at == result.npos || result.find(change.find, at + 1) != result.npos)
            throw Error(Status::bad_input, what + " changes \"" + change.find +
                                               "\", which the source must hold exactly once");
        size_t end = at + change.find.size();
        if (!change.to.empty()) {
            size_t to = result.find(change.to, end);
            if (to == result.npos)
                throw Error(Status::bad_input, what + " changes all up to \"" + change.to +
                                                   "\", which the source does not hold after \"" +
                                                   change.find + "\"");
            end = to + change.to.size();
        }
        result.replace(at, end - at, change.replace);
    }
    return result;
}

std::string solved(const Lesson& lesson, const std::string& source) {
    return changed(source, lesson.gate.solution, "lesson " + lesson.stage + ": the solution");
}

const WriteTask* write_task(const Lesson& lesson, const std::string& size) {
    for (const WriteTask& task : lesson.write)
        if (task.size == size) return &task;
    return nullptr;
}

std::string write_solution(const Lesson& lesson, const std::string& source) {
    return lesson.stage.starts_with("pitfalls/") ? solved(lesson, source) : source;
}

std::string write_start(const Lesson& lesson, const WriteTask& task, const std::string& source) {
    return changed(write_solution(lesson, source), task.blank,
                   "lesson " + lesson.stage + ": the task \"" + task.size + "\"");
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
