// What a launch does, as the simulation of a multiprocessor needs it (simulation.h): of a few blocks
// every step of every warp with its accesses, in the order of the machine code; of all blocks that
// are looked at, what L2 and the atomics' places say of the launch.
//
// Caches: a sector that nobody has touched yet comes from DRAM, and so does one behind which more
// than L2 holds has come since. Blocks are looked at one after another, as the machine interprets
// them. On a card they run side by side: of two blocks that it holds at once one may touch a sector
// soon after the other, though in that order all that is between them has come since. For these the distance in their
// own work counts, if it is less. What is one block's is told a little too near.
//
// On cards of data centres from the A100 on L2 has two parts. Each keeps what the multiprocessors near it read, so that
// what all of them read is there twice (NVIDIA's A100 whitepaper, "L2 cache": each part caches for those connected to
// it). What is written stands in one of the parts, its home, and the other asks there, as it does for what has been read
// just now. Which multiprocessor and which line belongs to which part is not known: half of each.
#pragma once
#include <array>
#include <cstdint>
#include <map>
#include <span>
#include <unordered_map>
#include <vector>

#include "model/machine_counts.h"
#include "model/timed_code.h"
#include "sim/event/steps.h"
#include "sim/memory/memory.h"
#include "trace/count/counter.h"
#include "trace/count/other_counts.h"

namespace lanewise {

inline constexpr int kMostTurns = 16;  // of a loop, that are ordered together

enum class AccessTo : uint8_t { global_load, global_store, atomic, reduction, copy, shared, shared_atomic, by_values };

struct RecordedAccess {
    AccessTo to = AccessTo::shared;
    bool swaps = false;           // shared atomics: a loop that swaps until it holds, as for floats
    bool is_needed = false;       // the warp waits for a result
    bool passes_l1 = false;
    bool repeats = false;         // a matrix's: several instructions of the machine, which may ask for the same sectors
    uint16_t sectors = 0;         // of global memory, at first_sector of LaunchRecord::sectors
    uint16_t lines = 0;
    uint16_t ideal_sectors = 0;   // that its bytes would fill
    uint32_t first_sector = 0;
    float wavefronts = 1, ideal_wavefronts = 1;  // L1's banks are shared memory's
    float turns = 1;              // of one word's lanes, one after another; by_values: as many as there are different ones
    // copies: what L2 is asked for and sends, which depends on where in shared memory it goes (trace/count/copy_rules.h).
    uint16_t requests = 0, sent_sectors = 0;
};

// instruction: of TimedCode; access: index into LaunchRecord::accesses, or none. Off: the warp went past
// it, and what the machine has of it takes its turn with its guard off.
struct RecordedStep {
    static constexpr uint32_t kNone = ~0u, kOff = kNone - 1;
    uint32_t instruction = 0, access = kNone;
    uint32_t turn = 0;  // of the stretch of code that it belongs to, rising as the warp executes them
    bool is_off() const { return access == kOff; }
    bool has_access() const { return access < kOff; }
};

// A loop that reads a word of global memory, works out what is to stand there and swaps it in (atomicCAS), until nobody
// else has changed the word meanwhile. The machine lets one block run after another, so that nobody has.
struct RecordedSwap {
    uint32_t instruction = 0, head = 0, back = 0;  // the swap, and the loop's first and last
};

struct RecordedBlock {
    uint32_t number = 0;
    double executed = 0;  // PTX instructions of its warps
    std::vector<std::vector<RecordedStep>> warps;
};

// Sectors are device addresses / 32, shifted left by one; bit 0: it comes from DRAM.
struct LaunchRecord {
    std::vector<RecordedBlock> blocks;
    std::vector<RecordedAccess> accesses;
    std::vector<uint64_t> sectors;
    // By entry of sectors: whether a load waits for DRAM there. Blocks that run side by side ask for one sector
    // at one time, so all of them do, though it comes once; who asks later finds it in L2. Empty: as bit 0.
    std::vector<uint8_t> is_late;
    double steps = 0;  // of those blocks
    struct ByInstruction {
        std::vector<double> steps, off;  // off: with their guard off
        std::vector<double> long_way;    // of these, whose operands need the long way (sim/operation/long_way.h)
        // Of all blocks that were looked at, sectors that loads ask for, each once a block and place of its work, and those
        // that multiprocessors beside it ask for at the same time: up to four go to L2 together.
        std::vector<double> asked, together;
    } by_instruction;
    std::vector<LoopTurns> loops;  // of those blocks' warps

    // ---- Of all blocks that were looked at
    double looked_at = 0, of_blocks = 0;
    double executed = 0;                // PTX instructions of warps
    std::vector<float> executed_by;     // by block, 0 where it was not looked at
    double read_sectors = 0, written_sectors = 0;  // distinct
    double fetched_sectors = 0;         // read from DRAM by a launch that finds nothing in L2
    struct Halves {                     // of 64 bytes, which L2 fetches together
        double second = 0;              // of fetched_sectors, those that had come with the other half
        double alone = 0;               // of these, those whose other half no load asks for
        double alone_written = 0;       // likewise of those written
    } halves;
    double part_sectors = 0;            // distinct, written in part and never whole, and not in L2 before
    double again_sectors = 0;           // fetched again, as L2 had lost them
    double crossed_sectors = 0;         // loaded by one part of L2 from the other
    std::vector<double> fetched_by;     // of read_sectors and again_sectors, by instruction
    double buffer_sectors = 0, read_buffer_sectors = 0;  // of all buffers touched, and of those read
    // Of read_sectors and of written_sectors, what L2 still has at its first touch when the same launch has just ended.
    struct {
        double reads = 0, writes = 0;
    } left;
    struct Atomics {
        double requests = 0, sectors = 0;
        double busiest_clocks = 0;  // of the slice of L2 that has most to do, or of the way there or back, if that is more
    } atomics;
    struct Swaps {
        std::vector<RecordedSwap> loops;
        const RecordedSwap* of(uint32_t instruction) const;  // null: none
        double beside = 0;  // lanes of the card that change the same word as one does, were all at work in such loops
    } swaps;
    // How much longer L2 takes for stores, as they go to few places: to single words at random in 4 KB an H200 takes 4.5
    // times as long as in 1 MB and more, in 64 KB 2.3 times. As many places as 256 bytes that were stored to equally often.
    double crowded_stores = 1;
};

// Blocks that are recorded may lie closer together than those that one multiprocessor gets, and share in L1 what
// those do not. Of the sectors `first` to `first + count` each of them has its own from here on.
void keep_apart(LaunchRecord& record, uint64_t first, uint64_t count);

struct RecordLimits {
    double l2_sectors = 1;  // that each part of L2 holds
    double l2_kept = 1;     // from launch to launch: up to so many between two touches all stay; of l2_sectors none
    double slices = 1, word_clocks = 1, float_word_clocks = 1;
    double whole_sector_clocks = 1;  // each of whose words one lane changes
    double changed_kept = 0, changed_lost = 0;  // sectors written that all stay; that all go to DRAM; 0: nothing is known
    double store_line_clocks = 0, store_sector_clocks = 0;
    double returned_sector_clocks = 0;  // at best, however many slices it comes from, whose old values are needed
    double side_by_side = 0;  // blocks whose numbers are no further apart begin at about the same time
    double at_once = 0;       // blocks that the card holds; 0: it is not known
    int l2_parts = 1;         // 1 or 2
};

class LaunchRecorder : public StepObserver {
  public:
    // All of them must outlive it; kernel is code's. count_as: by memory instruction (access_of, by PTX instruction,
    // -1 for none), as Counter takes it; or empty.
    LaunchRecorder(const ptx::Kernel& kernel, const TimedCode& code, const Memory& memory,
                   std::span<const CountAs> count_as, std::span<const int> access_of,
                   uint32_t warps_per_block, RecordLimits limits);
    // Of the blocks that are run next: whether their steps are kept.
    void keep(bool keeps) { keeps_ = keeps; }
    bool wants_steps() const override { return keeps_; }
    void on_steps(uint32_t warp, uint32_t first, uint32_t count) override;
    void on_operands(const OperandsEvent& event) override;
    void on_memory(const MemoryEvent& event) override;
    void on_copy_complete(const MemoryEvent&, std::optional<uint32_t>) override {}
    void on_bulk_access(const BulkAccess&) override {}
    void on_bulk_complete(const BulkAccess&, std::optional<uint32_t>) override {}
    void on_warp_end(uint32_t block, uint32_t warp, uint64_t executed) override;
    void on_block_end(uint32_t block) override;
    void on_fault(const Fault& fault) override;
    bool has_fault() const { return has_fault_; }
    LaunchRecord take(double of_blocks);

  private:
    struct Pending {
        RecordedStep step;
        uint64_t place = 0;
    };
    // Which of a block's touches of sectors, counted from 1; here none.
    struct Touches {
        uint32_t first = 1, last = 0;
    };
    struct WarpState {
        std::vector<Pending> window;
        uint32_t next = ~0u;   // the instruction that would follow
        uint32_t begin = ~0u;  // of the stretch of code that is under way
        int turn = 0;          // of the copies that ptxas made of it
        uint32_t stretch = 0;  // which, counted from the warp's begin
        std::vector<uint16_t> seen;
        std::vector<uint32_t> turns;  // of each loop, since the warp came to it
        uint32_t last_access = RecordedStep::kNone, last_instruction = ~0u;
        Touches touches;             // of its access before, in the block
        uint32_t touches_of = ~0u;   // that one
        std::array<uint64_t, 32> element_before{};  // the words of a matrix's element before the present one
        uint32_t asks_from = 0;  // where the sectors begin that the matrix's present machine instruction asks for
        // Loads that are asked for together, before any of them is used, are one round.
        uint32_t loads = ~0u;                           // the last of them
        uint32_t rounds_before = 0, last_round = 0;     // of the turns of loops before this one; of this one
        uint32_t head = ~0u, turns_of_head = 0;         // the load that began this turn, and how many it has begun
        struct {
            uint32_t access = RecordedStep::kNone, mask = 0;
            std::array<uint64_t, 32> from{};
        } copy;  // that has been read and not yet put into shared memory
    };
    struct BufferState {
        uint64_t first = 0, count = 0;      // sectors
        // By part of L2 and sector: its fetches when it last was touched there, and one more; 0: never.
        std::array<std::vector<uint32_t>, 2> touched;
        std::vector<uint32_t> began;        // likewise when it first was; kLoaded too if a load did it
        std::vector<uint8_t> written;       // 0: not; in part or whole
        std::vector<uint32_t> stored;       // its bytes that stores have written
        std::vector<uint32_t> asked_by;     // the block that a load of it was first of, and one more
        std::vector<uint8_t> round;         // of those side by side with that block, the earliest round
        std::vector<uint32_t> last_block, last_turn;  // which block touched it last, and as which of its touches
        // Which block's load was the last to ask L2 for it, as which of its touches, and how many have with it.
        std::vector<uint32_t> asks_block, asks_turn;
        std::vector<uint8_t> asks_with;
        bool is_read = false;
    };
    void go_past(WarpState& warp, uint32_t first, uint32_t last);
    void go_round(WarpState& warp, uint32_t from, uint32_t to);
    void flush(uint32_t warp);
    uint32_t add_access(const MemoryEvent& event, int bytes, const std::array<uint64_t, 32>& addresses);
    uint32_t add(RecordedAccess access);
    void begin_copy(const MemoryEvent& event, uint32_t access);
    void end_copy(const MemoryEvent& event);
    bool give_to_step(uint32_t warp, uint32_t instruction, uint32_t access);
    void on_matrix(const MemoryEvent& event);
    void add_to_matrix(const MemoryEvent& event, const Counts& more, uint32_t asks_from, RecordedAccess& access);
    void take_global(const MemoryEvent& event, int bytes, const std::array<uint64_t, 32>& addresses,
                     RecordedAccess& access);
    void take_line(const BufferState& state, uint64_t at, size_t part);
    size_t part_of_block() const;
    size_t home_of(uint64_t sector) const;
    uint64_t slice_of(uint64_t sector);  // that changes it
    void put_into(BufferState& state, uint64_t at, size_t part, bool is_there);
    bool touch(uint64_t sector, bool is_store, uint32_t stored, bool with_other);
    void collide(const MemoryEvent& event, const std::array<uint64_t, 32>& addresses, int bytes,
                 RecordedAccess& access);
    BufferState* state_of(uint64_t sector);
    CountAs::Executed executed_of(uint32_t instruction) const;
    void find_places();
    void find_rounds();
    bool goes_on_to_copy(WarpState& warp, uint32_t instruction);
    void begin_load(const MemoryEvent& event);
    void ask_together(BufferState& state, uint64_t at);
    void take_store(const BufferState& state, uint64_t at);
    void find_swaps();
    void take_swap(uint32_t instruction, uint32_t mask, const std::array<uint64_t, 32>& addresses);
    void end_swaps();
    void ask(BufferState& state, uint64_t at, bool comes, bool is_second);
    void mark_late();
    bool is_side_by_side(uint32_t a, uint32_t b) const;  // blocks
    bool has(const BufferState& state, uint64_t at, size_t part, double apart, double share) const;
    void begin_touches(uint32_t warp);
    void end_touches(uint32_t warp);
    double apart_to(const BufferState& state, uint64_t at) const;
    bool is_in_l2(const BufferState& state, uint64_t at, size_t near, double apart, double of_far) const;
    double apart_of(BufferState& state, uint64_t at);
    void find_left(double scale);
    double written_in_all(double scale) const;
    double crowded(double more) const;

    const ptx::Kernel& kernel_;
    const TimedCode& code_;
    const Memory& memory_;
    std::span<const CountAs> count_as_;
    std::span<const int> access_of_;
    RecordLimits limits_;
    bool keeps_ = false, has_fault_ = false;
    LaunchRecord record_;
    std::vector<WarpState> warps_;
    std::vector<std::vector<RecordedStep>> done_;
    std::vector<BufferState> buffers_;
    BufferState* recent_ = nullptr;
    std::array<uint32_t, 2> fetches_{};  // into each part of L2
    struct {
        uint32_t block = ~0u, count = 0;  // whose turn it is, and how many sectors it has touched
        double all = 0;                   // of all blocks
        uint32_t instruction = 0;         // whose access is under way
        Touches before, now;  // of the warp whose turn it is: its access before, and this one
    } touches_;
    // By instruction, where it stands in the machine's order, rising: an access where it is made and not where its
    // address is worked out.
    std::vector<std::vector<uint32_t>> places_;
    std::vector<uint32_t> rounds_;  // by instruction, of loads: which stand behind a use of earlier ones
    uint32_t block_ = 0;            // whose access is under way, and in which round
    uint8_t round_ = 0;
    std::vector<std::pair<uint32_t, uint8_t>> asked_;  // by entry of the record's sectors: block, round
    float block_executed_ = 0;
    struct Slice {  // of L2
        double clocks = 0;      // that its atomics take
        uint64_t last = ~0ull;  // the first word that it has changed last
    };
    struct {
        std::vector<Slice> slices;
        double sent = 0, returned = 0;  // clocks that messages to all slices take, and old values back from them
        struct {
            std::unordered_map<uint64_t, double> words;  // how many lanes have changed each
            double lanes = 0, warps = 0;
        } swapped;  // in loops
    } atomics_;
    struct {
        std::vector<uint8_t> instructions;  // whether what it asks for is said to be needed once
        bool is_now = false;                // of the access under way
    } once_;
    // wmma's loads and stores, by instruction.
    std::map<uint32_t, OtherCounts> matrices_;
    struct {
        std::vector<double> pieces;  // clocks of L2, by 256 bytes
        uint64_t line = ~0ull;       // that the access under way has stored to last
    } stores_;
};

}  // namespace lanewise
