// The loops of a control flow graph, and where the lanes within one meet that do not leave it.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/decode/dominators.h"

namespace lanewise {

// Natural loops: a header that dominates all of the loop's nodes, from each of which a way leads
// back to it. Loops that share a header are one. They are nested or apart.
class Loops {
  public:
    // root: where the graph begins. More than kMostWork nodes in loops, counted once for each loop
    // around them, are not looked at: then there are no loops.
    Loops(uint32_t root, const Edges& next, const Edges& before);

    uint32_t innermost(uint32_t node) const { return innermost_[node]; }  // or kNoNode
    uint32_t parent(uint32_t loop) const { return loops_[loop].parent; }  // or kNoNode
    uint32_t header(uint32_t loop) const { return loops_[loop].header; }
    size_t count() const { return loops_.size(); }
    bool contains(uint32_t loop, uint32_t node) const;
    // The outermost loop that contains `from` and not `to`, or kNoNode.
    uint32_t left_by(uint32_t from, uint32_t to) const;

    // The immediate post-dominator of `node` among the ways that stay in `loop` for one turn; the
    // header where they meet only in the next one.
    uint32_t meet_inside(uint32_t loop, uint32_t node) const;

  private:
    struct Loop {
        uint32_t header, parent = kNoNode;
        std::vector<uint32_t> nodes;
        mutable std::vector<uint32_t> meets;  // by place in nodes; made when first asked for
    };
    void find(uint32_t root, const Edges& next, const Edges& before);
    void nest();
    std::vector<uint32_t> meets_of(const Loop& loop) const;

    const Edges &next_, &before_;
    std::vector<Loop> loops_;
    std::vector<uint32_t> innermost_;
};

}  // namespace lanewise
