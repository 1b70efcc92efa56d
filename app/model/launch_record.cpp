#include "model/launch_record.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

#include "trace/count/copy_rules.h"
#include "trace/count/rules.h"

namespace lanewise {
namespace {

// Both halves of 64 bytes are written together where stores touch them within so many fetches.
constexpr uint32_t kTogether = 512;
// Of an access of at most so many sectors, L1 asks L2 for what the next one of the warp wants of its lines, too: of 8
// (quantum_gate, planes_to_pixels) nearly all, of 32 (row_per_thread) none.
constexpr uint32_t kAskedTogether = 16;
// 256 bytes in a row are one slice's, and so are those 512 bytes away within their KB: reductions on lines so far apart
// take turns, others go side by side (found on an H200, pair by pair; time_atomic of an H100 says the same).
constexpr uint64_t kSectorsOfPiece = 8;
constexpr size_t kPieces = 1 << 17;  // that are told apart
// Where in its KB a small buffer begins is not known, and a table of a KB that begins in the middle has four slices in
// place of two. cudaMalloc puts it behind the small buffers that there were before, by multiples of 512 bytes. The set's
// tables of a KB take as long as in the middle.
constexpr uint64_t kSmallSectors = (1 << 20) / 32, kShiftOfSmall = 512 / 32;
// Of what the far part of L2 has read, so much of its latest is found there. Gathers from 64 MB find half of their
// sectors on an H200 (time_gather), which says 0.67; one launch of the set (graph_convolution) says 0.25.
constexpr double kFar = 0.5;
// Likewise of the other halves of 64 bytes that came with what the far part has read. Small tables (hash_grid,
// integral_tiles) come from DRAM once; of large ones (gather_rows_of_table) the other half is seldom still there.
constexpr double kFarHalf = 0.1;
constexpr uint32_t kLoaded = 1u << 31;
// What is asked for as if it were needed once (.cs, evict-first) is the first to go: the next launch finds none of it.
constexpr uint32_t kFirstOut = 1u << 30;
enum : uint8_t { kPart = 1, kWhole, kPartOfKnown };  // how a sector was written

struct SectorBytes {
    uint64_t sector;
    uint32_t bytes;
};

// What the access touches, each sector once, with the bytes of it.
size_t sectors_touched(uint32_t mask, int bytes, const std::array<uint64_t, 32>& addresses,
                       std::array<SectorBytes, 64>& out) {
    size_t count = 0;
    uint32_t whole = bytes >= 32 ? ~0u : (1u << bytes) - 1;
    for (uint32_t lanes = mask; lanes != 0; lanes &= lanes - 1) {
        uint64_t at = addresses[static_cast<size_t>(std::countr_zero(lanes))];
        SectorBytes touched{at / kSectorBytes, whole << at % kSectorBytes};
        if (count > 0 && out[count - 1].sector == touched.sector)
            out[count - 1].bytes |= touched.bytes;
        else
            out[count++] = touched;
    }
    bool in_order = true;
    for (size_t i = 1; i < count; ++i) in_order &= out[i - 1].sector < out[i].sector;
    if (in_order) return count;
    std::sort(out.begin(), out.begin() + static_cast<std::ptrdiff_t>(count),
              [](const SectorBytes& a, const SectorBytes& b) { return a.sector < b.sector; });
    size_t kept = 0;
    for (size_t i = 1; i < count; ++i) {
        if (out[i].sector == out[kept].sector)
            out[kept].bytes |= out[i].bytes;
        else
            out[++kept] = out[i];
    }
    return count == 0 ? 0 : kept + 1;
}

}  // namespace

LaunchRecorder::LaunchRecorder(const ptx::Kernel& kernel, const TimedCode& code,
                               const Memory& memory, std::span<const CountAs> count_as,
                               std::span<const int> access_of, uint32_t warps_per_block,
                               RecordLimits limits)
    : kernel_(kernel),
      code_(code),
      memory_(memory),
      count_as_(count_as),
      access_of_(access_of),
      limits_(limits),
      warps_(warps_per_block),
      done_(warps_per_block) {
    atomics_.slices.resize(static_cast<size_t>(std::max(1.0, limits.slices)));
    stores_.pieces.resize(kPieces);
    record_.by_instruction.asked.resize(code.instructions.size());
    record_.by_instruction.together.resize(code.instructions.size());
    buffers_.reserve(memory.buffers().size());
    record_.fetched_by.resize(code.instructions.size());
    record_.by_instruction.steps.resize(code.instructions.size());
    record_.by_instruction.long_way.resize(code.instructions.size());
    record_.by_instruction.off.resize(code.instructions.size());
    for (const ptx::Instruction& i : kernel.instructions)
        once_.instructions.push_back(std::any_of(i.parts.begin(), i.parts.end(), [](const std::string& part) {
            return part == "cs" || part == "L2::evict_first";
        }));
    for (uint32_t i = 0; i < code.instructions.size(); ++i)
        if (uint32_t head = code.instructions[i].back_to; head <= i) record_.loops.push_back({head, i, {}});
    find_places();
    find_rounds();
    find_swaps();
    for (WarpState& warp : warps_) {
        warp.seen.resize(code.instructions.size());
        warp.turns.resize(record_.loops.size());
    }
}

LaunchRecorder::BufferState* LaunchRecorder::state_of(uint64_t sector) {
    if (recent_ && sector - recent_->first < recent_->count) return recent_;
    for (BufferState& state : buffers_)
        if (sector - state.first < state.count) return recent_ = &state;
    for (const Memory::Buffer& buffer : memory_.buffers()) {
        if (!buffer.holds(sector * kSectorBytes, 1)) continue;
        uint64_t count = (buffer.bytes + kSectorBytes - 1) / kSectorBytes;
        std::array<std::vector<uint32_t>, 2> touched = {std::vector<uint32_t>(count),
                                                        std::vector<uint32_t>(limits_.l2_parts > 1 ? count : 0)};
        const std::vector<uint32_t> words(count);
        const std::vector<uint8_t> bytes(count);
        buffers_.push_back({buffer.address / kSectorBytes, count, std::move(touched), words, bytes, words, words, bytes,
                            words, words, words, words, bytes, false});
        record_.buffer_sectors += static_cast<double>(count);
        return recent_ = &buffers_.back();
    }
    return nullptr;
}

// In no order that a kernel's could have, too (SplitMix64's mixing).
static uint64_t mixed(uint64_t number) {
    number = (number ^ number >> 30) * 0xBF58476D1CE4E5B9ull;
    number = (number ^ number >> 27) * 0x94D049BB133111EBull;
    return number ^ number >> 31;
}
static size_t half_of(uint64_t number) { return mixed(number) >> 63; }  // of all numbers

size_t LaunchRecorder::part_of_block() const { return limits_.l2_parts > 1 ? half_of(block_ + 1) : 0; }
size_t LaunchRecorder::home_of(uint64_t sector) const {
    return limits_.l2_parts > 1 ? half_of(sector / kSectorsPerLine) : 0;
}

// L2 has a place for each line, of which it fetches the sectors that are asked for.
void LaunchRecorder::take_line(const BufferState& state, uint64_t at, size_t part) {
    uint64_t begin = at / kSectorsPerLine * kSectorsPerLine;
    bool is_there = false;
    const std::vector<uint32_t>& touched = state.touched[part];
    for (uint64_t sector = begin; sector < std::min(begin + kSectorsPerLine, state.count); ++sector)
        is_there |= touched[sector] != 0 && fetches_[part] + 1 - touched[sector] <= limits_.l2_sectors;
    if (!is_there) fetches_[part] += kSectorsPerLine;
}

void LaunchRecorder::put_into(BufferState& state, uint64_t at, size_t part, bool is_there) {
    if (!is_there) take_line(state, at, part);
    state.touched[part][at] = fetches_[part] + 1;
}

// Whether no more has come since than it holds. apart: of two blocks that are there at once, the touches between; or
// none.
bool LaunchRecorder::has(const BufferState& state, uint64_t at, size_t part, double apart, double share) const {
    const uint32_t touched = state.touched[part][at];
    if (touched == 0) return false;
    double since = static_cast<double>(fetches_[part] + 1 - touched);
    if (apart >= 0) since = std::min(since, apart * limits_.at_once * fetches_[part] / touches_.all);
    return since <= limits_.l2_sectors * share;
}

bool LaunchRecorder::is_in_l2(const BufferState& state, uint64_t at, size_t near, double apart, double of_far) const {
    if (has(state, at, near, apart, 1)) return true;
    return limits_.l2_parts > 1 && has(state, at, 1 - near, apart, state.written[at] != 0 ? 1 : of_far);
}

// Of what one of PTX became: the access itself, and of a root or a quotient the MUFU, whose result the scaling behind it needs.
static bool is_what_it_waits_for(const MachineInstruction& machine, Unit unit) {
    return (machine.unit == MachineUnit::memory && unit == Unit::memory) ||
           (machine.unit == MachineUnit::special && unit == Unit::function);
}

void LaunchRecorder::find_places() {
    for (const TimedInstruction& timed : code_.instructions) {
        std::vector<uint32_t>& places = places_.emplace_back();
        for (uint32_t place : timed.places)
            if (const MachineInstruction* machine = code_.machine_at(place); machine && is_what_it_waits_for(*machine, timed.unit))
                places.push_back(place);
        if (places.empty()) places = timed.places;
    }
}

// In the order of the machine code, where it is known.
void LaunchRecorder::find_rounds() {
    std::vector<uint32_t> order;
    for (uint32_t i = 0; i < code_.instructions.size(); ++i)
        if (code_.machine.empty() || !code_.instructions[i].places.empty()) order.push_back(i);
    if (!code_.machine.empty())
        std::stable_sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) { return places_[a].front() < places_[b].front(); });
    rounds_.assign(code_.instructions.size(), 0);
    std::vector<uint8_t> is_pending(code_.registers);
    uint32_t round = 0;
    for (uint32_t i : order) {
        const TimedInstruction& timed = code_.instructions[i];
        bool uses = std::any_of(timed.reads.begin(), timed.reads.end(), [&](uint32_t r) { return is_pending[r] != 0; });
        if (uses || timed.unit == Unit::barrier) {
            ++round;
            std::fill(is_pending.begin(), is_pending.end(), uint8_t{0});
        }
        rounds_[i] = round;
        if (timed.unit == Unit::memory)
            for (uint32_t r : timed.writes) is_pending[r] = 1;
    }
}

void LaunchRecorder::begin_load(const MemoryEvent& event) {
    block_ = event.block;
    round_ = 0;
    if (event.is_store || event.warp >= warps_.size()) return;
    WarpState& warp = warps_[event.warp];
    const uint32_t at = event.instruction;
    if (event.element == 0) {
        // Once more, in the next turn of a loop, of which as many are made together as ptxas has copies.
        if (warp.loads != ~0u && at <= warp.loads && !goes_on_to_copy(warp, at)) {
            warp.rounds_before += warp.last_round + 1;
            warp.last_round = 0;
        }
        warp.loads = at;
        warp.last_round = std::max(warp.last_round, rounds_[at]);
    }
    round_ = static_cast<uint8_t>(std::min<uint32_t>(warp.rounds_before + rounds_[at], 255));
}

// Whether the turn of a loop that begins with this load is the next copy of the turn before.
bool LaunchRecorder::goes_on_to_copy(WarpState& warp, uint32_t instruction) {
    if (std::exchange(warp.head, instruction) != instruction) warp.turns_of_head = 0;
    return ++warp.turns_of_head % static_cast<uint32_t>(std::max(1, code_.instructions[instruction].copies)) != 0;
}

bool LaunchRecorder::is_side_by_side(uint32_t a, uint32_t b) const {
    return std::max(a, b) - std::min(a, b) <= limits_.side_by_side;
}

// A load of a sector: comes, if it is not in L2; is_second, if it has come with the other one of its 64 bytes.
void LaunchRecorder::ask(BufferState& state, uint64_t at, bool comes, bool is_second) {
    uint32_t& first = state.asked_by[at];
    if (is_second) {
        first = state.asked_by[at ^ 1];
        state.round[at] = state.round[at ^ 1];
    } else if (comes || first == 0) {
        first = block_ + 1;
        state.round[at] = round_;
        return;
    }
    if (is_side_by_side(first - 1, block_)) state.round[at] = std::min(state.round[at], round_);
}

void LaunchRecorder::mark_late() {
    record_.is_late.resize(record_.sectors.size());
    for (size_t i = 0; i < record_.sectors.size(); ++i) {
        const auto [block, round] = asked_[i];
        bool comes = (record_.sectors[i] & 1) != 0;
        record_.is_late[i] = comes;
        BufferState* state = state_of(record_.sectors[i] >> 1);
        if (!state) continue;
        uint64_t at = (record_.sectors[i] >> 1) - state->first;
        uint32_t first = state->asked_by[at];
        if (first == 0) continue;
        if (is_side_by_side(first - 1, block)) record_.is_late[i] = state->round[at] >= round;
    }
}

double LaunchRecorder::apart_to(const BufferState& state, uint64_t at) const {
    auto wave = [&](uint32_t block) { return std::floor(block / limits_.at_once); };
    bool are_at_once = limits_.at_once > 0 && state.last_turn[at] != 0 && wave(state.last_block[at]) == wave(block_);
    return are_at_once ? std::fabs(static_cast<double>(touches_.count) - state.last_turn[at]) : -1;
}

// How many touches of its own a block is from the one that touched it last, where the card holds both at once; else
// negative.
double LaunchRecorder::apart_of(BufferState& state, uint64_t at) {
    ++touches_.count;
    ++touches_.all;
    const double apart = apart_to(state, at);
    state.last_block[at] = block_;
    state.last_turn[at] = touches_.count;
    return apart;
}

// L2's requests of the multiprocessors of a GPC pass one unit, which sends up to four for one line on as one while the first
// waits there (Nsight Compute's documentation: "L2 Request Coalescer"). Counted on an H200, pair by pair of multiprocessors
// that walk through a buffer side by side: those of a GPC ask once for two, and 16 of one four times; those of different ones
// never. Of two that are 50 clocks apart a quarter meets, of 200 none. Blocks are dealt out GPC by GPC, 16 at a time.
void LaunchRecorder::ask_together(BufferState& state, uint64_t at) {
    constexpr uint32_t kBlocksOfGpc = 16, kNear = 32;  // in touches of sectors
    constexpr uint8_t kMost = 4;
    uint32_t& block = state.asks_block[at];
    uint32_t& turn = state.asks_turn[at];
    uint8_t& with = state.asks_with[at];
    const uint32_t now = touches_.count;
    const bool is_near = with != 0 && std::max(now, turn) - std::min(now, turn) <= kNear;
    if (is_near && block == block_) return;  // found in L1, or asked for by a warp beside it
    auto& by = record_.by_instruction;
    ++by.asked[touches_.instruction];
    if (is_near && block / kBlocksOfGpc == block_ / kBlocksOfGpc && with < kMost) {
        ++with;
        ++by.together[touches_.instruction];
    } else {
        with = 1;
    }
    block = block_;
    turn = now;
}

// What a block has just written L1 sends together.
void LaunchRecorder::take_store(const BufferState& state, uint64_t at) {
    constexpr uint32_t kJustNow = 64;
    if (state.written[at] != 0 && state.last_block[at] == block_ && block_ == touches_.block && touches_.count - state.last_turn[at] < kJustNow) return;
    const uint64_t sector = state.first + at, line = sector / kSectorsPerLine;
    stores_.pieces[mixed(sector / kSectorsOfPiece) % stores_.pieces.size()] += limits_.store_sector_clocks + (line != stores_.line ? limits_.store_line_clocks : 0);
    stores_.line = line;
}

// Whether the sector comes from DRAM, or goes there for the first time. stored: its bytes; of atomics none, as they
// need what was there. with_other: the same access asks for the other half of its 64 bytes before it.
bool LaunchRecorder::touch(uint64_t sector, bool is_store, uint32_t stored, bool with_other) {
    BufferState* state = state_of(sector);
    if (!state) return false;
    uint64_t at = sector - state->first;
    const size_t near = is_store ? home_of(sector) : part_of_block();
    uint8_t& written = state->written[at];
    uint8_t written_before = written;
    bool is_first = state->last_turn[at] == 0;
    if (stored != 0) take_store(*state, at);
    double apart = apart_of(*state, at);
    if (!is_store) ask_together(*state, at);
    bool is_near = has(*state, at, near, apart, 1), is_far = false;
    if (!is_near && limits_.l2_parts > 1) is_far = has(*state, at, 1 - near, apart, written_before != 0 ? 1 : kFar);
    if (is_first) state->began[at] = (fetches_[near] + 1) | (is_store ? 0 : kLoaded);
    if (is_first && once_.is_now) state->began[at] |= kFirstOut;
    if (is_store && written == 0) ++record_.written_sectors;
    // L2 puts together what several stores write.
    bool is_whole = is_store && (state->stored[at] |= stored) == ~0u;
    if (is_store && is_whole && written != kWhole) record_.part_sectors -= written == kPart, written = kWhole;
    // What is there need not be read from DRAM for it.
    const bool is_there = is_near || is_far;
    if (is_store && !is_whole && written == 0) record_.part_sectors += !is_there, written = is_there ? kPartOfKnown : kPart;
    bool comes = !is_there, is_second = false;
    bool goes = is_store && written_before == 0;
    if (comes) {
        const uint64_t other = at ^ 1;
        const bool has_other = other < state->count;
        // Stores leave together; L2 fetches both halves of 64 bytes for a load of either.
        const bool is_pair = is_store ? has_other && state->touched[near][other] != 0 &&
                                            fetches_[near] + 1 - state->touched[near][other] < kTogether
                                      : has_other && state->asked_by[other] != 0 &&
                                            is_in_l2(*state, other, near, apart_to(*state, other), kFarHalf);
        if (!is_store) {
            // What a warp's access before has asked for just now comes with it: L1 asks for a line's sectors together.
            bool is_now = is_pair && state->last_block[other] == block_ && touches_.before.first <= state->last_turn[other] &&
                          state->last_turn[other] <= touches_.before.last && touches_.before.last - touches_.before.first < kAskedTogether;
            is_second = is_pair && !with_other && !is_now;
            record_.halves.second += is_second;
        }
        (is_store ? record_.halves.alone_written : record_.halves.alone) += is_pair ? -1 : 1;
        if (!is_store) {
            if (!std::exchange(state->is_read, true))
                record_.read_buffer_sectors += static_cast<double>(state->count);
            ++(is_first ? record_.read_sectors : record_.again_sectors);
            ++record_.fetched_sectors;
        }
    }
    record_.crossed_sectors += !is_store && !is_near && is_far;
    // What has been read is written where it is, and takes no other place for that.
    put_into(*state, at, near, is_near || (is_store && is_far));
    if (!is_store) ask(*state, at, comes, is_second);
    return is_store ? goes : comes;
}

// "red.global.add.f32", "atom.shared.add.noftz.bf16x2"
static bool adds_floats(const ptx::Instruction& instruction) {
    return std::any_of(instruction.parts.begin(), instruction.parts.end(), [](const std::string& part) {
        return part.starts_with("f16") || part.starts_with("f32") || part.starts_with("f64") || part.starts_with("bf16");
    });
}

uint64_t LaunchRecorder::slice_of(uint64_t sector) {
    const BufferState* state = state_of(sector);
    uint64_t piece = (sector + (state && state->count < kSmallSectors ? kShiftOfSmall : 0)) / kSectorsOfPiece;
    return piece / 4 * 2 + piece % 2;
}

// On the way to the slices each turn is a message of its own: of every word of the sector that has a lane left. One with
// several words takes longer than one with a single word, whatever their type: on an H200 1.4 to 1.5 times, and 1.1 to 1.3
// where old values come back, in sums of 32 and of 64 bits, of whole numbers and floats, from 1 to 32 sectors a warp.
static double messages(std::span<const uint8_t> lanes_of_word_sorted, double with_several) {
    const uint8_t all = lanes_of_word_sorted.back();
    const uint8_t several = lanes_of_word_sorted.size() < 2 ? uint8_t{0} : lanes_of_word_sorted[lanes_of_word_sorted.size() - 2];
    return all + (with_several - 1) * several;
}

// Whether a register has, by whatever moves, what was read from memory.
static bool is_read(const ptx::Kernel& kernel, const ptx::Operand& operand, int depth) {
    if (operand.kind != ptx::Operand::Kind::reg || depth == 0) return false;
    return std::any_of(kernel.instructions.begin(), kernel.instructions.end(), [&](const ptx::Instruction& writer) {
        if (writer.operands.size() < 2 || writer.operands[0].kind != ptx::Operand::Kind::reg ||
            writer.operands[0].reg != operand.reg)
            return false;
        const std::string& what = writer.parts[0];
        return what == "ld" || what == "atom" || (what == "mov" && is_read(kernel, writer.operands[1], depth - 1));
    });
}

// Of a compare-and-swap: what it compares with stood there before. A constant claims a place, once and for all.
static bool compares_with_read(const ptx::Kernel& kernel, const ptx::Instruction& swap) {
    constexpr size_t kCompared = 2;
    constexpr int kMoves = 4;
    return swap.operands.size() > kCompared && is_read(kernel, swap.operands[kCompared], kMoves);
}

// The swaps that a loop repeats until they hold: the smallest loop around each.
void LaunchRecorder::find_swaps() {
    for (uint32_t i = 0; i < kernel_.instructions.size(); ++i) {
        const ptx::Instruction& instruction = kernel_.instructions[i];
        const auto& parts = instruction.parts;
        if (parts.empty() || parts[0] != "atom" || std::find(parts.begin(), parts.end(), "cas") == parts.end()) continue;
        if (!compares_with_read(kernel_, instruction)) continue;
        const LoopTurns* smallest = nullptr;
        for (const LoopTurns& loop : record_.loops)
            if (loop.head <= i && i <= loop.back && (!smallest || loop.back - loop.head < smallest->back - smallest->head)) smallest = &loop;
        if (smallest) record_.swaps.loops.push_back({i, smallest->head, smallest->back});
    }
}

void LaunchRecorder::take_swap(uint32_t instruction, uint32_t mask, const std::array<uint64_t, 32>& addresses) {
    const bool is_one = std::any_of(record_.swaps.loops.begin(), record_.swaps.loops.end(),
                                    [&](const RecordedSwap& swap) { return swap.instruction == instruction; });
    if (!is_one) return;
    ++atomics_.swapped.warps;
    for (uint32_t lanes = mask; lanes != 0; lanes &= lanes - 1) {
        ++atomics_.swapped.words[addresses[static_cast<size_t>(std::countr_zero(lanes))]];
        ++atomics_.swapped.lanes;
    }
}

void LaunchRecorder::end_swaps() {
    if (atomics_.swapped.lanes <= 0) return;
    double squares = 0;
    for (const auto& [word, lanes] : atomics_.swapped.words) squares += lanes * lanes;
    const double same = squares / (atomics_.swapped.lanes * atomics_.swapped.lanes);  // chance that two lanes have one word
    const double blocks = std::min(std::max(1.0, limits_.at_once), record_.of_blocks);
    const double lanes = std::min(static_cast<double>(warps_.size()) * atomics_.swapped.lanes / atomics_.swapped.warps,
                                  atomics_.swapped.lanes / std::max(1.0, record_.looked_at));
    record_.swaps.beside = blocks * lanes * same;
}

// Lanes of one word take turns; different words of a sector are changed together. A slice changes one sector after
// another.
void LaunchRecorder::collide(const MemoryEvent& event, const std::array<uint64_t, 32>& addresses,
                             int bytes, RecordedAccess& access) {
    std::array<uint64_t, 32> sorted;
    size_t count = 0;
    for (uint32_t lanes = event.mask; lanes != 0; lanes &= lanes - 1)
        sorted[count++] = addresses[static_cast<size_t>(std::countr_zero(lanes))];
    std::sort(sorted.begin(), sorted.begin() + static_cast<std::ptrdiff_t>(count));
    size_t begin = 0;
    float most = 1;
    // A slice adds a word's floats one after another, which tells where there is nothing else for it to do between them.
    bool is_one_sector = count > 0 && sorted[0] / kSectorBytes == sorted[count - 1] / kSectorBytes;
    while (begin < count) {
        uint64_t sector = sorted[begin] / kSectorBytes;
        std::array<uint8_t, 32> lanes_of_word{};
        size_t end = begin, words = 0;
        for (; end < count && sorted[end] / kSectorBytes == sector; ++end) {
            words += end == begin || sorted[end] != sorted[end - 1];
            ++lanes_of_word[words - 1];
        }
        std::sort(lanes_of_word.begin(), lanes_of_word.begin() + static_cast<std::ptrdiff_t>(words));
        const double worst = lanes_of_word[words - 1];
        Slice& slice = atomics_.slices[slice_of(sector) % atomics_.slices.size()];
        bool is_whole = worst == 1 && (end - begin) * static_cast<size_t>(bytes) == kSectorBytes;
        bool is_again = std::exchange(slice.last, sorted[begin]) == sorted[begin] && is_one_sector;
        bool is_slow = (is_again || (is_one_sector && worst > 1)) && adds_floats(kernel_.instructions[event.instruction]);
        slice.clocks += is_slow    ? worst * limits_.float_word_clocks
                        : is_whole ? limits_.whole_sector_clocks
                                   : worst * limits_.word_clocks;
        constexpr double kSent = 1.45, kReturned = 1.2;
        const std::span<const uint8_t> of_words{lanes_of_word.data(), words};
        atomics_.sent += messages(of_words, kSent) * limits_.word_clocks / limits_.slices;
        if (access.to == AccessTo::atomic) atomics_.returned += messages(of_words, kReturned) * limits_.returned_sector_clocks;
        ++record_.atomics.sectors;
        most = std::max(most, static_cast<float>(worst));
        begin = end;
    }
    access.turns = most;
    ++record_.atomics.requests;
}

void LaunchRecorder::take_global(const MemoryEvent& event, int bytes,
                                 const std::array<uint64_t, 32>& addresses, RecordedAccess& access) {
    std::array<SectorBytes, 64> touched;
    size_t count = sectors_touched(event.mask, bytes, addresses, touched);
    access.first_sector = static_cast<uint32_t>(record_.sectors.size());
    touches_.instruction = event.instruction;
    stores_.line = ~0ull;
    begin_touches(event.warp);
    once_.is_now = event.instruction < once_.instructions.size() && once_.instructions[event.instruction] != 0;
    uint64_t line = ~0ull;
    bool stores = event.is_store && event.kind != AccessKind::atomic;
    for (size_t i = 0; i < count; ++i) {
        uint64_t sector = touched[i].sector;
        bool writes = event.is_store || event.kind == AccessKind::atomic;
        bool comes = touch(sector, writes, stores ? touched[i].bytes : 0, i > 0 && touched[i - 1].sector == (sector ^ 1));
        if (comes && !writes) ++record_.fetched_by[event.instruction];
        if (bytes > 32 || !keeps_) {
        } else {
            record_.sectors.push_back(sector << 1 | (comes ? 1 : 0));
            asked_.emplace_back(block_, round_);
        }
        access.lines = static_cast<uint16_t>(access.lines + (sector / kSectorsPerLine != line));
        line = sector / kSectorsPerLine;
    }
    access.sectors = static_cast<uint16_t>(count);
    end_touches(event.warp);
}

// Which of the block's touches were the warp's access before, and are this one.
void LaunchRecorder::begin_touches(uint32_t warp) {
    if (block_ != touches_.block) touches_.count = 0, touches_.block = block_;
    touches_.before = warp < warps_.size() && warps_[warp].touches_of == block_ ? warps_[warp].touches : Touches{};
    touches_.now.first = touches_.count + 1;
}

void LaunchRecorder::end_touches(uint32_t warp) {
    touches_.now.last = touches_.count;
    if (warp >= warps_.size()) return;
    warps_[warp].touches = touches_.now;
    warps_[warp].touches_of = block_;
}

CountAs::Executed LaunchRecorder::executed_of(uint32_t instruction) const {
    int index = instruction < access_of_.size() ? access_of_[instruction] : -1;
    if (index < 0 || static_cast<size_t>(index) >= count_as_.size()) return CountAs::Executed::as_written;
    return count_as_[static_cast<size_t>(index)].executed;
}

static void take_wavefronts(const MemoryEvent& event, int bytes, const std::array<uint64_t, 32>& addresses,
                            RecordedAccess& access) {
    access.wavefronts = static_cast<float>(wavefronts(addresses, bytes, event.mask, event.is_store));
    access.ideal_wavefronts =
        static_cast<float>(wavefronts_ideal(addresses, bytes, event.mask, event.is_store));
}

uint32_t LaunchRecorder::add_access(const MemoryEvent& event, int bytes,
                                    const std::array<uint64_t, 32>& addresses) {
    RecordedAccess access;
    bool is_atomic = event.kind == AccessKind::atomic;
    access.passes_l1 = code_.instructions[event.instruction].load.passes_l1;
    if (event.space == Space::global) {
        access.to = is_atomic ? (event.is_store ? AccessTo::reduction : AccessTo::atomic)
                    : event.kind == AccessKind::async_copy ? AccessTo::copy
                    : event.is_store                       ? AccessTo::global_store
                                                           : AccessTo::global_load;
        take_global(event, bytes, addresses, access);
        if (keeps_) {
            access.ideal_sectors =
                static_cast<uint16_t>(sectors_ideal(addresses, bytes, event.mask));
            take_wavefronts(event, bytes, addresses, access);
        }
        if (is_atomic) collide(event, addresses, bytes, access);
        if (is_atomic) take_swap(event.instruction, event.mask, addresses);
    } else if (keeps_) {
        access.to = is_atomic ? AccessTo::shared_atomic : AccessTo::shared;
        if (is_atomic) {
            access.swaps = executed_of(event.instruction) == CountAs::Executed::swap_loop;
            // Ones that are added, and nobody wants the sum before, are added together.
            if (executed_of(event.instruction) == CountAs::Executed::increment)
                access.wavefronts = static_cast<float>(wavefronts(addresses, bytes, event.mask, true));
            else
                access.wavefronts = static_cast<float>(
                    atomic_wavefronts(addresses, bytes, event.mask, false));
            access.turns = access.wavefronts;
        } else if (event.kind == AccessKind::matrix) {
            // Each address is that of a row of 16 bytes; eight rows make a wavefront at best.
            access.wavefronts = static_cast<float>(wavefronts(addresses, 16, event.mask, event.is_store));
            access.ideal_wavefronts = static_cast<float>((std::popcount(event.mask) + 7) / 8);
        } else {
            take_wavefronts(event, bytes, addresses, access);
        }
    }
    access.is_needed = !event.is_store;
    return keeps_ ? add(access) : RecordedStep::kNone;
}

uint32_t LaunchRecorder::add(RecordedAccess access) {
    record_.accesses.push_back(access);
    return static_cast<uint32_t>(record_.accesses.size() - 1);
}

// wmma tells of one element of each lane after the other; what the card makes of them is counted as
// everywhere else.
void LaunchRecorder::on_matrix(const MemoryEvent& event) {
    CountAs::Executed executed = executed_of(event.instruction);
    const ptx::Instruction& instruction = kernel_.instructions[event.instruction];
    OtherCounts& counts = matrices_.try_emplace(event.instruction, instruction, executed).first->second;
    Counts before = counts.counts();
    counts.count(event);
    if (event.warp >= warps_.size()) return;
    WarpState& warp = warps_[event.warp];
    bool goes_on = warp.last_instruction == event.instruction && warp.last_access != RecordedStep::kNone;
    if (goes_on && event.space == Space::global) {
        // Its sectors are to lie one behind the other.
        const RecordedAccess& last = record_.accesses[warp.last_access];
        goes_on = last.first_sector + last.sectors == record_.sectors.size();
    }
    if (keeps_) {
        RecordedAccess access;
        access.to = event.space == Space::shared ? AccessTo::shared
                    : event.is_store             ? AccessTo::global_store
                                                 : AccessTo::global_load;
        access.is_needed = access.repeats = !event.is_store;
        access.wavefronts = access.ideal_wavefronts = 0;
        access.first_sector = static_cast<uint32_t>(record_.sectors.size());
        uint32_t number = add(access);
        if (give_to_step(event.warp, event.instruction, number)) {
            warp.last_access = number;
            warp.last_instruction = event.instruction;
        } else {
            record_.accesses.pop_back();
            if (!goes_on) return;
        }
    }
    Counts more = counts.counts();
    for (SharedCounts Counts::*part :
         {&Counts::shared_load, &Counts::shared_store, &Counts::matrix_load}) {
        (more.*part).wavefronts -= (before.*part).wavefronts;
        (more.*part).wavefronts_ideal -= (before.*part).wavefronts_ideal;
    }
    more.global_load.instructions -= before.global_load.instructions;
    more.global_store.instructions -= before.global_store.instructions;
    RecordedAccess unkept;
    // Each instruction of the machine asks for its sectors, which the one before may have asked for too. Of pairs it is
    // told with the last element, of quads with the first.
    const bool is_told = more.global_load.instructions + more.global_store.instructions > 0;
    const bool told_first = executed == CountAs::Executed::quads;
    if (event.element == 0 || (told_first && is_told)) warp.asks_from = static_cast<uint32_t>(record_.sectors.size());
    add_to_matrix(event, more, warp.asks_from, keeps_ ? record_.accesses[warp.last_access] : unkept);
    if (is_told && !told_first) warp.asks_from = static_cast<uint32_t>(record_.sectors.size());
}

// Of words that one load takes: a bank gives one after another.
static double wavefronts_of_both(const std::array<uint64_t, 32>& a, const std::array<uint64_t, 32>& b, uint32_t lanes) {
    constexpr uint64_t kWord = 4;
    std::array<uint64_t, 64> words;
    auto end = words.begin();
    for (uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
        auto lane = static_cast<size_t>(std::countr_zero(rest));
        *end++ = a[lane] / kWord;
        *end++ = b[lane] / kWord;
    }
    std::sort(words.begin(), end);
    end = std::unique(words.begin(), end);
    std::array<int, kBanks> of_bank{};
    for (auto word = words.begin(); word != end; ++word) ++of_bank[*word % kBanks];
    return *std::max_element(of_bank.begin(), of_bank.end());
}

void LaunchRecorder::add_to_matrix(const MemoryEvent& event, const Counts& more, uint32_t asks_from, RecordedAccess& access) {
    for (const SharedCounts* part :
         {&more.shared_load, &more.shared_store, &more.matrix_load}) {
        access.wavefronts += static_cast<float>(part->wavefronts);
        access.ideal_wavefronts += static_cast<float>(part->wavefronts_ideal);
    }
    if (event.space == Space::shared) return;
    std::array<SectorBytes, 64> touched;
    size_t count = sectors_touched(event.mask, event.bytes_per_lane, *event.addresses, touched);
    uint64_t line = ~0ull;
    double lines = 0;
    touches_.instruction = event.instruction;
    stores_.line = ~0ull;
    begin_touches(event.warp);
    for (size_t i = 0; i < count; ++i) {
        uint64_t sector = touched[i].sector;
        lines += sector / kSectorsPerLine != line;
        line = sector / kSectorsPerLine;
        bool comes = touch(sector, event.is_store, event.is_store ? touched[i].bytes : 0,
                           i > 0 && touched[i - 1].sector == (sector ^ 1));
        if (comes && !event.is_store) ++record_.fetched_by[event.instruction];
        if (!keeps_) continue;
        auto begin = record_.sectors.begin() + (access.repeats ? asks_from : access.first_sector);
        bool is_new = std::none_of(begin, record_.sectors.end(),
                                   [&](uint64_t packed) { return packed >> 1 == sector; });
        if (!is_new) continue;
        record_.sectors.push_back(sector << 1 | (comes ? 1 : 0));
        asked_.emplace_back(block_, round_);
        ++access.sectors;
        ++access.ideal_sectors;
    }
    end_touches(event.warp);
    double executed = static_cast<double>(more.global_load.instructions + more.global_store.instructions);
    access.lines = static_cast<uint16_t>(access.lines + executed * lines);
    constexpr int kWord = 4;
    if (!keeps_) return;
    std::array<uint64_t, 32> words = *event.addresses;
    for (uint64_t& word : words) word -= word % kWord;
    if (executed > 0) {
        double waves = wavefronts(words, std::max<int>(kWord, event.bytes_per_lane), event.mask, event.is_store);
        // Where a pair's elements lie in two rows, one load takes the words of both, and MOVM turns them.
        if (executed_of(event.instruction) == CountAs::Executed::pairs && event.element % 2 == 1)
            waves = std::max(waves, wavefronts_of_both(words, warps_[event.warp].element_before, event.mask));
        access.wavefronts += static_cast<float>(executed * waves);
        access.ideal_wavefronts += static_cast<float>(executed);
    }
    warps_[event.warp].element_before = words;
}

void LaunchRecorder::on_memory(const MemoryEvent& event) {
    if (event.instruction >= code_.instructions.size()) return;
    if (!keeps_ && event.space == Space::shared) return;
    if (event.space == Space::global) begin_load(event);
    constexpr int kRowBytes = 16;  // of ldmatrix; wmma's elements have 1 to 8
    if (event.kind == AccessKind::matrix && event.bytes_per_lane != kRowBytes) return on_matrix(event);
    int index = event.instruction < access_of_.size() ? access_of_[event.instruction] : -1;
    int bytes = event.bytes_per_lane;
    const std::array<uint64_t, 32>* addresses = event.addresses;
    std::array<uint64_t, 32> aligned;
    MemoryEvent executed = event;
    if (index >= 0 && static_cast<size_t>(index) < count_as_.size() && event.kind == AccessKind::plain) {
        const CountAs& as = count_as_[static_cast<size_t>(index)];
        if (as.operations == 0) return;
        if (as.operations == 1 && as.bytes_per_lane > bytes) {
            auto width = static_cast<uint64_t>(as.bytes_per_lane);
            for (size_t lane = 0; lane < 32; ++lane) aligned[lane] = (*addresses)[lane] & ~(width - 1);
            bytes = as.bytes_per_lane;
            addresses = &aligned;
        }
    }
    CountAs::Executed how = executed_of(event.instruction);
    if (how == CountAs::Executed::reduction || how == CountAs::Executed::elected)
        executed.is_store = true;
    if (how == CountAs::Executed::elected || how == CountAs::Executed::elected_for_all) executed.mask &= ~event.mask + 1;
    if (event.kind == AccessKind::async_copy && event.space == Space::shared) return end_copy(event);
    uint32_t access = add_access(executed, bytes, *addresses);
    if (event.kind == AccessKind::async_copy) begin_copy(event, access);
    if (keeps_ && event.warp < warps_.size()) give_to_step(event.warp, event.instruction, access);
}

void LaunchRecorder::begin_copy(const MemoryEvent& event, uint32_t access) {
    if (!keeps_ || event.warp >= warps_.size()) return;
    auto& copy = warps_[event.warp].copy;
    copy.access = access;
    copy.mask = event.mask;
    copy.from = *event.addresses;
}

// What is copied past L1 comes for each sector of shared memory by itself; and a request has what goes from one line to
// another, as far as it is moved within 64 bytes in the same way: counted on an H200 by L2's requests of 84 patterns.
void LaunchRecorder::end_copy(const MemoryEvent& event) {
    if (event.warp >= warps_.size()) return;
    auto& copy = warps_[event.warp].copy;
    const uint32_t number = std::exchange(copy.access, RecordedStep::kNone);
    if (number == RecordedStep::kNone || number >= record_.accesses.size()) return;
    RecordedAccess& access = record_.accesses[number];
    const bool through_cache = !access.passes_l1;
    const CopyCost cost = copy_cost({&copy.from, event.addresses, event.bytes_per_lane, event.mask, copy.mask, through_cache});
    access.wavefronts = access.ideal_wavefronts = through_cache ? static_cast<float>(cost.wavefronts) : 0;
    if (through_cache) return;
    access.sent_sectors = static_cast<uint16_t>(cost.sectors);
    std::array<std::array<uint64_t, 3>, 32> ways;
    auto end = ways.begin();
    constexpr uint64_t kHalf = kSectorBytes / 2, kWithin = 3;
    for (uint32_t lanes = copy.mask & event.mask; lanes != 0; lanes &= lanes - 1) {
        const auto lane = static_cast<size_t>(std::countr_zero(lanes));
        const uint64_t from = copy.from[lane], to = (*event.addresses)[lane];
        *end++ = {from / kLineBytes, to / kLineBytes, (from ^ to) / kHalf & kWithin};
    }
    std::sort(ways.begin(), end);
    access.requests = static_cast<uint16_t>(std::unique(ways.begin(), end) - ways.begin());
}

// Whether there was a step that had none.
bool LaunchRecorder::give_to_step(uint32_t warp, uint32_t instruction, uint32_t access) {
    auto& window = warps_[warp].window;
    for (size_t i = window.size(); i-- > 0;)
        if (window[i].step.instruction == instruction && window[i].step.access == RecordedStep::kNone) {
            window[i].step.access = access;
            return true;
        }
    constexpr size_t kBack = 256;
    auto& done = done_[warp];
    for (size_t i = done.size(), end = i > kBack ? i - kBack : 0; i-- > end;)
        if (done[i].instruction == instruction && done[i].access == RecordedStep::kNone) {
            done[i].access = access;
            return true;
        }
    return false;
}

void LaunchRecorder::flush(uint32_t number) {
    WarpState& warp = warps_[number];
    std::stable_sort(warp.window.begin(), warp.window.end(),
                     [](const Pending& a, const Pending& b) { return a.place < b.place; });
    for (const Pending& pending : warp.window) {
        done_[number].push_back(pending.step);
        if (!pending.step.is_off()) warp.seen[pending.step.instruction] = 0;
    }
    record_.steps += static_cast<double>(warp.window.size());
    warp.window.clear();
    warp.turn = 0;
}

// What the warp jumps over and the machine does not: it has guards there in place of the branch.
void LaunchRecorder::go_past(WarpState& warp, uint32_t first, uint32_t last) {
    constexpr uint32_t kFar = 256;
    if (last - first > kFar) return;
    for (uint32_t i = first; i < last; ++i) {
        const TimedInstruction& timed = code_.instructions[i];
        if (!timed.is_guarded_there) continue;
        ++record_.by_instruction.off[i];
        warp.window.push_back({{i, RecordedStep::kOff, warp.stretch}, timed.places.front()});
    }
}

// From one instruction to another that does not follow it in the text, or that heads a loop.
void LaunchRecorder::go_round(WarpState& warp, uint32_t from, uint32_t to) {
    for (size_t n = 0; n < record_.loops.size(); ++n) {
        LoopTurns& loop = record_.loops[n];
        bool was_in = loop.head <= from && from <= loop.back, is_in = loop.head <= to && to <= loop.back;
        uint32_t& turns = warp.turns[n];
        if (turns > 0 && (!is_in || !was_in)) ++loop.visits[std::exchange(turns, 0)];
        if (to == loop.head) ++turns;
    }
}

// Steps of one stretch of code come in the machine code's order; of a stretch with copies, so many
// turns together.
void LaunchRecorder::on_steps(uint32_t number, uint32_t first, uint32_t count) {
    if (!keeps_ || number >= warps_.size()) return;
    WarpState& warp = warps_[number];
    for (uint32_t i = first; i < first + count && i < code_.instructions.size(); ++i) {
        const TimedInstruction& timed = code_.instructions[i];
        bool jumps = i != warp.next;
        bool ends = warp.next != ~0u && warp.next > 0 && code_.instructions[warp.next - 1].ends_run;
        ++record_.by_instruction.steps[i];
        if (jumps || ends || timed.begins_run) {
            go_round(warp, warp.next == ~0u ? ~0u : warp.next - 1, i);
            bool goes_round = i == warp.begin && ++warp.turn < std::min(timed.copies, kMostTurns);
            ++warp.stretch;
            if (!goes_round) flush(number), warp.begin = i;
            if (jumps && warp.next < i) go_past(warp, warp.next, i);
        }
        size_t copy = warp.seen[i]++, places = places_[i].size();
        uint64_t place = i;
        if (places > 0) {
            // It is done when the last of its machine instructions is.
            size_t each = std::max<size_t>(1, places / static_cast<size_t>(timed.copies));
            place = places_[i][std::min(places - 1, copy * each + each - 1)];
        } else if (!warp.window.empty()) {
            place = warp.window.back().place;
        }
        warp.window.push_back({{i, RecordedStep::kNone, warp.stretch}, place});
        warp.next = i + 1;
    }
}

void LaunchRecorder::on_operands(const OperandsEvent& event) {
    if (!keeps_ || event.warp >= warps_.size() || event.instruction >= code_.instructions.size()) return;
    if (event.long_way != 0) ++record_.by_instruction.long_way[event.instruction];
    // With one address a load may be none: ptxas has many a constant as an operand.
    const bool is_load = kernel_.instructions[event.instruction].parts[0] == "ld";
    if (event.values <= (is_load ? 1u : 0u)) return;
    RecordedAccess access;
    access.to = AccessTo::by_values;
    access.is_needed = true;
    access.turns = static_cast<float>(event.values);
    give_to_step(event.warp, event.instruction, add(access));
}

void LaunchRecorder::on_warp_end(uint32_t, uint32_t number, uint64_t executed) {
    block_executed_ += static_cast<float>(executed);
    if (number < warps_.size()) warps_[number].loads = warps_[number].head = ~0u, warps_[number].rounds_before = warps_[number].last_round = 0;
    if (keeps_ && number < warps_.size()) {
        flush(number);
        go_round(warps_[number], ~0u, ~0u);
        warps_[number].next = warps_[number].begin = ~0u;
        warps_[number].stretch = 0;
    }
}

void LaunchRecorder::on_block_end(uint32_t block) {
    ++record_.looked_at;
    record_.executed += block_executed_;
    if (record_.executed_by.size() <= block) record_.executed_by.resize(block + 1);
    record_.executed_by[block] = block_executed_;
    float executed = std::exchange(block_executed_, 0.0f);
    if (!keeps_) return;
    record_.blocks.push_back({block, executed, std::move(done_)});
    done_ = std::vector<std::vector<RecordedStep>>(warps_.size());
}

void LaunchRecorder::on_fault(const Fault&) { has_fault_ = true; }

// Of a launch behind itself: from a sector's last touch to the end, and from the beginning to its first touch. Of what is
// written L2 keeps less: it writes to DRAM what is beyond a part of its size, if nobody has written it again before.
void LaunchRecorder::find_left(double scale) {
    double written = 0;
    for (const BufferState& state : buffers_) {
        const auto clean = std::count(state.written.begin(), state.written.end(), uint8_t{0});
        const double here = static_cast<double>(state.count) - static_cast<double>(clean);
        written += std::min(here * scale, static_cast<double>(state.count));
    }
    const double changed = limits_.changed_lost - limits_.changed_kept;
    const double stays = changed > 0 ? std::clamp((limits_.changed_lost - written) / changed, 0.0, 1.0) : 1;
    for (const BufferState& state : buffers_)
        for (uint64_t at = 0; at < state.count; ++at) {
            if (state.last_turn[at] == 0 || (state.began[at] & kFirstOut) != 0) continue;
            const size_t part = limits_.l2_parts > 1 && state.touched[1][at] > state.touched[0][at] ? 1 : 0;
            const double until = state.began[at] & ~kLoaded, since = static_cast<double>(fetches_[part] + 1) - state.touched[part][at];
            const double between = (since + until) * scale, room = limits_.l2_sectors - limits_.l2_kept;
            const double left = room > 0 ? std::clamp((limits_.l2_sectors - between) / room, 0.0, 1.0)
                                         : between <= limits_.l2_sectors;
            if ((state.began[at] & kLoaded) != 0) record_.left.reads += left;
            if (state.written[at] != 0) record_.left.writes += std::min(left, stays);
        }
}

LaunchRecord LaunchRecorder::take(double of_blocks) {
    record_.of_blocks = of_blocks;
    find_left(of_blocks / std::max(1.0, record_.looked_at));
    mark_late();
    record_.atomics.busiest_clocks = std::max(atomics_.sent, atomics_.returned);
    for (const Slice& slice : atomics_.slices)
        record_.atomics.busiest_clocks = std::max(record_.atomics.busiest_clocks, slice.clocks);
    end_swaps();
    record_.crowded_stores = crowded(written_in_all(of_blocks / std::max(1.0, record_.looked_at)));
    record_.halves.alone = std::max(0.0, record_.halves.alone);
    record_.halves.alone_written = std::max(0.0, record_.halves.alone_written);
    return std::move(record_);
}

// By how much more places all blocks store to than those that were looked at: no more than there are.
double LaunchRecorder::written_in_all(double scale) const {
    double written = 0, all = 0;
    for (const BufferState& state : buffers_) {
        const auto count = static_cast<double>(state.count - static_cast<uint64_t>(std::count(state.written.begin(), state.written.end(), 0)));
        written += count;
        all += std::min(count * scale, static_cast<double>(state.count));
    }
    return written > 0 ? std::max(1.0, all / written) : 1;
}

// By how much more places: those of the blocks that were not looked at, too.
double LaunchRecorder::crowded(double more) const {
    // By the logarithm of how many pieces: 4 KB, 64 KB, 1 MB.
    constexpr std::array<std::pair<double, double>, 3> kMeasured = {{{4, 4.5}, {8, 2.3}, {12, 1}}};
    double all = 0, squares = 0;
    for (double clocks : stores_.pieces) all += clocks, squares += clocks * clocks;
    if (squares <= 0) return 1;
    const double pieces = std::log2(more * all * all / squares);
    if (pieces <= kMeasured.front().first) return kMeasured.front().second;
    for (size_t i = 1; i < kMeasured.size(); ++i) {
        const auto [from, before] = kMeasured[i - 1];
        const auto [to, after] = kMeasured[i];
        if (pieces <= to) return before + (after - before) * (pieces - from) / (to - from);
    }
    return 1;
}

const RecordedSwap* LaunchRecord::Swaps::of(uint32_t instruction) const {
    auto found = std::find_if(loops.begin(), loops.end(), [&](const RecordedSwap& swap) { return swap.instruction == instruction; });
    return found != loops.end() ? &*found : nullptr;
}

void keep_apart(LaunchRecord& record, uint64_t first, uint64_t count) {
    constexpr int kShift = 50;  // beyond every sector
    for (size_t block = 1; block < record.blocks.size(); ++block)
        for (const auto& warp : record.blocks[block].warps)
            for (const RecordedStep& step : warp) {
                if (!step.has_access()) continue;
                const RecordedAccess& access = record.accesses[step.access];
                for (uint32_t i = 0; i < access.sectors; ++i) {
                    uint64_t& packed = record.sectors[access.first_sector + i];
                    if ((packed >> 1) - first < count) packed += static_cast<uint64_t>(block) << kShift;
                }
            }
}

}  // namespace lanewise
