#include "service/server.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <future>

#include "base/heap.h"
#include "lab/machine/prepared.h"
#include "service/compiled_ahead.h"
#include "service/lane.h"
#include "service/process.h"
#include "service/protocol.h"

namespace lanewise {

using Json = nlohmann::json;
using namespace std::chrono_literals;

namespace {

constexpr auto kCancelGrace = 3000ms;  // a launched kernel cannot be stopped, only waited for
constexpr auto kClosingGrace = 2000ms;
constexpr auto kWatchInterval = 100ms;
constexpr auto kEngineBeat = 500ms;

// Frames onto the wire, whole, from any thread.
class Wire {
  public:
    explicit Wire(Descriptor descriptor) : descriptor_(std::move(descriptor)) {}

    void send(const Json& message) {
        std::string frame = encode(message);
        std::lock_guard lock(mutex_);
        std::string_view rest = frame;
        while (!rest.empty()) {
            ssize_t count = ::write(descriptor_.get(), rest.data(), rest.size());
            if (count < 0 && errno == EINTR) continue;
            if (count < 0) return;  // nobody listens any more; our stdin is about to close, too
            rest.remove_prefix(static_cast<size_t>(count));
        }
    }
    // A sign of life, left out where anything else is on its way or the reader is behind.
    void beat() {
        std::unique_lock lock(mutex_, std::try_to_lock);
        pollfd room = {descriptor_.get(), POLLOUT, 0};
        if (!lock || ::poll(&room, 1, 0) <= 0) return;
        std::string frame = encode({{"type", "beat"}});
        if (::write(descriptor_.get(), frame.data(), frame.size()) < 0) return;  // likewise
    }
    void send_error(uint64_t id, Status status, const std::string& message, Json details = {},
                    bool last = false) {
        send({{"type", "error"},
              {"id", id},
              {"status", static_cast<int>(status)},
              {"message", message},
              {"details", std::move(details)},
              {"last", last}});
    }

  private:
    Descriptor descriptor_;
    std::mutex mutex_;
};

class Server {
  public:
    Server(int input, Descriptor output, const Service& service,
           std::chrono::milliseconds silence_limit)
        : input_(input),
          wire_(std::move(output)),
          service_(service),
          silence_limit_(silence_limit) {}

    int run();

  private:
    bool read_messages();  // false at the end of the input
    void handle(Json& message);
    void accept(Json& message);
    void cancel(uint64_t id);
    void work(const Request& request);
    void fail(const Request& request, JobFailure failure);
    void send_progress(uint64_t id, double fraction, const std::string& what);
    void answer(const Request& request);
    void check_watchdog();
    void beat_in_time();
    bool is_unheard() const;
    void close_down();
    bool is_idle() const {
        return std::all_of(lanes_.begin(), lanes_.end(), [](const Lane& l) { return l.idle(); });
    }
    Lane& lane(const Method& method) { return lanes_[static_cast<size_t>(method.lane)]; }

    int input_;
    Wire wire_;
    const Service& service_;
    Decoder decoder_;
    std::chrono::milliseconds silence_limit_;
    std::chrono::steady_clock::time_point last_beat_ = std::chrono::steady_clock::now();
    std::chrono::steady_clock::time_point last_heard_ = last_beat_;
    bool beats_come_ = false;
    HeapTrimmer heap_;
    std::array<Lane, kLanes> lanes_{Lane([this](const Request& request) { work(request); }),
                                    Lane([this](const Request& request) { work(request); }),
                                    Lane([this](const Request& request) { work(request); }),
                                    Lane([this](const Request& request) { work(request); }),
                                    Lane([this](const Request& request) { work(request); })};
};

int Server::run() {
    wire_.send({{"type", "hello"},
                {"protocol", kProtocolVersion},
                {"program", "lanewise-engine"},
                {"version", program_version()},
                {"wants_beats", true}});
    auto status = std::async(std::launch::async, [this, find = service_.status] {
        Json message = find();
        message["type"] = "status";
        wire_.send(message);
    });
    int exit_status = 0;
    try {
        while (!is_unheard() && read_messages()) {
            check_watchdog();
            beat_in_time();
        }
        if (is_unheard()) exit_status = kExitUnheard;
    } catch (const Error& error) {
        wire_.send_error(0, error.status(), error.what());
        exit_status = static_cast<int>(error.status());
    }
    close_down();
    if (status.wait_for(kClosingGrace) != std::future_status::ready)  // it tries the compiler
        ::_exit(exit_status);
    status.get();
    return exit_status;
}

bool Server::read_messages() {
    bool busy = !is_idle();
    pollfd ready = {input_, POLLIN, 0};
    auto patience = busy ? kWatchInterval : kEngineBeat;
    int count = ::poll(&ready, 1, static_cast<int>(patience.count()));
    if (count <= 0) return count == 0 || errno == EINTR;
    std::array<char, 64 << 10> bytes;
    ssize_t length = ::read(input_, bytes.data(), bytes.size());
    if (length < 0) return errno == EINTR || errno == EAGAIN;
    if (length == 0) return false;
    last_heard_ = std::chrono::steady_clock::now();
    decoder_.feed({bytes.data(), static_cast<size_t>(length)});
    while (auto message = decoder_.next()) handle(*message);
    return true;
}

void Server::handle(Json& message) {
    if (message["type"] == "beat") {
        beats_come_ = true;
        return;
    }
    uint64_t id = 0;
    try {
        id = message.at("id").get<uint64_t>();
        if (message["type"] == "request")
            accept(message);
        else if (message["type"] == "cancel")
            cancel(id);
    } catch (const Json::exception& error) {
        wire_.send_error(id, Status::bad_input,
                         "the request makes no sense: " + std::string(error.what()));
    }
}

void Server::accept(Json& message) {
    Request request;
    request.id = message.at("id");
    std::string name = message.at("method");
    for (const Method& method : service_.methods)
        if (method.name == name) request.method = &method;
    if (!request.method) {
        wire_.send_error(request.id, Status::bad_input, "the engine has no method " + name);
        return;
    }
    request.params = std::move(message.at("params"));
    if (request.method->newest_only)
        for (uint64_t older : lane(*request.method).drop_waiting(request.method))
            wire_.send_error(older, Status::fine, "superseded");
    if (const size_t before = lane(*request.method).unfinished();
        before > 0 && request.method->tells_its_place)
        send_progress(request.id, 0,
                      fmt::format("waiting: {} request{} of yours before this one", before,
                                  before == 1 ? "" : "s"));
    lane(*request.method).add(std::move(request));
}

void Server::send_progress(uint64_t id, double fraction, const std::string& what) {
    wire_.send({{"type", "progress"}, {"id", id}, {"fraction", fraction}, {"what", what}});
}

void Server::cancel(uint64_t id) {
    for (Lane& each : lanes_)
        if (each.cancel(id) == Lane::Found::waiting)
            wire_.send_error(id, Status::fine, "cancelled");
}

void Server::work(const Request& request) {
    struct Afterwards {  // the answer is sent by then
        HeapTrimmer& heap;
        ~Afterwards() { heap.after_work(); }
    } afterwards{heap_};
    try {
        answer(request);
    } catch (...) {
        fail(request, failure_at_hand());
    }
}

void Server::fail(const Request& request, JobFailure failure) {
    bool lost = service_.gpu_lost && service_.gpu_lost();
    Json& details = failure.details;
    if (lost && service_.fault && details.is_null()) details = {{"fault", service_.fault()}};
    wire_.send_error(request.id, failure.status, failure.message, std::move(details), lost);
    if (lost) ::_exit(kExitGpuLost);
}

void Server::answer(const Request& request) {
    JobContext context{
        *request.cancel, [&](double fraction, const std::string& what) {
            send_progress(request.id, fraction, what);
        }};
    // Of one text the check is quick, and NVRTC lets only one thread into its front end: a picture that
    // is begun beside it holds it up, by as much as it takes itself.
    if (request.method->lane == LaneKind::pictures)
        lanes_[static_cast<size_t>(LaneKind::checks)].wait_for_older(request.id, *request.cancel);
    if (*request.cancel) throw Cancelled{};
    Json result = request.method->work(request.params, context);
    wire_.send({{"type", "result"}, {"id", request.id}, {"result", std::move(result)}});
}

bool Server::is_unheard() const {
    return beats_come_ && std::chrono::steady_clock::now() - last_heard_ > silence_limit_;
}

void Server::beat_in_time() {
    auto now = std::chrono::steady_clock::now();
    if (now - last_beat_ < kEngineBeat) return;
    last_beat_ = now;
    wire_.beat();
}

void Server::check_watchdog() {
    bool hangs = service_.hangs && service_.hangs();
    for (Lane& each : lanes_) {
        auto request = each.stuck(kCancelGrace, hangs);
        if (!request) continue;
        std::string what = *request->cancel ? "was cancelled but does not stop"
                           : hangs          ? "waits for a driver that does not answer"
                                            : "did not finish within its time limit";
        wire_.send_error(
            request->id, Status::out_of_time,
            "the job " + what + "; its process ends, and the next job starts a new one",
            {{"fault", "endless"}}, true);
        ::_exit(kExitStuck);
    }
}

// Nobody reads our answers any more: what runs is cancelled, and what does not heed that is left.
void Server::close_down() {
    auto deadline = std::chrono::steady_clock::now() + kClosingGrace;
    for (Lane& each : lanes_)
        for (const Method& method : service_.methods) each.drop_waiting(&method);
    for (;;) {
        for (Lane& each : lanes_) each.cancel_running();
        if (is_idle()) return;
        if (std::chrono::steady_clock::now() > deadline) ::_exit(kExitStuck);
        std::this_thread::sleep_for(5ms);
    }
}

}  // namespace

int serve(int input_descriptor, int output_descriptor) {
    Service service = lab_service();
    compile_apart(service, [](Job& job) {
        validate(job);
        prepare_ahead(job);
    });
    return serve(input_descriptor, output_descriptor, service);
}

int serve(int input_descriptor, int output_descriptor, const Service& service,
          std::chrono::milliseconds silence_limit) {
    ::signal(SIGPIPE, SIG_IGN);  // a closed output is noticed as an error of write()
    Descriptor output(::fcntl(output_descriptor, F_DUPFD_CLOEXEC, 0));
    if (output_descriptor == STDOUT_FILENO) ::dup2(STDERR_FILENO, STDOUT_FILENO);
    return Server(input_descriptor, std::move(output), service, silence_limit).run();
}

}  // namespace lanewise
