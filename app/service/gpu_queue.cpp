#include "service/gpu_queue.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <thread>

namespace lanewise {

namespace fs = std::filesystem;

namespace {

constexpr int64_t kFirstTicket = 1 << 10;  // bytes before it hold the number of the last ticket

struct flock byte_range(short type, int64_t first, int64_t count) {
    struct flock range = {};
    range.l_type = type;
    range.l_whence = SEEK_SET;
    range.l_start = first;
    range.l_len = count;
    return range;
}

// The locked bytes of [first, end), which are others' tickets.
int locked(int file, int64_t first, int64_t end) {
    if (first >= end) return 0;
    struct flock range = byte_range(F_WRLCK, first, end - first);
    if (::fcntl(file, F_OFD_GETLK, &range) != 0 || range.l_type == F_UNLCK) return 0;
    return 1 + locked(file, first, range.l_start) + locked(file, range.l_start + 1, end);
}

// Opened by whoever may; an existing file is opened without O_CREAT, which the kernel refuses for
// another user's file in a sticky folder.
int open_shared(const fs::path& path) {
    int file = ::open(path.c_str(), O_RDWR | O_CLOEXEC | O_NOFOLLOW);
    if (file >= 0 || errno != ENOENT) return file;
    file = ::open(path.c_str(), O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_CREAT | O_EXCL, 0666);
    if (file >= 0) ::fchmod(file, 0666);  // whatever the umask says
    if (file < 0 && errno == EEXIST) file = ::open(path.c_str(), O_RDWR | O_CLOEXEC | O_NOFOLLOW);
    return file;
}

bool make_shared_folder(const fs::path& folder) {
    if (::mkdir(folder.c_str(), 01777) == 0) ::chmod(folder.c_str(), 01777);
    return ::access(folder.c_str(), W_OK | X_OK) == 0;
}

}  // namespace

fs::path gpu_queue_folder() {
    const char* chosen = std::getenv("LANEWISE_QUEUE_FOLDER");
    if (chosen && *chosen) return chosen;
    fs::path usual = "/run/lock/lanewise";
    return make_shared_folder(usual) ? usual : fs::path("/tmp/lanewise-queue");
}

GpuQueue::GpuQueue(const fs::path& folder, const std::string& uuid) {
    make_shared_folder(folder);
    fs::path path = folder / (uuid + ".queue");
    file_ = Descriptor(open_shared(path));
    if (!file_.is_open()) {
        problem_ = fmt::format("no queue for the GPU: {}: {}", path.string(), std::strerror(errno));
        return;
    }
    ::flock(file_.get(), LOCK_EX);  // short: between reading the last number and locking the next
    int64_t last = 0;
    if (::pread(file_.get(), &last, sizeof last, 0) != sizeof last || last < 0) last = 0;
    ticket_ = kFirstTicket + last;
    ++last;
    struct flock mine = byte_range(F_WRLCK, ticket_, 1);
    if (::pwrite(file_.get(), &last, sizeof last, 0) != sizeof last ||
        ::fcntl(file_.get(), F_OFD_SETLK, &mine) != 0) {
        problem_ = fmt::format("no queue for the GPU: {}: {}", path.string(), std::strerror(errno));
    }
    ::flock(file_.get(), LOCK_UN);
}

int GpuQueue::before() const {
    return problem_.empty() ? locked(file_.get(), kFirstTicket, ticket_) : 0;
}

bool GpuQueue::others_wait() const {
    constexpr int64_t kToTheEnd = 0;
    struct flock range = byte_range(F_WRLCK, ticket_ + 1, kToTheEnd);
    return problem_.empty() && ::fcntl(file_.get(), F_OFD_GETLK, &range) == 0 &&
           range.l_type != F_UNLCK;
}

void GpuQueue::wait(const Progress& progress, const CancelFlag* cancel,
                    const CancelFlag* given_up) const {
    int told = 0;
    for (int place = 0; (place = before()) > 0; told = place) {
        if ((cancel && *cancel) || (given_up && *given_up)) throw Cancelled{};
        if (progress && place != told)
            progress(0, fmt::format("waiting for the GPU: {} measurement{} before this one", place,
                                    place == 1 ? "" : "s"));
        std::this_thread::sleep_for(kLookInterval);
    }
    if (progress && told > 0) progress(0, "starting on the GPU");
}

static fs::path own_turn_folder() {
    const char* folder = std::getenv("LANEWISE_OWN_TURN");
    return folder ? folder : "";
}

GpuTurn::GpuTurn(const std::string& uuid, const Progress& progress, const CancelFlag* cancel,
                 const CancelFlag* given_up)
    : GpuTurn(own_turn_folder(), gpu_queue_folder(), uuid, progress, cancel, given_up) {}

GpuTurn::GpuTurn(const fs::path& own, const fs::path& all, const std::string& uuid,
                 const Progress& progress, const CancelFlag* cancel, const CancelFlag* given_up) {
    if (!own.empty()) {
        own_.emplace(own, uuid).wait(progress, cancel, given_up);
        pace_.emplace(own / (uuid + ".pace")).wait(progress, cancel, given_up);
    }
    all_.emplace(all, uuid).wait(progress, cancel, given_up);
    begin_ = std::chrono::steady_clock::now();
    if (pace_) pace_->begin();
}

GpuTurn::~GpuTurn() {
    if (!pace_) return;
    std::chrono::duration<double> held = std::chrono::steady_clock::now() - begin_;
    pace_->end({held.count(), given_up_, all_->others_wait()});
}

}  // namespace lanewise
