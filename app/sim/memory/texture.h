// A texture or a surface: what cuTexObjectCreate and cuSurfObjectCreate are told. Its object, which a
// kernel takes, is the address of this description in the machine's memory.
#pragma once
#include <cstdint>
#include <cstring>

#include "sim/memory/memory.h"

namespace lanewise {

struct Texture {
    // What is read where a coordinate lies outside (CUaddress_mode). wrap and mirror need normalised
    // coordinates; without them the driver takes clamp.
    enum class Outside : uint8_t { wrap, clamp, mirror, border };
    enum class Numbers : uint8_t { floats, signed_integers, unsigned_integers };
    // linear: a buffer for tex1Dfetch alone (cudaResourceTypeLinear). pitch: rows in a buffer
    // (cudaResourceTypePitch2D). array: what only a CUDA array can do on a card: tex1D, and all
    // surfaces.
    enum class Layout : uint8_t { linear, pitch, array };

    uint64_t magic = kMagic;  // that this is a description
    uint64_t address = 0;     // of the first element
    uint32_t width = 0, height = 0;  // in elements; height 0: one dimension
    uint32_t pitch_bytes = 0;        // from one row to the next
    uint8_t channels = 1, channel_bytes = 4;
    Numbers numbers = Numbers::floats;
    Layout layout = Layout::linear;
    bool is_surface = false;
    bool is_linear_filter = false;
    bool is_normalized = false;   // coordinates go from 0 to 1
    bool reads_as_float = false;  // integers become 0 to 1, or -1 to 1 (cudaReadModeNormalizedFloat)
    Outside outside = Outside::clamp;
    uint8_t unused[7] = {};

    static constexpr uint64_t kMagic = 0x6578'7475'7265'6f62;
    uint32_t element_bytes() const { return uint32_t{channels} * channel_bytes; }
    uint32_t rows() const { return height == 0 ? 1 : height; }
    uint64_t bytes() const {
        return uint64_t{pitch_bytes} * (rows() - 1) + uint64_t{width} * element_bytes();
    }
};
static_assert(sizeof(Texture) == 48);

// The description that begins in these bytes. False where there is none.
inline bool read_texture(const std::byte* bytes, uint64_t count, Texture& texture) {
    if (!bytes || count != sizeof texture) return false;
    std::memcpy(&texture, bytes, sizeof texture);
    return texture.magic == Texture::kMagic;
}

// Of an object; false where it is none.
inline bool find_texture(const Memory& memory, uint64_t object, Texture& texture) {
    const Memory::Buffer* buffer = memory.find(object, sizeof texture);
    return buffer && buffer->address == object &&
           read_texture(buffer->storage, buffer->bytes, texture);
}

}  // namespace lanewise
