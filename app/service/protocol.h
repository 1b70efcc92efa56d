// The wire: length-prefixed CBOR messages over a pair of pipes.
//   frame   = length (4 bytes, little-endian, of the body) body
//   body    = CBOR map with "type": hello | request | result | error | progress | cancel
// The server greets first: {type: hello, protocol: 1, program, version, gpu: {…} | null, problem,
// compiler}. A request is {type, id, method, params}; it is answered by one result or error with
// its id, after any number of progress notices {id, fraction, what}. {type: cancel, id} stops one.
#pragma once
#include <cstddef>
#include <deque>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

namespace lanewise {

inline constexpr int kProtocolVersion = 1;
inline constexpr size_t kMaxMessageBytes = 256u << 20;

// The frame for one message.
std::string encode(const nlohmann::json& message);

// Feeds on bytes in any portions; next() gives whole messages in order.
// Throws Error(bad_input) for a length above kMaxMessageBytes, a body that is not CBOR, or not a map
// with a "type"; the stream is then unusable.
class Decoder {
  public:
    void feed(std::string_view bytes);
    std::optional<nlohmann::json> next();
    bool in_the_middle() const { return !buffer_.empty(); }  // a truncated message at end of stream

  private:
    std::string buffer_;
};

}  // namespace lanewise
