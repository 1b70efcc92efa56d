// The server where there are no threads, as in a browser: messages are handed in, answers are handed
// out, and one job is worked off at a time. Beyond that it is server.h: the same frames, methods,
// superseding and cancelling, of whatever has not begun.
#pragma once
#include <array>
#include <deque>
#include <functional>
#include <string>
#include <string_view>

#include "service/jobs.h"
#include "service/protocol.h"

namespace lanewise {

class SingleServer {
  public:
    // send: takes a whole frame (protocol.h); called only from within the methods below.
    SingleServer(Service service, std::function<void(const std::string& frame)> send);

    void greet();  // the greeting, and then the status
    // Takes bytes of the stream, in any portions. What needs no work is answered at once. Throws
    // Error(bad_input) where the stream cannot be understood; an error with id 0 has then been sent.
    void take(std::string_view bytes);
    // Works off one waiting request: pictures first, then what the compiler says, then everything
    // else. False where none waits.
    bool work_one();

  private:
    struct Waiting {
        uint64_t id;
        const Method* method;
        nlohmann::json params;
    };
    using Queue = std::deque<Waiting>;

    void handle(nlohmann::json& message);
    void accept(nlohmann::json& message);
    void cancel(uint64_t id);
    void work(const Waiting& request);
    void send(const nlohmann::json& message) { send_(encode(message)); }
    void send_error(uint64_t id, const JobFailure& failure);
    Queue& queue(const Method& method) { return waiting_[static_cast<size_t>(method.lane)]; }

    Service service_;
    std::function<void(const std::string&)> send_;
    Decoder decoder_;
    std::array<Queue, kLanes> waiting_;
};

}  // namespace lanewise
