// GLFW's library and its first window, with a context for OpenGL, and what a person does in it.
#pragma once
#include <string>

struct GLFWwindow;

namespace lanewise::ui {

class Glfw {
  public:
    Glfw();  // throws Error(bad_input) where there is no display
    ~Glfw();
    Glfw(const Glfw&) = delete;
    Glfw& operator=(const Glfw&) = delete;
    static std::string& last_error();
};

// What every window wants of its context for OpenGL.
void set_window_hints();

class Window {
  public:
    Window(int width, int height);  // throws Error(bad_input) where there is no OpenGL as is wanted
    ~Window();
    Window(const Window&) = delete;
    Window& operator=(const Window&) = delete;
    GLFWwindow* handle() const { return handle_; }

    // How many pixels the screen itself puts into a point. Where the system counts windows in
    // pixels (X11) that is the content scale; where it counts in points, Dear ImGui's own scaling
    // of the frame buffer does the rest.
    float density() const;

  private:
    GLFWwindow* handle_ = nullptr;
};

// Whether a person has done something in a window since the last call.
bool take_deed();
void note_deed();  // something was done in another window than the first
// From any thread: whoever waits for something to happen in the window goes on.
void wake_window();

}  // namespace lanewise::ui
