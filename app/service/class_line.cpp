#include "service/class_line.h"

#include <condition_variable>
#include <deque>
#include <mutex>
#include <utility>

#include "base/error.h"
#include "base/files.h"
#include "base/text.h"
#include "service/connection.h"

namespace lanewise {

using Json = nlohmann::json;

namespace {
constexpr size_t kMostWaiting = 64;  // answers that were not asked for in time
}  // namespace

std::string class_address(const std::string& engine_command) {
    std::string address(trimmed(engine_command));
    bool is_address = address.starts_with("ws://") || address.starts_with("wss://");
    if (!is_address || address.find_first_of(" \t'\"") != address.npos) return "";
    size_t host = address.find("//") + 2, query = address.find('?');
    std::string rest = query == address.npos ? "" : address.substr(query);
    std::string way = address.substr(0, query);
    size_t path = way.find('/', host);
    if (path == way.npos || path + 1 == way.size()) return way.substr(0, path) + "/class" + rest;
    constexpr std::string_view kEngine = "/engine";
    if (!way.ends_with(kEngine)) return "";
    return way.substr(0, way.size() - kEngine.size()) + "/class" + rest;
}

struct ClassLine::State {
    std::function<void()> wake;
    mutable std::mutex mutex;
    std::condition_variable arrived;
    std::deque<Json> answers;  // to what was said
    std::optional<Json> told;  // the newest of what was not asked for
    std::string ended;
    std::unique_ptr<Connection> connection;  // last: its thread ends before the rest goes

    void take(Json message) {
        auto found = message.find("class");
        if (found == message.end() || !found->is_object()) return;  // the greeting
        {
            std::lock_guard lock(mutex);
            if (!found->contains("re"))
                told = std::move(*found);
            else if (answers.size() < kMostWaiting)
                answers.push_back(std::move(*found));
        }
        changed();
    }
    void end(const std::string& why) {
        {
            std::lock_guard lock(mutex);
            ended = why.empty() ? "the connection to the class ended" : why;
        }
        changed();
    }
    void changed() {
        arrived.notify_all();
        if (wake) wake();
    }
};

ClassLine::ClassLine(const std::string& address, std::function<void()> wake)
    : state_(std::make_shared<State>()) {
    State* state = state_.get();
    state->wake = std::move(wake);
    try {
        state->connection = connect_engine(
            {(program_folder() / "lanewise-engine").string(), "connect", address},
            {[state](Json message) { state->take(std::move(message)); }, [](const std::string&) {},
             [state](const std::string& why, bool) { state->end(why); }});
        say({{"do", "hello"}});
    } catch (const Error& error) {
        state->end(error.what());
    }
}

ClassLine::~ClassLine() { state_->connection.reset(); }

void ClassLine::say(Json words) {
    words["type"] = "class";
    if (state_->connection && ended().empty()) state_->connection->send(words);
}

std::optional<Json> ClassLine::news() {
    std::lock_guard lock(state_->mutex);
    if (!state_->answers.empty()) {
        Json first = std::move(state_->answers.front());
        state_->answers.pop_front();
        return first;
    }
    return std::exchange(state_->told, std::nullopt);
}

void ClassLine::wait(double seconds) {
    State& state = *state_;
    std::unique_lock lock(state.mutex);
    state.arrived.wait_for(lock, std::chrono::duration<double>(seconds), [&] {
        return !state.answers.empty() || state.told || !state.ended.empty();
    });
}

std::string ClassLine::ended() const {
    std::lock_guard lock(state_->mutex);
    return state_->ended;
}

}  // namespace lanewise
