// What the kernel printed: in the machine, thread by thread, and on the GPU.
#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "ui/kit/widgets.h"
#include "ui/state/views.h"

namespace lanewise::ui {
namespace {

constexpr float kRow = 18;
constexpr int kRowsShown = 8;
constexpr TextStyle kPrintedText{11, Ink::text, Font::mono};

// A list of which only what is in sight is drawn; row(i) gives the text and its tooltip.
template <class RowOf>
void draw_list(const char* id, size_t count, RowOf row_of) {
    float height = px(kRow) * static_cast<float>(std::min<size_t>(count, kRowsShown));
    ImGui::BeginChild(id, ImVec2(available(), height), false, ImGuiWindowFlags_NavFlattened);
    ImGuiListClipper clipper;
    clipper.Begin(static_cast<int>(count), px(kRow));
    while (clipper.Step())
        for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; ++i) {
            ImVec2 at = ImGui::GetCursorScreenPos();
            auto [text, hint] = row_of(static_cast<size_t>(i));
            float width = available();
            std::string shown = elided(text, kPrintedText, width);
            draw_text(ImVec2(at.x, at.y + px(2)), shown, kPrintedText,
                      {at.x, at.y, at.x + width, at.y + px(kRow)});
            ImGui::InvisibleButton(fmt::format("{}:{}", id, i).c_str(), ImVec2(width, px(kRow)));
            tooltip(shown == text ? hint : text + (hint.empty() ? "" : "\n" + hint));
        }
    clipper.End();
    ImGui::EndChild();
}

void draw_of_machine(const App& app) {
    section("PRINTED");
    draw_list("printed", app.derived.printed.size(), [&](size_t i) {
        return std::pair<std::string, std::string>(app.derived.printed[i].text,
                                                   app.derived.printed[i].who);
    });
    std::string scope = app.arrived.analysis ? "the whole launch" : "this block";
    std::string count =
        fmt::format("{} {} of {}, interpreted", with_thousands(app.derived.printed_total),
                    app.derived.printed_total == 1 ? "printf" : "printfs", scope);
    if (app.derived.printed_total > kMostPrinted)
        count += fmt::format("; the first {} are kept", with_thousands(kMostPrinted));
    paragraph(count + ".", kDim);
}

void draw_of_gpu(const PrintedOnGpu& printed) {
    section("PRINTED ON THE GPU");
    draw_list("printed on the GPU", printed.lines.size(),
              [&](size_t i) { return std::pair<std::string, std::string>(printed.lines[i], ""); });
    if (printed.bytes > printed.kept)
        paragraph(fmt::format("The first {} of {}, over all launches of the run.",
                              in_bytes(printed.kept), in_bytes(printed.bytes)),
                  kDim);
    else
        paragraph("Over all launches of the run.", kDim);
}

}  // namespace

void draw_printed(App& app) {
    if (!app.derived.printed.empty()) draw_of_machine(app);
    if (!app.arrived.printed_on_gpu.lines.empty()) draw_of_gpu(app.arrived.printed_on_gpu);
}

}  // namespace lanewise::ui
