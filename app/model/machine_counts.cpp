#include "model/machine_counts.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

namespace lanewise {
namespace {

using Flow = MachineInstruction::Flow;

struct Block {
    size_t begin = 0, end = 0;      // machine instructions
    std::vector<size_t> in, out;    // edges
    bool is_reached = false, leaves = false, comes = false;  // leaves, comes: to or from where it is not known
    std::optional<double> count, entered;
    double least = 0, said = 0;  // said: by what does not decide it
};

struct Edge {
    size_t from = 0, to = 0;
    double count = 0;
    bool is_known = false;
};

struct Vote {
    double count = 0, weight = 0;
};

// What most of the votes say, within a hundredth.
std::optional<double> most_of(const std::vector<Vote>& votes) {
    std::optional<double> best;
    double most = 0;
    for (const Vote& candidate : votes) {
        double weight = 0;
        for (const Vote& vote : votes)
            if (std::fabs(vote.count - candidate.count) <= 0.01 * std::max(vote.count, candidate.count))
                weight += vote.weight;
        if (weight > most || (weight == most && best && candidate.count > *best)) {
            most = weight;
            best = candidate.count;
        }
    }
    return best;
}

class MachineCounts {
  public:
    MachineCounts(const TimedCode& code, std::span<const double> executed, std::span<const LoopTurns> loops,
                  std::span<const double> long_way)
        : code_(code), machine_(code.machine), executed_(executed), loops_(loops), long_way_(long_way) {
        find_blocks();
        find_edges();
        reach(0);
        reach_by_register();
        find_owners();
        take_rare_calls();
        leave_out_unused_places();
        vote();
        settle();
        follow_calls();
    }

    std::vector<double> by_instruction() const {
        std::vector<double> counts(machine_.size());
        for (const Block& block : blocks_)
            for (size_t m = block.begin; m < block.end; ++m) counts[m] = block.count.value_or(0);
        return counts;
    }
    size_t block_of(size_t machine) const { return block_of_[machine]; }
    size_t blocks() const { return blocks_.size(); }
    // The PTX instruction that it comes from, or -1.
    int owner(size_t machine) const { return owner_[machine]; }
    // Of a function's: the PTX instructions that call it, and which part of the calls is theirs. Null of others.
    struct Calls {
        double count = 0;
        std::vector<std::pair<int, double>> by;
    };
    const Calls* calls_of(size_t machine) const {
        auto found = calls_.find(function_of_[block_of_[machine]]);
        return found == calls_.end() ? nullptr : &found->second;
    }

  private:
    size_t index_of(uint32_t address) const {
        auto found = std::lower_bound(
            machine_.begin(), machine_.end(), address,
            [](const MachineInstruction& m, uint32_t at) { return m.address < at; });
        return static_cast<size_t>(found - machine_.begin());
    }

    void find_blocks() {
        std::vector<uint8_t> leads(machine_.size() + 1);
        leads[0] = 1;
        for (size_t m = 0; m < machine_.size(); ++m) {
            if (machine_[m].flow == Flow::next) continue;
            leads[m + 1] = 1;
            if (machine_[m].target != MachineInstruction::kNowhere) leads[index_of(machine_[m].target)] = 1;
        }
        block_of_.resize(machine_.size());
        for (size_t m = 0; m < machine_.size(); ++m) {
            if (leads[m]) blocks_.emplace_back().begin = m;
            blocks_.back().end = m + 1;
            block_of_[m] = blocks_.size() - 1;
        }
    }

    void connect(size_t from, size_t to_machine) {
        if (to_machine >= machine_.size()) return;
        edges_.push_back({from, block_of_[to_machine]});
        blocks_[from].out.push_back(edges_.size() - 1);
        blocks_[edges_.back().to].in.push_back(edges_.size() - 1);
    }

    void find_edges() {
        for (size_t b = 0; b < blocks_.size(); ++b) {
            const MachineInstruction& last = machine_[blocks_[b].end - 1];
            bool goes_on = last.flow == Flow::next || last.flow == Flow::call || last.is_guarded;
            if (last.flow == Flow::branch && last.target != MachineInstruction::kNowhere)
                connect(b, index_of(last.target));
            if (goes_on) connect(b, blocks_[b].end);
            blocks_[b].leaves = last.flow == Flow::end || last.flow == Flow::back ||
                                (last.flow == Flow::branch && last.target == MachineInstruction::kNowhere);
        }
    }

    void reach(size_t first) {
        std::vector<size_t> open = {first};
        while (!open.empty()) {
            size_t b = open.back();
            open.pop_back();
            if (blocks_[b].is_reached) continue;
            blocks_[b].is_reached = true;
            for (size_t e : blocks_[b].out) open.push_back(edges_[e].to);
        }
    }

    // A switch's table is not read here: where a branch has its target in a register, whatever nobody else comes
    // to is one, but for functions, and for the branch to itself behind the code.
    void reach_by_register() {
        bool is_used = std::any_of(machine_.begin(), machine_.end(), [](const MachineInstruction& m) {
            return m.flow == Flow::branch && m.target == MachineInstruction::kNowhere;
        });
        if (!is_used) return;
        std::vector<uint8_t> is_called(blocks_.size());
        for (const MachineInstruction& m : machine_)
            if (m.flow == Flow::call && m.target != MachineInstruction::kNowhere)
                is_called[block_of_[index_of(m.target)]] = 1;
        for (size_t b = 1; b < blocks_.size(); ++b) {
            bool is_come_to = std::any_of(blocks_[b].in.begin(), blocks_[b].in.end(),
                                          [&](size_t e) { return edges_[e].from < b; });
            if (is_come_to || is_called[b] || (!blocks_[b].in.empty() && blocks_[b].end - blocks_[b].begin == 1))
                continue;
            blocks_[b].comes = true;
            reach(b);
        }
    }

    // What calls a function does so for operands that are rare: of a quotient of floats, of a root. Quotients of whole
    // numbers of 64 bits always do. (A call in the PTX is unknown to the model as a whole.)
    void take_rare_calls() {
        std::map<int, std::vector<Block*>> rare;
        for (Block& block : blocks_) {
            if (!block.is_reached) block.count = 0;
            const MachineInstruction& last = machine_[block.end - 1];
            if (!block.is_reached || last.flow != Flow::call) continue;
            int caller = owner_[block.end - 1];
            const TimedInstruction* timed =
                caller < 0 ? nullptr : &code_.instructions[static_cast<size_t>(caller)];
            if (!timed || timed->unit != Unit::convert || !timed->is_wide) rare[caller].push_back(&block);
        }
        for (auto& [caller, blocks] : rare) {
            double calls = caller < 0 || long_way_.empty() ? 0 : long_way_[static_cast<size_t>(caller)];
            for (Block* block : blocks) block->count = calls / static_cast<double>(blocks.size());
        }
    }

    // A function is executed as often as it is called, and is the work of who calls it.
    void follow_calls() {
        function_of_.assign(blocks_.size(), kNoFunction);
        for (const Block& block : blocks_) {
            const MachineInstruction& last = machine_[block.end - 1];
            const int caller = owner_[block.end - 1];
            const size_t to = last.flow == Flow::call ? index_of(last.target) : machine_.size();  // kNowhere: behind all
            if (to >= machine_.size() || !(block.count > 0.0) || caller < 0) continue;
            Calls& calls = calls_[block_of_[to]];
            calls.count += *block.count;
            calls.by.emplace_back(caller, *block.count);
        }
        for (auto& [first, calls] : calls_) {
            for (auto& [caller, part] : calls.by) part /= calls.count;
            go_through(first, calls.count);
        }
    }

    // Which way it takes through a function, its operands say; where it may branch, as many go there as go on.
    void go_through(size_t first, double count) {
        std::map<size_t, double> coming = {{first, count}};
        while (!coming.empty()) {
            const auto [b, comes] = *coming.begin();
            coming.erase(coming.begin());
            Block& block = blocks_[b];
            if (block.is_reached) continue;
            block.is_reached = true;
            block.count = comes;
            function_of_[b] = first;
            for (size_t m = block.begin; m < block.end; ++m) owner_[m] = -1;
            for (size_t e : block.out)
                if (edges_[e].to > b) coming[edges_[e].to] += comes / static_cast<double>(block.out.size());
        }
    }

    void find_owners() {
        owner_.assign(machine_.size(), -1);
        on_line_.assign(machine_.size(), 0);
        places_.resize(code_.instructions.size());
        for (size_t i = 0; i < code_.instructions.size(); ++i)
            for (uint32_t address : code_.instructions[i].places)
                if (size_t m = index_of(address); m < machine_.size() && machine_[m].address == address) {
                    owner_[m] = static_cast<int>(i);
                    ++on_line_[m];
                    places_[i].push_back(m);
                }
    }

    void leave_out_unused_places() {
        for (std::vector<size_t>& places : places_)
            std::erase_if(places, [&](size_t m) { return blocks_[block_of_[m]].count == 0.0; });
    }

    const LoopTurns* loop_of(size_t instruction) const {
        const LoopTurns* inner = nullptr;
        for (const LoopTurns& loop : loops_) {
            bool holds = loop.head <= instruction && instruction <= loop.back && !loop.visits.empty();
            if (holds && (!inner || loop.back - loop.head < inner->back - inner->head)) inner = &loop;
        }
        return inner;
    }

    // Whether the machine goes round there without coming to the other blocks.
    bool turns_alone(size_t block, const std::vector<std::pair<size_t, double>>& among) const {
        for (size_t b = block; b < blocks_.size(); ++b) {
            const MachineInstruction& last = machine_[blocks_[b].end - 1];
            if (last.flow != Flow::branch || last.target == MachineInstruction::kNowhere) continue;
            size_t to = block_of_[index_of(last.target)];
            if (to > block || to > b) continue;
            bool has_all = std::all_of(among.begin(), among.end(),
                                       [&](const auto& one) { return to <= one.first && one.first <= b; });
            if (!has_all) return true;
        }
        return false;
    }

    struct Share {
        double count = 0;
        double entered = -1;  // by how many visits of the loop; -1: it is in none
    };
    using Among = std::vector<std::pair<size_t, double>>;  // blocks, and how many copies each has

    // Of one instruction with so many copies in each block: how many times each block is executed.
    std::vector<Share> shared_among(size_t instruction, const Among& among) const {
        const double executed = executed_[instruction];
        std::vector<Share> shares(among.size());
        const LoopTurns* loop = loop_of(instruction);
        if (!loop) {
            double all = 0;
            for (const auto& [block, copies] : among) all += copies;
            for (Share& share : shares) share.count = executed / all;
            return shares;
        }
        std::vector<size_t> order(among.size());
        for (size_t n = 0; n < order.size(); ++n) order[n] = n;
        std::vector<uint8_t> turns(among.size());
        for (size_t n = 0; n < order.size(); ++n) turns[n] = among.size() == 1 || turns_alone(among[n].first, among);
        std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) {
            if (among[a].second != among[b].second) return among[a].second > among[b].second;
            return turns[a] < turns[b];
        });
        double all = 0;
        for (Share& share : shares) share.entered = 0;
        for (const auto& [length, visits] : loop->visits) {
            double left = length;
            all += left * visits;
            for (size_t n : order) {
                double times = std::floor(left / among[n].second);
                if (!turns[n]) times = std::min(times, 1.0);
                if (n == order.back()) times = left / among[n].second;
                shares[n].count += times * visits;
                if (times > 0) shares[n].entered += visits;
                left -= times * among[n].second;
            }
        }
        for (Share& share : shares) share.count *= executed / all;
        return shares;
    }

    // What most of a block's votes say, where it is enough of them.
    static std::optional<double> decided(const std::vector<Vote>& votes, double enough, double part) {
        std::optional<double> count = most_of(votes);
        double all = 0, agree = 0;
        for (const Vote& vote : votes) {
            all += vote.weight;
            if (count && std::fabs(vote.count - *count) <= 0.01 * *count) agree += vote.weight;
        }
        return agree >= enough && agree >= part * all ? count : std::nullopt;
    }

    struct Votes {
        std::vector<Vote> sure, weak, guarded, entered;
        bool is_used = false, is_unused = false;  // by lines that were executed, or not
        int shared = 0, own = 0;                  // lines that stand in other blocks, too, and those that do not
    };

    void vote_of(size_t i, std::vector<Votes>& votes) const {
        const TimedInstruction& timed = code_.instructions[i];
        if (places_[i].empty() || timed.unit == Unit::branch) return;
        const bool is_known = timed.known > 0, is_one = is_known || (timed.is_simple && !timed.is_wide);
        Among among;
        bool is_guarded = false;
        // Of instructions that share a line, as in inline assembly, each has its part of the places.
        const double each_has = is_known ? timed.known : on_line_[places_[i].front()];
        for (size_t m : places_[i]) {
            MachineUnit unit = machine_[m].unit == MachineUnit::half_mma ? MachineUnit::half : machine_[m].unit;
            if (is_known && unit != timed.known_unit) continue;  // its address, say
            is_guarded |= machine_[m].is_guarded;
            if (among.empty() || among.back().first != block_of_[m]) among.push_back({block_of_[m], 0});
            among.back().second += 1 / each_has;
        }
        if (among.empty()) return;
        if (!is_known)  // two may have become one
            for (auto& [block, copies] : among) copies = std::max(1.0, copies);
        auto Votes::*mine = is_guarded ? &Votes::guarded : is_known ? &Votes::sure : &Votes::weak;
        std::vector<Share> shares = shared_among(i, among);
        for (size_t n = 0; n < among.size(); ++n) {
            const size_t block = among[n].first;
            const double copies = among[n].second;
            (executed_[i] > 0 ? votes[block].is_used : votes[block].is_unused) = true;
            ++(among.size() > 1 ? votes[block].shared : votes[block].own);
            auto add = [&](double count, double weight) { (votes[block].*mine).push_back({count, weight}); };
            if (shares[n].entered >= 0 && is_one) votes[block].entered.push_back({shares[n].entered, 1});
            if (among.size() > 1) {
                if (is_one && shares[n].entered >= 0) add(shares[n].count, 1);
                continue;
            }
            add(executed_[i] / copies, is_one ? 1 : 0.5);
            // Or so many of them are what one costs.
            for (int each = 2; !is_known && each <= copies; ++each)
                if (std::fmod(copies, each) == 0)
                    add(executed_[i] / copies * each, is_one || each < copies ? 0.5 : 1);
        }
    }

    void vote() {
        std::vector<Votes> votes(blocks_.size());
        for (size_t i = 0; i < places_.size(); ++i) vote_of(i, votes);
        blocks_[0].count = executed_[0];
        for (size_t b = 0; b < blocks_.size(); ++b) {
            Block& block = blocks_[b];
            if (!block.count) block.count = decided(votes[b].sure, 1, 0.5);
            if (!block.count && votes[b].is_unused && !votes[b].is_used) block.count = 0;
            if (!block.count) block.count = decided(votes[b].weak, 2, 0.7);
            // A guard may be off: at least as often.
            if (!block.count) block.least = most_of(votes[b].guarded).value_or(0);
            if (votes[b].shared < votes[b].own) block.said = most_of(votes[b].weak).value_or(0);
            if (!votes[b].entered.empty()) block.entered = most_of(votes[b].entered);
        }
        // No block is executed more often than those before it: what was moved out of a loop says so.
        for (size_t b = 1; b < blocks_.size(); ++b) {
            double most = 0;
            bool are_known = !blocks_[b].comes;
            for (size_t e : blocks_[b].in) {
                are_known &= edges_[e].from < b && blocks_[edges_[e].from].count.has_value();
                most += blocks_[edges_[e].from].count.value_or(0);
            }
            if (!are_known) continue;
            if (blocks_[b].count.value_or(0) > 1.01 * most) blocks_[b].count.reset();
            if (blocks_[b].said > 1.01 * most) blocks_[b].said = 0;
        }
        // What comes to a loop's first block by its branch back is what did not come from outside.
        for (Edge& edge : edges_) {
            const Block& to = blocks_[edge.to];
            if (edge.to > edge.from || !to.count || !to.entered || *to.entered > *to.count) continue;
            edge.is_known = true;
            edge.count = *to.count - *to.entered;
        }
    }

    // What is known stays; the rest is such that as much goes into each block as comes out of it, as
    // far as can be.
    std::vector<double> let_flow() const {
        constexpr int kRounds = 300;
        std::vector<double> in(blocks_.size()), out(blocks_.size()), count(blocks_.size()), ends(blocks_.size());
        for (size_t b = 0; b < blocks_.size(); ++b) count[b] = blocks_[b].count.value_or(0);
        in[0] = executed_[0];
        std::vector<Edge> edges = edges_;
        for (const Edge& edge : edges) in[edge.to] += edge.count, out[edge.from] += edge.count;
        for (int round = 0; round < kRounds; ++round) {
            for (Edge& edge : edges) {
                if (edge.is_known) continue;
                double missing = count[edge.from] - out[edge.from] + count[edge.to] - in[edge.to];
                double now = std::max(0.0, edge.count + missing / 2);
                out[edge.from] += now - edge.count;
                in[edge.to] += now - edge.count;
                edge.count = now;
            }
            for (size_t b = 0; b < blocks_.size(); ++b) {
                if (blocks_[b].leaves) {
                    double now = std::max(0.0, ends[b] + count[b] - out[b]);
                    out[b] += now - ends[b];
                    ends[b] = now;
                }
                if (blocks_[b].comes) in[b] = count[b];
                if (!blocks_[b].count) count[b] = std::max(blocks_[b].least, (in[b] + out[b]) / 2);
            }
        }
        return count;
    }

    // Where the flow leaves hardly anything for a block whose instructions were executed, what they say holds.
    void settle() {
        constexpr double kHardly = 0.3;
        std::vector<double> count = let_flow();
        bool is_enough = true;
        for (size_t b = 0; b < blocks_.size(); ++b)
            if (!blocks_[b].count && count[b] < kHardly * blocks_[b].said) {
                blocks_[b].least = std::max(blocks_[b].least, blocks_[b].said);
                is_enough = false;
            }
        if (!is_enough) count = let_flow();
        for (size_t b = 0; b < blocks_.size(); ++b)
            if (!blocks_[b].count) blocks_[b].count = count[b];
    }

    const TimedCode& code_;
    std::span<const MachineInstruction> machine_;
    std::span<const double> executed_;
    std::span<const LoopTurns> loops_;
    std::span<const double> long_way_;
    std::vector<Block> blocks_;
    std::vector<Edge> edges_;
    std::vector<size_t> block_of_;
    static constexpr size_t kNoFunction = ~size_t{0};
    std::vector<size_t> function_of_;  // by block: the first of the function that it is part of
    std::map<size_t, Calls> calls_;    // by first block
    std::vector<int> owner_, on_line_;  // PTX instructions of the place: the last, and how many
    std::vector<std::vector<size_t>> places_;  // machine instructions, but for those never executed
};

void add_use(std::vector<std::pair<MachineUnit, float>>& uses, MachineUnit unit, double count) {
    if (unit == MachineUnit::none || count <= 0) return;
    for (auto& [known, so_far] : uses)
        if (known == unit) {
            so_far += static_cast<float>(count);
            return;
        }
    uses.emplace_back(unit, static_cast<float>(count));
}

void add_reads(TimedInstruction& timed, const MachineInstruction& machine, double count) {
    for (size_t bank = 0; bank < timed.bank_reads.size(); ++bank)
        timed.bank_reads[bank] += count * machine.bank_reads[bank];
}

// Whose results come when they come: a warp waits for them by a counter, not by the schedule.
bool takes_its_time(MachineUnit unit, bool is_wide) {
    switch (unit) {
        case MachineUnit::products:  // DMMA's do
            return is_wide;
        case MachineUnit::none:
        case MachineUnit::alu:
        case MachineUnit::fma:
        case MachineUnit::multiply:
        case MachineUnit::half:
        case MachineUnit::half_mma:
            return false;
        default:
            return true;
    }
}

}  // namespace

std::vector<double> machine_counts(const TimedCode& code, std::span<const double> executed,
                                   std::span<const LoopTurns> loops, std::span<const double> long_way) {
    return MachineCounts(code, executed, loops, long_way).by_instruction();
}

void count_machine_instructions(TimedCode& code, std::span<const double> executed,
                                std::span<const double> off, std::span<const LoopTurns> loops,
                                std::span<const double> long_way) {
    if (code.machine.empty() || executed.empty() || executed.size() != code.instructions.size()) return;
    MachineCounts counts(code, executed, loops, long_way);
    const std::vector<double> times = counts.by_instruction();
    std::vector<double> own(code.instructions.size()), steps(own.size()), kept(own.size(), 1);
    for (size_t m = 0; m < times.size(); ++m)
        if (int i = counts.owner(m); i >= 0) own[static_cast<size_t>(i)] += times[m];
    // What an instruction's copies cost beyond its own steps, others of their block take along.
    for (size_t i = 0; i < own.size(); ++i) {
        TimedInstruction& timed = code.instructions[i];
        steps[i] = executed[i] + off[i];
        double most = steps[i] * static_cast<double>(timed.places.size()) / timed.copies;
        if (own[i] > most) kept[i] = most / own[i];
        if (steps[i] > 0) timed.issues = own[i] * kept[i] / steps[i];
        timed.beside = timed.stalls = timed.stalls_beside = 0;
        timed.bank_reads = {};
        timed.uses.clear();
        timed.uses_beside.clear();
    }
    // Who takes them along: of the block's instructions the one that is executed most often.
    std::vector<int> carrier(counts.blocks(), -1);
    for (size_t m = 0; m < times.size(); ++m) {
        int i = counts.owner(m);
        if (i < 0 || executed[static_cast<size_t>(i)] <= 0) continue;
        int& best = carrier[counts.block_of(m)];
        if (best < 0 || executed[static_cast<size_t>(i)] > executed[static_cast<size_t>(best)]) best = i;
    }
    for (size_t b = 1; b < carrier.size(); ++b)
        if (carrier[b] < 0) carrier[b] = carrier[b - 1];
    for (size_t m = 0; m < times.size(); ++m) {
        const MachineInstruction& machine = code.machine[m];
        const double stall = std::max(1, machine.stall);
        int i = counts.owner(m), by = carrier[counts.block_of(m)];
        double mine = 0;
        if (i >= 0 && steps[static_cast<size_t>(i)] > 0) {
            TimedInstruction& timed = code.instructions[static_cast<size_t>(i)];
            mine = times[m] * kept[static_cast<size_t>(i)];
            timed.stalls += mine / steps[static_cast<size_t>(i)] * stall;
            add_reads(timed, machine, mine / steps[static_cast<size_t>(i)]);
            add_use(timed.uses, machine.unit, mine / steps[static_cast<size_t>(i)] * machine.turns);
        }
        auto take_along = [&](int carries, double count) {
            if (carries < 0 || count <= 0 || executed[static_cast<size_t>(carries)] <= 0) return;
            TimedInstruction& timed = code.instructions[static_cast<size_t>(carries)];
            const double each = count / executed[static_cast<size_t>(carries)];
            timed.beside += each;
            timed.stalls_beside += each * stall;
            add_reads(timed, machine, each);
            add_use(timed.uses_beside, machine.unit, each * machine.turns);
        };
        if (const auto* calls = counts.calls_of(m))
            for (const auto& [caller, part] : calls->by) take_along(caller, times[m] * part);
        else
            take_along(by, times[m] - mine);
    }
    for (TimedInstruction& timed : code.instructions)
        timed.is_scheduled = timed.stalls > 0 &&
                             std::none_of(timed.uses.begin(), timed.uses.end(),
                                          [&](const auto& use) { return takes_its_time(use.first, timed.is_wide); });
}

}  // namespace lanewise
