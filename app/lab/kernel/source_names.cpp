#include "lab/kernel/source_names.h"

#include <algorithm>

#include "base/c_expression.h"
#include "base/error.h"
#include "base/text.h"
#include "lab/kernel/index_expression.h"
#include "lab/kernel/kernel_arguments.h"
#include "lab/kernel/kernel_list.h"

namespace lanewise {
namespace {

// Between the first '<' and the last '>'; nothing where there are none.
std::string_view in_angle_brackets(std::string_view text) {
    size_t open = text.find('<'), close = text.rfind('>');
    if (open == text.npos || close == text.npos || close < open) return {};
    return text.substr(open + 1, close - open - 1);
}

int64_t whole_number(const KernelArgument& argument) {
    int shift = 64 - 8 * argument.element_bytes;
    bool has_sign = argument.type.starts_with('i');
    auto bits = argument.bits << shift;
    return has_sign ? static_cast<int64_t>(bits) >> shift : static_cast<int64_t>(bits >> shift);
}

void add_arguments(const KernelInSource& kernel, const std::string& source,
                   const std::vector<std::string>& typed, SourceNames& names) {
    for (size_t i = 0; i < std::min(kernel.parameters.size(), typed.size()); ++i) {
        try {
            KernelArgument argument = parse_argument(typed[i]);
            for (const ArgumentPart& part :
                 parts_in_source(argument, source, kernel.parameters[i])) {
                const KernelArgument& value = *part.argument;
                bool is_in_memory = part.home != ArgumentPart::kInParameter;
                if (value.is_buffer || value.is_tensor || value.is_float || is_in_memory) continue;
                names[part.name] = whole_number(value);
            }
        } catch (const Error&) {
            // The launch itself says what is wrong with it.
        }
    }
}

// "typename T = float": sizeof(T); "int TILE = 32": TILE. `given`: what the name expression has.
void add_template_argument(std::string_view parameter, std::string_view given, SourceNames& names) {
    size_t equals = parameter.find('=');
    std::string declared(trimmed(parameter.substr(0, equals)));
    std::string value(trimmed(given));
    if (value.empty() && equals != parameter.npos)
        value = std::string(trimmed(parameter.substr(equals + 1)));
    std::string name = parameter_name(declared);
    if (name.empty() || value.empty()) return;
    if (declared.starts_with("typename") || declared.starts_with("class")) {
        if (int bytes = bytes_of_type(value, names)) names["sizeof(" + name + ")"] = bytes;
    } else if (auto number = c_value(value, names)) {
        names[name] = *number;
    }
}

void add_template(const KernelInSource& kernel, const std::string& expression, SourceNames& names) {
    std::vector<std::string> declared = comma_separated(in_angle_brackets(kernel.template_line));
    std::vector<std::string> given = comma_separated(in_angle_brackets(expression));
    for (size_t i = 0; i < declared.size(); ++i)
        add_template_argument(declared[i], i < given.size() ? given[i] : "", names);
}

void add_definition(std::string_view name, std::string_view value, SourceNames& names) {
    if (auto number = c_value(std::string(trimmed(value)), names))
        names.emplace(std::string(trimmed(name)), *number);
}

}  // namespace

int bytes_of_type(const std::string& type, const SourceNames& names) {
    static const std::map<std::string, int> kBytes = {
        {"char", 1},         {"unsigned char", 1}, {"int8_t", 1},  {"uint8_t", 1},
        {"short", 2},        {"half", 2},          {"__half", 2},  {"__nv_bfloat16", 2},
        {"int16_t", 2},      {"uint16_t", 2},      {"int", 4},     {"unsigned", 4},
        {"unsigned int", 4}, {"float", 4},         {"int32_t", 4}, {"uint32_t", 4},
        {"double", 8},       {"long long", 8},     {"int64_t", 8}, {"uint64_t", 8},
        {"float2", 8},       {"float4", 16},       {"int4", 16},   {"uint4", 16},
    };
    if (auto found = kBytes.find(type); found != kBytes.end()) return found->second;
    auto named = names.find("sizeof(" + type + ")");
    return named == names.end() ? 0 : static_cast<int>(named->second);
}

void add_constants(const std::string& source, SourceNames& names) {
    for (std::string_view whole : lines_of(source)) {
        std::string_view line = trimmed(whole.substr(0, whole.find("//")));
        if (line.starts_with("#define ")) {
            line = trimmed(line.substr(8));
            size_t blank = line.find(' ');
            if (blank == line.npos || line.substr(0, blank).find('(') != line.npos) continue;
            add_definition(line.substr(0, blank), line.substr(blank + 1), names);
            continue;
        }
        bool constant = line.starts_with("constexpr ") || line.starts_with("const ") ||
                        line.starts_with("static const");
        size_t equals = line.find('=');
        if (!constant || equals == line.npos || !line.ends_with(';')) continue;
        std::string name = parameter_name(trimmed(line.substr(0, equals)));
        add_definition(name, line.substr(equals + 1, line.size() - equals - 2), names);
    }
}

SourceNames names_of_own(const Job& job) {
    SourceNames names;
    for (const std::string& each : job.own.defines)
        if (size_t equals = each.find('='); equals != each.npos)
            add_definition(std::string_view(each).substr(0, equals),
                           std::string_view(each).substr(equals + 1), names);
    add_constants(job.stage.source, names);
    std::string name = base_name(job.own.kernel);
    for (const KernelInSource& kernel : kernels_in_source(job.stage.source)) {
        if (kernel.name != name) continue;
        add_template(kernel, job.own.kernel, names);
        add_arguments(kernel, job.stage.source, job.own.arguments, names);
        break;
    }
    return names;
}

SourceNames names_of(const Job& job) {
    if (job.own.is_used()) return names_of_own(job);
    SourceNames names;
    for (const auto& [name, value] : default_knobs(job.stage)) names[name] = value;
    for (const auto& [name, value] : job.knobs) names[name] = value;
    names["sizeof(T)"] = element_bytes(job.type);
    add_constants(job.stage.source, names);
    return names;
}

std::string kernel_name(const Job& job) {
    return job.own.is_used() ? base_name(job.own.kernel) : job.stage.kernel;
}

std::vector<SharedArray> shared_arrays(const std::string& source, const std::string& kernel) {
    std::vector<SharedArray> found;
    std::vector<CToken> tokens = c_tokens(source);
    bool within = false;
    for (size_t i = 0; i + 1 < tokens.size(); ++i) {
        if (tokens[i].text == "__global__") within = false;  // another kernel's begin here
        if (tokens[i].text == kernel && tokens[i + 1].text == "(") within = true;
        if (!within || tokens[i].text != "__shared__") continue;
        // The name is what stands before the first bracket, its type what stands before that.
        size_t open = i + 1;
        while (open + 1 < tokens.size() && tokens[open].text != "[" && tokens[open].text != ";")
            ++open;
        if (tokens[open].text != "[" || open < i + 3) continue;
        const std::string type(tokens[open - 2].text);
        while (tokens[open].text == "[") {
            SharedArray array{std::string(tokens[open - 1].text), type, {}};
            while (open + 1 < tokens.size() && tokens[open].text == "[") {
                size_t close = open + 1;
                while (close + 1 < tokens.size() && tokens[close].text != "]") ++close;
                size_t from = tokens[open].at + 1;
                array.extents.push_back(source.substr(from, tokens[close].at - from));
                array.ends.push_back(tokens[close].at);
                open = std::min(close + 1, tokens.size() - 1);
            }
            found.push_back(std::move(array));
            if (tokens[open].text == "," && open + 2 < tokens.size()) open += 2;  // behind a name
        }
    }
    return found;
}

}  // namespace lanewise
