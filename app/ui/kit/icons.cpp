#include "ui/kit/icons.h"

#include <algorithm>
#include <span>

namespace lanewise::ui {
namespace {

struct Stroke {
    ImVec2 points[6];  // on the grid
    int count;
    bool closed = false;
};

const Stroke kFiles[] = {
    {{{3, 19}, {3, 5}, {9, 5}, {11, 8}, {21, 8}, {21, 19}}, 6, true},
};
const Stroke kIssues[] = {
    {{{12, 4}, {21, 20}, {3, 20}}, 3, true},
    {{{12, 10}, {12, 14}}, 2},
    {{{12, 17}, {12, 17.6f}}, 2},
};
const Stroke kAccesses[] = {
    {{{12, 3}, {21, 8}, {12, 13}, {3, 8}}, 4, true},
    {{{3, 12}, {12, 17}, {21, 12}}, 3},
    {{{3, 16}, {12, 21}, {21, 16}}, 3},
};
const Stroke kCompare[] = {
    {{{3, 5}, {10, 5}, {10, 19}, {3, 19}}, 4, true},
    {{{14, 5}, {21, 5}, {21, 19}, {14, 19}}, 4, true},
    {{{14, 12}, {21, 12}}, 2},
};
const Stroke kRuns[] = {
    {{{4, 20}, {4, 4}}, 2},
    {{{4, 20}, {21, 20}}, 2},
    {{{7, 15}, {11, 10}, {15, 13}, {20, 6}}, 4},
};
const Stroke kForge[] = {
    {{{9, 3}, {15, 3}}, 2},
    {{{10, 3}, {10, 9}, {4, 20}, {20, 20}, {14, 9}, {14, 3}}, 6},
    {{{7, 15}, {17, 15}}, 2},
};
const Stroke kStep[] = {
    {{{4, 4}, {4, 20}}, 2},
    {{{9, 7}, {17, 12}, {9, 17}}, 3, true},
    {{{20, 4}, {20, 20}}, 2},
};
const Stroke kLayout[] = {
    {{{3, 4}, {21, 4}, {21, 20}, {3, 20}}, 4, true},
    {{{9, 4}, {9, 20}}, 2},
    {{{9, 13}, {21, 13}}, 2},
};
const Stroke kApart[] = {
    {{{13, 5}, {4, 5}, {4, 20}, {19, 20}, {19, 11}}, 5},
    {{{11, 13}, {20, 4}}, 2},
    {{{15, 4}, {20, 4}, {20, 9}}, 3},
};
const Stroke kClose[] = {{{{6, 6}, {18, 18}}, 2}, {{{18, 6}, {6, 18}}, 2}};

std::span<const Stroke> strokes_of(Icon icon) {
    switch (icon) {
        case Icon::files:
            return kFiles;
        case Icon::issues:
            return kIssues;
        case Icon::accesses:
            return kAccesses;
        case Icon::compare:
            return kCompare;
        case Icon::runs:
            return kRuns;
        case Icon::forge:
            return kForge;
        case Icon::step:
            return kStep;
        case Icon::layout:
            return kLayout;
        case Icon::close:
            return kClose;
        case Icon::apart:
            return kApart;
    }
    return {};
}

}  // namespace

void draw_icon(ImDrawList& list, Icon icon, ImVec2 center, float size, ImU32 ink) {
    constexpr float kGrid = 24, kWidth = 1.8f;
    const float unit = size / kGrid;
    for (const Stroke& stroke : strokes_of(icon)) {
        list.PathClear();
        for (int i = 0; i < stroke.count; ++i)
            list.PathLineTo(ImVec2(center.x + (stroke.points[i].x - kGrid / 2) * unit,
                                   center.y + (stroke.points[i].y - kGrid / 2) * unit));
        list.PathStroke(ink, stroke.closed ? ImDrawFlags_Closed : 0, std::max(1.f, kWidth * unit));
    }
}

}  // namespace lanewise::ui
