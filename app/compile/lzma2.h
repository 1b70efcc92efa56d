// Bytes packed as LZMA2, and back (liblzma). Raw: without xz's frame around them, which is 60 bytes
// for each of several hundred packs. Who keeps them keeps their sizes and a checksum.
#pragma once
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace lanewise {

// What the bytes are, which decides what the packer expects of the next one: text looks at the one
// before it alone, code at where in its instruction of 16 bytes it is.
enum class PackedAs { text, code, bytes };

// At the highest level, with everything in the window. The same bytes give the same result with
// the same version of liblzma. Throws Error(bad_input) where memory is short.
std::string lzma2_packed(std::string_view bytes, PackedAs as);

// Whatever they were packed as. nullopt where `packed` is not LZMA2 or is of another size than
// `bytes`. Takes memory for `bytes` and for a window as large.
std::optional<std::string> lzma2_unpacked(std::string_view packed, size_t bytes);

}  // namespace lanewise
