// Any bytes as a stream of messages (length-prefixed CBOR), in portions of changing size; what
// comes out is encoded again and must be the same message, and is read as each kind of value.
#include "service/protocol.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "fuzz.h"
#include "lab/json/json.h"

namespace lanewise {

// nlohmann's exceptions are what a message of the wrong shape gives; the server answers them.
template <typename Value>
static void read_as(const Json& params) {
    try {
        Json(params.get<Value>());
    } catch (const Json::exception&) {
    } catch (const Error&) {
    }
}

static void read_message(const Json& message) {
    Decoder again;
    again.feed(encode(message));
    auto same = again.next();
    // NaN differs from itself, so texts are compared.
    auto text = [](const Json& json) {
        return json.dump(-1, ' ', false, Json::error_handler_t::replace);
    };
    if (!same || text(*same) != text(message)) __builtin_trap();
    auto params = message.find("params");
    if (params == message.end()) return;
    read_as<Job>(*params);
    read_as<Stage>(*params);
    read_as<Picture>(*params);
    read_as<Measurement>(*params);
}

void fuzz(std::string_view bytes) {
    Decoder decoder;
    for (size_t portion = 1; !bytes.empty(); portion = portion * 3 % 61 + 1) {
        decoder.feed(bytes.substr(0, portion));
        bytes.remove_prefix(std::min(portion, bytes.size()));
        while (auto message = decoder.next()) read_message(*message);
    }
}

}  // namespace lanewise
