// The whole ladder as one HTML page: every stage's aim, source, counts,
// pictures and measurements, each number with where it comes from. Reads well on paper too.
#pragma once
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "course/catalogue.h"
#include "course/lesson.h"
#include "figure/chart/chart.h"
#include "figure/product/mismatch_figure.h"
#include "lab/flow/product_pictures.h"
#include "lab/job/results.h"
#include "lab/record/published.h"
#include "lab/record/recording.h"

namespace lanewise {

// What the report says about one stage. Finished data: html_report computes nothing.
struct ReportStage {
    Stage stage;
    Lesson lesson;                        // empty title where the stage has none
    std::string error;                    // why there is no analysis; empty when fine
    Analysis analysis;                    // counts of the whole launch
    std::optional<MismatchMap> mismatch;  // where its result is wrong
    std::optional<Picture> picture;       // one block of it
    std::optional<Picture> comparison;    // the same block without padding, or of stage.compare
    std::string picture_title, comparison_title;  // "PAD = 1", "PAD = 0"
    std::optional<Measurement> measurement;
    bool live = false;       // measured in this run, else recorded
    SweepFigureInput sweep;  // its recorded settings; no cells where there are none
    // Of a product: every shape that was measured at these knobs, the least work first.
    // `measurement` is the last of them, while the analysis is of a cube small enough to interpret.
    std::vector<Measurement> sizes;
    std::optional<ProductPictures> product;  // of a product that can be interpreted
};

// Of all stages together.
struct ReportChart {
    std::string file, title;  // "chart-sizes"; "GB/s by size"
    std::string caption;      // one sentence
    ChartInput chart;
};

struct ReportInput {
    int64_t rows = 0, cols = 0;
    std::string type = "f32";
    std::vector<ReportStage> stages;          // in ladder order
    std::vector<PublishedFigure> published;   // all that are known
    std::vector<ReportChart> charts;          // of the transposes
    std::vector<ReportChart> product_charts;  // empty where no product was measured
};

// What is known of one stage at its default knobs (of a product whose sides are at most 256 long),
// in its first type where it does not offer `type`. Never throws: what fails is the entry's
// `error`.
ReportStage gather_stage(const Catalogue& catalogue, const Stage& stage,
                         const std::vector<Recording>& recordings, int64_t rows, int64_t cols,
                         const std::string& type = "f32",
                         const std::vector<Measurement>& live = {});

// Interprets every rung (not the exercises, nor what needs a square matrix where this is none) at
// its default knobs (some 0.2 s a stage at 4096 x 4096) and finds its measurement: the one of
// `live`, else the recorded one. A stage that fails keeps its `error` and stops nothing else.
ReportInput gather_report(const Catalogue& catalogue, const std::vector<Recording>& recordings,
                          int64_t rows, int64_t cols, const std::vector<Measurement>& live = {});

// One page, which needs no script. Charts of all stages stand in it; the pictures of each stage are
// files beside it, which a browser loads when the reader comes to them.
std::string html_report(const ReportInput& input);

// Gathers, then writes index.html and each figure again as an .svg into `out` (created where missing);
// stages whose figures look the same share one. Returns the path of index.html. Throws Error(bad_input) where it cannot write.
std::filesystem::path write_report(const std::filesystem::path& out, const Catalogue& catalogue,
                                   const std::vector<Recording>& recordings, int64_t rows = 4096,
                                   int64_t cols = 4096, const std::vector<Measurement>& live = {});

}  // namespace lanewise
