// A view in a window of its own: a second window of the system, with a context of Dear ImGui of its
// own. Fonts, textures and the App are the first window's.
#pragma once
#include <imgui.h>

#include <memory>

#include "ui/screen/render.h"
#include "ui/screen/second_window.h"
#include "ui/state/app.h"

namespace lanewise::ui {

class ApartWindow {
  public:
    // `first`: whose context is current, and stays so. Throws Error(bad_input) where the system
    // gives no second window.
    ApartWindow(GLFWwindow* first, int width, int height);
    ~ApartWindow();
    ApartWindow(const ApartWindow&) = delete;
    ApartWindow& operator=(const ApartWindow&) = delete;

    bool closed() const { return window_->closed(); }
    void frame(App& app);  // draws the view that stands apart; after a frame of the first window
    void call_first() const { window_->call_first(); }  // for an overlay that has opened there

  private:
    ImGuiContext* context_ = nullptr;
    std::unique_ptr<SecondWindow> window_;
    std::unique_ptr<Renderer> renderer_;
};

// Keeps such a window for as long as a view is to stand apart; call it once a turn of the loop.
class ApartKeeper {
  public:
    ApartKeeper(App& app, GLFWwindow* first);
    void turn();

  private:
    void follow();

    App& app_;
    GLFWwindow* first_;
    std::unique_ptr<ApartWindow> window_;
};

}  // namespace lanewise::ui
