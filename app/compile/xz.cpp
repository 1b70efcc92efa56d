#include "compile/xz.h"

#include <lzma.h>

#include <algorithm>
#include <cstdint>

#include "base/error.h"

namespace lanewise {

static const uint8_t* as_bytes(std::string_view text) {
    return reinterpret_cast<const uint8_t*>(text.data());
}
static uint8_t* as_bytes(std::string& text) { return reinterpret_cast<uint8_t*>(text.data()); }

std::string xz_packed(std::string_view bytes) {
    lzma_options_lzma options;
    lzma_lzma_preset(&options, 9 | LZMA_PRESET_EXTREME);
    options.dict_size = std::max<uint32_t>(LZMA_DICT_SIZE_MIN, static_cast<uint32_t>(bytes.size()));
    lzma_filter filters[] = {{LZMA_FILTER_LZMA2, &options}, {LZMA_VLI_UNKNOWN, nullptr}};
    std::string packed(lzma_stream_buffer_bound(bytes.size()), '\0');
    size_t size = 0;
    lzma_ret result =
        lzma_stream_buffer_encode(filters, LZMA_CHECK_CRC32, nullptr, as_bytes(bytes), bytes.size(),
                                  as_bytes(packed), &size, packed.size());
    if (result != LZMA_OK)
        throw Error(Status::bad_input, "xz cannot pack " + std::to_string(bytes.size()) +
                                           " bytes: error " + std::to_string(result));
    packed.resize(size);
    return packed;
}

std::optional<std::string> xz_unpacked(std::string_view packed, size_t bytes) {
    // The window is as large as the bytes, rounded up to two or three times a power of two.
    constexpr uint64_t kBesides = 1 << 20;  // what the decoder needs beside it
    uint64_t most_memory = 2 * std::max<uint64_t>(LZMA_DICT_SIZE_MIN, bytes) + kBesides;
    std::string unpacked(bytes, '\0');
    size_t in = 0, out = 0;
    lzma_ret result =
        lzma_stream_buffer_decode(&most_memory, 0, nullptr, as_bytes(packed), &in, packed.size(),
                                  as_bytes(unpacked), &out, unpacked.size());
    if (result != LZMA_OK || in != packed.size() || out != bytes) return {};
    return unpacked;
}

}  // namespace lanewise
