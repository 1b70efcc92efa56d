#include "service/client.h"

#include <signal.h>

#include <condition_variable>
#include <deque>
#include <map>
#include <mutex>
#include <variant>
#include <vector>

#include "base/files.h"
#include "service/command_line.h"
#include "service/connection.h"

namespace lanewise {

using Json = nlohmann::json;

namespace {

struct ProgressNotice {
    uint64_t id = 0;
    double fraction = 0;
    std::string what;
};

Answer failure(uint64_t id, Status status, const std::string& error) {
    Answer answer;
    answer.id = id;
    answer.status = status;
    answer.error = error;
    return answer;
}

Answer answer_from(Json& message) {
    Answer answer;
    answer.id = message.at("id").get<uint64_t>();
    answer.ok = message.at("type") == "result";
    if (answer.ok) {
        answer.result = std::move(message.at("result"));
        return answer;
    }
    int status = message.at("status").get<int>();
    bool known = status >= 0 && status <= static_cast<int>(Status::out_of_time);
    answer.status = known ? static_cast<Status>(status) : Status::failed_check;
    answer.error = message.at("message").get<std::string>();
    answer.details = message.value("details", Json());
    return answer;
}

std::vector<std::string> engine_words(const std::string& prefix) {
    std::vector<std::string> words = split_command(prefix);
    if (words.back() != "serve") words.push_back("serve");
    return words;
}

}  // namespace

std::string default_engine_command() {
    return "'" + (program_folder() / "lanewise-engine").string() + "' serve";
}

// Shared by the window's thread and the connection's thread; `mutex` guards everything but
// `connection`, which only the window's thread touches.
struct EngineClient::State {
    std::string prefix;
    std::function<void()> wake;
    std::unique_ptr<Connection> connection;

    mutable std::mutex mutex;
    std::condition_variable arrived;
    std::deque<std::variant<Answer, ProgressNotice>> events;
    std::map<uint64_t, int> open;  // requests not yet answered -> generation of their engine
    uint64_t last_id = 0;
    int generation = 0;  // counts the engines started
    bool alive = false;  // the newest one takes requests
    int process_id = 0;
    EngineHello hello;

    void start();
    void deliver(std::variant<Answer, ProgressNotice> event);
    void on_message(Json message);
    void on_farewell(const Json& message);
    void on_end(int of_generation, const std::string& why);
};

void EngineClient::State::deliver(std::variant<Answer, ProgressNotice> event) {
    {
        std::lock_guard lock(mutex);
        if (auto* answer = std::get_if<Answer>(&event); answer && !open.erase(answer->id)) return;
        events.push_back(std::move(event));
    }
    arrived.notify_all();
    if (wake) wake();
}

void EngineClient::State::start() {
    connection.reset();  // the last one has ended, or said that it is about to; joins its thread
    int started = generation;
    connection = std::make_unique<Connection>(
        engine_words(prefix),
        Connection::Listener{[this](Json message) { on_message(std::move(message)); },
                             [this, started](const std::string& why) { on_end(started, why); }});
    std::lock_guard lock(mutex);
    if (alive) process_id = connection->process_id();  // else it has already ended
}

void EngineClient::State::on_message(Json message) {
    std::string type = message["type"];
    try {
        if (type == "result" || type == "error") {
            on_farewell(message);
            deliver(answer_from(message));
        } else if (type == "progress") {
            deliver(ProgressNotice{message.at("id").get<uint64_t>(),
                                   message.at("fraction").get<double>(),
                                   message.at("what").get<std::string>()});
        } else if (type == "hello") {
            std::lock_guard lock(mutex);
            hello = {};
            hello.program = message.at("program").get<std::string>();
            hello.version = message.at("version").get<std::string>();
        } else if (type == "status") {
            std::lock_guard lock(mutex);
            hello.gpu = message.at("gpu");
            hello.problem = message.at("problem").get<std::string>();
            hello.compiler = message.at("compiler").get<std::string>();
            hello.complete = true;
        }
    } catch (const Json::exception& error) {
        throw Error(Status::bad_input,
                    "the engine sent a message that makes no sense: " + std::string(error.what()));
    }
    if ((type == "hello" || type == "status") && wake) wake();
}

// The engine ends after this message: what comes next needs a new one.
void EngineClient::State::on_farewell(const Json& message) {
    if (!message.value("last", false)) return;
    std::lock_guard lock(mutex);
    alive = false;
}

void EngineClient::State::on_end(int of_generation, const std::string& why) {
    std::vector<uint64_t> unanswered;
    {
        std::lock_guard lock(mutex);
        if (of_generation == generation) {
            alive = false;
            process_id = 0;
        }
        for (auto [id, sent_to] : open)
            if (sent_to == of_generation) unanswered.push_back(id);
    }
    for (uint64_t id : unanswered) deliver(failure(id, Status::failed_check, why));
    if (wake) wake();
}

EngineClient::EngineClient(std::string prefix, std::function<void()> wake)
    : state_(std::make_shared<State>()) {
    ::signal(SIGPIPE, SIG_IGN);  // writing to an engine that died is an error code, not our death
    state_->prefix = std::move(prefix);
    state_->wake = std::move(wake);
}

EngineClient::~EngineClient() { state_->connection.reset(); }

uint64_t EngineClient::request(const std::string& method, Json params) {
    uint64_t id = 0;
    bool start = false;
    {
        std::lock_guard lock(state_->mutex);
        id = ++state_->last_id;
        start = !state_->alive;
        state_->alive = true;
        if (start) ++state_->generation;
        state_->open[id] = state_->generation;
    }
    try {
        if (start) state_->start();
    } catch (const Error& error) {
        {
            std::lock_guard lock(state_->mutex);
            state_->alive = false;
        }
        state_->deliver(failure(id, error.status(), error.what()));
        return id;
    }
    state_->connection->send(
        {{"type", "request"}, {"id", id}, {"method", method}, {"params", std::move(params)}});
    return id;
}

void EngineClient::cancel(uint64_t id) {
    {
        std::lock_guard lock(state_->mutex);
        if (!state_->alive || !state_->open.count(id)) return;
    }
    state_->connection->send({{"type", "cancel"}, {"id", id}});
}

void EngineClient::poll(
    const std::function<void(Answer)>& on_answer,
    const std::function<void(uint64_t id, double fraction, std::string what)>& on_progress) {
    decltype(state_->events) events;
    {
        std::lock_guard lock(state_->mutex);
        events.swap(state_->events);
    }
    for (auto& event : events) {
        if (auto* answer = std::get_if<Answer>(&event)) {
            if (on_answer) on_answer(std::move(*answer));
        } else if (on_progress) {
            auto& notice = std::get<ProgressNotice>(event);
            on_progress(notice.id, notice.fraction, std::move(notice.what));
        }
    }
}

void EngineClient::wait(double seconds) {
    std::unique_lock lock(state_->mutex);
    state_->arrived.wait_for(lock, std::chrono::duration<double>(seconds),
                             [this] { return !state_->events.empty(); });
}

bool EngineClient::running() const { return process_id() != 0; }

int EngineClient::process_id() const {
    std::lock_guard lock(state_->mutex);
    return state_->process_id;
}

EngineHello EngineClient::hello() const {
    std::lock_guard lock(state_->mutex);
    return state_->hello;
}

}  // namespace lanewise
