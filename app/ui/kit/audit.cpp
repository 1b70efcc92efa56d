#include "ui/kit/audit.h"

#include <algorithm>

#include "ui/kit/aim.h"

namespace lanewise::ui {

Audit& audit() {
    static Audit audit;
    return audit;
}

Aim& aim() {
    static Aim aim;
    return aim;
}

void Aim::look_at(std::string_view id, Rect where) {
    if (label.empty() || found || !id.starts_with(label)) return;
    found = true;
    box = where;
    constexpr float kMiddle = 0.5f;  // of the window
    const float top = ImGui::GetWindowPos().y, bottom = top + ImGui::GetWindowHeight();
    if (scrolls && (where.y0 < top || where.y1 > bottom))
        ImGui::SetScrollFromPosY((where.y0 + where.y1) / 2 - top, kMiddle);
}

void Audit::clear() {
    texts.clear();
    widgets.clear();
    figures.clear();
    aim().found = false;
}

float area_of(Rect box) { return std::max(0.f, box.x1 - box.x0) * std::max(0.f, box.y1 - box.y0); }

Rect common(Rect a, Rect b) {
    return {std::max(a.x0, b.x0), std::max(a.y0, b.y0), std::min(a.x1, b.x1), std::min(a.y1, b.y1)};
}

// What the current window lets be seen.
static Rect current_clip() {
    const ImDrawList* list = ImGui::GetWindowDrawList();
    ImVec2 low = list->GetClipRectMin(), high = list->GetClipRectMax();
    return {low.x, low.y, high.x, high.y};
}

void Audit::text(std::string_view text, Rect extent, Rect room, ImU32 ink, float pixels) {
    if (!on) return;
    const ImDrawList* list = ImGui::GetWindowDrawList();
    texts.push_back({std::string(text), extent, room, current_clip(), ink, pixels, list,
                     static_cast<unsigned>(list->VtxBuffer.Size)});
}

void Audit::widget(std::string_view id, Rect box, bool enabled) {
    aim().look_at(id, box);
    if (on) widgets.push_back({std::string(id), box, enabled, current_clip()});
}

void Audit::figure(std::string_view id, Rect box) {
    if (on) figures.push_back({std::string(id), common(box, current_clip()), true, {}});
}

namespace {

// Glyphs may touch the edge of their room: a rounded pixel is no fault.
constexpr float kTolerance = 1.5f;

std::string at(const TextRecord& record) {
    auto n = [](float v) { return std::to_string(static_cast<int>(v)); };
    return "\"" + record.text + "\" at " + n(record.extent.x0) + "," + n(record.extent.y0) +
           " to " + n(record.extent.x1) + "," + n(record.extent.y1);
}

bool visible(const TextRecord& r) {
    return r.extent.y1 > r.clip.y0 && r.extent.y0 < r.clip.y1 && r.extent.x1 > r.clip.x0 &&
           r.extent.x0 < r.clip.x1;
}

Rect shown(const TextRecord& r) {
    return {std::max(r.extent.x0, r.clip.x0), std::max(r.extent.y0, r.clip.y0),
            std::min(r.extent.x1, r.clip.x1), std::min(r.extent.y1, r.clip.y1)};
}

}  // namespace

std::vector<std::string> text_faults(const Audit& audit) {
    std::vector<std::string> faults;
    auto inside = [](const Rect& a, const Rect& b) {
        return a.x0 >= b.x0 - kTolerance && a.x1 <= b.x1 + kTolerance &&
               a.y0 >= b.y0 - kTolerance && a.y1 <= b.y1 + kTolerance;
    };
    std::vector<const TextRecord*> seen;
    for (const TextRecord& record : audit.texts) {
        if (record.extent.x1 <= record.extent.x0) continue;
        if (!inside(record.extent, record.room)) faults.push_back(at(record) + " leaves its room");
        if (!visible(record)) continue;
        if (record.extent.x0 < record.clip.x0 - kTolerance ||
            record.extent.x1 > record.clip.x1 + kTolerance)
            faults.push_back(at(record) + " is cut off sideways");
        seen.push_back(&record);
    }
    for (size_t i = 0; i < seen.size(); ++i)
        for (size_t j = i + 1; j < seen.size(); ++j) {
            Rect a = shown(*seen[i]), b = shown(*seen[j]);
            // Line boxes hold room above and below the glyphs, which neighbours may share.
            float slack = 0.25f * std::min(a.y1 - a.y0, b.y1 - b.y0) + kTolerance;
            if (std::min(a.x1, b.x1) - std::max(a.x0, b.x0) > kTolerance &&
                std::min(a.y1, b.y1) - std::max(a.y0, b.y0) > slack)
                faults.push_back(at(*seen[i]) + " lies over " + at(*seen[j]));
        }
    return faults;
}

}  // namespace lanewise::ui
