// The class's window while a lesson is presented on two screens: over the whole of the second screen,
// or, where there is none, one that the teacher moves.
#pragma once
#include <memory>
#include <vector>

#include "ui/screen/screens.h"
#include "ui/screen/second_window.h"
#include "ui/session/audience_picture.h"
#include "ui/session/audience_screen.h"
#include "ui/state/app.h"

namespace lanewise::ui {

class AudienceWindow {
  public:
    // As ApartWindow's.
    AudienceWindow(GLFWwindow* first, int width, int height);
    ~AudienceWindow();
    AudienceWindow(const AudienceWindow&) = delete;
    AudienceWindow& operator=(const AudienceWindow&) = delete;

    GLFWwindow* handle() const { return window_->handle(); }
    bool closed() const { return window_->closed(); }
    bool frame(App& app);  // as AudiencePicture::draw()

  private:
    AudienceScreen screen_;
    std::unique_ptr<SecondWindow> window_;
    std::unique_ptr<AudiencePicture> picture_;
    unsigned source_ = 0;  // of OpenGL, to copy the picture from
};

// Keeps such a window for as long as the class is to have one, on the screen that is there for it: one
// that is plugged in or pulled out moves it. Call it once a turn of the loop.
class AudienceKeeper {
  public:
    AudienceKeeper(App& app, GLFWwindow* first);
    ~AudienceKeeper();
    AudienceKeeper(const AudienceKeeper&) = delete;
    AudienceKeeper& operator=(const AudienceKeeper&) = delete;
    // Whether the class sees something else, which the teacher's window has to show too.
    bool turn();

  private:
    void look_for_screens();
    int screen_of_class() const;  // into screens_; -1: none
    void follow();
    void place();

    App& app_;
    GLFWwindow* first_;
    std::vector<Screen> screens_;  // as glfwGetMonitors() has them
    bool whole_screen_ = false;
    std::unique_ptr<AudienceWindow> window_;
};

}  // namespace lanewise::ui
