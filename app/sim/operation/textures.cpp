#include "sim/operation/textures.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <string>

#include "sim/warp/work.h"

namespace lanewise {

namespace {

// Of one element: four channels, floats as their bits.
using Channels = std::array<uint32_t, 4>;

// Lanes that execute the instruction, one by one.
template <class F>
void each_lane(Warp& w, F f) {
    for (uint32_t rest = w.lanes; rest != 0; rest &= rest - 1) f(std::countr_zero(rest));
}

void report_texture(Warp& w, const Op& op, int lane, Fault::Kind kind, bool is_store, std::string text) {
    w.memory->work += kWorkOfFault;
    w.memory->observer->on_fault({kind, Space::global, is_store, op.bytes, op.instruction,
                                  w.memory->block, w.index * kLanes + static_cast<uint32_t>(lane), 0,
                                  std::move(text)});
}

std::string name_of(const Warp& w, const Texture& texture) {
    const Memory::Buffer* buffer = w.memory->global->find(texture.address, 1);
    return buffer ? buffer->name : "?";
}

std::string size_of(const Texture& texture) {
    std::string width = std::to_string(texture.width);
    return texture.height == 0 ? width + " elements"
                               : std::to_string(texture.height) + " rows of " + width + " elements";
}

// The objects that lanes have: most often one for all.
class Objects {
  public:
    Objects(Warp& w, const Op& op, bool is_surface) : w_(w), op_(op), is_surface_(is_surface) {}
    // Null where the lane has none, which is told of.
    const Texture* of(int lane) {
        uint64_t object = w_.wides(op_.a)[lane];
        if (!is_known_ || object != object_) {
            is_known_ = true;
            object_ = object;
            is_right_ = find_texture(*w_.memory->global, object, texture_) &&
                        texture_.is_surface == is_surface_;
        }
        if (is_right_) return &texture_;
        std::string text = "this is no texture object: give the parameter --arg tex:TYPE:SIZE";
        if (is_surface_) text = "this is no surface object: give the parameter --arg surf:TYPE:SIZE";
        report_texture(w_, op_, lane, Fault::Kind::trap, false, text);
        return nullptr;
    }

  private:
    Warp& w_;
    const Op& op_;
    const bool is_surface_;
    bool is_known_ = false, is_right_ = false;
    uint64_t object_ = 0;
    Texture texture_;
};

std::byte* element_at(Warp& w, const Texture& texture, uint64_t offset, uint64_t bytes) {
    const Memory::Buffer*& recent = w.memory->recent;
    const Memory::Buffer* buffer = w.memory->global->find(texture.address + offset, bytes, recent);
    if (!buffer || !buffer->storage) return nullptr;
    recent = buffer;
    return buffer->storage + (texture.address + offset - buffer->address);
}

// ---- what one element is

int64_t sign_extended(uint64_t bits, int bytes) {
    int shift = 64 - 8 * bytes;
    return static_cast<int64_t>(bits << shift) >> shift;
}

float half_to_float(uint32_t h) {
    uint32_t exponent = h >> 10 & 31, fraction = h & 1023;
    float magnitude = exponent == 31  ? (fraction ? NAN : INFINITY)
                      : exponent == 0 ? std::ldexp(static_cast<float>(fraction), -24)
                                      : std::ldexp(static_cast<float>(1024 + fraction),
                                                   static_cast<int>(exponent) - 25);
    return h >> 15 & 1 ? -magnitude : magnitude;
}

uint32_t channel(const Texture& texture, uint64_t bits) {
    int bytes = texture.channel_bytes;
    using enum Texture::Numbers;
    if (texture.numbers == floats)
        return bytes == 2 ? std::bit_cast<uint32_t>(half_to_float(static_cast<uint32_t>(bits)))
                          : static_cast<uint32_t>(bits);
    bool is_signed = texture.numbers == signed_integers;
    int64_t number = is_signed ? sign_extended(bits, bytes) : static_cast<int64_t>(bits);
    if (!texture.reads_as_float) return static_cast<uint32_t>(number);
    auto most = static_cast<float>((int64_t{1} << (8 * bytes - (is_signed ? 1 : 0))) - 1);
    return std::bit_cast<uint32_t>(std::max(static_cast<float>(number) / most, -1.0f));
}

bool gives_floats(const Texture& texture) {
    return texture.numbers == Texture::Numbers::floats || texture.reads_as_float;
}

Channels element(Warp& w, const Texture& texture, int64_t x, int64_t y) {
    Channels result{0, 0, 0, gives_floats(texture) ? std::bit_cast<uint32_t>(1.0f) : 1u};
    uint64_t offset = static_cast<uint64_t>(y) * texture.pitch_bytes +
                      static_cast<uint64_t>(x) * texture.element_bytes();
    const std::byte* at = element_at(w, texture, offset, texture.element_bytes());
    for (size_t i = 0; at && i < texture.channels; ++i) {
        uint64_t bits = 0;
        std::memcpy(&bits, at + i * texture.channel_bytes, texture.channel_bytes);
        result[i] = channel(texture, bits);
    }
    return result;
}

// ---- where a coordinate leads

// The element that stands for number `at` of `count`; -1: none, which is zeros.
int64_t inside(Texture::Outside outside, int64_t at, int64_t count) {
    if (at >= 0 && at < count) return at;
    int64_t around = (at % (2 * count) + 2 * count) % (2 * count);
    switch (outside) {
        case Texture::Outside::wrap:
            return around % count;
        case Texture::Outside::mirror:
            return around < count ? around : 2 * count - 1 - around;
        case Texture::Outside::clamp:
            return std::clamp<int64_t>(at, 0, count - 1);
        case Texture::Outside::border:
            break;
    }
    return -1;
}

// In elements, and within what an int64_t holds; what is no number counts as 0.
double in_elements(const Texture& texture, float coordinate, uint32_t count) {
    double x = std::isnan(coordinate) ? 0.0 : static_cast<double>(coordinate);
    if (texture.is_normalized) x *= count;
    return std::clamp(x, -1e15, 1e15);
}

struct Taps {
    int64_t first = 0;
    double weight = 0;  // of the one after it
};
Taps taps(const Texture& texture, float coordinate, uint32_t count) {
    double x = in_elements(texture, coordinate, count);
    if (!texture.is_linear_filter) return {static_cast<int64_t>(std::floor(x)), 0};
    double from = x - 0.5, whole = std::floor(from);
    return {static_cast<int64_t>(whole), std::floor((from - whole) * 256 + 0.5) / 256};
}

Channels at_place(Warp& w, const Texture& texture, int64_t x, int64_t y) {
    x = inside(texture.outside, x, texture.width);
    y = inside(texture.outside, y, texture.rows());
    if (x < 0 || y < 0) return Channels{};
    return element(w, texture, x, y);
}

// (1-a)(1-b) T[i,j] + a(1-b) T[i+1,j] + (1-a)b T[i,j+1] + ab T[i+1,j+1]
Channels filtered(Warp& w, const Texture& texture, const Taps& x, const Taps& y) {
    std::array<double, 4> sums{};
    for (int down = 0; down < (texture.height == 0 ? 1 : 2); ++down)
        for (int right = 0; right < 2; ++right) {
            double weight = (right ? x.weight : 1 - x.weight) * (down ? y.weight : 1 - y.weight);
            if (weight == 0) continue;
            Channels one = at_place(w, texture, x.first + right, y.first + down);
            for (size_t i = 0; i < 4; ++i)
                sums[i] += weight * static_cast<double>(std::bit_cast<float>(one[i]));
        }
    Channels result;
    for (size_t i = 0; i < 4; ++i) result[i] = std::bit_cast<uint32_t>(static_cast<float>(sums[i]));
    return result;
}

Channels fetched(Warp& w, const Op& op, const Texture& texture, int lane) {
    bool by_float = op.c_flip != 0, two = op.targets == 2;
    uint32_t x = w.words(op.b)[lane], y = two ? w.words(op.c)[lane] : 0;
    if (!by_float) {
        int64_t i = static_cast<int32_t>(x), j = static_cast<int32_t>(y);
        // tex1Dfetch
        if (!two && (i < 0 || i >= texture.width)) return Channels{};
        return at_place(w, texture, i, j);
    }
    Taps across = taps(texture, std::bit_cast<float>(x), texture.width);
    Taps down = two ? taps(texture, std::bit_cast<float>(y), texture.rows()) : Taps{};
    return texture.is_linear_filter ? filtered(w, texture, across, down)
                                    : at_place(w, texture, across.first, down.first);
}

// Why this instruction cannot read this texture; "" where it can.
std::string misuse(const Op& op, const Texture& texture) {
    if ((texture.height == 0) != (op.targets == 1))
        return texture.height == 0
                   ? "it has one dimension, and the kernel reads it by two: say ROWSxCOLS"
                   : "it has two dimensions, and the kernel reads it by one: say its WIDTH alone";
    if (op.targets == 1 && op.c_flip != 0 && texture.layout == Texture::Layout::linear)
        return "tex1D reads an array, and this is memory for tex1Dfetch: say memory=array";
    if (op.targets == 1 && op.c_flip == 0 && texture.layout != Texture::Layout::linear)
        return "tex1Dfetch reads memory, and this is an array: leave memory=array out";
    using enum Texture::Numbers;
    auto wanted = static_cast<Texture::Numbers>(op.target);
    auto given = gives_floats(texture) ? floats : texture.numbers;
    if (wanted == given) return "";
    return wanted == floats ? "its integers are read as floats: say read=normalized"
           : given == floats
               ? "its elements are read as integers, and they are floats: choose another type"
               : "its integers differ from the kernel's in their sign: choose another type";
}

}  // namespace

void run_texture(Warp& w, const Op& op) {
    w.memory->work += work_of_lanes(w.lanes);
    Objects objects(w, op, false);
    each_lane(w, [&](int lane) {
        Channels result{};
        if (const Texture* texture = objects.of(lane)) {
            std::string why = misuse(op, *texture);
            if (why.empty())
                result = fetched(w, op, *texture, lane);
            else
                report_texture(w, op, lane, Fault::Kind::trap, false,
                               "texture " + name_of(w, *texture) + ": " + why);
        }
        for (size_t i = 0; i < op.elements; ++i) w.words(op.vector[i])[lane] = result[i];
    });
}

namespace {

// Where the access goes; null: nowhere.
std::byte* surface_place(Warp& w, const Op& op, Objects& objects, int lane, bool is_store) {
    const Texture* surface = objects.of(lane);
    if (!surface) return nullptr;
    int64_t bytes = int64_t{op.bytes} * op.elements, x = static_cast<int32_t>(w.words(op.b)[lane]);
    int64_t y = op.targets == 2 ? static_cast<int32_t>(w.words(op.c)[lane]) : 0;
    int64_t row = int64_t{surface->width} * surface->element_bytes();
    std::string what = std::string("surface ") + (is_store ? "store: " : "load: ") +
                       name_of(w, *surface) + " ";
    if ((surface->height == 0) != (op.targets == 1)) {
        report_texture(w, op, lane, Fault::Kind::trap, is_store,
                       what + "has " + size_of(*surface) + ", and the kernel uses " +
                           (op.targets == 1 ? "one dimension" : "two dimensions"));
        return nullptr;
    }
    if (x % bytes != 0) {
        report_texture(w, op, lane, Fault::Kind::misaligned, is_store,
                       what + "at byte " + std::to_string(x) + " of a row, which is no multiple of " +
                           std::to_string(bytes) + ", the width of the access; x counts bytes");
        return nullptr;
    }
    bool is_inside = x >= 0 && x + bytes <= row && y >= 0 && y < surface->rows();
    auto outside = static_cast<SurfaceOutside>(op.target);
    if (!is_inside && outside == SurfaceOutside::trap)
        report_texture(w, op, lane, Fault::Kind::out_of_bounds, is_store,
                       what + "at byte " + std::to_string(x) +
                           (op.targets == 2 ? " of row " + std::to_string(y) : std::string()) + ", which has " +
                           size_of(*surface) + " of " + std::to_string(surface->element_bytes()) +
                           " bytes; the hardware stops the kernel there");
    if (!is_inside && outside != SurfaceOutside::clamp) return nullptr;
    x = std::clamp<int64_t>(x, 0, std::max<int64_t>(0, row - bytes));
    y = std::clamp<int64_t>(y, 0, surface->rows() - 1);
    return element_at(w, *surface, static_cast<uint64_t>(y * surface->pitch_bytes + x),
                      static_cast<uint64_t>(bytes));
}

}  // namespace

void run_surface_load(Warp& w, const Op& op) {
    w.memory->work += work_of_lanes(w.lanes);
    Objects objects(w, op, true);
    each_lane(w, [&](int lane) {
        const std::byte* from = surface_place(w, op, objects, lane, false);
        for (size_t i = 0; i < op.elements; ++i) {
            uint64_t bits = 0;
            if (from) std::memcpy(&bits, from + i * op.bytes, op.bytes);
            if (op.bytes == 8)
                w.wides(op.vector[i])[lane] = bits;
            else
                w.words(op.vector[i])[lane] = static_cast<uint32_t>(bits);
        }
    });
}

void run_surface_store(Warp& w, const Op& op) {
    w.memory->work += work_of_lanes(w.lanes);
    Objects objects(w, op, true);
    each_lane(w, [&](int lane) {
        std::byte* to = surface_place(w, op, objects, lane, true);
        for (size_t i = 0; to && i < op.elements; ++i) {
            uint64_t bits =
                op.bytes == 8 ? w.wides(op.vector[i])[lane] : w.words(op.vector[i])[lane];
            std::memcpy(to + i * op.bytes, &bits, op.bytes);
        }
    });
}

void run_texture_query(Warp& w, const Op& op) {
    each_lane(w, [&](int lane) {
        Texture texture;
        bool is_right = find_texture(*w.memory->global, w.wides(op.a)[lane], texture);
        if (!is_right)
            report_texture(w, op, lane, Fault::Kind::trap, false,
                           "this is no texture or surface object: give the parameter --arg tex:… or surf:…");
        w.words(op.d)[lane] = !is_right ? 0 : op.target == 0 ? texture.width : texture.height;
    });
}

}  // namespace lanewise
