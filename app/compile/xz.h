// Bytes packed as xz, and back (liblzma). Of what Lanewise ships it makes a twentieth.
#pragma once
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace lanewise {

// At the highest level, with everything in the window. The same bytes give the same result with
// the same version of liblzma. Throws Error(bad_input) where memory is short.
std::string xz_packed(std::string_view bytes);

// nullopt where `packed` is not xz, is damaged, or is of another size than `bytes`. Takes memory
// for `bytes` and for a window of up to twice as many.
std::optional<std::string> xz_unpacked(std::string_view packed, size_t bytes);

}  // namespace lanewise
