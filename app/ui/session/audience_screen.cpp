#include "ui/session/audience_screen.h"

#include <cfloat>
#include <utility>

#include "ui/class/audience.h"
#include "ui/desk/tools.h"
#include "ui/imgui/imgui_compat.h"
#include "ui/look/glyphs.h"
#include "ui/look/other_look.h"
#include "ui/session/session.h"

namespace lanewise::ui {
namespace {

Audit& drawn() {
    static Audit one;
    return one;
}

}  // namespace

const Audit& audience_audit() { return drawn(); }

AudienceScreen::Turn::Turn(AudienceScreen& screen) : context_(ImGui::GetCurrentContext()) {
    screen.theme_ = look().theme;
    ImGui::SetCurrentContext(screen.context_);
    look_ = use_look(&screen.look_);
}

AudienceScreen::Turn::~Turn() {
    use_look(look_);
    ImGui::SetCurrentContext(context_);
}

AudienceScreen::AudienceScreen() {
    const ImGuiConfigFlags flags = ImGui::GetIO().ConfigFlags;
    ImGuiContext* const first = ImGui::GetCurrentContext();
    context_ = ImGui::CreateContext();
    ImGui::SetCurrentContext(context_);
    ImGuiIO& io = ImGui::GetIO();
    io.IniFilename = nullptr;
    io.ConfigFlags = flags;
    io.ConfigInputTextCursorBlink = false;
    map_keys();
    look_.fonts = std::make_unique<Fonts>();
    look_.theme.clear();  // none is set in this context
    ImGui::SetCurrentContext(first);
}

AudienceScreen::~AudienceScreen() {
    look_.fonts.reset();
    ImGui::DestroyContext(context_);
}

void AudienceScreen::fit(int width, int height) {
    ImGui::GetIO().DisplaySize = ImVec2(static_cast<float>(width), static_cast<float>(height));
    if (look().theme != theme_) set_theme(theme_);
    fit_audience();
    if (glyphs_ != glyphs_wanted()) look().fonts_changed = true;
    glyphs_ = glyphs_wanted();
}

// Where the teacher points at the small slide, the pointer is here.
void AudienceScreen::point(App& app) {
    const ImVec2 kNowhere(-FLT_MAX, -FLT_MAX);
    Audience* audience = app.tools->presenter.audience.get();
    const ImVec2 screen = ImGui::GetIO().DisplaySize;
    const bool over = audience && audience->over;
    if (over) {
        send_pointer({audience->x * screen.x, audience->y * screen.y});
        send_button(audience->held);
        if (audience->wheel != 0) send_wheel(audience->wheel);
    } else if (pointed_) {
        send_pointer(kNowhere);
        send_button(false);
    }
    if (audience) audience->wheel = 0;
    pointed_ = over;
}

// While a text field here has the keyboard, the first window's keys are this one's.
void AudienceScreen::take_keys(App& app) {
    Audience* audience = app.tools->presenter.audience.get();
    const bool given = audience && audience->keys;
    if (given) give_keys(*audience->keys);
    if (!given && typed_) give_keys({});
    if (audience) audience->keys.reset();
    typed_ = given;
}

void AudienceScreen::build(App& app) {
    drawn().on = audit().on;
    drawn().clear();
    std::swap(audit(), drawn());
    const uint64_t glyphs = glyphs_wanted();
    point(app);
    take_keys(app);
    ImGui::NewFrame();
    if (Audience* audience = app.tools->presenter.audience.get())
        if (std::exchange(audience->leaves_text, false)) release_active_item();
    ImGui::SetNextWindowPos(ImVec2(0, 0));
    ImGui::SetNextWindowSize(ImGui::GetIO().DisplaySize);
    ImGui::Begin("Audience", nullptr,
                 ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                     ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoNavInputs |
                     ImGuiWindowFlags_NoScrollWithMouse);
    draw_audience(app);
    ImGui::End();
    ImGui::Render();
    std::swap(audit(), drawn());
    if (Audience* audience = app.tools->presenter.audience.get()) {
        audience->width = ImGui::GetIO().DisplaySize.x;
        audience->height = ImGui::GetIO().DisplaySize.y;
        audience->takes_text = ImGui::GetIO().WantTextInput;
    }
    if (glyphs == glyphs_wanted()) return;
    Look* const own = use_look(nullptr);
    look().fonts_changed = true;
    use_look(own);
}

const Audit& AudienceScreen::frame_unseen(App& app, int width, int height) {
    Turn turn(*this);
    fit(width, height);
    bake_fonts_unseen();
    build(app);
    return drawn();
}

}  // namespace lanewise::ui
