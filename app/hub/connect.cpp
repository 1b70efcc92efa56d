// The one file that sees the client's side of Boost.Beast.
#include "hub/connect.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

#include <utility>  // before asio, which forgets it

#include <boost/asio.hpp>
#include <boost/beast.hpp>
#include <cstring>
#include <deque>
#include <thread>

#include "base/error.h"
#include "base/text.h"
#include "hub/engine_session.h"
#include "hub/hub.h"
#include "service/process.h"
#include "service/protocol.h"
#include "service/server.h"

namespace lanewise {

namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
namespace websocket = beast::websocket;
using Failure = boost::system::error_code;
using namespace std::chrono_literals;

constexpr auto kHandshakePatience = 20s;
constexpr auto kServerPatience = 16s;  // a ping asks halfway whether the server lives
constexpr auto kTriesFor = 8s;
constexpr auto kFirstPause = 200ms;
constexpr auto kBeat = 500ms;  // what the window expects of an engine on a pipe

// What stands between a stream of bytes to the server and our two pipes.
template <typename Stream>
class Bridge {
  public:
    Bridge(asio::io_context& context, Stream stream, int input, int output)
        : context_(context),
          socket_(std::move(stream)),
          input_(context, ::fcntl(input, F_DUPFD_CLOEXEC, 0)),
          output_(context, ::fcntl(output, F_DUPFD_CLOEXEC, 0)),
          beats_(context) {}

    int run(const EngineAddress& address) {
        shake_hands(address);
        read_input();
        read_socket();
        beat();
        context_.run();
        if (!refusal_.empty()) throw Error(Status::failed_check, refusal_);
        return exit_status_;
    }

  private:
    void shake_hands(const EngineAddress& address) {
        beast::get_lowest_layer(socket_).expires_never();
        websocket::stream_base::timeout patience;
        patience.handshake_timeout = kHandshakePatience;
        patience.idle_timeout = kServerPatience;
        patience.keep_alive_pings = true;
        socket_.set_option(patience);
        socket_.set_option(websocket::stream_base::decorator([&](websocket::request_type& request) {
            request.set(http::field::user_agent, "lanewise-engine " + program_version());
            request.set(http::field::sec_websocket_protocol, "lanewise");
            if (!address.token.empty())
                request.set(http::field::authorization, "Bearer " + address.token);
        }));
        socket_.read_message_max(kMostAnswerBytes);
        socket_.binary(true);
        websocket::response_type response;
        Failure failure;
        bool done = false;
        socket_.async_handshake(response, address.authority(), address.path, [&](Failure what) {
            failure = what;
            done = true;
        });
        while (!done) context_.run_one();  // timers may go on
        if (!failure) return;
        const std::string server = "the server at " + address.authority();
        if (response.result_int() < 300)
            throw Error(Status::bad_input, server + " does not answer: " + failure.message());
        std::string said(trimmed(response.body()));
        bool is_sentence = !said.empty() && said.find('<') == said.npos;
        std::string why = is_sentence ? said : "it answers with " + std::to_string(response.result_int());
        const bool is_for_class = address.path.ends_with("/class");  // which has no engines
        throw Error(Status::bad_input, server + (is_for_class ? " refuses: " : " gives no engine: ") + why);
    }

    void read_input() {
        input_.async_read_some(asio::buffer(from_input_), [this](Failure failure, size_t count) {
            if (failure) return end(0);
            cutter_.feed({from_input_.data(), count});
            send_next();
        });
    }
    void send_next() {
        try {
            auto frame = cutter_.next();
            if (!frame) return read_input();
            sending_ = std::move(*frame);
        } catch (const Error& error) {
            refusal_ = error.what();
            return end(0);
        }
        socket_.async_write(asio::buffer(sending_), [this](Failure failure, size_t) {
            if (!failure) return send_next();
        });
    }

    void read_socket() {
        socket_.async_read(come_, [this](Failure failure, size_t) {
            if (failure) return socket_ended();
            std::string frame = beast::buffers_to_string(come_.data());
            come_.consume(come_.size());
            // Until the engine has a place there, the server says that the way to it lives. The
            // window wants the greeting first.
            auto seen = glance_at(frame);
            if (!greeted_ && seen && seen->type == "beat") return read_socket();
            greeted_ = true;
            to_output(std::move(frame), true);
        });
    }
    // More is read from the socket once the window has taken what came.
    void to_output(std::string frame, bool then_read) {
        for_output_.push_back({std::move(frame), then_read});
        if (for_output_.size() == 1) write_output();
    }
    void write_output() {
        asio::async_write(output_, asio::buffer(for_output_.front().first),
                          [this](Failure failure, size_t) {
                              if (failure) return end(0);
                              bool then_read = for_output_.front().second;
                              for_output_.pop_front();
                              if (!for_output_.empty()) write_output();
                              if (then_read) read_socket();
                          });
    }

    // The engine's own stay at the server. These say that the way to it lives, which the socket's
    // pings watch.
    void beat() {
        beats_.expires_after(kBeat);
        beats_.async_wait([this](Failure failure) {
            if (failure) return;
            if (greeted_ && for_output_.empty()) to_output(beat_frame(), false);
            beat();
        });
    }

    void socket_ended() {
        auto reason = socket_.reason();
        if (reason.code == kCloseRefused || reason.code == websocket::close_code::too_big)
            refusal_ = reason.reason.empty()
                           ? "the message is larger than the server takes"
                           : std::string(reason.reason.c_str(), reason.reason.size());
        if (reason.code == kCloseEngineEnded) refusal_ = std::string(reason.reason.c_str());
        end(kExitUnheard);
    }
    void end(int status) {
        exit_status_ = status;
        context_.stop();
    }

    asio::io_context& context_;
    websocket::stream<Stream> socket_;
    asio::posix::stream_descriptor input_, output_;
    asio::steady_timer beats_;
    std::array<char, 64 << 10> from_input_;
    FrameCutter cutter_{kMaxMessageBytes};
    std::string sending_, refusal_;
    beast::flat_buffer come_;
    std::deque<std::pair<std::string, bool>> for_output_;
    bool greeted_ = false;
    int exit_status_ = 0;
};

// Connects, again and again for a while: the server may be starting.
beast::tcp_stream connected(asio::io_context& context, const EngineAddress& address) {
    asio::ip::tcp::resolver resolver(context);
    Failure failure;
    auto places = resolver.resolve(address.host, std::to_string(address.port), failure);
    if (failure)
        throw Error(Status::bad_input,
                    "there is no host " + address.host + ": " + failure.message());
    auto until = std::chrono::steady_clock::now() + kTriesFor;
    for (auto pause = kFirstPause;; pause = std::min(2 * pause, std::chrono::milliseconds(2000))) {
        beast::tcp_stream stream(context);
        stream.expires_after(kHandshakePatience);
        stream.async_connect(places,
                             [&](Failure what, const asio::ip::tcp::endpoint&) { failure = what; });
        context.run();
        context.restart();
        if (!failure) {
            stream.socket().set_option(asio::ip::tcp::no_delay(true), failure);
            return stream;
        }
        if (std::chrono::steady_clock::now() + pause > until) break;
        std::this_thread::sleep_for(pause);
    }
    throw Error(Status::bad_input,
                "no server answers at " + address.authority() + ": " + failure.message());
}

int connect_through_openssl(asio::io_context& context, const EngineAddress& address, int input,
                            int output) {
    int ends[2];
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
        throw Error(Status::bad_input,
                    std::string("cannot make a socket: ") + std::strerror(errno));
    Descriptor theirs(ends[1]);
    asio::local::stream_protocol::socket ours(context, asio::local::stream_protocol(), ends[0]);
    std::string place =
        (address.host.find(':') == std::string::npos ? address.host : "[" + address.host + "]") +
        ":" + std::to_string(address.port);
    ChildProcess tls(
        {"sh", "-c", "exec openssl s_client \"$@\" <&3 >&3", "sh", "-quiet", "-verify_return_error",
         "-verify_hostname", address.host, "-servername", address.host, "-connect", place},
        theirs.get());
    theirs.close();
    using Stream = beast::basic_stream<asio::local::stream_protocol>;
    try {
        return Bridge<Stream>(context, Stream(std::move(ours)), input, output).run(address);
    } catch (const Error& error) {
        tls.kill();
        std::array<char, 4096> said = {};
        ssize_t count = ::read(tls.errors.get(), said.data(), said.size());
        std::string text(said.data(), count > 0 ? static_cast<size_t>(count) : 0);
        if (text.find("openssl: not found") != text.npos)
            throw Error(Status::bad_input,
                        "wss:// goes through the program openssl, which is not installed");
        if (size_t at = text.find("verify error:"); at != text.npos) {
            std::string why = text.substr(at + 13, text.find('\n', at) - at - 13);
            throw Error(Status::bad_input, "the certificate of " + address.authority() +
                                               " is not to be trusted: " + why);
        }
        throw;
    }
}

}  // namespace

int connect_to_engine(const EngineAddress& address, int input, int output) {
    ::signal(SIGPIPE, SIG_IGN);
    asio::io_context context(1);
    if (address.is_secure) return connect_through_openssl(context, address, input, output);
    return Bridge<beast::tcp_stream>(context, connected(context, address), input, output)
        .run(address);
}

}  // namespace lanewise
