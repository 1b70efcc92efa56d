// The class's screen as a picture: drawn once, for its own window and small for the teacher's.
#pragma once
#include <memory>

#include "ui/screen/render.h"
#include "ui/session/audience_screen.h"

namespace lanewise::ui {

class AudiencePicture {
  public:
    // In a turn of the screen; the context for OpenGL that is current must be so at every call.
    AudiencePicture() = default;
    // One frame of the screen, as large as this, drawn into the picture, which `audience` then has.
    // `width`, `height`: in the units of Dear ImGui; `density`: pixels for each. Returns whether it is
    // another picture than the last one.
    bool draw(AudienceScreen& screen, App& app, int width, int height, float density = 1);
    const OffscreenTarget* target() const { return target_.get(); }  // null before the first

  private:
    Renderer renderer_;
    std::unique_ptr<OffscreenTarget> target_;
    size_t drawn_ = 0;  // tells one picture from the next
};

}  // namespace lanewise::ui
