// The sockets and pipes of the hub, on one thread. It is the one file that sees the server's side of
// Boost.Beast, and holds no rule: those are in the files that README.md lists.
#include "hub/hub.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <unistd.h>

#include <utility>  // before asio, which forgets it

#include <boost/asio.hpp>
#include <boost/beast.hpp>
#include <deque>
#include <nlohmann/json.hpp>
#include <set>

#include "base/error.h"
#include "base/files.h"
#include "base/text.h"
#include "hub/board.h"
#include "hub/class_desk.h"
#include "hub/engine_session.h"
#include "hub/page_files.h"
#include "service/protocol.h"

// Beast seeds its masks with std::random_device. A libstdc++ that was built with glibc 2.36 calls this
// function there, which older ones lack. With our own the program needs none of glibc's.
extern "C" uint32_t arc4random() noexcept {
    uint32_t value = 0;
    while (::getrandom(&value, sizeof(value), 0) != sizeof(value)) {
    }
    return value;
}

namespace lanewise {

namespace {

namespace fs = std::filesystem;
namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
namespace websocket = beast::websocket;
using asio::ip::tcp;
using Failure = boost::system::error_code;
using namespace std::chrono_literals;

constexpr size_t kHeaderBytes = 8 << 10;
constexpr auto kHeaderPatience =
    10s;  // from the connection, or the last answer, to a whole request
constexpr auto kAnswerPatience = 120s;  // a large file over a slow line
constexpr auto kSocketPatience = 40s;  // of a socket; a ping asks halfway whether the browser lives
constexpr auto kTick = 1s;
constexpr int kTicksASurvey = 3;       // of the students' folders
constexpr double kWriteStalls_s = 60;  // a browser that takes nothing for so long is gone
constexpr double kGoodbyePatience_s = 10;
constexpr double kStartIsSlow_s = 5;  // then the browser is told that its engine is being started
constexpr size_t kMostVisitors = 600, kMostVisitorsOfOne = 200;  // that have no engine
constexpr size_t kMostRefused = 100;  // sockets at once that are only told so
constexpr size_t kMostListening = 8;  // of one token at /class, at once
constexpr size_t kMostReason = 120;   // a close's reason is at most 123 bytes (RFC 6455, 5.5)
constexpr size_t kLastWords = 2048;

double now_s() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch())
        .count();
}

void log(const std::string& line) {
    std::string printable = line;  // an engine's last words may be anything
    for (char& c : printable)
        if (static_cast<unsigned char>(c) < ' ' || c == 0x7f) c = ' ';
    fmt::print(stderr, "lanewise-engine: {}\n", printable);
    std::fflush(stderr);
}

// No engine inherits it: one would hold the others' connections, which nobody could close then, and a
// browser would wait for ever for an answer on one.
template <typename Connection>
void keep_from_children(Connection& connection) {
    ::fcntl(connection.native_handle(), F_SETFD, FD_CLOEXEC);
}

class Hub;
class Socket;
using Request = http::request<http::empty_body>;

template <typename Name>
std::string field(const Request& request, Name name) {
    auto found = request.find(name);
    return found == request.end() ? "" : std::string(found->value());
}

// As hub.h lists the places; the first one counts.
std::string token_of(const Request& request) {
    std::string given = field(request, http::field::authorization);
    if (given.starts_with("Bearer ")) return given.substr(7);
    if (given.starts_with("Basic ")) {
        std::string pair = base64_decoded(given.substr(6));
        size_t colon = pair.find(':');
        return colon == pair.npos ? "" : pair.substr(colon + 1);
    }
    std::string protocols = field(request, http::field::sec_websocket_protocol);
    for (std::string_view one : split(protocols, ','))
        if (one = trimmed(one); one.starts_with("token.")) return std::string(one.substr(6));
    std::string target(request.target());
    size_t query = target.find('?');
    return query == target.npos ? ""
                                : query_value(std::string_view(target).substr(query + 1), "token");
}

// ---- A browser and its engine ------------------------------------------------------------------

// What a browser is to the class.
struct ForClass {
    Speaker speaker;
    std::string holder;  // of which token
    bool hears = false;
    std::string news{};  // a state, which waits behind what is being written
    bool start_said = false;
    double start_told_s = 0;  // when it was last told that its engine is being started
};

// How the connection ends.
struct Goodbye {
    bool begun = false;
    double since_s = 0;
    int code = 0;
    std::string why;
};

class Socket : public std::enable_shared_from_this<Socket> {
  public:
    // seat: null where there is none; `refusal` says why then, to the browser. Without both it speaks to
    // the class alone, and has no engine.
    Socket(Hub& hub, beast::tcp_stream stream, std::unique_ptr<Seat> seat, std::string refusal,
           Speaker speaker, std::string holder);
    void accept(Request request);
    void tick(const ProcessUse* use);
    void end(int code, const std::string& why);
    int process() const { return child_ ? child_->id() : 0; }
    const Seat* seat() const { return seat_.get(); }
    const EngineSession& session() const { return session_; }
    const Speaker& speaker() const { return class_.speaker; }
    const std::string& holder() const { return class_.holder; }
    bool is_listener() const { return !seat_ && refusal_.empty(); }
    bool hears_class() const { return class_.hears && !goodbye_.begun && !finished_; }
    void hear_class() { class_.hears = true; }
    // The class's state. Where the browser is behind it gets the newest alone.
    void tell(std::string frame);
    void answer(std::string frame);
    void kill();

  private:
    void start_in_turn();
    void start_engine();
    void read_browser();
    void take(const std::string& message);
    void read_engine();
    void read_errors();
    void pass_on();
    void to_engine(std::string frame);
    void write_engine();
    void read_when_engine_has_all();
    void to_browser(std::string frame);
    void write_browser();
    void engine_ended();
    void say_goodbye();
    void tell_of_start(double now);
    void finish();

    Hub& hub_;
    websocket::stream<beast::tcp_stream> socket_;
    std::unique_ptr<Seat> seat_;
    std::string refusal_;
    ForClass class_;
    EngineSession session_;
    std::unique_ptr<ChildProcess> child_;
    asio::posix::stream_descriptor input_, output_, errors_;
    asio::steady_timer pause_;
    beast::flat_buffer come_;
    std::array<char, 64 << 10> bytes_;
    std::array<char, 1 << 10> error_bytes_;
    std::string last_words_;
    std::deque<std::string> for_engine_, for_browser_;
    double writing_since_s_ = 0;
    bool wants_more_ = false, reading_engine_ = false, finished_ = false;
    Goodbye goodbye_;
};

// ---- A visitor: one connection before it is a socket -------------------------------------------

class Visitor : public std::enable_shared_from_this<Visitor> {
  public:
    Visitor(Hub& hub, tcp::socket socket);
    ~Visitor();
    void read();

  private:
    void answer();
    void engine_asked();
    void engine_json();
    void board();
    void act_on_board();
    void board_script();
    bool is_teachers(const Classroom::Check& check);
    void page();
    void no_token(const Classroom::Check& check, bool wants_password);
    Classroom::Check checked();
    std::string address() const;
    Visit visit() const;
    void say(http::status status, const std::string& text,
             const std::string& type = "text/plain; charset=utf-8");
    template <typename Body>
    void send(std::shared_ptr<http::response<Body>> response);

    Hub& hub_;
    beast::tcp_stream stream_;
    std::string peer_;
    beast::flat_buffer come_{kHeaderBytes * 2};
    std::optional<http::request_parser<http::empty_body>> parser_;
    Request request_;
    asio::steady_timer hold_;
    bool counted_ = false, asks_password_ = false, has_script_ = false;
    int retry_s_ = 0;
};

// ---- All of them -------------------------------------------------------------------------------

class Hub {
  public:
    explicit Hub(const HubOptions& options);
    int run();

    asio::io_context& context() { return context_; }
    Classroom& classroom() { return classroom_; }
    void add(std::shared_ptr<Socket> socket) { sockets_.insert(std::move(socket)); }
    // More are open than have an engine, and than are being told why they have none.
    bool is_crowded() const {
        auto places = static_cast<size_t>(classroom_.class_file().limits.connections);
        return sockets_.size() > 2 * places + kMostRefused;
    }
    // Whether one more may listen at /class with this token.
    bool may_listen(const TokenHolder& holder) const;
    // A frame for the class, of this socket's browser; and a word of the teacher's by the board.
    void class_said(Socket& socket, const std::string& frame);
    nlohmann::json teacher_said(const nlohmann::json& message);
    // The class's state, with a word about an engine that does not start at once.
    std::string start_frame(const Speaker& speaker) const;
    // What this one's engine uses, before the next tick looks.
    void look_at(Socket& socket);
    // Its engine ends, on a thread of its own, because that may take seconds.
    void bury(std::shared_ptr<Socket> socket, std::unique_ptr<ChildProcess> child,
              std::unique_ptr<Seat> seat);
    Board board_now();
    std::string board(bool as_json);
    void use_class_file();
    bool count_visitor(const std::string& address);
    void forget_visitor(const std::string& address);

  private:
    void listen();
    void accept();
    void tick();
    void hear_signals();
    void close();
    void leave_if_empty();
    void greet() const;
    void spread(ClassDesk::News news, const Socket* but_for);
    void survey();
    void surveyed(const std::map<std::string, DiskUse>& folders);

    // Before the context: who is still connected when that goes takes leave of these.
    std::map<std::string, size_t> visitors_;
    size_t visitors_in_all_ = 0;
    Classroom classroom_;
    ClassDesk desk_;
    asio::io_context context_{1};
    tcp::acceptor acceptor_{context_};
    asio::steady_timer ticks_{context_}, again_{context_};
    asio::signal_set signals_{context_, SIGINT, SIGTERM, SIGHUP};
    std::set<std::shared_ptr<Socket>> sockets_;
    int ticked_ = 0;
    bool closing_ = false, surveying_ = false;
    asio::thread_pool undertakers_{4}, surveyors_{1};
};

// ---- Socket ------------------------------------------------------------------------------------

Socket::Socket(Hub& hub, beast::tcp_stream stream, std::unique_ptr<Seat> seat, std::string refusal,
               Speaker speaker, std::string holder)
    : hub_(hub),
      socket_(std::move(stream)),
      seat_(std::move(seat)),
      refusal_(std::move(refusal)),
      class_{std::move(speaker), std::move(holder)},
      session_(hub.classroom().class_file().limits, now_s()),
      input_(hub.context()),
      output_(hub.context()),
      errors_(hub.context()),
      pause_(hub.context()) {}

// What starts engines elsewhere has to take them back: srun gives its job up at SIGTERM, and not where it
// is killed. Its patience is ~ChildProcess's.
void Socket::kill() {
    if (!child_) return;
    bool is_elsewhere = !hub_.classroom().options().engine_prefix.empty();
    is_elsewhere ? child_->terminate() : child_->kill();
}

void Socket::accept(Request request) {
    beast::get_lowest_layer(socket_).expires_never();  // the socket has a clock of its own
    websocket::stream_base::timeout patience;
    patience.handshake_timeout = kHeaderPatience;
    patience.idle_timeout = kSocketPatience;
    patience.keep_alive_pings = true;
    socket_.set_option(patience);
    bool names_protocol = false;
    std::string protocols = field(request, http::field::sec_websocket_protocol);
    for (std::string_view one : split(protocols, ',')) names_protocol |= trimmed(one) == "lanewise";
    socket_.set_option(
        websocket::stream_base::decorator([names_protocol](websocket::response_type& response) {
            response.set(http::field::server, "lanewise-engine");
            if (names_protocol) response.set(http::field::sec_websocket_protocol, "lanewise");
        }));
    socket_.read_message_max(
        static_cast<size_t>(hub_.classroom().class_file().limits.message_kilobytes) << 10);
    socket_.binary(true);
    auto kept = std::make_shared<Request>(std::move(request));
    socket_.async_accept(*kept, [self = shared_from_this(), kept](Failure failure) {
        if (failure) return self->finish();
        if (self->seat_) return self->start_in_turn();
        if (!self->is_listener()) return self->end(kCloseRefused, self->refusal_);
        self->to_browser(encode({{"program", "lanewise-engine"},
                                 {"protocol", kProtocolVersion},
                                 {"type", "hello"},
                                 {"version", program_version()}}));
        self->read_browser();
    });
}

// Who has used the processors much lately, by starting engine after engine perhaps, waits a little.
void Socket::start_in_turn() {
    double wait_s = hub_.classroom().start_wait_s(*seat_, now_s());
    if (wait_s <= 0) return start_engine();
    pause_.expires_after(std::chrono::microseconds(static_cast<int64_t>(1e6 * wait_s)));
    pause_.async_wait([self = shared_from_this()](Failure failure) {
        if (!failure && !self->goodbye_.begun && !self->finished_) self->start_engine();
    });
}

void Socket::start_engine() {
    hub_.classroom().note_start(*seat_, now_s());
    try {
        child_ = std::make_unique<ChildProcess>(hub_.classroom().engine_command(*seat_));
    } catch (const Error& error) {
        log(error.what());
        return end(kCloseEngineEnded, "the engine could not be started");
    }
    class_.start_told_s = now_s();
    if (!hub_.classroom().options().engine_prefix.empty()) session_.wait_for_start();
    input_.assign(child_->input.release());
    output_.assign(child_->output.release());
    errors_.assign(child_->errors.release());
    read_browser();
    read_engine();
    read_errors();
}

void Socket::read_browser() {
    if (goodbye_.begun || finished_) return;
    socket_.async_read(come_, [self = shared_from_this()](Failure failure, size_t) {
        if (failure) return self->finish();
        std::string message = beast::buffers_to_string(self->come_.data());
        self->come_.consume(self->come_.size());
        if (self->come_.capacity() > (1u << 20)) self->come_.shrink_to_fit();
        if (!self->socket_.got_binary())
            return self->end(kCloseRefused, "a message is text: frames are binary");
        self->take(message);
    });
}

void Socket::take(const std::string& message) {
    if (goodbye_.begun || finished_) return;
    EngineSession::Taken taken = session_.take(message, now_s());
    if (!taken.broken.empty()) return end(kCloseRefused, taken.broken);
    if (!taken.reply.empty()) to_browser(std::move(taken.reply));
    if (taken.for_class) hub_.class_said(*this, message);
    if (taken.passes && is_listener())
        return end(kCloseRefused, "no engine answers at /class; it does at /engine");
    if (taken.passes) to_engine(message);
    // Nothing more is read until there is room: the browser's own messages wait.
    if (taken.wait_s <= 0) return read_when_engine_has_all();
    pause_.expires_after(std::chrono::microseconds(static_cast<int64_t>(1e6 * taken.wait_s)));
    pause_.async_wait([self = shared_from_this()](Failure failure) {
        if (!failure) self->read_when_engine_has_all();
    });
}

void Socket::read_when_engine_has_all() {
    wants_more_ = !for_engine_.empty();
    if (!wants_more_) read_browser();
}

void Socket::to_engine(std::string frame) {
    if (!input_.is_open()) return;
    for_engine_.push_back(std::move(frame));
    if (for_engine_.size() == 1) write_engine();
}

void Socket::write_engine() {
    asio::async_write(input_, asio::buffer(for_engine_.front()),
                      [self = shared_from_this()](Failure failure, size_t) {
                          if (failure || self->finished_)
                              return;  // what it says last is still read
                          self->for_engine_.pop_front();
                          if (!self->for_engine_.empty()) return self->write_engine();
                          if (self->wants_more_) self->read_when_engine_has_all();
                      });
}

void Socket::read_engine() {
    if (finished_ || goodbye_.begun || !output_.is_open() || reading_engine_) return;
    reading_engine_ = true;  // what the hub says itself must not start a second reader of bytes_
    output_.async_read_some(asio::buffer(bytes_),
                            [self = shared_from_this()](Failure failure, size_t count) {
                                self->reading_engine_ = false;
                                if (self->finished_ || self->goodbye_.begun) return;
                                if (failure) return self->engine_ended();
                                self->session_.heard({self->bytes_.data(), count}, now_s());
                                self->pass_on();
                            });
}

// One frame at a time: an engine whose browser is slow waits, and nothing piles up here.
void Socket::pass_on() {
    try {
        const bool had_greeted = session_.has_greeted();
        auto frame = session_.next_for_browser();
        // One that is to give way does so before it gets its first work.
        if (!had_greeted && session_.has_greeted()) hub_.look_at(*this);
        if (goodbye_.begun || finished_) return;
        if (frame)
            to_browser(std::move(*frame));
        else
            read_engine();
    } catch (const Error& error) {
        log(seat_->name + ": " + error.what());
        end(kCloseEngineEnded, error.what());
    }
}

void Socket::read_errors() {
    errors_.async_read_some(
        asio::buffer(error_bytes_), [self = shared_from_this()](Failure failure, size_t count) {
            if (failure || self->finished_) return;
            self->last_words_.append(self->error_bytes_.data(), count);
            if (self->last_words_.size() > kLastWords)
                self->last_words_.erase(0, self->last_words_.size() - kLastWords);
            self->read_errors();
        });
}

void Socket::to_browser(std::string frame) {
    for_browser_.push_back(std::move(frame));
    if (for_browser_.size() == 1) write_browser();
}

void Socket::write_browser() {
    writing_since_s_ = now_s();
    socket_.async_write(asio::buffer(for_browser_.front()),
                        [self = shared_from_this()](Failure failure, size_t) {
                            if (failure) return self->finish();
                            if (self->finished_) return;
                            self->for_browser_.pop_front();
                            if (!self->for_browser_.empty()) return self->write_browser();
                            if (self->goodbye_.begun) return self->say_goodbye();
                            if (!self->class_.news.empty())
                                return self->to_browser(std::exchange(self->class_.news, {}));
                            self->pass_on();
                        });
}

void Socket::tell(std::string frame) {
    if (for_browser_.empty())
        to_browser(std::move(frame));
    else
        class_.news = std::move(frame);
}

void Socket::answer(std::string frame) {
    class_.news.clear();  // it is older
    to_browser(std::move(frame));
}

void Socket::engine_ended() {
    std::string_view words = trimmed(last_words_);
    if (!words.empty()) log(seat_->name + "'s engine ended, and said: " + std::string(words));
    end(kCloseEngineEnded, "the engine ended; the next request starts a new one");
}

void Socket::end(int code, const std::string& why) {
    if (goodbye_.begun || finished_) return;
    goodbye_.begun = true;
    goodbye_.since_s = now_s();
    goodbye_.code = code;
    goodbye_.why = why.substr(0, kMostReason);
    pause_.cancel();
    kill();
    bool idle = for_browser_.empty();
    for (std::string& frame : session_.farewells(why)) for_browser_.push_back(std::move(frame));
    if (!idle) return;  // what is being written goes on from there
    for_browser_.empty() ? say_goodbye() : write_browser();
}

void Socket::say_goodbye() {
    websocket::close_reason reason;
    reason.code = static_cast<uint16_t>(goodbye_.code);
    reason.reason = goodbye_.why;
    socket_.async_close(reason, [self = shared_from_this()](Failure) { self->finish(); });
}

void Socket::tick(const ProcessUse* use) {
    if (finished_) return;
    double now = now_s();
    bool stalls = !for_browser_.empty() && now - writing_since_s_ > kWriteStalls_s;
    if (stalls || (goodbye_.begun && now - goodbye_.since_s > kGoodbyePatience_s)) return finish();
    if (goodbye_.begun || !child_) return;
    if (!session_.has_greeted() && now - class_.start_told_s > kStartIsSlow_s) tell_of_start(now);
    if (for_engine_.empty() && session_.has_greeted()) to_engine(beat_frame());
    if (!use) return;
    std::string why = session_.look_at(*use, now);
    session_.give_way(hub_.classroom().note_work(*seat_, session_.newly_used_s(), now));
    if (why.empty()) return;
    log(seat_->name + ": " + why);
    hub_.classroom().let_rest(*seat_, now);
    end(kCloseRefused, why);
}

// Slurm may have no room yet. A beat is the one thing that may come before the greeting.
void Socket::tell_of_start(double now) {
    class_.start_told_s = now;
    if (for_browser_.empty()) to_browser(beat_frame());
    if (class_.hears && !std::exchange(class_.start_said, true))
        tell(hub_.start_frame(class_.speaker));
}

void Socket::finish() {
    if (std::exchange(finished_, true)) return;
    Failure ignored;
    pause_.cancel();
    beast::get_lowest_layer(socket_).close();
    for (auto* pipe : {&input_, &output_, &errors_}) pipe->close(ignored);
    hub_.bury(shared_from_this(), std::move(child_), std::move(seat_));
}

// ---- Visitor -----------------------------------------------------------------------------------

Visitor::Visitor(Hub& hub, tcp::socket socket)
    : hub_(hub), stream_(std::move(socket)), hold_(hub.context()) {
    Failure failure;
    auto end = stream_.socket().remote_endpoint(failure);
    peer_ = failure ? "" : end.address().to_string();
    counted_ = !failure && hub_.count_visitor(peer_);
}

Visitor::~Visitor() {
    if (counted_) hub_.forget_visitor(peer_);
}

void Visitor::read() {
    if (!counted_) return;  // too many: the connection closes with this object
    parser_.emplace();
    parser_->header_limit(kHeaderBytes);
    parser_->body_limit(0);
    stream_.expires_after(kHeaderPatience);
    http::async_read(stream_, come_, *parser_,
                     [self = shared_from_this()](Failure failure, size_t) {
                         if (failure == http::error::header_limit)
                             return self->say(http::status::request_header_fields_too_large,
                                              "the request is too long");
                         if (failure) return;
                         self->request_ = self->parser_->release();
                         self->answer();
                     });
}

// Behind a proxy it is the proxy that knows who asks: the last in its list, which it has added itself.
std::string Visitor::address() const {
    if (!hub_.classroom().options().behind_proxy) return peer_;
    std::string list = field(request_, "X-Forwarded-For");
    std::string last(trimmed(split(list, ',').back()));
    Failure failure;
    asio::ip::make_address(last, failure);
    return failure ? peer_ : last;
}

Visit Visitor::visit() const {
    return {field(request_, http::field::host), field(request_, http::field::origin),
            request_.count("X-Forwarded-For") + request_.count("Forwarded") > 0};
}

void Visitor::answer() {
    std::string target(request_.target());
    std::string path = target.substr(0, target.find('?'));
    bool reads = request_.method() == http::verb::get || request_.method() == http::verb::head;
    if (request_.method() == http::verb::post && path == "/board") return act_on_board();
    if (!reads) return say(http::status::method_not_allowed, "this server answers to GET alone");
    if (path == "/engine" || path == "/class") return engine_asked();
    if (path == "/engine.json") return engine_json();
    if (path == "/board" || path == "/board.json") return board();
    if (path == "/board.js") return board_script();
    page();
}

Classroom::Check Visitor::checked() {
    return hub_.classroom().check(token_of(request_), address(), now_s());
}

void Visitor::no_token(const Classroom::Check& check, bool wants_password) {
    if (check.refused_s > 0) {
        retry_s_ = static_cast<int>(check.refused_s) + 1;
        return say(http::status::too_many_requests,
                   fmt::format("too many wrong tokens came from your address; try again in {} s",
                               retry_s_));
    }
    auto tell = [self = shared_from_this(), wants_password] {
        self->asks_password_ = wants_password;
        self->say(http::status::unauthorized,
                  "this token is not known here; ask your teacher for yours");
    };
    if (token_of(request_).empty()) return tell();
    stream_.expires_never();
    hold_.expires_after(std::chrono::milliseconds(static_cast<int>(1000 * check.hold_s)));
    hold_.async_wait([tell](Failure) { tell(); });
}

void Visitor::engine_asked() {
    if (!websocket::is_upgrade(request_))
        return say(http::status::upgrade_required,
                   "an engine answers here by WebSocket: lanewise --engine ws://HOST:PORT/engine");
    std::string refused = why_refused(visit(), hub_.classroom().door());
    if (!refused.empty()) return say(http::status::forbidden, refused);
    Classroom::Check check = checked();
    if (!check.holder) return no_token(check, false);
    if (hub_.is_crowded())
        return say(http::status::service_unavailable,
                   "too many connections are open; try again later");
    std::string why;
    std::unique_ptr<Seat> seat;
    if (!request_.target().starts_with("/class"))
        seat = hub_.classroom().take_seat(*check.holder, now_s(), why);
    else if (!hub_.may_listen(*check.holder))
        why = "enough windows listen with your token already: close another one first";
    Speaker speaker = hub_.classroom().speaker_for(*check.holder, seat.get());
    auto socket = std::make_shared<Socket>(hub_, std::move(stream_), std::move(seat), why,
                                           std::move(speaker), check.holder->name);
    hub_.add(socket);
    socket->accept(std::move(request_));
}

void Visitor::engine_json() {
    std::string refused = why_refused(visit(), hub_.classroom().door());
    if (!refused.empty()) return say(http::status::forbidden, refused);
    nlohmann::json json = {{"socket", "engine"},
                           {"title", hub_.classroom().class_file().title},
                           {"needs_token", hub_.classroom().has_tokens()},
                           {"token", "none"}};
    if (!token_of(request_).empty()) {
        Classroom::Check check = checked();
        if (!check.holder) return no_token(check, false);
        json["token"] = "known";
    }
    say(http::status::ok, json.dump() + "\n", "application/json");
}

// Who is not is told so.
bool Visitor::is_teachers(const Classroom::Check& check) {
    if (!check.holder)
        no_token(check, true);
    else if (hub_.classroom().has_tokens() && check.holder->kind != HolderKind::teacher)
        say(http::status::forbidden, "the board is the teacher's, whose token says so");
    else
        return true;
    return false;
}

void Visitor::board() {
    std::string refused = why_refused(visit(), hub_.classroom().door());
    if (!refused.empty()) return say(http::status::forbidden, refused);
    if (!is_teachers(checked())) return;
    has_script_ = true;
    bool as_json = request_.target().starts_with("/board.json");
    say(http::status::ok, hub_.board(as_json),
        as_json ? "application/json" : "text/html; charset=utf-8");
}

// What the teacher does on the board: the words of class_desk.h in the address, and no body. A browser
// adds the Origin, without which a page elsewhere could do it in the teacher's name.
void Visitor::act_on_board() {
    Visit who = visit();
    std::string refused = why_refused(who, hub_.classroom().door());
    if (refused.empty() && who.origin.empty() && token_of(request_).empty())
        refused = "the board's page alone may do this";
    if (!refused.empty()) return say(http::status::forbidden, refused);
    if (!is_teachers(checked())) return;
    std::string target(request_.target());
    size_t at = target.find('?');
    std::string query = at == target.npos ? "" : target.substr(at + 1);
    nlohmann::json message;
    for (const char* name : {"do", "question", "stage", "explain"})
        if (std::string value = query_value(query, name); !value.empty()) message[name] = value;
    for (const char* name : {"which", "right"})
        if (int64_t number = 0; parse_integer(query_value(query, name), number) && number >= 0)
            message[name] = static_cast<uint64_t>(number);
    std::string choices = query_value(query, "choices");
    for (std::string_view line : lines_of(choices))
        if (!trimmed(line).empty()) message["choices"].push_back(std::string(trimmed(line)));
    nlohmann::json answer = hub_.teacher_said(message);
    if (answer["failed"] == true)
        return say(http::status::bad_request, answer["said"].get<std::string>());
    say(http::status::ok,
        answer.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n",
        "application/json");
}

void Visitor::board_script() {
    try {
        say(http::status::ok,
            read_file(hub_.classroom().content() / "assets" / "class" / "board.js"),
            "text/javascript; charset=utf-8");
    } catch (const Error& error) {
        say(http::status::not_found, error.what());
    }
}

void Visitor::page() {
    const fs::path& folder = hub_.classroom().options().page;
    std::string target(request_.target());
    auto file = page_file(folder, target);
    if (!file) {
        std::string path = target.substr(0, target.find('?'));
        bool is_start = path == "/" || path == "/index.html";
        if (is_start)
            return say(http::status::ok, page_in_its_place(folder), "text/html; charset=utf-8");
        return say(http::status::not_found, "there is no such file on this server");
    }
    std::error_code unknown;
    auto changed = fs::last_write_time(*file, unknown).time_since_epoch().count();
    std::string tag = fmt::format("\"{:x}-{:x}\"", fs::file_size(*file, unknown), changed);
    if (field(request_, http::field::if_none_match) == tag) {
        auto same = std::make_shared<http::response<http::empty_body>>(http::status::not_modified,
                                                                       request_.version());
        same->set(http::field::etag, tag);
        return send(same);
    }
    auto response =
        std::make_shared<http::response<http::file_body>>(http::status::ok, request_.version());
    Failure failure;
    response->body().open(file->c_str(), beast::file_mode::scan, failure);
    if (failure) return say(http::status::not_found, "this file cannot be read");
    response->set(http::field::content_type, media_type(*file));
    response->set(http::field::etag, tag);
    response->set(http::field::cache_control,
                  "no-cache");  // asked for again, sent only if it is another
    response->content_length(response->body().size());
    if (request_.method() != http::verb::head) return send(response);
    auto head =
        std::make_shared<http::response<http::empty_body>>(http::status::ok, request_.version());
    head->base() = response->base();
    send(head);
}

void Visitor::say(http::status status, const std::string& text, const std::string& type) {
    auto response = std::make_shared<http::response<http::string_body>>(status, request_.version());
    response->set(http::field::content_type, type);
    response->set(http::field::cache_control, "no-store");
    response->set("Content-Security-Policy",
                  // words: may stand, because it is a header's value
                  std::string("default-src 'none'; style-src 'unsafe-inline'; frame-ancestors "
                              "'none'; form-action 'none'") +
                      // words: may stand, because it is a header's value
                      (has_script_ ? "; script-src 'self'; connect-src 'self'" : ""));
    if (asks_password_)
        response->set(http::field::www_authenticate, "Basic realm=\"Lanewise\", charset=\"UTF-8\"");
    if (retry_s_ > 0) response->set(http::field::retry_after, std::to_string(retry_s_));
    size_t length = text.size();
    if (request_.method() != http::verb::head) response->body() = text;
    response->content_length(length);
    send(response);
}

template <typename Body>
void Visitor::send(std::shared_ptr<http::response<Body>> response) {
    response->set(http::field::server, "lanewise-engine");
    response->set("X-Content-Type-Options", "nosniff");
    response->set("Referrer-Policy", "no-referrer");
    bool goes_on = response->result_int() < 400 && request_.keep_alive();
    response->keep_alive(goes_on);
    stream_.expires_after(kAnswerPatience);
    auto serializer = std::make_shared<http::serializer<false, Body>>(*response);
    serializer->split(false);
    http::async_write(
        stream_, *serializer,
        [self = shared_from_this(), response, serializer, goes_on](Failure failure, size_t) {
            if (failure) return;
            self->retry_s_ = 0;
            self->asks_password_ = self->has_script_ = false;
            if (goes_on) return self->read();
            Failure ignored;
            self->stream_.socket().shutdown(tcp::socket::shutdown_send, ignored);
        });
}

// ---- Hub ---------------------------------------------------------------------------------------

Hub::Hub(const HubOptions& options)
    : classroom_(options),
      desk_(classroom_.options().folder / "hand-ins", questions_of(classroom_.content()),
            handouts_of(classroom_.content())) {
    use_class_file();
    listen();
}

void Hub::listen() {
    const ListenAddress& address = classroom_.options().address;
    Failure failure;
    tcp::endpoint end(asio::ip::make_address(address.host), address.port);
    acceptor_.open(end.protocol(), failure);
    if (!failure) keep_from_children(acceptor_);
    if (!failure) acceptor_.set_option(asio::socket_base::reuse_address(true), failure);
    if (!failure) acceptor_.bind(end, failure);
    if (!failure) acceptor_.listen(asio::socket_base::max_listen_connections, failure);
    if (failure)
        throw Error(Status::bad_input,
                    fmt::format("{} port {} cannot be served: {}; choose another with --http",
                                address.host, address.port, failure.message()));
}

void Hub::greet() const {
    const HubOptions& options = classroom_.options();
    auto end = acceptor_.local_endpoint();
    std::string host = options.address.host.find(':') == std::string::npos
                           ? options.address.host
                           : "[" + options.address.host + "]";
    fmt::print("lanewise: http://{}:{}/  (Ctrl+C ends it)\n", host, end.port());
    std::fflush(stdout);
    if (::geteuid() == 0)
        log("it runs as root: a user of its own is safer, as docs/classroom.md has it");
    if (!classroom_.has_wall())
        log("engines run without a sandbox, because " + classroom_.why_no_wall() +
            "; so everybody who has an account on this machine can read your files by way of this "
            "server");
    else if (!classroom_.has_tokens())
        log("there are no tokens: everybody who has an account on this machine may use its "
            "engines");
}

int Hub::run() {
    struct rlimit files = {};
    if (::getrlimit(RLIMIT_NOFILE, &files) == 0) {
        files.rlim_cur = files.rlim_max;
        ::setrlimit(RLIMIT_NOFILE, &files);
    }
    greet();
    accept();
    tick();
    hear_signals();
    context_.run();
    undertakers_.join();
    surveyors_.join();
    return 0;
}

void Hub::accept() {
    acceptor_.async_accept([this](Failure failure, tcp::socket socket) {
        if (closing_ || failure == asio::error::operation_aborted) return;
        if (!failure) {
            Failure ignored;
            socket.set_option(tcp::no_delay(true), ignored);
            keep_from_children(socket);
            std::make_shared<Visitor>(*this, std::move(socket))->read();
            return accept();
        }
        again_.expires_after(200ms);  // no descriptors are left, perhaps
        again_.async_wait([this](Failure stopped) {
            if (!stopped) accept();
        });
    });
}

bool Hub::count_visitor(const std::string& address) {
    bool trusted = classroom_.options().behind_proxy;  // all come from the proxy then
    if (visitors_in_all_ >= kMostVisitors) return false;
    if (!trusted && visitors_[address] >= kMostVisitorsOfOne) return false;
    ++visitors_in_all_;
    ++visitors_[address];
    return true;
}

void Hub::forget_visitor(const std::string& address) {
    --visitors_in_all_;
    auto found = visitors_.find(address);
    if (found != visitors_.end() && --found->second == 0) visitors_.erase(found);
}

void Hub::tick() {
    if (closing_ && sockets_.empty()) return;
    ++ticked_;
    std::map<int, ProcessUse> uses;
    std::vector<int> roots;
    for (auto& socket : sockets_)
        if (socket->process() > 0) roots.push_back(socket->process());
    if (!roots.empty()) uses = use_of(roots);
    for (auto& socket : std::vector(sockets_.begin(), sockets_.end())) {
        auto use = uses.find(socket->process());
        socket->tick(use == uses.end() ? nullptr : &use->second);
    }
    if (ticked_ % kTicksASurvey == 0) survey();
    ticks_.expires_after(kTick);
    ticks_.async_wait([this](Failure failure) {
        if (!failure) tick();
    });
}

// Only of one that is to give way: it costs a look at all processes.
void Hub::look_at(Socket& socket) {
    if (classroom_.note_work(*socket.seat(), 0, now_s()) == 0) return;
    auto uses = use_of({socket.process()});
    if (auto found = uses.find(socket.process()); found != uses.end()) socket.tick(&found->second);
}

// On a thread of its own: a folder may hold many files.
void Hub::survey() {
    if (surveying_ || closing_) return;
    std::map<std::string, fs::path> folders;
    for (auto& socket : sockets_)
        if (const Seat* seat = socket->seat()) folders[seat->name] = seat->folder;
    if (folders.empty()) return;
    surveying_ = true;
    asio::post(surveyors_, [this, folders = std::move(folders)] {
        std::map<std::string, DiskUse> uses;
        for (auto& [name, folder] : folders) uses[name] = disk_use(folder);
        asio::post(context_, [this, uses = std::move(uses)] { surveyed(uses); });
    });
}

void Hub::surveyed(const std::map<std::string, DiskUse>& folders) {
    surveying_ = false;
    for (auto& socket : std::vector(sockets_.begin(), sockets_.end())) {
        auto found = socket->seat() ? folders.find(socket->seat()->name) : folders.end();
        if (found == folders.end()) continue;
        std::string why = classroom_.note_disk(found->first, found->second, now_s());
        if (why.empty()) continue;
        log(found->first + ": " + why);
        classroom_.let_rest(*socket->seat(), now_s());
        socket->end(kCloseRefused, why);
    }
}

bool Hub::may_listen(const TokenHolder& holder) const {
    size_t count = 0;
    for (auto& socket : sockets_)
        count += socket->is_listener() && socket->holder() == holder.name ? 1 : 0;
    auto places = static_cast<size_t>(classroom_.class_file().limits.connections);
    return count < (holder.kind == HolderKind::everybody ? places : kMostListening);
}

void Hub::class_said(Socket& socket, const std::string& frame) {
    nlohmann::json message;
    try {
        Decoder decoder;
        decoder.feed(frame);
        message = decoder.next().value_or(nlohmann::json::object());
    } catch (const Error& error) {
        return socket.end(kCloseRefused, error.what());
    }
    ClassDesk::Taken taken = desk_.take(message, socket.speaker());
    if (!taken.log.empty()) log(taken.log);
    if (taken.wants_board) taken.answer["board"] = board_state(board_now());
    socket.hear_class();
    socket.answer(class_frame(taken.answer));
    spread(taken.news, &socket);
}

nlohmann::json Hub::teacher_said(const nlohmann::json& message) {
    Speaker teacher{"board"};
    teacher.teaches = true;
    teacher.votes = false;
    ClassDesk::Taken taken = desk_.take(message, teacher);
    spread(taken.news, nullptr);
    return taken.answer;
}

std::string Hub::start_frame(const Speaker& speaker) const {
    nlohmann::json state = desk_.state_for(speaker);
    state["said"] = "Your engine waits for a free place on the server, and starts by itself.";
    return class_frame(state);
}

void Hub::use_class_file() {
    if (std::string why = desk_.use(classroom_.class_file()); !why.empty())
        log("the assignment is not handed out: " + why);
}

void Hub::spread(ClassDesk::News news, const Socket* but_for) {
    if (news == ClassDesk::News::none) return;
    for (auto& socket : std::vector(sockets_.begin(), sockets_.end())) {
        if (socket.get() == but_for || !socket->hears_class()) continue;
        // One student with two windows sees its vote in both.
        bool told = news == ClassDesk::News::all || socket->speaker().teaches ||
                    (but_for && socket->speaker().name == but_for->speaker().name);
        if (told) socket->tell(class_frame(desk_.state_for(socket->speaker())));
    }
}

void Hub::hear_signals() {
    signals_.async_wait([this](Failure failure, int signal) {
        if (failure) return;
        if (signal != SIGHUP) return close();
        try {
            classroom_.read_again();
            use_class_file();
            spread(ClassDesk::News::all, nullptr);
            log("the token and the class file were read again");
        } catch (const Error& error) {
            log(std::string(error.what()) + "; what was read before stays");
        }
        hear_signals();
    });
}

void Hub::close() {
    closing_ = true;
    Failure ignored;
    acceptor_.close(ignored);
    again_.cancel();
    for (auto& socket : std::vector(sockets_.begin(), sockets_.end()))
        socket->end(kCloseGoing, "the server is going; it may come again");
    ticks_.expires_after(kTick * 3);
    ticks_.async_wait([this](Failure failure) {
        if (!failure) context_.stop();
    });
    leave_if_empty();
}

void Hub::leave_if_empty() {
    if (closing_ && sockets_.empty()) context_.stop();
}

// An engine whose pipes are closed ends by itself. Where it does not, whatever has started it elsewhere
// is asked to end it, and is left the time that this takes there.
static void take_back(ChildProcess& child) {
    if (child.wait(2s)) return;
    child.terminate();
    child.wait(20s);
}

void Hub::bury(std::shared_ptr<Socket> socket, std::unique_ptr<ChildProcess> child,
               std::unique_ptr<Seat> seat) {
    sockets_.erase(socket);
    if (!closing_) spread(desk_.left(socket->speaker()), nullptr);
    if (seat) {
        classroom_.leave(*seat);
        // Shared, because a task must be copyable.
        auto gone =
            std::make_shared<std::pair<std::unique_ptr<ChildProcess>, std::unique_ptr<Seat>>>(
                std::move(child), std::move(seat));
        bool now = closing_, is_elsewhere = !classroom_.options().engine_prefix.empty();
        asio::post(undertakers_, [this, gone, now, is_elsewhere] {
            if (gone->first && is_elsewhere) {
                take_back(*gone->first);
            } else if (gone->first && now) {
                gone->first->kill();
            }
            gone->first.reset();
            std::error_code ignored;
            if (!gone->second->is_kept) fs::remove_all(gone->second->folder, ignored);
            asio::post(context_, [this, gone] { classroom_.give_back(*gone->second); });
        });
    }
    leave_if_empty();
}

Board Hub::board_now() {
    Board board;
    board.title = classroom_.class_file().title;
    board.most_connections = classroom_.class_file().limits.connections;
    Speaker teacher{"board"};
    teacher.teaches = true;
    board.due = desk_.due();
    board.hand_ins = desk_.handed_in();
    board.poll = desk_.state_for(teacher)["poll"];
    board.predicted = desk_.predicted();
    for (auto& socket : sockets_)
        if (socket->seat())
            board.rows.push_back(board_row(socket->seat()->name, socket->session(), now_s()));
    std::sort(board.rows.begin(), board.rows.end(),
              [](const BoardRow& a, const BoardRow& b) { return a.name < b.name; });
    return board;
}

std::string Hub::board(bool as_json) {
    return as_json ? board_json(board_now()) : board_html(board_now());
}

}  // namespace

int run_hub(const HubOptions& options) {
    ::signal(SIGPIPE, SIG_IGN);
    ::unsetenv("LANEWISE_TOKEN");  // engines need none
    return Hub(options).run();
}

}  // namespace lanewise
