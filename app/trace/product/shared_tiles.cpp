#include "trace/product/shared_tiles.h"

#include <algorithm>
#include <bit>
#include <deque>
#include <map>
#include <unordered_map>
#include <utility>

namespace lanewise {
namespace {

constexpr int kNone = -1, kUnwritten = -2;

// How far apart neighbours of a matrix come to lie in shared memory.
class Pitch {
  public:
    Pitch() = default;
    explicit Pitch(int64_t row_bytes) : row_bytes_(row_bytes) {}
    void add(uint64_t offset, uint64_t shared, int bytes) {
        constexpr size_t kEnough = 8192;
        if (row_bytes_ <= 0 || place_.size() >= kEnough) return;
        place_[offset] = static_cast<int64_t>(shared);
        bytes_ = bytes;
        compare(offset, static_cast<uint64_t>(row_bytes_), rows_);
        compare(offset, static_cast<uint64_t>(bytes), columns_);
    }
    // Of neighbouring rows; of columns where the rows lie beside each other. 0: no such thing.
    int found() const {
        int of_rows = usual(rows_), of_columns = usual(columns_);
        constexpr int kLeast = 16;  // closer, rows lie beside each other
        bool turned = of_columns > bytes_ && of_columns > of_rows;
        return turned ? of_columns : of_rows >= kLeast ? of_rows : 0;
    }

  private:
    void compare(uint64_t offset, uint64_t back, std::map<int64_t, int>& distances) {
        auto before = place_.find(offset - back);
        if (offset >= back && before != place_.end()) ++distances[place_[offset] - before->second];
    }
    // More than half of them.
    static int usual(const std::map<int64_t, int>& distances) {
        int all = 0;
        for (auto [distance, count] : distances) all += count;
        for (auto [distance, count] : distances)
            if (2 * count > all && distance > 0) return static_cast<int>(distance);
        return 0;
    }
    int64_t row_bytes_ = 0;
    int bytes_ = 0;
    std::unordered_map<uint64_t, int64_t> place_;
    std::map<int64_t, int> rows_, columns_;
};

class Finder {
  public:
    Finder(const BlockTrace& block, const Report& report, const std::vector<int64_t>& row_bytes)
        : block_(block), report_(report), owners_(block.shared_bytes, kUnwritten) {
        for (size_t i = 0; i < row_bytes.size(); ++i)
            pitches_.emplace(static_cast<int>(i), Pitch(row_bytes[i]));
        of_access_.assign(block.accesses.size(), kUnwritten);
        of_copy_.assign(block.copies.size(), kUnwritten);
        for (const TracedCopy& copy : block.copies)
            if (copy.to_shared && copy.buffer >= 0)
                filled_by_.emplace(copy.instruction, copy.buffer);
    }

    SharedTiles find(int pitch_bytes) {
        auto mark = block_.marks.begin();
        for (size_t i = 0; i <= block_.accesses.size(); ++i) {
            for (; mark != block_.marks.end() && mark->before <= i; ++mark)
                if (mark->copy >= 0 && mark->kind != TracedMark::Kind::copy_done)
                    copy(static_cast<size_t>(mark->copy));
            if (i < block_.accesses.size()) access(i);
        }
        SharedTiles result;
        std::map<int, int> index;
        for (bool none : {false, true})  // what is of none comes last
            for (auto& [buffer, used] : used_) {
                if ((buffer == kNone) != none) continue;
                index[buffer] = static_cast<int>(result.tiles.size());
                result.tiles.push_back(tile(buffer, used, pitch_bytes));
            }
        auto indices = [&](const std::vector<int>& owners) {
            std::vector<int> of;
            for (int owner : owners) of.push_back(owner == kUnwritten ? -1 : index[owner]);
            return of;
        };
        result.of_access = indices(of_access_);
        result.of_copy = indices(of_copy_);
        return result;
    }

  private:
    void access(size_t index) {
        const TracedAccess& access = block_.accesses[index];
        const InstructionReport& instruction = report_.instructions[access.instruction];
        if (instruction.space == Space::global) {
            if (!instruction.is_store && access.buffer >= 0)
                loaded_[{access.warp, access.buffer}].push_back(&access);
            return;
        }
        if (access.mask == 0) return;
        uint64_t first = access.addresses[static_cast<size_t>(std::countr_zero(access.mask))];
        int owner = instruction.is_store     ? access.buffer
                    : first < owners_.size() ? owners_[first]
                                             : kNone;
        if (owner == kUnwritten) owner = kNone;
        of_access_[index] = owner;
        if (instruction.is_store && owner >= 0) pair(access, instruction.bytes_per_lane);
        for (size_t lane = 0; lane < 32; ++lane)
            if (access.mask >> lane & 1)
                touch(owner, access.addresses[lane], instruction.bytes_per_lane);
    }

    // A warp stores what it has loaded in the order in which it loaded it.
    void pair(const TracedAccess& store, int bytes) {
        auto& queue = loaded_[{store.warp, store.buffer}];
        if (queue.empty()) return;
        const TracedAccess& load = *queue.front();
        queue.pop_front();
        for (size_t lane = 0; lane < 32; ++lane)
            if (load.mask >> lane & store.mask >> lane & 1)
                pitches_[store.buffer].add(load.addresses[lane], store.addresses[lane], bytes);
    }

    void copy(size_t index) {
        const TracedCopy& copy = block_.copies[index];
        int owner = copy.to_shared ? filled_from(copy) : kUnwritten;
        for (const TracedCopy::Piece& piece : copy.pieces) {
            if (!copy.to_shared && owner == kUnwritten && piece.shared < owners_.size())
                owner = std::max(kNone, owners_[piece.shared]);
            touch(std::max(kNone, owner), piece.shared, copy.bytes);
            if (copy.to_shared && !piece.is_outside)
                pitches_[copy.buffer].add(piece.offset, piece.shared, copy.bytes);
        }
        of_copy_[index] = std::max(kNone, owner);
    }

    // Zeros alone, from beyond a matrix, belong to what the same instruction reads elsewhere, or to
    // what they overwrite.
    int filled_from(const TracedCopy& copy) const {
        if (copy.buffer >= 0 || copy.pieces.empty()) return copy.buffer;
        auto found = filled_by_.find(copy.instruction);
        if (found != filled_by_.end()) return found->second;
        uint32_t first = copy.pieces.front().shared;
        return first < owners_.size() ? owners_[first] : kNone;
    }

    void touch(int owner, uint64_t first, int bytes) {
        std::vector<bool>& used = used_[owner];
        used.resize(owners_.size());
        for (uint64_t at = first; at < first + static_cast<uint64_t>(bytes); ++at) {
            if (at >= owners_.size()) return;
            owners_[at] = owner;
            used[at] = true;
        }
    }

    SharedTile tile(int buffer, const std::vector<bool>& used, int pitch_bytes) {
        SharedTile tile;
        tile.buffer = buffer;
        int found = pitches_[buffer].found();
        tile.pitch_bytes = found > 0 ? found : pitch_bytes;
        auto first = std::find(used.begin(), used.end(), true);
        tile.begin = static_cast<uint32_t>(first - used.begin());
        for (size_t at = tile.begin; at < used.size(); ++at) {
            int64_t row = static_cast<int64_t>(at - tile.begin) / tile.pitch_bytes;
            if (used[at] && (tile.rows.empty() || tile.rows.back() != row))
                tile.rows.push_back(row);
        }
        return tile;
    }

    const BlockTrace& block_;
    const Report& report_;
    std::vector<int> owners_;  // by byte: the buffer that it holds something of
    std::map<int, std::vector<bool>> used_;
    std::map<int, Pitch> pitches_;
    std::map<std::pair<uint32_t, int>, std::deque<const TracedAccess*>> loaded_;
    std::map<uint32_t, int>
        filled_by_;  // by the instruction of copies to shared memory: the buffer
    std::vector<int> of_access_, of_copy_;
};

}  // namespace

int64_t SharedTile::row_of(uint64_t byte) const {
    if (byte < begin) return -1;
    int64_t row = static_cast<int64_t>(byte - begin) / pitch_bytes;
    auto found = std::lower_bound(rows.begin(), rows.end(), row);
    return found != rows.end() && *found == row ? found - rows.begin() : -1;
}

SharedTiles shared_tiles(const BlockTrace& block, const Report& report,
                         const std::vector<int64_t>& row_bytes, int pitch_bytes) {
    return Finder(block, report, row_bytes).find(pitch_bytes);
}

}  // namespace lanewise
