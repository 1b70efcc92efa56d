// L1 of a multiprocessor: lines of 128 bytes of four sectors, of which those that were asked for or written are there.
// Sweeps of loads and stores counted on an H200 say which lines go first (tests/model/fixtures/l1_sweeps.csv):
//   - A line that is touched again, by a hit, by a store, or for another of its sectors, goes after all that were
//     touched once, however much of these comes: 128 KB stay beside 8 MB that stream through.
//   - Of such lines there are no more than three quarters of what L1 has beyond 48 KB; the one untouched for longest is
//     then as if touched once, just now. Of those touched once the oldest goes first.
//   - Stores take lines as loads do, and who loads what the multiprocessor has written finds it.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <list>
#include <unordered_map>

namespace lanewise {

class FirstLevel {
  public:
    // Of so many bytes; 0: nothing stays.
    explicit FirstLevel(double bytes);
    // Before the sectors of an access (addresses / 32, those of a line one after another): a line counts as touched once
    // however many sectors of it an access asks for.
    void begin_access() { last_ = kNone; }
    // When the sector is there; negative where it is not and was not asked for.
    double find(uint64_t sector);
    // Takes a place for it. when: negative where a store has written part of a sector, which is not there by that.
    void put(uint64_t sector, double when);

  private:
    static constexpr uint64_t kNone = ~0ull;
    struct Line {
        std::array<double, 4> when = {-1, -1, -1, -1};
        std::list<uint64_t>::iterator place;
        bool is_again = false;
    };
    void touch_again(uint64_t number, Line& line);
    size_t lines_, most_again_;
    uint64_t last_ = kNone;  // the line that this access touched last
    std::unordered_map<uint64_t, Line> held_;
    std::list<uint64_t> once_, again_;  // the latest first
};

}  // namespace lanewise
