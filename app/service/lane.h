// One worker of the server: a queue of requests and the thread that works them off in order.
#pragma once
#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "service/jobs.h"

namespace lanewise {

struct Request {
    uint64_t id = 0;
    const Method* method = nullptr;
    nlohmann::json params;
    std::shared_ptr<CancelFlag> cancel = std::make_shared<CancelFlag>(false);
};

class Lane {
  public:
    // `work` runs each request on the lane's thread and must not throw.
    explicit Lane(std::function<void(const Request&)> work);
    ~Lane();  // forgets what waits and joins: cancel the running request first

    void add(Request request);
    // Takes waiting requests of this method out of the queue and returns their ids.
    std::vector<uint64_t> drop_waiting(const Method* method);

    enum class Found { nowhere, waiting, running };
    // Waiting: taken out of the queue. Running: its flag is set, and it answers for itself.
    Found cancel(uint64_t id);
    void cancel_running();

    // Returns when nothing that was asked before `id` waits or runs here, or `cancel` is set.
    void wait_for_older(uint64_t id, const CancelFlag& cancel) const;

    bool idle() const;
    size_t unfinished() const;  // requests, waiting or running
    // The running request, if it is past its method's limit, did not heed a cancellation within
    // `grace`, or is known to hang.
    std::optional<Request> stuck(std::chrono::milliseconds grace, bool hangs) const;

  private:
    using Clock = std::chrono::steady_clock;
    void work_off();

    std::function<void(const Request&)> work_;
    mutable std::mutex mutex_;
    mutable std::condition_variable changed_;
    std::deque<Request> waiting_;
    std::optional<Request> running_;
    Clock::time_point started_, cancelled_;
    bool stop_ = false;
    std::thread thread_;
};

}  // namespace lanewise
