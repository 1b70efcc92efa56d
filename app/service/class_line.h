// A line to the server of a class beside the engine's own: what the teacher asks, how the class votes, and
// what is handed in. app/hub/class_desk.h lists what may be said, and the state that comes back.
#pragma once
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

namespace lanewise {

// Where the class of an engine's command listens: of "ws://HOST/engine?token=T" it is "ws://HOST/class?token=T".
// "" where the command is no address of a server's engine.
std::string class_address(const std::string& engine_command);

class ClassLine {
  public:
    // Does not block. wake: called from a thread of its own whenever there is news; may be null.
    ClassLine(const std::string& address, std::function<void()> wake);
    ~ClassLine();

    void say(nlohmann::json words);  // "type" is added
    // The newest state, once; an answer to what was said before what only tells. Nothing where none came since.
    std::optional<nlohmann::json> news();
    // Blocks until there is news, or the line has ended, or the time is over.
    void wait(double seconds);
    // Why it ended, for the user; "" while it lives.
    std::string ended() const;

  private:
    struct State;
    std::shared_ptr<State> state_;
};

}  // namespace lanewise
