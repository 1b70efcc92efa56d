// The wire: length-prefixed CBOR messages over a pair of pipes.
//   frame   = length (4 bytes, little-endian, of the body) body
//   body    = CBOR map with "type": hello | status | request | result | error | progress | cancel |
//   beat
// The server greets at once: {type: hello, protocol: 2, program, version}, with "program" as the
// first key, by which a client finds it behind a login's banner; as soon as it knows,
// {type: status, gpu: {…} | null, problem, compiler} follows. A request is {type, id, method,
// params}; it is answered by one {type: result, id, result} or {type: error, id, status, message,
// details}, after any number of {type: progress, id, fraction, what}. {type: cancel, id} stops one.
// The server also sends {type: beat} twice a second, so that a lost connection is noticed. Where
// its greeting has "wants_beats": true, the client sends {type: beat}, too; a client that has sent
// one and is then silent is gone, and the server ends, so that nobody waits for the GPU that it
// holds. An error's status is one of base/error.h; 0 means that nothing went wrong: the request was
// cancelled or superseded. details is null, or holds "diagnostics" of a kernel that does not
// compile, "no_compiler": true where nothing is here to compile it, "crash" of one that cost its worker (kernel_runs.h), or "fault" (a worker's last words).
// "last": true in an error says that the engine ends after it. An error with id 0 says that the
// stream itself cannot be understood.
#pragma once
#include <cstddef>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

namespace lanewise {

// Raised for what an older reader cannot read: a field that goes, changes its meaning, or must be
// there. A field that may be missing is "added" and raises nothing: older readers skip it, and newer
// ones take its default where it is not sent. tests/service/message_fields.txt freezes which field is
// which. 2: Job::own. 3: OwnLaunch::ptx.
inline constexpr int kProtocolVersion = 3;
inline constexpr size_t kMaxMessageBytes = 256u << 20;

// "0.2.0", of this library; both programs say it to one another. For people: base/version.h.
std::string program_version();

// The frame for one message.
std::string encode(const nlohmann::json& message);

// Feeds on bytes in any portions; next() gives whole messages in order.
// Throws Error(bad_input) for a length above kMaxMessageBytes, a body that is not CBOR, is nested
// deeper than any message of ours, or is not a map with a "type"; the stream is then unusable.
class Decoder {
  public:
    void feed(std::string_view bytes) { buffer_ += bytes; }
    std::optional<nlohmann::json> next();
    bool in_the_middle() const { return !buffer_.empty(); }  // a truncated message at end of stream

  private:
    std::string buffer_;
};

}  // namespace lanewise
