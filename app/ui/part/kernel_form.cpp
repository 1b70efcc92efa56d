#include "ui/part/kernel_form.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>

#include "base/error.h"
#include "base/text.h"
#include "lab/kernel/cluster_option.h"
#include "lab/kernel/kernel_arguments.h"
#include "lab/kernel/module_variables.h"
#include "lab/kernel/own_kernel.h"
#include "lab/kernel/struct_in_source.h"
#include "lab/kernel/texture_argument.h"

namespace lanewise::ui {
namespace {

constexpr int kElements = 65'536, kSide = 256;

// The first word of the type that stands for the parameter's own; what is not listed is tried as
// the first type parameter's default, float.
struct TypeName {
    const char *word, *type;
};
constexpr TypeName kTypes[] = {{"double", "f64"},
                               {"float", "f32"},
                               {"__half", "f16"},
                               {"half", "f16"},
                               {"bfloat16", "bf16"},
                               {"uint8_t", "u8"},
                               {"int8_t", "i8"},
                               {"uint16_t", "u16"},
                               {"int16_t", "i16"},
                               {"uint32_t", "u32"},
                               {"uint64_t", "u64"},
                               {"int64_t", "i64"},
                               {"size_t", "u64"},
                               {"uchar", "u8"},
                               {"ushort", "u16"},
                               {"uint", "u32"},
                               {"ulong", "u64"},
                               {"unsigned char", "u8"},
                               {"unsigned short", "u16"},
                               {"unsigned long", "u64"},
                               {"unsigned", "u32"},
                               {"long", "i64"},
                               {"short", "i16"},
                               {"char", "i8"},
                               {"bool", "u8"},
                               {"int", "i32"}};

std::string type_of(const std::string& parameter) {
    for (const TypeName& name : kTypes)
        if (parameter.find(name.word) != std::string::npos) return name.type;
    return "f32";
}

bool is_one_of(const std::string& name, std::initializer_list<const char*> names) {
    return std::any_of(names.begin(), names.end(), [&](const char* each) { return name == each; });
}

// How large an integer parameter of this name is meant to be.
int meant_by(const std::string& name) {
    if (is_one_of(name, {"n", "N", "size", "count", "length", "len", "elements", "total"}))
        return kElements;
    if (is_one_of(name, {"rows", "cols", "width", "height", "w", "h", "m", "M", "k", "K", "pitch",
                         "stride", "ld", "lda", "ldb", "ldc"}))
        return kSide;
    return 1;
}

// "typename T = float" -> "float", "int TILE" -> "32", "class U" -> "float".
std::string template_argument(const std::string& parameter) {
    size_t equals = parameter.find('=');
    if (equals != std::string::npos) return std::string(trimmed(parameter.substr(equals + 1)));
    bool is_type = parameter.starts_with("typename") || parameter.starts_with("class");
    return is_type ? "float" : parameter.starts_with("bool") ? "true" : "32";
}

// "template <typename T, int TILE = 32>" -> "<float, 32>"
std::string template_arguments(const std::string& template_line) {
    size_t open = template_line.find('<'), close = template_line.rfind('>');
    if (open == std::string::npos || close == std::string::npos || close < open) return "";
    std::vector<std::string> arguments;
    for (const std::string& each :
         comma_separated(template_line.substr(open + 1, close - open - 1)))
        arguments.push_back(template_argument(each));
    return fmt::format("<{}>", fmt::join(arguments, ", "));
}

std::string problem_of(const std::function<void()>& attempt) {
    try {
        attempt();
        return "";
    } catch (const Error& error) {
        return without_dashes(error.what());
    }
}

uint32_t bytes_in(const std::string& text) {
    int64_t bytes = 0;
    if (!trimmed(text).empty() && !parse_integer(trimmed(text), bytes))
        throw Error(Status::bad_input,
                    "dynamic shared wants a number of bytes, not \"" + text + "\"");
    if (bytes < 0 || bytes > 227 * 1024)
        throw Error(Status::bad_input, "dynamic shared is 0 to 232,448 bytes");
    return static_cast<uint32_t>(bytes);
}

bool has_cluster(const KernelForm& form) { return !trimmed(form.cluster).empty(); }

std::string kernel_problem(const KernelForm& form, const std::vector<KernelInSource>& kernels) {
    if (kernels.empty()) return "The file has no __global__ function.";
    if (kernel_called(kernels, form.kernel)) return "";
    std::vector<std::string> names;
    for (const KernelInSource& kernel : kernels) names.push_back(kernel.name);
    if (trimmed(form.kernel).empty())
        return fmt::format("Say which kernel: {}.", fmt::join(names, ", "));
    std::string near = closest(base_name(form.kernel), names);
    return fmt::format("The file has no kernel \"{}\"{} It has {}.", form.kernel,
                       near.empty() ? "." : "; did you mean " + near + "?", fmt::join(names, ", "));
}

}  // namespace

std::string suggested_argument(const std::string& parameter, const std::string& source) {
    if (std::string texture = suggested_texture(parameter, source); !texture.empty())
        return texture;
    bool is_pointer = parameter.find_first_of("*[") != std::string::npos;
    if (is_pointer) return fmt::format("{}[{}]", type_of(parameter), kElements);
    auto suggested = [](const StructMember& leaf) {
        const std::string type = type_of(leaf.type);
        if (leaf.type.find('*') != std::string::npos) return fmt::format("{}[{}]", type, kElements);
        if (type == "f16" || type == "bf16") return std::string("u16:1");  // its bits
        bool is_size = !type.starts_with('f') && (type.ends_with("32") || type.ends_with("64"));
        return fmt::format("{}:{}", type, is_size ? meant_by(leaf.name) : 1);
    };
    StructMember layout = struct_in_source(source, parameter_type(parameter));
    layout.name = parameter_name(parameter);
    layout.align = 0;  // the kernel's own parameter, which is aligned anyway
    return struct_form(layout, suggested);
}

KernelForm suggested_form(const KernelInSource& kernel, const std::string& source) {
    KernelForm form;
    form.kernel = kernel.name + template_arguments(kernel.template_line);
    bool flat = true;
    for (const std::string& parameter : kernel.parameters) {
        form.arguments.push_back(suggested_argument(parameter, source));
        flat = flat && !form.arguments.back().ends_with(fmt::format(":{}", kSide));
    }
    // A matrix is covered by blocks that lie over its rows and columns.
    if (!flat) {
        form.grid = "8,32";
        form.block = "32,8";
    }
    return form;
}

// "i64:256" for "x_shape0" of an array that has a second dimension, "i64:1024" for its "x_stride0";
// "" for what is no such part.
static std::string suggested_part(const std::string& name, bool is_matrix) {
    struct Part {
        const char* ending;
        int flat, matrix;
    };
    constexpr int kFloat = 4;
    constexpr Part kParts[] = {{"_items", kElements, kElements},     {"_itemsize", kFloat, kFloat},
                               {"_shape0", kElements, kSide},        {"_shape1", kSide, kSide},
                               {"_stride0", kFloat, kFloat * kSide}, {"_stride1", kFloat, kFloat}};
    for (const Part& part : kParts)
        if (name.ends_with(part.ending))
            return fmt::format("i64:{}", is_matrix ? part.matrix : part.flat);
    return "";
}

std::vector<std::string> in_declarations(const std::vector<KernelParameter>& parameters) {
    std::vector<std::string> declarations;
    for (const KernelParameter& parameter : parameters) {
        std::string type = parameter.is_read ? parameter.type : "";
        if (type.empty()) type = fmt::format("{} bytes", parameter.bytes);
        declarations.push_back(type + (parameter.name.empty() ? "" : " " + parameter.name));
    }
    return declarations;
}

KernelForm suggested_form(const PtxKernel& kernel, const std::vector<KernelParameter>& parameters) {
    constexpr const char* kUsualMost = "49152";  // bytes that a block has unasked
    KernelForm form;
    form.kernel = kernel.name;
    if (const ptx::BlockLimit& block = kernel.required_block; block.x > 0)
        form.block = fmt::format("{},{},{}", block.x, block.y, block.z);
    if (kernel.is_sized_at_launch) form.dynamic_shared = kUsualMost;
    for (const KernelParameter& parameter : parameters) {
        std::string array = parameter.name.substr(0, parameter.name.rfind('_'));
        bool is_matrix = std::any_of(parameters.begin(), parameters.end(),
                                     [&](auto& other) { return other.name == array + "_shape1"; });
        // Blocks over rows and columns; few enough where each takes a tile of 32 x 32.
        if (is_matrix && kernel.required_block.x == 0) {
            form.grid = "8,8";
            form.block = "32,8";
        }
        std::string part = suggested_part(parameter.name, is_matrix);
        if (!part.empty())
            form.arguments.push_back(part);
        else if (parameter.is_read)
            form.arguments.push_back(suggested_argument(parameter.type + " " + parameter.name, ""));
        else
            form.arguments.push_back(fmt::format("u{}:0", 8 * std::min(parameter.bytes, 8u)));
    }
    return form;
}

KernelForm form_of(const LaunchProposal& proposal) {
    KernelForm form;
    form.kernel = proposal.kernel;
    const std::vector<std::string>& words = proposal.command;
    auto append = [](std::string& list, char between, const std::string& value) {
        list += (list.empty() ? "" : std::string(1, between)) + value;
    };
    for (size_t i = 3; i + 1 < words.size(); i += 2) {  // behind "lanewise-engine trace FILE"
        const std::string &option = words[i], &value = words[i + 1];
        if (option == "--grid") form.grid = value;
        if (option == "--block") form.block = value;
        if (option == "--cluster") form.cluster = value;
        if (option == "--dynamic-shared") form.dynamic_shared = value;
        if (option == "--arg") form.arguments.push_back(value);
        if (option == "--constant") append(form.variables, ' ', value);
        if (option == "--include") append(form.include_folders, ':', value);
    }
    return form;
}

std::string without_dashes(std::string message) {
    for (size_t at; (at = message.find("--")) != std::string::npos;) message.erase(at, 2);
    return message;
}

const KernelInSource* kernel_called(const std::vector<KernelInSource>& kernels,
                                    const std::string& name_expression) {
    // Of overloads: "(void (*)(int*))name".
    std::string_view text = trimmed(name_expression);
    if (text.starts_with('(')) text = trimmed(text.substr(text.rfind(')') + 1));
    std::string name = base_name(text);
    for (const KernelInSource& kernel : kernels)
        if (kernel.name == name) return &kernel;
    return nullptr;
}

std::map<std::string, std::string> form_problems(const KernelForm& form,
                                                 const std::vector<KernelInSource>& kernels) {
    std::map<std::string, std::string> problems;
    auto note = [&](const std::string& field, std::string problem) {
        if (!problem.empty()) problems[field] = std::move(problem);
    };
    note("kernel", kernel_problem(form, kernels));
    note("grid", problem_of([&] { parse_grid(form.grid); }));
    note("block", problem_of([&] { parse_block(form.block); }));
    note("cluster", problem_of([&] {
             if (has_cluster(form)) cluster_variable(form.cluster);
         }));
    note("dynamic_shared", problem_of([&] { bytes_in(form.dynamic_shared); }));
    for (std::string_view variable : split(form.variables, ' '))
        if (!trimmed(variable).empty())
            note("variables", problem_of([&] { parse_variable(std::string(trimmed(variable))); }));
    for (size_t i = 0; i < form.arguments.size(); ++i)
        note(fmt::format("arg:{}", i), problem_of([&] { parse_argument(form.arguments[i]); }));
    return problems;
}

OwnLaunch launch_of(const KernelForm& form) {
    OwnLaunch own;
    own.kernel = std::string(trimmed(form.kernel));
    own.shape = {parse_grid(form.grid), parse_block(form.block), bytes_in(form.dynamic_shared)};
    own.arguments = form.arguments;
    for (std::string_view folder : split(form.include_folders, ':'))
        if (!trimmed(folder).empty()) own.include_folders.emplace_back(trimmed(folder));
    for (std::string_view define : split(form.defines, ' '))
        if (!trimmed(define).empty()) own.defines.emplace_back(trimmed(define));
    for (std::string_view variable : split(form.variables, ' '))
        if (!trimmed(variable).empty()) own.variables.emplace_back(trimmed(variable));
    if (has_cluster(form)) own.variables.push_back(cluster_variable(form.cluster));
    check_own(own);
    return own;
}

}  // namespace lanewise::ui
