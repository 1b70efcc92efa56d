#include "sim/decode/loops.h"

#include <algorithm>

namespace lanewise {

namespace {

constexpr size_t kMostWork = 10'000'000;

// Whether one node dominates another, in constant time: by when a walk of the dominators' tree
// comes to a node first and leaves it last.
class DominatorTree {
  public:
    DominatorTree(uint32_t root, const std::vector<uint32_t>& dominator)
        : first_(dominator.size(), 1), last_(dominator.size(), 0) {
        Edges children(dominator.size());
        for (uint32_t node = 0; node < dominator.size(); ++node)
            if (dominator[node] != kNoNode && node != root)
                children[dominator[node]].push_back(node);
        uint32_t time = 0;
        std::vector<std::pair<uint32_t, size_t>> path = {{root, 0}};
        first_[root] = time++;
        while (!path.empty()) {
            auto& [node, child] = path.back();
            if (child == children[node].size()) {
                last_[node] = time++;
                path.pop_back();
                continue;
            }
            uint32_t next = children[node][child++];
            first_[next] = time++;
            path.push_back({next, 0});
        }
    }
    bool dominates(uint32_t a, uint32_t b) const {
        return first_[a] <= first_[b] && last_[b] <= last_[a] && last_[b] != 0;
    }

  private:
    std::vector<uint32_t> first_, last_;
};

}  // namespace

Loops::Loops(uint32_t root, const Edges& next, const Edges& before)
    : next_(next), before_(before), innermost_(next.size(), kNoNode) {
    find(root, next, before);
    nest();
}

void Loops::find(uint32_t root, const Edges& next, const Edges& before) {
    DominatorTree tree(root, dominators(root, next, before));
    std::vector<uint32_t> seen_by(next.size(), kNoNode);
    size_t work = 0;
    for (uint32_t header = 0; header < next.size(); ++header) {
        std::vector<uint32_t> open;
        for (uint32_t from : before[header])
            if (tree.dominates(header, from)) open.push_back(from);
        if (open.empty()) continue;
        Loop loop{header, kNoNode, {header}, {}};
        seen_by[header] = header;
        while (!open.empty()) {
            uint32_t node = open.back();
            open.pop_back();
            if (seen_by[node] == header) continue;
            seen_by[node] = header;
            loop.nodes.push_back(node);
            for (uint32_t from : before[node])
                if (tree.dominates(header, from)) open.push_back(from);
        }
        work += loop.nodes.size();
        loops_.push_back(std::move(loop));
        if (work > kMostWork) return loops_.clear();
    }
}

// The outer ones first, so that the last to name a node is its innermost.
void Loops::nest() {
    std::sort(loops_.begin(), loops_.end(), [](const Loop& a, const Loop& b) {
        return a.nodes.size() > b.nodes.size() ||
               (a.nodes.size() == b.nodes.size() && a.header < b.header);
    });
    for (uint32_t i = 0; i < loops_.size(); ++i) {
        std::sort(loops_[i].nodes.begin(), loops_[i].nodes.end());
        loops_[i].parent = innermost_[loops_[i].header];
        for (uint32_t node : loops_[i].nodes) innermost_[node] = i;
    }
}

bool Loops::contains(uint32_t loop, uint32_t node) const {
    for (uint32_t at = innermost_[node]; at != kNoNode; at = loops_[at].parent)
        if (at == loop) return true;
    return false;
}

uint32_t Loops::left_by(uint32_t from, uint32_t to) const {
    uint32_t left = kNoNode;
    for (uint32_t at = innermost_[from]; at != kNoNode && !contains(at, to); at = loops_[at].parent)
        left = at;
    return left;
}

// The loop alone, its edges out left away and those to the header leading to an end.
std::vector<uint32_t> Loops::meets_of(const Loop& loop) const {
    auto end = static_cast<uint32_t>(loop.nodes.size());
    auto place = [&](uint32_t node) {
        if (node == loop.header) return end;
        auto at = std::lower_bound(loop.nodes.begin(), loop.nodes.end(), node);
        bool is_inside = at != loop.nodes.end() && *at == node;
        return is_inside ? static_cast<uint32_t>(at - loop.nodes.begin()) : kNoNode;
    };
    Edges next(end + 1), before(end + 1);
    for (uint32_t i = 0; i < end; ++i)
        for (uint32_t node : next_[loop.nodes[i]])
            if (uint32_t to = place(node); to != kNoNode)
                next[i].push_back(to), before[to].push_back(i);
    std::vector<uint32_t> meets = dominators(end, before, next);
    for (uint32_t& meet : meets)
        if (meet != kNoNode) meet = meet == end ? loop.header : loop.nodes[meet];
    return meets;
}

uint32_t Loops::meet_inside(uint32_t loop_index, uint32_t node) const {
    const Loop& loop = loops_[loop_index];
    if (loop.meets.empty()) loop.meets = meets_of(loop);
    auto at = std::lower_bound(loop.nodes.begin(), loop.nodes.end(), node);
    return loop.meets[static_cast<size_t>(at - loop.nodes.begin())];
}

}  // namespace lanewise
