#include "service/lane.h"

#include <algorithm>

namespace lanewise {

Lane::Lane(std::function<void(const Request&)> work)
    : work_(std::move(work)), thread_([this] { work_off(); }) {}

Lane::~Lane() {
    {
        std::lock_guard lock(mutex_);
        stop_ = true;
    }
    changed_.notify_all();
    thread_.join();
}

void Lane::add(Request request) {
    {
        std::lock_guard lock(mutex_);
        waiting_.push_back(std::move(request));
    }
    changed_.notify_all();
}

std::vector<uint64_t> Lane::drop_waiting(const Method* method) {
    std::lock_guard lock(mutex_);
    std::vector<uint64_t> dropped;
    std::erase_if(waiting_, [&](const Request& request) {
        if (request.method != method) return false;
        dropped.push_back(request.id);
        return true;
    });
    changed_.notify_all();
    return dropped;
}

Lane::Found Lane::cancel(uint64_t id) {
    std::lock_guard lock(mutex_);
    auto has_id = [&](const Request& request) { return request.id == id; };
    if (std::erase_if(waiting_, has_id)) {
        changed_.notify_all();
        return Found::waiting;
    }
    if (!running_ || !has_id(*running_)) return Found::nowhere;
    if (!running_->cancel->exchange(true)) cancelled_ = Clock::now();
    return Found::running;
}

void Lane::cancel_running() {
    std::lock_guard lock(mutex_);
    if (running_ && !running_->cancel->exchange(true)) cancelled_ = Clock::now();
}

// A flag cannot be waited for: it is looked at often enough for whoever cancelled.
void Lane::wait_for_older(uint64_t id, const CancelFlag& cancel) const {
    constexpr std::chrono::milliseconds kLook(50);
    auto is_older = [&](const Request& request) { return request.id < id; };
    std::unique_lock lock(mutex_);
    while (!cancel && ((running_ && is_older(*running_)) ||
                       std::any_of(waiting_.begin(), waiting_.end(), is_older)))
        changed_.wait_for(lock, kLook);
}

bool Lane::idle() const {
    std::lock_guard lock(mutex_);
    return !running_ && waiting_.empty();
}

size_t Lane::unfinished() const {
    std::lock_guard lock(mutex_);
    return waiting_.size() + (running_ ? 1 : 0);
}

std::optional<Request> Lane::stuck(std::chrono::milliseconds grace, bool hangs) const {
    std::lock_guard lock(mutex_);
    if (!running_) return std::nullopt;
    std::chrono::duration<double> limit(running_->method->time_limit_s);
    bool deaf = *running_->cancel && Clock::now() - cancelled_ > grace;
    bool late = limit.count() > 0 && Clock::now() - started_ > limit;
    return deaf || late || hangs ? running_ : std::nullopt;
}

void Lane::work_off() {
    std::unique_lock lock(mutex_);
    for (;;) {
        changed_.wait(lock, [this] { return stop_ || !waiting_.empty(); });
        if (stop_) return;
        running_ = std::move(waiting_.front());
        waiting_.pop_front();
        started_ = Clock::now();
        Request request = *running_;
        lock.unlock();
        work_(request);
        lock.lock();
        running_.reset();
        changed_.notify_all();
    }
}

}  // namespace lanewise
