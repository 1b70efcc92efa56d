// An OpenGL 3.3 core context with no window system: EGL, on a device or surfaceless.
#pragma once
#include <memory>

namespace lanewise::ui {

class EglContext {
  public:
    // Makes the context current on this thread and loads glad. Throws Error(bad_input) with what
    // to install where there is none.
    EglContext();
    ~EglContext();
    EglContext(const EglContext&) = delete;
    EglContext& operator=(const EglContext&) = delete;

  private:
    void* display_ = nullptr;
    void* context_ = nullptr;
};

}  // namespace lanewise::ui
