// Dominators of a directed graph whose nodes are numbered from 0.
#pragma once
#include <cstdint>
#include <vector>

namespace lanewise {

using Edges = std::vector<std::vector<uint32_t>>;  // by node
inline constexpr uint32_t kNoNode = 0xffffffffu;

// The immediate dominator of each node: the last one besides itself that every way from `root` to
// it goes through. The root is its own; kNoNode where no way leads. next and before are each
// other's reverse: with both exchanged, and the end as the root, these are post-dominators.
std::vector<uint32_t> dominators(uint32_t root, const Edges& next, const Edges& before);

}  // namespace lanewise
