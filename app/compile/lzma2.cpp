#include "compile/lzma2.h"

#include <lzma.h>

#include <algorithm>
#include <cstdint>

#include "base/error.h"

namespace lanewise {

static const uint8_t* as_bytes(std::string_view text) {
    return reinterpret_cast<const uint8_t*>(text.data());
}
static uint8_t* as_bytes(std::string& text) { return reinterpret_cast<uint8_t*>(text.data()); }

static uint32_t window_for(size_t bytes) {
    return std::max<uint32_t>(LZMA_DICT_SIZE_MIN, static_cast<uint32_t>(bytes));
}

// lc: how many bits of the byte before count; lp and pb: how many of the place.
static void expect(lzma_options_lzma& options, PackedAs as) {
    if (as == PackedAs::bytes) return;  // the preset's 3, 0, 2
    const bool is_text = as == PackedAs::text;
    options.lc = is_text ? 4 : 0;
    options.lp = options.pb = is_text ? 0 : 4;
}

std::string lzma2_packed(std::string_view bytes, PackedAs as) {
    lzma_options_lzma options;
    lzma_lzma_preset(&options, 9 | LZMA_PRESET_EXTREME);
    options.dict_size = window_for(bytes.size());
    expect(options, as);
    lzma_filter filters[] = {{LZMA_FILTER_LZMA2, &options}, {LZMA_VLI_UNKNOWN, nullptr}};
    std::string packed(lzma_stream_buffer_bound(bytes.size()), '\0');
    size_t size = 0;
    lzma_ret result = lzma_raw_buffer_encode(filters, nullptr, as_bytes(bytes), bytes.size(),
                                             as_bytes(packed), &size, packed.size());
    if (result != LZMA_OK)
        throw Error(Status::bad_input, "liblzma cannot pack " + std::to_string(bytes.size()) +
                                           " bytes: error " + std::to_string(result));
    packed.resize(size);
    return packed;
}

std::optional<std::string> lzma2_unpacked(std::string_view packed, size_t bytes) {
    lzma_options_lzma options{};
    options.dict_size = window_for(bytes);
    lzma_filter filters[] = {{LZMA_FILTER_LZMA2, &options}, {LZMA_VLI_UNKNOWN, nullptr}};
    std::string unpacked(bytes, '\0');
    size_t in = 0, out = 0;
    lzma_ret result = lzma_raw_buffer_decode(filters, nullptr, as_bytes(packed), &in, packed.size(),
                                             as_bytes(unpacked), &out, unpacked.size());
    if (result != LZMA_OK || in != packed.size() || out != bytes) return {};
    return unpacked;
}

}  // namespace lanewise
