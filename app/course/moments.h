// The moments of a scene that moves: the steps of a block's life (trace/record/block_life.h) that a
// scene stops at, by kind. Found in what the machine did, never typed in.
#pragma once
#include <string>
#include <vector>

#include "trace/record/warp_life.h"

namespace lanewise {

// The kinds that a scene may name, as its `moments` has them: "load", "tile store", "barrier",
// "tile read", "store", "copy" (issued), "copy done", "matrix load", "shuffle", and "exchange": how
// it is before the first shuffle, and after each round in which the lanes have the same partners.
std::vector<std::string> moment_kinds();

// Indices into `life`, in order: its steps of these kinds. Of barriers and copies each is a moment.
std::vector<int> moments_of(const std::vector<LifeStep>& life,
                            const std::vector<std::string>& kinds);

// The place in `moments` of the last one at or before `step`; 0 where there is none, nor any.
int moment_at(const std::vector<int>& moments, int step);

}  // namespace lanewise
