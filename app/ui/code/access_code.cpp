// Below a figure, where a large window leaves room: the code of the access that it shows.
#include <algorithm>

#include "ui/code/code_panes.h"
#include "ui/instrument/step.h"
#include "ui/kit/widgets.h"
#include "ui/plain/frame_text.h"
#include "ui/state/views.h"

namespace lanewise::ui {
namespace {

constexpr float kLeastCodeHeight = 190, kGap = 20, kLeastCompiled = 210;  // points
constexpr int kMostAround = 12;  // lines above and below the access's own
constexpr size_t kMostOperations = 6;

// The access's PTX, and what of it runs.
void draw_compiled(const App& app, const AccessRow& access) {
    const CodeListing& code = app.arrived.picture->code;
    TextStyle mono{11, Ink::text, Font::mono}, dim{11, Ink::text_dim, Font::text};
    int ptx_line = 0;
    for (const PtxRow& row : code.ptx)
        if (row.access == static_cast<int>(access.instruction)) {
            ptx_line = row.line;
            line(frame_text("PTX   {}", row.text), mono);
        }
    size_t listed = 0;
    for (const SassRow& row : code.sass) {
        if (row.ptx_line != ptx_line || ptx_line == 0 || listed++ >= kMostOperations) continue;
        std::string guard = row.predicate.empty() ? "" : row.predicate + " ";
        line(frame_text("SASS  {}{}   {} B a lane{}{}", guard, row.opcode, row.bytes_per_lane,
                        row.relation.empty() ? "" : ", ", row.relation),
             mono);
    }
    if (code.sass.empty() && !code.remark.empty())
        paragraph(code.remark, dim);
    else if (listed == 0)
        paragraph("No operation of the SASS is its own: another one's does its work.", dim);
    if (listed > kMostOperations) line(frame_text("… and {} more", listed - kMostOperations), dim);
    auto found = app.derived.code_of.find(access.line);
    if (found == app.derived.code_of.end()) return;
    for (const std::string& note : found->second.notes) paragraph("This line, " + note, dim);
}

// How wide the source is drawn: so that the access's own line is whole, where that leaves room
// for what it becomes.
float source_width(const App& app, int line_number, float width) {
    float least = (width - px(kGap)) * 0.6f, most = width - px(kGap + kLeastCompiled);
    return std::max(least, std::min(excerpt_width(app, line_number), most));
}

}  // namespace

void draw_access_code(App& app) {
    const LifeStep* moment = shown_moment(app);
    float room = ImGui::GetContentRegionAvail().y;
    if (!moment || moment->row < 0 || room < px(kLeastCodeHeight)) return;
    const AccessRow& access =
        app.derived.rows_of[moment->is_shared()][static_cast<size_t>(moment->row)];
    gap(10);
    rule();
    gap(10);
    float width = available(), source = source_width(app, access.line, width);
    float height = ImGui::GetContentRegionAvail().y - px(8);
    auto lines = static_cast<int>((height - px(24)) / line_height({12, Ink::text, Font::mono}));
    ImGui::BeginChild("source of the access", ImVec2(source, height), false,
                      ImGuiWindowFlags_NoNavInputs | ImGuiWindowFlags_NoScrollWithMouse);
    line(frame_text("LINE {} OF {}", access.line, app.stage().file), kCaption);
    gap(2);
    draw_source_excerpt(app, access.line, std::clamp((lines - 1) / 2, 1, kMostAround));
    ImGui::EndChild();
    same_line(kGap);
    ImGui::BeginChild("code of the access", ImVec2(width - source - px(kGap), height), false,
                      ImGuiWindowFlags_NoNavInputs);
    line("WHAT IT BECOMES", kCaption);
    gap(2);
    draw_compiled(app, access);
    gap(8);
    if (button("to code", "Show in the code", {.tooltip = "Source, PTX and SASS  (3)"})) {
        choose_line(app, access.line);
        choose_view(app, "code");
    }
    flow("Step to it");
    if (button("to step", "Step to it",
               {.tooltip = "To the moment before this warp first comes to this line"}))
        step_to_line(app, access.line);
    ImGui::EndChild();
}

}  // namespace lanewise::ui
