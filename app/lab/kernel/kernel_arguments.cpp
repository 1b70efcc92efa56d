#include "lab/kernel/kernel_arguments.h"

#include <cxxabi.h>
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <memory>

#include "base/error.h"
#include "base/text.h"
#include "lab/job/devices.h"
#include "lab/kernel/kernel_list.h"
#include "lab/kernel/texture_argument.h"

namespace lanewise {

namespace {

using Type = ElementType;

// How C++ spells them; a vector type's digit is taken off before.
constexpr struct {
    std::string_view spelling;
    const char* type;
} kSpellings[] = {
    {"float", "f32"},
    {"double", "f64"},
    {"__half", "f16"},
    {"half", "f16"},
    {"__nv_bfloat16", "bf16"},
    {"nv_bfloat16", "bf16"},
    {"__nv_bfloat162", "bf16"},
    {"nv_bfloat162", "bf16"},
    {"char", "i8"},
    {"signed char", "i8"},
    {"unsigned char", "u8"},
    {"uchar", "u8"},
    {"bool", "u8"},
    {"int8_t", "i8"},
    {"uint8_t", "u8"},
    {"short", "i16"},
    {"unsigned short", "u16"},
    {"ushort", "u16"},
    {"int16_t", "i16"},
    {"uint16_t", "u16"},
    {"int", "i32"},
    {"unsigned int", "u32"},
    {"unsigned", "u32"},
    {"uint", "u32"},
    {"int32_t", "i32"},
    {"uint32_t", "u32"},
    {"long", "i64"},
    {"long int", "i64"},
    {"unsigned long", "u64"},
    {"ulong", "u64"},
    {"long long", "i64"},
    {"longlong", "i64"},
    {"unsigned long long", "u64"},
    {"ulonglong", "u64"},
    {"size_t", "u64"},
    {"int64_t", "i64"},
    {"uint64_t", "u64"},
};

// cudaTextureObject_t and cudaSurfaceObject_t are unsigned long long to the compiler: the source
// alone knows them.
std::string_view object_kind(std::string_view type) {
    if (type.find('*') != type.npos) return "";
    return type.find("cudaTextureObject_t") != type.npos   ? "tex"
           : type.find("cudaSurfaceObject_t") != type.npos ? "surf"
                                                           : "";
}

// What is left of a type's text without its qualifiers, names and stars.
std::string spelled(std::string_view text) {
    std::string words;
    for (std::string_view word : split(text, ' ')) {
        if (word.empty() || word == "const" || word == "volatile" || word == "__restrict__" ||
            word == "__restrict")
            continue;
        words += (words.empty() ? "" : " ") + std::string(word);
    }
    return words;
}

bool is_pointer(std::string_view type) {
    return type.find('*') != type.npos || type.find('[') != type.npos;
}

bool is_pointer_to_pointer(std::string_view type) {
    return is_pointer(type) && type.find('*') != type.rfind('*');
}

// "const Body* __restrict__" -> "const Body"
std::string pointee(const std::string& type) { return type.substr(0, type.find_first_of("*[")); }

// The type of a value, or of what a pointer points to; null for what is not in the tables.
const Type* element_of(const std::string& type) {
    std::string text = spelled(type.substr(0, type.find_first_of("*[")));
    bool is_vector = text.size() > 1 && text.back() >= '1' && text.back() <= '4';
    for (const auto& row : kSpellings)
        if (text == row.spelling) return find_element_type(row.type);
    if (is_vector) text.pop_back();
    for (const auto& row : kSpellings)
        if (is_vector && text == row.spelling) return find_element_type(row.type);
    return nullptr;
}

// Halves are given by their bits.
const char* name_of_value(const Type& type) {
    return type.is_float && type.bytes == 2 ? "u16" : type.name;
}

// Where the bracket at `open` is closed; npos where it is not.
size_t closing_bracket(std::string_view text, size_t open) {
    int depth = 0;
    for (size_t at = open; at < text.size(); ++at) {
        if (text[at] == '[') ++depth;
        if (text[at] == ']' && --depth == 0) return at;
    }
    return text.npos;
}

}  // namespace

KernelArgument parse_argument(const std::string& text) {
    try {
        return read_argument(text);
    } catch (const Error& error) {
        throw Error(Status::bad_input, fmt::format("--arg \"{}\": {}", text, error.what()));
    }
}

uint64_t KernelArgument::own_bytes() const { return count * static_cast<uint64_t>(element_bytes); }

uint64_t KernelArgument::buffer_bytes() const {
    uint64_t total = own_bytes();
    for (const KernelArgument& member : members) total += member.buffer_bytes();
    return total;
}

KernelArgument read_argument(const std::string& text, int depth) {
    if (text.starts_with("tensor:")) return read_tensor(text);
    if (is_texture_text(text)) return texture_argument(text);
    if (is_struct_text(text)) return read_struct(text, depth);
    if (is_pointer_text(text)) return read_pointer(text, depth);
    if (std::optional<KernelArgument> name = read_name(text)) return *name;
    size_t mark = text.find_first_of("[:");
    const Type* type = find_element_type(std::string_view(text).substr(0, mark));
    bool is_buffer = mark != text.npos && text[mark] == '[';
    size_t close = is_buffer ? closing_bracket(text, mark) : text.npos;
    if (mark == text.npos || (is_buffer && close == text.npos))
        reject(
            "an argument is a buffer such as f32[16777216] or a value such as i32:4096 or "
            "f32:1.5");
    if (!type)
        reject("there is no type \"" + text.substr(0, mark) +
               "\"; the types are i8 u8 i16 u16 i32 u32 i64 u64 f16 bf16 f32 f64");
    KernelArgument argument;
    argument.text = text;
    argument.type = type->name;
    argument.element_bytes = type->bytes;
    argument.is_float = type->is_float;
    argument.is_buffer = is_buffer;
    argument.bytes = argument.align = is_buffer ? 8u : static_cast<uint32_t>(type->bytes);
    if (!is_buffer) {
        if (type->is_float && type->bytes == 2)
            reject("a value of " + std::string(type->name) + " is given by its bits, as u16:…");
        argument.bits = element_bits(*type, text.substr(mark + 1));
        return argument;
    }
    constexpr int64_t kMostElements = int64_t{1} << 40;
    int64_t count = 0;
    std::string between = text.substr(mark + 1, close - mark - 1);
    if (!parse_integer(between, count) || count < 1 || count > kMostElements)
        reject("a buffer has 1 to 1,099,511,627,776 elements, not \"" + between + "\"");
    argument.count = static_cast<uint64_t>(count);
    argument.fill = read_fill(*type, std::string_view(text).substr(close + 1));
    return argument;
}

std::optional<KernelArgument> read_name(const std::string& text) {
    const size_t plus = text.find('+');
    const std::string name = text.substr(0, plus);
    const bool begins =
        !name.empty() && (std::isalpha(static_cast<unsigned char>(name[0])) || name[0] == '_');
    const bool is_word = std::all_of(name.begin(), name.end(), [](char c) {
        return std::isalnum(static_cast<unsigned char>(c)) || c == '_';
    });
    int64_t first = 0;
    if (!begins || !is_word || find_element_type(name)) return {};
    if (plus != text.npos && (!parse_integer(text.substr(plus + 1), first) || first < 0)) return {};
    KernelArgument argument;
    argument.text = text;
    argument.is_name = true;
    argument.of = name;
    argument.first = static_cast<uint64_t>(first);
    argument.bytes = argument.align = 8;
    return argument;
}

std::string buffer_named_in(const KernelArgument& argument) {
    if (is_texture_text(argument.text)) return {};  // which may lie in this launch's
    if (argument.is_name) return argument.of;
    for (const KernelArgument& member : argument.members)
        if (std::string name = buffer_named_in(member); !name.empty()) return name;
    return {};
}

std::vector<std::string> demangled_types(const std::string& entry) {
    int status = 0;
    std::unique_ptr<char, void (*)(void*)> name(
        abi::__cxa_demangle(entry.c_str(), nullptr, nullptr, &status), std::free);
    if (status != 0 || !name) return {};
    std::string_view text(name.get());
    if (!text.ends_with(')')) return {};
    size_t open = text.size();
    for (int depth = 0; open-- > 0;) {
        if (text[open] == ')') ++depth;
        if (text[open] == '(' && --depth == 0) break;
    }
    return comma_separated(text.substr(open + 1, text.size() - open - 2));
}

namespace {

// The only kernel of this name in the source with so many parameters; null where there is none or
// more than one.
const KernelInSource* in_source(const std::vector<KernelInSource>& kernels, const std::string& name,
                                size_t parameters) {
    const KernelInSource* found = nullptr;
    for (const KernelInSource& kernel : kernels) {
        if (kernel.name != name || kernel.parameters.size() != parameters) continue;
        if (found) return nullptr;
        found = &kernel;
    }
    return found;
}

// "{i32:VALUE,f32[COUNT]}" for the struct that the source tells; "" where that is not the kernel's.
std::string form_of_struct(const KernelParameter& parameter) {
    if (!parameter.layout.is_struct) return "";
    StructMember layout = parameter.layout;
    layout.align = 0;  // the kernel's own parameter, which is aligned anyway
    auto text_with = [&](const char* value, const char* count) {
        return struct_form(layout, [&](const StructMember& leaf) {
            const Type* element = element_of(leaf.type);
            if (is_pointer_to_pointer(leaf.type))
                return fmt::format("ptr[{0}[{1}],{0}[{1}]]", element ? element->name : "f32",
                                   count);
            if (is_pointer(leaf.type))
                return fmt::format("{}[{}]", element ? element->name : "f32", count);
            return element ? fmt::format("{}:{}", name_of_value(*element), value) : "?";
        });
    };
    try {
        if (read_argument(text_with("0", "1")).bytes != parameter.bytes) return "";
    } catch (const Error&) {
        return "";  // a member of a type that is not known
    }
    return text_with("VALUE", "COUNT");
}

// "{i32:VALUE,f32:VALUE}" for a struct of the source, whatever its size; "" where a member's type is
// not known.
std::string form_of_layout(StructMember layout, KernelArgument& read) {
    auto leaf = [&](const StructMember& member, const char* value, const char* count) {
        const Type* element = element_of(member.type);
        if (is_pointer(member.type))
            return fmt::format("{}[{}]", element ? element->name : "u8", count);
        return element ? fmt::format("{}:{}", name_of_value(*element), value) : "?";
    };
    try {
        read = read_argument(
            struct_form(layout, [&](const StructMember& m) { return leaf(m, "0", "1"); }));
    } catch (const Error&) {
        return "";
    }
    return struct_form(layout, [&](const StructMember& m) { return leaf(m, "VALUE", "COUNT"); });
}

// How large what it points to is, and how to give some of them: as a plain buffer where all members
// are alike, else one by one.
std::string form_of_pointer_to(const StructMember& layout) {
    KernelArgument read;
    std::string form = form_of_layout(layout, read);
    if (form.empty()) return "--arg u8[BYTES], a struct whose size is not told";
    std::vector<ArgumentPart> parts = parts_of(read, layout, "");
    bool alike = std::all_of(parts.begin(), parts.end(), [&](const ArgumentPart& part) {
        return !part.argument->is_buffer && part.argument->type == parts[0].argument->type;
    });
    if (alike)
        return fmt::format(
            "--arg {}[COUNT], {} for each struct of {} bytes", parts[0].argument->type,
            read.bytes / static_cast<uint32_t>(parts[0].argument->element_bytes), read.bytes);
    return fmt::format("--arg \"ptr[COUNT*{}]\", or u8[BYTES] with {} for each struct", form,
                       read.bytes);
}

// The integer that has as many bytes as can be set at once, for what is never read.
std::string zero_of(uint32_t bytes) {
    for (uint32_t size : {8u, 4u, 2u})
        if (bytes >= size) return fmt::format("u{}:0", 8 * size);
    return "u8:0";
}

// What to type for it.
std::string form_of(const KernelParameter& parameter) {
    if (!parameter.is_read) return "--arg " + zero_of(parameter.bytes);
    const Type* element = element_of(parameter.type);
    if (std::string_view kind = object_kind(parameter.type); !kind.empty())
        return fmt::format("--arg {0}:f32:WIDTH or {0}:f32:ROWSxCOLS", kind);
    if (is_pointer_to_pointer(parameter.type))
        return fmt::format("--arg \"ptr[{0}[COUNT],{0}[COUNT]]\", one for each pointer",
                           element ? element->name : "f32");
    if (is_pointer(parameter.type) && !element && parameter.layout.is_struct)
        return form_of_pointer_to(parameter.layout);
    if (is_pointer(parameter.type))
        return fmt::format("--arg {}[COUNT]", element ? element->name : "f32");
    if (element && element->bytes == static_cast<int>(parameter.bytes))
        return fmt::format("--arg {}:VALUE", name_of_value(*element));
    // Some declare a struct of their own for CUtensorMap, which only its alignment tells.
    constexpr uint32_t kMapAlignment = 64;
    const StructMember& layout = parameter.layout;
    if (!element && parameter.bytes == kTensorMapBytes &&
        (!layout.is_struct || layout.align >= kMapAlignment))
        return "--arg tensor:f32:ROWSxCOLS:box=ROWSxCOLS";
    if (std::string form = form_of_struct(parameter); !form.empty())
        return fmt::format("--arg \"{}\"", form);  // the shell would take the braces
    if (!element && (parameter.bytes == 4 || parameter.bytes == 8))
        return fmt::format("--arg i{}:VALUE", 8 * parameter.bytes) +
               (parameter.bytes == 8 ? " or f32[COUNT]" : "");
    if (parameter.bytes == 1) return "--arg \"{}\"";
    return fmt::format("--arg \"{{MEMBER,MEMBER,…}}\": the members of a struct of {} bytes",
                       parameter.bytes);
}

std::string declaration(const KernelParameter& p) {
    std::string name = p.name.empty() ? "" : " " + p.name;
    if (p.is_guess || !p.is_read) {
        std::string what = fmt::format("{} bytes{}", p.bytes, name);
        return p.is_read ? what + (p.type.empty() ? "" : ", looks like " + p.type)
                         : what + ", never read";
    }
    if (p.type.empty() && p.name.empty()) return fmt::format("{} bytes", p.bytes);
    return p.type + name;
}

std::string parameter_list(const std::vector<KernelParameter>& parameters, const std::string& of) {
    if (parameters.empty()) return of + " takes no parameters";
    std::string text = of + " takes, one --arg each:";
    size_t width = 32;
    for (const KernelParameter& p : parameters) width = std::max(width, declaration(p).size());
    for (size_t i = 0; i < parameters.size();) {
        const std::string what = declaration(parameters[i]), form = form_of(parameters[i]);
        size_t alike = 1;  // without a name, those that follow say the same
        while (parameters[i].name.empty() && i + alike < parameters.size() &&
               declaration(parameters[i + alike]) == what && form_of(parameters[i + alike]) == form)
            ++alike;
        text += fmt::format("\n    {:<{}} {}", what, width, form);
        if (alike > 1) text += fmt::format(", {} times", alike);
        i += alike;
    }
    return text;
}

// Why the argument cannot be the parameter's; "" where it can.
std::string problem(const KernelArgument& argument, const KernelParameter& parameter) {
    const Type* element = element_of(parameter.type);
    bool type_known = !parameter.type.empty();
    bool pointer = is_pointer(parameter.type);
    bool is_no_matter = !parameter.is_read && argument.bytes <= parameter.bytes;
    if (is_no_matter && !argument.is_buffer) return "";
    if (argument.is_tensor)
        return parameter.bytes == kTensorMapBytes
                   ? ""
                   : fmt::format("has {} bytes, and the map of a tensor {}", parameter.bytes,
                                 kTensorMapBytes);
    if (is_texture_text(argument.text)) {
        std::string_view kind = object_kind(parameter.type);
        if (parameter.bytes != 8)
            return fmt::format("has {} bytes, and the object of a texture or surface 8",
                               parameter.bytes);
        return kind.empty() || argument.text.starts_with(kind)
                   ? ""
                   : fmt::format("is given as {}:…", kind);
    }
    if (!object_kind(parameter.type).empty() && (argument.is_buffer || argument.is_name))
        return fmt::format("is given as {0}:TYPE:SIZE, or {0}:NAME:TYPE:SIZE in a buffer",
                           object_kind(parameter.type));
    if (argument.is_name) return parameter.bytes == 8 ? "" : "is no pointer";
    if (argument.is_buffer) {
        if (parameter.bytes != 8) return "is no pointer";
        if (parameter.is_guess) return "";
        if (type_known && !pointer && element) return "is no pointer";
        if (argument.is_pointer)  // to what it holds, whose types only the source knows
            return !is_pointer_to_pointer(parameter.type) || argument.members[0].is_buffer
                       ? ""
                       : "points to pointers";
        if (is_pointer_to_pointer(parameter.type)) return "points to pointers";
        // 16-bit words often stand for halves; elsewhere floats and integers are kept apart.
        bool fits = !element || (element->bytes == argument.element_bytes &&
                                 (element->bytes == 2 || element->is_float == argument.is_float));
        // Bytes may be of anything, as in C: text for uint4*, packed words, a mask of bits.
        fits |= argument.type == "u8" && element && argument.count % static_cast<uint64_t>(element->bytes) == 0;
        return fits ? "" : fmt::format("points to {}", element->name);
    }
    bool is_null =
        argument.bytes == 8 && argument.bits == 0 && !argument.is_float && !argument.is_struct;
    if (pointer && !is_null && !parameter.is_guess) return "is a pointer";
    if (parameter.bytes != argument.bytes)
        return fmt::format("has {} bytes", parameter.bytes) +
               (argument.is_struct ? fmt::format(", and this struct {}", argument.bytes) : "");
    if (argument.is_struct || pointer || parameter.is_guess) return "";
    bool fits = !element || element->bytes == 2 || element->is_float == argument.is_float;
    return fits ? "" : fmt::format("is {}", element->name);
}

}  // namespace

std::vector<KernelParameter> kernel_parameters(const ptx::Kernel& kernel, const Stage& stage,
                                               const std::string& name_expression) {
    std::vector<std::string> types = demangled_types(kernel.name);
    const std::string text = with_own_headers(stage.source, {stage.path.parent_path().string()});
    std::vector<KernelInSource> kernels = kernels_in_source(text);
    const KernelInSource* source =
        in_source(kernels, base_name(name_expression), kernel.parameters.size());
    std::vector<KernelParameter> result;
    for (size_t i = 0; i < kernel.parameters.size(); ++i) {
        KernelParameter parameter;
        parameter.bytes = kernel.parameters[i].bytes;
        if (source) parameter.name = parameter_name(source->parameters[i]);
        if (types.size() == kernel.parameters.size())
            parameter.type = types[i];
        else if (source)
            parameter.type = parameter_type(source->parameters[i]);
        if (source && !object_kind(parameter_type(source->parameters[i])).empty())
            parameter.type = parameter_type(source->parameters[i]);
        const Type* element = element_of(parameter.type);
        bool is_scalar = element && element->bytes == static_cast<int>(parameter.bytes);
        if (is_pointer(parameter.type) && !element)
            parameter.layout = struct_in_source(text, pointee(parameter.type));
        else if (!is_pointer(parameter.type) && !is_scalar)
            parameter.layout = struct_in_source(text, parameter.type);
        result.push_back(std::move(parameter));
    }
    return result;
}

std::vector<KernelArgument> arguments_for(const std::vector<KernelParameter>& parameters,
                                          const OwnLaunch& own) {
    std::vector<KernelArgument> arguments;
    for (const std::string& text : own.arguments) arguments.push_back(parse_argument(text));
    auto refuse_with_list = [&](const std::string& what) {
        throw Error(Status::bad_input, what + "\n" + parameter_list(parameters, own.kernel));
    };
    while (arguments.size() < parameters.size() &&
           std::none_of(parameters.begin() + static_cast<std::ptrdiff_t>(arguments.size()),
                        parameters.end(), [](const KernelParameter& p) { return p.is_read; }))
        arguments.push_back(parse_argument(zero_of(parameters[arguments.size()].bytes)));
    if (arguments.size() != parameters.size())
        refuse_with_list(fmt::format("{} takes {} arguments, not {}", own.kernel, parameters.size(),
                                     arguments.size()));
    for (size_t i = 0; i < arguments.size(); ++i) {
        std::string why = problem(arguments[i], parameters[i]);
        if (!why.empty())
            refuse_with_list(fmt::format("--arg {} cannot be parameter {}, {}: that {}",
                                         arguments[i].text, i + 1, declaration(parameters[i]),
                                         why));
    }
    return arguments;
}

namespace {

// `part` lies this far behind the start of what begins at `home`.
void add_parts(const KernelArgument& argument, const StructMember& layout, const std::string& name,
               uint32_t offset, size_t home, std::vector<ArgumentPart>& parts) {
    if (!argument.is_struct) parts.push_back({&argument, offset, name, home});
    if (argument.is_pointer) offset = 0, home = parts.size() - 1;
    bool names_known = layout.members.size() == argument.members.size();
    for (size_t i = 0; i < argument.members.size(); ++i) {
        const KernelArgument& member = argument.members[i];
        StructMember below = names_known ? layout.members[i] : StructMember{};
        std::string called = is_texture_text(argument.text) ? name
                             : argument.is_pointer ? fmt::format("{}[{}]", name, i)
                             : names_known       ? fmt::format("{}.{}", name, below.name)
                                                 : fmt::format("{}, member {}", name, i + 1);
        add_parts(member, below, called, offset + member.offset, home, parts);
    }
}

}  // namespace

std::vector<ArgumentPart> parts_of(const KernelArgument& argument, const StructMember& layout,
                                   const std::string& name) {
    std::vector<ArgumentPart> parts;
    add_parts(argument, layout, name, 0, ArgumentPart::kInParameter, parts);
    return parts;
}

std::vector<ArgumentPart> parts_in_source(const KernelArgument& argument, const std::string& source,
                                          const std::string& parameter) {
    StructMember layout;
    if (argument.is_struct) layout = struct_in_source(source, parameter_type(parameter));
    return parts_of(argument, layout, parameter_name(parameter));
}

std::string struct_in_words(const std::string& source, const std::string& name) {
    StructMember layout = struct_in_source(source, name);
    if (!layout.is_struct)
        throw Error(Status::bad_input, "--struct " + name +
                                           ": the source writes out no such struct, or one with "
                                           "bases, unions or bit fields, which are not read");
    KernelArgument read;
    std::string form = form_of_layout(layout, read);
    if (form.empty())
        throw Error(Status::bad_input,
                    "--struct " + name + ": it has a member whose type is not known here");
    std::string text = fmt::format("struct {}: {}, aligned to {}\n", name,
                                   counted(read.bytes, "byte"), read.align);
    for (const ArgumentPart& part : parts_of(read, layout, ""))
        text +=
            fmt::format("{:>6}  {:<6} {}\n", part.offset,
                        part.argument->is_buffer ? part.argument->type + "*" : part.argument->type,
                        part.name.substr(part.name.starts_with('.') ? 1 : 0));
    return text + fmt::format("by value: --arg \"{}\"\n", form);
}

void check_buffers(const std::vector<KernelArgument>& arguments) {
    constexpr double kUsable = 0.9;  // the rest is for everybody else on this machine
    uint64_t bytes = 0, available = available_memory_bytes();
    for (const KernelArgument& argument : arguments) bytes += argument.buffer_bytes();
    if (available == 0 || static_cast<double>(bytes) <= kUsable * static_cast<double>(available))
        return;
    throw Error(Status::bad_input,
                fmt::format("the buffers need {} of memory, and this machine has {} free; choose "
                            "smaller ones",
                            in_bytes(bytes), in_bytes(available)));
}

}  // namespace lanewise
