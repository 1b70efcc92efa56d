// Clocks by which one knows what others have done. For this folder.
#pragma once
#include <algorithm>
#include <cstddef>

namespace lanewise {

// Knows now what `from` knows, too: of each place the later time.
template <class Times>
void join(Times& to, const Times& from) {
    for (size_t i = 0; i < to.size(); ++i) to[i] = std::max(to[i], from[i]);
}

}  // namespace lanewise
