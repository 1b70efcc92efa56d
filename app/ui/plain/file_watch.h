// Notices that a file has changed on disk: its time, its size, or that it is gone or back.
#pragma once
#include <atomic>
#include <condition_variable>
#include <filesystem>
#include <functional>
#include <mutex>
#include <string>
#include <thread>

namespace lanewise::ui {

class FileWatch {
  public:
    // wake: called from another thread when the file has changed. interval_s: between two looks.
    explicit FileWatch(std::function<void()> wake, double interval_s = 0.5);
    ~FileWatch();
    FileWatch(const FileWatch&) = delete;
    FileWatch& operator=(const FileWatch&) = delete;

    // From now on this file, as it is now; an empty path: none. The same path again changes
    // nothing.
    void follow(const std::filesystem::path& file);
    // Whether it has changed since the last call, or since follow().
    bool take_change() { return changed_.exchange(false); }

  private:
    void look_repeatedly();

    std::function<void()> wake_;
    double interval_s_;
    std::mutex mutex_;
    std::condition_variable ended_;
    bool done_ = false;
    std::filesystem::path file_;
    std::string seen_;
    std::atomic<bool> changed_ = false;
    std::thread thread_;  // while there is a file to follow
};

}  // namespace lanewise::ui
