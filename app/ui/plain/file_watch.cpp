#include "ui/plain/file_watch.h"

#include <chrono>

namespace lanewise::ui {

namespace fs = std::filesystem;

static std::string state_of(const fs::path& file) {
    std::error_code gone;
    auto time = fs::last_write_time(file, gone);
    if (gone) return "gone";
    return std::to_string(static_cast<int64_t>(time.time_since_epoch().count())) + " " +
           std::to_string(fs::file_size(file, gone));
}

FileWatch::FileWatch(std::function<void()> wake, double interval_s)
    : wake_(std::move(wake)), interval_s_(interval_s) {}

FileWatch::~FileWatch() {
    {
        std::lock_guard lock(mutex_);
        done_ = true;
    }
    ended_.notify_all();
    if (thread_.joinable()) thread_.join();
}

void FileWatch::follow(const fs::path& file) {
    std::lock_guard lock(mutex_);
    if (file == file_) return;
    file_ = file;
    seen_ = file.empty() ? "" : state_of(file);
    changed_ = false;
    if (!file.empty() && !thread_.joinable()) thread_ = std::thread([this] { look_repeatedly(); });
}

void FileWatch::look_repeatedly() {
    std::unique_lock lock(mutex_);
    while (!done_) {
        ended_.wait_for(lock, std::chrono::duration<double>(interval_s_));
        if (done_ || file_.empty()) continue;
        std::string now = state_of(file_);
        if (now == seen_) continue;
        seen_ = now;
        changed_ = true;
        if (wake_) wake_();
    }
}

}  // namespace lanewise::ui
