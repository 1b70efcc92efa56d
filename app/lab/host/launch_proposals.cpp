#include "lab/host/launch_proposals.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <map>

#include "base/files.h"
#include "base/text.h"
#include "lab/host/host_tokens.h"
#include "lab/kernel/kernel_list.h"

namespace lanewise {
namespace {

namespace fs = std::filesystem;

// How --arg writes a type: its letter and bits, and how many of them one element of the host has.
struct ArgumentType {
    std::string name;
    int per_element = 1;
};

ArgumentType argument_type(const std::string& type) {
    static const std::map<std::string, ArgumentType> table = {{"float", {"f32"}},
                                                              {"double", {"f64"}},
                                                              {"int", {"i32"}},
                                                              {"int32_t", {"i32"}},
                                                              {"signed int", {"i32"}},
                                                              {"unsigned", {"u32"}},
                                                              {"unsigned int", {"u32"}},
                                                              {"uint", {"u32"}},
                                                              {"uint32_t", {"u32"}},
                                                              {"long", {"i64"}},
                                                              {"long int", {"i64"}},
                                                              {"long long", {"i64"}},
                                                              {"long long int", {"i64"}},
                                                              {"int64_t", {"i64"}},
                                                              {"ptrdiff_t", {"i64"}},
                                                              {"size_t", {"u64"}},
                                                              {"unsigned long", {"u64"}},
                                                              {"unsigned long long", {"u64"}},
                                                              {"unsigned long long int", {"u64"}},
                                                              {"uint64_t", {"u64"}},
                                                              {"char", {"i8"}},
                                                              {"signed char", {"i8"}},
                                                              {"int8_t", {"i8"}},
                                                              {"unsigned char", {"u8"}},
                                                              {"uint8_t", {"u8"}},
                                                              {"uchar", {"u8"}},
                                                              {"bool", {"u8"}},
                                                              {"short", {"i16"}},
                                                              {"int16_t", {"i16"}},
                                                              {"unsigned short", {"u16"}},
                                                              {"uint16_t", {"u16"}},
                                                              {"half", {"f16"}},
                                                              {"__half", {"f16"}},
                                                              {"nv_bfloat16", {"bf16"}},
                                                              {"__nv_bfloat16", {"bf16"}},
                                                              {"half2", {"f16", 2}},
                                                              {"__half2", {"f16", 2}},
                                                              {"float2", {"f32", 2}},
                                                              {"float3", {"f32", 3}},
                                                              {"float4", {"f32", 4}},
                                                              {"int2", {"i32", 2}},
                                                              {"int3", {"i32", 3}},
                                                              {"int4", {"i32", 4}},
                                                              {"uint2", {"u32", 2}},
                                                              {"uint3", {"u32", 3}},
                                                              {"uint4", {"u32", 4}},
                                                              {"double2", {"f64", 2}},
                                                              {"uchar4", {"u8", 4}},
                                                              {"char4", {"i8", 4}}};
    auto found = table.find(type);
    return found == table.end() ? ArgumentType{} : found->second;
}

double bytes_of(const ArgumentType& type) {
    const std::string digits = type.name.substr(type.name.find_first_of("0123456789"));
    return std::stod(digits) / 8;
}

// "const float* __restrict__ in" -> "float" and one star.
struct ParameterType {
    std::string name;
    int stars = 0;
};
ParameterType type_of_parameter(const std::string& parameter,
                                const std::map<std::string, std::string>& known) {
    ParameterType type;
    for (const HostToken& token :
         lexed(parameter_type(parameter.substr(0, parameter.find('='))), 0)) {
        if (token.text == "*" || token.text == "[") ++type.stars;
        static const std::vector<std::string> kLeftOut = {
            "const",  "volatile", "__restrict__",      "__restrict", "restrict",
            "struct", "typename", "__grid_constant__", "std"};
        if (token.kind != HostToken::Kind::name ||
            std::find(kLeftOut.begin(), kLeftOut.end(), token.text) != kLeftOut.end())
            continue;
        type.name += (type.name.empty() ? "" : " ") + token.text;
    }
    for (int n = 0; n < 4; ++n)
        if (auto found = known.find(type.name); found != known.end()) type.name = found->second;
    return type;
}

std::string number_text(double value, bool real) {
    if (!real || value == std::trunc(value)) return fmt::format("{:.0f}", value);
    return fmt::format("{:.9g}", value);
}

std::string fill_text(const HostFill& fill, bool real) {
    using Kind = HostFill::Kind;
    auto number = [&](double value) { return number_text(value, real); };
    if (fill.kind == Kind::same) return "=" + number(fill.first);
    if (fill.kind == Kind::sequence) return "=" + number(fill.first) + "+" + number(fill.second);
    if (fill.kind == Kind::range) return "=" + number(fill.first) + ".." + number(fill.second);
    return "";
}

class Proposer {
  public:
    Proposer(const HostWalk& walk, const HostLaunch& launch, const KernelInSource* kernel,
             const std::string& file)
        : walk_(walk), launch_(launch), kernel_(kernel) {
        made_.line = launch.line;
        made_.kernel = launch.kernel;
        made_.command = {"lanewise-engine", "trace", file, "--kernel", launch.kernel};
        known_ = walk.aliases;
        know_template();
    }

    LaunchProposal make() {
        option("--grid", dimension(launch_.grid, "grid", 1));
        option("--block", dimension(launch_.block, "block", 256));
        if (launch_.shared.is_exact() && launch_.shared.low > 0) {
            option("--dynamic-shared", number_text(launch_.shared.low, false));
            need(launch_.shared.assumed);
        } else if (!launch_.shared.is_exact()) {
            blank("dynamic shared memory", "its size is not known", "0");
        }
        const size_t count = kernel_ ? kernel_->parameters.size() : launch_.arguments.size();
        for (size_t i = 0; i < count; ++i) option("--arg", argument(i));
        if (!unsized_.empty())
            blank("elements of " + unsized_, "where it is allocated was not found",
                  number_text(guessed_elements(), false));
        if (!kernel_)
            made_.problem = "The kernel " + base_name(launch_.kernel) +
                            " is not in this file or in a header beside it.";
        else if (launch_.arguments.size() > count)
            made_.problem = fmt::format("The launch has {} arguments, and the kernel takes {}.",
                                        launch_.arguments.size(), count);
        return std::move(made_);
    }

  private:
    void option(const char* name, const std::string& value) {
        made_.command.push_back(name);
        made_.command.push_back(value);
    }
    void blank(const std::string& name, const std::string& why, const std::string& suggestion) {
        made_.blanks.push_back({name, why, suggestion});
    }
    // What a value was made from that is only assumed, once each.
    void need(const std::set<size_t>& assumed) {
        for (size_t each : assumed)
            if (named_.insert(each).second) {
                const HostAssumption& a = walk_.assumptions[each];
                blank(a.name, a.why, a.suggestion);
            }
    }

    // The template parameters' names, by what the launch gives for them.
    void know_template() {
        if (!kernel_ || kernel_->template_line.empty()) return;
        const size_t open = kernel_->template_line.find('<');
        const std::string inner =
            kernel_->template_line.substr(open + 1, kernel_->template_line.rfind('>') - open - 1);
        const size_t given_at = launch_.kernel.find('<');
        std::vector<std::string> given;
        if (given_at != std::string::npos)
            given = comma_separated(
                launch_.kernel.substr(given_at + 1, launch_.kernel.rfind('>') - given_at - 1));
        const std::vector<std::string> names = comma_separated(inner);
        std::vector<std::string> all = given;
        bool is_changed = false;
        for (size_t i = 0; i < names.size(); ++i) {
            const size_t equals = names[i].find('=');
            std::string word(trimmed(names[i].substr(0, equals)));
            const std::string name = word.substr(word.find_last_of(" .") + 1);
            const bool is_type = word.starts_with("typename") || word.starts_with("class");
            std::string value = i < given.size() ? given[i] : "";
            if (!is_type && is_unknown_number(value)) {
                blank(value, "a template argument whose value is not known here", "1");
                value = "1";
                all[i] = value;
                is_changed = true;
            }
            if (value.empty() && equals != std::string::npos)
                value = trimmed(names[i].substr(equals + 1));
            if (value.empty() && is_type) value = deduced(name);
            if (value.empty()) {
                blank(name, "a template argument that the launch leaves to be deduced",
                      is_type ? "float" : "1");
                value = is_type ? "float" : "1";
            }
            if (i >= given.size()) all.push_back(value);
            known_[name] = value;
        }
        if (all.size() == given.size() && !is_changed) return;
        std::string whole = launch_.kernel.substr(0, given_at);
        for (size_t i = 0; i < all.size(); ++i) whole += (i == 0 ? "<" : ", ") + all[i];
        made_.kernel = made_.command.back() = whole + ">";
    }

    // A name that stands where a number must: nothing tells which.
    static bool is_unknown_number(const std::string& text) {
        const size_t first = text.find_first_not_of("( ");
        return first != std::string::npos && text != "true" && text != "false" &&
               text.find("::") == std::string::npos &&
               (std::isalpha(static_cast<unsigned char>(text[first])) || text[first] == '_');
    }

    // The type that an argument gives for template parameter `name`.
    std::string deduced(const std::string& name) const {
        for (size_t i = 0; i < std::min(kernel_->parameters.size(), launch_.arguments.size());
             ++i) {
            const ParameterType type = type_of_parameter(kernel_->parameters[i], {});
            if (type.name != name) continue;
            const HostValue& value = launch_.arguments[i];
            if (value.kind == HostValue::Kind::pointer && value.buffer >= 0 &&
                !buffer_of(value).type.empty())
                return buffer_of(value).type;
            if (value.is_number()) return value.is_real ? "float" : "int";
        }
        return "";
    }

    const HostBuffer& buffer_of(const HostValue& value) const {
        return walk_.buffers[static_cast<size_t>(value.buffer)];
    }

    std::string dimension(const HostValue& value, const char* name, int fallback) {
        if (value.kind != HostValue::Kind::dim) {
            blank(name, value.text.empty() ? "it is not known" : "it is " + value.text,
                  std::to_string(fallback));
            if (name == std::string("block")) threads_ = fallback;
            return std::to_string(fallback);
        }
        std::string text;
        double all = 1;
        size_t last = value.parts.size();
        while (last > 1 && value.parts[last - 1].is_exact() && value.parts[last - 1].low == 1)
            --last;
        for (size_t i = 0; i < last; ++i) {
            const HostValue& part = value.parts[i];
            double side = fallback;
            if (part.is_exact())
                side = std::trunc(part.low);
            else
                blank(std::string(name) + (i == 0   ? ".x"
                                           : i == 1 ? ".y"
                                                    : ".z"),
                      part.text.empty() ? "it is not known" : "it is " + part.text,
                      std::to_string(fallback));
            all *= side;
            text += (i == 0 ? "" : ",") + number_text(side, false);
        }
        need(value.assumed);
        if (all < 1)
            made_.problem = fmt::format("The {} has 0 {}, so nothing would run.", name,
                                        name == std::string("grid") ? "blocks" : "threads");
        threads_ *= all;
        return text;
    }

    std::string argument(size_t place) {
        const std::string parameter = kernel_ ? kernel_->parameters[place] : "";
        const HostValue value =
            place < launch_.arguments.size() ? launch_.arguments[place] : HostValue{};
        const ParameterType type = type_of_parameter(parameter, known_);
        const std::string name = kernel_ && !parameter_name(parameter).empty()
                                     ? parameter_name(parameter)
                                     : fmt::format("argument {}", place + 1);
        const bool is_pointer =
            type.stars > 0 || (type.name.empty() && value.kind == HostValue::Kind::pointer);
        if (is_pointer) return buffer(value, type, name);
        return scalar(value, type, name, place);
    }

    std::string buffer(const HostValue& value, const ParameterType& type, const std::string& name) {
        if (value.is_exact() && value.low == 0) return "u64:0";  // a null pointer
        if (type.stars > 1) {
            blank(name, "it points to pointers", "ptr[f32[1024]]");
            return "ptr[f32[1024]]";
        }
        ArgumentType element = argument_type(type.name);
        const bool known = value.kind == HostValue::Kind::pointer && value.buffer >= 0;
        if (value.kind == HostValue::Kind::pointer && value.buffer < 0) return "u64:0";
        if (element.name.empty() && known) element = argument_type(buffer_of(value).type);
        double count = 0;
        std::string fill;
        if (known && buffer_of(value).bytes >= 0) {
            const HostBuffer& from = buffer_of(value);
            const double host = host_type_bytes(from.type);
            const double size = element.name.empty() ? 1 : bytes_of(element);
            count = std::floor((from.bytes - value.offset * std::max(host, 1.0)) / size);
            need(from.assumed);
            need(value.assumed);
            if (!element.name.empty())
                fill = fill_text(from.fill, element.name[0] != 'i' && element.name[0] != 'u');
            if (count < 1)
                made_.problem = "The buffer " + name + " has no element, so nothing fits into it.";
        } else {
            unsized_ += (unsized_.empty() ? "" : ", ") + name;
            count = guessed_elements();
        }
        if (element.name.empty()) {
            if (!type.name.empty() && type.name != "void" && !known)
                blank(name, "its elements are of type " + type.name, "u8[…]");
            element.name = "u8";
        }
        return fmt::format("{}[{:.0f}]{}", element.name, std::max(count, 1.0), fill);
    }

    // Enough for each thread to have one, where nothing says more.
    double guessed_elements() const {
        double product = 1;
        for (const HostValue& value : launch_.arguments)
            if (value.is_exact() && !value.is_real && value.low > 1 &&
                product * value.low <= 0x1p24)
                product *= value.low;
        return std::clamp(std::max(product, threads_), 1.0, 0x1p26);
    }

    std::string scalar(const HostValue& value, const ParameterType& type, const std::string& name,
                       size_t place) {
        ArgumentType element = argument_type(type.name);
        if (element.name.empty() && type.name.empty()) element.name = value.is_real ? "f32" : "i32";
        if (element.name.empty()) {
            blank(name, "it is of type " + (type.name.empty() ? "unknown" : type.name),
                  "{…}: its members in order");
            return "{}";
        }
        const bool real = element.name[0] == 'f' || element.name[0] == 'b';
        if (element.per_element > 1) {
            std::string text = element.per_element == 4   ? "align16{"
                               : element.per_element == 2 ? "align8{"
                                                          : "{";
            for (int i = 0; i < element.per_element; ++i)
                text += (i == 0 ? "" : ",") + element.name + ":1";
            blank(name, "its members are not known", text + "}");
            return text + "}";
        }
        if (value.is_number()) {
            need(value.assumed);
            if (!value.is_exact()) blank(name, "it is random", number_text(value.low, real));
            return element.name + ":" + number_text(value.low, real);
        }
        const std::string written =
            place < launch_.argument_texts.size() ? launch_.argument_texts[place] : "left out";
        blank(name, "it is " + written, real ? "1" : "1024");
        return element.name + ":" + (real ? "1" : "1024");
    }

    const HostWalk& walk_;
    const HostLaunch& launch_;
    const KernelInSource* kernel_;
    LaunchProposal made_;
    std::map<std::string, std::string> known_;  // types, by alias and template parameter
    std::set<size_t> named_;                    // assumptions that are blanks already
    std::string unsized_;
    double threads_ = 1;
};

}  // namespace

std::vector<LaunchProposal> propose_launches(const fs::path& file,
                                             const std::vector<std::string>& includes) {
    const std::string source = read_file(file);
    std::vector<std::string> headers;
    const FindHeader find = [&](const std::string& name,
                                const fs::path& from) -> std::optional<HostHeader> {
        std::vector<fs::path> folders = {from.parent_path(), file.parent_path()};
        folders.insert(folders.end(), includes.begin(), includes.end());
        for (const fs::path& folder : folders) {
            const fs::path path = (folder.empty() ? fs::path(".") : folder) / name;
            std::error_code ignored;
            if (!fs::is_regular_file(path, ignored)) continue;
            headers.push_back(read_file(path));
            return HostHeader{path, headers.back()};
        }
        return std::nullopt;
    };
    const HostWalk walk = walk_host(host_tokens(source, file, find));
    std::vector<KernelInSource> kernels = kernels_in_source(source);
    for (const std::string& header : headers)
        for (KernelInSource& kernel : kernels_in_source(header)) kernels.push_back(kernel);
    std::vector<LaunchProposal> proposals;
    for (const HostLaunch& launch : walk.launches) {
        const std::string name = base_name(launch.kernel);
        // Of overloads the one with as many parameters.
        const KernelInSource* kernel = nullptr;
        for (const KernelInSource& each : kernels)
            if (each.name == name && (!kernel || each.parameters.size() == launch.arguments.size()))
                kernel = &each;
        proposals.push_back(Proposer(walk, launch, kernel, file.string()).make());
        for (const std::string& folder : includes) {
            proposals.back().command.push_back("--include");
            proposals.back().command.push_back(folder);
        }
    }
    return proposals;
}

std::string shell_line(const std::vector<std::string>& command) {
    std::string line;
    for (const std::string& word : command) {
        const bool plain =
            !word.empty() && word.find_first_not_of(
                                 "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                 "0123456789_-+=.,:/@%") == std::string::npos;
        std::string quoted = word;
        if (!plain) {
            quoted = "'";
            for (char c : word) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
            quoted += "'";
        }
        line += (line.empty() ? "" : " ") + quoted;
    }
    return line;
}

}  // namespace lanewise
