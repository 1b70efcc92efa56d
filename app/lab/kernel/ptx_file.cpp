#include "lab/kernel/ptx_file.h"

#include <cxxabi.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <memory>
#include <optional>

#include "base/error.h"
#include "base/files.h"
#include "base/text.h"
#include "lab/job/job.h"
#include "lab/kernel/ptx_parameters.h"
#include "ptx/callers.h"
#include "ptx/parser.h"

namespace lanewise {

namespace fs = std::filesystem;

namespace {

// What the parser and the machine were written for.
constexpr int kNewestMajor = 9, kNewestMinor = 0;

// ---- the text

// "8.7" behind .version; "" where there is none.
std::string version_in(std::string_view text) {
    constexpr std::string_view kDirective = ".version";
    for (std::string_view line : lines_of(text)) {
        line = trimmed(line);
        if (!line.starts_with(kDirective)) continue;
        line = trimmed(line.substr(kDirective.size()));
        return std::string(line.substr(0, line.find_first_not_of("0123456789.")));
    }
    return {};
}

bool is_newer(const std::string& version) {
    std::vector<std::string_view> parts = split(version, '.');
    int64_t major = 0, minor = 0;
    if (!parse_integer(parts[0], major)) return false;
    if (parts.size() > 1) parse_integer(parts[1], minor);
    return std::pair(major, minor) > std::pair<int64_t, int64_t>(kNewestMajor, kNewestMinor);
}

std::string sentence_on_newer(const std::string& version) {
    return fmt::format("it is PTX {}, and {}.{} is the newest that is known here", version,
                       kNewestMajor, kNewestMinor);
}

// Whether the parser ran out of text.
bool is_about_the_end(std::string_view message) {
    for (std::string_view words : {"but the text ends", "the text ends before", "does not end"})
        if (message.find(words) != message.npos) return true;
    return false;
}

// Why it cannot be read, in one sentence about the file.
[[noreturn]] void fail_to_read(const std::string& file, const std::string& text,
                               const std::string& why) {
    if (is_about_the_end(why)) reject(file + " is cut off, write it once more: " + why);
    std::string version = version_in(text);
    reject(file + ": " + why + (is_newer(version) ? " (" + sentence_on_newer(version) + ")" : ""));
}

void check_is_ptx(const std::string& file, const std::string& text) {
    const char* how =
        "nvcc -ptx, clang -S --cuda-device-only, Triton's compiled.asm[\"ptx\"] and Numba's "
        "inspect_asm() write PTX";
    constexpr std::string_view kElf = "\177ELF", kFatbin = "\x50\xed\x55\xba";
    if (trimmed(text).empty()) reject(file + " is empty");
    if (text.starts_with(kElf) || text.starts_with(kFatbin))
        reject(file + " holds machine code and no PTX, which is what is interpreted; " + how);
    if (text.find('\0') != std::string::npos) reject(file + " is no text, and so no PTX; " + how);
    if (version_in(text).empty())
        reject(file + " is no PTX: it does not say which .version it is; " + how);
}

// ---- names

std::string demangled(const std::string& entry) {
    int status = 0;
    std::unique_ptr<char, void (*)(void*)> name(
        abi::__cxa_demangle(entry.c_str(), nullptr, nullptr, &status), std::free);
    return status == 0 && name ? name.get() : entry;
}

// "void turn<float>(float const*)" -> "turn<float>"; what Numba writes,
// "module::saxpy[abi:v1][abi:c8t…](float, …)" -> "saxpy".
std::string name_of(const std::string& entry) {
    std::string name = demangled(entry);
    bool is_numba = name.find("[abi:") != std::string::npos;
    for (size_t tag; (tag = name.find("[abi:")) != std::string::npos;)
        name.erase(tag, name.find(']', tag) - tag + 1);
    // The parameters: the last brackets outside of < >.
    if (name.ends_with(')')) {
        size_t open = name.size();
        for (int depth = 0; open-- > 0;) {
            if (name[open] == ')') ++depth;
            if (name[open] == '(' && --depth == 0) break;
        }
        name.resize(std::min(open, name.size()));
    }
    // The result, which only a template's name has.
    if (name.starts_with("void ")) name.erase(0, 5);
    if (is_numba) name = base_name(name.substr(name.rfind("::") + 2));
    return name.empty() ? entry : name;
}

std::vector<PtxKernel> kernels_of(const ptx::Module& module) {
    std::vector<PtxKernel> kernels;
    std::map<std::string, int> times;
    for (const ptx::Kernel& kernel : module.kernels) {
        bool is_sized = std::any_of(kernel.shared.begin(), kernel.shared.end(),
                                    [](const ptx::Variable& array) { return array.bytes == 0; });
        kernels.push_back(
            {kernel.name, name_of(kernel.name), kernel.required_block, is_sized, kernel.line});
        ++times[kernels.back().name];
    }
    // Names that two have tell nobody which is meant.
    for (PtxKernel& kernel : kernels)
        if (times[kernel.name] > 1) kernel.name = kernel.entry;
    return kernels;
}

std::string list_of(const PtxFile& file) {
    std::string text = "The file's kernels:";
    for (const PtxKernel& kernel : file.kernels)
        text += fmt::format("\n    {}   line {}", kernel.name, kernel.line);
    return text;
}

// The only kernel for which it holds; nullptr where there is none, or more than one.
template <typename Holds>
const PtxKernel* only_one(const PtxFile& file, const Holds& holds) {
    const PtxKernel* found = nullptr;
    for (const PtxKernel& kernel : file.kernels) {
        if (!holds(kernel)) continue;
        if (found) return nullptr;
        found = &kernel;
    }
    return found;
}

// ---- the source

std::string base_of(const std::string& path) { return path.substr(path.find_last_of("/\\") + 1); }

// LLVM, where it writes lines alone and no more for a debugger, says in a comment where code was
// inlined, and not in its .loc, as NVVM does:
//   .loc 2 293 36   // standard.py:293:36 @[ kernels.py:28:33 ]
// Such lines get both that calls take in a .loc (PTX manual, 11.5.5), so that the parser knows them
// too. Lines keep their numbers.
class CommentedCalls {
  public:
    explicit CommentedCalls(const std::string& text) {
        for (std::string_view line : lines_of(text)) note_file(trimmed(line));
        for (std::string_view line : lines_of(text)) {
            if (!add(line)) text_ += line;
            text_ += '\n';
        }
    }
    std::string take() { return std::move(text_); }

  private:
    // .file 2 "/folder/standard.py"
    void note_file(std::string_view line) {
        constexpr std::string_view kFile = ".file";
        size_t quote = line.find('"'), end = line.rfind('"');
        int64_t number = 0;
        if (!line.starts_with(kFile) || quote == line.npos || end == quote) return;
        if (!parse_integer(trimmed(line.substr(kFile.size(), quote - kFile.size())), number))
            return;
        std::string name = base_of(std::string(line.substr(quote + 1, end - quote - 1)));
        numbers_.try_emplace(name, number);
    }
    bool add(std::string_view line) {
        size_t comment = line.find("//");
        if (!trimmed(line).starts_with(".loc") || comment == line.npos) return false;
        std::vector<std::string> around;  // the call that the line is inlined in, then that one's …
        size_t at = line.find("@[", comment);
        for (; at != line.npos; at = line.find("@[", at + 2)) {
            std::string position = position_in(line.substr(at + 2));
            if (position.empty()) return false;
            around.push_back(std::move(position));
        }
        if (around.empty() || line.substr(0, comment).find(',') != line.npos) return false;
        text_ += ".loc " + around.back();
        for (size_t i = around.size() - 1; i-- > 0;)
            text_ += " .loc " + around[i] + inlined_at(around[i + 1]);
        text_ += fmt::format(" {}{}", trimmed(line.substr(0, comment)), inlined_at(around[0]));
        return true;
    }
    static std::string inlined_at(const std::string& position) {
        return ", function_name $inlined, inlined_at " + position;
    }
    // " kernels.py:28:33 @[ …" or " kernels.py:28:33 ]" -> "1 28 33"; "" for anything else.
    std::string position_in(std::string_view text) const {
        text = trimmed(text.substr(0, std::min(text.find("@["), text.find(']'))));
        size_t column = text.rfind(':');
        if (column == text.npos || column == 0) return "";
        size_t line = text.rfind(':', column - 1);
        if (line == text.npos) return "";
        auto number = numbers_.find(base_of(std::string(text.substr(0, line))));
        int64_t checked = 0;
        bool reads = parse_integer(text.substr(line + 1, column - line - 1), checked) &&
                     parse_integer(text.substr(column + 1), checked);
        if (number == numbers_.end() || !reads) return "";
        return fmt::format("{} {} {}", number->second, text.substr(line + 1, column - line - 1),
                           text.substr(column + 1));
    }

    std::map<std::string, int64_t> numbers_;  // by the file's name without its folder
    std::string text_;
};

// The kernel, with what is inlined where.
ptx::Kernel parsed(const std::string& text, const std::string& entry) {
    return ptx::parse(text.find("@[") == std::string::npos ? text : CommentedCalls(text).take(),
                      entry);
}

ptx::Position outermost(const ptx::Kernel& kernel, const ptx::Instruction& instruction) {
    ptx::Position at = instruction.position;
    for (int call = instruction.call; call >= 0;
         call = kernel.calls[static_cast<size_t>(call)].outer)
        at = kernel.calls[static_cast<size_t>(call)].at;
    return at;
}

// The number of the file that most of the kernel's code comes from, inlined code counted where it
// is called; 0 where no .loc says it. `last`: the last line of it that is named.
int main_file(const ptx::Kernel& kernel, int* last = nullptr) {
    std::map<int, int> instructions, lines;
    for (const ptx::Instruction& instruction : kernel.instructions) {
        ptx::Position at = outermost(kernel, instruction);
        if (at.line == 0 || at.file <= 0 || static_cast<size_t>(at.file) >= kernel.files.size())
            continue;
        ++instructions[at.file];
        lines[at.file] = std::max(lines[at.file], at.line);
    }
    auto most = std::max_element(instructions.begin(), instructions.end(),
                                 [](auto& a, auto& b) { return a.second < b.second; });
    if (most == instructions.end()) return 0;
    if (last) *last = lines[most->first];
    return most->first;
}

// Where the source may lie: where the compiler saw it, beside the PTX, in one of the folders.
std::vector<fs::path> places(const std::string& named, const fs::path& ptx,
                             const std::vector<std::string>& folders) {
    std::vector<fs::path> places;
    if (fs::path(named).is_absolute()) places.emplace_back(named);
    std::vector<fs::path> near = {ptx.parent_path()};
    near.insert(near.end(), folders.begin(), folders.end());
    for (const fs::path& folder : near) {
        if (fs::path(named).is_relative()) places.push_back(folder / named);
        places.push_back(folder / base_of(named));
    }
    return places;
}

// The first of them that is a text of at least `lines` lines.
std::optional<std::string> first_text(const std::vector<fs::path>& places, int lines) {
    constexpr uintmax_t kMostBytes = 4u << 20;
    for (const fs::path& place : places) {
        std::error_code failed;
        if (!fs::is_regular_file(place, failed) || fs::file_size(place, failed) > kMostBytes)
            continue;
        try {
            std::string text = read_file(place);
            bool is_text = text.find('\0') == std::string::npos;
            if (is_text && lines_of(text).size() >= static_cast<size_t>(lines)) return text;
        } catch (const Error&) {  // that cannot be read: the next may be
        }
    }
    return std::nullopt;
}

bool shows_ptx(const Job& job) { return job.stage.file == job.own.ptx_file; }

// Every instruction at its own line of the PTX.
void place_in_ptx(ptx::Kernel& kernel, const std::string& file) {
    kernel.files = {"", file};
    kernel.calls.clear();
    for (ptx::Instruction& instruction : kernel.instructions) {
        instruction.position = {1, instruction.ptx_line, 1};
        instruction.call = -1;
    }
}

std::string compiler_of(const std::string& ptx) {
    std::string_view head = std::string_view(ptx).substr(0, 2000);
    auto has = [&](std::string_view words) { return head.find(words) != head.npos; };
    // Triton, Numba, … do not say their names.
    const char* name = has("LLVM NVPTX")             ? "LLVM"
                       : has("NVIDIA NVVM Compiler") ? "NVVM"
                                                     : "another compiler";
    return fmt::format("{} (PTX {})", name, version_in(ptx));
}

}  // namespace

bool is_ptx_file(const fs::path& file) { return file.extension() == ".ptx"; }

PtxFile read_ptx_file(const fs::path& path) {
    PtxFile file;
    file.path = fs::absolute(path).lexically_normal();
    file.name = file.path.filename().string();
    file.text = read_file(file.path);
    while (!file.text.empty() && file.text.back() == '\0') file.text.pop_back();  // C's terminator
    check_is_ptx(file.name, file.text);
    try {
        file.kernels = kernels_of(ptx::parse_heads(file.text));
    } catch (const Error& error) {
        fail_to_read(file.name, file.text, error.what());
    }
    if (file.kernels.empty())
        reject(file.name + " has no kernel (.entry): functions alone cannot be launched");
    return file;
}

const PtxKernel& kernel_called(const PtxFile& file, const std::string& given) {
    std::string name(trimmed(given));
    if (name.empty() && file.kernels.size() == 1) return file.kernels.front();
    if (name.empty()) reject(file.name + ": say which kernel with --kernel NAME\n" + list_of(file));
    auto is = [&](const PtxKernel& kernel) { return kernel.entry == name || kernel.name == name; };
    auto ends_so = [&](const PtxKernel& kernel) { return base_name(kernel.name) == name; };
    auto has_it = [&](const PtxKernel& kernel) {
        return kernel.entry.find(name) != std::string::npos;
    };
    if (const PtxKernel* found = only_one(file, is)) return *found;
    if (const PtxKernel* found = only_one(file, ends_so)) return *found;
    if (const PtxKernel* found = only_one(file, has_it)) return *found;
    bool is_vague = std::any_of(file.kernels.begin(), file.kernels.end(), has_it);
    reject(fmt::format("{}: {} kernel \"{}\"\n{}", file.name,
                       is_vague ? "there is more than one" : "there is no", name, list_of(file)));
}

void take_ptx(const PtxFile& file, const PtxKernel& kernel, OwnLaunch& own) {
    own.kernel = kernel.name;
    own.ptx = file.text;
    own.ptx_file = file.name;
}

Stage ptx_stage(const PtxFile& file, const PtxKernel& kernel,
                const std::vector<std::string>& include_folders) {
    Stage stage;
    stage.path = file.path;
    stage.id = stage.file = file.name;
    stage.source = file.text;
    stage.kernel = stage.title = kernel.name;
    int last = 0;
    std::string named;
    try {
        ptx::Kernel read = parsed(file.text, kernel.entry);
        named = read.files.at(static_cast<size_t>(main_file(read, &last)));
    } catch (const Error& error) {
        fail_to_read(file.name, file.text, error.what());
    }
    if (named.empty()) return stage;
    if (auto text = first_text(places(named, file.path, include_folders), last)) {
        stage.file = base_of(named);
        stage.source = *text;
    }
    return stage;
}

std::vector<KernelParameter> parameters_of(const PtxFile& file, const PtxKernel& kernel,
                                           const Stage& shown) {
    try {
        return ptx_parameters(ptx::parse(file.text, kernel.entry), shown, kernel.name);
    } catch (const Error& error) {
        fail_to_read(file.name, file.text, error.what());
    }
}

Program ptx_program(const OwnLaunch& own) {
    PtxFile file;
    file.name = own.ptx_file;
    file.text = own.ptx;
    ptx::Module module = ptx::parse_heads(own.ptx);
    file.kernels = kernels_of(module);
    Program program;
    program.entry = kernel_called(file, own.kernel).entry;
    program.ptx = own.ptx;
    program.arch = module.target;
    program.compiler = compiler_of(own.ptx);
    program.origin = Program::Origin::shipped;
    return program;
}

ptx::Kernel ptx_kernel(const Job& job, const Program& program) {
    ptx::Kernel kernel;
    try {
        kernel = parsed(program.ptx, program.entry);
        Machine knows_it(kernel);
    } catch (const Error& error) {
        fail_to_read(job.own.ptx_file, program.ptx, error.what());
    }
    int file = main_file(kernel);
    bool is_shown = file != 0 && base_of(kernel.files[static_cast<size_t>(file)]) == job.stage.file;
    if (shows_ptx(job) || !is_shown) return place_in_ptx(kernel, job.own.ptx_file), kernel;
    kernel.files[static_cast<size_t>(file)] = job.stage.file;
    // Its library's code is told of where the source calls it: no other file can be shown.
    ptx::attribute_to_callers(kernel,
                              [&](const std::string& name) { return name != job.stage.file; });
    return kernel;
}

std::vector<std::string> notes_on_ptx(const Job& job, const ptx::Kernel& kernel) {
    std::vector<std::string> notes;
    if (std::string version = version_in(job.own.ptx); is_newer(version))
        notes.push_back(
            fmt::format("{} is PTX {}: what came after PTX {}.{} is taken as that "
                        "version has it.",
                        job.own.ptx_file, version, kNewestMajor, kNewestMinor));
    if (!shows_ptx(job)) return notes;
    ptx::Kernel written = parsed(job.own.ptx, kernel.name);
    int last = 0, file = main_file(written, &last);
    if (file == 0)
        notes.push_back(job.own.ptx_file +
                        " names no source lines (.loc), so the lines are its own; a compiler "
                        "writes them when asked for line information (-lineinfo).");
    else
        notes.push_back(fmt::format(
            "The lines are those of {0}. It was compiled from {1}, which was not found beside it "
            "with the {2} lines that it needs; --include FOLDER says where it lies.",
            job.own.ptx_file, base_of(written.files[static_cast<size_t>(file)]), last));
    return notes;
}

}  // namespace lanewise
