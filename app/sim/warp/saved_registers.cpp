#include "sim/warp/saved_registers.h"

#include <bit>

namespace lanewise {

namespace {

// Calls f(word of the lane's share) for each row, in the same order each time; f may change it.
template <class F>
void each_word(Warp& w, const SavedRows& rows, uint32_t lane, F f) {
    for (uint32_t i = 0; i < rows.predicates.count; ++i) {
        uint32_t& mask = w.predicate(rows.predicates.first + i * kPredicateRow);
        uint32_t bit = mask >> lane & 1;
        f(bit);
        mask = (mask & ~(1u << lane)) | bit << lane;
    }
    for (uint32_t i = 0; i < rows.words.count; ++i)
        f(w.words(rows.words.first + i * kWordRow)[lane]);
    for (uint32_t i = 0; i < rows.wides.count; ++i)
        for (uint32_t half = 0; half < 2; ++half)
            f(w.words(rows.wides.first + i * kWideRow)[2 * lane + half]);
}

const SavedRows& rows_of(const Op& op) { return *reinterpret_cast<const SavedRows*>(op.immediate); }

}  // namespace

void run_save_registers(Warp& w, const Op& op) {
    w.saved.resize(kLanes);
    for (uint32_t rest = w.lanes; rest != 0; rest &= rest - 1) {
        auto lane = static_cast<uint32_t>(std::countr_zero(rest));
        each_word(w, rows_of(op), lane, [&](uint32_t& word) { w.saved[lane].push_back(word); });
    }
}

// Taken back from the top, as they were put there.
void run_restore_registers(Warp& w, const Op& op) {
    const SavedRows& rows = rows_of(op);
    size_t words = rows.predicates.count + rows.words.count + 2 * size_t{rows.wides.count};
    for (uint32_t rest = w.lanes; rest != 0; rest &= rest - 1) {
        auto lane = static_cast<uint32_t>(std::countr_zero(rest));
        if (w.saved.size() <= lane || w.saved[lane].size() < words) continue;  // never saved
        size_t next = w.saved[lane].size() - words;
        each_word(w, rows, lane, [&](uint32_t& word) { word = w.saved[lane][next++]; });
        w.saved[lane].resize(w.saved[lane].size() - words);
    }
}

}  // namespace lanewise
