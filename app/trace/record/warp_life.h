// The life of one warp of a traced block: every access and every barrier in the order in which the
// warp came to it, with the places where something new begins. What a scrubber runs over.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "trace/report.h"

namespace lanewise {

enum class Moment : uint8_t { load, shared_store, barrier, shared_load, store, other };

struct LifeStep {
    Moment moment = Moment::other;
    int access = -1;   // index into BlockTrace::accesses; -1: a barrier, or one of another kind
    int copy = -1;     // index into BlockTrace::copies; -1: of another kind, or it was not kept
    int shuffle = -1;  // index into BlockTrace::shuffles; -1: of another kind
    int round = 0;  // of a shuffle: how often its warp has changed partners so far, from 1; else 0
    int row = -1;   // its place among the warp's accesses to that space; -1 likewise
    int line = 0;   // of the source; 0 where unknown
    int cost = 0, ideal = 0;  // sectors (global, a copy's) or wavefronts (shared) of an access
    bool chapter = false;     // the first of its moment since the last barrier
    TracedMark::Kind mark = TracedMark::Kind::barrier;  // where there is no access
    bool is_shared() const {
        return moment == Moment::shared_load || moment == Moment::shared_store;
    }
};

// In order; empty where the block has no such warp.
std::vector<LifeStep> warp_life(const BlockTrace& block, const Report& report, uint32_t warp);

// Of a barrier, or of an access of another kind than plain.
LifeStep step_of(const BlockTrace& block, const TracedMark& mark);

// Marks where each moment begins anew, those of another kind each by its own; a barrier begins
// everything anew.
void find_chapters(std::vector<LifeStep>& life);

// "load", "store to tile", "sync", "read", "write"; of an access of another kind, that kind.
std::string name_of(const LifeStep& step);

// The next chapter after `step`, or the one that begins before it; the last (first) step where
// there is none. `life` is not empty.
int next_chapter(const std::vector<LifeStep>& life, int step);
int previous_chapter(const std::vector<LifeStep>& life, int step);

// The step of `other` at which another setting's warp is at the same point of the story: as far
// into the same moment, that is as many of it before, or the last where it has fewer; -1 where it
// has no such moment.
int same_step(const std::vector<LifeStep>& life, int step, const std::vector<LifeStep>& other);

}  // namespace lanewise
