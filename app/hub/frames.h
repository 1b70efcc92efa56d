// One message of a WebSocket is one frame of service/protocol.h. The hub passes frames on; it never
// builds what is in them, because a small frame can describe a large thing.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace lanewise {

// What a frame says of itself.
struct FrameGlance {
    std::string type;            // request, cancel, beat, result, …
    std::optional<uint64_t> id;  // of the request that it is or is about
    std::string method, stage;   // of a request: what is asked for, and of which stage
    std::string what;            // of a progress: what is being done
    bool last = false;           // of an error: the engine ends after it
    size_t items = 0;            // of CBOR, in all of it: what building it would make
};

// Looks at a whole frame, length included, without building anything. Nothing where it is not one
// map in CBOR with a "type", of definite lengths, without tags, nested no deeper than messages are,
// whose length is the frame's.
std::optional<FrameGlance> glance_at(std::string_view frame);

// Cuts what comes through a pipe into whole frames, length included.
class FrameCutter {
  public:
    explicit FrameCutter(size_t most_bytes) : most_bytes_(most_bytes) {}
    void feed(std::string_view bytes) { buffer_ += bytes; }
    // Throws Error(bad_input) for a frame that says it is longer than most_bytes.
    std::optional<std::string> next();
    bool in_the_middle() const { return !buffer_.empty(); }

  private:
    size_t most_bytes_;
    std::string buffer_;
};

}  // namespace lanewise
