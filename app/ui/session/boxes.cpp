#include "ui/session/boxes.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace lanewise::ui {
namespace {

using Json = nlohmann::json;

Json box_of(const char* kind, const std::string& label, Rect box) {
    return {{"kind", kind}, {"label", label},       {"x", box.x0},
            {"y", box.y0},  {"w", box.x1 - box.x0}, {"h", box.y1 - box.y0}};
}

}  // namespace

std::string boxes_as_json(const Audit& audit) {
    std::vector<const WidgetRecord*> figures;
    for (const WidgetRecord& each : audit.figures)
        if (area_of(each.box) > 0) figures.push_back(&each);
    std::stable_sort(figures.begin(), figures.end(),
                     [](auto* a, auto* b) { return area_of(a->box) > area_of(b->box); });
    Json all = Json::array();
    for (const WidgetRecord* each : figures) all.push_back(box_of("figure", each->id, each->box));
    for (const WidgetRecord& each : audit.widgets) {
        Rect seen = common(each.box, each.clip);
        if (area_of(seen) > 0) all.push_back(box_of("widget", each.id, seen));
    }
    for (const TextRecord& each : audit.texts) {
        Rect seen = common(each.extent, each.clip);
        if (area_of(seen) > 0) all.push_back(box_of("text", each.text, seen));
    }
    return all.dump(1) + "\n";
}

std::string texts_as_json(const Audit& audit) {
    Json all = Json::array();
    for (const TextRecord& each : audit.texts) all.push_back(each.text);
    return all.dump(1) + "\n";
}

}  // namespace lanewise::ui
