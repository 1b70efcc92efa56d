// Figures that others published: assets/recordings/published/<card>.json, one file per card. They
// are quoted, with source and caveat, beside what this program measured; nothing is derived from
// them.
#pragma once
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace lanewise {

inline constexpr int kPublishedSchema = 1;

struct PublishedFigure {
    std::string card;                  // "NVIDIA A100-SXM4-80GB"
    double datasheet_gb_per_s = 0;     // of that card; 0 where the card is not known
    std::string source_title, source;  // "Matrix Transpose: …", "CUDA Kernel Engineering, part 18"
    std::string name;                  // as published: "V3: tiled and padded"
    std::string stage;                 // the stage that does the same; it need not exist here
    std::string operation, type;       // "transpose", "f32"
    int64_t rows = 0, cols = 0;        // 0 where the source does not say
    double value = 0;
    // "GB/s", "% of datasheet"; of products "GFLOP/s", "ms", "times naive", "% of peak" (of what
    // does the arithmetic), "% zeros"
    std::string unit;
    std::string caveat;  // what a reader has to know before comparing; "" where nothing
    int64_t inner = 0;   // K of a product; 0 where the source does not say, and of all else
};

// "1,710 GB/s on NVIDIA A100-SXM4-80GB, published in “…” (…). Caveat."
std::string in_words(const PublishedFigure& figure);

// Throws Error(bad_input) naming the file, the figure and what is wrong.
std::vector<PublishedFigure> read_published(const std::filesystem::path& file);

// Of every readable file of a folder, in the files' order by name; unreadable ones are named in
// `problems` and skipped. A folder that is not there has none.
std::vector<PublishedFigure> read_all_published(const std::filesystem::path& folder,
                                                std::vector<std::string>& problems);

// In GB/s, of this stage, type and shape; a figure without a shape fits none.
std::vector<PublishedFigure> published_for(const std::vector<PublishedFigure>& all,
                                           const std::string& stage, const std::string& type,
                                           int64_t rows, int64_t cols);

}  // namespace lanewise
