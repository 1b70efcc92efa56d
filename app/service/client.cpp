#include "service/client.h"

#include <signal.h>

#include <condition_variable>
#include <deque>
#include <map>
#include <mutex>
#include <utility>
#include <variant>
#include <vector>

#include "base/files.h"
#include "service/command_line.h"
#include "service/connection.h"

namespace lanewise {

using Json = nlohmann::json;

// Not in the namespace below: EngineClient::State, which is not in it, has one.
struct ProgressNotice {
    uint64_t id = 0;
    double fraction = 0;
    std::string what;
};

namespace {

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

// An engine at an address is reached by a process, too, which is the way to it (hub/connect.h).
std::vector<std::string> words_to_address(const std::vector<std::string>& words) {
    if (words.size() > 1)
        throw Error(
            Status::bad_input,
            "the engine at an address takes no further words, such as \"" + words[1] + "\"");
    return {(program_folder() / "lanewise-engine").string(), "connect", words[0]};
}

std::vector<std::string> engine_words(const std::string& prefix) {
    std::vector<std::string> words = split_command(prefix);
    if (is_engine_address(words)) return words_to_address(words);
    // The last word may be a whole command for another machine's shell.
    bool serves =
        words.back().ends_with(" serve") || words.back().find(" serve ") != std::string::npos;
    for (const std::string& word : words) serves |= word == "serve";
    if (!serves) words.push_back("serve");
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
    struct Open {
        int generation = 0;  // of the engine that was asked
        Json message;        // the request, to be asked again where the connection is lost
        bool again = false;  // it was
    };
    std::map<uint64_t, Open> open;  // requests not yet answered
    bool lost = false;              // some wait for a new connection
    uint64_t last_id = 0;
    int generation = 0;  // counts the engines started
    bool alive = false;  // the newest one takes requests
    int process_id = 0;
    EngineHello hello;

    void start();
    void deliver(std::variant<Answer, ProgressNotice> event);
    void on_message(Json message);
    void on_farewell(const Json& message);
    void on_busy(int of_generation, const std::string& what);
    void on_end(int of_generation, const std::string& why, bool lost_connection);
    void connect_again();
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
    connection = connect_engine(
        engine_words(prefix),
        Connection::Listener{[this](Json message) { on_message(std::move(message)); },
                             [this, started](const std::string& what) { on_busy(started, what); },
                             [this, started](const std::string& why, bool lost_connection) {
                                 on_end(started, why, lost_connection);
                             }});
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
            hello.banner = message.value("banner", "");
        } else if (type == "status") {
            std::lock_guard lock(mutex);
            hello.gpu = message.at("gpu");
            hello.gpus = message.value("gpus", Json::array());
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

void EngineClient::State::on_busy(int of_generation, const std::string& what) {
    std::vector<uint64_t> waiting;
    {
        std::lock_guard lock(mutex);
        for (auto& [id, request] : open)
            if (request.generation == of_generation) waiting.push_back(id);
    }
    for (uint64_t id : waiting) deliver(ProgressNotice{id, 0, what});
}

void EngineClient::State::on_end(int of_generation, const std::string& why, bool lost_connection) {
    std::vector<uint64_t> unanswered, waiting;
    {
        std::lock_guard lock(mutex);
        if (of_generation == generation) {
            alive = false;
            process_id = 0;
        }
        for (auto& [id, request] : open)
            if (request.generation == of_generation)
                (lost_connection && !request.again ? waiting : unanswered).push_back(id);
        lost |= !waiting.empty();
    }
    for (uint64_t id : waiting) deliver(ProgressNotice{id, 0, why + "; starting it again"});
    for (uint64_t id : unanswered) deliver(failure(id, Status::failed_check, why));
    if (wake) wake();
}

// On the window's thread: starts the engine once more, and asks again what was not answered.
void EngineClient::State::connect_again() {
    std::vector<Json> messages;
    bool start_it = false;
    {
        std::lock_guard lock(mutex);
        if (!std::exchange(lost, false)) return;
        start_it = !alive;
        if (start_it) ++generation;
        for (auto& [id, request] : open) {
            if (request.generation == generation) continue;
            request.generation = generation;
            request.again = true;
            messages.push_back(request.message);
        }
        if (messages.empty()) return;
        alive = true;
    }
    try {
        if (start_it) start();
    } catch (const Error& error) {
        on_end(generation, error.what(), false);
        return;
    }
    for (const Json& message : messages) connection->send(message);
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
    Json message = {{"type", "request"}, {"method", method}, {"params", std::move(params)}};
    {
        std::lock_guard lock(state_->mutex);
        id = ++state_->last_id;
        message["id"] = id;
        start = !state_->alive;
        state_->alive = true;
        if (start) ++state_->generation;
        state_->open[id] = {state_->generation, message, false};
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
    state_->connection->send(message);
    return id;
}

void EngineClient::cancel(uint64_t id) {
    bool reachable = false;
    {
        std::lock_guard lock(state_->mutex);
        if (!state_->open.count(id)) return;
        reachable = state_->alive;
    }
    if (reachable)
        state_->connection->send({{"type", "cancel"}, {"id", id}});
    else
        state_->deliver(failure(id, Status::fine, "cancelled"));
}

void EngineClient::poll(
    const std::function<void(Answer)>& on_answer,
    const std::function<void(uint64_t id, double fraction, std::string what)>& on_progress) {
    state_->connect_again();
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

EngineTest test_engine(const std::string& prefix) {
    constexpr double kAnswerS = 20, kStatusS = 10, kStepS = 0.1;
    EngineClient client(prefix);
    std::optional<Answer> answer;
    client.request("ping", Json::object());
    for (double waited = 0; !answer && waited < kAnswerS; waited += kStepS) {
        client.wait(kStepS);
        client.poll([&](Answer one) { answer = std::move(one); }, {});
    }
    if (!answer) return {false, "no answer within 20 s; a Slurm job may still be waiting its turn"};
    if (!answer->ok) return {false, answer->error};
    for (double waited = 0; !client.hello().complete && waited < kStatusS; waited += kStepS)
        client.wait(kStepS);
    EngineHello hello = client.hello();
    std::string said = hello.program + " " + hello.version;
    if (!hello.compiler.empty()) said += ", " + hello.compiler;
    if (hello.gpu.is_object()) said += ", " + hello.gpu.value("name", "");
    if (!hello.problem.empty()) said += "; " + hello.problem;
    if (!hello.banner.empty()) said += "\nBefore it greeted, this was printed: " + hello.banner;
    return {true, said};
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
