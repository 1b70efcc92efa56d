// One running engine as the client sees it: its process, the thread that reads and writes its
// pipes, and the rules of the conversation. It ends once and is then replaced, never restarted.
#pragma once
#include <atomic>
#include <chrono>
#include <functional>
#include <mutex>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>
#include <vector>

#include "service/process.h"
#include "service/protocol.h"
#include "service/sign_of_work.h"

namespace lanewise {

class Connection {
  public:
    struct Listener {  // called from the connection's thread
        std::function<void(nlohmann::json message)> on_message;  // every one, the greeting included
        // A silent engine is at work, so that it is waited for; said once for each silence.
        std::function<void(std::string what)> on_busy;
        // Once, last; `why` is for the user. lost: not the engine ended but the way to it.
        std::function<void(std::string why, bool lost)> on_end;
    };

    // Starts the engine. Throws Error(bad_input) where it cannot be started.
    Connection(const std::vector<std::string>& command, Listener listener);
    ~Connection();  // ends the engine gently (see ChildProcess) and joins the thread

    // Queues a message; it leaves once the engine has greeted. Never blocks.
    void send(const nlohmann::json& message);
    int process_id() const { return engine_.id(); }

  private:
    void converse();     // the thread
    std::string talk();  // until the end; why it ended
    bool read_output(std::string& why);
    void check_greeting();
    void check_silence();
    void check_beats(std::chrono::steady_clock::duration silent);
    void beat_in_time();
    void read_errors();
    void write_input();
    bool has_outgoing();
    std::string describe_end();
    std::string not_a_greeting() const;

    Listener listener_;
    ChildProcess engine_;
    Descriptor wake_;  // an eventfd: something to send, or time to stop
    std::atomic<bool> stop_ = false;
    bool greeted_ = false;
    Decoder decoder_;
    std::string before_greeting_;  // what came first, until it is known to be a greeting
    std::string banner_;           // what was skipped
    SignOfWork work_;
    std::chrono::steady_clock::time_point last_work_{};  // when it was last seen at work
    bool busy_said_ = false;                             // of this silence
    std::string why_lost_;
    bool lost_ = false, beats_ = false, wants_beats_ = false;
    std::chrono::steady_clock::time_point last_beat_{};
    std::chrono::steady_clock::time_point last_heard_ = std::chrono::steady_clock::now();
    std::string last_words_;  // the end of its stderr
    std::mutex mutex_;        // guards outgoing_
    std::string outgoing_;
    std::thread thread_;
};

}  // namespace lanewise
