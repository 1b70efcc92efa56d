#include "base/threads.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

#include "base/browser.h"

namespace lanewise {

int core_count() { return std::max(1, static_cast<int>(std::thread::hardware_concurrency())); }

void in_ranges(uint64_t count, uint64_t grain, int threads,
               const std::function<void(int, uint64_t, uint64_t)>& work) {
    std::atomic<uint64_t> next = 0;
    std::exception_ptr failure;
    std::mutex failure_mutex;
    auto run = [&](int thread) {
        try {
            for (;;) {
                uint64_t begin = next.fetch_add(grain);
                if (begin >= count) return;
                work(thread, begin, std::min(begin + grain, count));
            }
        } catch (...) {
            next = count;
            std::lock_guard lock(failure_mutex);
            if (!failure) failure = std::current_exception();
        }
    };
    if (kInBrowser) threads = 1;  // it starts no others
    uint64_t ranges = (count + grain - 1) / grain;
    int helpers = static_cast<int>(std::min<uint64_t>(static_cast<uint64_t>(threads), ranges)) - 1;
    std::vector<std::thread> others;
    for (int i = 1; i <= helpers; ++i) others.emplace_back(run, i);
    run(0);
    for (std::thread& other : others) other.join();
    if (failure) std::rethrow_exception(failure);
}

}  // namespace lanewise
