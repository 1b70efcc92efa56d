#include "lab/record/doctor.h"

#include <dlfcn.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <nlohmann/json.hpp>

#include "base/files.h"
#include "base/font_folders.h"
#include "base/text.h"
#include "compile/compiler.h"
#include "compile/header_library.h"
#include "compile/shipped_programs.h"
#include "course/catalogue.h"
#include "gpu/cublas.h"
#include "gpu/cupti_counters.h"
#include "gpu/cupti_permission.h"
#include "gpu/cusparse.h"
#include "gpu/device.h"
#include "lab/job/needs.h"
#include "lab/record/published.h"
#include "lab/record/recording.h"

namespace lanewise {

namespace fs = std::filesystem;
using Json = nlohmann::json;

namespace {

Check gpu() {
    const GpuStatus& status = gpu_status();
    if (!status.found) return {"GPU", false, "none in use", status.problem};
    const GpuDescription& gpu = status.gpu;
    std::string found = fmt::format("{} ({}), {}, driver {}", gpu.name, gpu.arch,
                                    in_bytes(gpu.total_bytes), gpu.driver);
    for (const GpuDescription& other : status.all)
        if (other.index != gpu.index)
            found += fmt::format("; --gpu {}: {}", other.index, other.name);
    return {"GPU", true, found, ""};
}

// NVRTC, shipped programs, clang: any of them is enough for the course.
std::vector<Check> compiler_checks() {
    std::vector<Check> checks;
    for (const CompilerFound& one : compilers()) {
        const char* name = one.kind == CompilerKind::nvrtc     ? "CUDA compiler"
                           : one.kind == CompilerKind::shipped ? "Shipped programs"
                           : one.kind == CompilerKind::nvcc    ? "nvcc"
                                                               : "clang";
        std::string where = one.kind == CompilerKind::nvrtc ? compiler_status().library : "";
        std::string what = one.name + (where.empty() ? "" : ", " + where);
        if (one.found) what += ". " + one.gives;
        checks.push_back({name, one.found && one.advice.empty(), what,
                          one.found ? one.advice : one.gives + "\n" + one.advice});
    }
    return checks;
}

// What works without NVRTC, below the row that misses it.
void say_what_goes_on(std::vector<Check>& checks) {
    if (checks[0].ok) return;
    bool shipped = checks[1].ok, clang = checks[2].ok;
    checks[0].advice +=
        shipped && clang ? ". Without it the course goes on with shipped programs, and clang "
                           "compiles edits and kernels of your own"
        : shipped ? ". Without it the course goes on with shipped programs; for edits and kernels "
                    "of your own install clang-19"
        : clang   ? ". Without it clang compiles all kernels"
                  : ". Without it only kernels that are already compiled can be shown";
}

Check toolkit_headers() {
    CompilerStatus status = compiler_status();
    if (!status.include_folder.empty()) return {"CUDA headers", true, status.include_folder, ""};
    return {"CUDA headers", false, "not found",
            "The stages need none; kernels that include cuda_fp16.h and the like need the CUDA "
            "toolkit's development packages"};
}

// What the libraries' rungs need; everything else goes on without.
Check library(const char* name, const LibraryStatus& status) {
    if (status.found) return {name, true, status.library, ""};
    return {name, false, "not found", status.advice};
}

Check headers(const char* name, const char* library) {
    const HeaderLibrary& headers = header_library(library);
    if (headers.found) return {name, true, headers.version + ", " + headers.folders.front(), ""};
    return {name, false, "not found", headers.advice};
}

// Whether the hardware's counters can be read; only meaningful beside a GPU.
std::vector<Check> counters() {
    if (!gpu_status().found) return {};
    std::string missing = missing_counters();
    if (missing.empty())
        return {{"GPU counters", true, "may be read; " + in_words(counter_permission()), ""}};
    return {{"GPU counters", false, "cannot be read",
             missing + ". Everything but `run --counters` works without"}};
}

Check content() {
    try {
        Catalogue catalogue = Catalogue::load(content_folder());
        std::string broken;
        for (const Stage& stage : catalogue.stages())
            if (!stage.error.empty()) broken += "\n" + stage.error;
        std::string found =
            fmt::format("{} stages in {}", catalogue.stages().size(), catalogue.content().string());
        if (broken.empty()) return {"Stages", true, found, ""};
        return {"Stages", false, found, "These cannot be used:" + broken};
    } catch (const Error& error) {
        return {"Stages", false, "not found", error.what()};
    }
}

// Whether files can be made in `folder`, or in the nearest parent that exists.
bool writable(fs::path folder) {
    std::error_code ignored;
    while (!fs::exists(folder, ignored) && folder.has_relative_path())
        folder = folder.parent_path();
    return ::access(folder.c_str(), W_OK) == 0;
}

Check cache() {
    fs::path folder = cache_folder();
    if (writable(folder)) return {"Cache", true, folder.string(), ""};
    return {"Cache", false, folder.string() + " cannot be written",
            "Every kernel is compiled again each time: set XDG_CACHE_HOME to a folder of yours"};
}

Check recordings() {
    std::vector<std::string> problems;
    std::vector<std::string> cards;
    try {
        for (const Recording& one :
             read_recordings(content_folder() / "assets/recordings", problems))
            cards.push_back(fmt::format("{} ({})", one.card, one.date.substr(0, 10)));
        read_all_published(content_folder() / "assets/recordings/published", problems);
    } catch (const Error& error) {
        problems.push_back(error.what());
    }
    std::string found = cards.empty() ? "none" : fmt::format("{}", fmt::join(cards, ", "));
    if (!problems.empty())
        return {"Recordings", false, found, fmt::format("{}", fmt::join(problems, "\n"))};
    if (!cards.empty()) return {"Recordings", true, found, ""};
    return {"Recordings", false, found,
            "Without a GPU there is nothing to compare with: run `lanewise-engine bench --record "
            "assets/recordings/CARD.json` on a machine that has one"};
}

// The path of a font file whose name starts with `stem`, below one of the folders for fonts.
std::string font_file(const std::string& stem) {
    for (const fs::path& root : font_folders()) {
        std::error_code failure;
        for (fs::recursive_directory_iterator it(root, failure), end; !failure && it != end;
             it.increment(failure))
            if (it->path().filename().string().starts_with(stem)) return it->path().string();
    }
    return {};
}

Check font(const std::string& name, const std::string& stem, const std::string& package) {
    std::string file = font_file(stem);
    if (!file.empty()) return {"Font " + name, true, file, ""};
    return {"Font " + name, false, "not found",
            "Another font is used instead; install the package " + package};
}

Check egl() {
    if (void* library = ::dlopen("libEGL.so.1", RTLD_LAZY | RTLD_LOCAL)) {
        ::dlclose(library);
        return {"EGL", true, "libEGL.so.1", ""};
    }
    return {"EGL", false, "no libEGL.so.1",
            "`lanewise --offscreen` needs it: install the packages libegl1 and libegl-mesa0"};
}

}  // namespace

std::vector<Check> examine() {
    std::vector<Check> checks = {
        gpu(),
        toolkit_headers(),
        library("cuBLAS", cublas_status(toolkit_library_folder())),
        library("cuSPARSE", cusparse_status(toolkit_library_folder())),
        headers("CUTLASS", "cutlass"),
        headers("CUB", "cub"),
        content(),
        cache(),
        recordings(),
        font("Inter", "Inter-Regular", "fonts-inter"),
        font("JetBrains Mono", "JetBrainsMono-Regular", "fonts-jetbrains-mono"),
        font("DejaVu", "DejaVuSans.", "fonts-dejavu-core"),
        egl()};
    std::vector<Check> compilers = compiler_checks();
    say_what_goes_on(compilers);
    checks.insert(checks.begin() + 1, compilers.begin(), compilers.end());
    for (Check& check : counters()) checks.insert(checks.begin() + 1, std::move(check));
    return checks;
}

void to_json(Json& json, const Check& check) {
    json = {
        {"name", check.name}, {"ok", check.ok}, {"found", check.found}, {"advice", check.advice}};
}

void from_json(const Json& json, Check& check) {
    json.at("name").get_to(check.name);
    json.at("ok").get_to(check.ok);
    json.at("found").get_to(check.found);
    json.at("advice").get_to(check.advice);
}

Json status_json() {
    const GpuStatus& status = gpu_status();
    const GpuDescription& gpu = status.gpu;
    Json description;  // null
    if (status.found)
        description = {{"name", gpu.name},
                       {"arch", gpu.arch},
                       {"driver", gpu.driver},
                       {"sm_count", gpu.sm_count},
                       {"total_bytes", gpu.total_bytes},
                       {"l2_bytes", gpu.l2_bytes}};
    Json all = Json::array();
    for (const GpuDescription& one : status.all)
        all.push_back({{"index", one.index}, {"name", one.name}, {"uuid", one.uuid}});
    return {{"gpu", description},
            {"gpus", all},
            {"problem", status.problem},
            {"compiler", compiler_in_use()}};
}

}  // namespace lanewise
