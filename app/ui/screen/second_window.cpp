#include "ui/screen/second_window.h"

#include "ui/screen/gl.h"
// OpenGL comes first: glad replaces the system's header.
#include <GLFW/glfw3.h>
#include <imgui_impl_glfw.h>

#include "base/error.h"
#include "ui/screen/glfw_window.h"

namespace lanewise::ui {

SecondWindow::Turn::Turn(const SecondWindow& window)
    : before_(ImGui::GetCurrentContext()), drawn_in_(glfwGetCurrentContext()) {
    ImGui::SetCurrentContext(window.context_);
    glfwMakeContextCurrent(window.handle_);
}

SecondWindow::Turn::~Turn() {
    ImGui::SetCurrentContext(before_);
    glfwMakeContextCurrent(drawn_in_);
}

// Dear ImGui's backend takes what happens to be for the current context, whichever window it
// happened in. So it hears of this window's through us.
struct SecondWindow::Callbacks {
    static SecondWindow& of(GLFWwindow* handle) {
        return *static_cast<SecondWindow*>(glfwGetWindowUserPointer(handle));
    }
    template <class Tell>
    static void tell(GLFWwindow* handle, Tell tell) {
        SecondWindow& window = of(handle);
        ImGuiContext* before = ImGui::GetCurrentContext();
        ImGui::SetCurrentContext(window.context_);
        tell(window);
        ImGui::SetCurrentContext(before);
        note_deed();
    }
    // The first window, which has just lost the keyboard, forgets its keys with the next frame: not
    // those that come from here.
    static void focus(GLFWwindow* w, int on) {
        if (on && of(w).keys_ == Keys::of_first) ImGui::GetIO().AddFocusEvent(true);
        tell(w, [&](SecondWindow&) { ImGui_ImplGlfw_WindowFocusCallback(w, on); });
    }
    static void enter(GLFWwindow* w, int on) {
        tell(w, [&](SecondWindow&) { ImGui_ImplGlfw_CursorEnterCallback(w, on); });
    }
    static void pointer(GLFWwindow* w, double x, double y) {
        tell(w, [&](SecondWindow&) {
#if IMGUI_VERSION_NUM >= 18700
            ImGui_ImplGlfw_CursorPosCallback(w, x, y);
#else
            (void)x, (void)y;  // it asks for the place itself
#endif
        });
    }
    static void button(GLFWwindow* w, int b, int action, int m) {
        tell(w, [&](SecondWindow&) { ImGui_ImplGlfw_MouseButtonCallback(w, b, action, m); });
    }
    static void wheel(GLFWwindow* w, double x, double y) {
        tell(w, [&](SecondWindow&) { ImGui_ImplGlfw_ScrollCallback(w, x, y); });
    }
    // As if it was struck in the first window: by whoever hears that one's.
    static void key(GLFWwindow* w, int k, int code, int action, int m) {
        if (of(w).keys_ == Keys::own)
            return tell(w, [&](SecondWindow& window) { window.press_key({k, code, action, m}); });
        GLFWwindow* first = of(w).first_;
        const GLFWkeyfun hears = glfwSetKeyCallback(first, nullptr);
        glfwSetKeyCallback(first, hears);
        if (hears) hears(first, k, code, action, m);
    }
    static void character(GLFWwindow* w, unsigned c) {
        if (of(w).keys_ == Keys::own)
            return tell(w, [&](SecondWindow&) { ImGui_ImplGlfw_CharCallback(w, c); });
        GLFWwindow* first = of(w).first_;
        const GLFWcharfun hears = glfwSetCharCallback(first, nullptr);
        glfwSetCharCallback(first, hears);
        if (hears) hears(first, c);
    }
    // What the system asks for: a window that was covered, another size, an end.
    static void asked(GLFWwindow*) { note_deed(); }
    static void sized(GLFWwindow*, int, int) { note_deed(); }
};

SecondWindow::SecondWindow(GLFWwindow* first, ImGuiContext* context, int width, int height,
                           Keys keys)
    : first_(first), context_(context), keys_(keys) {
    set_window_hints();
    glfwWindowHint(GLFW_FOCUS_ON_SHOW, GLFW_FALSE);  // who presses a button goes on where it was
    glfwWindowHint(GLFW_AUTO_ICONIFY, GLFW_FALSE);   // over a whole screen it stays there
    handle_ = glfwCreateWindow(width, height, "Lanewise", nullptr, first);
    glfwDefaultWindowHints();
    if (!handle_)
        throw Error(Status::bad_input, "no second window can be opened: " + Glfw::last_error());
    glfwSetWindowSizeLimits(handle_, 320, 240, GLFW_DONT_CARE, GLFW_DONT_CARE);
    glfwSetWindowUserPointer(handle_, this);
    Turn turn(*this);
    glfwSwapInterval(0);  // the first window waits for the screen
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

SecondWindow::~SecondWindow() {
    {
        Turn turn(*this);
        ImGui_ImplGlfw_Shutdown();
    }
    glfwDestroyWindow(handle_);
}

bool SecondWindow::closed() const { return glfwWindowShouldClose(handle_) != 0; }

void SecondWindow::call_first() const {
    if (glfwGetWindowAttrib(handle_, GLFW_FOCUSED)) glfwFocusWindow(first_);
}

void SecondWindow::set_title(const std::string& title) {
    if (title != title_) glfwSetWindowTitle(handle_, title.c_str());
    title_ = title;
}

void SecondWindow::press_key(const KeyEvent& event) {
    if (!held_.keeps(event))
        ImGui_ImplGlfw_KeyCallback(handle_, event.key, event.scancode, event.action,
                                   event.modifiers);
}

void SecondWindow::release_held_keys() {
    for (const KeyEvent& e : held_.take())
        ImGui_ImplGlfw_KeyCallback(handle_, e.key, e.scancode, e.action, e.modifiers);
}

}  // namespace lanewise::ui
