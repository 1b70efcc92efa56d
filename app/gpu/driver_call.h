// Notes when the driver was called, so that a call which does not come back is noticed from another
// thread: a driver may wait for a kernel that never ends, or for a card that is gone.
#pragma once
#include <atomic>
#include <chrono>
#include <cstdint>

namespace lanewise {

// Lives as long as the call (or a few in a row) takes. One inside another counts as a part of it.
class DriverCall {
  public:
    static constexpr double kWorkLimitS = 7;     // more than a launch is given
    static constexpr double kWakingLimitS = 60;  // some machines take long to wake eight cards

    explicit DriverCall(double limit_s = kWorkLimitS) {
        if (depth_++ > 0) return;
        limit_s_ = limit_s;
        since_ns_ = now_ns();
    }
    ~DriverCall() {
        if (--depth_ == 0) since_ns_ = 0;
    }
    DriverCall(const DriverCall&) = delete;
    DriverCall& operator=(const DriverCall&) = delete;

    static bool overdue() {
        int64_t since = since_ns_;
        return since != 0 && 1e-9 * static_cast<double>(now_ns() - since) > limit_s_;
    }

  private:
    static int64_t now_ns() {
        return std::chrono::nanoseconds(std::chrono::steady_clock::now().time_since_epoch())
            .count();
    }
    static inline std::atomic<int> depth_ = 0;
    static inline std::atomic<int64_t> since_ns_ = 0;
    static inline std::atomic<double> limit_s_ = 0;
};

}  // namespace lanewise
