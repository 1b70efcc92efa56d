// A launch from grid to lane, one picture below the other.
#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "figure/access/zoom_figure.h"
#include "figure/drawing/marks.h"
#include "figure/machine/machine_figure.h"

namespace lanewise {

Drawing launch_figure(const LaunchFigureInput& in, const Measure& measure) {
    Drawing figure;
    figure.width = in.width;
    const Drawing block = block_figure({in.block, in.warp, in.lane, in.width}, measure);
    const Drawing grid = grid_figure({in.grid, in.block, in.chosen, in.width}, measure);
    float y = paragraph(figure, {0, 0}, in.width,
                        fmt::format("Lane {} of warp {} in block {} copies element {}.", in.lane,
                                    in.warp, with_thousands(in.chosen), with_thousands(in.element)),
                        kTitleSize, Fill::of(Ink::text), measure, Font::bold);
    if (!in.numbers.empty()) {
        y = paragraph(figure, {0, y}, in.width, in.expression, kBodySize, Fill::of(Ink::text),
                      measure, Font::mono);
        y = paragraph(figure, {0, y}, in.width, "= " + in.numbers, kBodySize, Fill::of(Ink::accent),
                      measure, Font::mono);
    }
    const float spare = std::max(0.f, in.height - y - block.height - grid.height);
    const float between = std::clamp(spare / 2, 12.f, 40.f);
    figure.add(block, {0, y + between});
    y += between + block.height;
    figure.add(grid, {0, y + between});
    figure.height = y + between + grid.height;
    return figure;
}

}  // namespace lanewise
