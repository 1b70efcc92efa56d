// The way to an engine that is a process: its pipes, the thread that reads and writes them, and the
// rules of the conversation.
#pragma once
#include <atomic>
#include <chrono>
#include <mutex>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>
#include <vector>

#include "service/connection.h"
#include "service/process.h"
#include "service/protocol.h"
#include "service/sign_of_work.h"

namespace lanewise {

class PipeConnection : public Connection {
  public:
    // Starts the engine. Throws Error(bad_input) where it cannot be started.
    PipeConnection(const std::vector<std::string>& command, Listener listener);
    ~PipeConnection() override;  // ends the engine gently (see ChildProcess) and joins the thread

    void send(const nlohmann::json& message) override;
    int process_id() const override { return engine_.id(); }

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
    const bool is_way_;  // to an address: the command is `lanewise-engine connect ADDRESS`
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
