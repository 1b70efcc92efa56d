#include "ui/session/audience_window.h"

#include "ui/screen/gl.h"
// OpenGL comes first: glad replaces the system's header.
#include <GLFW/glfw3.h>
#include <imgui_impl_glfw.h>

#include <chrono>
#include <ctime>
#include <span>
#include <utility>

#include "base/error.h"
#include "ui/class/audience.h"
#include "ui/desk/overlays.h"
#include "ui/desk/tools.h"
#include "ui/screen/glfw_window.h"

namespace lanewise::ui {
namespace {

constexpr int kWide = 960, kHigh = 540, kBeside = 60;  // where there is no second screen

bool screens_changed = true;  // GLFW tells nobody in particular

std::span<GLFWmonitor*> monitors() {
    int count = 0;
    GLFWmonitor** first = glfwGetMonitors(&count);
    return {first, static_cast<size_t>(count)};
}

Screen screen_of(GLFWmonitor* monitor) {
    Screen screen;
    glfwGetMonitorPos(monitor, &screen.x, &screen.y);
    if (const GLFWvidmode* mode = glfwGetVideoMode(monitor)) {
        screen.width = mode->width;
        screen.height = mode->height;
    }
    return screen;
}

Screen place_of(GLFWwindow* window) {
    Screen place;
    glfwGetWindowPos(window, &place.x, &place.y);
    glfwGetWindowSize(window, &place.width, &place.height);
    return place;
}

// In the window's seconds; of the zone that the system is set to.
double last_midnight() {
    constexpr double kMinute = 60, kHour = 60 * kMinute;
    const auto now = std::chrono::system_clock::now();
    const std::time_t seconds = std::chrono::system_clock::to_time_t(now);
    const std::chrono::duration<double> rest =
        now - std::chrono::system_clock::from_time_t(seconds);
    std::tm local{};
    localtime_r(&seconds, &local);
    return glfwGetTime() -
           (local.tm_hour * kHour + local.tm_min * kMinute + local.tm_sec + rest.count());
}

}  // namespace

AudienceWindow::AudienceWindow(GLFWwindow* first, int width, int height)
    : window_(std::make_unique<SecondWindow>(first, screen_.context(), width, height,
                                             SecondWindow::Keys::of_first)) {
    SecondWindow::Turn turn(*window_);
    picture_ = std::make_unique<AudiencePicture>();
    glGenFramebuffers(1, &source_);
}

AudienceWindow::~AudienceWindow() {
    {
        SecondWindow::Turn turn(*window_);
        glDeleteFramebuffers(1, &source_);
        picture_.reset();
    }
    window_.reset();
}

bool AudienceWindow::frame(App& app) {
    AudienceScreen::Turn look(screen_);
    SecondWindow::Turn turn(*window_);
    ImGui_ImplGlfw_NewFrame();
    int width = 0, height = 0, wide = 0, high = 0;
    glfwGetWindowSize(handle(), &width, &height);
    glfwGetFramebufferSize(handle(), &wide, &high);
    if (width <= 0 || height <= 0 || wide <= 0 || high <= 0) return false;
    const bool changed = picture_->draw(screen_, app, width, height,
                                        static_cast<float>(wide) / static_cast<float>(width));
    glBindFramebuffer(GL_READ_FRAMEBUFFER, source_);
    glFramebufferTexture2D(GL_READ_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D,
                           picture_->target()->texture(), 0);
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, 0);
    glDisable(GL_SCISSOR_TEST);
    glBlitFramebuffer(0, 0, wide, high, 0, 0, wide, high, GL_COLOR_BUFFER_BIT, GL_NEAREST);
    glfwSwapBuffers(handle());
    window_->set_title("For the class – Lanewise");
    return changed;
}

AudienceKeeper::AudienceKeeper(App& app, GLFWwindow* first) : app_(app), first_(first) {
    screens_changed = true;
    glfwSetMonitorCallback([](GLFWmonitor*, int) {
        screens_changed = true;
        note_deed();
        wake_window();
    });
    look_for_screens();
}

AudienceKeeper::~AudienceKeeper() { glfwSetMonitorCallback(nullptr); }

void AudienceKeeper::look_for_screens() {
    if (!std::exchange(screens_changed, false)) return;
    screens_.clear();
    for (GLFWmonitor* monitor : monitors()) screens_.push_back(screen_of(monitor));
    if (window_) place();
}

int AudienceKeeper::screen_of_class() const {
    return screens_.size() > 1 ? screen_for_class(screens_, place_of(first_)) : -1;
}

// GLFW itself makes a window that loses its screen an ordinary one, as large as that was.
void AudienceKeeper::place() {
    const int screen = screen_of_class();
    const std::span<GLFWmonitor*> all = monitors();
    GLFWmonitor* wanted =
        screen >= 0 && static_cast<size_t>(screen) < all.size() ? all[static_cast<size_t>(screen)] : nullptr;
    if (wanted == glfwGetWindowMonitor(window_->handle()) && whole_screen_ == (wanted != nullptr))
        return;
    if (const GLFWvidmode* mode = wanted ? glfwGetVideoMode(wanted) : nullptr) {
        glfwSetWindowMonitor(window_->handle(), wanted, 0, 0, mode->width, mode->height,
                             mode->refreshRate);
        whole_screen_ = true;
    } else {
        const Screen first = place_of(first_);
        glfwSetWindowMonitor(window_->handle(), nullptr, first.x + kBeside, first.y + kBeside, kWide,
                             kHigh, GLFW_DONT_CARE);
        whole_screen_ = false;
    }
    glfwFocusWindow(first_);
    note_deed();
}

// The window is opened or closed as the presenter wants.
void AudienceKeeper::follow() {
    Presenter& p = app_.tools->presenter;
    if (window_ && window_->closed()) p.audience.reset();
    const bool was = window_ != nullptr;
    if (!p.audience) {
        window_.reset();
        whole_screen_ = false;
    } else if (!window_) {
        try {
            window_ = std::make_unique<AudienceWindow>(first_, kWide, kHigh);
            place();
        } catch (const Error& error) {
            p.audience.reset();
            app_.said.notices.push_back(error.what());
        }
    }
    if (was == (window_ != nullptr)) return;
    note_deed();
    wake_window();
}

bool AudienceKeeper::turn() {
    look_for_screens();
    app_.tools->presenter.screens = screen_of_class() >= 0 ? 2 : 1;
    follow();
    if (!window_) return false;
    app_.tools->presenter.audience->midnight = last_midnight();
    const bool changed = window_->frame(app_);
    keep_one_overlay(app_);
    return changed;
}

}  // namespace lanewise::ui
