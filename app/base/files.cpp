#include "base/files.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "base/error.h"

namespace lanewise {

namespace fs = std::filesystem;

static constexpr size_t kMostFileBytes = 64u << 20;

std::string read_file(const fs::path& path) {
    auto fail = [&](const std::string& reason) {
        throw Error(Status::bad_input, "cannot read " + path.string() + ": " + reason);
    };
    int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (descriptor < 0) fail(std::strerror(errno));
    struct stat about {};
    if (::fstat(descriptor, &about) != 0) about.st_size = 0;
    if (S_ISDIR(about.st_mode)) {
        ::close(descriptor);
        throw Error(Status::bad_input, path.string() + " is a folder, not a file");
    }
    std::string bytes;
    constexpr size_t kPortion = 1 << 16, kRest = 1 << 12;
    // As a rule the first portion is all of it, and the second finds the end. The size may be unknown or
    // wrong: pipes, /proc.
    const size_t size = std::min(static_cast<size_t>(about.st_size), kMostFileBytes + 1);
    size_t portion = size ? size : kPortion;
    bytes.reserve(portion + kRest);
    for (;; portion = size ? kRest : kPortion) {
        size_t before = bytes.size();
        bytes.resize(before + portion);
        ssize_t count = ::read(descriptor, &bytes[before], portion);
        int reason = errno;
        bytes.resize(before + (count > 0 ? static_cast<size_t>(count) : 0));
        if (count < 0 && reason == EINTR) continue;
        if (count <= 0 || bytes.size() > kMostFileBytes) {
            ::close(descriptor);
            if (count < 0) fail(std::strerror(reason));
            if (count > 0) fail("it is larger than any file that this program reads (64 MiB)");
            return bytes;
        }
    }
}

// A device or a pipe is written to, not replaced by a file.
static bool is_special(const fs::path& path) {
    std::error_code ignored;
    return fs::exists(path, ignored) && !fs::is_regular_file(path, ignored) &&
           !fs::is_directory(path, ignored);
}

// False with the reason in errno.
static bool write_all(int descriptor, std::string_view bytes) {
    while (!bytes.empty()) {
        ssize_t written = ::write(descriptor, bytes.data(), bytes.size());
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) return false;
        bytes.remove_prefix(static_cast<size_t>(written));
    }
    return true;
}

void write_file(const fs::path& path, std::string_view bytes) {
    auto fail = [&](const std::string& reason) {
        throw Error(Status::bad_input, "cannot write " + path.string() + ": " + reason);
    };
    std::error_code failure;
    if (path.has_parent_path()) fs::create_directories(path.parent_path(), failure);
    if (failure) fail(failure.message());
    bool special = is_special(path);
    std::string temporary = special ? path.string() : path.string() + ".XXXXXX";
    int descriptor = special ? ::open(path.c_str(), O_WRONLY | O_CLOEXEC)
                             : ::mkostemp(temporary.data(), O_CLOEXEC);
    if (descriptor < 0) fail(std::strerror(errno));
    bool written = write_all(descriptor, bytes);
    int reason = errno;
    if (!special) ::fchmod(descriptor, 0644);
    if (::close(descriptor) != 0 && written) {  // network file systems say it only now
        written = false;
        reason = errno;
    }
    if (special && written) return;
    if (written) {
        fs::rename(temporary, path, failure);
        if (!failure) return;
    }
    if (!special) ::unlink(temporary.c_str());
    fail(written ? failure.message() : std::strerror(reason));
}

std::vector<fs::path> files_in(const fs::path& folder, std::string_view suffix) {
    std::vector<fs::path> files;
    std::error_code failure;
    for (fs::directory_iterator it(folder, failure), end; !failure && it != end;
         it.increment(failure)) {
        std::error_code unknown;
        if (it->path().filename().string().ends_with(suffix) && !it->is_directory(unknown))
            files.push_back(it->path());
    }
    std::sort(files.begin(), files.end());
    return files;
}

fs::path program_folder() {
    std::error_code failure;
    fs::path program = fs::read_symlink("/proc/self/exe", failure);
    return failure ? fs::current_path() : program.parent_path();
}

fs::path content_folder() {
    if (const char* home = std::getenv("LANEWISE_HOME"); home && *home) {
        if (fs::is_directory(fs::path(home) / "kernels")) return home;
        throw Error(Status::bad_input, "LANEWISE_HOME is set to " + std::string(home) +
                                           ", which has no kernels folder; correct or unset it");
    }
    fs::path here = program_folder();
    // build/bin and build-*/bin/tests lie two or three levels below the source tree.
    for (fs::path folder : {here / "../share/lanewise", here / "../..", here / "../../.."})
        if (fs::is_directory(folder / "kernels")) return fs::weakly_canonical(folder);
    throw Error(Status::bad_input,
                "found no kernels folder near " + here.string() +
                    "; set LANEWISE_HOME to the folder that holds kernels, lessons and assets");
}

static fs::path user_folder(const char* variable, const char* below_home) {
    const char* folder = std::getenv(variable);
    if (folder && *folder == '/') return fs::path(folder) / "lanewise";
    const char* home = std::getenv("HOME");
    if (home && *home == '/') return fs::path(home) / below_home / "lanewise";
    return fs::temp_directory_path() / ("lanewise-" + std::to_string(::getuid()));
}

fs::path cache_folder() { return user_folder("XDG_CACHE_HOME", ".cache"); }
fs::path state_folder() { return user_folder("XDG_STATE_HOME", ".local/state"); }

}  // namespace lanewise
