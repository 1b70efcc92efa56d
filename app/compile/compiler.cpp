#include "compile/compiler.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <deque>
#include <mutex>

#include "base/browser.h"
#include "base/error.h"
#include "base/files.h"
#include "base/text.h"
#include "base/words.h"
#include "compile/backend.h"
#include "compile/device_program.h"
#include "compile/diagnostics.h"
#include "compile/host_code.h"
#include "compile/nvrtc.h"
#include "compile/program_store.h"
#include "compile/shipped_programs.h"

namespace lanewise {

namespace fs = std::filesystem;

static constexpr uint64_t kMostCacheBytes = 64u << 20;

// ---- Which compilers there are -----------------------------------------------------------------

static std::atomic<bool> pretending = false;

void pretend_no_compiler(bool pretend) { pretending = pretend; }

static bool is_hidden(CompilerKind kind) {
    const char* value = std::getenv(kind == CompilerKind::clang  ? "LANEWISE_NO_CLANG"
                                    : kind == CompilerKind::nvcc ? "LANEWISE_NO_NVCC"
                                                                 : "LANEWISE_NO_NVRTC");
    bool is_off = value && std::string_view(value) == "1";
    // Who does without the toolkit does without its nvcc.
    if (kind == CompilerKind::nvcc) is_off = is_off || is_hidden(CompilerKind::nvrtc);
    return pretending || is_off;
}

// nullptr where it is not here; shipped programs have none.
static const Backend* backend_of(CompilerKind kind) {
    if (kind == CompilerKind::shipped || is_hidden(kind)) return nullptr;
    if (kind == CompilerKind::nvcc) return nvcc_backend();
    return kind == CompilerKind::nvrtc ? nvrtc_backend() : clang_backend();
}

// In the order in which they are asked.
static std::vector<CompilerKind> allowed_compilers() {
    if (std::optional<CompilerKind> chosen = chosen_compiler()) return {*chosen};
    return {std::begin(kCompilerKinds), std::end(kCompilerKinds)};
}

// The one that compiles a source which nobody has compiled before; nullptr where there is none.
static const Backend* first_backend(const CompileOptions& options) {
    for (CompilerKind kind : allowed_compilers())
        if (const Backend* backend = backend_of(kind); backend && backend->lacks(options).empty())
            return backend;
    return nullptr;
}

// ---- One compiler's attempts at a source -------------------------------------------------------

// Whether the first of what `one` complains of is among what `other` does.
static bool says_the_same(const CompileError& one, const CompileError& other) {
    auto first = std::find_if(one.diagnostics().begin(), one.diagnostics().end(),
                              [](const Diagnostic& found) { return found.is_error; });
    if (first == one.diagnostics().end()) return true;
    return std::any_of(other.diagnostics().begin(), other.diagnostics().end(),
                       [&](const Diagnostic& found) {
                           return found.file == first->file && found.line == first->line &&
                                  found.text == first->text;
                       });
}

// Of a header that nobody finds: a compiler ends there.
static bool is_missing_header(const Diagnostic& found) {
    return found.text.find("open source file") != std::string::npos ||
           found.text.ends_with("file not found");
}

// Hides what the errors are about, where it is the host's; false where nothing is.
static bool hide_errors(const CompileError& error, DeviceProgram& program,
                        std::vector<Diagnostic>& missing) {
    bool hidden = false;
    for (const Diagnostic& found : error.diagnostics()) {
        if (!found.is_error) continue;
        if (!is_missing_header(found)) {
            hidden |= program.hide_at(found.file, found.line);
        } else if (program.hide_include_at(found.file, found.line)) {
            missing.push_back(found);
            hidden = true;
        }
    }
    return hidden;
}

static bool misses_std(const CompileError& error) {
    return std::any_of(
        error.diagnostics().begin(), error.diagnostics().end(),
        [](const Diagnostic& found) { return found.is_error && is_of_whole_std(found.text); });
}

// With the headers that were not found, which may be why.
static CompileError with_missing(const CompileError& error, const std::vector<Diagnostic>& missing,
                                 const Source& source) {
    std::string text = error.what();
    std::vector<Diagnostic> all = error.diagnostics();
    for (const Diagnostic& header : missing) {
        text += "\n" + in_words(header, source);
        all.push_back(header);
    }
    return CompileError(text, all);
}

// The source's device code alone, and that of its local headers. What else does not compile is left
// out, error by error, as long as it is nothing of the device's. Throws `as_it_is`, why the source
// did not compile as it is, where that was nothing of the host's.
static Program compile_device_code(const Backend& backend, const Source& source,
                                   const CompileOptions& options, Standard standard, Until until,
                                   const CompileError& as_it_is) {
    constexpr int kMostTurns = 40;
    DeviceProgram device(source, options);
    if (!device.may_cure(as_it_is.diagnostics())) throw CompileError(as_it_is);
    std::vector<Diagnostic> missing;
    bool whole_std = false;
    for (int turn = 0;; ++turn) {
        try {
            HostCodeLeftOut left_out{device.headers(), whole_std};
            Program program = backend.compile(device.source(), options, standard, until, &left_out);
            program.log += log_of_hidden(device.hidden());
            return program;
        } catch (const CompileError& error) {
            if (!whole_std && misses_std(error)) {  // before what needs it would be hidden
                whole_std = true;
                continue;
            }
            if (turn < kMostTurns && hide_errors(error, device, missing)) continue;
            bool got_over_it = !says_the_same(as_it_is, error);
            if (device.hides_nothing() && !got_over_it) throw CompileError(as_it_is);
            throw with_missing(error, missing, source);
        }
    }
}

static Program compile_with(Standard standard, Until until, const Backend& backend,
                            const Source& source, const CompileOptions& options) {
    try {
        return backend.compile(source, options, standard, until, nullptr);
    } catch (const CompileError& error) {
        if (backend.kind() == CompilerKind::nvcc) throw;  // which knows host code
        return compile_device_code(backend, source, options, standard, until, error);
    }
}

// Whether the text has the word, and `next` behind it, blanks left out; "": whatever follows.
static bool has_words(std::string_view text, std::string_view word, std::string_view next) {
    for (size_t at = text.find(word); at != text.npos; at = text.find(word, at + 1)) {
        std::string_view behind = text.substr(at + word.size());
        bool begins = at == 0 || !is_word_part(text[at - 1]);
        bool ends = behind.empty() || !is_word_part(behind.front());
        bool is_name = is_word_part(word.front());
        if (is_name && !(begins && ends)) continue;
        behind = trimmed(behind);
        if (behind.starts_with(next) && (!is_name || next.empty() || behind.size() == next.size() ||
                                         !is_word_part(behind[next.size()])))
            return true;
    }
    return false;
}

// Whether C++20 may be what a source misses: it has its words, or the compiler says so. Words in
// comments cost a second try, no more. By hand: std::regex takes 30 ms for 20,000 lines.
static bool may_need_cpp20(const Source& source, const CompileError& error) {
    static constexpr std::string_view words[][2] = {
        {"concept", ""},   {"requires", ""}, {"consteval", ""}, {"constinit", ""},
        {"using", "enum"}, {"<=>", ""},      {"]", "<"}};
    std::string said = error.what();
    return said.find("C++20") != std::string::npos ||
           said.find("\"auto\" is not allowed here") != std::string::npos ||
           std::any_of(std::begin(words), std::end(words),
                       [&](const auto& each) { return has_words(source.text, each[0], each[1]); });
}

static Program compile_some_way(const Backend& backend, const Source& source,
                                const CompileOptions& options, Until until) {
    try {
        return compile_with(Standard::cpp17, until, backend, source, options);
    } catch (const CompileError& error) {
        if (!may_need_cpp20(source, error)) throw;
        try {
            return compile_with(Standard::cpp20, until, backend, source, options);
        } catch (const CompileError& newer) {
            if (newer.diagnostics().size() < error.diagnostics().size()) throw;
            throw CompileError(error);
        }
    }
}

// ---- What was refused lately -------------------------------------------------------------------

namespace {
// What is typed is checked first, and then its picture is asked for: that compiles the same text.
class Refusals {
  public:
    void add(const std::string& of, const CompileError& error) {
        std::lock_guard lock(mutex_);
        if (kept_.size() == kMost) kept_.pop_front();
        kept_.emplace_back(of, error);
    }
    std::optional<CompileError> find(const std::string& of) {
        std::lock_guard lock(mutex_);
        for (const auto& [key, error] : kept_)
            if (key == of) return error;
        return {};
    }

  private:
    static constexpr size_t kMost = 4;
    std::mutex mutex_;
    std::deque<std::pair<std::string, CompileError>> kept_;
};
}  // namespace

static Refusals& refusals() {
    static Refusals all;
    return all;
}

static std::string refusal_key(const Backend& backend, const std::string& key,
                               const CompileOptions& options) {
    return fmt::format("{} {} {}", static_cast<int>(backend.kind()), backend.version(options), key);
}

// ---- Programs that are there already -----------------------------------------------------------

// One for each compiler.
static ProgramStore user_cache(CompilerKind kind) {
    const char* folder = kind == CompilerKind::clang  ? "programs-clang"
                         : kind == CompilerKind::nvcc ? "programs-nvcc"
                                                      : "programs";
    return ProgramStore(cache_folder() / folder, kMostCacheBytes);
}

// version: "" for any, which will do where that compiler is not here now.
static std::optional<Program> cached(CompilerKind kind, const std::string& key,
                                     const std::string& version) {
    std::optional<Program> program = user_cache(kind).find(key, version);
    if (program) program->origin = Program::Origin::cached;
    return program;
}

static std::optional<Program> shipped(const Source& source, const CompileOptions& options) {
    std::optional<Program> program = shipped_program(source, options);
    if (!program) return {};
    program->origin = Program::Origin::shipped;
    program->compiler += ", shipped";
    if (program->arch != options.arch) program->compiler += " for " + program->arch;
    return program;
}

static std::optional<Program> made_by_nvcc(const CompileOptions& options, const std::string& key);

static Program compiled(const Backend& backend, const Source& source, const CompileOptions& options,
                        const std::string& key) {
    if (auto refusal = refusals().find(refusal_key(backend, key, options))) throw CompileError(*refusal);
    Program program = compile_some_way(backend, source, options, Until::program);
    program.arch = options.arch;
    program.compiler = backend.name(options);
    user_cache(backend.kind()).store(program, key, backend.version(options));
    return program;
}

// What is shipped, where this compiler would only make the same again: it is of its version and for this very
// architecture. Who names a compiler wants its own work.
static std::optional<Program> made_by_the_same(const Backend& backend, const Source& source,
                                               const CompileOptions& options) {
    if (backend.kind() != CompilerKind::nvrtc || chosen_compiler()) return {};
    std::optional<Program> program = shipped_program(source, options);
    bool is_the_same = program && program->arch == options.arch && !program->cubin.empty() &&
                       program->compiler == backend.name(options);
    if (!is_the_same) return {};
    program->origin = Program::Origin::shipped;
    program->compiler += ", shipped";
    return program;
}

// nullopt where this compiler is not here and made nothing of it before.
static std::optional<Program> from(CompilerKind kind, const Source& source,
                                   const CompileOptions& options, const std::string& key) {
    if (kind == CompilerKind::shipped) return shipped(source, options);
    const Backend* backend = backend_of(kind);
    if (!backend || !backend->lacks(options).empty()) return cached(kind, key, "");
    std::optional<Program> program = cached(kind, key, backend->version(options));
    if (!program) program = made_by_nvcc(options, key);
    if (!program) program = made_by_the_same(*backend, source, options);
    return program ? program : compiled(*backend, source, options, key);
}

// ---- What the others refuse --------------------------------------------------------------------

static constexpr std::string_view kRefusedInLog = "refused by the others: ";

std::string refused_in_log(std::string_view log) {
    for (std::string_view line : lines_of(log))
        if (line.starts_with(kRefusedInLog)) return std::string(line.substr(kRefusedInLog.size()));
    return {};
}

// nvcc's, where it may be asked and is here; a compiler that was chosen stands alone.
static const Backend* nvcc_for(const CompileOptions& options) {
    bool may = options.or_by_nvcc && !chosen_compiler();
    const Backend* nvcc = may ? backend_of(CompilerKind::nvcc) : nullptr;
    return nvcc && nvcc->lacks(options).empty() ? nvcc : nullptr;
}

// What it made of this source before. Another pass over host code may spare it.
static std::string version_for(const Backend& nvcc, const CompileOptions& options) {
    return nvcc.version(options) + "-" + host_headers_version();
}
static std::optional<Program> made_by_nvcc(const CompileOptions& options, const std::string& key) {
    const Backend* nvcc = nvcc_for(options);
    if (!nvcc) return {};
    return cached(CompilerKind::nvcc, key, version_for(*nvcc, options));
}

// A name that fits no kernel is no reason to try another compiler.
static bool is_about_the_name(const CompileError& error) {
    return error.diagnostics().size() == 1 &&
           error.diagnostics()[0].text.starts_with("no kernel fits");
}

static Program compile_by_nvcc(const Backend& nvcc, const Source& source,
                               const CompileOptions& options, const std::string& key,
                               const CompileError& refusal) {
    try {
        Program program = compile_some_way(nvcc, source, options, Until::program);
        std::string_view first = lines_of(refusal.what()).front();
        program.log += fmt::format("\n{}{}\n", kRefusedInLog, first);
        program.arch = options.arch;
        program.compiler = nvcc.name(options);
        program.kind = CompilerKind::nvcc;
        user_cache(CompilerKind::nvcc).store(program, key, version_for(nvcc, options));
        return program;
    } catch (const CompileError& error) {
        // A header that neither finds is told in the words that know what to do about it.
        bool misses_header =
            std::string_view(error.what()).find("No such file or directory") != std::string::npos;
        if (is_about_the_name(error) || misses_header || says_the_same(refusal, error))
            throw CompileError(refusal);
        throw CompileError(fmt::format("{}\nThese are the words of {}; {} refuses the file as well",
                                       error.what(), nvcc.name(options), compiler_in_use()),
                           error.diagnostics());
    }
}

// ---- Why there is nothing ----------------------------------------------------------------------

// What that compiler needs before it can compile with these options; "" where nothing helps.
static std::string how_to_get(CompilerKind kind, const CompileOptions& options) {
    if (const Backend* backend = backend_of(kind)) return backend->lacks(options);
    return kind == CompilerKind::nvrtc   ? how_to_get_nvrtc()
           : kind == CompilerKind::clang ? how_to_get_clang()
           : kind == CompilerKind::nvcc  ? "It comes with NVIDIA's CUDA toolkit"
                                         : "";
}

static std::string why_nothing(const Source& source, const CompileOptions& options) {
    std::optional<CompilerKind> chosen = chosen_compiler();
    if (chosen == CompilerKind::shipped)
        return "no such program is shipped, and --compiler shipped allows no other. Leave it out, "
               "or choose nvrtc or clang";
    if (chosen) {
        bool is_here = backend_of(*chosen) != nullptr;
        std::string name = *chosen == CompilerKind::nvrtc   ? "NVRTC"
                           : *chosen == CompilerKind::clang ? "clang"
                                                            : "nvcc";
        return (is_here ? "" : "there is no " + name + ", and it was not compiled before. ") +
               how_to_get(*chosen, options);
    }
    if (backend_of(CompilerKind::nvrtc)) return how_to_get(CompilerKind::nvrtc, options);
    if (backend_of(CompilerKind::clang)) return how_to_get(CompilerKind::clang, options);
    std::string problem = shipped_problem(source);
    if (!problem.empty()) return "there is no compiler here, and " + problem;
    if (kInBrowser)
        return std::string("this source is none of those that were compiled beforehand, and ") +
               kWantsDesktop;
    return "there is no compiler here, and this source is none of those that are shipped. " +
           how_to_get_clang() + ", or NVIDIA's CUDA toolkit; the shipped stages go on without";
}

// Of a page: the stage's file is fetched when it is wanted, and may come at the next try.
static void refuse_what_did_not_come(const Source& source) {
    if (shipped_problem(source).empty()) return;
    throw Error(Status::bad_input,
                fmt::format("{}.programs, the compiled program of this stage, did not come whole from where the "
                            "page came from: try again, or go on with another stage",
                            fs::path(source.name).stem().string()));
}

static Program cached_or_compiled(const Source& source, const CompileOptions& options) {
    std::string key = program_key(source, options);
    for (CompilerKind kind : allowed_compilers()) try {
            if (std::optional<Program> program = from(kind, source, options, key)) {
                program->kind = program->compiler.starts_with("nvcc") ? CompilerKind::nvcc : kind;
                return *program;
            }
        } catch (const CompileError& refusal) {
            const Backend* nvcc = kind == CompilerKind::nvcc ? nullptr : nvcc_for(options);
            if (!nvcc || is_about_the_name(refusal)) throw;
            return compile_by_nvcc(*nvcc, source, options, key, refusal);
        }
    if (kInBrowser) refuse_what_did_not_come(source);
    throw NoCompiler(fmt::format("cannot compile {} as {} for {}: {}", source.name, options.kernel,
                                 options.arch, why_nothing(source, options)));
}

// ---- The interface -----------------------------------------------------------------------------

// A compiler takes the source as C strings and files of text, and would not see what is behind a
// zero byte.
static void check_text(const Source& source) {
    size_t zero = source.text.find('\0');
    if (zero == std::string::npos) return;
    auto line = 1 + std::count(source.text.begin(),
                               source.text.begin() + static_cast<std::ptrdiff_t>(zero), '\n');
    throw Error(Status::bad_input, source.name + ":" + std::to_string(line) +
                                       ": there is a zero byte; this is no text file. Save it as "
                                       "UTF-8 without such bytes");
}

Program compile(const Source& source, const CompileOptions& options) {
    auto start = std::chrono::steady_clock::now();
    check_text(source);
    Program program = cached_or_compiled(source, options);
    for (Diagnostic& found : parse_log(program.log, source.name))
        if (!found.is_error) program.warnings.push_back(std::move(found));
    program.milliseconds =
        std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
    return program;
}

void check_source(const Source& source, const CompileOptions& options) {
    check_text(source);
    const Backend* backend = first_backend(options);
    if (!backend) return;
    try {
        compile_some_way(*backend, source, options, Until::syntax);
    } catch (const CompileError& error) {
        // A header that is missing may be there at the next try.
        if (std::none_of(error.diagnostics().begin(), error.diagnostics().end(), is_missing_header))
            refusals().add(refusal_key(*backend, program_key(source, options), options), error);
        throw;
    } catch (const Error&) {  // of an option; what is wrong, compile() says it to the user
    }
}

Program compile_afresh(const Source& source, const CompileOptions& options) {
    const Backend* nvrtc = backend_of(CompilerKind::nvrtc);
    std::string lacks = nvrtc ? nvrtc->lacks(options) : how_to_get_nvrtc();
    if (!lacks.empty())
        throw Error(Status::bad_input, fmt::format("cannot compile {}: {}", source.name, lacks));
    Program program = compile_some_way(*nvrtc, source, options, Until::program);
    program.arch = options.arch;
    program.compiler = nvrtc->name(options);
    return program;
}

void warm_up_compiler() {
    try {
        CompileOptions options;
        options.kernel = "warm_up";
        const Backend* backend = first_backend(options);
        if (!backend) return;
        backend->compile({"warm_up.cu", "__global__ void warm_up(int* out) { *out = 1; }"}, options,
                         Standard::cpp17, Until::program, nullptr);
    } catch (const Error&) {  // whatever is wrong, the next compile() says it to the user
    }
}

std::string cannot_compile(const Source& source, const CompileOptions& options) try {
    if (first_backend(options)) return "";
    std::string key = program_key(source, options);
    for (CompilerKind kind : allowed_compilers()) {
        bool is_here = kind == CompilerKind::shipped ? shipped(source, options).has_value()
                                                     : cached(kind, key, "").has_value();
        if (is_here) return "";
    }
    return fmt::format("cannot compile {} for {}: {}", source.name, options.arch,
                       why_nothing(source, options));
} catch (const Error& error) {
    return error.what();
}

std::string compiler_in_use() try {
    const Backend* backend = first_backend({});
    return backend ? backend->name({}) : "";
} catch (const Error&) {  // LANEWISE_COMPILER names none
    return "";
}

static CompilerFound found(CompilerKind kind, const std::string& title, const std::string& gives,
                           const std::string& advice) {
    const Backend* backend = backend_of(kind);
    return {kind, backend != nullptr, backend ? backend->name({}) : "no " + title, gives,
            backend ? "" : advice};
}

std::vector<CompilerFound> compilers() {
    CompilerFound shipped{CompilerKind::shipped, true, "", "", ""};
    ShippedStatus programs = shipped_status();
    shipped.found = programs.programs > 0;
    shipped.name = shipped.found ? fmt::format("{} programs by {} in {}, {}", programs.programs,
                                               programs.compiler, shipped_folder().string(),
                                               in_bytes(programs.bytes))
                                 : "none";
    shipped.gives = "Every setting of the course, with all that NVRTC gives.";
    shipped.advice = fmt::format("{}", fmt::join(programs.problems, "\n"));
    if (!shipped.found && shipped.advice.empty())
        shipped.advice =
            "Install Lanewise's own files again (assets/programs), or write them where NVRTC is, "
            "with lanewise-engine prebuild --all";
    return {found(CompilerKind::nvrtc, "NVRTC",
                  "Any kernel: PTX and machine code, so registers, occupancy and counts as the "
                  "hardware has them.",
                  how_to_get_nvrtc()),
            shipped,
            found(CompilerKind::clang, "clang",
                  "Any kernel, without NVIDIA's software: PTX alone, so registers and machine code "
                  "are not known.",
                  how_to_get_clang()),
            found(CompilerKind::nvcc, "nvcc",
                  "Kernels of your own that the others refuse: PTX and machine code.",
                  "Nothing is missing without it; it comes with NVIDIA's CUDA toolkit")};
}

CompilerStatus compiler_status() {
    CompilerStatus status;
    if (is_hidden(CompilerKind::nvrtc)) {
        status.advice = "NVRTC is switched off for this run (LANEWISE_NO_NVRTC or --no-toolkit)";
        return status;
    }
    const NvrtcSearch& search = find_nvrtc();
    status.found = search.found;
    status.version = search.nvrtc.version;
    status.library = search.nvrtc.path;
    status.include_folder = search.nvrtc.include_folder;
    status.looked_in = search.looked_in;
    if (!search.found) status.advice = how_to_get_nvrtc();
    return status;
}

}  // namespace lanewise
