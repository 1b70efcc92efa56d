#include "service/worker_process.h"

#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <condition_variable>
#include <cstring>
#include <deque>
#include <future>
#include <mutex>
#include <span>
#include <thread>
#include <utility>

#include "base/error.h"
#include "base/text.h"

namespace lanewise {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

namespace {

constexpr size_t kKeptBytes = 64 << 10;
constexpr size_t kWorkerWordsBytes = 2048;
constexpr int kReadsOfAPipe = 64;  // more than the 64 KiB that a pipe holds, in whatever portions
constexpr int kSendPatienceMs = 5000;  // a worker reads at once, unless it is broken

// Runs `start` on a thread that lives as long as this process (see end_with_engine).
class Starter {
  public:
    static void run(std::packaged_task<void()> start) {
        static Starter& starter = *new Starter;  // never destroyed: its thread never ends
        auto done = start.get_future();
        {
            std::lock_guard lock(starter.mutex_);
            starter.waiting_.push_back(std::move(start));
        }
        starter.added_.notify_one();
        done.get();  // throws what `start` threw
    }

  private:
    Starter() {
        std::thread([this] { work(); }).detach();
    }
    void work() {
        for (std::unique_lock lock(mutex_);;) {
            added_.wait(lock, [this] { return !waiting_.empty(); });
            auto next = std::move(waiting_.front());
            waiting_.pop_front();
            lock.unlock();
            next();
            lock.lock();
        }
    }

    std::mutex mutex_;
    std::condition_variable added_;
    std::deque<std::packaged_task<void()>> waiting_;
};

// -1: nothing at the moment. 0: the end.
ssize_t read_once(const Descriptor& from, std::span<char> into) {
    ssize_t count = ::read(from.get(), into.data(), into.size());
    if (count < 0 && errno != EAGAIN && errno != EINTR) return 0;
    return count;
}

}  // namespace

void CapturedText::add(std::string_view more) {
    bytes += more.size();
    text += more.substr(0, kKeptBytes - text.size());
}

WorkerProcess::WorkerProcess(const std::vector<std::string>& command) : last_sign_(Clock::now()) {
    int ends[2];
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
        throw Error(Status::bad_input,
                    std::string("cannot make a channel to a worker: ") + std::strerror(errno));
    channel_ = Descriptor(ends[0]);
    Descriptor theirs(ends[1]);
    Starter::run(std::packaged_task<void()>([&] { child_.emplace(command, theirs.get()); }));
}

bool WorkerProcess::send(const nlohmann::json& message) {
    std::string frame = encode(message);
    last_sign_ = Clock::now();  // silence counts from here
    for (std::string_view rest = frame; !rest.empty() && !ended_;) {
        ssize_t count =
            ::send(channel_.get(), rest.data(), rest.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
        if (count > 0) {
            rest.remove_prefix(static_cast<size_t>(count));
            continue;
        }
        pollfd room = {channel_.get(), POLLOUT, 0};
        if (errno != EAGAIN && errno != EINTR) return false;
        if (::poll(&room, 1, kSendPatienceMs) <= 0) return false;
    }
    return !ended_;
}

std::optional<nlohmann::json> WorkerProcess::next(std::chrono::milliseconds patience) {
    auto message = decoder_.next();
    if (message || ended_) return message;
    take_in(patience);
    message = decoder_.next();
    if (!message) notice_death();
    return message ? message : decoder_.next();
}

// A process that its kernel's code has started may hold the channel open, so that its end is not
// the worker's. What the worker said before it died is read first.
void WorkerProcess::notice_death() {
    if (ended_ || !child_->wait(0ms)) return;
    while (read_channel()) {
    }
    ended_ = true;
}

void WorkerProcess::take_in(std::chrono::milliseconds patience) {
    std::array<pollfd, 3> ready = {{{channel_.get(), POLLIN, 0},
                                    {child_->output.get(), POLLIN, 0},
                                    {child_->errors.get(), POLLIN, 0}}};
    if (::poll(ready.data(), ready.size(), static_cast<int>(patience.count())) <= 0) return;
    if (ready[1].revents) read_printed();
    if (ready[2].revents) read_errors();
    if (ready[0].revents) read_channel();
}

bool WorkerProcess::read_channel() {
    std::array<char, 64 << 10> bytes;
    ssize_t count = ::recv(channel_.get(), bytes.data(), bytes.size(), MSG_DONTWAIT);
    if (count < 0 && (errno == EAGAIN || errno == EINTR)) return false;
    if (count <= 0) {
        ended_ = true;
        return false;
    }
    last_sign_ = Clock::now();
    decoder_.feed({bytes.data(), static_cast<size_t>(count)});
    return true;
}

// Once per call, so that a kernel that prints without end cannot keep us from the channel.
void WorkerProcess::read_printed() {
    std::array<char, 64 << 10> bytes;
    ssize_t count = read_once(child_->output, bytes);
    if (count == 0) child_->output.close();
    if (count <= 0) return;
    last_sign_ = Clock::now();
    printed_.add({bytes.data(), static_cast<size_t>(count)});
}

void WorkerProcess::read_errors() {
    std::array<char, 4096> bytes;
    ssize_t count = read_once(child_->errors, bytes);
    if (count == 0) child_->errors.close();  // poll skips a negative descriptor
    if (count <= 0) return;
    last_words_.append(bytes.data(), static_cast<size_t>(count));
    if (last_words_.size() > kWorkerWordsBytes)
        last_words_.erase(0, last_words_.size() - kWorkerWordsBytes);
}

double WorkerProcess::silent_s() const {
    return std::chrono::duration<double>(Clock::now() - last_sign_).count();
}

// What was printed before an answer lies in the pipe when the answer comes.
CapturedText WorkerProcess::take_printed() {
    for (int i = 0; i < kReadsOfAPipe && child_->output.is_open(); ++i) {
        uint64_t before = printed_.bytes;
        read_printed();
        if (printed_.bytes == before) break;
    }
    return std::exchange(printed_, {});
}

std::string WorkerProcess::ending() {
    auto how = child_->wait(200ms);
    if (!how) {
        child_->kill();
        how = child_->wait(200ms);
    }
    // A sanitizer's report, for one, is longer than a portion, and says at its end what it is about.
    for (int i = 0; i < kReadsOfAPipe && child_->errors.is_open(); ++i) read_errors();
    std::string text = how.value_or("killed");
    std::string words(trimmed(last_words_));
    return words.empty() ? text : text + "; it said: " + words;
}

void end_with_engine() { ::prctl(PR_SET_PDEATHSIG, SIGKILL); }

}  // namespace lanewise
