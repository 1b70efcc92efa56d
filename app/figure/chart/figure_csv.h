// The figures that are no charts as tables: the numbers that they show, a comment above.
#pragma once
#include <string>

#include "figure/access/forge_figure.h"
#include "figure/chart/issues_figure.h"
#include "figure/flow/bytes_figure.h"
#include "figure/flow/flow_figure.h"
#include "figure/product/fragment_figure.h"
#include "figure/product/mismatch_figure.h"
#include "figure/product/reuse_figure.h"
#include "figure/product/walk_figure.h"
#include "trace/record/block_timeline.h"

namespace lanewise {

// Each begins with `title`, as chart_csv() does. A row is
std::string flow_csv(const FlowFigureInput& input, const std::string& title);  // a step
// an access or a barrier of a warp
std::string timeline_csv(const BlockTimeline& timeline, const std::string& title);
// two levels of memory
std::string bytes_csv(const BytesFigureInput& input, const std::string& title);
std::string issues_csv(const IssuesFigureInput& input, const std::string& title);  // an issue
// a block and a matrix
std::string block_order_csv(const BlockOrderFigureInput& input, const std::string& title);
std::string forge_csv(const ForgeFigureInput& input, const std::string& title);        // an element
std::string fragment_csv(const FragmentFigureInput& input, const std::string& title);  // one held
std::string reuse_csv(const ReuseFigureInput& input, const std::string& title);        // an element
std::string walk_csv(const TileWalk& walk, const std::string& title);                  // a step
std::string mismatch_csv(const MismatchMap& map, const std::string& title);  // a wrong cell

}  // namespace lanewise
