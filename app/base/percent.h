// Texts inside links: percent-encoding (RFC 3986), where '/' and ',' stay, for the reader's sake.
#pragma once
#include <optional>
#include <string>
#include <string_view>

namespace lanewise {

std::string percent_encoded(std::string_view text);
// Nothing where a % is followed by no two hexadecimal digits.
std::optional<std::string> percent_decoded(std::string_view text);

}  // namespace lanewise
