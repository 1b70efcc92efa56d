// Which functions call each other in a circle: the strongly connected components of the graph of
// calls (Tarjan, "Depth-first search and linear graph algorithms", 1972), without recursion of its
// own.
#include <algorithm>

#include "ptx/body.h"

namespace lanewise::ptx {

namespace {

class CallGraph {
  public:
    explicit CallGraph(Functions& functions) {
        // The last node stands for every pointer.
        for (auto& [name, function] : functions) {
            numbers_[name] = nodes_.size();
            nodes_.push_back({&function, {}});
        }
        size_t pointer = nodes_.size();
        nodes_.push_back({nullptr, {}});
        for (size_t i = 0; i < pointer; ++i) {
            const Function& function = *nodes_[i].function;
            for (const std::string& called : function.calls) {
                auto known = numbers_.find(called);
                if (known != numbers_.end())
                    nodes_[i].calls.push_back(known->second);
                else if (called.starts_with("%"))
                    nodes_[i].calls.push_back(pointer);
            }
            if (function.is_taken) nodes_[pointer].calls.push_back(i);
        }
    }

    void number_circles() {
        for (size_t i = 0; i < nodes_.size(); ++i)
            if (nodes_[i].index == 0) visit(i);
    }

  private:
    struct Node {
        Function* function;
        std::vector<size_t> calls;
        size_t index = 0, low = 0, next = 0;
        bool is_open = false;
    };

    void open(size_t i, std::vector<size_t>& path) {
        nodes_[i].index = nodes_[i].low = ++count_;
        nodes_[i].is_open = true;
        open_.push_back(i);
        path.push_back(i);
    }
    void visit(size_t start) {
        std::vector<size_t> path;
        open(start, path);
        while (!path.empty()) {
            size_t i = path.back();
            Node& node = nodes_[i];
            if (node.next < node.calls.size()) {
                size_t called = node.calls[node.next++];
                if (nodes_[called].index == 0)
                    open(called, path);
                else if (nodes_[called].is_open)
                    node.low = std::min(node.low, nodes_[called].index);
                continue;
            }
            path.pop_back();
            if (!path.empty())
                nodes_[path.back()].low = std::min(nodes_[path.back()].low, node.low);
            if (node.low == node.index) close(i);
        }
    }
    // The component of which `i` was found first.
    void close(size_t i) {
        auto first = std::find(open_.begin(), open_.end(), i);
        const auto& calls = nodes_[i].calls;
        bool is_circle =
            open_.end() - first > 1 || std::find(calls.begin(), calls.end(), i) != calls.end();
        if (is_circle) ++circles_;
        for (auto it = first; it != open_.end(); ++it) {
            nodes_[*it].is_open = false;
            if (is_circle && nodes_[*it].function) nodes_[*it].function->circle = circles_;
        }
        open_.erase(first, open_.end());
    }

    std::vector<Node> nodes_;
    std::map<std::string, size_t, std::less<>> numbers_;
    std::vector<size_t> open_;
    size_t count_ = 0;
    int circles_ = 0;
};

}  // namespace

void find_circles(Functions& functions) { CallGraph(functions).number_circles(); }

}  // namespace lanewise::ptx
