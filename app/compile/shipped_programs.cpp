#include "compile/shipped_programs.h"

#include <algorithm>
#include <list>
#include <map>
#include <memory>
#include <mutex>

#include "base/error.h"
#include "base/files.h"
#include "compile/program_archive.h"
#include "compile/program_store.h"

namespace lanewise {

namespace fs = std::filesystem;

static constexpr std::string_view kSuffix = ".programs";
static constexpr const char* kLaunches = "launches/";
// Unpacked blocks that are kept: who turns a knob comes back to the same few, mostly to one. That one
// is kept however large it is; each engine of a class holds its own.
static constexpr size_t kKeptBytes = 16u << 20;

fs::path shipped_folder() {
    try {
        return content_folder() / "assets/programs";
    } catch (const Error&) {
        return {};
    }
}

fs::path shipped_folder_of(const std::string& archive) {
    const fs::path programs = shipped_folder();
    return archive.starts_with(kLaunches) ? programs.parent_path() : programs;
}

// ---- Archives that are open, and blocks that are unpacked --------------------------------------

namespace {

struct OpenArchive {
    fs::file_time_type written;
    uint64_t bytes = 0;
    std::shared_ptr<const ProgramArchive> archive;  // nullptr where it cannot be read,
    std::string problem;                            // and then why
};

// Of the whole process. Archives stay open: all of them are 4 MB.
class Shelf {
  public:
    // nullptr where there is no such file, or it cannot be read; that is tried anew each time, since a
    // page's file may come then.
    std::shared_ptr<const ProgramArchive> open(const fs::path& file, std::string& problem) {
        std::error_code failure;
        uint64_t bytes = fs::file_size(file, failure);
        if (failure) return nullptr;
        fs::file_time_type written = fs::last_write_time(file, failure);
        std::lock_guard lock(mutex_);
        OpenArchive& it = archives_[file.string()];
        if (it.bytes != bytes || it.written != written || !it.archive) it = read(file, bytes, written);
        problem = it.problem;
        return it.archive;
    }

    std::shared_ptr<const ProgramBlock> block(const std::shared_ptr<const ProgramArchive>& archive,
                                              size_t number) {
        std::lock_guard lock(mutex_);
        for (auto it = blocks_.begin(); it != blocks_.end(); ++it)
            if (it->archive == archive && it->number == number) {
                blocks_.splice(blocks_.begin(), blocks_, it);
                return it->block;
            }
        std::optional<ProgramBlock> block = archive->block(number);
        if (!block) return nullptr;
        blocks_.push_front(
            {archive, number, std::make_shared<const ProgramBlock>(std::move(*block))});
        kept_ += blocks_.front().block->bytes();
        while (kept_ > kKeptBytes && blocks_.size() > 1) {
            kept_ -= blocks_.back().block->bytes();
            blocks_.pop_back();
        }
        return blocks_.front().block;
    }

  private:
    static OpenArchive read(const fs::path& file, uint64_t bytes, fs::file_time_type written) {
        OpenArchive it{written, bytes, nullptr, ""};
        try {
            it.archive = std::make_shared<const ProgramArchive>(read_file(file), file.string());
        } catch (const Error& error) {
            it.problem = error.what();
        }
        return it;
    }

    struct Unpacked {
        std::shared_ptr<const ProgramArchive> archive;
        size_t number;
        std::shared_ptr<const ProgramBlock> block;
    };
    std::mutex mutex_;
    std::map<std::string, OpenArchive> archives_;
    std::list<Unpacked> blocks_;  // the last used first
    size_t kept_ = 0;
};

Shelf& shelf() {
    static Shelf it;
    return it;
}

std::vector<fs::path> folders_in(const fs::path& folder) {
    std::vector<fs::path> found;
    std::error_code failure;
    for (fs::directory_iterator it(folder, failure), end; !failure && it != end;
         it.increment(failure))
        if (std::error_code ignored; it->is_directory(ignored)) found.push_back(it->path());
    std::sort(found.begin(), found.end());
    return found;
}

// The launches' folders: theirs, and those of its halves.
std::vector<fs::path> folders_of_launches() {
    const fs::path launches = shipped_folder_of(kLaunches) / kLaunches;
    std::vector<fs::path> folders = folders_in(launches);
    folders.push_back(launches);
    return folders;
}

// Those that may have a source of this name: one, or as many as there are courses and halves.
std::vector<fs::path> archives_for(const std::string& source_name) {
    std::vector<fs::path> files;
    fs::path folder = shipped_folder(), name = source_name;
    if (folder.empty() || name.has_parent_path() || name.stem().empty()) return files;
    for (const std::vector<fs::path>& folders : {folders_in(folder), folders_of_launches()})
        for (const fs::path& each : folders)
            files.push_back(each / (name.stem().string() + std::string(kSuffix)));
    return files;
}

std::optional<Program> find_in(const std::shared_ptr<const ProgramArchive>& archive,
                               const std::string& key) {
    const ProgramArchive::Entry* entry = archive->find(key);
    if (!entry) return {};
    std::shared_ptr<const ProgramBlock> block = shelf().block(archive, entry->block);
    if (!block) return {};
    return program_in(*entry, *block);
}

// "sm_90a" -> 90; 0 where it is nothing like it.
int number_of(const std::string& arch) {
    if (!arch.starts_with("sm_")) return 0;
    int number = 0;
    for (char c : arch.substr(3)) {
        if (c < '0' || c > '9' || number > 9999) break;
        number = 10 * number + (c - '0');
    }
    return number;
}

// Cards of capabilities up to NVIDIA's newest of today are known by number; beyond are those to come.
bool may_exist(int arch) {
    constexpr int kKnown[] = {75, 80, 86, 87, 88, 89, 90, 100, 101, 103, 110, 120, 121};
    return arch > 121 ? arch < 1000 : std::ranges::find(kKnown, arch) != std::end(kKnown);
}

std::optional<Program> find_shipped(const Source& source, const CompileOptions& options) {
    std::vector<fs::path> files = archives_for(source.name);
    CompileOptions asked = options;
    for (const std::string& arch : shipped_archs(options.arch)) {
        asked.arch = arch;
        std::string key = program_key(source, asked), ignored;
        for (const fs::path& file : files) {
            auto archive = shelf().open(file, ignored);
            std::optional<Program> program = archive ? find_in(archive, key) : std::nullopt;
            if (!program) continue;
            if (!runs_cubin(options.arch, arch)) program->cubin.clear();
            return program;
        }
    }
    return {};
}

}  // namespace

// ---- The interface -----------------------------------------------------------------------------

std::vector<std::string> shipped_archs(const std::string& arch) {
    std::vector<std::string> list = {arch};
    if (arch.empty() || arch.back() < '0' || arch.back() > '9' || !may_exist(number_of(arch)))
        return list;
    for (const char* older : {"sm_90", "sm_86", "sm_80", "sm_75"})
        if (number_of(older) < number_of(arch)) list.emplace_back(older);
    return list;
}

bool runs_cubin(const std::string& arch, const std::string& older) {
    return number_of(arch) / 10 == number_of(older) / 10;
}

std::optional<Program> shipped_program(const Source& source, const CompileOptions& options) {
    try {
        return find_shipped(source, options);
    } catch (const std::exception&) {  // of the file system: then it is not there
        return {};
    }
}

std::string shipped_problem(const Source& source) {
    std::string problem;
    for (const fs::path& file : archives_for(source.name)) {
        shelf().open(file, problem);
        if (!problem.empty()) break;
    }
    return problem;
}

ShippedStatus shipped_status() {
    ShippedStatus status;
    auto open = [&](const fs::path& file) {
        std::string problem;
        auto archive = shelf().open(file, problem);
        if (!problem.empty()) status.problems.push_back(problem);
        return archive;
    };
    for (const fs::path& course : folders_in(shipped_folder()))
        for (const fs::path& file : files_in(course, kSuffix)) {
            auto archive = open(file);
            if (!archive) continue;
            ++status.archives;
            status.programs += archive->size();
            status.bytes += archive->packed_bytes();
            if (status.compiler.empty() && archive->size() > 0)
                status.compiler = archive->entries().front().program.compiler;
        }
    for (const fs::path& folder : folders_of_launches())
        for (const fs::path& file : files_in(folder, kSuffix)) open(file);
    return status;
}

}  // namespace lanewise
