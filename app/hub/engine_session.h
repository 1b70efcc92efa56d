// One browser and its engine: what passes between them, what is held back, and when it ends. The rules
// alone; hub.cpp has the sockets and the pipes.
#pragma once
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "hub/class_file.h"
#include "hub/frames.h"
#include "hub/processes.h"
#include "hub/rate.h"

namespace lanewise {

// What is passed on of an engine's answers. The largest pictures are a few megabytes.
inline constexpr size_t kMostAnswerBytes = 64u << 20;

class EngineSession {
  public:
    // Times are seconds of one steady clock.
    EngineSession(const ClassLimits& limits, double now_s);

    struct Taken {
        bool passes = false;  // to the engine
        bool for_class =
            false;          // it is said to the server itself (class_desk.h); small enough to build
        std::string reply;  // a frame for the browser in its place
        double wait_s = 0;  // before the next is taken
        std::string broken;  // why the connection ends; "": it does not
    };
    // A message of the browser's. Beats are not passed on: whether the browser lives, the socket
    // knows better.
    Taken take(std::string_view message, double now_s);

    // What came out of the engine.
    void heard(std::string_view bytes, double now_s);
    // The next frame for the browser. Throws Error(bad_input) where the engine sends none.
    std::optional<std::string> next_for_browser();

    // A queue lies before the engine, Slurm's: it is waited for.
    void wait_for_start() { start_patience_s_ = 24 * 3600; }
    bool has_greeted() const { return has_greeted_; }

    // What the engine uses now. Why it must end; "" where it may go on.
    std::string look_at(const ProcessUse& use, double now_s);
    // Processor seconds since the look before the last one.
    double newly_used_s() const { return newly_used_s_; }
    // Its processes are to be so nice (Heat::nice); 0: as nice as others' again.
    void give_way(int nice);

    // Errors, each the last, for whatever is not answered.
    std::vector<std::string> farewells(const std::string& why) const;

    struct Open {
        std::string method, what;  // what: of its last progress
    };
    const std::map<uint64_t, Open>& open() const { return open_; }
    const std::string& stage() const { return stage_; }  // last asked for
    const ProcessUse& use() const { return use_; }
    bool gives_way() const { return nice_ > 0; }
    double since_s() const { return since_s_; }

  private:
    Taken take_request(const FrameGlance& seen);
    void note_answer(const FrameGlance& seen);

    ClassLimits limits_;
    RateLimit messages_, bytes_;
    FrameCutter cutter_{kMostAnswerBytes};
    std::map<uint64_t, Open> open_;
    std::string stage_;
    ProcessUse use_;
    double since_s_, heard_s_, start_patience_s_;
    double newly_used_s_ = 0;
    int nice_ = 0;
    bool has_greeted_ = false;
};

// A sign of life for the engine, whose browser is there.
std::string beat_frame();

}  // namespace lanewise
