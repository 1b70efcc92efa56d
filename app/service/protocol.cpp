#include "service/protocol.h"

#include <array>
#include <vector>

#include "base/error.h"
#include "base/text.h"

namespace lanewise {

namespace {

using Json = nlohmann::json;

constexpr size_t kLengthBytes = 4;
// A picture nests seven deep. The JSON library recurses once per level, so that a few kilobytes of
// "array of array of …" would otherwise exhaust the stack.
constexpr size_t kMaxDepth = 32;

[[noreturn]] void fail(const std::string& what) {
    throw Error(Status::bad_input, "the engine's message stream is damaged: " + what);
}

uint64_t number_at(std::string_view bytes, size_t at, size_t count) {  // big-endian, as CBOR has it
    uint64_t value = 0;
    for (size_t i = 0; i < count; ++i)
        value = value << 8 | static_cast<unsigned char>(bytes[at + i]);
    return value;
}

// Walks the heads of the items of a CBOR body (RFC 8949, section 3) and returns whether containers
// nest no deeper than kMaxDepth. Anything malformed is left for the real parser to refuse.
bool shallow(std::string_view body) {
    constexpr uint64_t kUntilBreak = ~uint64_t{0};
    std::vector<uint64_t> open;  // items still missing in each open container
    for (size_t at = 0; at < body.size();) {
        auto head = static_cast<unsigned char>(body[at++]);
        unsigned major = head >> 5, extra = head & 31;
        uint64_t count = extra;
        if (extra >= 24 && extra <= 27) {
            size_t width = size_t{1} << (extra - 24);
            if (body.size() - at < width) return true;
            count = number_at(body, at, width);
            at += width;
        }
        bool is_break = head == 0xff, indefinite = extra == 31 && !is_break;
        bool is_string = major == 2 || major == 3, is_container = major == 4 || major == 5;
        if (is_string && !indefinite) {
            if (count > body.size() - at) return true;
            at += count;
        }
        if (is_break && !open.empty()) open.pop_back();
        if (is_container || (is_string && indefinite)) {
            uint64_t items = major == 5 && count < kUntilBreak / 2 ? 2 * count : count;
            open.push_back(indefinite ? kUntilBreak : items);
        } else if (!open.empty() && open.back() != kUntilBreak && !is_break && major != 6) {
            --open.back();
        }
        while (!open.empty() &&
               open.back() == 0) {  // a finished container is an item of its parent
            open.pop_back();
            if (!open.empty() && open.back() != kUntilBreak) --open.back();
        }
        if (open.size() > kMaxDepth) return false;
    }
    return true;
}

}  // namespace

std::string program_version() { return LANEWISE_VERSION; }

std::string encode(const Json& message) {
    std::string frame(kLengthBytes, '\0');
    Json::to_cbor(message, frame);
    size_t length = frame.size() - kLengthBytes;
    for (size_t i = 0; i < kLengthBytes; ++i)
        frame[i] = static_cast<char>(length >> (8 * i) & 0xff);
    return frame;
}

std::optional<Json> Decoder::next() {
    if (buffer_.size() < kLengthBytes) return std::nullopt;
    size_t length = 0;
    for (size_t i = 0; i < kLengthBytes; ++i)
        length |= size_t{static_cast<unsigned char>(buffer_[i])} << (8 * i);
    if (length > kMaxMessageBytes) fail("a message claims to be " + in_bytes(length) + " long");
    if (buffer_.size() < kLengthBytes + length) return std::nullopt;

    std::string_view body = std::string_view(buffer_).substr(kLengthBytes, length);
    if (!shallow(body)) fail("a message is nested too deeply");
    Json message;
    try {
        message = Json::from_cbor(body);
    } catch (const Json::exception&) {
        fail("a message is not CBOR");
    }
    auto type = message.find("type");
    if (!message.is_object() || type == message.end() || !type->is_string())
        fail("a message has no type");
    buffer_.erase(0, kLengthBytes + length);
    return message;
}

}  // namespace lanewise
