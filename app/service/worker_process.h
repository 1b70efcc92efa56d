// One worker as its engine sees it: the process in which kernels run, the channel on which it
// answers, and what kernels print, which travels beside the channel and cannot damage it.
#pragma once
#include <chrono>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "service/process.h"
#include "service/protocol.h"

namespace lanewise {

// What a kernel printed: the first 64 KiB, and how many bytes there were in all.
struct CapturedText {
    std::string text;
    uint64_t bytes = 0;
    void add(std::string_view more);
};

class WorkerProcess {
  public:
    // Starts it; the command finds the channel as descriptor 3 and speaks protocol.h on it. Throws
    // Error(bad_input).
    explicit WorkerProcess(const std::vector<std::string>& command);

    // False where it no longer takes messages.
    bool send(const nlohmann::json& message);
    // The next message; nothing where none comes within `patience`, or it has ended. Meanwhile
    // takes in what is printed. Throws Error(bad_input) for a stream that is no protocol.
    std::optional<nlohmann::json> next(std::chrono::milliseconds patience);
    bool ended() const { return ended_; }  // its channel is closed: nothing more will come
    double silent_s() const;               // since its last sign of life

    CapturedText take_printed();
    // How it ended, and what it said last on stderr; kills what does not end by itself at once.
    std::string ending();
    void terminate() { child_->terminate(); }
    void kill() { child_->kill(); }
    int process_id() const { return child_->id(); }

  private:
    void take_in(std::chrono::milliseconds patience);
    bool read_channel();  // whether something came
    void notice_death();
    void read_printed();
    void read_errors();

    std::optional<ChildProcess> child_;
    Descriptor channel_;  // closed before child_ waits for its end
    Decoder decoder_;
    CapturedText printed_;
    std::string last_words_;
    bool ended_ = false;
    std::chrono::steady_clock::time_point last_sign_;
};

// For a worker: the kernel kills it with its engine, however that ends. (The thread that started it
// is meant by that, which is why workers are started from one that lasts.)
void end_with_engine();

}  // namespace lanewise
