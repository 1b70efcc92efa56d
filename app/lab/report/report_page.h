// The figures of a report, each once: on the page and as a file of its own. Private to the report.
#pragma once
#include <string>
#include <vector>

#include "figure/drawing/drawing.h"
#include "lab/report/report.h"

namespace lanewise {

struct ReportFigure {
    std::string stage;    // "" for the ladder; kProductCharts for those of all products
    std::string file;     // "30_padded-banks-1", without its ending
    std::string caption;  // one sentence
    Drawing drawing;
};

inline constexpr const char* kProductCharts = "matmul";

// The ladder, then each stage's figures in reading order.
std::vector<ReportFigure> report_figures(const ReportInput& input);

// The published figures of the report's shape and type beside ours; "" where there are none.
std::string published_html(const ReportInput& input);

// The products, at every shape that was measured; "" where the report has none.
std::string products_html(const ReportInput& input);
// What others published of products beside ours; "" where nothing is known.
std::string published_products_html(const ReportInput& input);
// Of a product " at M x N x K", the shape that its model is of; "" of all else.
std::string shape_modelled(const ReportStage& entry);
// What was measured of one product, in words.
std::string product_words(const ReportStage& entry);

}  // namespace lanewise
