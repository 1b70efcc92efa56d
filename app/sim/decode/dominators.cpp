// Cooper, Harvey, Kennedy, "A Simple, Fast Dominance Algorithm" (2001).
#include "sim/decode/dominators.h"

#include <algorithm>

namespace lanewise {

namespace {

std::vector<uint32_t> reverse_postorder(uint32_t root, const Edges& next) {
    std::vector<uint32_t> order;
    std::vector<bool> seen(next.size(), false);
    struct Visit {
        uint32_t node;
        size_t edge;
    };
    std::vector<Visit> path = {{root, 0}};
    seen[root] = true;
    while (!path.empty()) {
        Visit& visit = path.back();
        if (visit.edge == next[visit.node].size()) {
            order.push_back(visit.node);
            path.pop_back();
            continue;
        }
        uint32_t to = next[visit.node][visit.edge++];
        if (!seen[to]) seen[to] = true, path.push_back({to, 0});
    }
    std::reverse(order.begin(), order.end());
    return order;
}

}  // namespace

std::vector<uint32_t> dominators(uint32_t root, const Edges& next, const Edges& before) {
    std::vector<uint32_t> order = reverse_postorder(root, next);
    std::vector<uint32_t> position(next.size(), kNoNode), result(next.size(), kNoNode);
    for (uint32_t i = 0; i < order.size(); ++i) position[order[i]] = i;
    auto common = [&](uint32_t a, uint32_t b) {
        while (a != b) {
            while (position[a] > position[b]) a = result[a];
            while (position[b] > position[a]) b = result[b];
        }
        return a;
    };
    result[root] = root;
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t node : order) {
            if (node == root) continue;
            uint32_t meet = kNoNode;
            for (uint32_t from : before[node])
                if (result[from] != kNoNode) meet = meet == kNoNode ? from : common(meet, from);
            if (result[node] != meet) result[node] = meet, changed = true;
        }
    }
    return result;
}

}  // namespace lanewise
