// File managers hand over files as URIs.
#pragma once
#include <string>

namespace lanewise {

// The path meant by "file:///home/ada/my%20kernel.cu" (RFC 8089: also file:/path and
// file://localhost/path). Any other text, a path or a link of another scheme, comes back as it is.
std::string path_of_uri(const std::string& text);

}  // namespace lanewise
