#include "ui/session/audience_picture.h"

#include <cmath>
#include <functional>
#include <string_view>

#include "ui/class/audience.h"
#include "ui/desk/tools.h"

namespace lanewise::ui {
namespace {

size_t fingerprint(const ImDrawData& data) {
    size_t all = std::hash<float>()(data.DisplaySize.x + 7919 * data.DisplaySize.y);
    for (int n = 0; n < data.CmdListsCount; ++n) {
        const ImVector<ImDrawVert>& vertices = data.CmdLists[n]->VtxBuffer;
        const std::string_view bytes(reinterpret_cast<const char*>(vertices.Data),
                                     sizeof(ImDrawVert) * static_cast<size_t>(vertices.Size));
        all = 31 * all + std::hash<std::string_view>()(bytes);
    }
    return all;
}

}  // namespace

bool AudiencePicture::draw(AudienceScreen& screen, App& app, int width, int height, float density) {
    screen.fit(width, height);
    renderer_.upload_fonts();
    screen.build(app);
    const ImDrawData& data = *ImGui::GetDrawData();
    const int wide = static_cast<int>(std::lround(static_cast<float>(width) * density));
    const int high = static_cast<int>(std::lround(static_cast<float>(height) * density));
    const bool resized = !target_ || !target_->is(wide, high);
    if (resized) target_ = std::make_unique<OffscreenTarget>(wide, high);
    target_->use();
    renderer_.draw(data);
    if (Audience* audience = app.tools->presenter.audience.get())
        audience->picture = target_->texture();
    const size_t now = fingerprint(data), before = drawn_;
    drawn_ = now;
    return resized || now != before;
}

}  // namespace lanewise::ui
