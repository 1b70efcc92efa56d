// Stages as values: knob settings, instantiations, launch shapes. Reads no file.
#include "course/stage.h"

#include <algorithm>
#include <array>

#include "base/error.h"
#include "base/text.h"
#include "course/card_limits.h"
#include "course/element_count.h"
#include "course/operation.h"

namespace lanewise {
namespace {

struct ElementType {
    const char *name, *cuda;
    int bytes;
};
constexpr std::array<ElementType, 5> kTypes = {{{"f32", "float", 4},
                                                {"f64", "double", 8},
                                                {"f16", "unsigned short", 2},
                                                {"u8", "unsigned char", 1},
                                                {"f32x4", "float4", 16}}};

const ElementType* element_type(const std::string& name) {
    for (const ElementType& type : kTypes)
        if (name == type.name) return &type;
    return nullptr;
}

// "8, 16 or 32"
std::string or_list(const std::vector<int64_t>& numbers) {
    std::string text;
    for (size_t i = 0; i < numbers.size(); ++i) {
        if (i > 0) text += i + 1 == numbers.size() ? " or " : ", ";
        text += std::to_string(numbers[i]);
    }
    return text;
}

const Knob* find_knob(const Stage& stage, const std::string& name) {
    for (const Knob& knob : stage.knobs)
        if (knob.name == name) return &knob;
    return nullptr;
}

std::string unknown_knob(const Stage& stage, const std::string& name) {
    std::vector<std::string> names;
    std::string all;
    for (const Knob& knob : stage.knobs) {
        names.push_back(knob.name);
        all += (all.empty() ? "" : ", ") + knob.name;
    }
    std::string near = closest(name, names);
    std::string advice = names.empty()  ? "it has none"
                         : near.empty() ? "its knobs are " + all
                                        : "did you mean \"" + near + "\"?";
    return stage.id + " has no knob \"" + name + "\"; " + advice;
}

KnobValues with_defaults(const Stage& stage, KnobValues values) {
    for (const Knob& knob : stage.knobs) values.try_emplace(knob.name, knob.value);
    return values;
}

std::string refusal(const Stage& stage, const KnobValues& values, const std::string& type) {
    for (const Stage::Requirement& requirement : stage.requirements)
        if (evaluate(requirement.expression, knob_names(values, type)) == 0)
            return requirement.reason;
    return {};
}

// Up to three expressions as a Dim3; `limits` are the hardware's, `what` is "grid" or "block".
Dim3 dimensions(const std::vector<std::string>& expressions, const NameLookup& names,
                const std::array<int64_t, 3>& limits, const std::string& what) {
    std::array<int64_t, 3> size = {1, 1, 1};
    for (size_t i = 0; i < expressions.size(); ++i) {
        size[i] = evaluate(expressions[i], names);
        if (size[i] < 1)
            throw Error(Status::bad_input, "the " + what + "'s " + "xyz"[i] + " is " +
                                               std::to_string(size[i]) + " from \"" +
                                               expressions[i] + "\"; it must be at least 1");
        if (size[i] > limits[i])
            throw Error(Status::bad_input,
                        "the " + what + "'s " + "xyz"[i] + " would be " +
                            with_thousands(static_cast<uint64_t>(size[i])) +
                            "; the hardware's limit is " +
                            with_thousands(static_cast<uint64_t>(limits[i])) +
                            (what == "grid" ? ": choose a larger block or a smaller matrix"
                                            : ": choose a smaller block"));
    }
    auto narrow = [](int64_t value) { return static_cast<uint32_t>(value); };
    return {narrow(size[0]), narrow(size[1]), narrow(size[2])};
}

// What sm_90 offers one block at the most; the launch itself knows the card.
constexpr int64_t kMostSharedBytes = 232'448;

uint32_t dynamic_shared_bytes(const Stage& stage, const NameLookup& names) {
    if (stage.dynamic_shared.empty()) return 0;
    int64_t bytes = evaluate(stage.dynamic_shared, names);
    if (bytes < 0 || bytes > kMostSharedBytes)
        throw Error(Status::bad_input, "the dynamic shared memory would be " +
                                           std::to_string(bytes) +
                                           " bytes; a block can have 0 to 232,448");
    return static_cast<uint32_t>(bytes);
}

bool names_batch(const std::string& expression) {
    bool named = false;
    evaluate(expression, [&](std::string_view name, int64_t& value) {
        named |= name == "batch";
        value = 1;
        return true;
    });
    return named;
}

}  // namespace

KnobValues default_knobs(const Stage& stage) { return with_defaults(stage, {}); }

std::vector<KnobValues> knob_combinations(const Stage& stage, const std::string& type) {
    std::vector<KnobValues> all = {{}};
    for (const Knob& knob : stage.knobs) {
        std::vector<KnobValues> longer;
        for (const KnobValues& values : all)
            for (int64_t choice : knob.choices) {
                longer.push_back(values);
                longer.back()[knob.name] = choice;
            }
        all = std::move(longer);
    }
    std::erase_if(all, [&](const KnobValues& v) { return !refusal(stage, v, type).empty(); });
    return all;
}

std::string knob_problem(const Stage& stage, const KnobValues& values, const std::string& type) {
    for (const auto& [name, value] : values) {
        const Knob* knob = find_knob(stage, name);
        if (!knob) return unknown_knob(stage, name);
        if (std::find(knob->choices.begin(), knob->choices.end(), value) == knob->choices.end())
            return name + " = " + std::to_string(value) + " is not offered; choose " +
                   or_list(knob->choices);
    }
    return refusal(stage, with_defaults(stage, values), type);
}

std::string name_expression(const Stage& stage, const KnobValues& values, const std::string& type) {
    if (stage.template_parameters.empty()) return stage.kernel;
    const KnobValues all = with_defaults(stage, values);
    std::string arguments;
    for (const std::string& parameter : stage.template_parameters) {
        auto knob = all.find(parameter);
        if (!arguments.empty()) arguments += ", ";
        arguments += knob == all.end() ? cuda_type(stage, type) : std::to_string(knob->second);
    }
    return stage.kernel + "<" + arguments + ">";
}

NameLookup knob_names(const KnobValues& values, const std::string& type) {
    return [values, bytes = element_bytes(type)](std::string_view name, int64_t& value) {
        auto knob = values.find(std::string(name));
        if (knob != values.end()) value = knob->second;
        if (name == "element_bytes") value = bytes;
        return knob != values.end() || name == "element_bytes" || look_up_limit(name, value);
    };
}

NameLookup launch_names(const KnobValues& values, const std::string& type, int64_t rows,
                        int64_t cols, int64_t batch, int64_t inner) {
    return [=, knobs = knob_names(values, type)](std::string_view name, int64_t& value) {
        bool product = inner != kNoInner;
        if (name == "rows" || (product && name == "M")) return value = rows, true;
        if (name == "cols" || (product && name == "N")) return value = cols, true;
        if (product && name == "K") return value = inner, true;
        if (name == "n") return value = element_count(rows, cols), true;
        if (name == "batch") return value = batch, true;
        return knobs(name, value);
    };
}

bool is_in_place(const Stage& stage) { return stage.reference == "in_place"; }

bool is_library_call(const Stage& stage) { return !stage.library.empty(); }

std::string nothing_to_interpret(const Stage& stage) {
    return stage.id +
           " is a library's call: its kernels come compiled, so there is nothing to interpret, "
           "only a time to measure, with Run";
}

// "sm_90a" -> 90; 0 where it is none.
static int arch_number(const std::string& arch) {
    int number = 0;
    for (size_t i = 3; arch.starts_with("sm_") && i < arch.size(); ++i)
        if (arch[i] >= '0' && arch[i] <= '9') number = 10 * number + (arch[i] - '0');
    return number;
}

// "sm_90a": code for this one architecture and no other.
static bool is_for_one_only(const Stage& stage) { return stage.arch.ends_with('a'); }

bool runs_on(const Stage& stage, const std::string& arch) {
    int has = arch_number(arch), needs = arch_number(stage.arch);
    return is_for_one_only(stage) ? has == needs : has >= needs;
}

std::string arch_for(const Stage& stage, const std::string& arch) {
    return runs_on(stage, arch) && !is_for_one_only(stage) ? arch : stage.arch;
}

bool is_exercise(const Stage& stage) { return stage.operation == "pitfalls"; }

bool is_first_step(const Stage& stage) { return stage.operation == kFirstSteps; }

bool is_rung(const Stage& stage) { return !is_exercise(stage) && !is_first_step(stage); }

bool takes_batch(const Stage& stage) {
    return std::any_of(stage.grid.begin(), stage.grid.end(), names_batch);
}

std::string why_no_batch(const Stage& stage) {
    if (takes_batch(stage)) return "";
    return is_library_call(stage)
               ? "The call takes one matrix at a time."
               : "The kernel takes one matrix at a time: its launch has no dimension for a batch.";
}

LaunchShape launch_shape(const Stage& stage, const KnobValues& values, const std::string& type,
                         int64_t rows, int64_t cols, int64_t batch, int64_t inner) {
    if (batch != 1 && !takes_batch(stage))
        throw Error(Status::bad_input,
                    stage.id + ": " + why_no_batch(stage) + " Leave batch at 1.");
    NameLookup names = launch_names(with_defaults(stage, values), type, rows, cols, batch,
                                    inner_for(stage, inner));
    LaunchShape shape;
    shape.grid = dimensions(stage.grid, names, {2'147'483'647, 65'535, 65'535}, "grid");
    shape.block = dimensions(stage.block, names, {1024, 1024, 64}, "block");
    if (shape.block.count() > 1024)
        throw Error(Status::bad_input, "a block of " + with_thousands(shape.block.count()) +
                                           " threads is beyond the hardware's limit of 1,024");
    shape.dynamic_shared_bytes = dynamic_shared_bytes(stage, names);
    return shape;
}

TileShape tile_shape(const Stage& stage, const KnobValues& values, const std::string& type) {
    NameLookup names = knob_names(with_defaults(stage, values), type);
    auto size = [&](const std::string& expression) {
        int64_t value = evaluate(expression, names);
        if (value < 1 || value > 65'536)
            throw Error(Status::bad_input, "the tile's \"" + expression + "\" is " +
                                               std::to_string(value) + "; it must be 1 to 65,536");
        return static_cast<int>(value);
    };
    TileShape shape{size(stage.tile.rows), size(stage.tile.cols), size(stage.tile.pitch)};
    if (shape.pitch < shape.cols)
        throw Error(Status::bad_input, "the tile's pitch is smaller than its cols");
    return shape;
}

int element_bytes(const std::string& type) {
    const ElementType* found = element_type(type);
    return found ? found->bytes : 0;
}

std::vector<std::string> element_types() {
    std::vector<std::string> names;
    for (const ElementType& type : kTypes) names.emplace_back(type.name);
    return names;
}

std::string cuda_type(const std::string& type) {
    const ElementType* found = element_type(type);
    if (!found)
        throw Error(Status::bad_input,
                    "unknown element type \"" + type + "\"; choose f32, f64, f16, u8 or f32x4");
    return found->cuda;
}

std::string cuda_type(const Stage& stage, const std::string& type) {
    return operation_of(stage).reads_numbers && type == "f16" ? "__half" : cuda_type(type);
}

}  // namespace lanewise
