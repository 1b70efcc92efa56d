// tensor:[NAME:]TYPE:SHAPE:box=SHAPE[:swizzle=…][:pitch=…] to what cuTensorMapEncodeTiled is told, and
// tensor:[NAME:]TYPE:SHAPE:pixels=…:channels=…[:lower=…][:upper=…][:step=…] to what
// cuTensorMapEncodeIm2col is.
#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "base/text.h"
#include "lab/kernel/kernel_arguments.h"

namespace lanewise {

namespace {

constexpr uint32_t kMapAlignment = 128;  // of CUtensorMap since CUDA 13

constexpr struct {
    std::string_view name;
    Swizzle swizzle;
} kSwizzles[] = {{"none", Swizzle::none},
                 {"32B", Swizzle::bytes_32},
                 {"64B", Swizzle::bytes_64},
                 {"128B", Swizzle::bytes_128}};

class TensorReader {
  public:
    explicit TensorReader(const std::string& text) : text_(text) {}

    KernelArgument read() {
        std::vector<std::string_view> fields = split(text_, ':');
        fields.erase(fields.begin());  // "tensor"
        if (fields.size() >= 2 && !is_type(fields[0]) && is_type(fields[1])) {
            argument_.of = trimmed(fields[0]);
            fields.erase(fields.begin());
        }
        if (fields.size() < 2)
            reject(
                "a tensor is tensor:TYPE:ROWSxCOLS:box=ROWSxCOLS, or tensor:NAME:TYPE:… where "
                "it lies in the buffer of the parameter NAME");
        take_type(fields[0]);
        sizes_ = sizes(fields[1]);
        for (size_t i = 2; i < fields.size(); ++i) take_option(fields[i]);
        if (argument_.map.is_im2col) {
            take_im2col();
            return argument_;
        }
        if (box_.empty()) reject("say what one copy takes, as box=32x16");
        if (box_.size() != sizes_.size())
            reject(fmt::format("the box has {} of the tensor's {} dimensions", box_.size(),
                               sizes_.size()));
        describe();
        return argument_;
    }

  private:
    static bool is_type(std::string_view text) {
        try {
            read_argument(std::string(text) + "[1]");
            return true;
        } catch (const Error&) {
            return false;
        }
    }
    void take_type(std::string_view text) {
        if (!is_type(text))
            reject(fmt::format("there is no type \"{}\"; the types are those of buffers", text));
        KernelArgument element = read_argument(std::string(text) + "[1]");
        argument_.text = text_;
        argument_.type = element.type;
        argument_.element_bytes = element.element_bytes;
        argument_.is_float = element.is_float;
        argument_.is_tensor = true;
        argument_.bytes = kTensorMapBytes;
        argument_.align = kMapAlignment;
    }
    // "64x48" -> {48, 64}: the innermost comes first, as the map has it.
    std::vector<uint64_t> sizes(std::string_view text) const {
        std::vector<uint64_t> result;
        for (std::string_view piece : split(text, 'x')) {
            int64_t size = 0;
            if (!parse_integer(trimmed(piece), size) || size < 1)
                reject(fmt::format("\"{}\" is no size; ROWSxCOLS is meant, with 1 to 5 dimensions",
                                   text));
            result.push_back(static_cast<uint64_t>(size));
        }
        if (result.size() > TensorMap::kMostDimensions)
            reject(
                fmt::format("\"{}\" has {} dimensions; a tensor has 1 to 5", text, result.size()));
        std::reverse(result.begin(), result.end());
        return result;
    }
    void take_option(std::string_view field) {
        size_t equals = field.find('=');
        std::string_view name = trimmed(field.substr(0, equals));
        std::string_view value = equals == field.npos ? "" : trimmed(field.substr(equals + 1));
        if (name == "box") {
            box_ = sizes(value);
        } else if (name == "pitch") {
            std::vector<uint64_t> pitch = sizes(value);
            if (pitch.size() != 1 || pitch[0] < sizes_[0])
                reject("the pitch is the elements from one row to the next: at least a row's");
            pitch_ = pitch[0];
        } else if (name == "swizzle") {
            take_swizzle(value);
        } else if (!take_im2col_option(name, value)) {
            reject(fmt::format("\"{}\" is none of box=…, swizzle=… and pitch=…, nor of pixels=…, "
                               "channels=…, lower=…, upper=… and step=… of a tensor for im2col",
                               field));
        }
    }
    bool take_im2col_option(std::string_view name, std::string_view value) {
        if (name == "pixels")
            pixels_ = one_size(name, value);
        else if (name == "channels")
            channels_ = one_size(name, value);
        else if (name == "lower")
            lower_ = numbers(name, value);
        else if (name == "upper")
            upper_ = numbers(name, value);
        else if (name == "step")
            steps_ = numbers(name, value);
        else
            return false;
        argument_.map.is_im2col = true;
        return true;
    }
    uint32_t one_size(std::string_view name, std::string_view value) const {
        std::vector<uint64_t> size = sizes(value);
        if (size.size() != 1) reject(fmt::format("{}= takes one number, as {}=32", name, name));
        return static_cast<uint32_t>(std::min<uint64_t>(size[0], ~0u));
    }
    // "-1x2" -> {2, -1}: W first, as the map has it.
    std::vector<int32_t> numbers(std::string_view name, std::string_view value) const {
        std::vector<int32_t> result;
        for (std::string_view piece : split(value, 'x')) {
            int64_t number = 0;
            if (!parse_integer(trimmed(piece), number) || number < -65536 || number > 65536)
                reject(fmt::format("\"{}\" is no {}; HxW is meant, as -1x-1", value, name));
            result.push_back(static_cast<int32_t>(number));
        }
        std::reverse(result.begin(), result.end());
        return result;
    }
    void take_im2col() {
        if (!box_.empty())
            reject("a tensor has box=…, or pixels=… and channels=… for im2col, and not both");
        if (pixels_ == 0 || channels_ == 0)
            reject("say what one copy for im2col takes, as pixels=64:channels=32");
        size_t sides = sizes_.size() < 3 ? 0 : sizes_.size() - 2;
        if (sides == 0)
            reject("a tensor for im2col has 3 to 5 dimensions: IMAGESxROWSxCOLSxCHANNELS");
        TensorMap& map = argument_.map;
        for (const auto* given : {&lower_, &upper_, &steps_})
            if (!given->empty() && given->size() != sides)
                reject(fmt::format("lower, upper and step take {} here: images and channels have none",
                                   counted(sides, "number")));
        for (size_t i = 0; i < sides; ++i) {
            if (!lower_.empty()) map.lower[i] = lower_[i];
            if (!upper_.empty()) map.upper[i] = upper_[i];
            if (!steps_.empty()) map.element_strides[i + 1] = static_cast<uint32_t>(steps_[i]);
        }
        box_.assign(sizes_.size(), 0);
        box_[0] = channels_;
        box_[1] = pixels_;
        describe();
    }
    void take_swizzle(std::string_view value) {
        for (const auto& row : kSwizzles) {
            if (value != row.name) continue;
            argument_.map.swizzle = row.swizzle;
            return;
        }
        reject(fmt::format("\"{}\" is no swizzle: none, 32B, 64B or 128B", value));
    }
    void describe() {
        TensorMap& map = argument_.map;
        map.element_bytes = static_cast<uint32_t>(argument_.element_bytes);
        map.dimensions = static_cast<uint32_t>(sizes_.size());
        uint64_t stride = (pitch_ ? pitch_ : sizes_[0]) * map.element_bytes;
        for (size_t i = 0; i < sizes_.size(); ++i) {
            if (stride > uint64_t{1} << 40) reject("it has more than 2^40 bytes");
            map.sizes[i] = sizes_[i];
            map.box[i] = static_cast<uint32_t>(std::min<uint64_t>(box_[i], ~0u));
            if (i > 0) stride *= sizes_[i];
            if (i + 1 < sizes_.size()) map.strides[i] = stride;
        }
        if (argument_.of.empty()) argument_.count = stride / map.element_bytes;
        try {
            encoded(map);
        } catch (const Error& error) {
            bool by_pitch = map.dimensions > 1 && map.strides[0] % 16 != 0;
            reject(error.what() +
                   (by_pitch ? fmt::format("; say pitch={}", whole_pitch()) : std::string()));
        }
    }
    // The least elements a row apart that the accelerator takes.
    uint64_t whole_pitch() const {
        uint64_t elements = 16 / static_cast<uint64_t>(argument_.element_bytes);
        return (std::max(pitch_, sizes_[0]) + elements - 1) / elements * elements;
    }

    const std::string& text_;
    KernelArgument argument_;
    std::vector<uint64_t> sizes_, box_;  // the innermost first
    uint64_t pitch_ = 0;
    uint32_t pixels_ = 0, channels_ = 0;
    std::vector<int32_t> lower_, upper_, steps_;  // im2col: of W, H, D
};

}  // namespace

KernelArgument read_tensor(const std::string& text) { return TensorReader(text).read(); }

}  // namespace lanewise
