// One check after another, each with an error that says what to write instead.
#include "course/stage_head.h"

#include <algorithm>
#include <functional>

#include "base/error.h"
#include "base/text.h"
#include "course/kernel_signature.h"
#include "course/operation.h"
#include "course/toml_head.h"

namespace lanewise {
namespace {

constexpr std::string_view kOpen = "/*---", kClose = "---*/";

TomlTable toml_of(const Stage& stage) {
    size_t open = stage.source.find(kOpen);
    size_t before = stage.source.find_first_not_of(" \t\r\n");
    if (open == std::string::npos || open != before)
        throw Error(Status::bad_input, stage.file + ":1: a stage begins with a head between " +
                                           "/*--- and ---*/; this file has none");
    size_t body = open + kOpen.size(), close = stage.source.find(kClose, body);
    if (close == std::string::npos)
        throw Error(Status::bad_input, stage.file + ": the head is not closed by ---*/");
    auto line =
        std::count(stage.source.begin(), stage.source.begin() + static_cast<long>(body), '\n');
    return TomlTable::parse(std::string_view(stage.source).substr(body, close - body), stage.file,
                            static_cast<int>(line) + 1);
}

KernelSignature signature_of(const Stage& stage) {
    try {
        return kernel_signature(stage.source);
    } catch (const Error& error) {
        throw Error(Status::bad_input, stage.file + ": " + error.what());
    }
}

bool is_type_parameter(const TemplateParameter& parameter) {
    return parameter.kind == "typename" || parameter.kind == "class";
}

void read_types(const TomlTable& head, const KernelSignature& kernel, Stage& stage) {
    stage.types = head.has("types") ? head.texts("types") : std::vector<std::string>{"f32"};
    if (stage.types.empty()) head.fail("types", "types is empty; write it like [\"f32\"]");
    for (const std::string& type : stage.types) {
        if (element_bytes(type) == 0)
            head.fail("types",
                      "unknown element type \"" + type + "\"; there are f32, f64, f16, u8, f32x4");
        if (std::count(stage.types.begin(), stage.types.end(), type) > 1)
            head.fail("types", "type " + type + " is listed twice");
    }
    auto type_parameters =
        std::count_if(kernel.parameters.begin(), kernel.parameters.end(), is_type_parameter);
    if (type_parameters > 1)
        head.fail("types", "the kernel has more than one type parameter; a stage has one, T");
    if (type_parameters == 0 && stage.types.size() > 1)
        head.fail("types", "several types need a kernel with a type parameter, typename T = float");
}

// Why other types are not offered.
void read_without(const TomlTable& head, Stage& stage) {
    TomlTable without = head.table("without");
    for (const std::string& type : without.keys()) {
        if (element_bytes(type) == 0)
            without.fail(
                type, "unknown element type \"" + type + "\"; there are f32, f64, f16, u8, f32x4");
        if (std::count(stage.types.begin(), stage.types.end(), type))
            without.fail(type, "type " + type + " is offered: types names it");
        without.need(type, type + " = \"The tile would not fit.\"");
        stage.without[type] = without.text(type);
    }
}

Knob read_knob(const TomlTable& knobs, const TemplateParameter& parameter) {
    const std::string& name = parameter.name;
    if (!knobs.has(name))
        knobs.fail(
            "", "the template parameter " + name + " has no [knob." + name + "] with its choices");
    TomlTable table = knobs.table(name);
    table.only({"choices", "help"});
    table.need("choices", "choices = [8, 16, 32]");
    Knob knob{name, table.integers("choices"), 0, table.text("help")};
    if (!std::is_sorted(knob.choices.begin(), knob.choices.end(), std::less_equal<int64_t>()))
        table.fail("choices", "the choices of " + name + " must ascend, each once");
    if (!parse_integer(parameter.default_value, knob.value))
        table.fail("", "the template parameter " + name +
                           " needs a whole number as its default, like int " + name + " = " +
                           std::to_string(knob.choices[0]));
    if (std::find(knob.choices.begin(), knob.choices.end(), knob.value) == knob.choices.end())
        table.fail("choices", "the default of " + name + ", " + parameter.default_value +
                                  ", is not among its choices");
    return knob;
}

void read_knobs(const TomlTable& head, const KernelSignature& kernel, Stage& stage) {
    TomlTable knobs = head.table("knob");
    std::vector<std::string> parameters;
    for (const TemplateParameter& parameter : kernel.parameters) {
        stage.template_parameters.push_back(parameter.name);
        if (is_type_parameter(parameter)) continue;
        parameters.push_back(parameter.name);
        stage.knobs.push_back(read_knob(knobs, parameter));
    }
    for (const std::string& name : knobs.keys()) {
        if (std::find(parameters.begin(), parameters.end(), name) != parameters.end()) continue;
        std::string near = closest(name, parameters);
        knobs.fail(name, "knob " + name + " is not a template parameter of " + kernel.name +
                             (near.empty() ? "" : "; did you mean " + near + "?"));
    }
}

// Runs `work` and gives its error the place of `key`.
void at_key(const TomlTable& head, const std::string& key, const std::function<void()>& work) {
    try {
        work();
    } catch (const Error& error) {
        head.fail(key, key + ": " + error.what());
    }
}

void check_expressions(const TomlTable& head, const std::string& key,
                       const std::vector<std::string>& expressions, const NameLookup& names) {
    at_key(head, key, [&] {
        for (const std::string& expression : expressions) evaluate(expression, names);
    });
}

void read_launch(const TomlTable& head, Stage& stage) {
    NameLookup names =
        launch_names(default_knobs(stage), stage.types[0], 4096, 4096, 1, inner_for(stage, 4096));
    for (auto [key, expressions] : {std::pair("block", &stage.block), {"grid", &stage.grid}}) {
        head.need(key, std::string(key) + " = [\"32\", \"8\"], one to three expressions");
        *expressions = head.texts(key);
        if (expressions->size() > 3) head.fail(key, std::string(key) + " has at most x, y and z");
        check_expressions(head, key, *expressions, names);
    }
    stage.dynamic_shared = head.text("dynamic_shared");
    if (head.has("dynamic_shared"))
        check_expressions(head, "dynamic_shared", {stage.dynamic_shared}, names);
}

void read_requirements(const TomlTable& head, Stage& stage) {
    NameLookup names = knob_names(default_knobs(stage), stage.types[0]);
    for (const TomlTable& table : head.tables("require")) {
        table.only({"expr", "why"});
        table.need("expr", "expr = \"TILE % ROWS == 0\"");
        table.need("why", "why = \"ROWS must divide TILE.\"");
        stage.requirements.push_back({table.text("expr"), table.text("why")});
        check_expressions(table, "expr", {stage.requirements.back().expression}, names);
    }
}

void read_tile(const TomlTable& head, Stage& stage) {
    stage.has_tile = head.has("tile");
    if (!stage.has_tile) return;
    TomlTable tile = head.table("tile");
    tile.only({"array", "rows", "cols", "pitch"});
    tile.need("array", "array = \"tile\", the name of the __shared__ array");
    for (const char* key : {"rows", "cols", "pitch"})
        tile.need(key, std::string(key) + " = \"TILE\"");
    stage.tile = {tile.text("array"), tile.text("rows"), tile.text("cols"), tile.text("pitch")};
    if (without_comments(stage.source).find(stage.tile.array) == std::string::npos)
        tile.fail("array", "the kernel has no array \"" + stage.tile.array + "\"");
    NameLookup names = knob_names(default_knobs(stage), stage.types[0]);
    check_expressions(tile, "rows", {stage.tile.rows}, names);
    check_expressions(tile, "cols", {stage.tile.cols}, names);
    check_expressions(tile, "pitch", {stage.tile.pitch}, names);
}

// One of `known`, or empty where the key is missing.
std::string read_one_of(const TomlTable& head, const std::string& key,
                        const std::vector<std::string>& known) {
    std::string value = head.text(key), all;
    for (const std::string& one : known) all += (all.empty() ? "\"" : ", \"") + one + "\"";
    if (head.has(key) && std::find(known.begin(), known.end(), value) == known.end())
        head.fail(key, key + " must be one of " + all);
    return value;
}

// What the stage computes: its folder says, or for an exercise its head.
void read_operation(const TomlTable& head, Stage& stage) {
    std::vector<std::string> ids;
    for (const Operation& each : all_operations()) ids.push_back(each.id);
    std::string told = read_one_of(head, "operation", ids);
    const Operation& operation = operation_called(told.empty() ? stage.operation : told);
    stage.reference = operation.references.front();
    if (!head.has("reference")) return;
    if (operation.references.size() == 1)
        head.fail("reference", operation.result + "; leave reference out");
    stage.reference = read_one_of(head, "reference", operation.references);
}

// `who`: an operation or a call, which takes these types.
void check_types(const TomlTable& head, const Stage& stage, const std::string& who,
                 const std::vector<std::string>& taken) {
    std::string all;
    for (const std::string& type : taken) all += (all.empty() ? "" : " and ") + type;
    if (taken.size() == 1) all += " alone";
    for (const std::string& type : stage.types)
        if (std::find(taken.begin(), taken.end(), type) == taken.end())
            head.fail("types", who + " takes " + all + ", not \"" + type + "\"");
}

void check_types(const TomlTable& head, const Stage& stage) {
    const Operation& operation = operation_of(stage);
    if (!operation.types.empty()) check_types(head, stage, "a " + operation.name, operation.types);
}

void read_needs(const TomlTable& head, Stage& stage) {
    std::vector<std::string> calls;
    for (const Operation::Call& call : operation_of(stage).calls) calls.push_back(call.name);
    stage.library = read_one_of(head, "library", calls);
    stage.headers = read_one_of(head, "headers", {"cutlass", "cub"});
    stage.arch = read_one_of(head, "arch",
                             {"sm_75", "sm_80", "sm_86", "sm_89", "sm_90", "sm_90a", "sm_100"});
}

void read_tensors(const TomlTable& head, Stage& stage) {
    NameLookup names = knob_names(default_knobs(stage), stage.types[0]);
    const std::vector<std::string>& buffers = operation_of(stage).buffers;
    if (is_in_place(stage) && head.has("tensor"))
        head.fail("tensor", "a kernel that works in place takes no tensor maps");
    for (const TomlTable& table : head.tables("tensor")) {
        table.only({"of", "box", "swizzle"});
        table.need("of", "of = \"" + buffers.front() + "\", a buffer's name");
        table.need("box", "box = [\"32\", \"32\"], rows and columns");
        std::vector<std::string> box = table.texts("box");
        if (box.size() != 2)
            table.fail("box", "the box is rows and columns, like [\"32\", \"32\"]");
        Stage::Tensor tensor{read_one_of(table, "of", buffers), box[0], box[1],
                             read_one_of(table, "swizzle", {"none", "32B", "64B", "128B"})};
        if (tensor.swizzle.empty()) tensor.swizzle = "none";
        check_expressions(table, "box", box, names);
        stage.tensors.push_back(tensor);
    }
}

// A call has no template line, so that its one knob's default is the first choice.
void read_call_knob(const TomlTable& head, const Operation::Call& call, Stage& stage) {
    TomlTable knobs = head.table("knob");
    knobs.only({call.knob});
    TomlTable table = knobs.table(call.knob);
    table.only({"choices", "help"});
    table.need("choices", "choices = " + call.like);
    std::vector<int64_t> choices = table.integers("choices");
    if (!std::is_sorted(choices.begin(), choices.end(), std::less_equal<int64_t>()) ||
        choices.front() < 0 || choices.back() > call.most)
        table.fail("choices", "the choices of " + call.knob + " ascend from 0 to at most " +
                                  std::to_string(call.most) + ", like " + call.like);
    stage.knobs = {{call.knob, choices, choices.front(), table.text("help")}};
}

// Nothing but a title, types and the call.
void read_library_call(const TomlTable& head, Stage& stage) {
    for (const char* key :
         {"block", "grid", "dynamic_shared", "tile", "tensor", "headers", "arch", "compare"})
        if (head.has(key))
            head.fail(key,
                      std::string(key) + " is for a kernel, and this stage is a library's call");
    stage.types = head.has("types") ? head.texts("types") : std::vector<std::string>{"f32"};
    if (stage.types.empty()) head.fail("types", "types is empty; write it like [\"f32\"]");
    check_types(head, stage);
    for (const Operation::Call& call : operation_of(stage).calls) {
        if (call.name != stage.library) continue;
        check_types(head, stage, call.name, call.types);
        if (head.has("knob") && call.knob.empty())
            head.fail("knob", "knob is for a kernel, and this stage is a library's call");
        if (head.has("knob")) read_call_knob(head, call, stage);
    }
    read_without(head, stage);
}

// Every setting that the chips will offer must launch; found out here, not by the learner.
void check_settings(const TomlTable& head, const Stage& stage) {
    for (const std::string& type : stage.types) {
        std::string refused = knob_problem(stage, default_knobs(stage), type);
        if (!refused.empty())
            head.fail("require", "the defaults are refused for " + type + ": " + refused);
        at_key(head, "require", [&] { knob_combinations(stage, type); });
        for (const KnobValues& values : knob_combinations(stage, type)) {
            at_key(head, "block", [&] { launch_shape(stage, values, type, 1, 1); });
            if (stage.has_tile) at_key(head, "tile", [&] { tile_shape(stage, values, type); });
        }
    }
}

}  // namespace

void read_head(Stage& stage, Settings settings) {
    TomlTable head = toml_of(stage);
    head.only({"title", "types", "operation", "reference", "block", "grid", "dynamic_shared",
               "compare", "require", "tile", "knob", "without", "arch", "headers", "library",
               "tensor"});
    head.need("title", "title = \"Padded tile\"");
    stage.title = head.text("title");
    stage.compare = head.text("compare");
    read_operation(head, stage);
    read_needs(head, stage);
    if (is_library_call(stage)) return read_library_call(head, stage);
    KernelSignature kernel = signature_of(stage);
    stage.kernel = kernel.name;
    read_types(head, kernel, stage);
    check_types(head, stage);
    read_without(head, stage);
    read_knobs(head, kernel, stage);
    read_launch(head, stage);
    read_requirements(head, stage);
    read_tile(head, stage);
    read_tensors(head, stage);
    if (settings == Settings::looked_at) check_settings(head, stage);
}

}  // namespace lanewise
