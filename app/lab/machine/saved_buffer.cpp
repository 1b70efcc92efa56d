#include "lab/machine/saved_buffer.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "base/error.h"
#include "base/files.h"

namespace lanewise {

SavedBuffer read_saved_buffer(const std::string& text) {
    size_t equals = text.find('=');
    if (equals == 0 || equals == text.npos || equals + 1 == text.size())
        throw Error(
            Status::bad_input,
            "--save wants NAME=FILE, the buffer of the parameter NAME, not \"" + text + "\"");
    return {text.substr(0, equals), text.substr(equals + 1)};
}

std::string elements_as_text(std::span<const std::byte> bytes, const ElementType& type) {
    std::string text;
    auto size = static_cast<size_t>(type.bytes);
    for (size_t at = 0; at + size <= bytes.size(); at += size) {
        uint64_t bits = 0;
        std::memcpy(&bits, &bytes[at], size);
        int unused = 64 - 8 * type.bytes;
        if (type.is_float && type.bytes == 8)
            text += fmt::format("{:.17g}\n", float_value(type, bits));
        else if (type.is_float)
            text += fmt::format("{:.9g}\n", float_value(type, bits));
        else if (type.is_signed)
            text += fmt::format("{}\n", static_cast<int64_t>(bits << unused) >> unused);
        else
            text += fmt::format("{}\n", bits);
    }
    return text;
}

void save_buffer(const StageLaunch& launch, const SavedBuffer& saved) {
    const auto& buffers = launch.memory.buffers();
    std::string names;
    for (size_t i = std::min(buffers.size(), launch.types.size()); i-- > 0;) {  // the latest first
        names = buffers[i].name + (names.empty() ? "" : ", ") + names;
        if (buffers[i].name != saved.name) continue;
        std::span<const std::byte> bytes(buffers[i].storage, static_cast<size_t>(buffers[i].bytes));
        bool as_text = saved.file.extension() == ".txt";
        write_file(saved.file,
                   as_text
                       ? elements_as_text(bytes, *find_element_type(launch.types[i]))
                       : std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
        return;
    }
    throw Error(Status::bad_input, "--save " + saved.name + ": there is no such buffer" +
                                       (names.empty() ? "" : "; those that there are: " + names));
}

}  // namespace lanewise
