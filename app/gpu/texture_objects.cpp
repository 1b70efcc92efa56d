// Textures and surfaces on the card: their objects, and the CUDA arrays that some need. The structs are
// those of NVIDIA's cuda.h, with the numbers of its enumerations.
#include <fmt/format.h>

#include <cstring>
#include <utility>

#include "gpu/device.h"
#include "gpu/driver_use.h"

namespace lanewise {

namespace {

enum ResourceKind : int { kArray = 0, kLinear = 2, kPitch2D = 3 };  // CUresourcetype

struct ResourceDescription {  // CUDA_RESOURCE_DESC
    int kind = kArray;
    union {
        void* array;
        struct {
            uint64_t address;
            int format;
            unsigned channels;
            size_t bytes;
        } linear;
        struct {
            uint64_t address;
            int format;
            unsigned channels;
            size_t width, height, pitch_bytes;
        } pitch;
        int reserved[32];
    };
    unsigned flags = 0;
    ResourceDescription() { std::memset(reserved, 0, sizeof reserved); }
};
static_assert(sizeof(void*) != 8 || sizeof(ResourceDescription) == 144);  // a browser has no driver

struct TextureDescription {  // CUDA_TEXTURE_DESC
    int outside[3] = {};
    int filter = 0;
    unsigned flags = 0, most_anisotropy = 0;
    int mipmap_filter = 0;
    float mipmap_bias = 0, least_level = 0, most_level = 0;
    float border[4] = {};
    int reserved[12] = {};
};
static_assert(sizeof(void*) != 8 || sizeof(TextureDescription) == 104);  // a browser has no driver
constexpr unsigned kReadsIntegers = 1, kNormalized = 2;  // CU_TRSF_…

struct ArrayDescription {  // CUDA_ARRAY3D_DESCRIPTOR
    size_t width = 0, height = 0, depth = 0;
    int format = 0;
    unsigned channels = 1, flags = 0;
};
static_assert(sizeof(void*) != 8 || sizeof(ArrayDescription) == 40);  // a browser has no driver
constexpr unsigned kForSurfaces = 2;  // CUDA_ARRAY3D_SURFACE_LDST

enum MemoryKind : int { kDevice = 2, kCudaArray = 3 };  // CUmemorytype

struct CopySide {
    size_t x_bytes = 0, y = 0;
    int kind = 0;
    void* host = nullptr;
    uint64_t device = 0;
    void* array = nullptr;
    size_t pitch_bytes = 0;
};
struct Copy2D {  // CUDA_MEMCPY2D
    CopySide from, to;
    size_t width_bytes = 0, height = 0;
};
static_assert(sizeof(void*) != 8 || sizeof(Copy2D) == 128);  // a browser has no driver

int format_of(const Texture& texture) {  // CUarray_format
    int size = texture.channel_bytes == 1 ? 0 : texture.channel_bytes == 2 ? 1 : 2;
    constexpr int kUnsigned[] = {0x01, 0x02, 0x03}, kSigned[] = {0x08, 0x09, 0x0a},
                  kFloats[] = {0, 0x10, 0x20};
    if (texture.numbers == Texture::Numbers::floats) return kFloats[size];
    return texture.numbers == Texture::Numbers::signed_integers ? kSigned[size] : kUnsigned[size];
}

ResourceDescription resource_of(const Texture& texture, uint64_t address, void* array) {
    ResourceDescription resource;
    if (array) {
        resource.array = array;
    } else if (texture.layout == Texture::Layout::linear) {
        resource.kind = kLinear;
        resource.linear = {address, format_of(texture), texture.channels,
                           static_cast<size_t>(texture.bytes())};
    } else {
        resource.kind = kPitch2D;
        resource.pitch = {address,       format_of(texture), texture.channels,
                          texture.width, texture.rows(),     texture.pitch_bytes};
    }
    return resource;
}

TextureDescription description_of(const Texture& texture) {
    TextureDescription result;
    for (int& outside : result.outside) outside = static_cast<int>(texture.outside);  // CUaddress_mode
    result.filter = texture.is_linear_filter ? 1 : 0;
    bool integers = texture.numbers != Texture::Numbers::floats && !texture.reads_as_float;
    result.flags = (integers ? kReadsIntegers : 0) | (texture.is_normalized ? kNormalized : 0);
    return result;
}

Copy2D copy_of(const Texture& texture, const CopySide& from, const CopySide& to) {
    return {from, to, size_t{texture.width} * texture.element_bytes(), texture.rows()};
}

}  // namespace

static_assert(static_cast<int>(Texture::Outside::wrap) == 0 &&
              static_cast<int>(Texture::Outside::clamp) == 1 &&
              static_cast<int>(Texture::Outside::mirror) == 2 &&
              static_cast<int>(Texture::Outside::border) == 3);

GpuTexture Gpu::create(const Texture& texture, const GpuBuffer& buffer) {
    const UsableDriver api = usable_driver();
    GpuTexture result;
    result.texture_ = texture;
    if (texture.layout == Texture::Layout::array) {
        ArrayDescription array{texture.width, texture.height,   0, format_of(texture),
                               texture.channels, texture.is_surface ? kForSurfaces : 0};
        check_driver(api->textures.Array3DCreate(&result.array_, &array),
                     fmt::format("an array of {} x {} elements", texture.rows(), texture.width));
    }
    ResourceDescription resource = resource_of(texture, buffer.address(), result.array_);
    if (texture.is_surface) {
        check_driver(api->textures.SurfObjectCreate(&result.object_, &resource), "a surface object");
        return result;
    }
    TextureDescription description = description_of(texture);
    check_driver(
        api->textures.TexObjectCreate(&result.object_, &resource, &description, nullptr),
        fmt::format("a texture object of {} x {} elements", texture.rows(), texture.width));
    return result;
}

void Gpu::copy_in(const GpuTexture& texture, const GpuBuffer& from) {
    Copy2D copy = copy_of(
        texture.texture_,
        {.kind = kDevice, .device = from.address(), .pitch_bytes = texture.texture_.pitch_bytes},
        {.kind = kCudaArray, .array = texture.array_});
    check_driver(usable_driver()->textures.Memcpy2DAsync(&copy, stream()), "to fill an array");
}

void Gpu::copy_out(GpuBuffer& to, const GpuTexture& texture) {
    Copy2D copy = copy_of(
        texture.texture_, {.kind = kCudaArray, .array = texture.array_},
        {.kind = kDevice, .device = to.address(), .pitch_bytes = texture.texture_.pitch_bytes});
    check_driver(usable_driver()->textures.Memcpy2DAsync(&copy, stream()), "to read an array");
}

GpuTexture::GpuTexture(GpuTexture&& other) noexcept
    : texture_(other.texture_),
      object_(std::exchange(other.object_, 0)),
      array_(std::exchange(other.array_, nullptr)) {}
GpuTexture& GpuTexture::operator=(GpuTexture&& other) noexcept {
    std::swap(texture_, other.texture_);
    std::swap(object_, other.object_);
    std::swap(array_, other.array_);
    return *this;
}
GpuTexture::~GpuTexture() {
    if (object_)
        release([&](const Driver& api) {
            texture_.is_surface ? api.textures.SurfObjectDestroy(object_)
                                : api.textures.TexObjectDestroy(object_);
        });
    if (array_) release([&](const Driver& api) { api.textures.ArrayDestroy(array_); });
}

}  // namespace lanewise
