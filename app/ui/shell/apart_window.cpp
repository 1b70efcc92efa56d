#include "ui/shell/apart_window.h"

#include "ui/shell/gl.h"
// OpenGL comes first: glad replaces the system's header.
#include <GLFW/glfw3.h>
#include <imgui_impl_glfw.h>

#include <algorithm>

#include "base/error.h"
#include "ui/desk/overlays.h"
#include "ui/desk/panes.h"
#include "ui/desk/tools.h"
#include "ui/shell/glfw_window.h"
#include "ui/shell/session.h"
#include "ui/state/views.h"

namespace lanewise::ui {

struct ApartWindow::Turn {
    explicit Turn(const ApartWindow& window) {
        ImGui::SetCurrentContext(window.context_);
        glfwMakeContextCurrent(window.handle_);
    }
    ~Turn() {
        ImGui::SetCurrentContext(before);
        glfwMakeContextCurrent(drawn_in);
    }
    Turn(const Turn&) = delete;
    Turn& operator=(const Turn&) = delete;

    ImGuiContext* before = ImGui::GetCurrentContext();
    GLFWwindow* drawn_in = glfwGetCurrentContext();
};

// Dear ImGui's backend takes what happens to be for the current context, whichever window it
// happened in. So it hears of this window's through us.
struct ApartWindow::Callbacks {
    template <class Tell>
    static void tell(GLFWwindow* handle, Tell tell) {
        auto& window = *static_cast<ApartWindow*>(glfwGetWindowUserPointer(handle));
        ImGuiContext* before = ImGui::GetCurrentContext();
        ImGui::SetCurrentContext(window.context_);
        tell(window);
        ImGui::SetCurrentContext(before);
        note_deed();
    }
    static void focus(GLFWwindow* w, int on) {
        tell(w, [&](ApartWindow&) { ImGui_ImplGlfw_WindowFocusCallback(w, on); });
    }
    static void enter(GLFWwindow* w, int on) {
        tell(w, [&](ApartWindow&) { ImGui_ImplGlfw_CursorEnterCallback(w, on); });
    }
    static void pointer(GLFWwindow* w, double x, double y) {
        tell(w, [&](ApartWindow&) {
#if IMGUI_VERSION_NUM >= 18700
            ImGui_ImplGlfw_CursorPosCallback(w, x, y);
#else
            (void)x, (void)y;  // it asks for the place itself
#endif
        });
    }
    static void button(GLFWwindow* w, int b, int action, int m) {
        tell(w, [&](ApartWindow&) { ImGui_ImplGlfw_MouseButtonCallback(w, b, action, m); });
    }
    static void wheel(GLFWwindow* w, double x, double y) {
        tell(w, [&](ApartWindow&) { ImGui_ImplGlfw_ScrollCallback(w, x, y); });
    }
    static void key(GLFWwindow* w, int k, int code, int action, int m) {
        tell(w, [&](ApartWindow& window) { window.press_key({k, code, action, m}); });
    }
    static void character(GLFWwindow* w, unsigned c) {
        tell(w, [&](ApartWindow&) { ImGui_ImplGlfw_CharCallback(w, c); });
    }
    // What the system asks for: a window that was covered, another size, an end.
    static void asked(GLFWwindow*) { note_deed(); }
    static void sized(GLFWwindow*, int, int) { note_deed(); }
};

ApartWindow::ApartWindow(GLFWwindow* first, int width, int height) : first_(first) {
    set_window_hints();
    glfwWindowHint(GLFW_FOCUS_ON_SHOW, GLFW_FALSE);  // who presses a button goes on where it was
    handle_ = glfwCreateWindow(width, height, "Lanewise", nullptr, first);
    glfwDefaultWindowHints();
    if (!handle_)
        throw Error(Status::bad_input, "no second window can be opened: " + Glfw::last_error());
    glfwSetWindowSizeLimits(handle_, 320, 240, GLFW_DONT_CARE, GLFW_DONT_CARE);
    glfwSetWindowUserPointer(handle_, this);
    const ImGuiIO& of_first = ImGui::GetIO();
    context_ = ImGui::CreateContext(of_first.Fonts);
    Turn turn(*this);
    ImGuiIO& io = ImGui::GetIO();
    io.IniFilename = nullptr;
    io.ConfigFlags = of_first.ConfigFlags;
    io.ConfigInputTextCursorBlink = false;
    glfwSwapInterval(0);  // the first window waits for the screen
    renderer_ = std::make_unique<Renderer>();
    ImGui_ImplGlfw_InitForOpenGL(handle_, false);
    glfwSetWindowFocusCallback(handle_, Callbacks::focus);
    glfwSetCursorEnterCallback(handle_, Callbacks::enter);
    glfwSetCursorPosCallback(handle_, Callbacks::pointer);
    glfwSetMouseButtonCallback(handle_, Callbacks::button);
    glfwSetScrollCallback(handle_, Callbacks::wheel);
    glfwSetKeyCallback(handle_, Callbacks::key);
    glfwSetCharCallback(handle_, Callbacks::character);
    glfwSetWindowRefreshCallback(handle_, Callbacks::asked);
    glfwSetWindowCloseCallback(handle_, Callbacks::asked);
    glfwSetFramebufferSizeCallback(handle_, Callbacks::sized);
}

ApartWindow::~ApartWindow() {
    {
        Turn turn(*this);
        renderer_.reset();
        ImGui_ImplGlfw_Shutdown();
    }
    ImGui::DestroyContext(context_);
    glfwDestroyWindow(handle_);
}

bool ApartWindow::closed() const { return glfwWindowShouldClose(handle_) != 0; }

void ApartWindow::call_first() const {
    if (glfwGetWindowAttrib(handle_, GLFW_FOCUSED)) glfwFocusWindow(first_);
}

void ApartWindow::press_key(const KeyEvent& event) {
    if (!held_.keeps(event))
        ImGui_ImplGlfw_KeyCallback(handle_, event.key, event.scancode, event.action,
                                   event.modifiers);
}

void ApartWindow::frame(App& app) {
    const ImGuiStyle& style = ImGui::GetStyle();  // of the first, as the theme has set it
    Turn turn(*this);
    ImGui::GetStyle() = style;
    ImGui_ImplGlfw_NewFrame();
    int width = 0, height = 0;
    glfwGetWindowSize(handle_, &width, &height);
    if (width <= 0 || height <= 0) return;
    build_apart_frame(app, width, height);
    for (const KeyEvent& e : held_.take())
        ImGui_ImplGlfw_KeyCallback(handle_, e.key, e.scancode, e.action, e.modifiers);
    renderer_->draw(*ImGui::GetDrawData());
    glfwSwapBuffers(handle_);
    app.saved.panes.apart_width = width;
    app.saved.panes.apart_height = height;
    const std::string view = view_apart(app);
    std::string title =
        view.empty() ? "Lanewise" : std::string(find_view(view).title) + " – Lanewise";
    if (title != title_) glfwSetWindowTitle(handle_, title.c_str());
    title_ = title;
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
