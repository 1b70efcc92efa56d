#include "ui/session/apart_window.h"

#include "ui/screen/gl.h"
// OpenGL comes first: glad replaces the system's header.
#include <GLFW/glfw3.h>
#include <imgui_impl_glfw.h>

#include "base/error.h"
#include "ui/desk/overlays.h"
#include "ui/desk/tools.h"
#include "ui/instrument/panes.h"
#include "ui/screen/glfw_window.h"
#include "ui/session/session.h"
#include "ui/state/views.h"

namespace lanewise::ui {

// A context with the first one's fonts.
static ImGuiContext* context_beside_first() {
    const ImGuiIO& of_first = ImGui::GetIO();
    const ImGuiConfigFlags flags = of_first.ConfigFlags;
    ImGuiContext* const first = ImGui::GetCurrentContext();
    ImGuiContext* context = ImGui::CreateContext(of_first.Fonts);
    ImGui::SetCurrentContext(context);
    ImGuiIO& io = ImGui::GetIO();
    io.IniFilename = nullptr;
    io.ConfigFlags = flags;
    io.ConfigInputTextCursorBlink = false;
    ImGui::SetCurrentContext(first);
    return context;
}

ApartWindow::ApartWindow(GLFWwindow* first, int width, int height)
    : context_(context_beside_first()) {
    try {
        window_ = std::make_unique<SecondWindow>(first, context_, width, height,
                                                 SecondWindow::Keys::own);
    } catch (const Error&) {
        ImGui::DestroyContext(context_);
        throw;
    }
    SecondWindow::Turn turn(*window_);
    renderer_ = std::make_unique<Renderer>();
}

ApartWindow::~ApartWindow() {
    {
        SecondWindow::Turn turn(*window_);
        renderer_.reset();
    }
    window_.reset();
    ImGui::DestroyContext(context_);
}

void ApartWindow::frame(App& app) {
    const ImGuiStyle& style = ImGui::GetStyle();  // of the first, as the theme has set it
    SecondWindow::Turn turn(*window_);
    ImGui::GetStyle() = style;
    ImGui_ImplGlfw_NewFrame();
    int width = 0, height = 0;
    glfwGetWindowSize(window_->handle(), &width, &height);
    if (width <= 0 || height <= 0) return;
    build_apart_frame(app, width, height);
    window_->release_held_keys();
    renderer_->draw(*ImGui::GetDrawData());
    glfwSwapBuffers(window_->handle());
    app.saved.panes.apart_width = width;
    app.saved.panes.apart_height = height;
    const std::string view = view_apart(app);
    window_->set_title(view.empty() ? "Lanewise"
                                    : std::string(find_view(view).title) + " – Lanewise");
}

ApartKeeper::ApartKeeper(App& app, GLFWwindow* first) : app_(app), first_(first) {
    app_.tools->more_windows = true;
}

// The window is opened or closed as what stands apart has changed.
void ApartKeeper::follow() {
    if (window_ && window_->closed()) set_apart(app_, "");
    const bool was = window_ != nullptr;
    if (view_apart(app_).empty()) {
        window_.reset();
    } else if (!window_) {
        const Panes& panes = app_.saved.panes;
        try {
            window_ = std::make_unique<ApartWindow>(first_, panes.apart_width, panes.apart_height);
        } catch (const Error& error) {
            set_apart(app_, "");
            app_.said.notices.push_back(error.what());
        }
    }
    if (was == (window_ != nullptr)) return;
    note_deed();  // the first window shows the pane again, or no longer
    wake_window();
}

void ApartKeeper::turn() {
    follow();
    if (!window_) return;
    const auto overlays = app_.tools->overlays_known;
    window_->frame(app_);
    keep_one_overlay(app_);
    if (app_.tools->overlays_known != overlays) window_->call_first();
}

}  // namespace lanewise::ui
