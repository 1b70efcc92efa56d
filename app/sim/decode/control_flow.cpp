#include "sim/decode/control_flow.h"

#include <algorithm>
#include <set>

#include "sim/decode/loops.h"

namespace lanewise {

namespace {

struct Block {
    uint32_t begin = 0, end = 0;
};

class Graph {
  public:
    explicit Graph(const std::vector<FlowInstruction>& instructions)
        : instructions_(instructions), count_(static_cast<uint32_t>(instructions.size())) {
        find_blocks();
        connect();
        add_ways_out();
    }

    ControlFlow meetings() const {
        ControlFlow result;
        result.reconverge.assign(count_, count_);
        result.loop_of.assign(count_, kNoNode);
        std::vector<uint32_t> meets = dominators(end(), before_, next_);
        Loops loops(0, next_, before_);
        for (uint32_t loop = 0; loop < loops.count(); ++loop)
            result.loop_parents.push_back(loops.parent(loop));
        for (uint32_t b = 0; b < end(); ++b) {
            uint32_t loop = loops.innermost(b);
            std::fill(result.loop_of.begin() + blocks_[b].begin,
                      result.loop_of.begin() + blocks_[b].end, loop);
            if (meets[b] == kNoNode || instructions_[blocks_[b].end - 1].stays_apart) continue;
            uint32_t meet = meets[b];
            if (loop != kNoNode && !loops.contains(loop, meet))
                meet = add_exits(b, loops, meets, result.exits);
            else if (next_[b].size() == 2 && work_ < kMostWork) {
                uint32_t tail = common_tail(b, meets);
                if (is_last(meet))
                    meet = tail;
                else if (tail != meet && loops.innermost(tail) == loop)
                    result.tails.push_back({blocks_[tail].begin, blocks_[meet].begin});
            }
            result.reconverge[blocks_[b].end - 1] = blocks_[meet].begin;
        }
        return result;
    }

    // A group of registers at a time: sets of all of them would take gigabytes for a large kernel.
    std::vector<uint32_t> live_at_entry(uint32_t registers) const {
        constexpr uint32_t kGroup = 4096;
        std::vector<uint32_t> result;
        for (uint32_t first = 0; first < registers && end() > 0; first += kGroup)
            add_live_at_entry(first, std::min(registers - first, kGroup), result);
        return result;
    }

  private:
    static constexpr size_t kMostWork = 50'000'000;  // blocks visited by all walks

    // The exits of branch `b`, some of whose ways never come back to the loop. Where at least two
    // of its ways do, their lanes meet within the loop, whatever the others do; else at the place
    // where those that left wait.
    uint32_t add_exits(uint32_t b, const Loops& loops, const std::vector<uint32_t>& meets,
                       std::vector<ControlFlow::Exit>& exits) const {
        uint32_t innermost = loops.innermost(b), outside = meets[b];
        size_t inside = 0;
        for (uint32_t next : std::set(next_[b].begin(), next_[b].end())) {
            uint32_t left = loops.left_by(b, next);
            inside += left == kNoNode;
            if (left == kNoNode) continue;
            outside = meet_outside(b, left, loops, meets);
            exits.push_back(
                {blocks_[b].end - 1, blocks_[next].begin, left, blocks_[outside].begin});
        }
        if (inside < 2) return outside;
        uint32_t meet = loops.meet_inside(innermost, b);
        if (meet == kNoNode) return outside;
        return some_come_back(b, innermost, meet, loops, meets[b])
                   ? meet_outside(b, innermost, loops, meets)
                   : meet;
    }
    // Where the lanes that leave `loop` from block `b` meet those that leave it elsewhere.
    uint32_t meet_outside(uint32_t b, uint32_t loop, const Loops& loops,
                          const std::vector<uint32_t>& meets) const {
        uint32_t around = loops.parent(loop), meet = b;
        while (meet != end() && loops.contains(loop, meet)) {
            uint32_t next = around == kNoNode ? meets[meet] : loops.meet_inside(around, meet);
            if (next == kNoNode) return meets[b];
            if (around != kNoNode && next == loops.header(around)) return next;
            meet = next;
        }
        bool moves_on = around != kNoNode && some_come_back(b, around, meet, loops, meets[b]);
        return moves_on ? meet_outside(b, around, loops, meets) : meet;
    }
    // Whether lanes of branch `b` that leave `loop` before they come to `meet` may be back in it
    // before they are where all of its ways meet, at `all`. For such a branch ptxas sets no barrier
    // at `meet`: the lanes that it parts stay apart until they have left the loop.
    bool some_come_back(uint32_t b, uint32_t loop, uint32_t meet, const Loops& loops,
                        uint32_t all) const {
        if (work_ > kMostWork) return false;
        uint32_t header = loops.header(loop);
        std::vector<bool> seen(blocks_.size(), false);
        std::vector<uint32_t> open = {b};
        seen[meet] = seen[all] = seen[header] = true;
        while (!open.empty()) {
            uint32_t from = open.back();
            open.pop_back();
            work_ += 1;
            for (uint32_t next : next_[from]) {
                if (seen[next]) continue;
                seen[next] = true;
                if (loops.contains(loop, next))
                    open.push_back(next);
                else if (reachable(next, all)[header])
                    return true;
            }
        }
        return false;
    }

    // Where one way out of `b` always leads, and the other may before it ends: there lanes of both
    // meet, as in a case that falls into the next one, whatever the rest does. (So ptxas sets its
    // barriers.) Where all meet, if there is no such block.
    uint32_t common_tail(uint32_t b, const std::vector<uint32_t>& dominator) const {
        for (size_t side = 0; side < 2; ++side) {
            uint32_t one = next_[b][side], other = next_[b][1 - side];
            if (is_last(one) || is_last(other)) continue;
            std::vector<bool> reached = reachable(other, b);
            for (uint32_t tail = one;
                 tail != dominator[b] && !is_last(tail) && dominator[tail] != kNoNode;
                 tail = dominator[tail])
                if (reached[tail] && tail != b) return tail;
        }
        return dominator[b];
    }
    // Nothing but a return.
    bool is_last(uint32_t b) const { return b == end() || is_end(blocks_[b].begin); }
    // From `start`, not through `without`.
    std::vector<bool> reachable(uint32_t start, uint32_t without) const {
        std::vector<bool> reached(blocks_.size(), false);
        std::vector<uint32_t> open = {start};
        reached[without] = reached[start] = true;
        while (!open.empty()) {
            uint32_t block = open.back();
            open.pop_back();
            work_ += 1;
            for (uint32_t next : next_[block])
                if (!reached[next]) reached[next] = true, open.push_back(next);
        }
        work_ += blocks_.size() / 64;
        reached[without] = false;
        return reached;
    }

    uint32_t end() const { return static_cast<uint32_t>(blocks_.size()) - 1; }

    void find_blocks() {
        std::vector<bool> leads(count_ + 1, false);
        leads[0] = true;
        for (uint32_t i = 0; i < count_; ++i) {
            if (instructions_[i].is_branch) leads[std::min(instructions_[i].target, count_)] = true;
            for (uint32_t other : instructions_[i].others) leads[std::min(other, count_)] = true;
            if (instructions_[i].is_branch || instructions_[i].is_exit) leads[i + 1] = true;
        }
        block_of_.resize(count_ + 1);
        for (uint32_t i = 0; i < count_; ++i) {
            if (leads[i]) blocks_.push_back({i, i});
            blocks_.back().end = i + 1;
            block_of_[i] = static_cast<uint32_t>(blocks_.size()) - 1;
        }
        block_of_[count_] = static_cast<uint32_t>(blocks_.size());
        blocks_.push_back({count_, count_});  // the virtual end
        next_.resize(blocks_.size());
        before_.resize(blocks_.size());
    }

    void connect() {
        for (uint32_t b = 0; b < end(); ++b) {
            const FlowInstruction& last = instructions_[blocks_[b].end - 1];
            bool goes_on = !(last.is_branch || last.is_exit) || last.is_guarded;
            if (goes_on) link(b, block_of_[blocks_[b].end]);
            bool leaves =
                last.is_guarded && (last.is_exit || (last.is_branch && is_end(last.target)));
            if (leaves) {
                early_.push_back(b);
                continue;
            }
            if (last.is_branch) link(b, block_of_[std::min(last.target, count_)]);
            for (uint32_t other : last.others) link(b, block_of_[std::min(other, count_)]);
            if (last.is_exit && !last.is_fatal) link(b, end());
        }
    }
    bool is_end(uint32_t target) const {
        return target >= count_ ||
               (instructions_[target].is_exit && !instructions_[target].is_guarded &&
                !instructions_[target].is_fatal);
    }

    // Lanes that return early are gone; the others meet where they would without them, as on the
    // hardware. An early return counts as a way to the end only where there is no other one: in a
    // loop that ends by it.
    void add_ways_out() {
        std::vector<bool> ends(blocks_.size(), false);
        std::vector<uint32_t> open = {end()};
        ends[end()] = true;
        while (!open.empty()) {
            uint32_t b = open.back();
            open.pop_back();
            for (uint32_t before : before_[b])
                if (!ends[before]) ends[before] = true, open.push_back(before);
        }
        for (uint32_t b : early_)
            if (!ends[b]) link(b, end());
    }
    void link(uint32_t from, uint32_t to) {
        next_[from].push_back(to);
        before_[to].push_back(from);
    }

    // Those of `count` registers from `first` on, which the sets number from 0.
    void add_live_at_entry(uint32_t first, uint32_t count, std::vector<uint32_t>& result) const {
        using Set = std::vector<uint64_t>;
        size_t words = (count + 63) / 64;
        std::vector<Set> live(blocks_.size(), Set(words)), killed = live;
        for (uint32_t b = 0; b < end(); ++b) uses(blocks_[b], first, count, live[b], killed[b]);
        for (bool changed = true; changed;) {
            changed = false;
            for (uint32_t b = end(); b-- > 0;)
                for (uint32_t next : next_[b])
                    for (size_t i = 0; i < words; ++i) {
                        uint64_t now = live[b][i] | (live[next][i] & ~killed[b][i]);
                        changed |= now != live[b][i];
                        live[b][i] = now;
                    }
        }
        for (uint32_t r = 0; r < count; ++r)
            if (live[0][r / 64] >> (r % 64) & 1) result.push_back(first + r);
    }

    // A guarded write leaves the lanes that do not take part, so it does not kill.
    void uses(const Block& block, uint32_t first, uint32_t count, std::vector<uint64_t>& used,
              std::vector<uint64_t>& killed) const {
        for (uint32_t i = block.begin; i < block.end; ++i) {
            const FlowInstruction& instruction = instructions_[i];
            for (uint32_t reg : instruction.reads)
                if (uint32_t r = reg - first; r < count && !(killed[r / 64] >> (r % 64) & 1))
                    used[r / 64] |= 1ull << (r % 64);
            if (instruction.is_guarded) continue;
            for (uint32_t reg : instruction.writes)
                if (uint32_t r = reg - first; r < count) killed[r / 64] |= 1ull << (r % 64);
        }
    }

    const std::vector<FlowInstruction>& instructions_;
    uint32_t count_;
    std::vector<Block> blocks_;
    Edges next_, before_;
    std::vector<uint32_t> block_of_;
    std::vector<uint32_t> early_;  // blocks that end with a return of some lanes
    mutable size_t work_ = 0;      // blocks visited
};

}  // namespace

ControlFlow control_flow(const std::vector<FlowInstruction>& instructions, uint32_t registers) {
    if (instructions.empty()) return {};
    Graph graph(instructions);
    ControlFlow result = graph.meetings();
    result.live_at_entry = graph.live_at_entry(registers);
    return result;
}

}  // namespace lanewise
