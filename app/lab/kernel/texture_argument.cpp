// tex:[NAME:]TYPE[xCHANNELS]:SIZE[:OPTION=VALUE]… to what cuTexObjectCreate is told, and surf:… to
// what cuSurfObjectCreate is. SIZE is WIDTH, or ROWSxCOLS.
//   tex:f32:1000                         linear memory, for tex1Dfetch
//   tex:f32:1000:memory=array            a CUDA array, for tex1D
//   tex:u8x4:64x48                       a CUDA array, for tex2D; elements of four bytes (uchar4)
//   tex:in:f32:64x48                     rows in the buffer of the parameter `in`, for tex2D
//   filter=point|linear  address=clamp|border|wrap|mirror  coordinates=elements|normalized
//   read=element|normalized  pitch=ELEMENTS (rows in a buffer)  data=0..1 (as behind a buffer)
#include "lab/kernel/texture_argument.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <regex>

#include "base/error.h"
#include "base/text.h"
#include "lab/kernel/kernel_list.h"

namespace lanewise {

namespace {

// Of a card (CUDA programming guide, "Technical Specifications per Compute Capability").
constexpr uint64_t kMostLinear = uint64_t{1} << 28, kMostWidth = 131'072, kMostRows = 65'536;
constexpr uint64_t kPitchAlignment = 32;  // cudaDevAttrTexturePitchAlignment

bool is_normalized(std::string_view name, std::string_view value, std::string_view other) {
    if (value != "normalized" && value != other)
        reject(fmt::format("\"{}={}\": that is {} or normalized", name, value, other));
    return value == "normalized";
}

class TextureReader {
  public:
    explicit TextureReader(const std::string& text) : text_(text) {
        texture_.is_surface = text.starts_with("surf:");
        read();
    }
    const Texture& texture() const { return texture_; }

    KernelArgument argument() {
        KernelArgument object;
        object.text = text_;
        object.type = "u64";
        object.element_bytes = 8;
        object.is_float = false;
        object.is_buffer = object.is_pointer = true;
        object.bytes = object.align = 8;
        const auto words = std::bit_cast<std::array<uint64_t, sizeof(Texture) / 8>>(texture_);
        object.count = words.size();
        for (uint32_t i = 0; i < words.size(); ++i) {
            KernelArgument& member = object.members.emplace_back();
            if (i == offsetof(Texture, address) / 8) {
                member = elements_;
            } else {
                member.type = "u64";
                member.element_bytes = 8;
                member.is_float = false;
                member.bits = words[i];
            }
            member.text = text_;
            member.bytes = member.align = 8;
            member.offset = 8 * i;
        }
        return object;
    }

  private:
    void read() {
        std::vector<std::string_view> fields = split(text_, ':');
        fields.erase(fields.begin());  // "tex", "surf"
        if (fields.size() >= 2 && !is_type(fields[0]) && is_type(fields[1])) {
            elements_.of = trimmed(fields[0]);
            fields.erase(fields.begin());
        }
        if (fields.size() < 2)
            reject(texture_.is_surface ? "a surface is surf:TYPE:WIDTH or surf:TYPE:ROWSxCOLS"
                                       : "a texture is tex:TYPE:WIDTH or tex:TYPE:ROWSxCOLS, or "
                                         "tex:NAME:… in the buffer of the parameter NAME");
        take_type(fields[0]);
        take_size(fields[1]);
        texture_.layout = default_layout();
        for (size_t i = 2; i < fields.size(); ++i) take_option(fields[i]);
        check();
        lay_out();
    }
    // "u8x4" -> u8 and 4
    static const ElementType* element_type(std::string_view text, uint8_t& channels) {
        text = trimmed(text);
        channels = 1;
        if (text.size() > 2 && text[text.size() - 2] == 'x') {
            channels = static_cast<uint8_t>(text.back() - '0');
            text.remove_suffix(2);
        }
        return find_element_type(text);
    }
    static bool is_type(std::string_view text) {
        uint8_t channels;
        return element_type(text, channels) != nullptr;
    }
    void take_type(std::string_view text) {
        const ElementType* type = element_type(text, texture_.channels);
        bool has_channels = texture_.channels == 1 || texture_.channels == 2 || texture_.channels == 4;
        if (!type || !has_channels || type->bytes > 4 || std::string_view(type->name) == "bf16")
            reject(fmt::format("\"{}\" is no type of a texture's elements: i8 u8 i16 u16 i32 u32 f16 "
                               "f32, and two or four of them as f32x2, u8x4",
                               text));
        elements_.type = type->name;
        elements_.element_bytes = type->bytes;
        elements_.is_float = type->is_float;
        texture_.channel_bytes = static_cast<uint8_t>(type->bytes);
        using enum Texture::Numbers;
        texture_.numbers = type->is_float    ? floats
                           : type->is_signed ? signed_integers
                                             : unsigned_integers;
    }
    void take_size(std::string_view text) {
        std::vector<std::string_view> pieces = split(text, 'x');
        std::vector<uint32_t> sizes;
        for (std::string_view piece : pieces) {
            int64_t size = 0;
            if (!parse_integer(trimmed(piece), size) || size < 1 ||
                size > static_cast<int64_t>(kMostLinear) || pieces.size() > 2)
                reject(fmt::format("\"{}\" is no size of a texture: WIDTH or ROWSxCOLS, in elements",
                                   text));
            sizes.push_back(static_cast<uint32_t>(size));
        }
        texture_.width = sizes.back();
        texture_.height = sizes.size() == 2 ? sizes[0] : 0;
    }
    // Rows in a buffer that others use, too; else what every kind of access can do.
    Texture::Layout default_layout() const {
        using enum Texture::Layout;
        if (texture_.is_surface) return array;
        if (texture_.height == 0) return linear;
        return elements_.of.empty() ? array : pitch;
    }
    void take_option(std::string_view field) {
        size_t equals = field.find('=');
        std::string_view name = trimmed(field.substr(0, equals));
        std::string_view value = equals == field.npos ? "" : trimmed(field.substr(equals + 1));
        if (name == "data") {
            elements_.fill = read_fill(*find_element_type(elements_.type),
                                       "=" + std::string(value));
            has_data_ = true;
        } else if (texture_.is_surface) {
            reject(fmt::format("\"{}\": a surface has no option but data=…", field));
        } else if (name == "filter") {
            if (value != "point" && value != "linear")
                reject(fmt::format("\"{}\": the filter is point or linear", field));
            texture_.is_linear_filter = value == "linear";
        } else if (name == "address") {
            take_outside(field, value);
        } else if (name == "coordinates") {
            texture_.is_normalized = is_normalized(name, value, "elements");
        } else if (name == "read") {
            texture_.reads_as_float = is_normalized(name, value, "element");
        } else if (name == "memory") {
            take_memory(field, value);
        } else if (name == "pitch") {
            int64_t pitch = 0;
            if (!parse_integer(value, pitch) || pitch < texture_.width ||
                pitch > static_cast<int64_t>(kMostLinear))
                reject("the pitch is the elements from one row to the next: at least a row's");
            pitch_ = static_cast<uint64_t>(pitch);
        } else {
            reject(fmt::format("\"{}\" is none of filter=…, address=…, coordinates=…, read=…, "
                               "memory=…, pitch=… and data=…",
                               field));
        }
    }
    void take_outside(std::string_view field, std::string_view value) {
        static constexpr std::string_view kNames[] = {"wrap", "clamp", "mirror", "border"};
        for (size_t i = 0; i < std::size(kNames); ++i) {
            if (value != kNames[i]) continue;
            texture_.outside = static_cast<Texture::Outside>(i);
            has_outside_ = true;
            return;
        }
        reject(fmt::format("\"{}\": the address is clamp, border, wrap or mirror", field));
    }
    void take_memory(std::string_view field, std::string_view value) {
        using enum Texture::Layout;
        if (value == "array")
            texture_.layout = array;
        else if (value == "rows" && texture_.height > 0)
            texture_.layout = pitch;
        else
            reject(fmt::format("\"{}\": the memory is array{}", field,
                               texture_.height > 0 ? ", or rows of a buffer" : ""));
    }

    // What a card, or its driver, would refuse or pass over in silence.
    void check() const {
        using enum Texture::Layout;
        using enum Texture::Outside;
        bool is_array = texture_.layout == array, is_linear = texture_.layout == linear;
        if (is_array && !elements_.of.empty())
            reject(texture_.is_surface
                       ? "a surface has memory of its own: leave the name out"
                       : "an array has memory of its own: leave the name or memory=array out");
        if (has_data_ && !elements_.of.empty())
            reject("what the buffer holds stands behind its own --arg, not in data=…");
        if (is_linear && (texture_.is_linear_filter || texture_.is_normalized || has_outside_))
            reject("tex1Dfetch reads memory without filter, address or normalized coordinates; for "
                   "tex1D, say memory=array");
        if (pitch_ != 0 && texture_.layout != pitch)
            reject("pitch=… is for rows in a buffer: say memory=rows");
        bool repeats = texture_.outside == wrap || texture_.outside == mirror;
        if (repeats && !texture_.is_normalized)
            reject("address=wrap and mirror need coordinates=normalized; without, the driver takes "
                   "clamp");
        bool floats = texture_.numbers == Texture::Numbers::floats;
        if (texture_.reads_as_float && (floats || texture_.channel_bytes == 4))
            reject("read=normalized is for integers of 8 and 16 bits");
        if (texture_.is_linear_filter && !floats && !texture_.reads_as_float)
            reject("filter=linear needs floats: choose f32 or f16, or say read=normalized");
        uint64_t most = is_linear ? kMostLinear : kMostWidth;
        if (texture_.width > most || texture_.height > kMostRows)
            reject(fmt::format("a card's texture has at most {} elements in a row{}",
                               with_thousands(most),
                               is_linear ? std::string() : " and " + with_thousands(kMostRows) + " rows"));
    }
    void lay_out() {
        uint64_t row = pitch_ != 0 ? pitch_ : texture_.width, bytes = texture_.element_bytes();
        if (texture_.layout == Texture::Layout::pitch && row * bytes % kPitchAlignment != 0) {
            uint64_t whole = kPitchAlignment / std::min<uint64_t>(bytes, kPitchAlignment);
            reject(fmt::format("rows in a buffer begin at multiples of {} bytes on a card, and these "
                               "have {}: say pitch={}, or {}",
                               kPitchAlignment, row * bytes, (row + whole - 1) / whole * whole,
                               elements_.of.empty() ? "leave memory=rows out, for an array"
                                                    : "leave the name out, for an array"));
        }
        if (row * bytes > ~0u) reject("a row has more than 4 GiB");
        texture_.pitch_bytes = static_cast<uint32_t>(row * bytes);
        elements_.is_buffer = elements_.of.empty();
        elements_.is_name = !elements_.is_buffer;
        if (elements_.is_buffer) elements_.count = row * texture_.rows() * texture_.channels;
    }

    const std::string& text_;
    KernelArgument elements_;  // their buffer
    Texture texture_;
    uint64_t pitch_ = 0;  // elements; 0: a row's
    bool has_outside_ = false, has_data_ = false;
};

}  // namespace

// "uchar4" -> "u8x4"; f32 for what is none.
static std::string element_called(std::string type) {
    static constexpr struct {
        std::string_view name, element;
    } kTypes[] = {{"float", "f32"},   {"int", "i32"},        {"uint", "u32"},  {"unsigned int", "u32"},
                  {"unsigned", "u32"}, {"short", "i16"},      {"ushort", "u16"}, {"unsigned short", "u16"},
                  {"char", "i8"},      {"signed char", "i8"}, {"uchar", "u8"},  {"unsigned char", "u8"}};
    std::string channels;
    if (type.ends_with('2') || type.ends_with('4')) {
        channels = std::string("x") + type.back();
        type.pop_back();
    }
    for (const auto& row : kTypes)
        if (type == row.name) return std::string(row.element) + channels;
    return "f32";
}

bool is_texture_text(std::string_view text) {
    return text.starts_with("tex:") || text.starts_with("surf:");
}

KernelArgument texture_argument(const std::string& text) { return TextureReader(text).argument(); }

std::string suggested_texture(const std::string& parameter, const std::string& source) {
    const bool is_surface = parameter.find("cudaSurfaceObject_t") != parameter.npos;
    const bool is_texture = parameter.find("cudaTextureObject_t") != parameter.npos;
    if ((!is_surface && !is_texture) || parameter.find_first_of("*[") != parameter.npos) return "";
    const std::string kind = is_surface ? "surf" : "tex", name = parameter_name(parameter);
    static constexpr struct {
        std::string_view call, size;
    } kCalls[] = {{"tex1Dfetch", "1024"}, {"tex1D", "1024:memory=array"}, {"tex2D", "64x64"},
                  {"surf1D", "1024"},     {"surf2D", "64x64"}};
    for (const auto& row : kCalls) {
        // tex2D<float>(image, …    surf2Dread(&v, image, …
        std::regex use(std::string(row.call) + R"((?:read|write)?\s*(?:<\s*([\w ]+)\s*>)?\s*\([^;]*?\b)" +
                       name + R"(\b)");
        std::smatch found;
        if (!std::regex_search(source, found, use)) continue;
        return fmt::format("{}:{}:{}", kind, element_called(found[1]), row.size);
    }
    return kind + ":f32:64x64";
}

Texture texture_of(const std::string& text) { return TextureReader(text).texture(); }

}  // namespace lanewise
