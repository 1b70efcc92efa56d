#include "lab/host/launch_proposals.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <map>
#include <set>

#include "base/error.h"
#include "base/files.h"
#include "base/text.h"
#include "lab/host/host_tokens.h"
#include "lab/kernel/cluster_option.h"
#include "lab/kernel/kernel_list.h"
#include "lab/kernel/own_kernel.h"
#include "lab/kernel/texture_argument.h"

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
                                                              {"clock_t", {"i64"}},
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
    using Fill = HostFill::Kind;
    auto number = [&](double value) { return number_text(value, real); };
    if (fill.kind == Fill::same) return "=" + number(fill.first);
    if (fill.kind == Fill::sequence) return "=" + number(fill.first) + "+" + number(fill.second);
    if (fill.kind == Fill::range) return "=" + number(fill.first) + ".." + number(fill.second);
    return "";
}

// The buffers of a sequence, by their place in HostWalk::buffers: the name and what --arg says of it.
struct NamedBuffer {
    std::string name, text;
    double element_bytes = 1;
};
using NamedBuffers = std::map<int, NamedBuffer>;

class Proposer {
  public:
    // named: where several launches share their buffers; else null.
    Proposer(const HostWalk& walk, const HostLaunch& launch, const KernelInSource* kernel,
             const std::string& file, NamedBuffers* named = nullptr)
        : walk_(walk), launch_(launch), kernel_(kernel), buffers_(named) {
        made_.line = launch.line;
        made_.kernel = launch.kernel;
        if (kernel && launch.kernel.find("::") == std::string::npos)
            made_.kernel = kernel->scope + launch.kernel;
        made_.command = {"lanewise-engine", "trace", file, "--kernel", made_.kernel};
        known_ = walk.aliases;
        know_template();
    }

    LaunchProposal make() {
        option("--grid", dimension(launch_.grid, "grid", 1));
        option("--block", dimension(launch_.block, "block", 256));
        if (launch_.cluster) option("--cluster", cluster(*launch_.cluster));
        if (launch_.shared.is_exact() && launch_.shared.low > 0) {
            option("--dynamic-shared", number_text(launch_.shared.low, false));
            need(launch_.shared.assumed);
        } else if (!launch_.shared.is_exact()) {
            blank("dynamic shared memory", "its size is not known", "0");
        }
        const size_t count = kernel_ ? kernel_->parameters.size() : launch_.arguments.size();
        for (size_t i = 0; i < count; ++i) option("--arg", argument(i));
        for (const HostSymbol& symbol : launch_.symbols)
            if (std::string value = value_of(symbol); !value.empty())
                option("--constant", symbol.name + "=" + value);
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

    static std::string why_of(const HostValue& value) {
        if (value.text.empty()) return "it is not known";
        return value.text.starts_with("it is ") ? value.text : "it is " + value.text;
    }

    std::string dimension(const HostValue& value, const char* name, int fallback) {
        if (value.kind != HostValue::Kind::dim) {
            blank(name, why_of(value), std::to_string(fallback));
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
                      why_of(part), std::to_string(fallback));
            all *= side;
            text += (i == 0 ? "" : ",") + number_text(side, false);
        }
        need(value.assumed);
        if (all < 1)
            made_.problem = fmt::format("The {} has 0 {}, so nothing would run.", name,
                                        name == std::string("block") ? "threads" : "blocks");
        threads_ *= all;
        return text;
    }

    // A size that is only assumed is no cluster's: 1,024 is a plausible n, and more than any card takes.
    std::string cluster(const HostValue& value) {
        if (value.kind == HostValue::Kind::dim && !value.assumed.empty()) {
            blank("cluster", "it depends on " + walk_.assumptions[*value.assumed.begin()].name, "1");
            return "1";
        }
        const double threads = threads_;
        const std::string sides = dimension(value, "cluster", 1);
        threads_ = threads;
        try {
            cluster_variable(sides);
        } catch (const Error& error) {
            if (made_.problem.empty()) made_.problem = std::string(error.what()) + ".";
        }
        return sides;
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
        const std::string text =
            fmt::format("{}[{:.0f}]{}", element.name, std::max(count, 1.0), fill);
        if (!buffers_ || !known) return text;
        const HostBuffer& from = buffer_of(value);
        const double all = from.bytes >= 0 ? std::floor(from.bytes / bytes_of(element)) : count;
        return name_of(value, from.name.empty() ? name : from.name, element.name,
                       fmt::format("{}[{:.0f}]{}", element.name, std::max(all, 1.0), fill));
    }

    // What a variable of the module is set to; "" where that cannot be said.
    std::string value_of(const HostSymbol& symbol) {
        const ArgumentType element = argument_type(symbol.type);
        if (element.name.empty()) return "";
        const bool real = element.name[0] == 'f' || element.name[0] == 'b';
        if (symbol.value.is_number() && element.per_element == 1 && symbol.value.is_exact()) {
            need(symbol.value.assumed);
            return element.name + ":" + number_text(symbol.value.low, real);
        }
        if (symbol.value.kind != HostValue::Kind::pointer || symbol.value.buffer < 0) return "";
        const HostBuffer& from = buffer_of(symbol.value);
        const double bytes = symbol.bytes >= 0 ? symbol.bytes : from.bytes;
        const double count = std::floor(bytes / bytes_of(element));
        if (count < 1) return "";
        return fmt::format("{}[{:.0f}]{}", element.name, count, fill_text(from.fill, real));
    }

    // The buffer's name, and how far into it the argument points. One name for one allocation.
    std::string name_of(const HostValue& value, const std::string& name, const std::string& element,
                        const std::string& text) {
        auto known = buffers_->find(value.buffer);
        if (known == buffers_->end()) {
            const double bytes = bytes_of(argument_type_called(element));
            known =
                buffers_->emplace(value.buffer, NamedBuffer{free_name(name), text, bytes}).first;
        }
        const double host = std::max(host_type_bytes(buffer_of(value).type), 1.0);
        const double first = std::floor(value.offset * host / known->second.element_bytes);
        return first > 0 ? fmt::format("{}+{:.0f}", known->second.name, first) : known->second.name;
    }
    static ArgumentType argument_type_called(const std::string& name) { return {name, 1}; }

    // A word that no other buffer has.
    std::string free_name(const std::string& wished) const {
        std::string base;
        for (char c : wished)
            base += std::isalnum(static_cast<unsigned char>(c)) || c == '_' ? c : '_';
        if (base.empty() || std::isdigit(static_cast<unsigned char>(base[0]))) base = "b" + base;
        std::string name = base;
        auto taken = [&](const auto& each) { return each.second.name == name; };
        for (int n = 2; std::any_of(buffers_->begin(), buffers_->end(), taken); ++n)
            name = fmt::format("{}_{}", base, n);
        return name;
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
        if (std::string texture = suggested_texture(type.name + " " + name, ""); !texture.empty()) {
            blank(name, "the host code makes it, which is not followed", texture);
            return texture;
        }
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
    NamedBuffers* buffers_;
    LaunchProposal made_;
    std::map<std::string, std::string> known_;  // types, by alias and template parameter
    std::set<size_t> named_;                    // assumptions that are blanks already
    std::string unsized_;
    double threads_ = 1;
};

}  // namespace

namespace {

// A program walked through, with the kernels of its files.
struct WalkedProgram {
    HostWalk walk;
    std::vector<KernelInSource> kernels;
    // Of overloads the one with as many parameters.
    const KernelInSource* kernel_of(const HostLaunch& launch) const {
        const std::string name = base_name(launch.kernel);
        const KernelInSource* found = nullptr;
        for (const KernelInSource& each : kernels)
            if (each.name == name && (!found || each.parameters.size() == launch.arguments.size()))
                found = &each;
        return found;
    }
};

// Behind the bracket that closes the one at `open`.
size_t past_brackets(const std::vector<HostToken>& tokens, size_t open) {
    int depth = 0;
    for (size_t i = open; i < tokens.size(); ++i) {
        const std::string& text = tokens[i].text;
        if (tokens[i].kind != HostToken::Kind::sign) continue;
        if (text == "(" || text == "{" || text == "[") ++depth;
        if ((text == ")" || text == "}" || text == "]") && --depth == 0) return i + 1;
    }
    return tokens.size();
}

bool is_function(const std::vector<HostToken>& tokens, size_t i) {
    return tokens[i].kind == HostToken::Kind::name && i + 1 < tokens.size() &&
           tokens[i + 1].text == "(";
}

// The functions that launch, or call one that does.
std::set<std::string> launching_functions(const std::vector<HostToken>& tokens) {
    struct Body {
        std::string name;
        size_t begin, end;
    };
    std::vector<Body> bodies;
    for (size_t i = 0; i + 1 < tokens.size(); ++i) {
        if (!is_function(tokens, i)) continue;
        size_t open = past_brackets(tokens, i + 1);
        if (open >= tokens.size() || tokens[open].text != "{") continue;
        const size_t end = past_brackets(tokens, open);
        bodies.push_back({tokens[i].text, open, end});
        i = end - 1;
    }
    std::set<std::string> found;
    for (size_t before = 1; before != found.size();) {
        before = found.size();
        for (const Body& body : bodies)
            for (size_t i = body.begin; i < body.end; ++i)
                if (tokens[i].text == "<<<" || tokens[i].text.starts_with("cudaLaunch") ||
                    tokens[i].text.starts_with("cuLaunchKernel") ||
                    (is_function(tokens, i) && found.contains(tokens[i].text)))
                    found.insert(body.name);
        if (found.empty()) break;
    }
    return found;
}

bool defines_main(const std::vector<HostToken>& tokens) {
    for (size_t i = 0; i + 1 < tokens.size(); ++i)
        if (tokens[i].text == "main" && is_function(tokens, i)) return true;
    return false;
}

// A file beside this one, or in the folder above, with main() that calls what this file launches in:
// its host code comes behind, without lines, as of a header. Of two such files, the first by name.
void add_callers(const fs::path& file, const FindHeader& find, std::vector<HostToken>& tokens) {
    const std::set<std::string> functions = launching_functions(tokens);
    if (functions.empty()) return;
    std::vector<fs::path> beside;
    std::error_code failed;
    const fs::path folder = file.parent_path().empty() ? "." : file.parent_path();
    for (const fs::path& near : {folder, folder / ".."}) {
        std::vector<fs::path> here;
        for (fs::directory_iterator at(near, failed), end; !failed && at != end;
             at.increment(failed))
            for (const char* ending : {".cu", ".cpp", ".cc", ".c", ".cxx"})
                if (at->path().extension() == ending && at->path().filename() != file.filename())
                    here.push_back(at->path());
        std::sort(here.begin(), here.end());
        beside.insert(beside.end(), here.begin(), here.end());
    }
    for (const fs::path& other : beside) {
        std::error_code ignored;
        if (fs::file_size(other, ignored) > 1'000'000 || ignored) continue;
        const std::string text = read_file(other);
        if (text.find("main") == text.npos) continue;
        std::vector<HostToken> more = host_tokens(text, other, find);
        bool calls = false;
        for (size_t i = 0; i < more.size() && !calls; ++i)
            calls = is_function(more, i) && functions.contains(more[i].text);
        if (!calls || !defines_main(more)) continue;
        for (HostToken& token : more) token.line = 0;
        tokens.pop_back();  // its end
        tokens.insert(tokens.end(), more.begin(), more.end());
        return;
    }
}

// "#define fp float": a kernel's parameters say the macro.
void add_type_macros(const std::string& text, std::map<std::string, std::string>& aliases) {
    for (std::string_view line : lines_of(text)) {
        line = trimmed(line);
        if (!line.starts_with("#")) continue;
        const std::vector<HostToken> words = lexed(line.substr(1), 0);
        if (words.size() < 3 || words[0].text != "define") continue;
        std::string type;
        bool plain = true;
        for (size_t i = 2; i < words.size() && words[i].kind != HostToken::Kind::end; ++i) {
            plain = plain && words[i].kind == HostToken::Kind::name;
            type += (type.empty() ? "" : " ") + words[i].text;
        }
        if (plain && !argument_type(type).name.empty()) aliases.try_emplace(words[1].text, type);
    }
}

WalkedProgram walked(const fs::path& file, const std::vector<std::string>& includes, HostWay way) {
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
    std::vector<HostToken> tokens = host_tokens(source, file, find);
    if (!defines_main(tokens)) add_callers(file, find, tokens);
    WalkedProgram program{walk_host(tokens, way), kernels_in_source(source)};
    add_type_macros(source, program.walk.aliases);
    for (const std::string& header : headers) {
        for (KernelInSource& kernel : kernels_in_source(header)) program.kernels.push_back(kernel);
        add_type_macros(header, program.walk.aliases);
    }
    return program;
}

}  // namespace

std::vector<LaunchProposal> propose_launches(const fs::path& file,
                                             const std::vector<std::string>& includes) {
    const WalkedProgram program = walked(file, includes, HostWay::lines);
    std::vector<LaunchProposal> proposals;
    for (const HostLaunch& launch : program.walk.launches) {
        proposals.push_back(
            Proposer(program.walk, launch, program.kernel_of(launch), file.string()).make());
        for (const std::string& folder : includes) {
            proposals.back().command.push_back("--include");
            proposals.back().command.push_back(folder);
        }
    }
    return proposals;
}

// A proposal's command as a launch: the options that the proposer writes, and no others.
static OwnLaunch launch_of(const LaunchProposal& proposal) {
    OwnLaunch launch;
    launch.kernel = proposal.kernel;
    const std::vector<std::string>& words = proposal.command;
    for (size_t i = 3; i + 1 < words.size(); i += 2) {
        const std::string& value = words[i + 1];
        if (words[i] == "--grid") launch.shape.grid = parse_grid(value);
        if (words[i] == "--block") launch.shape.block = parse_block(value);
        if (words[i] == "--cluster") launch.variables.push_back(cluster_variable(value));
        if (words[i] == "--dynamic-shared")
            launch.shape.dynamic_shared_bytes = static_cast<uint32_t>(std::stoul(value));
        if (words[i] == "--arg") launch.arguments.push_back(value);
        if (words[i] == "--constant") launch.variables.push_back(value);
    }
    return launch;
}

static void add_blanks(std::vector<LaunchBlank>& all, const std::vector<LaunchBlank>& more) {
    for (const LaunchBlank& blank : more)
        if (std::none_of(all.begin(), all.end(), [&](const LaunchBlank& known) {
                return known.name == blank.name && known.why == blank.why;
            }))
            all.push_back(blank);
}

LaunchSequence propose_sequence(const fs::path& file, const std::vector<std::string>& includes) {
    const WalkedProgram program = walked(file, includes, HostWay::launches);
    NamedBuffers buffers;
    LaunchSequence sequence;
    std::vector<OwnLaunch> launches;
    for (const HostLaunch& launch : program.walk.launches) {
        const LaunchProposal proposal =
            Proposer(program.walk, launch, program.kernel_of(launch), file.string(), &buffers)
                .make();
        if (!proposal.problem.empty())
            throw Error(Status::bad_input,
                        fmt::format("{}:{}: {}", file.string(), proposal.line, proposal.problem));
        launches.push_back(launch_of(proposal));
        launches.back().include_folders = includes;
        add_blanks(sequence.blanks, proposal.blanks);
    }
    if (launches.empty())
        throw Error(Status::bad_input, file.string() + ": main() makes no launch that was found");
    for (const auto& [index, buffer] : buffers)
        launches.front().buffers.push_back(buffer.name + "=" + buffer.text);
    sequence.last = std::move(launches.back());
    launches.pop_back();
    sequence.last.before = std::move(launches);
    return sequence;
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
