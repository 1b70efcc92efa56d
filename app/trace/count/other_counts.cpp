#include "trace/count/other_counts.h"

#include <algorithm>
#include <bit>
#include <set>
#include <utility>

#include "trace/count/copy_rules.h"

namespace lanewise {

using Executed = CountAs::Executed;

namespace {

GlobalCounts global_counts(const AccessCost& cost) {
    return {1, 1, cost.sectors, cost.sectors_ideal, cost.bytes};
}
SharedCounts shared_counts(const AccessCost& cost) {
    return {1, cost.wavefronts, cost.wavefronts_ideal, cost.bytes};
}

// The 16-byte rows that the elements of two events lie in, as the addresses of lanes 0, 1, …
uint32_t rows_of(const LaneAddresses& first, const LaneAddresses& second, uint32_t mask,
                 LaneAddresses& rows) {
    constexpr uint64_t kRowBytes = 16;
    std::vector<uint64_t> starts;
    for (size_t lane = 0; lane < 32; ++lane) {
        if (!(mask >> lane & 1)) continue;
        starts.push_back(first[lane] & ~(kRowBytes - 1));
        starts.push_back(second[lane] & ~(kRowBytes - 1));
    }
    std::sort(starts.begin(), starts.end());
    starts.erase(std::unique(starts.begin(), starts.end()), starts.end());
    size_t count = std::min(starts.size(), rows.size());
    std::copy_n(starts.begin(), count, rows.begin());
    return count == 32 ? ~0u : (1u << count) - 1;
}

// Where a lane's two elements are no neighbours in memory (a matrix by columns), the lanes exchange
// elements first (MOVM), so that each has two that are: `first` becomes the lower ones' addresses.
void pair_neighbours(LaneAddresses& first, const MemoryEvent& second) {
    LaneAddresses all = *second.addresses;
    bool are_neighbours = true;
    for (size_t lane = 0; lane < 32; ++lane)
        are_neighbours = are_neighbours && all[lane] == first[lane] + second.bytes_per_lane;
    if (are_neighbours || second.mask != ~0u) return;
    std::vector<uint64_t> both(first.begin(), first.end());
    both.insert(both.end(), all.begin(), all.end());
    std::sort(both.begin(), both.end());
    for (size_t lane = 0; lane < 32; ++lane) first[lane] = both[2 * lane];
}

bool are_at_one_address(const MemoryEvent& event) {
    uint64_t address = (*event.addresses)[static_cast<size_t>(std::countr_zero(event.mask))];
    for (size_t lane = 0; lane < 32; ++lane)
        if (event.mask >> lane & 1 && (*event.addresses)[lane] != address) return false;
    return true;
}

// The mask without the first lane of each address.
uint32_t without_one_of_each(const MemoryEvent& event) {
    std::set<uint64_t> served;
    uint32_t rest = event.mask;
    for (uint32_t lanes = event.mask; lanes != 0; lanes &= lanes - 1) {
        int lane = std::countr_zero(lanes);
        if (served.insert((*event.addresses)[static_cast<size_t>(lane)]).second)
            rest &= ~(1u << lane);
    }
    return rest;
}

// Whether two copies by one instruction cost the same: their pieces lie alike in shared memory, in
// the box, and within sectors.
bool are_alike(const BulkPieces& a, const BulkPieces& b) {
    const std::vector<BulkPiece>&x = a.cut().all, &y = b.cut().all;
    if (x.size() != y.size() || x.empty()) return false;
    uint64_t apart = x[0].global - y[0].global;
    if ((apart + a.base() - b.base()) % kSectorBytes != 0) return false;
    return std::equal(x.begin(), x.end(), y.begin(), [&](const BulkPiece& p, const BulkPiece& q) {
        return p.global - q.global == apart && p.shared == q.shared && p.row == q.row &&
               p.is_outside == q.is_outside;
    });
}

}  // namespace

OtherCounts::OtherCounts(const ptx::Instruction& instruction, CountAs::Executed executed)
    : executed_(executed) {
    for (const std::string& part : instruction.parts) {
        swaps_ |= part == "cas";
        through_cache_ |= part == "ca";
        multicasts_ |= part == "multicast::cluster";
    }
}

void OtherCounts::count(const MemoryEvent& event) {
    switch (event.kind) {
        case AccessKind::atomic:
            return count_atomic(event);
        case AccessKind::async_copy:
            return count_copy(event);
        case AccessKind::matrix:
            return count_matrix(event);
        case AccessKind::plain:      // counted by Counter
        case AccessKind::bulk_copy:  // counted whole, below
        case AccessKind::barrier:    // no profiler metric of ours has them
            break;
    }
}

void OtherCounts::count_atomic(const MemoryEvent& event) {
    if (!atomics_) atomics_ = std::make_unique<CostMemory<Counts>>();
    counts_ += atomics_->cost(event, [this](const MemoryEvent& once) {
        return once.space == Space::shared ? shared_atomic(once) : global_atomic(once);
    });
}

Counts OtherCounts::global_atomic(const MemoryEvent& as_written) const {
    MemoryEvent event = as_written;
    LaneAddresses words = *event.addresses;
    constexpr uint8_t kWord = 4;
    if (event.bytes_per_lane < kWord) {  // atomics of the word around it
        for (uint64_t& address : words) address -= address % kWord;
        event.addresses = &words;
        event.bytes_per_lane = kWord;
    }
    bool returns =
        !event.is_store && executed_ != Executed::reduction && executed_ != Executed::elected;
    GlobalCounts counts = global_counts(access_cost(event));
    counts.sectors =
        static_cast<uint64_t>(atomic_sectors(*event.addresses, event.bytes_per_lane, event.mask));
    const bool is_elected = executed_ == Executed::elected || executed_ == Executed::elected_for_all;
    if (is_elected && are_at_one_address(event)) counts.sectors = 1;
    Counts result;
    (returns ? result.global_atomic : result.global_reduction) = counts;
    return result;
}

// In every turn of the loop one lane of each address has its way; the rest try again.
Counts OtherCounts::shared_atomic(const MemoryEvent& event) const {
    Counts result;
    bool is_loop = executed_ == Executed::swap_loop;
    MemoryEvent turn = event;
    if (executed_ == Executed::elected && are_at_one_address(event)) turn.mask &= ~turn.mask + 1;
    while (turn.mask != 0) {
        if (is_loop) {
            turn.is_store = false;
            result.shared_load += shared_counts(access_cost(turn));
        }
        turn.is_store = true;
        SharedCounts counts = shared_counts(access_cost(turn));
        if (executed_ != Executed::increment)
            counts.wavefronts = static_cast<uint64_t>(atomic_wavefronts(
                *turn.addresses, turn.bytes_per_lane, turn.mask, is_loop || swaps_));
        counts.wavefronts_ideal *= is_loop || swaps_ ? 2 : 1;
        result.shared_atomic += counts;
        turn.mask = is_loop ? without_one_of_each(turn) : 0;
    }
    return result;
}

// The machine reads, where anything is to be read, then writes.
void OtherCounts::count_copy(const MemoryEvent& event) {
    if (event.space == Space::global) {
        first_ = *event.addresses;
        first_mask_ = event.mask;
        return;
    }
    // What reads nothing still has a place to read from, as nothing else is told of it.
    MemoryEvent from = event;
    from.space = Space::global;
    from.is_store = false;
    from.mask = first_ ? first_mask_ : 0;
    if (first_) from.addresses = &*first_;
    if (!copies_) copies_ = std::make_unique<CostMemory<CopyCounts, CopyPattern>>();
    counts_.async_copy += copies_->cost(
        CopyAccesses{from, event}, [this](const CopyAccesses& copy) { return copy_counts(copy); });
    first_.reset();
}

static CopyZeros zeros_of(Executed executed) {
    if (executed == Executed::zeros_by_first_predicate) return CopyZeros::by_first_predicate;
    return executed == Executed::zeros_by_size ? CopyZeros::by_size : CopyZeros::by_predicate;
}

CopyCounts OtherCounts::copy_counts(const CopyAccesses& copy) const {
    const LaneAddresses &from = *copy.from.addresses, &to = *copy.to.addresses;
    uint32_t reading = copy.from.mask;
    int bytes = copy.to.bytes_per_lane;
    AccessCost cost = access_cost(copy.to);
    CopyCost copied =
        copy_cost({&from, &to, bytes, copy.to.mask, reading, through_cache_, zeros_of(executed_)});
    auto number = [](int n) { return static_cast<uint64_t>(n); };
    return {1,
            reading != 0 ? 1u : 0u,
            number(copied.sectors),
            number(sectors_ideal(from, bytes, reading)),
            number(copied.wavefronts),
            cost.wavefronts_ideal,
            cost.bytes,
            number(copied.tag_sectors)};
}

void OtherCounts::count_matrix(const MemoryEvent& event) {
    constexpr int kRowBytes = 16;  // of ldmatrix; wmma's elements have 1 to 8
    if (event.bytes_per_lane == kRowBytes) {
        MemoryEvent rows = event;
        rows.is_store = true;  // phases of ldmatrix never merge either
        counts_.matrix_load += shared_counts(remembered_cost(rows));
    } else if (executed_ == Executed::pairs || executed_ == Executed::matrix_rows) {
        if (first_) return count_pair(event);
        first_ = *event.addresses;
    } else if (executed_ == Executed::quads) {
        constexpr int kQuad = 4;
        if (bytes_ == 0) count_plain(event, *event.addresses, kQuad * event.bytes_per_lane);
        bytes_ = (bytes_ + 1) % kQuad;
    } else {
        count_plain(event, *event.addresses, event.bytes_per_lane);
    }
}

const AccessCost& OtherCounts::remembered_cost(const MemoryEvent& event) {
    if (!plain_) plain_ = std::make_unique<CostMemory<AccessCost>>();
    return plain_->cost(event, access_cost);
}

void OtherCounts::count_pair(const MemoryEvent& second) {
    LaneAddresses first = *first_;
    first_.reset();
    if (executed_ == Executed::pairs) {
        pair_neighbours(first, second);
        return count_plain(second, first, 2 * second.bytes_per_lane);
    }
    LaneAddresses rows = {};  // those of lanes beyond the last row are looked at, too
    MemoryEvent matrix = second;
    matrix.mask = rows_of(first, *second.addresses, second.mask, rows);
    matrix.addresses = &rows;
    matrix.bytes_per_lane = 16;
    matrix.is_store = true;
    const AccessCost& cost = remembered_cost(matrix);
    constexpr int kPairs = 4;  // of a lane's eight elements: the four matrices of LDSM.M88.4
    counts_.matrix_load.instructions += pairs_ == 0;
    pairs_ = (pairs_ + 1) % kPairs;
    counts_.matrix_load += {0, cost.wavefronts, cost.wavefronts_ideal, cost.bytes};
}

// Counted where it is written; the side that is read is told of before. What a multicast brings is
// counted in each block that it comes to, as a card counts it. Its instruction is one: what it reads is
// told of in the first block alone.
void OtherCounts::count(const BulkAccess& access) {
    if (!access.is_store) {
        source_is_told_ |= access.space == Space::global;
        return;
    }
    bool to_shared = access.space == Space::shared;
    BulkCounts cost = bulk_cost(access.pieces, to_shared);
    bool is_told = std::exchange(source_is_told_, false);
    if (multicasts_ && !is_told) cost.instructions = 0;
    (to_shared ? counts_.bulk_load : counts_.bulk_store) += cost;
}

const BulkCounts& OtherCounts::bulk_cost(const BulkPieces& copy, bool to_shared) {
    uint64_t place = copy[0].global % kSectorBytes, pattern = copy.cut().pattern;
    KnownBox& known = boxes_[pattern % boxes_.size()];
    if (pattern != 0 && known.pattern == pattern && known.place == place) return known.cost;
    if (!are_alike(copy, last_copy_)) {
        uint64_t bytes = 0;
        for (const BulkPiece& piece : copy.cut().all) bytes += piece.is_outside ? 0 : copy.width();
        last_copy_ = copy;
        last_cost_ = {1, static_cast<uint64_t>(bulk_sectors(copy, to_shared)),
                      (bytes + kSectorBytes - 1) / kSectorBytes, bytes};
    }
    if (pattern != 0) known = {pattern, place, last_cost_};
    return last_cost_;
}

void OtherCounts::count_plain(const MemoryEvent& event, const LaneAddresses& addresses, int bytes) {
    MemoryEvent plain = event;
    plain.addresses = &addresses;
    plain.bytes_per_lane = static_cast<uint8_t>(bytes);
    plain.kind = AccessKind::plain;
    const AccessCost& cost = remembered_cost(plain);
    if (event.space == Space::global)
        (event.is_store ? counts_.global_store : counts_.global_load) += global_counts(cost);
    else
        (event.is_store ? counts_.shared_store : counts_.shared_load) += shared_counts(cost);
}

}  // namespace lanewise
