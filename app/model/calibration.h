// What the micro-benchmarks took on a card, from `lanewise-engine calibrate --out FILE.csv`; the
// constants of the bandwidth model are fitted to it (model/fit.h).
#pragma once
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace lanewise {

// One micro-benchmark (lab/micro/microbench.h): what was launched, and how long a launch took.
struct CalibrationRow {
    std::string name;    // what it is about: "dram_read"
    std::string kernel;  // name expression: "micro_read<uint4, 4, 1>"
    double blocks = 0, threads = 0, blocks_per_sm = 0;
    uint64_t bytes = 0, a = 0, b = 0;  // the kernel's parameters
    double work = 0;                   // of one launch, in the row's unit
    double us = 0;                     // median

    // Of the kernel's template arguments the one at `index`; "" where there are fewer.
    std::string argument(size_t index) const;
    int number(size_t index) const;  // the same as a number; 0 where it is none
};

struct Calibration {
    std::string card;  // "NVIDIA H200"
    std::vector<CalibrationRow> rows;
};

// Throws Error(bad_input) naming the line and what is wrong with it. `name` is for messages.
Calibration parse_calibration(std::string_view csv, const std::string& name);
Calibration read_calibration(const std::filesystem::path& file);

}  // namespace lanewise
