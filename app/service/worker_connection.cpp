// The way to an engine that runs in Workers of the page: frames over postMessage. One Worker answers
// what the picture waits for, another one, started when it is wanted, everything else: each does one
// job at a time. A job that is cancelled while it runs takes its Worker with it, and a new one goes on
// with what waits.
#include <emscripten.h>

#include <algorithm>
#include <array>
#include <deque>
#include <map>
#include <utility>

#include "base/error.h"
#include "service/connection.h"
#include "service/protocol.h"
#include "service/socket_connection.h"

// Browsers tell a page the bytes of one message at a time, which the page's own event loop hands to us.
// The first Worker may be on its way already (window.js): what it said meanwhile is in `early.come`.
// clang-format off
EM_JS(void, start_worker, (void* connection, int desk), {
    const early = Module.earlyWorker;
    Module.earlyWorker = null;
    // A first one hands over the program that it compiled.
    const program = Module.engineProgram;
    const worker = early ? early.worker : new Worker('engine-worker.js', program ? {name: 'program'} : {});
    if (program && !early) worker.postMessage({program});
    const workers = (Module.engineWorkers = Module.engineWorkers || {});
    workers[desk] = worker;
    const hand_in = (bytes, take) => {
        if (workers[desk] !== worker) return;  // it was replaced
        const at = _malloc(bytes.length);
        HEAPU8.set(bytes, at);
        take(connection, desk, at, bytes.length);
        _free(at);
    };
    const fail = (text) => hand_in(new TextEncoder().encode(text), _lanewise_worker_failed);
    worker.onmessage = (event) => {
        if (event.data.program) Module.engineProgram = event.data.program;
        else event.data.failure ? fail(event.data.failure) : hand_in(event.data, _lanewise_worker_said);
    };
    worker.onerror = (event) =>
        fail('The engine could not be started: ' + (event.message || 'its files did not load') +
             '. Reload the page to try again');
    if (early) queueMicrotask(() => early.come.forEach((event) => event.type === 'error' ? worker.onerror(event) : worker.onmessage(event)));
});
EM_JS(void, end_worker, (int desk), {
    const workers = Module.engineWorkers || {};
    if (workers[desk]) workers[desk].terminate();
    delete workers[desk];
});
EM_JS(void, post_to_worker, (int desk, const char* bytes, size_t count), {
    const frame = HEAPU8.slice(bytes, bytes + count);
    Module.engineWorkers[desk].postMessage(frame, [frame.buffer]);
});
// clang-format on

namespace lanewise {

namespace {

using Json = nlohmann::json;

constexpr int kPictures = 0, kOthers = 1, kDesks = 2;
constexpr std::string_view kQuick[] = {"picture", "swizzle", "ping", "check"};

int desk_of(const std::string& method) {
    return std::find(std::begin(kQuick), std::end(kQuick), method) != std::end(kQuick) ? kPictures
                                                                                       : kOthers;
}

class WorkerConnection : public Connection {
  public:
    explicit WorkerConnection(Listener listener) : listener_(std::move(listener)) {
        start(kPictures);
    }
    ~WorkerConnection() override { end(); }

    void send(const Json& message) override {
        if (message.at("type") == "request") request(message);
        if (message.at("type") == "cancel") cancel(message.at("id").get<uint64_t>());
    }
    int process_id() const override { return ended_ ? 0 : 1; }

    void heard(int desk, std::string_view frame) {
        Decoder decoder;
        decoder.feed(frame);
        auto message = decoder.next();
        if (!message) return;
        std::string type = message->at("type");
        if (type == "result" || type == "error") {
            uint64_t id = message->at("id");
            std::erase_if(open_[desk], [&](const Open& each) { return each.id == id; });
        }
        listener_.on_message(std::move(*message));
    }
    void failed(const std::string& why) {
        if (std::exchange(ended_, true)) return;
        end();
        listener_.on_end(why, false);
    }

  private:
    struct Open {
        uint64_t id;
        Json message;
    };

    void start(int desk) {
        started_[desk] = true;
        start_worker(this, desk);
    }
    void end() {
        for (int desk = 0; desk < kDesks; ++desk)
            if (std::exchange(started_[desk], false)) end_worker(desk);
    }
    void post(int desk, const Json& message) {
        std::string frame = encode(message);
        post_to_worker(desk, frame.data(), frame.size());
    }
    void request(const Json& message) {
        int desk = desk_of(message.at("method"));
        if (!started_[desk]) start(desk);
        open_[desk].push_back({message.at("id"), message});
        post(desk, message);
    }
    // The oldest is the one that runs.
    void cancel(uint64_t id) {
        for (int desk = 0; desk < kDesks; ++desk) {
            auto found = std::find_if(open_[desk].begin(), open_[desk].end(),
                                      [&](const Open& each) { return each.id == id; });
            if (found == open_[desk].end()) continue;
            bool runs = found == open_[desk].begin();
            if (!runs) return post(desk, {{"type", "cancel"}, {"id", id}});
            open_[desk].erase(found);
            restart(desk);
            listener_.on_message({{"type", "error"},
                                  {"id", id},
                                  {"status", static_cast<int>(Status::fine)},
                                  {"message", "cancelled"},
                                  {"details", nullptr},
                                  {"last", false}});
            return;
        }
    }
    void restart(int desk) {
        end_worker(desk);
        start(desk);
        for (const Open& each : open_[desk]) post(desk, each.message);
    }

    Listener listener_;
    std::array<std::deque<Open>, kDesks> open_;
    std::array<bool, kDesks> started_{};
    bool ended_ = false;
};

}  // namespace

extern "C" {
EMSCRIPTEN_KEEPALIVE void lanewise_worker_said(void* connection, int desk, const char* bytes,
                                               size_t count) {
    auto* it = static_cast<WorkerConnection*>(connection);
    try {
        it->heard(desk, {bytes, count});
    } catch (const std::exception& error) {
        it->failed(error.what());
    }
}
EMSCRIPTEN_KEEPALIVE void lanewise_worker_failed(void* connection, int, const char* bytes,
                                                 size_t count) {
    static_cast<WorkerConnection*>(connection)->failed({bytes, count});
}
}

std::unique_ptr<Connection> connect_engine(const std::vector<std::string>&,
                                           Connection::Listener listener) {
    if (page_has_socket()) return connect_socket(std::move(listener));
    return std::make_unique<WorkerConnection>(std::move(listener));
}

}  // namespace lanewise
