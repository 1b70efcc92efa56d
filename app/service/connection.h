// One running engine as the client sees it: the way to it, and what comes from there. It ends once and
// is then replaced, never restarted.
#pragma once
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace lanewise {

class Connection {
  public:
    struct Listener {  // called from the connection's thread, where it has one
        std::function<void(nlohmann::json message)> on_message;  // every one, the greeting included
        // A silent engine is at work, so that it is waited for; said once for each silence.
        std::function<void(std::string what)> on_busy;
        // Once, last; `why` is for the user. lost: not the engine ended but the way to it.
        std::function<void(std::string why, bool lost)> on_end;
    };
    virtual ~Connection() = default;  // ends the engine

    // Queues a message; it leaves once the engine has greeted. Never blocks.
    virtual void send(const nlohmann::json& message) = 0;
    virtual int process_id() const = 0;
};

// Starts the engine: as a process on pipes (pipe_connection.h); in a browser the server's, where the page
// has found one (socket_connection.h), else as a Worker, of which the page has but one, whatever the
// command says (worker_connection.cpp). Throws Error(bad_input) where
// it cannot be started.
std::unique_ptr<Connection> connect_engine(const std::vector<std::string>& command,
                                           Connection::Listener listener);

}  // namespace lanewise
