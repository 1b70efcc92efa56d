// The page tries again by itself where the way is lost, and says here only that it is open, what came,
// and that it gave up.
#include "service/socket_connection.h"

#include <emscripten.h>

#include <utility>

#include "base/error.h"
#include "service/protocol.h"

// clang-format off
EM_JS(int, page_socket_usable, (), { return Module.engineSocket && Module.engineSocket.usable ? 1 : 0; });
EM_JS(void, open_page_socket, (void* connection), {
    const hand_in = (bytes, take, more) => {
        const at = _malloc(bytes.length);
        HEAPU8.set(bytes, at);
        take(connection, at, bytes.length, more);
        _free(at);
    };
    Module.engineSocket.open(
        (frame) => hand_in(frame, _lanewise_socket_said, 0),
        (why, lost) => hand_in(new TextEncoder().encode(why), _lanewise_socket_ended, lost ? 1 : 0));
});
EM_JS(void, close_page_socket, (), { Module.engineSocket.close(); });
EM_JS(void, send_page_socket, (const char* bytes, size_t count), {
    Module.engineSocket.send(HEAPU8.slice(bytes, bytes + count));
});
// clang-format on

namespace lanewise {

namespace {

using Json = nlohmann::json;

class SocketConnection : public Connection {
  public:
    explicit SocketConnection(Listener listener) : listener_(std::move(listener)) {
        open_page_socket(this);
    }
    ~SocketConnection() override {
        if (!ended_) close_page_socket();
    }

    void send(const Json& message) override {
        std::string frame = encode(message);
        if (greeted_)
            send_page_socket(frame.data(), frame.size());
        else
            waiting_.push_back(std::move(frame));
    }
    int process_id() const override { return ended_ ? 0 : 1; }

    void heard(std::string_view frame) {
        Decoder decoder;
        decoder.feed(frame);
        auto message = decoder.next();
        if (!message || (*message)["type"] == "beat") return;
        if (!greeted_) greet(*message);
        listener_.on_message(std::move(*message));
    }
    void ended(const std::string& why, bool lost) {
        if (!std::exchange(ended_, true)) listener_.on_end(why, lost);
    }

  private:
    void greet(const Json& message) {
        if (message["type"] != "hello") throw Error(Status::bad_input, "the engine did not greet first");
        if (message.value("protocol", 0) != kProtocolVersion)
            throw Error(Status::bad_input, "the server's engine is version " +
                                               message.value("version", "unknown") +
                                               " and speaks another protocol than this page, version " +
                                               program_version() + ": reload the page");
        greeted_ = true;
        for (const std::string& frame : std::exchange(waiting_, {}))
            send_page_socket(frame.data(), frame.size());
    }

    Listener listener_;
    std::vector<std::string> waiting_;
    bool greeted_ = false, ended_ = false;
};

}  // namespace

extern "C" {
EMSCRIPTEN_KEEPALIVE void lanewise_socket_said(void* connection, const char* bytes, size_t count, int) {
    auto* it = static_cast<SocketConnection*>(connection);
    try {
        it->heard({bytes, count});
    } catch (const std::exception& error) {
        close_page_socket();
        it->ended(error.what(), false);
    }
}
EMSCRIPTEN_KEEPALIVE void lanewise_socket_ended(void* connection, const char* bytes, size_t count,
                                                int lost) {
    static_cast<SocketConnection*>(connection)->ended({bytes, count}, lost != 0);
}
}

bool page_has_socket() { return page_socket_usable() != 0; }

std::unique_ptr<Connection> connect_socket(Connection::Listener listener) {
    return std::make_unique<SocketConnection>(std::move(listener));
}

}  // namespace lanewise
