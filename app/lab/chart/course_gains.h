// In what order a course's core gained, and what did not pay: from the recordings. No file access.
#pragma once
#include <span>
#include <string>
#include <vector>

#include "course/ending.h"
#include "figure/drawing/figures.h"
#include "lab/record/recording.h"

namespace lanewise {

// As the course has it: its first type, its default knobs.
SetStage as_the_course_has(const Stage& stage);

// At the size at which its operation was measured most; null where that is not in the recording, or
// its result was wrong.
const Measurement* recorded(const Recording& recording, const Stage& stage, const SetStage& at);

// By what each reached of the copy (of products: of cuBLAS) in its own rounds; two types have
// different ones, and are compared by their speeds.
double times_as_fast(const Measurement& one, const Measurement& other);

struct Rung {
    const Stage* stage = nullptr;
    const Measurement* measured = nullptr;  // in its recording
    double factor = 0;                      // times the fastest rung before; 0 of the first
    size_t fastest_before = 0;
};

inline constexpr double kWorthSaying = 1.05;  // a factor below it is no gain that one would notice

struct CourseGains {
    std::string card, date;  // of the recording; empty: nothing was recorded
    std::string unit;        // "GB/s"
    std::string size;        // "4,096 × 4,096"
    // The course's core in the path's order, as far as it was recorded, without the copies that
    // the others are measured by.
    std::vector<Rung> rungs;
    std::vector<size_t> by_gain;  // of `rungs`: the factors worth saying, the largest first
    std::vector<size_t> alike;    // those faster than all before, but by less
};

// Of the first recording that has at least two rungs of the course's core. The recordings and the
// stages must outlive it.
CourseGains course_gains(const Path& path, const std::vector<Stage>& stages,
                         std::span<const Recording> recordings, const std::string& course);

// "Recorded on NVIDIA H200: 2,731 GB/s, against 2,807 without it." Of the first recording that has
// both; empty where none has.
std::string not_worth_sentence(const NotWorth& row, const std::vector<Stage>& stages,
                               std::span<const Recording> recordings);

// "Padded tile: 2.1 times as fast as “Tile in shared memory”" for each of `by_gain`; then, where
// there are any, those alike: "Less than 5 % each: 16 bytes on both sides".
std::vector<std::string> gain_sentences(const CourseGains& gains);

// The rungs as bars, each with its factor; a click means stage:ID.
LadderFigureInput gains_figure_input(const CourseGains& gains, float width);

}  // namespace lanewise
