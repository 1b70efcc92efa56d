// What the class sees, with a context of Dear ImGui, fonts and a look of its own: its screen is of
// another size than the teacher's window.
#pragma once
#include <imgui.h>

#include "ui/kit/audit.h"
#include "ui/look/look.h"
#include "ui/state/app.h"

namespace lanewise::ui {

class AudienceScreen {
  public:
    AudienceScreen();  // the first window's context is current, and stays so
    ~AudienceScreen();
    AudienceScreen(const AudienceScreen&) = delete;
    AudienceScreen& operator=(const AudienceScreen&) = delete;
    ImGuiContext* context() const { return context_; }

    // While one lives, the current context and look() are this screen's.
    class Turn {
      public:
        explicit Turn(AudienceScreen& screen);
        ~Turn();
        Turn(const Turn&) = delete;
        Turn& operator=(const Turn&) = delete;

      private:
        ImGuiContext* context_;
        Look* look_;
    };

    // In a turn: takes the theme and the size, in pixels. Fonts are to be baked then, where
    // look().fonts_changed.
    void fit(int width, int height);
    // In a turn, after fit(): one frame; its result is ImGui::GetDrawData().
    void build(App& app);
    // All of it, for who renders nothing. Returns what was drawn, which audit() has not.
    const Audit& frame_unseen(App& app, int width, int height);

  private:
    void point(App& app);
    void take_keys(App& app);

    Look look_;
    ImGuiContext* context_ = nullptr;
    std::string theme_;       // of the first window
    uint64_t glyphs_ = 0;     // glyphs_wanted() when its fonts were baked last
    bool pointed_ = false;    // the teacher's pointer was in it
    bool typed_ = false;      // the teacher's keys were
};

// What its last frame drew, beside audit(), which is the first window's.
const Audit& audience_audit();

}  // namespace lanewise::ui
