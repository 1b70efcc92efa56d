// A window of the system beside the first, on another screen perhaps, with a context of Dear ImGui that
// its owner gives. Textures are the first window's too.
#pragma once
#include <imgui.h>

#include <string>

#include "ui/imgui/imgui_compat.h"

namespace lanewise::ui {

class SecondWindow {
  public:
    enum class Keys { own, of_first };  // whose context hears what is struck in it
    // `first`: whose context for OpenGL is current, and stays so. `context` must outlive the window.
    // Throws Error(bad_input) where the system gives no second window.
    SecondWindow(GLFWwindow* first, ImGuiContext* context, int width, int height, Keys keys);
    ~SecondWindow();
    SecondWindow(const SecondWindow&) = delete;
    SecondWindow& operator=(const SecondWindow&) = delete;

    // While one lives, the current contexts are this window's.
    class Turn {
      public:
        explicit Turn(const SecondWindow& window);
        ~Turn();
        Turn(const Turn&) = delete;
        Turn& operator=(const Turn&) = delete;

      private:
        ImGuiContext* before_;
        GLFWwindow* drawn_in_;
    };

    GLFWwindow* handle() const { return handle_; }
    bool closed() const;      // its close button was pressed
    void call_first() const;  // the first window wants the keyboard, where this one has it
    void set_title(const std::string& title);
    void release_held_keys();  // after each of its frames, in a turn

  private:
    struct Callbacks;
    void press_key(const KeyEvent& event);

    GLFWwindow *first_, *handle_ = nullptr;
    ImGuiContext* context_;
    Keys keys_;
    HeldKeys held_;
    std::string title_;
};

}  // namespace lanewise::ui
