#include "lab/kernel/module_variables.h"

#include <cxxabi.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <regex>

#include "base/error.h"
#include "base/text.h"
#include "compile/local_headers.h"

namespace lanewise {

namespace {

const char* kind_of(const ptx::ModuleVariable& variable) {
    return variable.is_constant ? "__constant__" : "__device__";
}

// As the source declares it: a star before the name, and no brackets behind it.
bool is_declared_a_pointer(std::string_view source, const std::string& name) {
    const std::regex declared(R"(__(?:device|constant)__[^;{}()]*\*[^;{}(),=]*\b)" + name +
                              R"(\s*(?:=|;|,))");
    return std::regex_search(source.begin(), source.end(), declared);
}

// In the source, or in one of its headers.
bool is_declared(const Job& job, const std::string& name) {
    const std::regex declared(R"(__(?:device|constant|managed)__[^;{}()=\[\]]*\b)" + name +
                              R"(\b)");
    if (std::regex_search(job.stage.source, declared)) return true;
    std::vector<std::string> folders = job.own.include_folders;
    folders.push_back(job.stage.path.parent_path().string());
    for (const LocalHeader& header : local_headers(job.stage.source, folders))
        if (std::regex_search(header.text, declared)) return true;
    return false;
}

}  // namespace

VariableValue parse_variable(const std::string& text) {
    size_t equals = text.find('=');
    std::string name(trimmed(text.substr(0, equals)));
    if (equals == text.npos || name.empty())
        reject(
            fmt::format("\"{}\" says no value; write it as filter=f32[25]=0.04, count=i32:1024 "
                        "or params={{i32:3,f32:1}}",
                        text));
    try {
        return {name, read_argument(text.substr(equals + 1))};
    } catch (const Error& error) {
        reject(fmt::format("the value of {}, \"{}\": {}", name, text.substr(equals + 1),
                           error.what()));
    }
}

std::string variable_name(const std::string& in_ptx) {
    if (!in_ptx.starts_with("_Z")) return in_ptx;
    int status = 0;
    std::unique_ptr<char, void (*)(void*)> known(
        abi::__cxa_demangle(in_ptx.c_str(), nullptr, nullptr, &status), std::free);
    return status == 0 && known ? known.get() : in_ptx;
}

std::string variable_in_words(const ptx::ModuleVariable& variable) {
    return fmt::format("{}, a {} variable of {}", variable_name(variable.name), kind_of(variable),
                       counted(variable.bytes, "byte"));
}

std::string variable_option(const ptx::ModuleVariable& variable) {
    const char* option = variable.is_constant ? "--constant" : "--device";
    const bool words = variable.bytes % 4 == 0;
    return fmt::format("{} {}={}[{}]=…", option, variable_name(variable.name), words ? "f32" : "u8",
                       words ? variable.bytes / 4 : variable.bytes);
}

std::optional<size_t> variable_called(const ptx::Kernel& kernel, const std::string& name,
                                      const Job& job) {
    std::string list;
    for (size_t i = 0; i < kernel.variables.size(); ++i) {
        const std::string known = variable_name(kernel.variables[i].name);
        if (known.starts_with('$')) continue;  // the system's
        if (known == name || known.ends_with("::" + name)) return i;
        // The others are constants that the compiler put into memory.
        if (!job.own.ptx.empty() || is_declared(job, known))
            list += "\n    " + variable_in_words(kernel.variables[i]);
    }
    if (is_declared(job, name)) return {};
    reject(fmt::format(
        "{} has no __constant__ or __device__ variable \"{}\"{}", job.own.kernel, name,
        list.empty() ? ", nor any other that it uses" : "; those that it can use are:" + list));
}

bool is_address(const VariableValue& given, const ptx::ModuleVariable& variable,
                std::string_view source) {
    const KernelArgument& value = given.value;
    if (value.is_tensor) reject(given.name + " cannot be a tensor map; give that as a parameter");
    const uint64_t bytes = value.is_buffer ? value.own_bytes() : value.bytes;
    const bool fits = bytes <= variable.bytes;
    const bool may_be_one = value.is_buffer && variable.bytes == 8;
    if (may_be_one && (value.is_pointer || !fits || is_declared_a_pointer(source, given.name)))
        return true;
    if (!fits)
        reject(fmt::format("\"{}\" has {}, and {}", value.text, counted(bytes, "byte"),
                           variable_in_words(variable)));
    return false;
}

bool names_variable(const ptx::Kernel& kernel, const std::string& in_ptx) {
    return std::any_of(kernel.instructions.begin(), kernel.instructions.end(),
                       [&](const ptx::Instruction& instruction) {
                           return std::any_of(
                               instruction.operands.begin(), instruction.operands.end(),
                               [&](const ptx::Operand& operand) { return operand.name == in_ptx; });
                       });
}

}  // namespace lanewise
